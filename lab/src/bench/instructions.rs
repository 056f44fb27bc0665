//! `cargo xtask bench instructions`: the instructions of one build, as callgrind counts them.
//!
//! Takes the built product; prints one number for `contexture build` over the repository's own `crates/` folder, on one
//! thread and without a cache. Unlike seconds it hardly changes from run to run, so a slow-down shows on a busy machine too.
//! The folder grows with the product, so instructions per byte are the figure to compare over time.

use super::corpus::make;
use super::ours::Programs;
use crate::proc;
use std::path::Path;
use std::process::Command;

pub fn run(bench: &Path, programs: &Programs) -> Result<(), String> {
    let folder = proc::root().join("crates");
    let home = bench.join("home-instructions");
    make(&home)?;
    let profile = bench.join("callgrind.out");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--quiet"]).arg(format!("--callgrind-out-file={}", profile.display()));
    command.arg(&programs.contexture).args(["build", "--no-cache", "--threads", "1", "-o"]);
    command.arg(bench.join("instructions.md")).arg("--root").arg(&folder);
    command.env("HOME", &home).env("XDG_CACHE_HOME", home.join("cache")).env("XDG_CONFIG_HOME", home.join("config"));
    proc::capture(&mut command)?;
    let text =
        std::fs::read_to_string(&profile).map_err(|error| format!("cannot read `{}`: {error}", profile.display()))?;
    let total = total(&text).ok_or_else(|| format!("no total in the profile: `{}`", profile.display()))?;
    let facts = proc::capture(Command::new(&programs.limit).arg("limit").arg(&folder))?;
    let bytes: u64 = facts.split_whitespace().nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    println!("instructions: {total}\nbytes of text: {bytes}\ninstructions per byte: {}", total / bytes.max(1));
    println!("profile: {}; read it with `callgrind_annotate`", profile.display());
    Ok(())
}

/// The total of a callgrind profile: the number after `summary:` or `totals:`.
fn total(profile: &str) -> Option<u64> {
    let line =
        profile.lines().rev().find_map(|line| line.strip_prefix("totals:").or_else(|| line.strip_prefix("summary:")));
    line?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::total;

    #[test]
    fn the_total_is_found_at_the_end() {
        assert_eq!(total("version: 1\nsummary: 11\nfn=x\n1 2\ntotals: 12 3\n"), Some(12));
        assert_eq!(total("summary: 11\nfn=x\n"), Some(11));
        assert_eq!(total("nothing"), None);
    }
}
