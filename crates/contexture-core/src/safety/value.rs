//! Whether a value is a secret or only stands where one could: placeholders, references, words, numbers of versions.
//!
//! Takes the value alone. Chance is measured by how rare its neighbouring letters are: words of any language a program is written
//! in keep to few pairs of letters, random ones do not. No list of words decides about what is random.

use contexture_syntax::has_word;

/// Of each letter the letters that often follow it in words, as bits: the 211 most common pairs of 6,000 Rust sources and readmes, which
/// are 86 % of all pairs in words and 31 % of those in random letters.
const PAIRS: [u32; 26] = [
    0x11eb94e, 0x0144911, 0x01e4d95, 0x0164919, 0x0aeb97d, 0x0064931, 0x0060110, 0x0004111, 0x22ef87f, 0x0000000,
    0x0040010, 0x11cc919, 0x014c111, 0x01c617d, 0x07ef86e, 0x01ec995, 0x0100000, 0x11ef11d, 0x31cc195, 0x11ec995,
    0x00eb936, 0x0000111, 0x0000101, 0x0080000, 0x0008000, 0x0000010,
];

/// What is known of a value after one look.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Look {
    pub length: usize,
    pub digits: usize,
    pub upper: usize,
    pub lower: usize,
    /// Anything but letters of any script, digits, `_` and `-`.
    pub signs: usize,
    pub distinct: usize,
    /// From 0 for words to 1 for chance.
    pub rarity: f32,
    /// Bits a character.
    pub entropy: f32,
    pub is_hex: bool,
}

pub(super) fn look(value: &str) -> Look {
    let mut look = Look { length: value.len(), is_hex: true, ..Look::default() };
    let mut counts = [0_u32; 256];
    let (mut known, mut rare) = (0_u32, 0_u32);
    let mut last = b' ';
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
        match byte {
            b'0'..=b'9' => look.digits += 1,
            b'A'..=b'Z' => look.upper += 1,
            b'a'..=b'z' => look.lower += 1,
            b'_' | b'-' => {}
            // Letters of other scripts: `Contraseña` is a word.
            0x80.. => look.lower += 1,
            _ => look.signs += 1,
        }
        look.is_hex &= byte.is_ascii_hexdigit();
        match (last, byte) {
            // Where a word begins in the middle of another, as in `camelCase`, nothing is learnt.
            (a, b) if a.is_ascii_lowercase() && b.is_ascii_uppercase() && rare <= known => {}
            (a, b) if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() => match is_known(a, b) {
                true => known += 1,
                false => rare += 1,
            },
            (a, b) if a.is_ascii_digit() && b.is_ascii_alphabetic() => rare += 1,
            _ => {}
        }
        last = byte;
    }
    look.distinct = counts.iter().filter(|count| **count > 0).count();
    look.rarity = rare as f32 / (known + rare).max(1) as f32;
    let length = value.len().max(1) as f32;
    let share = |count: &u32| {
        let part = *count as f32 / length;
        -part * part.log2()
    };
    look.entropy = counts.iter().filter(|count| **count > 0).map(share).sum();
    look
}

fn is_known(a: u8, b: u8) -> bool {
    let place = |byte: u8| usize::from(byte.to_ascii_lowercase().wrapping_sub(b'a'));
    PAIRS.get(place(a)).is_some_and(|pairs| pairs >> place(b) & 1 == 1)
}

/// Words that say that the value is none, in any case.
const SHAM: &str = "example placeholder changeme change_me change-me your_ your- yourkey yourtoken yoursecret yourpass dummy \
     redacted xxxx **** .... <your replace insert todo notreal not-real not_a_real";

/// The same, only where the shape of the value says nothing; the last dozen are ways to keep passwords.
const WEAK: &str = "test fake mock sample demo foobar foo bar password passwd secret token apikey api_key api-key default admin \
     hunter qwerty letmein lorem dolor enter none null undefined username client access private public key my some \
     the user value string here a an dev local pbkdf2 bcrypt scrypt argon2 scram-sha-256 sha256 sha512 sha1 md5 wpa2 \
     wpa3 psk";

/// Whether a token of a known shape was only written to show that shape.
pub(super) fn is_sham(token: &str) -> bool {
    // Its beginning shows it; tokens may be long.
    let lower = token[..token.floor_char_boundary(128)].to_ascii_lowercase();
    // What stands behind the last sign of the beginning is what is drawn at random.
    let body = lower.rsplit(['_', '.', '~']).find(|part| part.len() >= 16).unwrap_or(&lower);
    let seen = look(body);
    SHAM.split(' ').any(|word| lower.contains(word)) || seen.distinct < 6 || seen.entropy < 2.4 || is_run(body)
}

/// Whether more than half of a value, and at least eight characters, are one run: `aaaa`, `1234`, `abcd`, `zyxw`.
fn is_run(value: &str) -> bool {
    let bytes = value.as_bytes();
    let (mut run, mut most) = ([1_usize; 3], 1_usize);
    let mut inside = 0;
    for pair in bytes.windows(2) {
        let step = i16::from(pair[1]) - i16::from(pair[0]);
        for (nth, wanted) in [0, 1, -1].into_iter().enumerate() {
            // After the nine the digits begin again.
            let goes_on = step == wanted || (wanted == 1 && pair == b"90");
            run[nth] = if goes_on { run[nth] + 1 } else { 1 };
            inside += usize::from(goes_on);
            most = most.max(run[nth]);
        }
    }
    (most >= 8 && most * 2 > bytes.len()) || inside * 3 > bytes.len() * 2
}

/// Whether a value under a telling name is no value: a reference, a template, a placeholder, a switch, a path, a sentence.
pub(super) fn is_placeholder(value: &str) -> bool {
    let starts = [
        "$", "{{", "{%", "%(", "%{", "#{", "<", "[", "(", "@@", "&", "env:", "vault:", "op://", "arn:", "file:", "/",
        "./", "../", "~/", "http://", "https://", "data:", "0x", "sha1-", "sha256-", "sha512-", "sha256:", "::",
    ];
    const INSIDE: &str = "${|{{|$(|#{|%s|%d|%v|process.env|environ|getenv|env.|env[|ENV[|secrets.|config.|settings.|self.|this.|()|::|\
         ->| |\t|\\u|://";
    if starts.iter().any(|start| value.starts_with(start)) || INSIDE.split('|').any(|part| value.contains(part)) {
        return true;
    }
    // A format with places to fill in, an index, a call.
    if value.contains('{') && value.contains('}') {
        return true;
    }
    if value.contains(['(', '[', '{', '<', '…']) && !value.contains(['!', '#', '%', '^']) {
        return true;
    }
    // Any of many, or one that is blotted out; a tag of YAML.
    let has = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
    let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
    if value.contains("**") || value.contains('*') && !is_mixed || value.starts_with('!') && !is_mixed {
        return true;
    }
    // Of a word that is mostly written in escapes little is left: `%3A%40c`.
    if value.matches('%').count() * 6 > value.len() {
        return true;
    }
    let lower = value.to_ascii_lowercase();
    let is_shown = SHAM.split(' ').any(|word| lower.contains(word)) || is_worded(&lower);
    is_shown || is_run(&lower) || is_uuid(&lower) || is_date(&lower)
}

/// Whether little is left of a value when the words for secrets, tests and greetings are taken out of it: `my-test-password-1`.
fn is_worded(lower: &str) -> bool {
    let mut left = lower.to_owned();
    for word in WEAK.split(' ').filter(|word| word.len() > 2) {
        if left.contains(word) {
            left = left.replace(word, "-");
        }
    }
    let rest = left.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !has_word(WEAK, part));
    let changed = left.len() != lower.len() || left.contains("--");
    let rest: usize = rest.map(str::len).sum();
    rest < 4 || (changed && rest < 6)
}

/// `2026-11-17T10:12:29Z` and the like.
fn is_date(lower: &str) -> bool {
    let mut parts = lower.splitn(3, '-').map(|part| part.get(..part.len().min(2)).unwrap_or_default());
    let is_digits = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    lower.get(4..5) == Some("-") && lower.get(7..8) == Some("-") && parts.by_ref().take(3).all(is_digits)
}

pub(super) fn is_uuid(lower: &str) -> bool {
    let bytes = lower.as_bytes();
    bytes.len() == 36
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Whether a value looks drawn at random: long enough, of several sorts of characters, and no words.
pub(super) fn is_random(value: &str, least: usize) -> bool {
    let seen = look(value);
    let letters = seen.upper + seen.lower;
    if seen.length < least || seen.distinct < 8 || letters == 0 {
        return false;
    }
    if seen.is_hex {
        return seen.digits >= 3 && seen.entropy >= 2.7;
    }
    // Base64 and the like: marks are seldom. A path or a list of words has one at every fifth place.
    let marks = seen.length - letters - seen.digits;
    if marks * 6 > seen.length && seen.signs * 8 > seen.length {
        return false;
    }
    let mixed = seen.digits >= 2 || (seen.digits >= 1 && seen.upper >= 1 && seen.lower >= 1);
    let by_letters = seen.length >= 20 && seen.upper >= 3 && seen.lower >= 3;
    seen.entropy >= 3.0 && ((mixed && seen.rarity >= 0.42) || (by_letters && seen.rarity >= 0.55))
}

/// Whether a value under the name of a password is one: not a word, or a word made strong.
pub(super) fn is_password(value: &str) -> bool {
    let seen = look(value);
    let letters = seen.upper + seen.lower;
    if seen.length < 6 || seen.distinct < 5 {
        return false;
    }
    // `user.name`, `some_variable`, `--flag-name`, `Title`: names, of one sort of characters.
    let sorts =
        [seen.upper > 0, seen.lower > 0, seen.digits > 0, seen.signs > 0].into_iter().filter(|has| *has).count();
    let is_name = seen.rarity < 0.4
        && seen.digits <= 1
        && seen.signs <= 1
        && !value.contains(['!', '@', '#', '$', '%', '^', '&', '+', '=']);
    let is_number = letters == 0 && seen.signs <= 3;
    match sorts {
        _ if is_number || is_name => false,
        1 => seen.length >= 10 && seen.rarity >= 0.6,
        2 => seen.length >= 8 || seen.signs > 1,
        _ => true,
    }
}

/// A password where its name says less: of several sorts of characters, or of letters that no words have.
pub(super) fn is_strong(value: &str) -> bool {
    let seen = look(value);
    let is_mixed = seen.upper > 0 && seen.lower > 0 && seen.digits > 0;
    is_password(value) && (is_mixed || seen.rarity >= 0.42 || has_strong_sign(value))
}

/// What nobody would take for a word of the sentence or the column it stands in.
pub(super) fn is_not_a_word(value: &str) -> bool {
    let seen = look(value);
    is_random(value, 10)
        || (seen.digits > 0 && seen.upper + seen.lower > 0 && has_strong_sign(value) && value.len() >= 8)
}

fn has_strong_sign(value: &str) -> bool {
    value.contains(['!', '#', '$', '%', '^', '&', '*', '+', '=', '@', '~', '?'])
}

/// Letters of one case that follow each other as in no word.
pub(super) fn is_by_chance(value: &str) -> bool {
    let seen = look(value);
    seen.length >= 10 && seen.upper + seen.lower == seen.length && seen.rarity >= 0.65
}

/// A key of a curve in full: `0x` and 64 digits. Addresses are shorter.
pub(super) fn is_raw_key(value: &str) -> bool {
    let digits = value.strip_prefix("0x").unwrap_or_default();
    digits.len() == 64 && look(digits).is_hex && look(digits).distinct >= 8
}

/// Many signs of all sorts, as generators of keys draw them: long, and not how a pattern or a call is written.
pub(super) fn is_noise(value: &str) -> bool {
    let seen = look(value);
    let is_drawn = seen.length >= 24 && seen.distinct >= 16 && seen.entropy >= 4.0 && seen.signs >= 4;
    let is_pattern = ["a-z", "A-Z", "0-9", "\\", "()", "${", "{{", "://", " "].iter().any(|part| value.contains(part));
    // A name before a bracket is a call.
    let is_name = |word: &str| word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    let is_call = value.split('(').rev().skip(1).any(is_name);
    is_drawn && seen.digits >= 2 && seen.rarity >= 0.5 && !is_pattern && !is_call
}

/// Four words of four letters, as Google gives them out for one program.
pub(super) fn is_app_password(value: &str) -> bool {
    let words = || value.split(' ');
    let is_word = |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    words().count() == 4 && words().all(is_word) && look(&value.replace(' ', "")).rarity >= 0.4
}

/// A dozen or two words that are a key to a purse.
pub(super) fn is_phrase(value: &str) -> bool {
    let mut words: Vec<&str> = value.split(' ').collect();
    let is_word = |word: &&str| (3..=8).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let count = words.len();
    let is_all = words.iter().all(is_word);
    words.sort_unstable();
    words.dedup();
    matches!(count, 12 | 15 | 18 | 21 | 24) && is_all && words.len() * 4 >= count * 3
}
