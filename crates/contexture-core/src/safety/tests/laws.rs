//! Laws for any text: nothing panics, lines stay, what was masked is clean, no byte of a secret is left, time is linear.

use super::super::rows::ROWS;
use super::super::{Fingerprint, hidden, redact, scan};
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

/// Every word that leads to a rule, again and again, and one letter a million times.
#[test]
#[allow(clippy::disallowed_methods)] // What is measured here is time.
fn evil_texts_take_linear_time() {
    let size = 1 << 17;
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
    ]);
    let texts = units.iter().map(|unit| unit.repeat(size / unit.len())).chain(["a".repeat(1 << 20)]);
    for text in texts {
        let began = std::time::Instant::now();
        scan(&text);
        hidden(&text);
        // Unoptimised and on a busy machine; a quadratic pass would take minutes.
        assert!(began.elapsed().as_secs() < 10, "{:?} for {} bytes of {:?}", began.elapsed(), text.len(), &text[..30]);
    }
}

#[test]
fn a_value_that_goes_on_is_masked_to_its_end() {
    let long = format!("sk-ant-{}", "aB3-dE6_gH9".repeat(400));
    assert_eq!(masked(&long), "[REDACTED:anthropic-api-key]");
    assert_eq!(redact("", &|_: &Fingerprint| false), None);
}
