//! A request of ten megabytes for each API, against copying its bytes and escaping them.
//!
//! Takes what `crates/contexture-core/benches/requests.rs` prints, a line for each case; gives a table with verdicts.

use crate::proc;
use serde_json::Value;
use std::fmt::Write as _;

/// Writing a request may take so many times as long as copying its bytes and escaping them.
const MOST: f64 = 2.0;

pub fn run() -> Result<String, String> {
    eprintln!("requests of ten megabytes");
    let mut cargo = proc::cargo();
    cargo.args(["bench", "-q", "-p", "contexture-core", "--bench", "requests"]).current_dir(proc::root());
    let lines = proc::capture(&mut cargo)?;
    let cases: Vec<(String, [f64; 2])> = lines.lines().filter_map(case).collect();
    let figure = |name: &str| {
        let found = cases.iter().find(|(case, _)| case == name).map(|(_, figures)| *figures);
        found.ok_or_else(|| format!("the benchmark gave no case `{name}`"))
    };
    let (copy, escape) = (figure("copy")?, figure("escape")?);
    let floor = [copy[0] + escape[0], copy[1] + escape[1]];
    let mut text = String::from("| request | best ms | median ms | × floor, best | × floor, median | verdict |\n");
    text.push_str("|---|--:|--:|--:|--:|---|\n");
    let _ = writeln!(text, "| floor: copy and escape | {:.1} | {:.1} | 1.00 | 1.00 |  |", floor[0], floor[1]);
    for (name, figures) in cases.iter().filter(|(name, _)| !["copy", "escape"].contains(&name.as_str())) {
        let ratios = [figures[0] / floor[0], figures[1] / floor[1]];
        // Other programs on the machine disturb the best round the least.
        let verdict = if ratios[0] <= MOST { "PASS" } else { "MISS" };
        let _ = writeln!(
            text,
            "| {name} | {:.1} | {:.1} | {:.2} | {:.2} | {verdict} |",
            figures[0], figures[1], ratios[0], ratios[1]
        );
    }
    Ok(text)
}

fn case(line: &str) -> Option<(String, [f64; 2])> {
    let value: Value = serde_json::from_str(line).ok()?;
    Some((value["case"].as_str()?.to_owned(), [value["best"].as_f64()?, value["median"].as_f64()?]))
}
