//! Progress, cancellation, and clients that go away.

use super::client::Client;
use contexture_testkit::TestEnv;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A project that takes seconds to count without a cache.
fn large() -> TestEnv {
    project(600)
}

fn project(files: usize) -> TestEnv {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    for number in 0..files {
        let text: String = (0..400).map(|line| format!("line {line} of {number}: {}\n", line * number)).collect();
        env.write(&format!("many/{}/{number}.txt", number / 100), text);
    }
    env.write("small.txt", "small\n");
    env
}

const MANY: &str = "tokens";

#[test]
fn progress_rises_and_stops() {
    let env = large();
    let mut client = Client::greeted(&env, &["--no-cache"]);
    let begun = Instant::now();
    let answer = client.ask("tools/call", json!({"name": MANY, "arguments": {}, "_meta": {"progressToken": "p"}}));
    let seconds = begun.elapsed().as_secs_f64();
    assert_eq!(answer["result"]["isError"], false);
    let told: Vec<f64> = client
        .heard
        .iter()
        .filter(|said| said["method"] == "notifications/progress")
        .filter_map(|said| said["params"]["progress"].as_f64())
        .collect();
    assert!(!told.is_empty() && told.windows(2).all(|pair| pair[0] < pair[1]), "{told:?}");
    assert!((told.len() as f64) <= 2.0 + 10.0 * seconds, "{} in {seconds} s", told.len());
    assert!(client.heard.iter().all(|said| said["params"]["progressToken"] == "p"));
    assert_eq!(client.message(Duration::from_millis(300)), None);
    // Who does not ask is not told.
    client.heard.clear();
    client.call(MANY, json!({}));
    assert_eq!(client.heard, Vec::<serde_json::Value>::new());
}

/// Begins a call, waits until it tells of progress, and gives it up there.
fn give_up(client: &mut Client, tool: &str, arguments: &Value) {
    let id = client.begin("tools/call", json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": "p"}}));
    let told = client.message(Duration::from_secs(60)).expect("progress");
    assert_eq!(told["method"], "notifications/progress", "{tool}: {told}");
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id, "reason": "enough"}}));
}

#[test]
fn a_cancelled_call_is_dropped_at_once() {
    let env = large();
    let mut client = Client::greeted(&env, &["--no-cache"]);
    client.call("read", json!({"path": "small.txt"}));
    // More than ever go on at once, and yet there is room for the next one.
    let begun: Vec<u64> = (0..12).map(|_| client.begin("tools/call", json!({"name": MANY, "arguments": {}}))).collect();
    for id in begun {
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    }
    give_up(&mut client, MANY, &json!({}));
    client.call("read", json!({"path": "small.txt"}));
    let is_progress = |said: &Value| said["method"] == "notifications/progress";
    assert!(client.heard.iter().all(is_progress), "nothing is said of a call that was given up: {:?}", client.heard);
    assert_eq!(client.leave(), Some(0));
}

/// Ticks of the processor that the server used so far.
#[cfg(target_os = "linux")]
fn ticks(client: &Client) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", client.child.id())).unwrap();
    let fields: Vec<u64> =
        stat.rsplit(')').next().unwrap().split_whitespace().map(|word| word.parse().unwrap_or(0)).collect();
    fields[11] + fields[12]
}

#[cfg(target_os = "linux")]
#[test]
fn what_was_cancelled_stops_working() {
    let env = project(300);
    let mut client = Client::greeted(&env, &["--no-cache"]);
    // The vocabulary is loaded once.
    client.call(MANY, json!({"paths": ["small.txt"]}));
    for (tool, arguments) in [
        (MANY, json!({})),
        ("plan", json!({})),
        ("search", json!({"query": "line"})),
        ("build", json!({"budget": 5000, "query": "file"})),
    ] {
        // Ticks of the processor are counted, not time: others may use it, too. They are coarse, so there are three attempts; a
        // call that goes on would fail in all of them.
        let mut attempt = || {
            let from = ticks(&client);
            client.call(tool, arguments.clone());
            let whole = ticks(&client) - from;
            give_up(&mut client, tool, &arguments);
            // Were the first one to go on, it would work beside the second one, and both would be done at about the same moment.
            let from = ticks(&client);
            client.call(tool, arguments.clone());
            (ticks(&client) - from, whole)
        };
        let attempts: Vec<(u64, u64)> = (0..3).map(|_| attempt()).collect();
        let has_stopped = attempts.iter().any(|(used, whole)| *used < whole * 3 / 2);
        assert!(has_stopped, "{tool}: ticks used after a cancelled call, and usual ones: {attempts:?}");
    }
}

#[test]
fn a_client_that_goes_away_ends_the_process() {
    let env = large();
    let mut client = Client::greeted(&env, &["--no-cache"]);
    client.begin("tools/call", json!({"name": MANY, "arguments": {}, "_meta": {"progressToken": 1}}));
    assert!(client.message(Duration::from_secs(60)).is_some(), "progress");
    assert_eq!(client.leave(), Some(0));
    // Before it said anything.
    assert_eq!(Client::start(&env, &[]).leave(), Some(0));
    // In the middle of a word.
    let mut client = Client::start(&env, &[]);
    client.raw(b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"meth");
    assert_eq!(client.leave(), Some(0));
}
