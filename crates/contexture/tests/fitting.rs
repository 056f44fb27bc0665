//! Budgets through the program: what does not fit is said with the budget that would do, and nothing but the inputs decides.
#![allow(clippy::unwrap_used)]

use contexture_testkit::TestEnv;

/// A project with two files that must be shown in full, and others that need not.
fn env() -> TestEnv {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    let functions = |name: &str| -> String {
        (0..40).map(|n| format!("def {name}_{n}(value):\n    return value * {n} + len(str(value))\n\n\n")).collect()
    };
    env.write("contexture.toml", "[files]\npaths = [\"src/**\", { path = \"must.py\", force_full = true }]\n")
        .write("must.py", functions("must"))
        .write("src/parse.py", functions("parse"))
        .write("src/other.py", functions("other"))
        .write("src/notes.md", "# Notes\n\nWords about 漢字 and 👍.\n")
        .write("src/table.csv", "a,b\n1,2\n".repeat(300));
    env
}

#[test]
fn what_must_be_shown_does_not_fit_until_the_budget_that_is_named() {
    let env = env();
    let ran = env.run(&["build", "--budget", "100", "-o", "-"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("the largest are `must.py`"), "{}", ran.stderr);
    let named = ran.stderr.split_once("`--budget ").and_then(|(_, rest)| rest.split_once("` would do")).unwrap().0;
    let needed: u64 = named.parse().unwrap();

    assert_eq!(env.run(&["build", "--budget", &(needed - 1).to_string(), "-o", "-"]).code, Some(3));
    let ran = env.run(&["build", "--budget", named, "--json", "-o", "-"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let report = ran.json();
    assert_eq!(report["tokens"]["budget"], needed);
    assert!(report["tokens"]["count"].as_u64().unwrap() <= needed, "{report}");
    let shown = env.run(&["build", "--budget", named, "-o", "-", "--quiet"]).stdout;
    assert!(shown.contains(&env.read("must.py")), "{shown}");
}

#[test]
fn threads_and_cache_leave_no_trace_in_what_fits() {
    for query in ["parse_7 gives the wrong length", ""] {
        let env = env();
        for budget in ["1500", "2600", "100000"] {
            let build = |more: &[&str]| {
                let base = ["build", "--budget", budget, "--query", query, "--json", "-o", "-"];
                let report = env.run(&[&base, more].concat());
                assert_eq!(report.code, Some(0), "{}", report.stderr);
                let base = ["build", "--budget", budget, "--query", query, "--quiet", "-o", "-"];
                report.stdout + &env.run(&[&base, more].concat()).stdout
            };
            let first = build(&["--threads", "1", "--no-cache"]);
            assert_eq!(first, build(&["--threads", "4", "--no-cache"]));
            assert_eq!(first, build(&["--threads", "4"]), "cold cache");
            assert_eq!(first, build(&["--threads", "4"]), "warm cache");
            assert_eq!(first, build(&["--threads", "1"]), "warm cache");
        }
    }
}

#[test]
fn a_budget_for_everything_is_the_document_without_one() {
    let env = env();
    let without = env.run(&["build", "--json", "-o", "-"]).json();
    let total = without["tokens"]["count"].to_string();
    let document = |more: &[&str]| env.run(&[&["build", "--quiet", "-o", "-"], more].concat()).stdout;
    assert_eq!(document(&["--budget", &total]), document(&[]));
}
