//! Requests written down and read back.
#![allow(clippy::unwrap_used)]

use super::*;
use contexture_core::Api;
use contexture_testkit::cases;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use std::path::PathBuf;

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(".{0,12}", 0..4)
}

fn text() -> impl Strategy<Value = Option<String>> {
    of(".{0,20}")
}

fn formats() -> Vec<Format> {
    let plain = [Format::Markdown, Format::Xml, Format::Json, Format::Messages, Format::Text];
    plain.into_iter().chain(Api::ALL.map(Format::Request)).collect()
}

prop_compose! {
    fn named()(
        paths in texts(), listed in texts(), focus in texts(), include in texts(), exclude in texts(),
        preset in text(), persona in text(), model in text(), message in text(), query in text(), explain in text(),
        (tokenizer, caller) in (text(), text()),
    ) -> Request {
        Request { paths, listed, focus, include, exclude, preset, persona, model, message, query, explain, tokenizer, caller, ..Request::default() }
    }
}

prop_compose! {
    fn numbers()(
        tier in of(any::<u8>()), budget in of(any::<u64>()), retrieve in of(any::<u64>()), log in of(any::<usize>()),
        line_numbers in any::<bool>(), embed in of(any::<bool>()), strict in any::<bool>(), no_marks in any::<bool>(),
        max_answer in of(any::<u64>()), temperature in of(0.0f64..2.0),
    ) -> Request {
        Request {
            tier, budget, retrieve, log, line_numbers, embed, strict, no_marks, max_answer, temperature, ..Request::default()
        }
    }
}

prop_compose! {
    fn any_request()(
        named in named(), numbers in numbers(), diff in text(), base in text(), target in of("[a-z./ ]{1,12}"),
        strategy in of(select(vec![StrategyName::Auto, StrategyName::Summarize, StrategyName::Full])),
        view in of(select(Level::ALL.to_vec())), format in of(select(formats())),
        history in of(select(vec![History::With, History::Without, History::Only])),
        tree in of(select(vec![Tree::None, Tree::Selected, Tree::Full])),
        mask in prop::collection::btree_map(".{0,8}", select(vec![SymbolMode::Def, SymbolMode::Sig, SymbolMode::Hide]), 0..4),
    ) -> Request {
        let Request { tier, budget, retrieve, log, line_numbers, embed, strict, no_marks, max_answer, temperature, .. } = numbers;
        let target = target.map(|path| PathBuf::from(path).components().collect());
        Request {
            tier, budget, retrieve, log, line_numbers, embed, strict, no_marks, max_answer, temperature, diff, base, target, strategy, view, format, history,
            tree, mask, ..named
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(256)))]
    #[test]
    fn a_request_read_back_is_the_one_that_was_written(request in any_request()) {
        let text = to_json(&request).to_string();
        let back = from_json(&serde_json::from_str(&text).unwrap()).unwrap();
        // All fields, as all of them are in the debug text.
        prop_assert_eq!(format!("{back:?}"), format!("{request:?}"));
    }

    #[test]
    fn any_json_is_a_request_or_an_error(key in "[a-z_]{0,12}", value in "[\\[\\]{}\",:0-9a-z]{0,20}") {
        let value: Value = serde_json::from_str(&value).unwrap_or(Value::String(value));
        let _ = from_json(&json!({ key: value.clone() }));
        let _ = from_json(&value);
    }
}

#[test]
fn what_is_not_known_is_refused_and_what_is_missing_is_not_set() {
    let error = from_json(&json!({"paths": ["a"], "colour": "red"})).unwrap_err();
    assert_eq!(error, "its field `colour` is not known");
    let error = from_json(&json!({"view": "upside down"})).unwrap_err();
    assert_eq!(error, "its field `view` cannot be understood");
    assert_eq!(from_json(&json!({"paths": ["a"]})).unwrap().paths, ["a"]);
}
