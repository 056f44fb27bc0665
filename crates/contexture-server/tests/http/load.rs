//! Many at once: nobody is sent away, and memory does not grow with what was asked.

use super::client::Served;
use contexture_gather::cache::Cache;
use contexture_testkit::{figure, full};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const CLIENTS: usize = 64;

/// Kibibytes of this process.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

#[test]
fn sixty_four_clients_get_their_answers() {
    let served = Served::start();
    let asked = AtomicU64::new(0);
    let round = |client: usize, turn: usize| {
        let (name, body) = match (client + turn) % 5 {
            0 => ("plan", json!({"request": {"budget": 200, "query": "add"}})),
            1 => ("compose", json!({})),
            2 => ("show", json!({"path": "src/lib.rs", "view": "skeleton"})),
            3 => ("tokens", json!({})),
            _ => ("preview", json!({"request": {"format": "anthropic", "message": "why?"}})),
        };
        let reply = served.ask(name, &body);
        assert_eq!(reply.status, 200, "{name}: {}", reply.body);
        asked.fetch_add(1, Ordering::Relaxed);
    };
    let all = |seconds: Option<u64>| {
        let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
        std::thread::scope(|scope| {
            for client in 0..CLIENTS {
                scope.spawn(move || match end {
                    None => (0..3).for_each(|turn| round(client, turn)),
                    Some(end) => (0..).take_while(|_| Instant::now() < end).for_each(|turn| round(client, turn)),
                });
            }
        });
    };
    all(None);
    let before = memory();
    all(full().then_some(60));
    let after = memory();
    figure(&format!("{} requests, {before} KiB before, {after} KiB after", asked.load(Ordering::Relaxed)));
    // Caches and allocators take some at first; what is asked for must not stay.
    assert!(after < before + before / 2 + 65_536, "{before} KiB before, {after} KiB after");
}

/// Sends a question and goes away.
fn left(served: &Served, name: &str, body: &serde_json::Value) {
    let body = body.to_string();
    let head = format!(
        "POST /api/{name} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        served.host(),
        served.token,
        body.len()
    );
    served.connect().write_all(head.as_bytes()).unwrap();
}

#[test]
fn who_goes_away_pushes_out_no_workbench() {
    let served = Served::start();
    let workbench = served.ask("compose", &json!({})).json()["bench"].clone();
    for _ in 0..8 {
        left(&served, "compose", &json!({}));
    }
    // Those that were left are done at some moment; all of them, were they to go on, would have been by the last of these.
    for _ in 0..20 {
        assert_eq!(served.ask("plan", &json!({})).status, 200);
        let set = served.ask("compose/set", &json!({"bench": workbench, "set": [{"index": [0], "view": "full"}]}));
        assert_eq!(set.status, 200, "{}", set.body);
    }
}

#[test]
fn who_goes_away_stops_counting_and_scanning() {
    let words: Vec<String> =
        (0..300).map(|file| format!("let value_{file} = compute({file}, other);\n").repeat(800)).collect();
    let names: Vec<String> = (0..300).map(|file| format!("src/file_{file}.rs")).collect();
    let files: Vec<(&str, &str)> = names.iter().zip(&words).map(|(name, text)| (&**name, &**text)).collect();
    let remembered = |served: &Served| Cache::open(&served.folder.path().join("cache")).unwrap().check().unwrap();
    for name in ["tokens", "stats", "scan"] {
        let mut served = Served::with(&files[..1]);
        assert_eq!(served.ask(name, &json!({})).status, 200);
        served.finish();
        assert!(
            !remembered(&served).ends_with(": 0 counts, 0 other results"),
            "{name} remembers nothing when it is done"
        );

        let mut served = Served::with(&files);
        let (head, body) = served.question(name, &json!({}));
        let mut stream = served.connect();
        stream.write_all((head + &body).as_bytes()).unwrap();
        let begun = Instant::now();
        // It is under way when it has looked for what is remembered.
        while !served.folder.path().join("cache/cache.sqlite").exists() {
            assert!(begun.elapsed() < Duration::from_secs(30), "{name} does not begin");
            std::thread::yield_now();
        }
        drop(stream);
        served.finish();
        let remembered = remembered(&served);
        assert!(remembered.ends_with(": 0 counts, 0 other results"), "{name} went on: {remembered}");
    }
}

#[test]
fn who_goes_away_stops_the_question_to_a_model() {
    let served = Served::start();
    let provider = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", provider.local_addr().unwrap());
    let mut stream = served.connect();
    let body =
        json!({"provider": "openai", "model": "gpt-5", "base_url": base, "request": {"message": "why?"}}).to_string();
    let head = format!(
        "POST /api/send HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        served.host(),
        served.token,
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    // It is asked, and says nothing.
    let (mut asked, _) = provider.accept().unwrap();
    asked.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    drop(stream);
    let mut said = Vec::new();
    // Ends when the other side closes; a time-out is an error.
    asked.read_to_end(&mut said).unwrap();
    assert!(String::from_utf8_lossy(&said).starts_with("POST "), "{said:?}");
}
