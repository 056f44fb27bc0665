//! Laws for any text: nothing panics, lines stay, what was masked is clean, no byte of a secret is left, time is linear.

use super::super::rows::ROWS;
use super::super::{Fingerprint, HiddenText, Report, Safety, Secrets, hidden, redact, scan};
use super::hidden::listed;
use super::masked;
use contexture_testkit::cases;
use proptest::prelude::*;

/// Texts in which rules have much to look at.
fn salted() -> impl Strategy<Value = String> {
    let words = prop_oneof![
        "[ -~\\n]{0,40}",
        "\\PC{0,20}",
        Just("password = \"".to_owned()),
        Just("-----BEGIN PRIVATE KEY-----\n".to_owned()),
        Just("-----END PRIVATE KEY-----".to_owned()),
        Just("token: '".to_owned()),
        Just("://user:".to_owned()),
        Just("Bearer ".to_owned()),
        Just("[REDACTED:".to_owned()),
        Just("- name: DB_PASSWORD\n  value: ".to_owned()),
        Just("variable \"db_password\" {\n default = \"".to_owned()),
        Just("password: |\n ".to_owned()),
        Just("ENV DB_PASSWORD ".to_owned()),
        Just("setPassword(\"".to_owned()),
        Just("machine a login b password ".to_owned()),
        Just("curl -u a:".to_owned()),
        Just("mysql -p".to_owned()),
        Just("user,password\na,".to_owned()),
        Just("| token | b |\n| ".to_owned()),
        Just("INSERT INTO a (password) VALUES ('".to_owned()),
        Just("auth=('a', '".to_owned()),
        Just("<password>\n".to_owned()),
        Just("password:\n".to_owned()),
        Just("Private-Lines: 3\n".to_owned()),
        Just("LS0tLS1CRUdJTiBSU0Eg".to_owned()),
        Just("{\"kty\":\"oct\",\"k\":\"".to_owned()),
        Just("Authorization: x ".to_owned()),
        "[\u{200b}\u{ad}\u{202e}\u{fe0f}_]",
        Just("\\n".to_owned()),
        Just("\r\n".to_owned()),
        "[A-Za-z0-9+/]{20,80}",
        (0..ROWS.len(), "[A-Za-z0-9_-]{10,60}").prop_map(|(nth, rest)| format!("{}{rest}", ROWS[nth].start)),
    ];
    prop::collection::vec(words, 0..16).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(2_000)))]

    #[test]
    fn lines_stay_and_what_was_masked_is_clean(text in salted()) {
        let found = scan(&text);
        for pair in found.windows(2) {
            prop_assert!(pair[0].range.end <= pair[1].range.start);
        }
        let after = masked(&text);
        prop_assert_eq!(text.matches('\n').count(), after.matches('\n').count());
        prop_assert_eq!(crate::shape::lines(&text).count(), crate::shape::lines(&after).count());
        prop_assert_eq!(scan(&after), Vec::new());
        prop_assert_eq!(&masked(&after), &after);
        for finding in found {
            let secret = &text[finding.range];
            prop_assert!(secret.len() < 12 || secret.contains('\n') || !after.contains(secret), "{secret:?} in {after:?}");
        }
    }

    #[test]
    fn any_bytes_are_looked_at(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let text = String::from_utf8_lossy(&bytes);
        scan(&text);
        hidden(&text);
        masked(&text);
    }

    #[test]
    fn no_part_of_a_key_is_left(lines in prop::collection::vec("[A-Za-z0-9+/]{64}", 3..20), indent in "[ \\t]{0,4}", sign in "[+ -]?") {
        let mut text = format!("{sign}{indent}-----BEGIN EC PRIVATE KEY-----\n");
        for line in &lines {
            text.push_str(&format!("{sign}{indent}{line}\n"));
        }
        text.push_str(&format!("{sign}{indent}-----END EC PRIVATE KEY-----\n"));
        let after = masked(&text);
        prop_assert_eq!(text.lines().count(), after.lines().count());
        for line in &lines {
            // Not even the end of a line.
            prop_assert!(!after.contains(&line[40..]), "{after}");
        }
        prop_assert!(after.contains("BEGIN EC PRIVATE KEY") && after.contains("END EC PRIVATE KEY"));
    }
}

/// Keys in the places that give them away.
fn planted() -> impl Strategy<Value = (String, String, String)> {
    let shaped = |start: &'static str| {
        "[A-Za-z0-9]{40}".prop_map(move |rest| (String::new(), format!("{start}{rest}"), String::new()))
    };
    let named = |before: &'static str, after: &'static str| {
        "[A-Z][a-z][0-9][A-Za-z0-9]{17,30}".prop_map(move |value| (before.to_owned(), value, after.to_owned()))
    };
    prop_oneof![
        shaped(concat!("gh", "p_")),
        shaped(concat!("sk-", "ant-")),
        shaped(concat!("xox", "b-")),
        shaped(concat!("gl", "pat-")),
        named("password = \"", "\"\n"),
        named("TOKEN=", "\n"),
        named("\"api_key\": \"", "\","),
        named("Bearer ", "\n"),
        named("postgres://app:", "@db.internal/app"),
        named("-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj", "\n-----END PRIVATE KEY-----\n"),
    ]
}

fn seen(text: &str) -> String {
    let unseen = listed();
    text.chars().filter(|code| !unseen.contains(code)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(400)))]

    /// `hidden_text = "strip"` put a token together again behind the gate.
    #[test]
    fn no_invisible_character_carries_a_key_through(
        before in "([ -~\\n]{0,30}|\\PC{0,12})",
        (opens, key, closes) in planted(),
        after in "([ -~\\n]{0,30}|\\PC{0,12})",
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..6),
        is_everywhere in any::<bool>(),
        is_twice in any::<bool>(),
    ) {
        let plain = format!("{before}\n{opens}{key}{closes} {after}");
        prop_assume!(!masked(&plain).contains(&key));
        let mut cut = if is_everywhere { format!("{opens}{key}{closes}") } else { key.clone() };
        let codes = listed();
        for (at, code) in cuts {
            let at = cut.floor_char_boundary(at.index(cut.len()));
            cut.insert(at, codes[code.index(codes.len())]);
        }
        let cut = if is_everywhere { cut } else { format!("{opens}{cut}{closes}") };
        let again = if is_twice && opens.is_empty() { key.as_str() } else { "" };
        let text = format!("{before}\n{cut} {after} {again}");
        for hidden in [HiddenText::Warn, HiddenText::Strip, HiddenText::Escape, HiddenText::Deny, HiddenText::Off] {
            let safety = Safety { hidden, ..Safety::default() };
            let mut report = Report::new(&safety);
            let out = safety.text("a", &text, &mut report).unwrap_or_else(|| text.clone());
            prop_assert_eq!(scan(&out), Vec::new());
            prop_assert!(!seen(&out).contains(&key), "{out:?} of {text:?}");
            prop_assert_eq!(text.matches('\n').count(), out.matches('\n').count());
            prop_assert!(!report.secrets.is_empty() && !report.is_clean());
            let safety = Safety { secrets: Secrets::Deny, hidden, ..Safety::default() };
            let mut report = Report::new(&safety);
            safety.text("a", &text, &mut report);
            prop_assert!(report.is_denied());
        }
    }
}

/// Every word that leads to a rule, again and again, and one letter a million times.
#[test]
#[allow(clippy::disallowed_methods)] // What is measured here is time.
fn evil_texts_take_linear_time() {
    let size = 1 << 16;
    let mut units: Vec<&str> = ROWS.iter().map(|row| row.start).collect();
    units.extend([
        "://",
        "://a:b@",
        "-----BEGIN PRIVATE KEY-----",
        "password=",
        "password:",
        "token: '",
        "aws_secret ",
        "Bearer Bearer ",
    ]);
    units.extend([
        "key-",
        "eyJa.",
        "<secret>",
        "--token ",
        "=\"'",
        "\u{200b}a\n",
        "paypal secret ",
        "passw",
        "secret",
        "a_",
        "curl -u ",
        "curl -u a:",
        "mysql -p",
        "mysql ",
        "variable \"password\" { default ",
        "name: password\nvalue",
        "machine a login b password ",
        "ENV password ",
        "password: |\n",
        "setPassword(",
        "password,",
        "password,a\n",
        "password,a\nb,c\n",
        "password,password\n",
        "| password |\n",
        "insert into a (password) values (",
        "insert into a (",
        "auth=(",
        "auth=('",
        "<password>",
        "password</a>",
        "Private-Lines: 9\n",
        "LS0tLS1CRUdJTiBSU0Eg",
        "\"kty\"",
        "{\"kty\"",
        "authorization: ",
        "mnemonic abandon ",
        "_KEY=",
        "a@tcp(",
        "process.env.password || ",
    ]);
    let texts = units.iter().map(|unit| unit.repeat(size / unit.len())).chain(["a".repeat(1 << 20)]);
    for text in texts {
        let began = std::time::Instant::now();
        scan(&text);
        hidden(&text);
        // Unoptimised and on a busy machine; a quadratic pass would take minutes.
        assert!(began.elapsed().as_secs() < 5, "{:?} for {} bytes of {:?}", began.elapsed(), text.len(), &text[..30]);
    }
}

#[test]
fn a_value_that_goes_on_is_masked_to_its_end() {
    let long = format!("sk-ant-{}", "aB3-dE6_gH9".repeat(400));
    assert_eq!(masked(&long), "[REDACTED:anthropic-api-key]");
    assert_eq!(redact("", &|_: &Fingerprint| false), None);
}
