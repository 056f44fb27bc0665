//! Trees: long paths assembled, large trees listed, nodes added, and whether any of it grows faster than the work.
//!
//! Takes what `crates/contexture/benches/loom.rs` prints, a line for each case; gives a table and verdicts.

use crate::proc;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

pub fn run() -> Result<String, String> {
    eprintln!("trees");
    let mut cargo = proc::cargo();
    cargo.args(["bench", "-q", "-p", "contexture", "--bench", "loom"]).current_dir(proc::root());
    let lines = proc::capture(&mut cargo)?;
    let mut text = String::from("| case | ms |\n|---|--:|\n");
    let mut cases: BTreeMap<String, f64> = BTreeMap::new();
    for value in lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let (Some(name), Some(ms)) = (value["case"].as_str(), value["ms"].as_f64()) else { continue };
        let _ = writeln!(text, "| {name} | {ms:.2} |");
        cases.insert(name.to_owned(), ms);
    }
    let find = |name: &str| cases.get(name).copied().ok_or_else(|| format!("the benchmark gave no case `{name}`"));
    text.push_str("\n| target | figure | verdict |\n|---|--:|---|\n");
    let mut target = |what: &str, figure: String, is_met: bool| {
        let _ = writeln!(text, "| {what} | {figure} | {} |", if is_met { "met" } else { "MISS" });
    };
    for mode in ["dialogue", "buffer"] {
        let ms = find(&format!("{mode} of 1000000: assembled"))?;
        let quarter = find(&format!("{mode} of 250000: assembled"))?;
        let limit = find(&format!("{mode} of 1000000: limit"))?;
        target(&format!("{mode}: a path of 1,000,000 nodes under 2 s"), format!("{:.2} s", ms / 1e3), ms < 2e3);
        let growth = ms / quarter / 4.0;
        target(
            &format!("{mode}: four times as many cost at most 1.3 × four times"),
            format!("{growth:.2}"),
            growth <= 1.3,
        );
        let ratio = ms / limit;
        target(&format!("{mode}: of reading and counting alone"), format!("{ratio:.2} ×"), ratio < 10.0);
    }
    for what in ["listed", "moved"] {
        let ms = find(&format!("tree of 100000: {what}"))?;
        target(&format!("a tree of 100,000 nodes {what} in under 50 ms"), format!("{ms:.1} ms"), ms < 50.0);
    }
    let (few, many) = (find("store of 1000: one added")?, find("store of 1000000: one added")?);
    target("adding a node costs the same at 1,000 and at 1,000,000", format!("{:.2}", many / few), many / few < 1.5);
    target("adding a node, of a page on disk", format!("{:.2} ×", many / find("a page on disk")?), true);
    Ok(text)
}
