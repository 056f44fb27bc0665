//! Whole answers of all APIs: what is read out of them, and what is none.

use super::super::sse::Sse;
use super::*;
use contexture_core::{Message, Role};
use proptest::prelude::*;

fn read(api: Api, body: &str) -> Result<Finished, ProviderError> {
    let mut reader = AnswerReader::new(api, None);
    reader.whole(body).map_err(|failed| failed.error)?;
    reader.finish()
}

fn texts(body: &str) -> Vec<String> {
    let answer = read(Api::OpenAi, body).unwrap();
    let all = std::iter::once(answer.message).chain(answer.others);
    all.map(|message| message.text().to_string()).collect()
}

#[test]
fn content_comes_in_forms() {
    let of = |message: &str| texts(&format!(r#"{{"choices":[{{"message":{message}}}]}}"#));
    assert_eq!(of(r#"{"content":"  a \n"}"#), ["  a \n"]);
    assert_eq!(of(r#"{"content":"\n"}"#), ["\n"]);
    let parts = r#"{"content":[{"type":"thinking","thinking":"x","text":"x"},{"type":"text","text":" a"},"x",
        {"text":"b "},{"type":"reasoning","text":"x"},{"type":"text"},{"type":"output_text","text":"c"}]}"#;
    assert_eq!(of(parts), [" ab c"]);
    assert_eq!(of(r#"{"reasoning_content":"x","reasoning":"x","content":"a"}"#), ["a"]);
    assert_eq!(texts("\u{feff}{\"choices\":[{\"text\":\" a \"},{\"text\":\"\"},{\"text\":\"b\"}]}"), [" a ", "b"]);
}

#[test]
fn calls_stand_with_and_without_text() {
    let body = r#"{"choices":[{"message":{"content":null,"tool_calls":[
        {"id":"a","type":"function","function":{"name":"now","arguments":"{\"b\": 1}"}},
        {"id":"b","function":{"name":"then","arguments":{"c":2}}},{"function":{"name":"bare"}},{"id":"nameless"}]}},
        {"message":{"content":"See: ","tool_calls":[]}}]}"#;
    let answer = read(Api::OpenAi, body).unwrap();
    let calls: Vec<(&str, &str, &str)> =
        answer.message.calls.iter().map(|call| (&*call.id, &*call.name, &*call.arguments)).collect();
    assert_eq!(calls, [("a", "now", "{\"b\": 1}"), ("b", "then", "{\"c\":2}"), ("", "bare", "{}")]);
    assert_eq!(answer.message.parts.len(), 0);
    assert_eq!(answer.others, [Message::new(Role::Assistant, "See: ")]);
}

#[test]
fn figures_stand_in_different_places() {
    let chat = |api, usage: &str| {
        let answer = read(api, &format!(r#"{{"choices":[{{"text":"a"}}],"model":"m","usage":{usage}}}"#)).unwrap();
        assert_eq!(answer.model.as_deref(), Some("m"));
        let usage = answer.usage;
        [usage.input, usage.output, usage.cached, usage.written, usage.thinking]
    };
    assert_eq!(chat(Api::OpenAi, r#"{"prompt_tokens":7,"completion_tokens":0}"#), [Some(7), Some(0), None, None, None]);
    assert_eq!(chat(Api::OpenAi, r#"{"input_tokens":7,"output_tokens":9}"#), [Some(7), Some(9), None, None, None]);
    assert_eq!(chat(Api::OpenAi, r#"{"prompt_tokens":null,"input_tokens":-1}"#), [None; 5]);
    assert_eq!(chat(Api::OpenAi, "null"), [None; 5]);
    let full = r#"{"prompt_tokens":7,"completion_tokens":9,"prompt_tokens_details":{"cached_tokens":3,"cache_write_tokens":2},
        "completion_tokens_details":{"reasoning_tokens":5}}"#;
    assert_eq!(chat(Api::OpenAi, full), [7, 9, 3, 2, 5].map(Some));
    let hits = r#"{"prompt_tokens":7,"completion_tokens":9,"prompt_cache_hit_tokens":4,"prompt_cache_miss_tokens":3}"#;
    assert_eq!(chat(Api::DeepSeek, hits), [Some(7), Some(9), Some(4), None, None]);
}

#[test]
fn figures_that_cannot_be_are_left_out() {
    let of = |usage: &str| {
        let answer = read(Api::OpenAi, &format!(r#"{{"choices":[{{"text":"a"}}],"usage":{usage}}}"#)).unwrap();
        [answer.usage.input, answer.usage.output, answer.usage.cached]
    };
    let details = r#""prompt_tokens_details":{"cached_tokens":500}"#;
    let more = format!(r#"{{"prompt_tokens":100,"completion_tokens":7,{details}}}"#);
    assert_eq!(of(&more), [Some(100), Some(7), Some(100)]);
    assert_eq!(of(r#"{"prompt_tokens":18446744073709551615,"completion_tokens":7}"#), [None, Some(7), None]);
    assert_eq!(of(r#"{"prompt_tokens":100.0,"completion_tokens":7.5}"#), [Some(100), None, None]);
    assert_eq!(of(r#"{"prompt_tokens":-1.0,"completion_tokens":1e99}"#), [None, None, None]);
}

#[test]
fn a_chunk_without_figures_takes_none_away() {
    let mut reader = AnswerReader::new(Api::OpenAi, None);
    for data in
        [r#"{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7}}"#, r#"{"choices":[],"usage":{}}"#]
    {
        reader.frame(&Frame { name: String::new(), data: data.into(), end: 0 }).unwrap();
    }
    let usage = reader.draft.usage();
    assert_eq!((usage.input, usage.output), (Some(100), Some(7)));
}

/// A whole answer that says `usage`, and figures as an array.
#[test]
fn input_is_all_input_and_output_all_output() {
    let of = |api, body: &str| {
        let usage = read(api, body).unwrap().usage;
        [usage.input, usage.output, usage.cached, usage.written, usage.thinking]
    };
    let anthropic = r#"{"content":[{"type":"text","text":"a"}],"usage":{"input_tokens":3,"cache_read_input_tokens":100,
        "cache_creation_input_tokens":20,"output_tokens":9,"output_tokens_details":{"thinking_tokens":4}}}"#;
    assert_eq!(of(Api::Anthropic, anthropic), [123, 9, 100, 20, 4].map(Some));
    assert_eq!(of(Api::MiniMax, anthropic), [123, 9, 100, 20, 4].map(Some));
    let gemini = r#"{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":50,
        "cachedContentTokenCount":30,"candidatesTokenCount":5,"thoughtsTokenCount":7}}"#;
    assert_eq!(of(Api::Gemini, gemini), [Some(50), Some(12), Some(30), None, Some(7)]);
    let responses = r#"{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"a"}]}],
        "usage":{"input_tokens":50,"input_tokens_details":{"cached_tokens":30,"cache_write_tokens":1},"output_tokens":12,
        "output_tokens_details":{"reasoning_tokens":7}}}"#;
    assert_eq!(of(Api::Responses, responses), [50, 12, 30, 1, 7].map(Some));
}

#[test]
fn what_is_no_answer_is_told() {
    for &api in Api::ALL {
        assert!(matches!(read(api, ""), Err(ProviderError::NotJson(_))));
        assert!(matches!(read(api, &"[".repeat(1 << 20)), Err(ProviderError::NotJson(_))));
        for body in ["[]", "7", "{}", r#"{"choices":{}}"#, r#"{"choices":[{}]}"#, r#"{"choices":[{"text":1}]}"#] {
            assert!(matches!(read(api, body), Err(ProviderError::NotAnswer(_))), "{api}: {body}");
        }
        let refused = ProviderError::Refused { status: 200, message: "no such model".into() };
        assert_eq!(read(api, r#"{"error":{"message":"no such\n model"}}"#).err(), Some(refused));
    }
    let empty = [
        (Api::OpenAi, r#"{"choices":[]}"#),
        (Api::OpenAi, r#"{"choices":[{"text":""}]}"#),
        (Api::OpenAi, r#"{"choices":[{"message":{"content":null,"reasoning_content":"x"}}]}"#),
        (Api::DeepSeek, r#"{"choices":[{"message":{"content":"","reasoning_content":"x"}}]}"#),
        (Api::OpenAi, r#"{"choices":[{"message":{"content":"","tool_calls":[{"id":"a"}]}}]}"#),
        (
            Api::Anthropic,
            r#"{"content":[{"type":"thinking","thinking":"x","signature":"y"}],"stop_reason":"max_tokens"}"#,
        ),
        (Api::Anthropic, r#"{"content":[]}"#),
        (Api::Gemini, r#"{"candidates":[{"finishReason":"MAX_TOKENS"}]}"#),
        (Api::Responses, r#"{"output":[],"status":"completed"}"#),
    ];
    for (api, body) in empty {
        assert_eq!(read(api, body).err(), Some(ProviderError::Empty), "{body}");
    }
}

#[test]
fn refusals_are_no_answers() {
    let refusals = [
        (Api::OpenAi, r#"{"choices":[{"message":{"content":null,"refusal":"I cannot."}}]}"#, "refusal", "I cannot."),
        (
            Api::OpenAi,
            r#"{"choices":[{"message":{"content":"So"},"finish_reason":"content_filter"}]}"#,
            "content_filter",
            "",
        ),
        (
            Api::Anthropic,
            r#"{"content":[{"type":"text","text":"So"}],"stop_reason":"refusal","stop_details":{"category":"bio"}}"#,
            "refusal",
            "bio",
        ),
        (Api::Gemini, r#"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}"#, "PROHIBITED_CONTENT", ""),
        (
            Api::Gemini,
            r#"{"candidates":[{"content":{"parts":[{"text":"So"}]},"finishReason":"SAFETY"}]}"#,
            "SAFETY",
            "",
        ),
        (
            Api::Responses,
            r#"{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"No."}]}]}"#,
            "refusal",
            "No.",
        ),
        (
            Api::Responses,
            r#"{"status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[]}"#,
            "content_filter",
            "",
        ),
    ];
    for (api, body, reason, message) in refusals {
        let wanted = ProviderError::Refusal { reason: reason.into(), message: message.into() };
        assert_eq!(read(api, body).err(), Some(wanted), "{body}");
    }
    // Of several answers, those that are some count.
    let body = r#"{"choices":[{"message":{"refusal":"no"}},{"message":{"content":"yes"}}]}"#;
    assert_eq!(texts(body), ["yes"]);
}

#[test]
fn failed_responses_tell_why() {
    let body = r#"{"status":"failed","error":{"code":"server_error","message":"m"},"output":[]}"#;
    assert_eq!(read(Api::Responses, body).err(), Some(ProviderError::Server { status: 500, message: "m".into() }));
    let body = r#"{"status":"failed","error":null,"output":[]}"#;
    let wanted = ProviderError::Refused { status: 200, message: "the response failed".into() };
    assert_eq!(read(Api::Responses, body).err(), Some(wanted));
}

#[test]
fn thoughts_are_kept_only_with_a_way_back() {
    let of = |api, body: &str| read(api, body).unwrap().message.thoughts;
    let body = r#"{"content":[{"type":"thinking","thinking":"a","signature":""},{"type":"redacted_thinking","data":"x"},
        {"type":"thinking","thinking":"b","signature":"s"},{"type":"text","text":"t"}]}"#;
    let thoughts = of(Api::MiniMax, body);
    assert_eq!((thoughts.len(), &*thoughts[0].seal), (2, r#"{"type":"redacted_thinking","data":"x"}"#));
    assert_eq!((thoughts[1].by, &*thoughts[1].text), (Api::MiniMax, "b"));
    let body = r#"{"output":[{"type":"reasoning","summary":[]},{"type":"message","content":[{"type":"output_text","text":"t"}]}]}"#;
    assert_eq!(of(Api::Responses, body), []);
    let body = r#"{"choices":[{"message":{"content":"t","reasoning_content":"hm"}}]}"#;
    assert_eq!((of(Api::OpenAi, body).len(), &*of(Api::DeepSeek, body)[0].text), (0, "hm"));
}

/// A stream of each API, as it came.
fn recorded() -> impl Iterator<Item = (Api, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/provider/streams");
    Api::ALL.iter().map(move |api| (*api, std::fs::read_to_string(format!("{folder}/{api}.sse")).unwrap()))
}

/// What a reader makes of these events, whatever they are.
fn streamed(api: Api, frames: &[Frame]) -> Option<Finished> {
    let mut reader = AnswerReader::new(api, None);
    for frame in frames {
        reader.frame(frame).ok()?;
    }
    reader.end();
    if reader.draft.is_whole { reader.finish().ok() } else { None }
}

proptest! {
    /// Events in any order, lost, twice, of other APIs, and with any change in them: an answer or none, and no panic.
    #[test]
    fn any_events_are_read(
        picks in prop::collection::vec((0..Api::ALL.len(), any::<prop::sample::Index>()), 0..60),
        edits in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(vec![
            "\"index\":0", "\"index\":18446744073709551615", "null", "[]", "{}", "\"\"", "-1", "1e99", "true", "\"type\":7",
        ])), 0..6),
    ) {
        let mut frames = Vec::new();
        for (_, stream) in recorded() {
            let (mut sse, mut of) = (Sse::new(1 << 20), Vec::new());
            sse.feed(stream.as_bytes(), &mut of).unwrap();
            sse.end(&mut of).unwrap();
            frames.push(of);
        }
        let mut events: Vec<Frame> = picks.iter().map(|(of, at)| at.get(&frames[*of]).clone()).collect();
        for (at, with) in edits {
            if events.is_empty() {
                break;
            }
            let frame = &mut events[at.index(picks.len())];
            // In place of a value.
            if let Some((before, after)) = frame.data.clone().split_once(':') {
                let rest = after.find(',').map_or("}", |comma| &after[comma..]);
                frame.data = format!("{before}:{with}{rest}");
            }
        }
        for &api in Api::ALL {
            streamed(api, &events);
        }
    }

    /// A stream without some of its events is no answer, or one with less in it.
    #[test]
    fn lost_events_add_nothing(of in 0..Api::ALL.len(), lost in prop::collection::vec(any::<bool>(), 40)) {
        let (api, stream) = recorded().nth(of).unwrap();
        let (mut sse, mut frames) = (Sse::new(1 << 20), Vec::new());
        sse.feed(stream.as_bytes(), &mut frames).unwrap();
        sse.end(&mut frames).unwrap();
        let whole = streamed(api, &frames).unwrap().message;
        let mut lost = lost.into_iter();
        frames.retain(|_| !lost.next().unwrap_or_default());
        if let Some(less) = streamed(api, &frames) {
            prop_assert!(less.message.bytes() <= whole.bytes() + 2 * whole.calls.len() as u64);
        }
    }
}
