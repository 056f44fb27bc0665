//! Requests that are refused, and any JSON at all.

use super::*;
use crate::providers::Answers;
use proptest::prelude::*;

fn told(api: Api, body: &str) -> String {
    check(api, body).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_no_request_is_told() {
    for &api in Api::ALL {
        assert!(told(api, "").starts_with("it is no JSON"), "{api}");
        assert_eq!(told(api, "[]"), "it is no object");
        assert!(!told(api, "{}").is_empty(), "{api}");
        assert!(told(api, &"[".repeat(1 << 20)).starts_with("it is no JSON"));
    }
}

#[test]
fn anthropic_wants_a_person_first_and_results_in_the_next_turn() {
    let of = |messages: &str| told(Api::Anthropic, &format!(r#"{{"model":"m","max_tokens":1,"messages":{messages}}}"#));
    insta::assert_snapshot!(of(r#"[{"role":"user","content":"a"}]"#), @"");
    insta::assert_snapshot!(of(r#"[]"#), @"`messages` is empty");
    insta::assert_snapshot!(of(r#"[{"role":"assistant","content":"a"},{"role":"system","content":""},{"role":"who","content":[]}]"#), @"
    messages[0]: the first message is the model's
    messages[1]: `system` is no role of a message
    messages[1]: its content is empty
    messages[2]: no such role: `who`
    messages[2]: its content is empty
    ");
    // Neighbours of one role are one turn.
    assert_eq!(of(r#"[{"role":"user","content":"a"},{"role":"user","content":"b"}]"#), "");
    insta::assert_snapshot!(of(r#"[{"role":"user","content":"a"},{"role":"assistant","content":"b \n"}]"#), @"messages[1]: what the model goes on with ends with white space");
    let call = r#"{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{}}]}"#;
    insta::assert_snapshot!(of(&format!("[{call}]")), @"messages: calls have no result: t");
    insta::assert_snapshot!(of(&format!(r#"[{call},{{"role":"user","content":"b"}}]"#)), @"messages[2]: the call `t` of the message before has no result here");
    insta::assert_snapshot!(of(&format!(r#"[{call},{{"role":"user","content":[{{"type":"text","text":"b"}},{{"type":"tool_result","tool_use_id":"t","content":[]}}]}}]"#)), @"
    messages[2].content[1]: a result stands behind something else
    messages[2].content[1]: the result is empty
    ");
    let result = |id: &str| {
        format!(r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"r"}}]}}"#)
    };
    let more = r#"{"role":"assistant","content":[{"type":"tool_use","id":"u","name":"n","input":{}}]}"#;
    let after = r#"{"role":"user","content":"b"}"#;
    assert_eq!(of(&format!("[{call},{more},{},{},{after}]", result("t"), result("u"))), "");
    insta::assert_snapshot!(of(&format!("[{call},{more},{},{after}]", result("t"))), @"messages[4]: the call `u` of the message before has no result here");
    insta::assert_snapshot!(of(&format!("[{call},{after},{}]", result("t"))), @"messages[3].content[0]: a result stands behind something else");
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
        told(
            Api::Anthropic,
            &format!(r#"{{"model":"m","max_tokens":1,"messages":[{{"role":"user","content":[{content}]}}]}}"#),
        )
    };
    assert_eq!(of(vec![block(r#","ttl":"1h""#), block(""), block(""), block("")]), "");
    assert_eq!(of(vec![block(""); 5]), "it has 5 marks for the cache");
    assert_eq!(of(vec![block(""), block(r#","ttl":"1h""#)]), "a mark of an hour stands behind one of five minutes");
    assert!(of(vec![block(r#","ttl":"2h""#)]).contains("the mark for the cache is none"));
}

#[test]
fn chat_wants_every_call_answered_before_anything_else() {
    let of = |api: Api, messages: &str| told(api, &format!(r#"{{"model":"m","messages":{messages}}}"#));
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
    let of = |input: &str| told(Api::Responses, &format!(r#"{{"model":"m","input":{input}}}"#));
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
    assert_eq!(told(Api::Anthropic, r#"{"messages":[{"role":"user","content":"a"}],"max_tokens":0,"model":"m"}"#), "");
    insta::assert_snapshot!(told(Api::Anthropic, r#"{"messages":[{"role":"user","content":"a"}],"max_tokens":-1,"temperature":1.5,"top_p":"x","model":""}"#), @"
    `max_tokens` is no whole number from 0 on
    `temperature` is no number from 0 to 1
    `top_p` is no number from 0 to 1
    `model` is no name
    ");
    insta::assert_snapshot!(told(Api::OpenAi, r#"{"model":"m","messages":[{"role":"user","content":"a"}],"max_tokens":1,"max_completion_tokens":1}"#), @"both `max_tokens` and `max_completion_tokens` are set");
}

/// The smallest request of an API, with more members.
fn small(api: Api, more: &str) -> String {
    let more = if more.is_empty() { String::new() } else { format!(",{more}") };
    told(
        api,
        &match api.provider().dialect.answers {
            Answers::Messages => {
                format!(r#"{{"model":"m","max_tokens":9,"messages":[{{"role":"user","content":"a"}}]{more}}}"#)
            }
            Answers::Chat => {
                format!(r#"{{"model":"m","messages":[{{"role":"user","content":"a"}}]{more}}}"#)
            }
            Answers::Responses => format!(r#"{{"model":"m","input":"a"{more}}}"#),
            Answers::Gemini => format!(r#"{{"contents":[{{"parts":[{{"text":"a"}}]}}]{more}}}"#),
        },
    )
}

#[test]
fn the_body_names_its_model_unless_the_address_does() {
    for (api, body) in [
        (Api::Anthropic, r#"{"max_tokens":9,"messages":[{"role":"user","content":"a"}]}"#),
        (Api::MiniMax, r#"{"max_tokens":9,"messages":[{"role":"user","content":"a"}]}"#),
        (Api::OpenAi, r#"{"messages":[{"role":"user","content":"a"}]}"#),
        (Api::DeepSeek, r#"{"messages":[{"role":"user","content":"a"}]}"#),
        (Api::Responses, r#"{"input":"a"}"#),
    ] {
        assert_eq!(told(api, body), "`model` is missing", "{api}");
        assert_eq!(small(api, ""), "", "{api}");
    }
    assert_eq!(small(Api::Gemini, ""), "");
    assert_eq!(told(Api::Responses, r#"{"input":"a","prompt":{"id":"p"}}"#), "");
}

#[test]
fn unknown_members_are_told_where_the_api_refuses_them() {
    for api in [Api::Anthropic, Api::OpenAi, Api::Responses, Api::Gemini] {
        assert_eq!(small(api, r#""max_token":5"#), "it knows no `max_token`", "{api}");
    }
    for api in [Api::DeepSeek, Api::MiniMax] {
        assert_eq!(small(api, r#""max_token":5"#), "", "{api}");
    }
    insta::assert_snapshot!(told(Api::Anthropic, r#"{"model":"m","max_tokens":9,"system":[{"type":"text","text":"a","x":1}],"tools":[{"name":"n","input_schema":{"type":"object"},"x":1},{"type":"bash_20250124","name":"bash"}],"messages":[{"role":"user","name":"x","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral","x":1}},{"type":"image","source":{"type":"url","url":"https://a","detail":"low"}}]}]}"#), @"
    tools[0]: it knows no `x`
    system[0]: it knows no `x`
    messages[0]: it knows no `name`
    messages[0].content[0]: it knows no `x`
    messages[0].content[1]: it knows no `detail`
    ");
    insta::assert_snapshot!(told(Api::OpenAi, r#"{"model":"m","messages":[{"role":"user","x":1,"content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]},{"role":"assistant","tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"n","arguments":"{}"}}]},{"role":"tool","tool_call_id":"t","content":"a"}]}"#), @"
    messages[0]: it knows no `x`
    messages[0].content[0]: it knows no `cache_control`
    messages[1].tool_calls[0]: it knows no `index`
    ");
    assert!(check(Api::OpenAi, r#"{"cache_control":1}"#)[0].hint.contains("prompt_cache_breakpoint"));
    insta::assert_snapshot!(told(Api::Responses, r#"{"model":"m","input":[{"role":"user","x":1,"content":[{"type":"input_text","text":"a","cache_control":{"type":"ephemeral"}}]},{"type":"what"}]}"#), @"
    input[0]: it knows no `x`
    input[0].content[0]: it knows no `cache_control`
    input[1]: no such item: `what`
    ");
    insta::assert_snapshot!(told(Api::Gemini, r#"{"contents":[{"x":1,"parts":[{"text":"a","x":1},{"inline_data":{"mime_type":"image/png","data":"iVBORw0KGgo=","x":1}}]}],"generation_config":{"top_k":1,"x":1}}"#), @"
    generationConfig: it knows no `x`
    contents[0]: it knows no `x`
    contents[0].parts[0]: it knows no `x`
    contents[0].parts[1]: it knows no `x`
    ");
}

#[test]
fn settings_have_their_ranges() {
    for api in [Api::Anthropic, Api::OpenAi, Api::Responses, Api::DeepSeek, Api::MiniMax] {
        assert_eq!(small(api, r#""stream":"yes""#), "`stream` is neither `true` nor `false`", "{api}");
        assert_eq!(small(api, r#""stream":true"#), "", "{api}");
    }
    let texts = |many: usize| vec!["\"a\""; many].join(",");
    for (api, settings, told) in [
        (Api::Anthropic, r#""top_k":-1"#, "`top_k` is no whole number from 0 on"),
        (Api::Gemini, r#""generationConfig":{"topK":-1}"#, "`topK` is no whole number from 0 on"),
        (Api::OpenAi, r#""n":0"#, "`n` is no whole number from 1 to 128"),
        (Api::Gemini, r#""generationConfig":{"candidateCount":0}"#, "`candidateCount` is no whole number from 1 to 8"),
        (Api::OpenAi, &format!(r#""stop":[{}]"#, texts(5)), "stop: it has 5 texts, 4 are allowed"),
        (Api::DeepSeek, &format!(r#""stop":[{}]"#, texts(17)), "stop: it has 17 texts, 16 are allowed"),
        (
            Api::Gemini,
            &format!(r#""generationConfig":{{"stopSequences":[{}]}}"#, texts(6)),
            "stopSequences: it has 6 texts, 5 are allowed",
        ),
        (Api::Anthropic, r#""stop_sequences":["a",7]"#, "stop_sequences: it has more than texts in it"),
        (Api::OpenAi, r#""stop":"a""#, ""),
    ] {
        assert_eq!(small(api, settings), told, "{api}");
    }
}

#[test]
fn settings_have_their_shapes() {
    insta::assert_snapshot!(small(Api::OpenAi, r#""tool_choice":7,"response_format":"x","seed":"x","store":"yes","logit_bias":[1],"frequency_penalty":9,"stream_options":{}"#), @"
    `tool_choice` is no text and no object
    `response_format` is no object of type text, json_object, json_schema
    `seed` is no whole number
    `frequency_penalty` is no number from -2 to 2
    `logit_bias` is no object
    `store` is no `true` or `false`
    `stream_options` is set and `stream` is not
    ");
    insta::assert_snapshot!(small(Api::Responses, r#""tool_choice":7,"reasoning":"x","text":5,"truncation":"maybe","include":"x","max_tool_calls":1.5"#), @"
    `tool_choice` is no text and no object
    `max_tool_calls` is no whole number
    `reasoning` is no object
    `text` is no object
    `truncation` is no word of auto, disabled
    `include` is no list
    ");
    insta::assert_snapshot!(small(Api::Anthropic, r#""tool_choice":{"type":"nonsense"},"metadata":5,"stop_sequences":["  "],"thinking":{"type":"enabled","budget_tokens":5}"#), @"
    stop_sequences: it has more than texts in it
    `metadata` is no object
    `tool_choice` is no object of type auto, any, tool, none
    thinking: `budget_tokens` is no whole number from 1024 on
    ");
    insta::assert_snapshot!(small(Api::Gemini, r#""safety_settings":7,"toolConfig":"x","generationConfig":{"thinkingConfig":9,"seed":"a"}"#), @"
    `toolConfig` is no object
    `safetySettings` is no list
    generationConfig: `seed` is no whole number
    generationConfig: `thinkingConfig` is no object
    ");
    // What is not set, and what is right.
    for (api, settings) in [
        (Api::OpenAi, r#""tool_choice":"auto","response_format":{"type":"json_object"},"seed":-1,"store":null"#),
        (Api::OpenAi, r#""stream":true,"stream_options":{"include_usage":true}"#),
        (Api::Responses, r#""tool_choice":{"type":"function","name":"n"},"reasoning":{},"truncation":"auto""#),
        (Api::Responses, r#""store":false"#),
        (Api::Anthropic, r#""tool_choice":{"type":"auto"},"thinking":{"type":"adaptive"},"metadata":{}"#),
        (Api::DeepSeek, r#""seed":"x""#),
    ] {
        assert_eq!(small(api, settings), "", "{api}");
    }
}

#[test]
fn newer_claude_models_answer_at_one_temperature() {
    for (model, temperature, expected) in [
        ("claude-opus-5", "0.2", "this model takes no `temperature`"),
        ("claude-opus-5", "1", ""),
        ("claude-haiku-4-5", "0.2", ""),
        ("claude-opus-4-6", "0.2", ""),
    ] {
        let messages = r#"[{"role":"user","content":"a"}]"#;
        let settings = format!(r#""model":"{model}","max_tokens":9,"temperature":{temperature}"#);
        assert_eq!(told(Api::Anthropic, &format!(r#"{{{settings},"messages":{messages}}}"#)), expected, "{model}");
    }
}

/// What is rare, and right.
#[test]
fn what_providers_take_is_not_refused() {
    let chat = |messages: &str| told(Api::OpenAi, &format!(r#"{{"model":"m","messages":[{messages}]}}"#));
    let call =
        r#"{"role":"assistant","tool_calls":[{"id":"t","type":"function","function":{"name":"n","arguments":"{}"}}]}"#;
    let named = r#"{"role":"assistant","content":null,"function_call":{"name":"n","arguments":"{}"}}"#;
    assert_eq!(chat(&format!(r#"{call},{{"role":"tool","tool_call_id":"t","content":""}}"#)), "");
    assert_eq!(chat(&format!(r#"{named},{{"role":"function","name":"n","content":"r"}}"#)), "");
    assert_eq!(chat(r#"{"role":"function","content":"r"}"#), "messages[0]: `name` is missing");
    let no_list = r#"{"role":"assistant","content":"a","tool_calls":"no"}"#;
    assert_eq!(chat(no_list), "messages[0]: `tool_calls` is no list");
    for (thinking, expected) in [("disabled", ""), ("enabled", "messages[0]: `reasoning_content` is missing")] {
        let messages = format!(r#"[{call},{{"role":"tool","tool_call_id":"t","content":"a"}}]"#);
        let body = format!(r#"{{"model":"m","thinking":{{"type":"{thinking}"}},"messages":{messages}}}"#);
        assert_eq!(told(Api::DeepSeek, &body), expected);
    }

    assert_eq!(small(Api::Gemini, r#""tools":[{"functionDeclarations":[{"name":"home.lights:on"}]}]"#), "");
    let contents = |model: &str, parts: &str, more: &str| {
        let contents = format!(r#"[{{"parts":[{{"text":"a"}}]}},{{"role":"model","parts":[{parts}]}}{more}]"#);
        told(Api::Gemini, &format!(r#"{{{model}"contents":{contents}}}"#))
    };
    let answer = r#",{"parts":[{"functionResponse":{"name":"n","response":{}}}]}"#;
    let unsigned = r#"{"functionCall":{"name":"n","args":{}}}"#;
    assert_eq!(contents(r#""model":"models/gemini-2.5-pro","#, unsigned, answer), "");
    assert_eq!(contents("", unsigned, answer), "contents[1].parts[0]: the call has no `thoughtSignature`");
    assert_eq!(contents("", r#"{"text":"a"},{"text":"","thoughtSignature":"s"},{"thoughtSignature":"s"}"#, ""), "");

    let responses =
        |more: &str, input: &str| told(Api::Responses, &format!(r#"{{"model":"m"{more},"input":{input}}}"#));
    let output = r#"[{"type":"function_call_output","call_id":"c","output":""}]"#;
    assert_eq!(responses(r#","previous_response_id":"r""#, output), "");
    assert_eq!(responses("", output), "input[0]: it answers no call before it");
    let nothing = "input[0]: nothing of the model follows the thought";
    for (next, expected) in [("web_search_call", ""), ("custom_tool_call_output", nothing)] {
        let input = format!(r#"[{{"type":"reasoning","summary":[]}},{{"type":"{next}"}}]"#);
        assert_eq!(responses("", &input), expected);
    }

    let searched = r#"{"type":"thinking","thinking":"x","signature":"s"},{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},
        {"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},{"type":"thinking","thinking":"y","signature":"s"},{"type":"text","text":"b"}"#;
    let messages = format!(r#"[{{"role":"user","content":"a"}},{{"role":"assistant","content":[{searched}]}}]"#);
    assert_eq!(told(Api::Anthropic, &format!(r#"{{"model":"m","max_tokens":9,"messages":{messages}}}"#)), "");
}

#[test]
fn blocks_have_what_they_are_nothing_without() {
    insta::assert_snapshot!(told(Api::Anthropic, r#"{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"document"},{"type":"search_result","source":"a"}]},{"role":"assistant","content":[{"type":"server_tool_use"}]}]}"#), @"
    messages[0].content[0]: `source` is missing
    messages[0].content[1]: `title` is missing
    messages[0].content[1]: `content` is missing
    messages[1].content[0]: `id` is missing
    messages[1].content[0]: `name` is missing
    messages[1].content[0]: `input` is missing
    ");
    insta::assert_snapshot!(told(Api::Responses, r#"{"model":"m","input":[{"role":"user","content":[{"type":"input_file"}]},{"type":"item_reference"}]}"#), @"
    input[0].content[0]: the file is none
    input[1]: `id` is missing
    ");
    insta::assert_snapshot!(told(Api::OpenAi, r#"{"model":"m","messages":[{"role":"user","content":[{"type":"file"}]}]}"#), @"messages[0].content[0]: `file` is missing");
}

#[test]
fn tools_have_names_of_their_own_and_schemas_of_objects() {
    let chat = |tool: &str| format!(r#"{{"type":"function","function":{{{tool}}}}}"#);
    let responses = |tool: &str| format!(r#"{{"type":"function",{tool}}}"#);
    let plain = |tool: &str| format!("{{{tool}}}");
    let gemini = |tools: &str| format!(r#""tools":[{{"functionDeclarations":[{tools}]}}]"#);
    let list = |tools: &str| format!(r#""tools":[{tools}]"#);
    type Shape<'a> = &'a dyn Fn(&str) -> String;
    let shapes: [(Api, &str, Shape<'_>, Shape<'_>); 6] = [
        (Api::Anthropic, "input_schema", &plain, &list),
        (Api::MiniMax, "input_schema", &plain, &list),
        (Api::OpenAi, "parameters", &chat, &list),
        (Api::DeepSeek, "parameters", &chat, &list),
        (Api::Responses, "parameters", &responses, &list),
        (Api::Gemini, "parametersJsonSchema", &plain, &gemini),
    ];
    for (api, key, tool, list) in shapes {
        let one = |schema: &str| tool(&format!(r#""name":"n","{key}":{schema}"#));
        let object = r#"{"type":"object","properties":{}}"#;
        assert_eq!(small(api, &list(&one(object))), "", "{api}");
        let twice = small(api, &list(&format!("{},{}", one(object), one(object))));
        assert!(twice.ends_with("[1]: another tool is called `n`, too"), "{api}: {twice}");
        for schema in ["7", "[]", "{}", r#"{"type":"string"}"#] {
            let found = small(api, &list(&one(schema)));
            assert!(found.ends_with(&format!("[0]: `{key}` is no schema of an object")), "{api}: {found}");
        }
        assert_eq!(small(api, r#""tools":{}"#), "`tools` is no list", "{api}");
    }
}

#[test]
fn a_key_stands_once_in_an_object() {
    let body = r#"{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"\"{a:","te\u0078t":"b"}]}],"model":"n","user":"model"}"#;
    insta::assert_snapshot!(told(Api::OpenAi, body), @"
    messages[0].content[0]: `text` stands there twice
    `model` stands there twice
    ");
}

/// Words that requests are made of, in any place.
fn any_json() -> impl Strategy<Value = Value> {
    let words = "messages content role user assistant tool type text tool_use tool_result input parts contents \
        functionCall functionResponse image source tools system cache_control id a tool_calls function \
        thinking signature inlineData reasoning summary function_call call_id model parameters \
        generationConfig functionDeclarations stop image_url";
    let words: Vec<&str> = words.split(' ').chain([""]).collect();
    let word = prop::sample::select(words).prop_map(str::to_owned);
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
        for &api in Api::ALL {
            check(api, &value.to_string());
            let key = match api { Api::Gemini => "contents", Api::Responses => "input", _ => "messages" };
            check(api, &serde_json::json!({key: messages}).to_string());
            check(api, &serde_json::json!({"tools": messages, "stop": value, "generationConfig": value}).to_string());
        }
    }
}
