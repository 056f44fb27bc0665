//! Requests for judges outside: the providers' own libraries, which `cargo xtask test` asks.

use std::io::Write;

/// Appends a request to the file that `CONTEXTURE_REQUESTS` names, as a line of JSON; does nothing without it.
pub fn hand_over(api: &str, body: &str) {
    let Some(file) = std::env::var_os("CONTEXTURE_REQUESTS") else { return };
    let line = format!("{{\"api\":\"{api}\",\"body\":{}}}\n", serde_json::Value::from(body));
    let written = std::fs::OpenOptions::new().append(true).create(true).open(&file);
    // One call, so that lines of several processes stay whole.
    written.and_then(|mut file| file.write_all(line.as_bytes())).expect("the file of requests can be written");
}
