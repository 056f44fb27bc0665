//! Requests that are refused, and any JSON at all.

use super::*;
use proptest::prelude::*;

fn told(api: Api, body: &str) -> String {
    check(api, body).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_no_request_is_told() {
    for api in Api::ALL {
        assert!(told(api, "").starts_with("it is no JSON"), "{api}");
        assert_eq!(told(api, "[]"), "it is no object");
        assert!(!told(api, "{}").is_empty(), "{api}");
        assert!(told(api, &"[".repeat(1 << 20)).starts_with("it is no JSON"));
    }
}

#[test]
fn anthropic_wants_turns_that_alternate_and_results_in_the_next_message() {
    let of = |messages: &str| told(Api::Anthropic, &format!(r#"{{"max_tokens":1,"messages":{messages}}}"#));
    insta::assert_snapshot!(of(r#"[{"role":"user","content":"a"}]"#), @"");
    insta::assert_snapshot!(of(r#"[]"#), @"`messages` is empty");
    insta::assert_snapshot!(of(r#"[{"role":"assistant","content":"a"},{"role":"system","content":""},{"role":"who","content":[]}]"#), @"
    messages[0]: the first message is the model's
    messages[1]: `system` is no role of a message
    messages[1]: its content is empty
    messages[2]: no such role: `who`
    messages[2]: its content is empty
    ");
    insta::assert_snapshot!(of(r#"[{"role":"user","content":"a"},{"role":"user","content":"b"}]"#), @"messages[1]: two messages of one role follow each other");
    insta::assert_snapshot!(of(r#"[{"role":"user","content":"a"},{"role":"assistant","content":"b \n"}]"#), @"messages[1]: what the model goes on with ends with white space");
    let call = r#"{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{}}]}"#;
    insta::assert_snapshot!(of(&format!("[{call}]")), @"messages: calls have no result: t");
    insta::assert_snapshot!(of(&format!(r#"[{call},{{"role":"user","content":"b"}}]"#)), @"messages[2]: the call `t` of the message before has no result here");
    insta::assert_snapshot!(of(&format!(r#"[{call},{{"role":"user","content":[{{"type":"text","text":"b"}},{{"type":"tool_result","tool_use_id":"t","content":[]}}]}}]"#)), @"
    messages[2].content[1]: a result stands behind something else
    messages[2].content[1]: the result is empty
    ");
    insta::assert_snapshot!(of(r#"[{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"a"}]}]"#), @"messages[0].content[0]: it answers no call of the message before");
    insta::assert_snapshot!(of(r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"},{"type":"thinking","thinking":"","signature":""}]},{"role":"user","content":"c"}]"#), @"
    messages[1].content[1]: a thought stands behind what is said
    messages[1].content[1]: a thought without its seal
    ");
}

#[test]
fn anthropic_takes_four_marks_and_longer_ones_first() {
    let block = |ttl: &str| format!(r#"{{"type":"text","text":"a","cache_control":{{"type":"ephemeral"{ttl}}}}}"#);
    let of = |blocks: Vec<String>| {
        let content = blocks.join(",");
        told(Api::Anthropic, &format!(r#"{{"max_tokens":1,"messages":[{{"role":"user","content":[{content}]}}]}}"#))
    };
    assert_eq!(of(vec![block(r#","ttl":"1h""#), block(""), block(""), block("")]), "");
    assert_eq!(of(vec![block(""); 5]), "it has 5 marks for the cache");
    assert_eq!(of(vec![block(""), block(r#","ttl":"1h""#)]), "a mark of an hour stands behind one of five minutes");
    assert!(of(vec![block(r#","ttl":"2h""#)]).contains("the mark for the cache is none"));
}

#[test]
fn chat_wants_every_call_answered_before_anything_else() {
    let of = |api: Api, messages: &str| told(api, &format!(r#"{{"messages":{messages}}}"#));
    let call = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"n","arguments":"{}"}}]}"#;
    assert_eq!(of(Api::OpenAi, &format!(r#"[{call},{{"role":"tool","tool_call_id":"t","content":"a"}}]"#)), "");
    insta::assert_snapshot!(of(Api::OpenAi, &format!(r#"[{call},{{"role":"user","content":"a"}}]"#)), @"messages[1]: calls have no result: t");
    insta::assert_snapshot!(of(Api::OpenAi, r#"[{"role":"tool","tool_call_id":"t","content":"a"},{"role":"user","content":null},{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}},{"type":"video"}]}]"#), @"
    messages[0]: it answers no call before it
    messages[1]: it has no content
    messages[2].content[0]: the picture has no address
    messages[2].content[1]: `user` has no part of type `video`
    ");
    insta::assert_snapshot!(of(Api::DeepSeek, &format!(r#"[{call},{{"role":"tool","tool_call_id":"t","content":[{{"type":"text","text":"a"}}]}}]"#)), @"
    messages[0]: `reasoning_content` is missing
    messages[1]: its content is a list
    ");
}

#[test]
fn responses_wants_items_whole() {
    let of = |input: &str| told(Api::Responses, &format!(r#"{{"input":{input}}}"#));
    assert_eq!(of(r#""a""#), "");
    insta::assert_snapshot!(of(r#"[{"type":"function_call","call_id":"t","name":"n n","arguments":{}},{"type":"reasoning","summary":[]},{"role":"user","content":[{"type":"output_text","text":"a"}]}]"#), @"
    input[0]: `name` has more than letters, digits, `_` and `-`, or is longer than 64
    input[0]: `arguments` is no text
    input[1]: nothing of the model follows the thought
    input[2].content[0]: `user` has no part of type `output_text`
    input: calls have no result: t
    ");
}

#[test]
fn gemini_wants_responses_in_the_order_of_calls() {
    let of = |contents: &str| told(Api::Gemini, &format!(r#"{{"contents":{contents}}}"#));
    assert_eq!(of(r#"[{"role":"user","parts":[{"text":"a"}]}]"#), "");
    insta::assert_snapshot!(of(r#"[{"role":"model","parts":[{"functionCall":{"name":"n","args":[]}}]},{"role":"user","parts":[{"text":""},{"inlineData":{"mimeType":"image/gif","data":"!"}}]}]"#), @"
    contents[0]: the first content is the model's
    contents[0].parts[0]: `args` is no object
    contents[0].parts[0]: the call has no `thoughtSignature`
    contents[1].parts[0]: the text is empty
    contents[1].parts[1]: no type of data it takes
    contents[1].parts[1]: its data is no base64
    contents[1]: it answers [], called were [n]
    ");
}

#[test]
fn settings_are_checked_for_all() {
    insta::assert_snapshot!(told(Api::Anthropic, r#"{"messages":[{"role":"user","content":"a"}],"max_tokens":0,"temperature":1.5,"top_p":"x","model":""}"#), @"
    `max_tokens` is no whole number above 0
    `temperature` is no number from 0 to 1
    `top_p` is no number from 0 to 1
    `model` is no name
    ");
    insta::assert_snapshot!(told(Api::OpenAi, r#"{"messages":[{"role":"user","content":"a"}],"max_tokens":1,"max_completion_tokens":1}"#), @"both `max_tokens` and `max_completion_tokens` are set");
}

/// Words that requests are made of, in any place.
fn any_json() -> impl Strategy<Value = Value> {
    let words = [
        "messages",
        "content",
        "role",
        "user",
        "assistant",
        "tool",
        "type",
        "text",
        "tool_use",
        "tool_result",
        "input",
        "parts",
        "contents",
        "functionCall",
        "functionResponse",
        "image",
        "source",
        "tools",
        "system",
        "cache_control",
        "",
        "id",
        "a",
        "tool_calls",
        "function",
        "thinking",
        "signature",
        "inlineData",
        "reasoning",
        "summary",
        "function_call",
        "call_id",
    ];
    let word = prop::sample::select(words.to_vec()).prop_map(str::to_owned);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_is_judged(value in any_json(), messages in any_json()) {
        for api in Api::ALL {
            check(api, &value.to_string());
            let key = match api { Api::Gemini => "contents", Api::Responses => "input", _ => "messages" };
            check(api, &serde_json::json!({key: messages}).to_string());
        }
    }
}
