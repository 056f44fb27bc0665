//! Stored values that nobody meant, and texts of a size nobody reads.

use crate::anchor::{Outcome, holds, make, resolve};
use crate::types::Slice;
use proptest::prelude::*;

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\n";

#[test]
fn odd_numbers_claim_nothing() {
    for (start_line, end_line) in [(0, 0), (0, 5), (5, 4), (u64::MAX, u64::MAX), (1, u64::MAX), (u64::MAX, 1)] {
        for content_hash in [None, Some(String::new()), Some("0".repeat(64))] {
            let slice = Slice { start_line, end_line, content_hash, ..Slice::default() };
            assert_eq!(resolve(&slice, TEXT).lines, None, "{slice:?}");
            assert_eq!(resolve(&slice, "").lines, None);
        }
    }
}

#[test]
fn a_damaged_fingerprint_is_as_good_as_none() {
    let slice = make(TEXT, 2, 3, None, None).unwrap();
    let print = slice.fingerprint.clone().unwrap();
    let longer = format!("{print}AAAA");
    for odd in ["", "1.", "2.AAAA", "1.!!!!", "1.AAAA", "1.____________________", &print[..print.len() - 4], &longer] {
        let damaged = Slice { fingerprint: Some(odd.to_owned()), ..slice.clone() };
        let now = resolve(&damaged, &format!("zero\n{TEXT}"));
        assert_eq!((now.outcome, now.lines), (Outcome::Moved, Some((3, 4))), "{odd}: {}", now.why);
    }
}

#[test]
fn a_text_that_holds_a_slice_holds_it_word_for_word() {
    let slice = make(TEXT, 2, 4, None, None).unwrap();
    assert!(holds(std::slice::from_ref(&slice), &format!("zero\n{TEXT}")));
    assert!(!holds(std::slice::from_ref(&slice), &TEXT.replace("three", "3")));
    assert!(!holds(&[], TEXT));
    assert!(!holds(&[Slice { content_hash: None, ..slice }], TEXT));
}

/// Sizes at which anything that is not linear would take minutes.
#[test]
fn large_texts_take_linear_time() {
    let same = "x = 1;\n".repeat(100_000);
    let rows: String = (0..100_000).map(|row| format!("row {row}\n")).collect();
    let few: String = (0..100_000).map(|row| ["some words here\n", "}\n", "\n"][(row * 7 + row / 13) % 3]).collect();
    for text in [&same, &rows, &few] {
        for (start, end) in [(50_000, 50_020), (1, 100_000), (25_000, 75_000)] {
            let slice = make(text, start, end, None, None).unwrap();
            let later = format!("new\n{text}new\n");
            if let Some(lines) = resolve(&slice, &later).lines {
                assert_eq!(lines, (start + 1, end + 1));
            }
            resolve(&Slice { fingerprint: None, ..slice }, &later);
        }
    }
    let line = "x".repeat(2_000_000);
    let slice = make(&line, 1, 1, None, None).unwrap();
    assert_eq!(resolve(&slice, &line).outcome, Outcome::Exact);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_stored_value_gives_an_answer(
        start_line in prop_oneof![0u64..20, any::<u64>()],
        end_line in prop_oneof![0u64..20, any::<u64>()],
        content_hash in proptest::option::of("[0-9a-f]{0,64}"),
        anchor_lines in proptest::collection::vec(".{0,10}", 0..4),
        fingerprint in proptest::option::of("1\\.[A-Za-z0-9_-]{0,200}"),
        text in "([a-c}]{0,2}(\n|\r\n|\r)){0,20}",
    ) {
        let slice = Slice { start_line, end_line, tag: None, comment: None, content_hash, anchor_lines, fingerprint };
        let now = resolve(&slice, &text);
        prop_assert!((0.0..=1.0).contains(&now.confidence));
        if let Some((start, end)) = now.lines {
            prop_assert!(1 <= start && start <= end && end <= crate::types::lines(&text).count() as u64);
        }
    }

    /// Bytes of a true fingerprint changed: whatever it says, no panic and no lines outside the text.
    #[test]
    fn any_damage_gives_an_answer(place in 2usize..300, letter in "[A-Za-z0-9_-]", text in "([a-f]{0,2}\n){0,30}") {
        let slice = make("a\nb\nc\nd\ne\nf\nab\ncd\n", 3, 5, None, None).unwrap();
        let mut print = slice.fingerprint.clone().unwrap();
        let place = place % (print.len() - 2) + 2;
        print.replace_range(place..=place, &letter);
        let now = resolve(&Slice { fingerprint: Some(print), ..slice }, &text);
        if let Some((start, end)) = now.lines {
            prop_assert!(1 <= start && start <= end && end <= text.lines().count() as u64);
        }
    }
}
