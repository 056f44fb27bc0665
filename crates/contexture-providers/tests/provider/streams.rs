//! Streams of every API, recorded in the documented forms: what is told while they come, and the answer at their end.

use crate::server::{BODY, KEY, Server, Step, asking, checked};
use contexture_core::{Api, Message, Role};
use contexture_providers::{Answer, Cancel, Event, ModelRequest, Policy, Stop, complete, stream};
use std::fmt::Write;

scenarios! {
    anthropic_streams openai_streams responses_streams gemini_streams deepseek_streams minimax_streams
    each_api_has_its_request whole_answers_are_those_of_streams text_streams other_choices_are_not_told
    answers_at_once_are_told_as_a_stream a_body_that_is_no_object_is_not_sent
    many_may_ask_at_once
}

/// Every API with its stream.
pub fn streams() -> impl Iterator<Item = (Api, &'static str)> {
    Api::ALL.iter().map(|api| (*api, recorded(*api)))
}

/// The stream of an API: a provider is not complete without its file here.
pub fn recorded(api: Api) -> &'static str {
    let path = format!("{}/tests/provider/streams/{api}.sse", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}")).leak()
}

/// All that is told, a line for each.
fn told(api: Api) -> String {
    let stream = recorded(api);
    let (answer, events) = Server::start([Step::stream([stream.as_bytes()])]).stream(api);
    let answer = answer.unwrap();
    assert_eq!(answer.raw, stream);
    assert!(answer.first.is_some_and(|first| first <= answer.latency));
    let mut out = String::new();
    for event in &events {
        writeln!(out, "{event:?}").unwrap();
    }
    let Message { role, thoughts, parts, calls, answers, name } = &answer.message;
    assert_eq!((*role, answers, name, answer.others.len()), (Role::Assistant, &None, &None, 0));
    writeln!(out, "--\n{:?} {parts:?}", answer.model.as_deref().unwrap_or("-")).unwrap();
    for thought in thoughts {
        let (by, text, seal, call) = (thought.by, &thought.text, &thought.seal, thought.call);
        writeln!(out, "thought by {by} {text:?} of {call:?}: {}", &**seal).unwrap();
    }
    for call in calls {
        writeln!(out, "call {} {} {}", call.id, call.name, &*call.arguments).unwrap();
    }
    out.replace("Some(", "(")
}

fn anthropic_streams() {
    insta::assert_snapshot!(told(Api::Anthropic), @r#"
    Thought("Two towns, ")
    Usage(Usage { input: (4417), output: (1), cached: (4096), written: (300), thinking: None })
    Thought("so two calls. \"Zürich\" first.")
    Text("I look it up: Zü")
    Text("rich 🌳\n")
    Call { call: 0, id: "toolu_01", name: "weather" }
    Arguments { call: 0, piece: "{\"town\": \"Z" }
    Arguments { call: 0, piece: "ürich\"}" }
    Call { call: 1, id: "toolu_02", name: "now" }
    Arguments { call: 1, piece: "{}" }
    Usage(Usage { input: (4417), output: (89), cached: (4096), written: (300), thinking: (40) })
    End(Calls)
    --
    "claude-opus-5-5" [Text("I look it up: Zürich 🌳\n")]
    thought by anthropic "Two towns, so two calls. \"Zürich\" first." of None: {"type":"thinking","thinking":"Two towns, so two calls. \"Zürich\" first.","signature":"EqQBCkYIARgCKkBwb2VtMTIzNA=="}
    thought by anthropic "" of None: {"type":"redacted_thinking","data":"EmwKAhgBEgy3va3pzix/"}
    call toolu_01 weather {"town": "Zürich"}
    call toolu_02 now {}
    "#);
}

fn openai_streams() {
    insta::assert_snapshot!(told(Api::OpenAi), @r#"
    Text("Let me ")
    Text("see … ✓")
    Call { call: 0, id: "call_a", name: "weather" }
    Arguments { call: 0, piece: "{\"town\":" }
    Call { call: 1, id: "call_b", name: "now" }
    Arguments { call: 1, piece: "{}" }
    Arguments { call: 0, piece: " \"Bern\"}" }
    Usage(Usage { input: (2006), output: (300), cached: (1920), written: (64), thinking: (128) })
    End(Calls)
    --
    "gpt-5.6-2026-08-01" [Text("Let me see … ✓")]
    call call_a weather {"town": "Bern"}
    call call_b now {}
    "#);
}

fn responses_streams() {
    insta::assert_snapshot!(told(Api::Responses), @r#"
    Thought("**Looking up")
    Thought("**")
    Thought("\n\n")
    Thought("Both at once.")
    Text("One mo")
    Text("ment – ☂")
    Call { call: 0, id: "call_a", name: "weather" }
    Arguments { call: 0, piece: "{\"town\":" }
    Arguments { call: 0, piece: "\"Bern\"}" }
    Call { call: 1, id: "call_b", name: "now" }
    Arguments { call: 1, piece: "{}" }
    Usage(Usage { input: (1500), output: (77), cached: (1408), written: (32), thinking: (64) })
    End(Calls)
    --
    "gpt-5.6-2026-08-01" [Text("One moment – ☂")]
    thought by responses "**Looking up**\n\nBoth at once." of None: {"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"**Looking up**"},{"type":"summary_text","text":"Both at once."}],"encrypted_content":"gAAAAABo1+/="}
    call call_a weather {"town":"Bern"}
    call call_b now {}
    "#);
}

fn gemini_streams() {
    insta::assert_snapshot!(told(Api::Gemini), @r#"
    Thought("Two calls ")
    Usage(Usage { input: (4200), output: (10), cached: (4096), written: None, thinking: (10) })
    Thought("are needed.")
    Usage(Usage { input: (4200), output: (24), cached: (4096), written: None, thinking: (24) })
    Text("Gleich – ")
    Usage(Usage { input: (4200), output: (27), cached: (4096), written: None, thinking: (24) })
    Call { call: 0, id: "", name: "weather" }
    Arguments { call: 0, piece: "{\"town\":\"Köln\",\"days\":2}" }
    Call { call: 1, id: "", name: "now" }
    Arguments { call: 1, piece: "{}" }
    Usage(Usage { input: (4200), output: (44), cached: (4096), written: None, thinking: (24) })
    Usage(Usage { input: (4200), output: (45), cached: (4096), written: None, thinking: (24) })
    End(Calls)
    --
    "gemini-3.8-pro" [Text("Gleich – ")]
    thought by gemini "Two calls are needed." of (0): CtUBAVSoXO6
    thought by gemini "" of None: EjQKMgEM+/=
    call  weather {"town":"Köln","days":2}
    call  now {}
    "#);
}

fn deepseek_streams() {
    insta::assert_snapshot!(told(Api::DeepSeek), @r#"
    Thought("Hm, ")
    Thought("a tool.")
    Text("Moment: ")
    Call { call: 0, id: "call_0", name: "read" }
    Arguments { call: 0, piece: "{\"path\":\"ä.md\"}" }
    Usage(Usage { input: (900), output: (40), cached: (768), written: None, thinking: (20) })
    End(Calls)
    --
    "deepseek-v4-pro" [Text("Moment: ")]
    thought by deepseek "Hm, a tool." of None: 
    call call_0 read {"path":"ä.md"}
    "#);
}

fn minimax_streams() {
    insta::assert_snapshot!(told(Api::MiniMax), @r#"
    Thought("A greeting.")
    Usage(Usage { input: (0), output: (0), cached: None, written: None, thinking: None })
    Text("你好")
    Usage(Usage { input: (524), output: (9), cached: (512), written: (0), thinking: None })
    End(End)
    --
    "MiniMax-M3" [Text("你好")]
    thought by minimax "A greeting." of None: {"type":"thinking","thinking":"A greeting.","signature":"7ab1c2"}
    "#);
}

/// Takes its time, so it is not among those that run twice.
#[test]
fn streams_may_be_cut_at_every_byte() {
    let _guard = crate::ALONE.read();
    for (api, stream) in streams() {
        let bytes = stream.as_bytes();
        let cuts = |size: usize| bytes.chunks(size).collect::<Vec<_>>();
        let mut scripts = vec![Step::stream([bytes]), Step::stream(cuts(1)), Step::stream(cuts(3))];
        scripts.extend((1..bytes.len()).map(|at| {
            let (before, after) = bytes.split_at(at);
            Step::stream([before, after])
        }));
        let count = scripts.len();
        let server = Server::start(scripts);
        let plain = |(answer, events): (Result<Answer, _>, Vec<Event>)| {
            let Answer { message, others, raw, model, stop, usage, before: _, latency: _, first: _ } = answer.unwrap();
            (message, others, raw, model, stop, usage, events)
        };
        let whole = plain(server.stream(api));
        for _ in 1..count {
            assert!(plain(server.stream(api)) == whole, "{api}");
        }
    }
}

fn each_api_has_its_request() {
    let mut out = String::new();
    for (api, stream) in streams() {
        let server = Server::start([Step::stream([stream.as_bytes()])]);
        assert!(server.stream(api).0.is_ok());
        let request = &server.requests()[0];
        let secrets = ["authorization", "x-api-key", "x-goog-api-key", "anthropic-version", "accept"];
        let line = request.head.lines().next().unwrap();
        let start = request.body.strip_suffix(&BODY[1..]).unwrap();
        writeln!(out, "{api}: {line} {start}").unwrap();
        for name in secrets {
            if let Some(value) = request.header(name) {
                writeln!(out, "  {name}: {}", value.replace(KEY, "KEY")).unwrap();
            }
        }
        assert!(!line.contains(KEY));
    }
    insta::assert_snapshot!(out, @r#"
    anthropic: POST /v1/messages HTTP/1.1 {"stream":true,
      x-api-key: KEY
      anthropic-version: 2023-06-01
      accept: text/event-stream
    openai: POST /v1/chat/completions HTTP/1.1 {"stream":true,"stream_options":{"include_usage":true},
      authorization: Bearer KEY
      accept: text/event-stream
    responses: POST /v1/responses HTTP/1.1 {"stream":true,
      authorization: Bearer KEY
      accept: text/event-stream
    gemini: POST /v1/models/small:streamGenerateContent?alt=sse HTTP/1.1 {
      x-goog-api-key: KEY
      accept: text/event-stream
    deepseek: POST /v1/chat/completions HTTP/1.1 {"stream":true,"stream_options":{"include_usage":true},
      authorization: Bearer KEY
      accept: text/event-stream
    minimax: POST /v1/messages HTTP/1.1 {"stream":true,
      x-api-key: KEY
      anthropic-version: 2023-06-01
      accept: text/event-stream
    "#);
}

/// The same answers as the recorded ones, in one body.
fn whole_answers_are_those_of_streams() {
    let bodies = [
        (
            Api::Anthropic,
            r#"{"type":"message","role":"assistant","model":"claude-opus-5-5","stop_reason":"tool_use","content":[
            {"type":"thinking","thinking":"Two towns, so two calls. \"Zürich\" first.","signature":"EqQBCkYIARgCKkBwb2VtMTIzNA=="},
            {"type":"redacted_thinking","data":"EmwKAhgBEgy3va3pzix/"},{"type":"text","text":"I look it up: Zürich 🌳\n"},
            {"type":"tool_use","id":"toolu_01","name":"weather","input":{"town": "Zürich"}},
            {"type":"tool_use","id":"toolu_02","name":"now","input":{}}],"usage":{"input_tokens":21,
            "cache_creation_input_tokens":300,"cache_read_input_tokens":4096,"output_tokens":89,
            "output_tokens_details":{"thinking_tokens":40}}}"#,
        ),
        (
            Api::OpenAi,
            r#"{"model":"gpt-5.6-2026-08-01","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant",
            "content":"Let me see … ✓","refusal":null,"tool_calls":[{"id":"call_a","type":"function","function":{"name":"weather",
            "arguments":"{\"town\": \"Bern\"}"}},{"id":"call_b","type":"function","function":{"name":"now","arguments":"{}"}}]}}],
            "usage":{"prompt_tokens":2006,"completion_tokens":300,"prompt_tokens_details":{"cached_tokens":1920,
            "cache_write_tokens":64},"completion_tokens_details":{"reasoning_tokens":128}}}"#,
        ),
        (
            Api::Gemini,
            r#"{"modelVersion":"gemini-3.8-pro","candidates":[{"finishReason":"STOP","content":{"role":"model","parts":[
            {"text":"Two calls are needed.","thought":true},{"text":"Gleich – "},
            {"functionCall":{"name":"weather","args":{"town":"Köln","days":2}},"thoughtSignature":"CtUBAVSoXO6"},
            {"functionCall":{"name":"now"}},{"text":"","thoughtSignature":"EjQKMgEM+/="}]}}],"usageMetadata":{
            "promptTokenCount":4200,"candidatesTokenCount":21,"cachedContentTokenCount":4096,"thoughtsTokenCount":24}}"#,
        ),
        (
            Api::DeepSeek,
            r#"{"model":"deepseek-v4-pro","choices":[{"message":{"content":"Moment: ","reasoning_content":"Hm, a tool.",
            "tool_calls":[{"id":"call_0","function":{"name":"read","arguments":"{\"path\":\"ä.md\"}"}}]},
            "finish_reason":"tool_calls"}],"usage":{"prompt_tokens":900,"completion_tokens":40,"prompt_cache_hit_tokens":768,
            "completion_tokens_details":{"reasoning_tokens":20}}}"#,
        ),
        (
            Api::MiniMax,
            r#"{"model":"MiniMax-M3","stop_reason":"end_turn","content":[
            {"type":"thinking","thinking":"A greeting.","signature":"7ab1c2"},{"type":"text","text":"你好"}],
            "usage":{"input_tokens":12,"cache_read_input_tokens":512,"cache_creation_input_tokens":0,"output_tokens":9}}"#,
        ),
    ];
    // The last event of a response is the response.
    let last = recorded(Api::Responses).lines().rfind(|line| line.starts_with("data: ")).unwrap();
    let response = last.split_once("\"response\":").unwrap().1.strip_suffix('}').unwrap();
    for (api, body) in bodies.into_iter().chain([(Api::Responses, response)]) {
        let streamed = Server::start([Step::stream([recorded(api).as_bytes()])]).stream(api).0.unwrap();
        let server = Server::start([Step::reply(200, "content-type: application/json\r\n", body)]);
        let ask = ModelRequest { api, ..asking(&server.url) };
        let whole = checked(complete(&ask, &Policy::default(), &Cancel::new())).unwrap();
        let spaceless = |mut message: Message| {
            for call in &mut message.calls {
                call.arguments = call.arguments.replace("\": ", "\":").into();
            }
            message
        };
        assert_eq!(spaceless(whole.message), spaceless(streamed.message), "{api}");
        assert_eq!((whole.model, whole.stop, whole.usage), (streamed.model, streamed.stop, streamed.usage), "{api}");
        assert_eq!((&*whole.raw, whole.first), (body, None));
        let request = &server.requests()[0];
        assert_eq!((&*request.body, request.header("accept")), (BODY, Some("application/json")));
        assert_eq!(request.head.contains(":generateContent HTTP"), api == Api::Gemini, "{}", request.head);
    }
}

fn text_streams() {
    let text = "data: {\"choices\":[{\"index\":0,\"text\":\" and so\",\"finish_reason\":null}]}\n\n\
        data: {\"choices\":[{\"index\":0,\"text\":\" on\",\"finish_reason\":\"length\"}],\"usage\":{\"completion_tokens\":2}}\n\n\
        data: [DONE]\n\n";
    let server = Server::start([Step::stream([text.as_bytes()])]);
    let ask = ModelRequest { endpoint: contexture_providers::Endpoint::Text, ..asking(&server.url) };
    let answer = checked(stream(&ask, &Policy::default(), &mut |_| {}, &Cancel::new())).unwrap();
    assert_eq!((&*answer.message.text(), answer.stop, answer.usage.output), (" and so on", Stop::Length, Some(2)));
    assert!(server.requests()[0].head.starts_with("POST /v1/completions "));
}

fn other_choices_are_not_told() {
    let chunk = |index: u32, text: &str, end: &str| {
        format!(
            "data: {{\"choices\":[{{\"index\":{index},\"delta\":{{\"content\":\"{text}\"}},\"finish_reason\":{end}}}]}}\n\n"
        )
    };
    let parts = [chunk(1, "B", "null"), chunk(0, "A", "null"), chunk(1, "b", "\"length\""), chunk(0, "a", "\"stop\"")];
    let stream = parts.concat() + "data: [DONE]";
    let (answer, events) = Server::start([Step::stream([stream.as_bytes()])]).stream(Api::OpenAi);
    let answer = answer.unwrap();
    assert_eq!((&*answer.message.text(), &*answer.others[0].text(), &answer.stop), ("Aa", "Bb", &Stop::End));
    assert_eq!(events, [Event::Text("A".into()), Event::Text("a".into()), Event::End(Stop::End)]);
}

fn answers_at_once_are_told_as_a_stream() {
    let body = r#"{"model":"m","choices":[{"message":{"content":"All."},"finish_reason":"stop"}]}"#;
    for kind in ["application/json; charset=utf-8", "text/plain", "application/octet-stream", "text/event-stream", ""] {
        let header = if kind.is_empty() { String::new() } else { format!("content-type: {kind}\r\n") };
        let (answer, events) = Server::start([Step::reply(200, &header, body)]).stream(Api::OpenAi);
        let wanted = vec![Event::Text("All.".into()), Event::End(Stop::End)];
        assert_eq!((answer.unwrap().raw.as_str(), events), (body, wanted), "{kind}");
    }
}

fn a_body_that_is_no_object_is_not_sent() {
    let ask = ModelRequest { body: "[]", ..asking("http://127.0.0.1:1") };
    let error = checked(stream(&ask, &Policy::default(), &mut |_| {}, &Cancel::new())).unwrap_err();
    assert_eq!(error.to_string(), "cannot send the request: it is no JSON object");
}

fn many_may_ask_at_once() {
    let stream = recorded(Api::Gemini);
    let server = Server::start((0..64).map(|_| Step::stream([stream.as_bytes()])));
    let url = &server.url;
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(move || {
                for _ in 0..8 {
                    let ask = ModelRequest { api: Api::Gemini, ..asking(url) };
                    let answer =
                        checked(contexture_providers::stream(&ask, &Policy::default(), &mut |_| {}, &Cancel::new()));
                    assert_eq!(answer.unwrap().raw, stream);
                }
            });
        }
    });
    assert_eq!(server.requests().len(), 64);
}
