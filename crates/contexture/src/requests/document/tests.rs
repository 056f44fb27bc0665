//! Requests written down and read back.
#![allow(clippy::unwrap_used)]

use super::*;
use contexture_core::Keyword;
use contexture_testkit::cases;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(".{0,12}", 0..4)
}

fn text() -> impl Strategy<Value = Option<String>> {
    of(".{0,20}")
}

fn word<T: Keyword + std::fmt::Debug>() -> impl Strategy<Value = Option<Word<T>>> {
    of(select(T::ALL.iter().copied().map(Word).collect::<Vec<_>>()))
}

prop_compose! {
    fn named()(
        paths in texts(), listed in texts(), focus in texts(), include in texts(), exclude in texts(),
        preset in text(), persona in text(), model in text(), message in text(), query in text(), explain in text(),
        (tokenizer, caller) in (word(), text()),
    ) -> DocumentRequest {
        DocumentRequest {
            paths, listed, focus, include, exclude, preset, persona, model, message, query, explain, tokenizer, caller,
            ..DocumentRequest::default()
        }
    }
}

prop_compose! {
    fn numbers()(
        tier in of(any::<u8>()), budget in of(any::<u64>().prop_map(TokenCount)), log in of(any::<usize>()),
        retrieve in of(any::<u64>().prop_map(TokenCount)),
        line_numbers in any::<bool>(), embed in of(any::<bool>()), strict in any::<bool>(), no_marks in any::<bool>(),
        max_answer in of(any::<u64>()), temperature in of(0.0f64..2.0),
    ) -> DocumentRequest {
        DocumentRequest {
            tier, budget, retrieve, log, line_numbers, embed, strict, no_marks, max_answer, temperature,
            ..DocumentRequest::default()
        }
    }
}

prop_compose! {
    fn any_request()(
        named in named(), numbers in numbers(), diff in text(), base in text(), target in of("[a-z./ ]{1,12}"),
        strategy in word(), view in word(), format in word(), history in word(), tree in word(), secrets in word(),
        mask in prop::collection::btree_map(".{0,8}", select(SymbolMode::ALL.iter().copied().map(Word).collect::<Vec<_>>()), 0..4),
    ) -> DocumentRequest {
        let DocumentRequest {
            tier, budget, retrieve, log, line_numbers, embed, strict, no_marks, max_answer, temperature, ..
        } = numbers;
        let target = target.map(|path| PathBuf::from(path).components().collect());
        DocumentRequest {
            tier, budget, retrieve, log, line_numbers, embed, strict, no_marks, max_answer, temperature, diff, base, target,
            strategy, view, format, history, tree, mask, secrets, ..named
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(256)))]
    #[test]
    fn a_request_read_back_is_the_one_that_was_written(request in any_request()) {
        let text = serde_json::to_string(&request).unwrap();
        let back = DocumentRequest::from_manifest(serde_json::from_str(&text).unwrap()).unwrap();
        // All fields, as all of them are in the debug text.
        prop_assert_eq!(format!("{back:?}"), format!("{request:?}"));
    }

    #[test]
    fn any_json_is_a_request_or_an_error(key in "[a-z_]{0,12}", value in "[\\[\\]{}\",:0-9a-z]{0,20}") {
        let value: Value = serde_json::from_str(&value).unwrap_or(Value::String(value));
        let _ = crate::requests::read::<DocumentRequest>(json!({ key: value.clone() }));
        let _ = crate::requests::read::<DocumentRequest>(value);
    }
}

#[test]
fn what_is_not_known_is_refused_and_what_is_missing_is_not_set() {
    let read = crate::requests::read::<DocumentRequest>;
    for (value, cause) in [
        (json!({"paths": ["a"], "colour": "red"}), "the field `colour` is not known"),
        (json!({"quary": "a"}), "the field `quary` is not known; did you mean `query`?"),
        (json!({"target": "a"}), "the field `target` is not known"),
        (json!({"tree": "upside down"}), "the field `tree` is to be one of none, selected, full"),
        (json!({"paths": "a"}), "the field `paths` is to be a list of texts"),
        (json!({"line_numbers": 1}), "the field `line_numbers` is to be true or false"),
        (json!({"log": -1}), "the field `log` is to be a whole number"),
        (json!({"mask": {"a": "b"}}), "the field `mask` is to be an object whose values are one of def, sig, hide"),
        (json!({"colour": null}), "the field `colour` is not known"),
        (json!({"no_manifest": true}), "the field `no_manifest` is not known"),
        (json!([]), "the body is not an object"),
    ] {
        assert_eq!(read(value.clone()).unwrap_err(), cause, "{value}");
    }
    let read = read(json!({"paths": ["a"], "strict": null, "budget": "8k", "view": null, "target": null})).unwrap();
    assert_eq!((read.paths, read.strict, read.budget), (vec!["a".to_owned()], false, Some(TokenCount(8_000))));
}
