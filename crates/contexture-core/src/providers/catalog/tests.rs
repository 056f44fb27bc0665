//! Every row of the table, and how names find theirs.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::Counter;
use proptest::prelude::*;
use std::collections::BTreeSet;

#[test]
fn every_row_is_right() {
    let lines: usize = vendors().map(|(vendor, models)| parse(vendor, models).unwrap().len()).sum();
    let models = all();
    assert_eq!(models.len(), lines);
    assert!(models.len() >= 25);
    let names: BTreeSet<String> = models.iter().map(|model| model.name.to_ascii_lowercase()).collect();
    assert_eq!(names.len(), models.len(), "names differ by more than their case");
    for model in models {
        assert!(model.window >= 8_000 && model.output.is_none_or(|output| output >= 1_000), "{model:?}");
        assert!(model.name.bytes().all(|byte| byte.is_ascii_graphic()), "{model:?}");
        assert_eq!(find(model.name), Some(model));
        let others = models.iter().filter(|other| is_version(other.name, model.name));
        assert_eq!(others.count(), 0, "{} is no version of another", model.name);
        let room = model.room(None, 1_024, model.tokenizer);
        assert!(room.budget >= model.window / 3 && room.answer >= 16_000, "{room:?}");
        assert_eq!(room.margin == 0, model.tokenizer.exact());
    }
}

#[test]
fn wrong_rows_are_named() {
    let wrong = |row: &str| {
        let good = "a\t9\t-\t-\testimate\t2026-11-16\thttps://x\n";
        parse("p", format!("\n{good}{row}\nc").leak()).unwrap_err()
    };
    for row in [
        "b\t9\t-\t-\testimate\t2026-11-16",
        "b\t9\t-\t-\testimate\t2026-11-16\thttps://x\tmore",
        "b\t0\t-\t-\testimate\t2026-11-16\thttps://x",
        "b\t9\t10\t-\testimate\t2026-11-16\thttps://x",
        "b\t9\t-\t10\testimate\t2026-11-16\thttps://x",
        "b\t9\t-\t-\tguess\t2026-11-16\thttps://x",
        "b\t9\t-\t-\testimate\t16.11.2026\thttps://x",
        "b\t9\t-\t-\testimate\t2026-13-16\thttps://x",
        "b\t9\t-\t-\testimate\t2026-11-16\tsomewhere",
        "\t9\t-\t-\testimate\t2026-11-16\thttps://x",
        "",
    ] {
        assert_eq!(wrong(row), format!("line 2: not a row: `{row}`"));
    }
    let twice = "a\t9\t-\t-\testimate\t2026-11-16\thttps://x";
    assert_eq!(wrong(twice), "line 2: not sorted, or twice: `a`");
}

#[test]
fn versions_find_their_row() {
    let name = |name: &str| find(name).map(|model| model.name);
    for (asked, expected) in [
        ("claude-opus-5", Some("claude-opus-5")),
        ("claude-opus-4-5-20251101", Some("claude-opus-4-5")),
        ("claude-opus-5-5", Some("claude-opus-5-5")),
        ("claude-opus-5-9", None),
        ("gpt-5-2025-08-07", Some("gpt-5")),
        ("gpt-5-mini-2025-08-07", Some("gpt-5-mini")),
        ("deepseek-v4-pro-0813", Some("deepseek-v4-pro")),
        ("gemini-2.5-pro-001", Some("gemini-2.5-pro")),
        ("minimax-m2.7", Some("MiniMax-M2.7")),
        ("gpt-5-2025-08-07x", None),
        ("gpt-5-", None),
        ("gpt-5--2025", None),
        ("gpt-5-123456789", None),
        ("gpt-5-turbo", None),
        ("gpt", None),
        ("", None),
        ("gpt-5é2025", None),
    ] {
        assert_eq!(name(asked), expected, "{asked}");
    }
}

#[test]
fn a_window_is_divided() {
    let room = |name: &str, answer: Option<u64>, counter: Tokenizer| {
        let room = find(name).unwrap().room(answer, 1_024, counter);
        (room.answer, room.margin, room.budget)
    };
    let claude = Tokenizer::Estimate(Family::Claude);
    // The most it may answer; then the estimate's margin.
    assert_eq!(room("claude-opus-5", None, Tokenizer::O200k), (128_000, 0, 870_976));
    assert_eq!(room("claude-opus-5", None, claude), (128_000, 31, 600_973));
    // A quarter of the window at most, also where nothing is said of the answer.
    assert_eq!(room("claude-opus-4-5", None, Tokenizer::O200k), (50_000, 0, 148_976));
    assert_eq!(room("MiniMax-M2.7", None, Tokenizer::O200k), (51_200, 0, 152_576));
    // What a person set counts, as far as the model can.
    assert_eq!(room("claude-opus-4-5", Some(8_000), Tokenizer::O200k), (8_000, 0, 190_976));
    assert_eq!(room("claude-opus-4-5", Some(99_999), Tokenizer::O200k), (64_000, 0, 134_976));
    // Never more than the provider takes as input: 272,000.
    assert_eq!(room("gpt-5", None, Tokenizer::O200k), (128_000, 0, 270_976));
    assert_eq!(room("gpt-5", Some(1), Tokenizer::O200k), (128_000, 0, 270_976));
    // A buffer above the window leaves nothing and breaks nothing.
    assert_eq!(find("gpt-5").unwrap().room(None, u64::MAX, claude).budget, 0);
}

proptest! {
    #[test]
    fn any_name_is_looked_up(name in "\\PC*") {
        find(&name);
    }

    #[test]
    fn a_document_answer_and_buffer_fit(index in 0..all().len(), answer in prop::option::of(0u64..2_000_000), buffer in 0u64..2_000_000) {
        let model = all()[index];
        let room = model.room(answer, buffer, model.tokenizer);
        let truly = (room.budget * 100).div_ceil(100 - room.margin);
        prop_assert!(room.budget == 0 || truly + room.answer + buffer <= model.window);
        prop_assert!(model.input.is_none_or(|input| truly <= input));
    }
}

#[test]
fn every_price_is_right() {
    let prices: Vec<Price> = all().iter().filter_map(|model| model.price).collect();
    assert!(prices.len() >= 25);
    for row in &prices {
        assert_eq!(price(row.model), Some(row));
        assert!(row.cached <= row.input && row.written >= row.input && row.output >= row.input, "{}", row.model);
    }
    assert!(row("p", "a 9 - - estimate 2026-11-16 https://x 1 2 - - 2026-11-16 https://x").is_some());
    for wrong in [
        "1 2 - - 2026-11-16",
        "-1 2 - - 2026-11-16 https://x",
        "1 2 - x 2026-11-16 https://x",
        "1 2 - - 2026 https://x",
    ] {
        assert_eq!(row("p", format!("a 9 - - estimate 2026-11-16 https://x {wrong}").leak()), None, "{wrong}");
    }
}

#[test]
fn a_cost_counts_each_token_once() {
    let price = price("claude-opus-5-20260301").unwrap();
    assert_eq!(price.model, "claude-opus-5");
    let cost = price.cost(1_000_000, 100_000, 600_000, 300_000);
    let wanted = 0.1 * price.input + 0.6 * price.cached + 0.3 * price.written + 0.1 * price.output;
    assert!((cost - wanted).abs() < 1e-9);
    assert!(super::price("nobody").is_none());
}
