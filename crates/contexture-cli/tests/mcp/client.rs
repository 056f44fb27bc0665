//! A client that speaks the protocol line by line, so that every byte of standard output is looked at.

use contexture_testkit::TestEnv;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Longer than anything here takes, so that a hanging server fails a test and not the run.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    pub child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    next: u64,
    /// Messages without an id that came meanwhile.
    pub heard: Vec<Value>,
    /// Requests of the server are answered with this, where it asks for roots.
    pub roots: Option<Value>,
}

impl Client {
    pub fn start(env: &TestEnv, args: &[&str]) -> Self {
        let mut words = vec!["mcp"];
        words.extend(args);
        let mut child = env
            .command(&words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        let output = child.stdout.take().expect("standard output");
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let line = line.expect("standard output is UTF-8");
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines, next: 0, heard: Vec::new(), roots: None }
    }

    /// With the handshake of older generations.
    pub fn greeted(env: &TestEnv, args: &[&str]) -> Self {
        let mut client = Self::start(env, args);
        client.greet(json!({}));
        client
    }

    pub fn greet(&mut self, capabilities: Value) -> Value {
        let about = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "test", "version": "1"}});
        let answer = self.ask("initialize", about);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("standard input is open");
        // A server that has gone will be noticed by whoever waits for its answer.
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    pub fn send(&mut self, message: &Value) {
        self.raw(format!("{message}\n").as_bytes());
    }

    pub fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The answer to a request; other messages are kept.
    pub fn answer(&mut self, id: u64) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            let message = self.message(until.saturating_duration_since(Instant::now())).expect("an answer in time");
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.keep(message);
        }
    }

    fn keep(&mut self, message: Value) {
        if let (Some(roots), "roots/list") = (&self.roots, message["method"].as_str().unwrap_or_default()) {
            let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": {"roots": roots}});
            self.send(&answer);
        }
        self.heard.push(message);
    }

    /// The next line; it must be a message of the protocol.
    pub fn message(&mut self, patience: Duration) -> Option<Value> {
        let line = match self.lines.recv_timeout(patience) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
        };
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        Some(message)
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer(id)
    }

    /// The structured answer of a tool that must succeed, and its text.
    pub fn call(&mut self, name: &str, arguments: Value) -> (Value, String) {
        let answer = self.ask("tools/call", json!({"name": name, "arguments": arguments}));
        let result = &answer["result"];
        assert_eq!(result["isError"], false, "{name} {arguments}: {answer}");
        (result["structuredContent"].clone(), result["content"][0]["text"].as_str().unwrap_or_default().to_owned())
    }

    /// What a tool says that must fail.
    pub fn refused(&mut self, name: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", json!({"name": name, "arguments": arguments}));
        assert_eq!(answer["result"]["isError"], true, "{name} {arguments}: {answer}");
        answer["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
    }

    pub fn read(&mut self, uri: &str) -> Value {
        self.ask("resources/read", json!({"uri": uri}))
    }

    /// Goes away; gives the exit code, or none when the server stays.
    pub fn leave(mut self) -> Option<i32> {
        self.input = None;
        let until = Instant::now() + Duration::from_secs(15);
        while Instant::now() < until {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
