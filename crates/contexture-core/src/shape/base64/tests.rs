//! What is cut and what is kept.

use super::*;
use proptest::prelude::*;

/// Bytes that look random, the same in every run, as base64.
fn encoded(length: usize) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut state = 7u64;
    (0..length)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(ALPHABET[(state >> 58) as usize])
        })
        .collect()
}

fn wrapped(length: usize, width: usize, indent: &str) -> String {
    let text = encoded(length);
    let lines: Vec<&str> = text.as_bytes().chunks(width).map(|line| std::str::from_utf8(line).unwrap()).collect();
    lines.iter().map(|line| format!("{indent}{line}\n")).collect()
}

#[test]
fn a_long_run_becomes_a_note() {
    let text = format!("a\nsrc=\"data:image/png;base64,{}==\" alt\nü {}\n", encoded(598), encoded(512));
    insta::assert_snapshot!(cut_base64(&text).unwrap(), @r#"
    a
    src="data:image/png;base64,[base64: 600 characters cut]" alt
    ü [base64: 512 characters cut]
    "#);
}

#[test]
fn wrapped_lines_become_one_note() {
    let text = format!(
        "-----BEGIN CERTIFICATE-----\n{}-----END CERTIFICATE-----\ncert: |\n{}end\n",
        wrapped(1000, 64, ""),
        wrapped(900, 76, "    ").replace('\n', "\r\n"),
    );
    insta::assert_snapshot!(cut_base64(&text).unwrap().replace('\r', "\\r"), @r#"
    -----BEGIN CERTIFICATE-----
    [base64: 1000 characters cut]
    -----END CERTIFICATE-----
    cert: |
        [base64: 900 characters cut]\r
    end
    "#);
}

#[test]
fn ordinary_text_stays() {
    let hexadecimal = "0123456789abcdef".repeat(64);
    let path = "some/Long/path3/to/aFile/".repeat(40);
    let identifier = "veryLongIdentifierWithManyHumps".repeat(40);
    let dna = "ACGTTGCA".repeat(200);
    let lines = format!("{}\n", "ACGT".repeat(16)).repeat(40);
    let few = wrapped(448, 64, "");
    for text in [&encoded(511), &"A".repeat(4000), &hexadecimal, &path, &identifier, &dna, &lines, &few, &String::new()]
    {
        assert_eq!(cut_base64(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read(text in "(?s).{0,300}") {
        cut_base64(&text);
    }

    #[test]
    fn what_stands_around_a_run_is_kept(before in "[^A-Za-z0-9+/=_-]{0,60}", after in "[^A-Za-z0-9+/=_-]{0,60}", more in 0usize..300) {
        let text = format!("{before}{}{after}", encoded(512 + more));
        let cut = cut_base64(&text).unwrap();
        prop_assert_eq!(cut, format!("{before}[base64: {} characters cut]{after}", 512 + more));
    }
}
