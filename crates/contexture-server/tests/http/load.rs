//! Many at once: nobody is sent away, and memory does not grow with what was asked.

use super::client::Served;
use contexture_testkit::{figure, full};
use serde_json::json;
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
