//! Progress, cancellation, and clients that go away.

use super::client::Client;
use contexture_testkit::TestEnv;
use serde_json::json;
use std::time::{Duration, Instant};

/// A project that takes seconds to count without a cache.
fn large() -> TestEnv {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    for number in 0..1500 {
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

#[test]
fn a_cancelled_call_is_dropped_at_once() {
    let env = large();
    let mut client = Client::greeted(&env, &["--no-cache"]);
    client.call("read", json!({"path": "small.txt"}));
    for _ in 0..12 {
        let id = client.begin("tools/call", json!({"name": MANY, "arguments": {}}));
        std::thread::sleep(Duration::from_millis(60));
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id, "reason": "enough"}}));
    }
    // More than ever go on at once were begun, and yet there is room.
    let begun = Instant::now();
    client.call("read", json!({"path": "small.txt"}));
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let rest = client.message(Duration::from_millis(500));
    assert_eq!((rest, client.heard.len()), (None, 0), "nothing is said of a call that was given up");
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
    let env = large();
    let mut client = Client::greeted(&env, &["--no-cache"]);
    client.call("read", json!({"path": "small.txt"}));
    // Ticks of the processor are counted, not time: others may use it, too. A hundred are a second of one core, and all of it
    // would take some hundreds. What weighs a budget looks at no wish: without optimisation it takes a moment to run out.
    for (tool, arguments, most) in [
        (MANY, json!({}), 20),
        ("plan", json!({}), 20),
        ("search", json!({"query": "line"}), 25),
        ("build", json!({"budget": 5000, "query": "file"}), 90),
    ] {
        let id = client.begin("tools/call", json!({"name": tool, "arguments": arguments}));
        // In the middle of reading, or of counting.
        std::thread::sleep(Duration::from_millis(400));
        let before = ticks(&client);
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
        let (mut last, until) = (u64::MAX, Instant::now() + Duration::from_secs(30));
        while last != ticks(&client) && Instant::now() < until {
            last = ticks(&client);
            std::thread::sleep(Duration::from_millis(700));
        }
        let used = ticks(&client) - before;
        assert!(used <= most, "{tool}: {used} ticks after it was given up");
    }
}

#[test]
fn a_client_that_goes_away_ends_the_process() {
    let env = large();
    let mut client = Client::greeted(&env, &["--no-cache"]);
    client.begin("tools/call", json!({"name": MANY, "arguments": {}, "_meta": {"progressToken": 1}}));
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(client.leave(), Some(0));
    // Before it said anything.
    assert_eq!(Client::start(&env, &[]).leave(), Some(0));
    // In the middle of a word.
    let mut client = Client::start(&env, &[]);
    client.raw(b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"meth");
    assert_eq!(client.leave(), Some(0));
}
