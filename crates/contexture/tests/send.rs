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

    // What is kept is what was sent, without the word that asks for a stream.
    let kept = env.run(&["runs", "show", "last", "--json"]);
    let manifest: Value = serde_json::from_str(&kept.stdout).unwrap();
    assert_eq!(manifest["sent"]["usage"], json!({"input": 100, "output": 7, "cached": 30, "written": 20}));
    assert!(manifest["sent"]["cost"].as_f64().unwrap() > 0.0 && manifest["sent"]["error"].is_null(), "{}", kept.stdout);

    // The next one knows how the provider counts, and what its cache kept.
    let again = send(&env, &url, &["--model", "claude-opus-5", "--json"]);
    let events: Vec<Value> = again.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!((names[0], names[names.len() - 1]), ("request", "done"), "{names:?}");
    assert_eq!((&events[0]["request"]["learnt_from"], &events[0]["request"]["tokens"]), (&json!(1), &json!(100)));
    assert!(events[0]["request"]["cache"]["tokens"].is_u64());
    assert_eq!((&events[events.len() - 1]["answer"], &events[events.len() - 1]["run"]), (&json!("Again."), &json!(2)));
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
}

#[test]
fn requests_are_checked_by_themselves() {
    let env = env();
    for api in ["anthropic", "openai", "responses", "gemini", "deepseek", "minimax"] {
        let built = env.run(&["build", "--format", api, "-m", "why?", "-o", "out.json"]);
        assert_eq!(built.code, Some(0), "{}", built.stderr);
        let ran = env.run(&["check", "out.json", "--provider", api]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{api}: {}", ran.stderr);
    }
    env.write("bad.json", r#"{"max_tokens":1,"messages":[{"role":"assistant","content":""}]}"#);
    let ran = env.run(&["check", "bad.json", "--provider", "anthropic"]);
    assert_eq!(ran.code, Some(8));
    insta::assert_snapshot!(ran.stdout, @"messages[0]: the first message is the model's (begin with one of role `user`)");
    let ran = env.run(&["check", "bad.json", "--provider", "anthropic", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&ran.stdout).unwrap()["valid"], false);
    assert_eq!(env.run(&["check", "none.json", "--provider", "gemini"]).code, Some(2));
}
