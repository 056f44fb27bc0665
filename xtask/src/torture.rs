//! `cargo xtask torture [NAME…]`: the tests that usually run a share, at full size and in the release profile.
//!
//! Takes names of groups, all when there are none; gives a line for each with cases, seconds and verdict, and an error when
//! one failed. A group is a selection of existing tests: no check lives here. The figures go to docs/reliability.md by hand.

use crate::proc;
use std::process::Command;
use std::time::Instant;
use xtask::packages::{CONVERSATIONS, CORE, GATHER, LIBRARY, PROGRAM, SERVER};

/// Some tests, and how much of them.
struct Group {
    name: &'static str,
    package: &'static str,
    /// `--lib`, or `--test` and the name of a file in `tests/`.
    target: &'static [&'static str],
    /// What the names of the tests begin with or hold; none: all of the target.
    tests: &'static [&'static str],
    /// `PROPTEST_CASES`: chosen so that a group takes minutes on two cores, not hours. 0 where the size is the test's own.
    cases: u32,
    /// What one case is, and for tests with a size of their own how many there are.
    what: &'static str,
}

const fn group(
    name: &'static str,
    package: &'static str,
    target: &'static [&'static str],
    tests: &'static [&'static str],
    cases: u32,
    what: &'static str,
) -> Group {
    Group { name, package, target, tests, cases, what }
}

/// Cheap ones first, so that a broken build is known at once.
const GROUPS: &[Group] = &[
    group("decode", GATHER, &["--lib"], &["decode::"], 1_000_000, "random inputs for each law"),
    group("config", GATHER, &["--lib"], &["config::tests::laws::"], 0, "3,000 entries, 1,000 edits for each law"),
    group("names", GATHER, &["--lib"], &["outputs::"], 0, "64 names for each law, a fault at each step"),
    group("count", CORE, &["--lib"], &["count::"], 200_000, "random texts for each law"),
    group("shape", CORE, &["--lib"], &["shape::"], 20_000, "random files for each law"),
    group("oracle", CORE, &["--test", "oracle"], &[], 0, "1,000,000 documents, two readers"),
    group("laws", CORE, &["--test", "laws"], &[], 100_000, "random projects for each law"),
    group("slices", CORE, &["--lib"], &["anchor::tests::edits"], 1_000_000, "random edits for each law"),
    group("views", CORE, &["--test", "views"], &[], 100_000, "damaged fixtures for each law"),
    group("fitting", CORE, &["--test", "fitting"], &[], 20_000, "random projects, wishes and budgets for each law"),
    group(
        "contexts",
        CORE,
        &["--test", "agent"],
        &["a_context_is_within_its_limit_whole_and_valid"],
        1_000_000,
        "random conversations, workspaces, limits and providers",
    ),
    group(
        "growing",
        CORE,
        &["--test", "agent"],
        &["a_growing_conversation_keeps_its_prefix"],
        20_000,
        "random conversations of 5 to 60 turns",
    ),
    group("sessions", CONVERSATIONS, &["--test", "sessions"], &["laws::"], 15_000, "random files for each law"),
    group(
        "paths",
        CORE,
        &["--test", "loom"],
        &["a_path_is_within_its_budget_and_cut_as_its_strategy_says"],
        100_000,
        "random paths, budgets, strategies, modes and formats",
    ),
    group(
        "trees",
        CONVERSATIONS,
        &["--test", "loom"],
        &["agree::the_store_does_what_the_model_does"],
        5_000,
        "sequences of 200 random operations, a million in all",
    ),
    group(
        "treekills",
        CONVERSATIONS,
        &["--test", "loom"],
        &["processes::kills_lose_nothing_that_was_acknowledged"],
        1_000,
        "kills of processes that write to one store",
    ),
    group(
        "treeleaks",
        CONVERSATIONS,
        &["--test", "loom"],
        &["leaks::nothing_of_a_hidden_node_comes_out"],
        5_000,
        "random trees with hidden nodes by every route",
    ),
    group(
        "treefiles",
        CONVERSATIONS,
        &["--test", "loom_formats"],
        &["laws::"],
        5_000,
        "random trees for each law of six formats",
    ),
    group(
        "workbenches",
        SERVER,
        &["--test", "http"],
        &["workbench::the_total_is_that_of_the_document"],
        5_000,
        "random changes of compositions, each against the document",
    ),
    group(
        "load",
        SERVER,
        &["--test", "http"],
        &["load::sixty_four_clients_get_their_answers"],
        0,
        "64 clients for a minute",
    ),
    group("runs", GATHER, &["--test", "runs"], &["laws::"], 5_000, "random manifests for each law"),
    group(
        "runkills",
        GATHER,
        &["--test", "runs"],
        &["processes::kills_lose_nothing_that_was_acknowledged_and_give_no_number_twice"],
        1_000,
        "kills of processes that record runs",
    ),
    group(
        "requests",
        CORE,
        &["--test", "agent"],
        &["requests::requests_are_valid_and_found_again_as_predicted"],
        200_000,
        "random conversations that go on, over six APIs: valid, marked within limits, found again as predicted",
    ),
    group(
        "documents",
        CORE,
        &["--test", "laws"],
        &["a_request_holds_the_document"],
        800_000,
        "random documents as requests over six APIs",
    ),
    group("replays", LIBRARY, &["--test", "runs"], &[], 2_000, "random projects, edits and options"),
    group(
        "summaries",
        GATHER,
        &["--test", "summaries"],
        &["kills_lose_nothing_that_was_acknowledged"],
        1_000,
        "kills of processes that write to one store of summaries",
    ),
    group(
        "flips",
        GATHER,
        &["--lib"],
        &["summaries::tests::"],
        20_000,
        "keys and choices for each law; every byte of a store flipped",
    ),
    group(
        "servertrees",
        SERVER,
        &["--test", "shared"],
        &["trees::the_server_does_what_the_model_does"],
        100,
        "sequences of 200 random operations on a PostgreSQL server",
    ),
    group(
        "summarize",
        PROGRAM,
        &["--test", "summarize"],
        &["kills::kills_lose_no_finished_summary"],
        300,
        "kills of `summarize` at any moment",
    ),
    group(
        "messages",
        PROGRAM,
        &["--test", "mcp"],
        &["hostile::any_line_is_borne"],
        1_000_000,
        "lines that a client of MCP could send, or anybody",
    ),
    group("clients", GATHER, &["--lib"], &["config::jsonc::"], 200_000, "settings of clients for each law"),
    group("framing", PROGRAM, &["--test", "framing"], &[], 1_000, "random folders, two builds each"),
    group("determinism", PROGRAM, &["--test", "determinism"], &[], 300, "random folders, eight builds each"),
    group("confined", PROGRAM, &["--test", "confinement"], &[], 0, "as in every test run"),
    group("unstable", PROGRAM, &["--test", "unstable"], &[], 0, "100,000 reads by rename, 100,000 in place"),
    group("numbers", PROGRAM, &["--test", "durability"], &["builders_"], 0, "12,800 builds by 64 builders"),
    group("kills", PROGRAM, &["--test", "durability"], &["kills_"], 0, "10,000 kills of the program"),
    group("refused", PROGRAM, &["--test", "durability"], &["a_", "few_"], 0, "full disk, closed folder, few handles"),
    group("outputs", GATHER, &["--test", "outputs_processes"], &[], 0, "12,800 outputs by 64 processes, 10,000 kills"),
];

pub fn run(args: &[String]) -> Result<(), String> {
    if let Some(word) = args.iter().find(|word| GROUPS.iter().all(|group| group.name != **word)) {
        let known: Vec<&str> = GROUPS.iter().map(|group| group.name).collect();
        return Err(format!("no group is called `{word}`, there are: {}", known.join(", ")));
    }
    let chosen: Vec<&Group> =
        GROUPS.iter().filter(|group| args.is_empty() || args.iter().any(|word| word == group.name)).collect();
    let mut failed = 0_usize;
    let mut lines =
        vec![format!("{:<12} {:>5} {:>9} {:>8}  {:<7} cases", "group", "tests", "cases", "seconds", "verdict")];
    for group in &chosen {
        println!("== {}: {}", group.name, group.what);
        // Compiled first, so that the seconds are those of the tests.
        let compiled = proc::capture(cargo_test(group).arg("--no-run"));
        let started = Instant::now();
        let outcome = compiled.and_then(|_| torment(group));
        let seconds = started.elapsed().as_secs_f64();
        let mut figures = Vec::new();
        let (verdict, tests) = match outcome {
            Ok((tests, told)) => {
                figures = told;
                ("held", tests)
            }
            Err(cause) => {
                eprintln!("{cause}");
                ("BROKEN", 0)
            }
        };
        failed += usize::from(verdict != "held");
        let cases = if group.cases == 0 { "-".into() } else { group.cases.to_string() };
        let line = format!("{:<12} {tests:>5} {cases:>9} {seconds:>8.1}  {verdict:<7} {}", group.name, group.what);
        println!("{line}");
        lines.push(line);
        lines.extend(figures);
    }
    println!("== summary\n{}", lines.join("\n"));
    if failed == 0 { Ok(()) } else { Err(format!("groups that did not hold: {failed} of {}", chosen.len())) }
}

/// Runs the tests of a group; gives how many passed and what they counted, or all they wrote.
fn torment(group: &Group) -> Result<(usize, Vec<String>), String> {
    let mut command = cargo_test(group);
    command.args(["--", "--show-output"]).args(group.tests).env("CONTEXTURE_TORTURE", "full").env("INSTA_UPDATE", "no");
    if group.cases > 0 {
        // A law over rare texts rejects many of them; proptest's own limit is meant for a few hundred cases.
        command.env("PROPTEST_CASES", group.cases.to_string()).env("PROPTEST_MAX_GLOBAL_REJECTS", "100000000");
    }
    let output = command.output().map_err(|error| format!("cannot start `{}`: {error}", proc::words(&command)))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("{text}{}", String::from_utf8_lossy(&output.stderr)));
    }
    // A selection that selects nothing would hold for ever.
    match passed(&text) {
        0 => Err(format!("no test was run: `{}`", proc::words(&command))),
        tests => Ok((tests, text.lines().filter_map(figure).collect())),
    }
}

fn cargo_test(group: &Group) -> Command {
    let mut command = proc::cargo();
    command.args(["test", "--release", "--package", group.package]).args(group.target);
    command
}

/// What a test counted, set under the line of its group.
fn figure(line: &str) -> Option<String> {
    Some(format!("{:12} {}", "", line.strip_prefix("figure: ")?))
}

/// The sum over the lines `test result: ok. 3 passed; …`.
fn passed(text: &str) -> usize {
    text.lines()
        .filter_map(|line| line.strip_prefix("test result: ok. ")?.split_once(" passed")?.0.parse::<usize>().ok())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::{GROUPS, passed, run};

    #[test]
    fn results_are_added_up() {
        assert_eq!(
            passed("running 3 tests\ntest result: ok. 3 passed; 0 failed; 1 ignored\n\ntest result: ok. 2 passed;"),
            5
        );
        assert_eq!(passed("test result: FAILED. 1 passed; 1 failed"), 0);
    }

    #[test]
    fn an_unknown_group_is_named_with_the_known_ones() {
        let error = run(&["lawz".to_owned()]).expect_err("unknown");
        assert!(error.starts_with("no group is called `lawz`, there are: decode, "), "{error}");
        let mut names: Vec<&str> = GROUPS.iter().map(|group| group.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), GROUPS.len());
    }
}
