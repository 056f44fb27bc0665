//! An agent's context: times and memory of the library in one process, and whether they grow with the work alone.
//!
//! Takes what `crates/contexture/benches/agent.rs` prints, a line for each case; gives a table and verdicts.

use crate::proc;
use serde_json::Value;
use std::fmt::Write as _;

/// A case as it was measured.
struct Case {
    name: String,
    ms: f64,
    peak: f64,
    texts: f64,
}

pub fn run() -> Result<String, String> {
    eprintln!("contexts of an agent");
    let mut cargo = proc::cargo();
    cargo.args(["bench", "-q", "-p", "contexture", "--bench", "agent"]).current_dir(proc::root());
    let lines = proc::capture(&mut cargo)?;
    let cases: Vec<Case> = lines.lines().filter_map(case).collect();
    let mut text = String::from("| case | median ms | MB while building | MB of texts |\n|---|--:|--:|--:|\n");
    for case in &cases {
        let texts = if case.texts > 0.0 { format!("{:.2}", case.texts / 1e6) } else { "–".into() };
        let _ = writeln!(text, "| {} | {:.2} | {:.2} | {texts} |", case.name, case.ms, case.peak / 1e6);
    }
    text.push_str("\n| target | figure | verdict |\n|---|--:|---|\n");
    let find = |name: &str| {
        cases.iter().find(|case| case.name == name).ok_or_else(|| format!("the benchmark gave no case `{name}`"))
    };
    let typical = find("typical: 4,000 tokens")?;
    let full = find("typical: 100,000 tokens")?;
    let large = find("large: 2000 skills, 50000 messages, all shown")?;
    let quarter = find("large: 500 skills, 12500 messages, all shown")?;
    let (first, more) = (find("10,000 messages: first")?, find("10,000 messages: one more")?);
    let slowest = typical.ms.max(full.ms);
    let growth = large.ms / quarter.ms / 4.0;
    let mut target = |what: &str, figure: String, is_met: bool| {
        let _ = writeln!(text, "| {what} | {figure} | {} |", if is_met { "met" } else { "MISS" });
    };
    target("typical case: at most 10 ms", format!("{slowest:.2} ms"), slowest <= 10.0);
    let memory = typical.peak.max(full.peak) / 1e6;
    target("typical case: under 1 MB above the texts", format!("{memory:.2} MB"), memory < 1.0);
    target("2,000 skills, 50,000 messages, all shown: under 1 s", format!("{:.2} s", large.ms / 1e3), large.ms < 1e3);
    target("four times as many cost at most 1.3 × four times", format!("{growth:.2}"), growth <= 1.3);
    target("one message more in 10,000, of the first time", format!("{:.2}", more.ms / first.ms), more.ms < first.ms);
    Ok(text)
}

fn case(line: &str) -> Option<Case> {
    let value: Value = serde_json::from_str(line).ok()?;
    Some(Case {
        name: value["case"].as_str()?.to_owned(),
        ms: value["ms"].as_f64()?,
        peak: value["peak"].as_f64()?,
        texts: value["texts"].as_f64()?,
    })
}
