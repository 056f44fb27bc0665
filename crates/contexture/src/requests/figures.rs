//! Figures that a help text gives are those that hold.

use super::*;
use crate::agent::MAX_TOKENS;
use contexture_core::{AgentOptions, Options};
use serde_json::Value;
use std::collections::BTreeMap;

/// Every field of the request types whose help gives a figure: name of the field, help, schema.
fn fields() -> Vec<(String, String, Value)> {
    let schemas = [
        schema::<AgentRequest>(),
        schema::<CheckRequest>(),
        schema::<ComposeSetRequest>(),
        schema::<DocumentRequest>(),
        schema::<GenerateRequest>(),
        schema::<NewTreeRequest>(),
        schema::<PruneRequest>(),
        schema::<RelatedRequest>(),
        schema::<RunsListRequest>(),
        schema::<SearchRequest>(),
        schema::<SendRequest>(),
        schema::<SessionAppendRequest>(),
        schema::<SliceRequest>(),
        schema::<SummarizeRequest>(),
    ];
    let all =
        schemas.iter().flat_map(|schema| schema.get("properties").and_then(Value::as_object).into_iter().flatten());
    let help = |field: &Value| field["description"].as_str().unwrap_or_default().to_owned();
    all.map(|(name, field)| (name.clone(), help(field), field.clone())).collect()
}

/// The number right after some words of a text.
fn number_after(text: &str, words: &str) -> Option<f64> {
    let digits: String = text.split_once(words)?.1.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[test]
fn defaults_in_help_are_the_defaults() {
    let given = fields().into_iter().filter_map(|(name, help, _)| Some((name, number_after(&help, "[default: ")?)));
    let given: BTreeMap<String, f64> = given.collect();
    let actual = [
        ("max_tokens", MAX_TOKENS),
        ("memory_tokens", AgentOptions::default().memory_tokens.0),
        ("retrieve", Options::default().retrieve.0),
    ];
    assert_eq!(given, actual.map(|(name, default)| (name.to_owned(), default as f64)).into());
}

#[test]
fn ranges_in_help_are_the_ranges() {
    let mut seen = 0;
    for (name, help, field) in fields() {
        let bound = |word: &str| field[word].as_f64();
        // As in "from 1 to 64", or "at most 100".
        for (words, limit) in
            [(", from ", bound("minimum")), (" to ", bound("maximum")), (", at most ", bound("maximum"))]
        {
            if let Some(number) = number_after(&help, words) {
                assert_eq!(Some(number), limit, "{name}: {help}");
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 7, "temperature twice and jobs with two bounds, n with one");
}
