//! Laws for any text: nothing panics, lines stay, what was masked is clean, no byte of a secret is left, time is linear.

use super::super::rows::rows;
use super::super::{Fingerprint, HiddenText, Report, Safety, Secrets, Severity, TextKind, hidden, redact};
use super::hidden::listed;
use super::{masked, masked_as, scan};
use contexture_testkit::cases;
use proptest::prelude::*;
use std::time::Duration;

/// The beginnings of all tokens that have a shape.
fn starts() -> Vec<&'static str> {
    rows().map(|(start, _)| start).collect()
}

/// Beginnings that lead to a rule.
#[rustfmt::skip]
const TELLING: &[&str] = &[
    "password = \"", "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----", "token: '", "://user:", "Bearer ",
    "[REDACTED:", "- name: DB_PASSWORD\n  value: ", "variable \"db_password\" {\n default = \"", "password: |\n ",
    "ENV DB_PASSWORD ", "setPassword(\"", "machine a login b password ", "curl -u a:", "mysql -p", "user,password\na,",
    "| token | b |\n| ", "INSERT INTO a (password) VALUES ('", "auth=('a', '", "<password>\n", "password:\n",
    "Private-Lines: 3\n", "LS0tLS1CRUdJTiBSU0Eg", "{\"kty\":\"oct\",\"k\":\"", "Authorization: x ", "\\n", "\r\n",
];

/// Texts in which rules have much to look at.
fn salted() -> impl Strategy<Value = String> {
    let words = prop_oneof![
        27 => prop::sample::select(TELLING).prop_map(str::to_owned),
        1 => "[ -~\\n]{0,40}",
        1 => "\\PC{0,20}",
        1 => "[\u{200b}\u{ad}\u{202e}\u{fe0f}_]",
        1 => "[A-Za-z0-9+/]{20,80}",
        1 => (prop::sample::select(starts()), "[A-Za-z0-9_-]{10,60}").prop_map(|(start, rest)| format!("{start}{rest}")),
    ];
    prop::collection::vec(words, 0..16).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(2_000)))]

    #[test]
    fn lines_stay_and_what_was_masked_is_clean(text in salted()) {
        for kind in [TextKind::Code, TextKind::Data] {
            let found = super::super::scan(&text, kind);
            for pair in found.windows(2) {
                prop_assert!(pair[0].range.end <= pair[1].range.start);
            }
            let after = masked_as(&text, kind);
            prop_assert_eq!(text.matches('\n').count(), after.matches('\n').count());
            prop_assert_eq!(crate::types::lines(&text).count(), crate::types::lines(&after).count());
            prop_assert_eq!(super::super::scan(&after, kind), Vec::new());
            prop_assert_eq!(&masked_as(&after, kind), &after);
            for finding in found {
                let may_repeat = kind == TextKind::Code && finding.severity < Severity::High;
                let secret = &text[finding.range];
                prop_assert!(may_repeat || secret.len() < 12 || secret.contains('\n') || !after.contains(secret), "{secret:?} in {after:?}");
            }
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
            let out = safety.text("a", &text, TextKind::Data, &mut report).unwrap_or_else(|| text.clone());
            prop_assert_eq!(scan(&out), Vec::new());
            prop_assert!(!seen(&out).contains(&key), "{out:?} of {text:?}");
            prop_assert_eq!(text.matches('\n').count(), out.matches('\n').count());
            prop_assert!(!report.secrets.is_empty() && !report.is_clean());
            let safety = Safety { secrets: Secrets::Deny, hidden, ..Safety::default() };
            let mut report = Report::new(&safety);
            safety.text("a", &text, TextKind::Data, &mut report);
            prop_assert!(report.is_denied());
        }
    }
}

/// Words and forms that make a rule look far.
#[rustfmt::skip]
const EVIL: &[&str] = &[
    "://", "://a:b@", "-----BEGIN PRIVATE KEY-----", "password=", "password:", "token: '", "aws_secret ",
    "Bearer Bearer ", "key-", "eyJa.", "<secret>", "--token ", "=\"'", "\u{200b}a\n", "paypal secret ", "passw",
    "secret", "a_", "curl -u ", "curl -u a:", "mysql -p", "mysql ", "variable \"password\" { default ",
    "name: password\nvalue", "machine a login b password ", "ENV password ", "password: |\n", "setPassword(",
    "password,", "password,a\n", "password,a\nb,c\n", "password,password\n", "| password |\n",
    "insert into a (password) values (", "insert into a (", "auth=(", "auth=('", "<password>", "password</a>",
    "Private-Lines: 9\n", "LS0tLS1CRUdJTiBSU0Eg", "\"kty\"", "{\"kty\"", "authorization: ", "mnemonic abandon ",
    "_KEY=", "a@tcp(", "process.env.password || ",
];

/// Every word that leads to a rule, again and again, and one letter a million times.
/// Four times the text may take eight times the processor's time; a quadratic pass would take sixteen times as much.
#[test]
fn evil_texts_take_linear_time() {
    let mut units: Vec<&str> = starts();
    units.extend(EVIL);
    let largest = |unit: &str| if unit == "a" { 1 << 20 } else { 1 << 16 };
    units.push("a");
    for unit in units {
        let used = |size: usize| {
            let text = unit.repeat(size / unit.len());
            contexture_testkit::processor_time(|| {
                scan(&text);
                hidden(&text);
            })
        };
        let (small, large) = (used(largest(unit) / 4), used(largest(unit)));
        assert!(large < small * 8 + Duration::from_millis(50), "{small:?}, then {large:?} for {unit:?}");
    }
}

#[test]
fn a_value_that_goes_on_is_masked_to_its_end() {
    let long = format!("sk-ant-{}", "aB3-dE6_gH9".repeat(400));
    assert_eq!(masked(&long), "[REDACTED:anthropic-api-key]");
    assert_eq!(redact("", TextKind::Data, &|_: &Fingerprint| false), None);
}
