//! Budgets through the program: what does not fit is said with the budget that would do, and nothing but the inputs decides.
#![allow(clippy::unwrap_used)]

use contexture_testkit::TestEnv;
use insta::assert_snapshot;

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

fn small() -> TestEnv {
    TestEnv::small(env!("CARGO_BIN_EXE_contexture"))
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

/// Passages come from what a walk would show, and never from what a person kept out.
#[test]
fn passages_from_outside_the_composition() {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    let about = |name: &str| format!("def parse_{name}(text):\n    return text.zebra()\n");
    env.write("contexture.toml", "[files]\npaths = [\"main.py\", { path = \"hidden.py\", auto_aggregate = false }]\n")
        .write(".gitignore", "ignored.py\n")
        .write("main.py", "import parse\n")
        .write("hidden.py", about("hidden"))
        .write("ignored.py", about("ignored"))
        .write(".env", "ZEBRA=parse\n")
        .write("lib/other.py", "def nothing():\n    pass\n")
        .write("lib/found.py", format!("import os\n\n\n{}", about("found")))
        .write("lib/notes.md", "# Notes\n\nA zebra is parsed in one go.\n\n# Other\n\nNothing.\n");
    std::fs::hard_link(env.root().join("main.py"), env.root().join("lib/zebra_parse.py")).unwrap();
    let build = |more: &[&str]| env.run(&[&["build", "-o", "-", "-q"], more].concat()).stdout;
    let plain = build(&[]);
    assert_eq!(plain, "## Files\n\n### `main.py`\n\n```python\nimport parse\n```\n\n");
    let asked = build(&["--query", "parse the zebra"]);
    assert_snapshot!(asked);
    assert_eq!(build(&["--query", "parse the zebra", "--budget", "100000"]), asked);
    let bare = ["--query", "parse the zebra", "--retrieve", "0", "--no-header", "--no-task"];
    assert_eq!(build(&bare), plain);
    // Paths on the command line are a composition too.
    let named = build(&["lib/notes.md", "--query", "parse the zebra"]);
    assert!(named.contains("### `lib/found.py` (lines 4-5)") && !named.contains("hidden.py"), "{named}");
    // Nothing lies outside a whole folder.
    assert!(!build(&[".", "--query", "parse the zebra"]).contains("Retrieved"));
    let why = env.run(&["why", "lib/other.py", "--query", "parse the zebra"]);
    assert!(why.stdout.contains("outside the composition"), "{}", why.stdout);
}

#[test]
fn a_budget_for_everything_is_the_document_without_one() {
    let env = env();
    let without = env.run(&["build", "--json", "-o", "-"]).json();
    let total = without["tokens"]["count"].to_string();
    let document = |more: &[&str]| env.run(&[&["build", "--quiet", "-o", "-"], more].concat()).stdout;
    assert_eq!(document(&["--budget", &total]), document(&[]));
}

/// A file that is shown in full shows all of its symbols.
#[test]
fn why_knows_what_a_full_file_shows() {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    env.write("a.go", "package a\n\nfunc IndentedJSON() {\n}\n\nfunc JSON() {\n}\n");
    let why = |what: &str| env.run(&["why", what, "--budget", "500", "--query", "JSON is wrong"]).stdout;
    assert!(why("a.go").contains("of 3 symbols 3 whole and 0 by signature"), "{}", why("a.go"));
    for symbol in ["a.go:JSON", "a.go:IndentedJSON"] {
        assert!(why(symbol).starts_with(&format!("{symbol}: shown\n")), "{}", why(symbol));
    }
    // What a step would cost is an estimate.
    let why_less = env.run(&["why", "a.go", "--budget", "24"]).stdout;
    assert!(why_less.contains(" costs about "), "{why_less}");
    // At most five names are told, those that are near or relevant.
    assert!(env.run(&["why", "a.go:JSN", "--budget", "500"]).stderr.contains("hint: did you mean `JSON`?"));
    let many: String = (0..90).map(|n| format!("func F{n}() {{\n}}\n\n")).collect();
    env.write("many.go", format!("package a\n\n{many}"));
    let unknown = env.run(&["why", "many.go:Zebra", "--budget", "500"]).stderr;
    assert!(unknown.contains("hint: of 91 symbols the most relevant are: `a`, `F0`, "), "{unknown}");
    assert_eq!(unknown.matches("`F").count(), 4, "{unknown}");
    // A part of a word is no name.
    assert_eq!(env.run(&["why", "a.go:ON", "--budget", "500"]).code, Some(2));
    env.write("b.rs", "pub struct Store;\nimpl Store {\n    pub fn add(&self) {}\n}\n");
    for name in ["b.rs:Store::add", "b.rs:Store.add", "b.rs:add"] {
        assert_eq!(env.run(&["why", name, "--budget", "500"]).code, Some(0), "{name}");
    }
    let missing = env.run(&["why", "c.rs", "--budget", "500"]);
    assert_eq!(missing.code, Some(2), "{}", missing.stdout);
    assert!(missing.stderr.starts_with("error: no such file: `c.rs`"), "{}", missing.stderr);
}

#[test]
fn a_query_that_does_nothing_says_so() {
    let env = env();
    let said = |args: &[&str]| env.run(&[&["build", "-o", "-"], args].concat()).stderr;
    env.write("contexture.toml", "");
    assert!(said(&["--query", "parse"]).contains("the query has no effect: everything is shown"));
    assert!(said(&["--query", " "]).contains("the query is empty"));
    assert!(said(&["--query", "?! ((", "--budget", "900"]).contains("the query has no words"));
    env.write("log.txt", "noise ".repeat(20_000) + "other_7");
    let long = said(&["--query-file", "log.txt", "--budget", "900", "--exclude", "log.txt"]);
    assert!(long.contains("the query is long"), "{long}");
    let both = env.run(&["build", "-", "--query-file", "-"]);
    assert_eq!(both.code, Some(2), "{}", both.stderr);
}

#[test]
fn budgets() {
    let env = small();
    let ran = env.run(&["build", "src", "--budget", "5"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.stderr.contains("tokens, the budget is 5") && ran.stderr.contains("the largest are"), "{}", ran.stderr);
    assert!(!env.root().join(".contexture").exists());
    assert_eq!(env.run(&["build", "src", "--budget", "10000", "-o", "-"]).code, Some(0));
}

#[test]
fn a_models_window_is_a_budget() {
    let env = small();
    let said = |args: &[&str]| env.run(&[&["build", "src", "-o", "out.md"], args].concat()).stderr;
    assert_snapshot!(said(&["--model", "gpt-5.5"]), @"2 items, 56 tokens (exact, o200k_base) of 920,976 (gpt-5.5: window 1,050,000 − answer 128,000 − buffer 1,024), 175 bytes, 0 left out; 100.0 % of the upper bound");
    assert_snapshot!(said(&["--model", "claude-opus-4-5-20251101"]), @"2 items, 66 tokens (estimated, claude) of 102,793 (claude-opus-4-5: window 200,000 − answer 50,000 − buffer 1,024, less 31 % as counts are estimates), 175 bytes, 0 left out; 100.0 % of the upper bound");
    assert_snapshot!(said(&["--model", "claude-opus-5", "--tokenizer", "o200k_base"]), @"
    note: `claude-opus-5` counts tokens otherwise than `o200k_base`: the document may not fit its window
    hint: `--tokenizer claude` fits it best
    2 items, 56 tokens (exact, o200k_base) of 870,976 (claude-opus-5: window 1,000,000 − answer 128,000 − buffer 1,024), 175 bytes, 0 left out; 100.0 % of the upper bound
    ");
    assert_snapshot!(said(&["--model", "claude-opus-5", "--budget", "9000"]), @"2 items, 66 tokens (estimated, claude) of 9,000 (--budget), 175 bytes, 0 left out; 100.0 % of the upper bound");
    assert_snapshot!(env.run(&["build", "--model", "claude-opsu-5"]).all(), @"
    exit 2
    --- stdout
    --- stderr
    error: no model is called `claude-opsu-5`
    hint: did you mean `claude-opus-5`?
    hint: `--budget N` fits any other model
    ");
    let ran = env.run(&["--model", "unheard-of"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("hint: there are: ") && ran.stderr.contains(", gpt-5.5, "));
}

#[test]
fn the_json_says_who_set_the_budget_and_the_buffer_is_a_setting() {
    let env = small();
    let tokens = |args: &[&str]| {
        let tokens = env.run(&[&["build", "src", "-o", "out.md", "--json"], args].concat()).json()["tokens"].clone();
        format!("{} {} {} {}", tokens["budget"], tokens["budget_from"], tokens["tokenizer"], tokens["exact"])
    };
    assert_snapshot!(tokens(&[]), @r#"null null "o200k_base" true"#);
    assert_snapshot!(tokens(&["--budget", "9000"]), @r#"9000 "--budget" "o200k_base" true"#);
    assert_snapshot!(tokens(&["--model", "gpt-5.5"]), @r#"920976 "--model gpt-5.5" "o200k_base" true"#);
    env.write(
        "contexture.toml",
        "[budget]\nmax_tokens = 7000\ntoken_buffer = 2000\n\
         [personas.own]\nbudget = 8000\npreferred_models = [{ provider = \"a\", model = \"claude-opus-5\" }]\n\
         [personas.window]\npreferred_models = [{ provider = \"o\", model = \"gpt-4.1\", max_output_tokens = 9000 }]\n",
    );
    assert_snapshot!(tokens(&[]), @r#"7000 "[budget] max_tokens" "o200k_base" true"#);
    assert_snapshot!(tokens(&["--persona", "own"]), @r#"8000 "persona own" "claude" false"#);
    assert_snapshot!(tokens(&["--persona", "window"]), @r#"1036576 "persona window" "o200k_base" true"#);
    assert_snapshot!(tokens(&["--persona", "window", "--model", "gemini-2.5-pro"]), @r#"833884 "--model gemini-2.5-pro" "gemini" false"#);
    assert_snapshot!(env.run(&["build", "src", "-o", "out.md", "--persona", "window"]).stderr, @"2 items, 56 tokens (exact, o200k_base) of 1,036,576 (persona window, gpt-4.1: window 1,047,576 − answer 9,000 − buffer 2,000), 175 bytes, 0 left out; 100.0 % of the upper bound");
    assert_eq!(env.run(&["--json", "--model", "gpt-5.5"]).json()["tokens"]["budget_from"], "--model gpt-5.5");
}

#[test]
fn a_budget_without_a_task_shows_what_is_being_changed() {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    env.write("README.md", "# Small\n");
    for name in ["alpha", "beta", "gamma", "delta"] {
        let body = format!("    let {name} = 1;\n").repeat(60);
        env.write(&format!("src/{name}.rs"), format!("pub fn {name}_thing() {{\n{body}}}\n"));
    }
    env.git(&["init", "-q"]);
    env.git(&["add", "."]);
    env.git(&["commit", "-q", "-m", "first"]);
    let args = ["build", "--budget", "1000", "-o", "-"];
    assert!(!env.run(&args).stdout.contains("let gamma = 1;"));
    let text = env.read("src/gamma.rs");
    env.write("src/gamma.rs", text + "// edited\n");
    let edited = env.run(&args).stdout;
    assert!(edited.contains("let gamma = 1;") && edited.contains("README.md"), "{edited}");
    // A file that git does not know yet is work too.
    env.git(&["checkout", "-q", "--", "src/gamma.rs"]);
    env.write("src/fresh.rs", format!("pub fn fresh_thing() {{\n{}}}\n", "    let fresh = 1;\n".repeat(60)));
    let fresh = env.run(&args).stdout;
    assert!(fresh.contains("let fresh = 1;") && !fresh.contains("let gamma = 1;"), "{fresh}");
}

/// What is remembered of a file is found by its bytes, never by its path, size and time.
#[test]
fn what_is_remembered_is_never_trusted_over_the_bytes_on_disk() {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    let path = env.root().join("lib/animals.py");
    env.write("main.py", "import animals\n").write("lib/animals.py", "def feed_zebras(hay):\n    return hay.eaten()\n");
    for n in 0..30 {
        env.write(&format!("lib/other_{n}.py"), format!("def other_{n}(value):\n    return value + {n}\n").repeat(20));
    }
    let fitted = ["build", ".", "-q", "-o", "-", "--budget", "300", "--query", "quagga is not fed"];
    let retrieved = ["build", "main.py", "-q", "-o", "-", "--query", "quagga is not fed"];
    let finds = |args: &[&str]| env.run(args).stdout.contains("def feed_quagga(hay):\n    return hay.eaten()\n");
    for _ in 0..2 {
        assert!(!finds(&fitted) && !finds(&retrieved));
    }
    let before = std::fs::metadata(&path).unwrap();
    env.write("lib/animals.py", "def feed_quagga(hay):\n    return hay.eaten()\n");
    let times = std::fs::FileTimes::new().set_modified(before.modified().unwrap());
    std::fs::File::options().write(true).open(&path).unwrap().set_times(times).unwrap();
    let after = std::fs::metadata(&path).unwrap();
    assert_eq!((after.len(), after.modified().unwrap()), (before.len(), before.modified().unwrap()));
    assert!(finds(&fitted), "{}", env.run(&fitted).stdout);
    assert!(finds(&retrieved), "{}", env.run(&retrieved).stdout);
}

/// What stands around the files of a document that is for a task.
#[test]
fn a_task_has_a_frame() {
    let env = env();
    env.write("rules.md", "Answer with a patch.\n");
    let build = |more: &[&str]| {
        let args = ["build", "-o", "-", "-q", "--budget", "3000", "--query", "parse_7 is wrong"];
        env.run(&[args.as_slice(), more].concat())
    };
    let document = build(&["--instructions", "rules.md"]).stdout;
    assert!(document.starts_with("# Context from `"), "{document}");
    assert!(
        document.contains("\n## Instructions\n\nAnswer with a patch.\n\n## Task\n\nparse_7 is wrong\n"),
        "{document}"
    );
    // The most relevant file comes before those that come before it by path.
    let place = |document: &str, path: &str| document.find(&format!("### `{path}`"));
    let other = |document: &str| (place(document, "src/parse.py"), place(document, "src/other.py"));
    assert!(matches!(other(&document), (Some(first), Some(last)) if first < last), "{document}");
    let by_path = build(&["--order", "path"]).stdout;
    assert!(matches!(other(&by_path), (Some(last), Some(first)) if first < last), "{by_path}");
    env.write("contexture.toml", "[output]\norder = \"path\"\n");
    assert_eq!(build(&[]).stdout, build(&["--order", "path"]).stdout, "the setting");
    let by_flag = build(&["--order", "relevance"]).stdout;
    assert!(matches!(other(&by_flag), (Some(first), Some(last)) if first < last), "the flag wins: {by_flag}");
    let bare = build(&["--no-header", "--no-task"]).stdout;
    assert!(bare.starts_with("## Files") && !bare.contains("## Task"), "{bare}");
    let missing = build(&["--instructions", "nothing.md"]);
    assert_eq!((missing.code, missing.stdout.as_str()), (Some(2), ""), "{}", missing.stderr);
}

#[test]
fn search_ranks_files_and_symbols() {
    let env = env();
    let found = env.run(&["search", "other_7 is wrong", "--json", "--top", "3"]).json();
    assert_eq!(found["files"][0]["path"], "src/other.py", "{found}");
    assert_eq!(found["symbols"][0]["qualified"], "other_7", "{found}");
    assert_eq!((found["files"].as_array().unwrap().len(), found["symbols"].as_array().unwrap().len()), (3, 3));
    let code = env.run(&["search", "other_7 is wrong", "--code"]).stdout;
    assert!(code.contains("src/other.py:") && code.contains("def other_7"), "{code}");
    let by_option = env.run(&["search", "--query", "other_7 is wrong", "--json", "--top", "3"]).json();
    assert_eq!(by_option, found, "`--query` is another way to give the query");
    assert_eq!(env.run(&["search", "other_7", "--query", "other_7"]).code, Some(2));
    assert_eq!(env.run(&["search", " "]).code, Some(2));
}
