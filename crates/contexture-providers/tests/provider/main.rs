//! The client against servers on this machine that follow a script, to the byte.
//!
//! Each scenario is a test; one more test runs all of them with every event of every library collected, and looks for the key.
#![allow(clippy::unwrap_used)]

macro_rules! scenarios {
    ($($name:ident)*) => {
        mod scenario {
            $(#[test] fn $name() {
                let _guard = crate::ALONE.read();
                super::$name();
            })*
        }
        pub const ALL: &[fn()] = &[$($name),*];
    };
}

mod events;
mod faults;
mod logs;
mod program;
mod server;
mod stopping;
mod streams;

use contexture_core::{Message, Role};
use contexture_providers::{Cancel, Endpoint, ModelRequest, Policy, ProviderError, Usage, complete};
use events::Collector;
use server::{BODY, KEY, Server, Step, asking, checked};
use std::io::ErrorKind;
use std::net::TcpListener;
use std::sync::RwLock;
use std::time::Duration;

const GOOD: &str = r#"{"choices":[{"index":0,"message":{"role":"assistant","content":" Hello. \n"}}]}"#;

scenarios! {
    chat_is_answered text_is_answered choices_usage_and_calls_are_read no_key_no_header
    too_many_requests_wait_as_long_as_the_server_says too_many_requests_without_a_delay a_delay_beyond_the_time_is_not_waited_for
    failures_pass_or_stay other_failures_are_not_repeated hang_ups_are_repeated a_cut_answer_is_not_repeated
    slow_answers_time_out nobody_listens garbage_is_no_answer json_of_any_content_type_is_read
    announced_giants_are_not_read flowing_giants_are_cut_off the_limit_is_exact rejected_keys_are_not_repeated_to_the_person
    refusals_tell_what_the_server_says redirects_are_not_followed base_urls_have_forms tls_to_a_plain_server_fails
}

/// Written by the test that collects. What another thread does first, while only this one collects, is collected never.
static ALONE: RwLock<()> = RwLock::new(());

#[test]
fn the_key_is_in_no_event() {
    let _guard = ALONE.write();
    logs::collect();
    let seen = Collector::default();
    let all = || ALL.iter().chain(streams::ALL).chain(faults::ALL).chain(program::ALL).for_each(|scenario| scenario());
    // Their own tests may have run in this process already.
    insta::allow_duplicates! { tracing::subscriber::with_default(seen.clone(), all) };
    let (seen, older) = (seen.0.lock().unwrap(), logs::seen());
    assert!(seen.contains("asking again") && seen.contains("127.0.0.1"), "{seen}");
    assert!(older.contains("reqwest") && older.contains("127.0.0.1"), "{older}");
    // Neither key nor anything that was said, and nothing of an address but host and port.
    for secret in [KEY, &KEY[8..20], "Bearer", "uthorization", "api-key", "Say ä", "Hello", "Zürich", "/v1"] {
        assert!(!seen.contains(secret), "`{secret}` in {seen}");
        assert!(!older.contains(secret), "`{secret}` in {older}");
    }
}

fn chat_is_answered() {
    let server = Server::start([Step::reply(200, "", GOOD)]);
    let answer = server.ask(Endpoint::Chat).unwrap();
    assert_eq!((answer.message, answer.others.len()), (Message::new(Role::Assistant, " Hello. \n"), 0));
    assert_eq!((&*answer.raw, answer.model, answer.usage, answer.first), (GOOD, None, Usage::default(), None));
    let requests = server.requests();
    assert!(requests[0].head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{}", requests[0].head);
    assert_eq!(requests[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(requests[0].header("content-type"), Some("application/json"));
    assert_eq!((requests.len(), &*requests[0].body), (1, BODY));
}

fn text_is_answered() {
    let body =
        r#"{"object":"text_completion","choices":[{"text":"\n and so on ","index":0,"finish_reason":"length"}]}"#;
    let server = Server::start([Step::chunked(body)]);
    let answer = server.ask(Endpoint::Text).unwrap();
    assert_eq!((&*answer.message.text(), &*answer.raw), ("\n and so on ", body));
    assert!(server.requests()[0].head.starts_with("POST /v1/completions HTTP/1.1\r\n"));
}

fn choices_usage_and_calls_are_read() {
    let body = r#"{"model":"small-1","choices":[
        {"message":{"role":"assistant","content":[{"type":"text","text":"a "},{"type":"text","text":"b"}]}},
        {"message":{"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[
            {"id":"c1","type":"function","function":{"name":"now","arguments":"{}"}}]}},
        {"message":{"role":"assistant","content":"ünïcödé 🌳"}}],
        "usage":{"prompt_tokens":11,"completion_tokens":7}}"#;
    let answer = Server::start([Step::reply(200, "content-type: application/json\r\n", body)]).ask(Endpoint::Chat);
    let answer = answer.unwrap();
    let choices: Vec<Message> = std::iter::once(answer.message).chain(answer.others).collect();
    let texts: Vec<String> = choices.iter().map(|choice| choice.text().to_string()).collect();
    assert_eq!(texts, ["a b", "", "ünïcödé 🌳"]);
    assert_eq!((&*choices[1].calls[0].name, &*choices[1].calls[0].id), ("now", "c1"));
    assert_eq!(
        (answer.model.as_deref(), answer.usage.input, answer.usage.output),
        (Some("small-1"), Some(11), Some(7))
    );
}

fn no_key_no_header() {
    let server = Server::start([Step::reply(200, "", GOOD)]);
    let ask = ModelRequest { key: None, ..asking(&server.url) };
    assert!(complete(&ask, &Policy::default(), &Cancel::new()).is_ok());
    assert_eq!(server.requests()[0].header("authorization"), None);
}

fn too_many_requests_wait_as_long_as_the_server_says() {
    let dates = "date: Wed, 21 Oct 2026 07:28:00 GMT\r\nretry-after: Wed, 21 Oct 2026 07:28:09 GMT\r\n";
    let server = Server::start([
        Step::reply(429, "retry-after: 7\r\n", ""),
        Step::reply(429, dates, "{}"),
        Step::reply(429, "retry-after: 3600\r\n", ""),
        Step::reply(200, "", GOOD),
    ]);
    let (answer, pauses) = server.ask_patiently();
    assert!(answer.is_ok());
    // The last one is cut to half a minute.
    assert_eq!(pauses, [7_000, 9_000, 30_000]);
    let requests = server.requests();
    assert!(requests.len() == 4 && requests.iter().all(|request| request.body == BODY));
}

fn too_many_requests_without_a_delay() {
    let busy = r#"{"error":{"message":"You are\ntoo quick."}}"#;
    let server = Server::start([(); 4].map(|()| Step::reply(429, "", busy)));
    let (answer, pauses) = server.ask_patiently();
    let error = answer.unwrap_err();
    assert_eq!(error.to_string(), "too many requests: You are too quick.");
    assert_eq!(pauses, [500, 1_000, 2_000]);
    assert_eq!(server.requests().len(), 4);
}

fn a_delay_beyond_the_time_is_not_waited_for() {
    let server = Server::start([Step::reply(429, "retry-after: 100\r\n", "")]);
    let policy = Policy { pause: &|_, _| panic!("waits"), ..Policy::default() };
    let ask = ModelRequest { timeout: Duration::from_secs(20), ..asking(&server.url) };
    let error = checked(complete(&ask, &policy, &Cancel::new())).unwrap_err();
    let wanted = ProviderError::TooManyRequests { delay: Some(Duration::from_secs(100)), message: String::new() };
    assert_eq!((&error, error.hint()), (&wanted, "try again in 100 s".into()));
}

fn failures_pass_or_stay() {
    for status in [500, 502, 503, 504, 529] {
        let server = Server::start([Step::reply(status, "", "<html>no</html>"), Step::reply(200, "", GOOD)]);
        let (answer, pauses) = server.ask_patiently();
        assert_eq!((answer.is_ok(), pauses), (true, vec![500]), "{status}");
        let server = Server::start([(); 4].map(|()| Step::reply(status, "retry-after: 0\r\n", "<html>no</html>")));
        let (answer, pauses) = server.ask_patiently();
        assert_eq!(answer, Err(ProviderError::Server { status, message: String::new() }));
        assert_eq!(pauses, [0, 0, 0]);
    }
}

fn other_failures_are_not_repeated() {
    for status in [501, 505, 599] {
        let server = Server::start([Step::reply(status, "", "upstream is away")]);
        let (answer, pauses) = server.ask_patiently();
        assert_eq!(answer, Err(ProviderError::Server { status, message: "upstream is away".into() }));
        assert!(pauses.is_empty());
    }
}

fn hang_ups_are_repeated() {
    // Closed after the request, reset in the middle of it, and then an answer.
    let server = Server::start([vec![Step::Request], vec![Step::Reset], Step::reply(200, "", GOOD)]);
    let (answer, pauses) = server.ask_patiently();
    assert_eq!((answer.map(|answer| answer.others.len() + 1), pauses), (Ok(1), vec![500, 1_000]));
    let server = Server::start([(); 4].map(|()| vec![Step::Request]));
    let (answer, pauses) = server.ask_patiently();
    assert!(matches!(answer, Err(ProviderError::Broken { .. })), "{answer:?}");
    assert_eq!((pauses.len(), server.requests().len()), (3, 4));
}

fn a_cut_answer_is_not_repeated() {
    let cut = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{GOOD}", GOOD.len() + 1);
    let chunk = format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{GOOD}\r\n", GOOD.len());
    for answer in [cut, chunk] {
        let server = Server::start([vec![Step::Request, Step::Send(answer.into_bytes())]]);
        let (answer, pauses) = server.ask_patiently();
        assert!(matches!(answer, Err(ProviderError::Broken { .. })), "{answer:?}");
        assert!(pauses.is_empty());
    }
}

fn slow_answers_time_out() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{".to_vec();
    let after = Duration::from_millis(100);
    for script in [vec![Step::Request, Step::Hold], vec![Step::Request, Step::Send(head), Step::Hold]] {
        let server = Server::start([script]);
        let ask = ModelRequest { timeout: after, ..asking(&server.url) };
        let error = checked(complete(&ask, &Policy::default(), &Cancel::new())).unwrap_err();
        assert_eq!(error, ProviderError::TimedOut { server: server.name(), after });
    }
}

fn nobody_listens() {
    let policy = Policy { pause: &|_, _| panic!("waits"), ..Policy::default() };
    // No program that is started by tests gets this port.
    let told = checked(complete(&asking("http://127.0.0.1:1/v1"), &policy, &Cancel::new())).unwrap_err().to_string();
    assert!(told.starts_with("cannot connect to `127.0.0.1:1`: ") && told.contains("refused"), "{told}");
}

fn garbage_is_no_answer() {
    let raw = |bytes: &[u8]| vec![Step::Request, Step::Send(bytes.to_vec())];
    let error = |script| Server::start([script]).ask(Endpoint::Chat).unwrap_err();
    assert!(matches!(error(raw(b"\x00\xff\x17 what is this?\r\n\r\n")), ProviderError::Broken { .. }));
    assert!(matches!(error(raw(b"HTTP/1.1 99999 OK\r\n\r\n")), ProviderError::Broken { .. }));
    assert!(matches!(error(raw(b"HTTP/1.1 200 OK\r\n\r\n{\"a\xff\"}")), ProviderError::NotJson(_)));
    assert!(matches!(error(raw(b"HTTP/1.1 200 OK\r\n\r\n")), ProviderError::NotJson(_)));
    assert!(matches!(error(raw(b"HTTP/1.1 204 None\r\n\r\n")), ProviderError::NotJson(_)));
    let html = Step::reply(200, "content-type: text/html\r\n", "<!doctype html><title>Welcome</title>");
    assert_eq!(error(html).to_string(), "the server sends `text/html` in place of an answer");
    assert!(matches!(error(Step::reply(200, "", "{}")), ProviderError::NotAnswer(_)));
    assert_eq!(error(Step::reply(200, "", r#"{"choices":[{"text":""}]}"#)), ProviderError::Empty);
}

fn json_of_any_content_type_is_read() {
    for kind in ["text/html", "text/plain; charset=latin1", "x"] {
        let server = Server::start([Step::reply(200, &format!("content-type: {kind}\r\n"), GOOD)]);
        assert_eq!(server.ask(Endpoint::Chat).unwrap().raw, GOOD);
    }
}

fn announced_giants_are_not_read() {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", (64 << 20) + 1);
    let server = Server::start([vec![Step::Request, Step::Send(head.into_bytes()), Step::Hold]]);
    assert_eq!(server.ask(Endpoint::Chat), Err(ProviderError::TooLarge { limit: 64 << 20 }));
}

fn flowing_giants_are_cut_off() {
    let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    let server = Server::start([vec![Step::Request, Step::Send(head), Step::Flood(" ".into())]]);
    assert_eq!(server.ask(Endpoint::Chat), Err(ProviderError::TooLarge { limit: 64 << 20 }));
}

fn the_limit_is_exact() {
    for script in [Step::reply(200, "", GOOD), Step::chunked(GOOD)] {
        for (largest, fits) in [(GOOD.len(), true), (GOOD.len() - 1, false), (0, false)] {
            let server = Server::start([script.clone()]);
            let policy = Policy { largest, ..Policy::default() };
            assert_eq!(checked(complete(&asking(&server.url), &policy, &Cancel::new())).is_ok(), fits);
        }
    }
}

fn rejected_keys_are_not_repeated_to_the_person() {
    let echoes = [
        format!(r#"{{"error":{{"message":"Incorrect API key provided: {KEY}. See the page."}}}}"#),
        format!("Bearer {KEY}"),
        format!(r#"{{"seen":{{"authorization":"{}"}}}}"#, KEY.to_uppercase()),
        format!("{}{KEY}", "x".repeat(290)),
        format!("<p>{KEY}"),
    ];
    for status in [401, 403, 400, 429, 500] {
        for echo in &echoes {
            let server = Server::start([Step::reply(status, "", echo)]);
            let policy = Policy { retries: 0, ..Policy::default() };
            // The key is looked for in `checked`.
            let error = checked(complete(&asking(&server.url), &policy, &Cancel::new())).unwrap_err();
            assert_eq!(matches!(error, ProviderError::KeyRejected { .. }), status < 404 && status != 400, "{error}");
        }
    }
    let server = Server::start([Step::reply(401, "", &echoes[0])]);
    let error = server.ask(Endpoint::Chat).unwrap_err();
    assert_eq!(error.to_string(), "the server rejects the key (401): Incorrect API key provided: …. See the page.");
}

fn refusals_tell_what_the_server_says() {
    // An error whose text does not come is still that error.
    let cut = b"HTTP/1.1 404 No\r\ncontent-length: 100\r\n\r\n{".to_vec();
    let server = Server::start([vec![Step::Request, Step::Send(cut)]]);
    assert_eq!(server.ask(Endpoint::Chat), Err(ProviderError::Refused { status: 404, message: String::new() }));
    let long = format!(r#"{{"error":{{"message":"{}"}}}}"#, "no ".repeat(1_000));
    let server = Server::start([Step::reply(400, "", &long)]);
    let Err(ProviderError::Refused { status: 400, message }) = server.ask(Endpoint::Chat) else { panic!() };
    assert!(message.chars().count() == 300 && message.starts_with("no no ") && message.ends_with('…'));
    let server = Server::start([Step::reply(404, "", r#"{"error":{"message":"The model `x` does not exist"}}"#)]);
    let error = server.ask(Endpoint::Chat).unwrap_err();
    assert_eq!(error.to_string(), "the server refuses the request (404): The model `x` does not exist");
    assert_eq!(error.hint(), "check the name of the model and the base URL, which most often ends with `/v1`");
}

fn redirects_are_not_followed() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    other.set_nonblocking(true).unwrap();
    for status in [301, 302, 303, 307, 308] {
        let to = other.local_addr().unwrap();
        let location = format!("location: http://name:word@{to}/v1/x?key={KEY}\r\n");
        let server = Server::start([Step::reply(status, &location, "")]);
        let error = server.ask(Endpoint::Chat).unwrap_err();
        assert_eq!(error, ProviderError::Redirected { status, to: format!("http://{to}/v1/x") });
        assert_eq!(server.requests().len(), 1);
    }
    assert_eq!(other.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
    let server = Server::start([Step::reply(302, &format!("location: /{KEY}\r\n"), "")]);
    let wanted = format!("the server redirects (302): http://{}/…", server.name());
    assert_eq!(server.ask(Endpoint::Chat).unwrap_err().to_string(), wanted);
}

fn base_urls_have_forms() {
    for (end, path) in [("", "/"), ("/", "/"), ("/v1", "/v1/"), ("/v1/", "/v1/"), ("/a/v1//", "/a/v1/")] {
        let server = Server::start([Step::reply(200, "", GOOD)]);
        let base = format!("http://{}{end}", server.name());
        assert!(complete(&asking(&base), &Policy::default(), &Cancel::new()).is_ok());
        let head = &server.requests()[0].head;
        assert!(head.starts_with(&format!("POST {path}chat/completions ")), "{head}");
    }
    for base in ["ftp://host", "host:8000", &format!("http://{KEY}@host"), &format!("http://me:{KEY}@host/v1"), KEY] {
        let error = checked(complete(&asking(base), &Policy::default(), &Cancel::new())).unwrap_err();
        assert!(matches!(error, ProviderError::BaseUrl(_)), "{error}");
    }
}

fn tls_to_a_plain_server_fails() {
    let server = Server::start([vec![Step::Reset]]);
    let policy = Policy { retries: 0, ..Policy::default() };
    let base = server.url.replace("http:", "https:");
    // Where the system has no certificates, there is not even a connection.
    let error = checked(complete(&asking(&base), &policy, &Cancel::new())).unwrap_err();
    assert!(matches!(error, ProviderError::Connect { .. } | ProviderError::Client(_)), "{error:?}");
}
