//! `send` and `check` as a person uses them, against a server on this machine that answers as the APIs document it.
#![allow(clippy::unwrap_used)]

use contexture_testkit::{Ran, TestEnv};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

const KEY: &str = "sk-test-0123456789abcdef";

fn env() -> TestEnv {
    TestEnv::small(env!("CARGO_BIN_EXE_contexture"))
}

/// Answers the requests that come, one after the other, each with the next of these bytes; gives the address and what came.
fn server(answers: Vec<String>) -> (String, Receiver<(String, String)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (came, got) = channel();
    std::thread::spawn(move || {
        for answer in answers {
            let (stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut head, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap() <= 2 {
                    break;
                }
                if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                head.push_str(&line);
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let _ = came.send((head, String::from_utf8(body).unwrap()));
            let mut stream = stream;
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (address, got)
}

fn http(status: &str, kind: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

fn streamed(events: &[Value]) -> String {
    let event = |value: &Value| format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap());
    http("200 OK", "text/event-stream", &events.iter().map(event).collect::<String>())
}

fn claude(texts: &[&str], input: u64) -> String {
    let usage = json!({"input_tokens": input, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 20, "output_tokens": 1});
    let mut events = vec![
        json!({"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "model": "claude-opus-5-1",
               "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
    ];
    let delta =
        |text: &&str| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}});
    events.extend(texts.iter().map(delta));
    events.push(json!({"type": "content_block_stop", "index": 0}));
    events.push(json!({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null}, "usage": {"output_tokens": 7}}));
    events.push(json!({"type": "message_stop"}));
    streamed(&events)
}

fn error(status: &str, message: &str) -> String {
    http(status, "application/json", &json!({"type": "error", "error": {"type": "e", "message": message}}).to_string())
}

fn send(env: &TestEnv, url: &str, words: &[&str]) -> Ran {
    let mut all = vec!["send", "--base-url", url, "--message", "What does it say?"];
    all.extend(words);
    let mut command = env.command(&all);
    command.env("ANTHROPIC_API_KEY", KEY).env("OPENAI_API_KEY", KEY);
    let output = command.output().unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn an_answer_comes_on_standard_output_and_its_run_is_kept() {
    let env = env();
    let (url, got) = server(vec![claude(&["It says ", "hello."], 50), claude(&["Again."], 50)]);
    let ran = send(&env, &url, &["--model", "claude-opus-5", "--max-answer", "99"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "It says hello.\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("100 in, 30 of it cached, 7 out") && ran.stderr.contains("run 1"), "{}", ran.stderr);
    let (head, body) = got.recv().unwrap();
    assert!(head.starts_with("POST /v1/messages ") && head.to_ascii_lowercase().contains(&format!("x-api-key: {KEY}")));
    let sent: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(
        (&sent["stream"], &sent["max_tokens"], &sent["model"]),
        (&json!(true), &json!(99), &json!("claude-opus-5"))
    );
    let content = sent["messages"][0]["content"].as_array().unwrap();
    assert!(content[0]["text"].as_str().unwrap().contains("println!"));
    assert_eq!(content.last().unwrap()["text"], "What does it say?");

    // What is kept is what was sent, to the byte.
    assert_eq!(env.run(&["runs", "show", "last", "--request"]).stdout, body);
    let kept = env.run(&["runs", "show", "last", "--json"]);
    let manifest: Value = serde_json::from_str(&kept.stdout).unwrap();
    assert_eq!(manifest["sent"]["usage"], json!({"input": 100, "output": 7, "cached": 30, "written": 20}));
    assert!(manifest["sent"]["cost"].as_f64().unwrap() > 0.0 && manifest["sent"]["error"].is_null(), "{}", kept.stdout);

    // The next one knows what the cache kept.
    let again = send(&env, &url, &["--model", "claude-opus-5", "--json"]);
    let events: Vec<Value> = again.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!((names[0], names[names.len() - 1]), ("request", "done"), "{names:?}");
    assert_eq!(events[0]["request"]["learnt_from"], 0);
    assert!(events[0]["request"]["cache"]["tokens"].is_u64());
    assert_eq!((&events[events.len() - 1]["answer"], &events[events.len() - 1]["run"]), (&json!("Again."), &json!(2)));
    let diff: Value = serde_json::from_str(&env.run(&["runs", "diff", "--json"]).stdout).unwrap();
    assert_eq!((&diff["first"]["exact"], &diff["first"]["byte"]), (&json!(true), &json!(39)), "{diff}");
}

#[test]
fn figures_are_learnt_from_several_answers_of_one_server_and_agree() {
    let env = env();
    // Enough that the cache takes it.
    env.write("src/long.rs", "fn long() { println!(\"a line of a long file\"); }\n".repeat(500));
    let planned = |url: &str| -> Value {
        let ran = send(&env, url, &["--model", "claude-opus-5", "--dry-run", "--json"]);
        serde_json::from_str::<Value>(&ran.stdout).unwrap()["request"].take()
    };
    let ours = planned("http://127.0.0.1:9")["tokens"].as_u64().unwrap();
    let theirs = ours * 6 / 5;
    // The first one is no count of this text.
    let counts = [10, theirs - 50, theirs - 50, theirs - 50];
    let (url, _got) = server(counts.iter().map(|count| claude(&["Yes."], *count)).collect());
    for (nth, _) in counts.iter().enumerate() {
        let told = planned(&url);
        assert_eq!((&told["learnt_from"], &told["tokens"]), (&json!(0), &json!(ours)), "{nth}");
        assert_eq!(send(&env, &url, &["--model", "claude-opus-5"]).code, Some(0));
    }
    let told = planned(&url);
    assert_eq!((&told["learnt_from"], &told["tokens"]), (&json!(3), &json!(theirs)));
    let (reused, written) = (&told["cache"]["reused_tokens"], &told["cache"]["written_tokens"]);
    let parts = reused.as_u64().unwrap() + written.as_u64().unwrap();
    assert!(reused.as_u64().unwrap() > ours && parts <= theirs, "{}", told["cache"]);
    assert_eq!(told["cache"]["tokens"], theirs);
    // What one server counts says nothing of another.
    let other = planned("http://127.0.0.1:9");
    assert_eq!((&other["learnt_from"], &other["tokens"]), (&json!(0), &json!(ours)));
}

#[test]
fn a_dry_run_sends_nothing() {
    let env = env();
    let ran = send(&env, "http://127.0.0.1:9", &["--model", "gpt-5.5", "--dry-run"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.starts_with("to openai gpt-5.5: ") && ran.stdout.contains(" without the answer"),
        "{}",
        ran.stdout
    );
    assert_eq!(env.run(&["runs", "--json"]).stdout.matches("\"kind\"").count(), 0);
}

#[test]
fn what_fails_is_told_recorded_and_has_its_code() {
    let env = env();
    let (url, _got) = server(vec![
        error("401 Unauthorized", &format!("wrong key {KEY}")),
        error("400 Bad Request", "no such thing"),
        http("200 OK", "text/html", "<html>sign in</html>"),
        streamed(&[json!({"type": "message_start", "message": {"usage": {"input_tokens": 1}}})]),
    ]);
    let wanted = ["rejects the key", "no such thing", "text/html", ""];
    for (nth, words) in wanted.iter().enumerate() {
        let ran = send(&env, &url, &["--model", "claude-opus-5", "-vvv"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(7), ""), "{nth}: {}", ran.stderr);
        let told = ran.stderr.lines().find(|line| line.starts_with("error:")).unwrap();
        assert!(told.contains(words), "{nth}: {told}");
        assert!(!ran.stderr.contains(KEY), "{nth}: the key is told");
    }
    let runs: Value = serde_json::from_str(&env.run(&["runs", "--json"]).stdout).unwrap();
    let errors = runs["runs"].as_array().unwrap().iter().filter(|run| run["sent"]["error"].is_string()).count();
    assert_eq!(errors, 4);
    for file in walk(&env.home()) {
        assert!(!String::from_utf8_lossy(&std::fs::read(&file).unwrap()).contains(KEY), "{}", file.display());
    }
}

#[test]
fn what_is_no_answer_is_counted_and_kept() {
    let env = env();
    let refused = claude(&["I will "], 50).replace("end_turn", "refusal");
    let cut = refused.split("event: message_delta").next().unwrap().to_owned();
    let (url, _got) = server(vec![refused.clone(), refused, cut]);
    let ran = send(&env, &url, &["--model", "claude-opus-5", "--json"]);
    assert_eq!(ran.code, Some(7), "{}", ran.stderr);
    let failed = ran.stdout.lines().find(|line| line.contains("\"failed\"")).unwrap();
    let failed: Value = serde_json::from_str(failed).unwrap();
    assert_eq!(
        (&failed["usage"]["input"], &failed["usage"]["output"], &failed["run"]),
        (&json!(100), &json!(7), &json!(1))
    );
    assert!(
        failed["cost"].as_f64().unwrap() > 0.0 && failed["error"].as_str().unwrap().contains("refusal"),
        "{failed}"
    );
    let ran = send(&env, &url, &["--model", "claude-opus-5"]);
    assert!(ran.stderr.contains("without an answer: 100 in, 30 of it cached, 7 out, $"), "{}", ran.stderr);
    let ran = send(&env, &url, &["--model", "claude-opus-5"]);
    assert!(ran.stderr.contains("broke off after 7 bytes of the answer"), "{}", ran.stderr);
    let list = env.run(&["runs"]).stdout;
    let line = list.lines().find(|line| line.trim_start().starts_with("2 ")).unwrap();
    let told = ", failed: the model does not answer this (`refusal`)";
    assert!(line.contains("  anthropic claude-opus-5, $") && line.ends_with(told), "{line}");
    let shown = env.run(&["runs", "show", "2"]).stdout;
    assert!(shown.lines().any(|line| line.starts_with("sent ") && line.ends_with(told)), "{shown}");
    for (run, output) in [("1", 7), ("2", 7), ("3", 1)] {
        let manifest: Value = serde_json::from_str(&env.run(&["runs", "show", run, "--json"]).stdout).unwrap();
        let sent = &manifest["sent"];
        assert_eq!(sent["usage"], json!({"input": 100, "output": output, "cached": 30, "written": 20}), "{sent}");
        assert!(sent["cost"].as_f64().unwrap() > 0.0 && sent["error"].is_string(), "{sent}");
        let raw = env.run(&["runs", "show", run, "--response"]).stdout;
        assert!(raw.contains("I will "), "{raw}");
    }
}

/// What the program prints, on a terminal of its own.
#[cfg(unix)]
fn on_a_terminal(mut command: std::process::Command) -> String {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use std::os::unix::ffi::OsStrExt;
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap();
    let theirs = std::fs::OpenOptions::new().write(true).open(std::ffi::OsStr::from_bytes(name.to_bytes())).unwrap();
    let reading = std::thread::spawn(move || {
        let (mut ours, mut all) = (std::fs::File::from(ours), Vec::new());
        // It ends with an error when nobody holds the other side any more.
        let _ = ours.read_to_end(&mut all);
        String::from_utf8(all).unwrap().replace("\r\n", "\n")
    });
    command.stdout(theirs).stderr(std::process::Stdio::null()).status().unwrap();
    // It holds the other side.
    drop(command);
    reading.join().unwrap()
}

/// Clears the screen, sets the title, uses a control character of one byte, turns the text; and an emoji that is left alone.
const HARM: [&str; 5] =
    ["a\u{1b}", "[2J\u{1b}]0;x\u{7}", "b\u{9b}31m\rc\td\r\n", "\u{202e}e\u{200b}", "👩\u{200d}🔧\n"];

#[cfg(unix)]
#[test]
fn an_answer_does_nothing_to_a_terminal() {
    let env = env();
    let (url, _got) = server(vec![claude(&HARM, 50), claude(&HARM, 50)]);
    let words = ["send", "--base-url", &url, "-m", "why?", "--model", "claude-opus-5"];
    let mut command = env.command(&words);
    command.env("ANTHROPIC_API_KEY", KEY);
    let shown = "a<U+001B>[2J<U+001B>]0;x<U+0007>b<U+009B>31m<U+000D>c\td\n<U+202E>e<U+200B>👩\u{200d}🔧\n";
    assert_eq!(on_a_terminal(command), shown);
    let raw = on_a_terminal(env.command(&["runs", "show", "last", "--response"]));
    assert!(raw.contains("[2J") && !raw.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{raw}");
    // Whoever reads it from a pipe gets the bytes.
    assert_eq!(send(&env, &url, &["--model", "claude-opus-5"]).stdout, HARM.concat());
}

#[test]
fn calls_are_printed_where_nothing_is_said() {
    let env = env();
    let block = json!({"type": "tool_use", "id": "t", "name": "look", "input": {}});
    let (url, _got) = server(vec![streamed(&[
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 9}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{\"at\":"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "7}"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 7}}),
        json!({"type": "message_stop"}),
    ])]);
    let ran = send(&env, &url, &["--model", "claude-opus-5"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "calls look {\"at\":7}\n"), "{}", ran.stderr);
}

#[test]
fn a_call_is_one_line_whatever_is_in_it() {
    let env = env();
    let block = json!({"type": "tool_use", "id": "t", "name": "lo\nok", "input": {}});
    let piece = "{\n  \"at\": \"a\\nb\"\n}";
    let (url, _got) = server(vec![streamed(&[
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": piece}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
        json!({"type": "message_stop"}),
    ])]);
    let ran = send(&env, &url, &["--model", "claude-opus-5"]);
    assert_eq!(ran.stdout, "calls lo\\nok {\"at\":\"a\\nb\"}\n", "{}", ran.stderr);
}

#[test]
fn json_is_a_line_for_each_event_to_the_last() {
    let env = env();
    let busy = http("429 Busy", "application/json", "{}").replace("connection:", "retry-after: 0\r\nconnection:");
    let (url, _got) = server(vec![busy.clone(), error("401 Unauthorized", "no"), busy, claude(&["Yes."], 50)]);
    let ran = send(&env, &url, &["--model", "claude-opus-5", "--json"]);
    assert_eq!(ran.code, Some(7), "{}", ran.stderr);
    let events: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap_or("error")).collect();
    assert_eq!(names, ["request", "waiting", "failed", "error"]);
    assert_eq!(events[3]["error"]["code"], 7);
    // People are told for what they wait, too.
    let ran = send(&env, &url, &["--model", "claude-opus-5"]);
    assert!(ran.stderr.contains("waits 0.0 s: too many requests") && ran.stdout == "Yes.\n", "{}", ran.stderr);
}

#[test]
fn an_answer_that_does_not_end_is_told() {
    let env = env();
    let open = claude(&["I look"], 50);
    let untold = open.replace("\"stop_reason\":\"end_turn\"", "\"stop_reason\":null");
    let half = streamed(&[
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "So"}}),
        json!({"type": "ping"}),
    ]);
    let (url, _got) = server(vec![http_again(&open.replace("end_turn", "pause_turn")), http_again(&untold), half]);
    let ran = send(&env, &url, &["--model", "claude-opus-5"]);
    assert!(ran.code == Some(0) && ran.stderr.contains("it stopped with `pause_turn`"), "{}", ran.stderr);
    let ran = send(&env, &url, &["--model", "claude-opus-5"]);
    assert!(ran.stderr.contains("does not say why the answer ends"), "{}", ran.stderr);
    // Nobody counted, so there is nothing to say of it.
    let ran = send(&env, &url, &["--model", "claude-opus-5"]);
    assert!(ran.stdout == "So\n" && !ran.stderr.contains("without an answer"), "{}", ran.stderr);
}

/// With the length of the body that it has now.
fn http_again(answer: &str) -> String {
    http("200 OK", "text/event-stream", answer.split_once("\r\n\r\n").unwrap().1)
}

#[test]
fn attempts_that_came_to_nothing_are_paid_for() {
    let env = env();
    let whole = claude(&["Yes."], 50);
    let begun = http_again(whole.split("event: content_block_start").next().unwrap());
    let (url, _got) = server(vec![whole.clone(), begun, whole]);
    let cost = || {
        let ran = send(&env, &url, &["--model", "claude-opus-5", "--json"]);
        let done: Value = serde_json::from_str(ran.stdout.lines().last().unwrap()).unwrap();
        (done["cost"].as_f64().unwrap(), done["before"].as_array().unwrap().len(), done["usage"]["input"].clone())
    };
    let (once, twice) = (cost(), cost());
    assert_eq!((once.1, twice.1, &once.2), (0, 1, &twice.2));
    assert!(twice.0 > once.0 * 1.2, "{once:?} {twice:?}");
}

#[test]
fn a_key_in_pieces_is_not_shown() {
    let env = env();
    let pieces = ["your key is ", &KEY[..2], &KEY[2..15], &KEY[15..], ", it seem", "s"];
    let (url, _got) = server(vec![claude(&pieces, 50), claude(&pieces, 50)]);
    let ran = send(&env, &url, &["--model", "claude-opus-5"]);
    assert_eq!(ran.stdout, "your key is …, it seems\n");
    assert!(ran.stderr.contains("the raw answer was not kept"), "{}", ran.stderr);
    let shown = env.run(&["runs", "show", "last", "--response"]);
    assert!(shown.code == Some(1) && shown.stderr.contains("none with the key in pieces"), "{}", shown.stderr);
    let ran = send(&env, &url, &["--model", "claude-opus-5", "--json"]);
    assert!(!ran.stdout.contains(&KEY[2..15]), "{}", ran.stdout);
    for file in walk(&env.home()) {
        let bytes = std::fs::read(&file).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains(&KEY[2..15]), "{}", file.display());
    }
}

#[test]
fn a_word_for_a_key_stays_in_the_answer() {
    let env = env();
    let (url, _got) = server(vec![claude(&["Use oll", "ama to run it"], 50), error("401 Unauthorized", "not ollama")]);
    let ask = || {
        let words = ["send", "--base-url", &url, "-m", "how?", "--model", "claude-opus-5"];
        env.command(&words).env("ANTHROPIC_API_KEY", "ollama").output().unwrap()
    };
    assert_eq!(String::from_utf8_lossy(&ask().stdout), "Use ollama to run it\n");
    assert!(env.run(&["runs", "show", "last", "--response"]).stdout.contains("ama to run it"));
    let failed = ask();
    let told = String::from_utf8_lossy(&failed.stderr);
    assert!(told.contains("not …"), "{told}");
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    let mut left = vec![folder.to_path_buf()];
    while let Some(next) = left.pop() {
        match std::fs::read_dir(&next) {
            Ok(entries) => left.extend(entries.map(|entry| entry.unwrap().path())),
            Err(_) => files.push(next),
        }
    }
    files
}

#[test]
fn a_persona_says_who_answers_and_who_does_if_not() {
    let env = env();
    env.write(
        "contexture.toml",
        r#"[personas.reviewer]
system_prompt = "You review code."
preferred_models = [
  { provider = "anthropic", model = "claude-opus-5", max_output_tokens = 77 },
  { provider = "anthropic", model = "claude-haiku-4-5" },
]
"#,
    );
    let (url, got) = server(vec![error("400 Bad Request", "gone"), claude(&["Fine."], 9)]);
    let ran = send(&env, &url, &["--persona", "reviewer"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "Fine.\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("`claude-haiku-4-5` is asked instead"), "{}", ran.stderr);
    let first: Value = serde_json::from_str(&got.recv().unwrap().1).unwrap();
    let second: Value = serde_json::from_str(&got.recv().unwrap().1).unwrap();
    assert_eq!((&first["model"], &first["max_tokens"]), (&json!("claude-opus-5"), &json!(77)));
    assert_eq!((&second["model"], &second["max_tokens"]), (&json!("claude-haiku-4-5"), &json!(4096)));
    assert_eq!(second["system"][0]["text"], "You review code.");
}

#[test]
fn settings_are_those_of_the_provider_and_its_model() {
    let env = env();
    env.write(
        "contexture.toml",
        r#"[personas.p]
preferred_models = [
  { provider = "nobody", model = "n" },
  { provider = "openai", model = "gpt-5.2", temperature = 0.1, max_output_tokens = 111 },
  { provider = "responses", model = "gpt-5.2", temperature = 0.9, max_output_tokens = 999 },
]
"#,
    );
    let (url, got) = server(vec![error("400 Bad Request", "gone"); 5]);
    let sent = |words: &[&str]| -> (Value, String) {
        let ran = send(&env, &url, &[&["--persona", "p"], words].concat());
        (serde_json::from_str(&got.recv().unwrap().1).unwrap(), ran.stderr)
    };
    let (body, _) = sent(&["--provider", "responses"]);
    assert_eq!((&body["temperature"], &body["max_output_tokens"]), (&json!(0.9), &json!(999)));
    let (body, _) = sent(&["--provider", "openai", "--model", "gpt-5.2"]);
    assert_eq!((&body["temperature"], &body["max_completion_tokens"]), (&json!(0.1), &json!(111)));
    let (body, _) = sent(&["--provider", "deepseek", "--model", "gpt-5.2"]);
    assert_eq!(body["temperature"], Value::Null);
    // Of a provider that nobody knows only this one model is passed over.
    let ran = send(&env, &url, &["--persona", "p", "--dry-run"]);
    assert!(ran.code == Some(0) && ran.stdout.starts_with("to openai gpt-5.2"), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("no such provider is known: `n` of `nobody`"), "{}", ran.stderr);
    let ran = env.run(&["persona", "show", "p"]);
    assert!(ran.stderr.contains("no such provider is known: `n` of `nobody`"), "{}", ran.stderr);
}

#[test]
fn no_key_goes_to_the_server_of_another_api() {
    let env = env();
    env.write(
        "contexture.toml",
        r#"[personas.p]
preferred_models = [{ provider = "anthropic", model = "claude-opus-5" }, { provider = "openai", model = "gpt-5.5" }]
"#,
    );
    let (url, got) = server(vec![error("400 Bad Request", "gone"), error("400 Bad Request", "gone")]);
    let ran = send(&env, &url, &["--persona", "p"]);
    assert_eq!(ran.code, Some(7), "{}", ran.stderr);
    assert!(got.recv().unwrap().0.starts_with("POST /v1/messages "));
    assert!(got.try_recv().is_err(), "the other API was asked at the same address");
}

#[test]
fn who_is_asked_must_be_known() {
    let env = env();
    let told = |words: &[&str]| {
        let ran = send(&env, "http://127.0.0.1:9", words);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        ran.stderr.lines().find(|line| line.starts_with("error:")).unwrap().to_owned()
    };
    assert_eq!(told(&[]), "error: nobody is named to be asked");
    assert_eq!(told(&["--provider", "gemini"]), "error: no model is named");
    assert_eq!(told(&["--model", "private"]), "error: nobody is known to serve `private`");
    assert_eq!(told(&["--model", "claude-opus-5", "--key-env", "NOT_SET"]), "error: the variable `NOT_SET` is not set");
}

#[test]
fn what_cannot_be_asked_is_told_before_anything_leaves() {
    let env = env();
    let wrong: [(&[&str], &str); 15] = [
        (&["--base-url", "ftp://x"], "cannot use the base URL"),
        (&["--base-url", "nonsense", "--dry-run"], "cannot use the base URL"),
        (&[], "there is no key for `anthropic`: `ANTHROPIC_API_KEY` is not set"),
        (&["--provider", "gemini", "--model", "g"], "`GEMINI_API_KEY` or `GOOGLE_API_KEY` is not set"),
        (&["--key-env", "sk-SECRET"], "the variable that `--key-env` names is not set"),
        (&["--key-env", "NOT_SET"], "`NOT_SET` is not set"),
        (&["--key-env", "SPACED"], "`SPACED`: cannot use the key"),
        (&["--temperature", "nan"], "from 0 to 2"),
        (&["--temperature", "inf"], "from 0 to 2"),
        (&["--temperature", "-1"], "from 0 to 2"),
        (&["--temperature", "2.5"], "from 0 to 2"),
        (&["--max-answer", "99999999999"], "is not in 1..=10000000"),
        (&["--provider", "gemini-cli", "--base-url", "http://127.0.0.1:9"], "`gemini-cli` takes neither"),
        (&["--provider", "gemini-cli", "--key-env", "SPACED"], "`gemini-cli` takes neither"),
        (&["--provider", "gemini", "--model", "../../x?y=1"], "cannot be the name of a model"),
    ];
    for (words, told) in wrong {
        let model = if words.contains(&"--model") { &[][..] } else { &["--model", "claude-opus-5"] };
        let words = [&["send", "-m", "why?"], words, model].concat();
        let output = env.command(&words).env("SPACED", "a b").output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && stderr.contains(told), "{words:?}: {stderr}");
        assert!(!stderr.contains("SECRET"), "{stderr}");
        assert!(!stderr.contains("to anthropic") && !stderr.contains("to gemini"), "{stderr}");
    }
    assert_eq!(env.run(&["runs"]).stdout, "");
}

#[cfg(unix)]
#[test]
fn a_key_that_is_no_text_is_told() {
    use std::os::unix::ffi::OsStrExt;
    let env = env();
    let words = ["send", "-m", "why?", "--model", "claude-opus-5", "--base-url", "http://127.0.0.1:9"];
    let mut command = env.command(&words);
    let output = command.env("ANTHROPIC_API_KEY", std::ffi::OsStr::from_bytes(b"sk-\xff")).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && stderr.contains("`ANTHROPIC_API_KEY`: cannot use the key"), "{stderr}");
}

#[test]
fn the_first_request_pays_for_what_the_cache_keeps() {
    let env = env();
    // Enough that the cache takes it.
    env.write("src/long.rs", "fn long() { println!(\"a line of a long file\"); }\n".repeat(2_000));
    let ran = send(&env, "http://127.0.0.1:9", &["--model", "claude-opus-5", "--dry-run", "--json"]);
    let told: Value = serde_json::from_str(&ran.stdout).unwrap();
    let request = &told["request"];
    let written = request["cache"]["written_tokens"].as_u64().unwrap();
    assert!(written > 10_000 && request["cache"]["reused_tokens"] == 0, "{}", request["cache"]);
    let price = contexture_core::models::price("claude-opus-5").unwrap();
    let plain = request["tokens"].as_u64().unwrap() as f64 * price.input / 1e6;
    assert!(request["cost"].as_f64().unwrap() > plain * 1.1, "{} {plain}", request["cost"]);
}

#[cfg(unix)]
#[test]
fn gemini_cli_is_asked_as_a_program() {
    use std::os::unix::fs::PermissionsExt;
    let env = env();
    let program = env.temp().join("gemini");
    // Says what it was asked, in the events of the program.
    let script = r#"#!/bin/sh
asked=$(tail -c 17)
printf '{"type":"init","timestamp":"t","session_id":"s","model":"gemini-x"}\n'
printf '{"type":"message","timestamp":"t","role":"assistant","content":"You ask: %s","delta":true}\n' "$asked"
printf '{"type":"result","timestamp":"t","status":"success","stats":{"total_tokens":9,"input_tokens":7,"output_tokens":2,"cached":0}}\n'
"#;
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).unwrap();
    let output = env
        .command(&["send", "--provider", "gemini-cli", "--message", "What does it say?"])
        .env("CONTEXTURE_GEMINI_CLI", &program)
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "You ask: What does it say?\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let kept: Value = serde_json::from_str(&env.run(&["runs", "show", "last", "--request"]).stdout).unwrap();
    let prompt = kept["prompt"].as_str().unwrap();
    assert!(prompt.contains("println!") && prompt.ends_with("What does it say?") && kept["system"].is_string());
    let tokens = |question: &str| {
        let words = ["send", "--provider", "gemini-cli", "--message", question, "--dry-run", "--json"];
        env.run(&words).json()["request"]["tokens"].as_u64().unwrap()
    };
    assert_eq!(tokens(&"What does it say? ".repeat(101)) - tokens("What does it say? "), 500);
}

#[test]
fn requests_are_checked_by_themselves() {
    let env = env();
    for api in ["anthropic", "openai", "responses", "gemini", "deepseek", "minimax"] {
        let built = env.run(&["build", "--format", api, "-m", "why?", "-o", "out.json"]);
        assert_eq!(built.code, Some(0), "{}", built.stderr);
        assert_eq!(built.stderr.contains("the request names no model"), api != "gemini", "{}", built.stderr);
        let built = env.run(&["build", "--format", api, "--model", "gpt-5", "-m", "why?", "-o", "out.json"]);
        assert_eq!(built.code, Some(0), "{}", built.stderr);
        let ran = env.run(&["check", "out.json", "--provider", api]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{api}: {}", ran.stderr);
    }
    env.write("bad.json", r#"{"model":"m","max_tokens":1,"messages":[{"role":"assistant","content":""}]}"#);
    let ran = env.run(&["check", "bad.json", "--provider", "anthropic"]);
    assert_eq!(ran.code, Some(8));
    insta::assert_snapshot!(ran.stdout, @"messages[0]: the first message is the model's (begin with one of role `user`)");
    let ran = env.run(&["check", "bad.json", "--provider", "anthropic", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&ran.stdout).unwrap()["valid"], false);
    assert_eq!(env.run(&["check", "none.json", "--provider", "gemini"]).code, Some(2));
}

#[test]
fn a_request_that_would_be_refused_is_not_written() {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    for format in ["anthropic", "openai", "responses", "gemini", "deepseek", "minimax", "messages"] {
        let ran = env.run(&["build", "--format", format, "--model", "gpt-5", "-o", "out.json"]);
        assert_eq!(ran.code, Some(8), "{}", ran.all());
        assert!(ran.stderr.contains("there is nothing to show, and nothing is asked"), "{}", ran.all());
        assert!(ran.stderr.contains("`--message TEXT` asks something"), "{}", ran.all());
        assert!(!env.root().join("out.json").exists());
        let ran = env.run(&["build", "--format", format, "--model", "gpt-5", "-m", "hi", "-o", "-"]);
        assert_eq!(ran.code, Some(0), "{}", ran.all());
    }
}
