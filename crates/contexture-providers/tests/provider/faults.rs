//! What goes wrong while an answer comes: a clear outcome for each, and no answer that is none.

use crate::server::{KEY, Server, Step};
use crate::streams::{recorded, streams};
use contexture_core::Api;
use contexture_providers::{Cancel, Event, Policy, ProviderError, Stop, Wait};
use std::cell::RefCell;
use std::time::Duration;

scenarios! {
    cut_streams_are_no_answers broken_streams_are_no_answers streams_that_break_before_they_begin_are_asked_again
    errors_inside_of_streams_pass_or_stay failed_responses_are_no_answers refusals_inside_of_streams
    streams_that_say_nothing_more all_of_the_time_counts garbage_in_streams pages_for_browsers
    giant_events_are_not_kept giant_streams_are_not_kept delays_that_servers_name overloads_are_waited_for
    rejected_keys_of_every_api empty_streams keys_that_servers_repeat
    keys_in_pieces_leave_no_raw_answer what_is_no_answer_is_counted
    attempts_before_the_last_are_counted whole_answers_that_are_cut_are_not_asked_for_again
}

/// The stream without its end.
fn before<'a>(stream: &'a str, end: &str) -> &'a str {
    stream.split_once(end).unwrap().0
}

fn cut_streams_are_no_answers() {
    let ends = [
        (Api::Anthropic, "event: message_stop"),
        (Api::OpenAi, "data: [DONE]"),
        (Api::Responses, "event: response.completed"),
        (Api::Gemini, "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\""),
        (Api::DeepSeek, "data: [DONE]"),
        (Api::MiniMax, "event: message_stop"),
    ];
    for (api, end) in ends {
        let cut = before(recorded(api), end);
        let server = Server::start([Step::stream([cut.as_bytes()])]);
        let name = server.name();
        let (answer, events) = server.stream(api);
        let Err(ProviderError::Cut { server, received }) = answer else { panic!("{api}: {answer:?}") };
        assert!(server == name && received > 0 && !events.iter().any(|event| matches!(event, Event::End(_))), "{api}");
    }
    // In the middle of an event, and of a character.
    let stream = recorded(Api::MiniMax);
    let cut = stream.find('好').unwrap() + 1;
    let (answer, _) = Server::start([Step::stream([&stream.as_bytes()[..cut]])]).stream(Api::MiniMax);
    let error = answer.unwrap_err();
    assert!(error.to_string().ends_with(" broke off after 11 bytes of the answer"), "{error}");
}

/// The connection ends without the end of HTTP.
fn broken_streams_are_no_answers() {
    for (api, stream) in streams() {
        let half = &stream[..stream.ceil_char_boundary(stream.len() * 3 / 4)];
        let server = Server::start([Step::begun(half)]);
        let (answer, _) = server.stream(api);
        assert!(matches!(answer, Err(ProviderError::Cut { received: 1.., .. })), "{api}: {answer:?}");
        assert_eq!(server.requests().len(), 1);
    }
    // What came after the end does not matter.
    let server = Server::start([Step::begun(recorded(Api::Anthropic))]);
    assert!(server.stream(Api::Anthropic).0.is_ok());
}

fn streams_that_break_before_they_begin_are_asked_again() {
    let stream = recorded(Api::Anthropic);
    let start = before(stream, "event: content_block_start");
    let scripts =
        [Step::begun(start), Step::stream([start.as_bytes()]), vec![Step::Request], Step::stream([stream.as_bytes()])];
    let server = Server::start(scripts);
    let (answer, events) = server.stream(Api::Anthropic);
    assert!(answer.is_ok());
    let clean = Server::start([Step::stream([stream.as_bytes()])]).stream(Api::Anthropic).1;
    assert_eq!(events, clean);
    assert_eq!(server.requests().len(), 4);
    let server = Server::start([(); 4].map(|()| Step::begun(start)));
    let error = server.stream(Api::Anthropic).0.unwrap_err();
    assert!(error.to_string().ends_with(" broke off before any of the answer came"), "{error}");
}

fn errors_inside_of_streams_pass_or_stay() {
    let overloaded = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    let stream = recorded(Api::Anthropic);
    let start = before(stream, "event: content_block_start");
    let early = [start, overloaded].concat();
    let server = Server::start([Step::stream([early.as_bytes()]), Step::stream([stream.as_bytes()])]);
    assert!(server.stream(Api::Anthropic).0.is_ok());
    // Behind something that was handed out it stays.
    let late = [before(stream, "event: message_delta"), overloaded].concat();
    let server = Server::start([Step::stream([late.as_bytes()])]);
    let (answer, events) = server.stream(Api::Anthropic);
    assert_eq!(answer, Err(ProviderError::Server { status: 529, message: "Overloaded".into() }));
    assert!(events.contains(&Event::Text("rich 🌳\n".into())));
    let others = [
        (Api::OpenAi, r#"{"error":{"message":"m","code":503}}"#),
        (Api::Responses, r#"{"type":"error","code":"server_error","message":"m","param":null,"sequence_number":2}"#),
        (Api::Gemini, r#"{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}"#),
        (Api::DeepSeek, r#"{"error":{"message":"m","type":"server_error"}}"#),
    ];
    for (api, error) in others {
        let error = format!("data: {error}\n\n");
        let server = Server::start([Step::stream([error.as_bytes()]), Step::stream([recorded(api).as_bytes()])]);
        assert!(server.stream(api).0.is_ok(), "{api}");
        let server = Server::start([(); 4].map(|()| Step::stream([error.as_bytes()])));
        let (answer, events) = server.stream(api);
        assert!(matches!(answer, Err(ProviderError::Server { status: 500 | 503, .. })), "{api}: {answer:?}");
        assert!(events.is_empty());
    }
}

fn failed_responses_are_no_answers() {
    let failed = "data: {\"type\":\"response.failed\",\"response\":{\"status\":\"failed\",\"error\":{\"code\":\"invalid_prompt\",\
        \"message\":\"m\"},\"output\":[]}}\n\n";
    let (answer, _) = Server::start([Step::stream([failed.as_bytes()])]).stream(Api::Responses);
    assert_eq!(answer, Err(ProviderError::Refused { status: 200, message: "m".into() }));
    let cut = "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"So\"}\n\n\
        data: {\"type\":\"response.incomplete\",\"response\":{\"status\":\"incomplete\",\
        \"incomplete_details\":{\"reason\":\"max_output_tokens\"},\"output\":[]}}\n\n";
    let (answer, _) = Server::start([Step::stream([cut.as_bytes()])]).stream(Api::Responses);
    let answer = answer.unwrap();
    assert_eq!((&*answer.message.text(), answer.stop), ("So", Stop::Length));
}

fn refusals_inside_of_streams() {
    let anthropic = before(recorded(Api::Anthropic), "event: message_delta").to_owned()
        + "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"refusal\"},\"usage\":{\"output_tokens\":3}}\n\n\
           data: {\"type\":\"message_stop\"}\n\n";
    let chat = "data: {\"choices\":[{\"delta\":{\"refusal\":\"I \"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"refusal\":\"cannot.\"}}]}\n\n\
        data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let filter = "data: {\"choices\":[{\"delta\":{\"content\":\"So\"}}]}\n\n\
        data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}\n\ndata: [DONE]\n\n";
    let gemini =
        "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"So\"}]},\"finishReason\":\"SAFETY\"}]}\n\n";
    let blocked = "data: {\"promptFeedback\":{\"blockReason\":\"OTHER\"}}\n\n";
    let responses = "data: {\"type\":\"response.refusal.delta\",\"output_index\":0,\"delta\":\"No.\"}\n\n\
        data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[{\"type\":\"message\",\
        \"content\":[{\"type\":\"refusal\",\"refusal\":\"No.\"}]}]}}\n\n";
    let refusals = [
        (Api::Anthropic, &*anthropic, "the model does not answer this (`refusal`)"),
        (Api::OpenAi, chat, "the model does not answer this (`refusal`): I cannot."),
        (Api::OpenAi, filter, "the model does not answer this (`content_filter`)"),
        (Api::Gemini, gemini, "the model does not answer this (`SAFETY`)"),
        (Api::Gemini, blocked, "the model does not answer this (`OTHER`)"),
        (Api::Responses, responses, "the model does not answer this (`refusal`): No."),
    ];
    for (api, stream, wanted) in refusals {
        let server = Server::start([Step::stream([stream.as_bytes()])]);
        let (answer, events) = server.stream(api);
        assert_eq!(answer.unwrap_err().to_string(), wanted);
        assert!(!events.iter().any(|event| matches!(event, Event::End(_))));
        assert_eq!(server.requests().len(), 1);
    }
}

/// Long enough that what is there is read on the slowest machine.
const SILENCE: Duration = Duration::from_millis(400);

fn streams_that_say_nothing_more() {
    let policy = Policy { silence: SILENCE, ..Policy::default() };
    let begun = before(
        recorded(Api::OpenAi),
        "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1794000000,\"model\":\"gpt-5.6-2026-08-01\",\"choices\":[{\"index\":0,\"delta\":{\"tool",
    );
    let cases = [(vec![Step::Request], 0), (Step::begun(""), 0), (Step::begun(begun), 18)];
    for (script, received) in cases {
        let server = Server::start([[script, vec![Step::Hold]].concat()]);
        let (answer, _) = server.stream_with(Api::OpenAi, &policy);
        assert_eq!(answer, Err(ProviderError::Silent { server: server.name(), after: SILENCE, received }));
    }
}

/// A stream that is alive and never ends.
fn all_of_the_time_counts() {
    use crate::server::{asking, checked};
    use contexture_providers::{ModelRequest, stream};
    let server = Server::start([[Step::begun(": hello\n\n"), vec![Step::Hold]].concat()]);
    let after = Duration::from_millis(300);
    let ask = ModelRequest { timeout: after, ..asking(&server.url) };
    let error = checked(stream(&ask, &Policy::default(), &mut |_| {}, &Cancel::new())).unwrap_err();
    assert_eq!(error, ProviderError::TimedOut { server: server.name(), after });
}

fn garbage_in_streams() {
    for (api, _) in streams() {
        let error = |bytes: &[u8]| Server::start([Step::stream([bytes])]).stream(api).0.unwrap_err();
        assert!(matches!(error(b"data: {not json}\n\n"), ProviderError::NotJson(_)), "{api}");
        assert!(matches!(error(b"data: \xff\xfe\n\n"), ProviderError::NotJson(_)), "{api}");
        let deep = format!("data: {}\n\n", "[".repeat(100_000));
        assert!(matches!(error(deep.as_bytes()), ProviderError::NotJson(_)), "{api}");
        // Valid, and of no API.
        let odd = b"data: 7\n\ndata: []\n\ndata: {\"type\":7,\"index\":-1,\"choices\":[7,{\"index\":1e99}],\"candidates\":[[]]}\n\n";
        let server = Server::start([(); 4].map(|()| Step::stream([odd.as_slice()])));
        assert!(matches!(server.stream(api).0, Err(ProviderError::Cut { received: 0, .. })), "{api}");
    }
}

fn pages_for_browsers() {
    for (api, _) in streams() {
        let page =
            Step::reply(200, "content-type: text/html; charset=utf-8\r\n", "<!doctype html><title>Log in</title>");
        let error = Server::start([page]).stream(api).0.unwrap_err();
        assert_eq!(error, ProviderError::NotApi("text/html".into()));
        assert_eq!(error.hint(), "check that the base URL is one of a server that speaks this API");
    }
}

fn giant_events_are_not_kept() {
    let policy = Policy { largest_event: 3 << 20, ..Policy::default() };
    for line in ["data: x", ": x", "\ndata: x"] {
        let server = Server::start([[Step::begun("data: "), vec![Step::Flood(line.into())]].concat()]);
        let (answer, _) = server.stream_with(Api::OpenAi, &policy);
        let wanted = ProviderError::TooLarge { limit: 3 << 20 };
        assert_eq!(answer, Err(wanted), "{line}");
    }
}

fn giant_streams_are_not_kept() {
    let policy = Policy { largest: 4 << 20, ..Policy::default() };
    let event = r#"data: {"choices":[{"index":0,"delta":{"content":"and so on "}}]}"#.to_owned() + "\n\n";
    let server = Server::start([[Step::begun(""), vec![Step::Flood(event)]].concat()]);
    let (answer, events) = server.stream_with(Api::OpenAi, &policy);
    assert_eq!(answer, Err(ProviderError::TooLarge { limit: 4 << 20 }));
    assert!(!events.is_empty());
}

/// What was waited for, in milliseconds.
fn waits(api: Api, headers: &str, body: &str) -> Vec<u128> {
    let scripts = [Step::reply(429, headers, body), Step::stream([recorded(api).as_bytes()])];
    let waits = RefCell::new(Vec::new());
    let pause = |wait: &Wait<'_>, _: &Cancel| {
        waits.borrow_mut().push(wait.delay.as_millis());
        true
    };
    let policy = Policy { pause: &pause, ..Policy::default() };
    assert!(Server::start(scripts).stream_with(api, &policy).0.is_ok());
    waits.into_inner()
}

fn delays_that_servers_name() {
    let date = "date: Wed, 21 Oct 2026 07:28:00 GMT\r\n";
    assert_eq!(waits(Api::Anthropic, "retry-after: 7\r\n", ""), [7_000]);
    assert_eq!(waits(Api::OpenAi, "retry-after: 7\r\nretry-after-ms: 1250\r\n", ""), [1_250]);
    assert_eq!(waits(Api::Responses, &format!("{date}retry-after: Wed, 21 Oct 2026 07:28:09 GMT\r\n"), ""), [9_000]);
    let resets = "x-ratelimit-remaining-requests: 0\r\nx-ratelimit-reset-requests: 1.5s\r\n";
    assert_eq!(waits(Api::OpenAi, resets, ""), [1_500]);
    let reset = format!("{date}anthropic-ratelimit-requests-reset: 2026-10-21T07:28:03Z\r\n");
    assert_eq!(waits(Api::Anthropic, &reset, ""), [3_000]);
    let body = r#"{"error":{"code":429,"message":"Quota","details":[
        {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"11.5s"}]}}"#;
    assert_eq!(waits(Api::Gemini, "", body), [11_500]);
    assert_eq!(waits(Api::DeepSeek, "", "Rate limit"), [500]);
    let spent =
        r#"{"error":{"message":"You exceeded your quota","type":"insufficient_quota","code":"insufficient_quota"}}"#;
    let server = Server::start([Step::reply(429, "retry-after: 1\r\n", spent)]);
    let error = server.stream(Api::OpenAi).0.unwrap_err();
    assert_eq!(error.to_string(), "the account has nothing left (429): You exceeded your quota");
}

fn overloads_are_waited_for() {
    for status in [500, 502, 503, 504, 529] {
        for (api, stream) in streams() {
            let server = Server::start([Step::reply(status, "", "busy"), Step::stream([stream.as_bytes()])]);
            assert!(server.stream(api).0.is_ok(), "{api} {status}");
        }
        let server = Server::start([(); 4].map(|()| Step::reply(status, "", r#"{"error":{"message":"busy"}}"#)));
        let (answer, events) = server.stream(Api::Gemini);
        assert_eq!((answer, events), (Err(ProviderError::Server { status, message: "busy".into() }), vec![]));
    }
}

fn rejected_keys_of_every_api() {
    let google = format!(
        r#"[{{"error":{{"code":400,"message":"API key not valid: {KEY}","status":"INVALID_ARGUMENT",
        "details":[{{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}}]}}}}]"#
    );
    let plain =
        format!(r#"{{"type":"error","error":{{"type":"authentication_error","message":"invalid x-api-key {KEY}"}}}}"#);
    for (api, _) in streams() {
        let (status, body) = if api == Api::Gemini { (400, &google) } else { (401, &plain) };
        let server = Server::start([Step::reply(status, "", body)]);
        let (answer, events) = server.stream(api);
        assert!(matches!(answer, Err(ProviderError::KeyRejected { .. })), "{api}: {answer:?}");
        assert!(events.is_empty());
    }
}

fn empty_streams() {
    let start = before(recorded(Api::Anthropic), "event: content_block_start").to_owned();
    let anthropic = start
        + "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n";
    let empty = [
        (Api::Anthropic, &*anthropic),
        (Api::OpenAi, "data: [DONE]\n\n"),
        (Api::Gemini, "data: {\"candidates\":[{\"finishReason\":\"STOP\"}]}\n\n"),
        (
            Api::Responses,
            "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[]}}\n\n",
        ),
    ];
    for (api, stream) in empty {
        let (answer, _) = Server::start([Step::stream([stream.as_bytes()])]).stream(api);
        assert_eq!(answer, Err(ProviderError::Empty), "{api}");
    }
}

/// A server that says the key again, in everything that is kept of it.
fn keys_that_servers_repeat() {
    let stream = format!(
        "data: {{\"model\":\"{KEY}\",\"choices\":[{{\"delta\":{{\"content\":\"you are {KEY}\",\"reasoning_content\":\"{KEY}\",\
         \"tool_calls\":[{{\"id\":\"{KEY}\",\"function\":{{\"name\":\"{KEY}\",\"arguments\":\"{KEY}\"}}}}]}}}}]}}\n\ndata: [DONE]\n\n"
    );
    let (answer, events) = Server::start([Step::stream([stream.as_bytes()])]).stream(Api::OpenAi);
    assert!(!format!("{events:?}").contains(KEY), "{events:?}");
    // The answer is looked through in `stream`.
    assert_eq!(&*answer.unwrap().message.text(), "you are …");
    let refusal = format!("data: {{\"choices\":[{{\"delta\":{{\"refusal\":\"{KEY}\"}}}}]}}\n\ndata: [DONE]\n\n");
    assert!(Server::start([Step::stream([refusal.as_bytes()])]).stream(Api::OpenAi).0.is_err());
}

/// The API says all of it once more at its end; refusals and signatures come in pieces too.
fn keys_in_pieces_leave_no_raw_answer() {
    use crate::server::asking;
    use contexture_providers::{ModelRequest, Unanswered, stream};
    let delta = |kind: &str, c: char| format!("data: {{\"type\":\"response.{kind}.delta\",\"delta\":\"{c}\"}}\n\n");
    let pieces = |kind: &str| KEY.chars().map(|c| delta(kind, c)).collect::<String>();
    let end = format!(
        "data: {{\"type\":\"response.completed\",\"response\":{{\"status\":\"completed\",\"output\":[{{\"type\":\"message\",\
         \"content\":[{{\"type\":\"output_text\",\"text\":\"{KEY}\"}}]}}]}}}}\n\n"
    );
    let chat: String =
        KEY.chars().map(|c| format!("data: {{\"choices\":[{{\"delta\":{{\"refusal\":\"{c}\"}}}}]}}\n\n")).collect();
    let cases = [
        (Api::Responses, pieces("output_text") + &end),
        (Api::Responses, pieces("refusal") + &end),
        (Api::Responses, pieces("something_new") + &end),
        (Api::OpenAi, chat + "data: [DONE]\n\n"),
    ];
    for (api, events) in cases {
        let server = Server::start([Step::stream([events.as_bytes()])]);
        let result =
            stream(&ModelRequest { api, ..asking(&server.url) }, &Policy::default(), &mut |_| {}, &Cancel::new());
        let raw = match result {
            Ok(answer) => answer.raw,
            Err(Unanswered { partial, .. }) => partial.unwrap().raw,
        };
        assert_eq!(raw, "", "{api}");
    }
    // The end alone has a place to take it out of.
    let (answer, _) = Server::start([Step::stream([end.as_bytes()])]).stream(Api::Responses);
    assert_eq!(answer.unwrap().raw, end.replace(KEY, "…"));
}

/// Refused, cut off, empty, silent, too large: the server has counted, and what came can be looked at.
fn what_is_no_answer_is_counted() {
    use crate::server::asking;
    use contexture_providers::{Cancel, ModelRequest, PartialAnswer, Usage, complete, stream};
    let ask = |script: Vec<Step>, policy: &Policy| -> (ProviderError, Option<Box<PartialAnswer>>) {
        let server = Server::start([script]);
        let ask = ModelRequest { api: Api::Anthropic, ..asking(&server.url) };
        let unanswered = stream(&ask, policy, &mut |_| {}, &Cancel::new()).unwrap_err();
        (unanswered.error, unanswered.partial)
    };
    let patient = Policy { retries: 0, ..Policy::default() };
    let start = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":25,\
        \"cache_read_input_tokens\":5,\"output_tokens\":1}}}\n\n";
    let end = "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"refusal\"},\"usage\":{\"output_tokens\":3}}\n\n\
        data: {\"type\":\"message_stop\"}\n\n";
    let counted = |output| Usage { input: Some(30), cached: Some(5), output: Some(output), ..Usage::default() };
    let refused = [start, end].concat();
    let empty = refused.replace("refusal", "end_turn");
    let cases = [
        (Step::stream([refused.as_bytes()]), counted(3), &*refused),
        (Step::stream([empty.as_bytes()]), counted(3), &*empty),
        (Step::stream([start.as_bytes()]), counted(1), start),
        ([Step::begun(start), vec![Step::Hold]].concat(), counted(1), start),
        ([Step::begun(start), vec![Step::Flood("data: ".into())]].concat(), counted(1), ""),
    ];
    for (script, usage, raw) in cases {
        let policy = Policy { silence: SILENCE, largest: 1 << 21, ..patient };
        let (error, partial) = ask(script, &policy);
        let partial = partial.unwrap();
        assert_eq!((partial.usage, partial.raw.as_str()), (usage, raw), "{error}");
    }
    // Nobody has worked on these.
    for script in
        [Step::reply(400, "", "no"), Step::reply(200, "content-type: text/html\r\n", "<p>"), vec![Step::Request]]
    {
        assert_eq!(ask(script, &patient).1, None);
    }
    // A whole answer.
    let body = r#"{"choices":[{"message":{"refusal":"No."}}],"usage":{"prompt_tokens":7,"completion_tokens":2}}"#;
    let server = Server::start([Step::reply(200, "", body)]);
    let partial = complete(&asking(&server.url), &patient, &Cancel::new()).unwrap_err().partial.unwrap();
    assert_eq!((partial.usage.input, partial.usage.output, partial.raw.as_str()), (Some(7), Some(2), body));
}

fn attempts_before_the_last_are_counted() {
    use crate::server::asking;
    use contexture_providers::{ModelRequest, Usage, stream};
    let whole = recorded(Api::Anthropic);
    let start = before(whole, "event: content_block_start");
    let seen = RefCell::new(Vec::new());
    let pause = |wait: &Wait<'_>, _: &Cancel| {
        seen.borrow_mut().push(wait.usage.map(|usage| usage.input));
        true
    };
    let policy = Policy { pause: &pause, ..Policy::default() };
    let ask = |scripts: Vec<Vec<Step>>| {
        let server = Server::start(scripts);
        stream(&ModelRequest { api: Api::Anthropic, ..asking(&server.url) }, &policy, &mut |_| {}, &Cancel::new())
    };
    let begun = || Step::stream([start.as_bytes()]);
    // Nobody has worked on the one that is put off.
    let answer = ask(vec![begun(), Step::reply(429, "", ""), begun(), Step::stream([whole.as_bytes()])]).unwrap();
    let inputs = |all: &[Usage]| all.iter().map(|usage| usage.input).collect::<Vec<_>>();
    assert_eq!(inputs(&answer.before), [answer.usage.input; 2]);
    assert_eq!(seen.take(), [Some(answer.usage.input), None, Some(answer.usage.input)]);
    let unanswered = ask([(); 4].map(|()| begun()).to_vec()).unwrap_err();
    assert_eq!((inputs(&unanswered.before).len(), unanswered.partial.unwrap().usage.input), (3, answer.usage.input));
}

/// By whatever name it is sent: it was computed, and would be paid for twice.
fn whole_answers_that_are_cut_are_not_asked_for_again() {
    let half = r#"{"choices":[{"message":{"content":"#;
    let (answer, _) = Server::start([Step::reply(200, "content-type: text/plain\r\n", half)]).stream(Api::OpenAi);
    assert!(matches!(answer, Err(ProviderError::NotJson(_))), "{answer:?}");
    let cut = format!("HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{half}");
    let (answer, _) = Server::start([vec![Step::Request, Step::Send(cut.into_bytes())]]).stream(Api::OpenAi);
    assert!(matches!(answer, Err(ProviderError::Cut { received: 0, .. })), "{answer:?}");
}
