//! Names that give their values away, as data, and the parts of names that make them names of something else.

/// How much a name says about its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Name {
    Password,
    /// A password by a name that other things have, too: `pass`, `pw`.
    Pass,
    Secret,
    ApiKey,
    Token,
}

impl Name {
    pub fn id(self) -> &'static str {
        match self {
            Self::Password | Self::Pass => "password-assignment",
            Self::Secret => "generic-secret",
            Self::ApiKey => "generic-api-key",
            Self::Token => "generic-token",
        }
    }
}

/// Words of names, in any case.
#[rustfmt::skip]
pub(super) const NAMES: &[(Name, &[&str])] = &[
    (Name::Password, &[
        "passw", "passphrase", "passcode", "pwd", "kennwort", "motdepasse", "mot_de_passe", "contrasena", "contraseña", "senha", "wachtwoord",
        "пароль", "Пароль", "密码", "密碼", "パスワード",
    ]),
    (Name::Pass, &["pass", "psk"]),
    (Name::Secret, &["secret", "credential"]),
    (Name::ApiKey, &["apikey", "api_key", "api-key", "api key"]),
    (Name::Token, &[
        "token", "accesskey", "access_key", "access-key", "access key", "privatekey", "private_key", "authkey", "auth_key", "auth-key", "signing_key", "signingkey",
        "encryption_key", "encryptionkey", "master_key", "masterkey", "account_key", "accountkey", "license_key",
        "app_key", "appkey", "admin_key", "adminkey", "consumer_key", "consumerkey", "subscription-key", "subscription_key", "subscriptionkey",
        "shared_key", "sharedkey", "shared_access_key", "hmac_key", "hmackey", "aes_key", "aeskey", "service_key", "servicekey", "server_key", "serverkey",
        "maps_key", "mapskey", "write_key", "writekey", "cipher_key", "crypt_key", "logged_in_key", "nonce_key", "client-key-data",
        "auth_salt", "logged_in_salt", "nonce_salt",
        // In addresses only.
        "?key", "&key", "?appid", "&appid", "?sig", "&sig",
    ]),
];

/// The same, only in this case: two letters, and what every program has in another case.
pub(super) const EXACT: &[(Name, &[&str])] = &[(Name::Pass, &["pw", "PW", "Pw"]), (Name::Token, &["_KEY"])];

/// The longest title.
const TITLE: usize = 40;

/// What the title of a column says about its cells.
pub(super) fn of_title(title: &str) -> Option<Name> {
    if title.len() > TITLE {
        return None;
    }
    let lower = title.to_ascii_lowercase().replace(' ', "_");
    let of_word = |word: &&str| {
        let word = word.to_ascii_lowercase().replace(' ', "_");
        let Some(at) = lower.find(&word) else { return false };
        let rest = &lower[at + word.len()..];
        let is_whole = word != "pass" || rest.is_empty();
        is_whole && is_begun(&lower, at, &word) && !is_other(rest)
    };
    let mut all = NAMES.iter().chain(EXACT);
    if is_public(&lower) {
        return None;
    }
    all.find_map(|(name, words)| words.iter().any(of_word).then_some(*name))
}

/// Whether a word begins where it stands: short ones are parts of many words.
pub(super) fn is_begun(text: &str, at: usize, word: &str) -> bool {
    let last = at.checked_sub(1).and_then(|before| text.as_bytes().get(before));
    let is_camel = || word.starts_with(|c: char| c.is_ascii_uppercase()) && last.is_some_and(u8::is_ascii_lowercase);
    word.len() > 4
        || !word.starts_with(|c: char| c.is_ascii_alphanumeric())
        || !last.is_some_and(u8::is_ascii_alphanumeric)
        || is_camel()
}

/// What everybody may know: `PUBLIC_KEY`, `pubApiKey`.
pub(super) fn is_public(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.contains("public") || lower.contains("publishable") || lower.starts_with("pub") || lower.contains("_pub")
}

/// Parts of a name behind the telling word that make it the name of something else.
pub(super) fn is_other(rest: &str) -> bool {
    const OTHER: &str = "type name hash length len count id url uri path file dir field label hint prompt policy regex pattern \
         format encoder encoding prefix suffix limit max min size index offset version expiry expires expiration ttl \
         timeout endpoint header param kind class input placeholder validator env arn ref var manager algorithm alg \
         salt digest checksum fingerprint public error message text description title help budget usage stream reset \
         set list map izer ize ized ization ary less s_";
    let rest = rest.trim_start_matches(['_', '-', '.']).to_ascii_lowercase();
    if rest.is_empty() || rest == "s" || rest == "ord" || rest == "d" || rest == "word" {
        return false;
    }
    let last = rest.rsplit(['_', '-', '.']).next().unwrap_or(&rest);
    OTHER.split(' ').any(|other| last == other || rest == other || (other.len() > 3 && last.ends_with(other)))
}
