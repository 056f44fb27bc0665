//! Runs, personas and imports as a person meets them.
#![allow(clippy::unwrap_used)]

use contexture_testkit::TestEnv;
use insta::assert_snapshot;

fn small() -> TestEnv {
    TestEnv::small(env!("CARGO_BIN_EXE_contexture"))
}

/// What a person sees, without the clock.
fn seen(env: &TestEnv, args: &[&str]) -> String {
    let mut text = env.run(args).all();
    let is_time = |at: usize| {
        let bytes = &text.as_bytes()[at..];
        bytes.len() >= 20 && bytes[4] == b'-' && bytes[10] == b'T' && bytes[19] == b'Z' && bytes[..4].is_ascii()
    };
    let times: Vec<usize> = text.char_indices().map(|(at, _)| at).filter(|at| is_time(*at)).collect();
    times.into_iter().rev().for_each(|at| text.replace_range(at..at + 20, "[TIME]"));
    text
}

#[test]
fn two_questions_part_in_the_question() {
    let env = small();
    env.write("src/main.rs", "fn main() { println!(\"a \\\"b\\\" \\n\"); }\n".repeat(20));
    for format in ["anthropic", "openai", "messages"] {
        for question in ["why?", "what?"] {
            let ran = env.run(&["build", "src/main.rs", "--format", format, "-m", question, "-o", "-"]);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        }
        let diff = env.run(&["runs", "diff", "--json"]).json();
        let (common, total) =
            (&diff["common"], env.run(&["runs", "show", "-2", "--json"]).json()["tokens"]["count"].clone());
        assert!(common["tokens"].as_u64().unwrap() <= total.as_u64().unwrap(), "{common} of {total}");
        assert!(common["tokens"].as_u64().unwrap() * 10 >= total.as_u64().unwrap() * 9, "{common} of {total}");
        let told = env.run(&["runs", "diff"]).stdout;
        let first = told.lines().find(|line| line.starts_with("first difference")).unwrap().to_owned();
        let place = match format {
            "anthropic" => ", in messages[0].content[1]: altered: request `message`",
            "openai" => ", in messages[0]: altered: request `message`",
            _ => ": altered: request `message`",
        };
        assert!(first.ends_with(place) && !first.contains("heading"), "{first}");
    }
}

#[test]
fn no_runs_are_not_asked_for() {
    let ran = small().run(&["runs", "list", "--limit", "0"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("0 is not in 1.."), "{}", ran.stderr);
}

#[test]
fn every_build_leaves_a_run() {
    let env = small();
    assert_snapshot!(seen(&env, &["runs"]), @r"
    exit 0
    --- stdout
    --- stderr
    there is no run of this project yet; `contexture build` makes one
    ");
    assert!(!env.home().join(".local").exists(), "looking makes nothing");
    env.run(&["build"]);
    env.run(&["build", "src", "-o", "-", "--format", "xml", "--budget", "60"]);
    env.run(&["build", "src", "-o", "out.md", "--no-manifest"]);
    // Looking at a plan or at a view is no run.
    env.run(&[]);
    env.run(&["show", "src/lib.rs"]);
    assert_snapshot!(seen(&env, &["runs"]), @r"
    exit 0
    --- stdout
        2  [TIME]  build     2 items, 57 tokens of 60, 174 bytes, xml
        1  [TIME]  build     6 items, 122 tokens, 375 bytes, md  .contexture/out/project_001.md
    --- stderr
    ");
    assert_snapshot!(seen(&env, &["runs", "list", "--limit", "1"]), @r"
    exit 0
    --- stdout
        2  [TIME]  build     2 items, 57 tokens of 60, 174 bytes, xml
    --- stderr
    ");
    assert_snapshot!(seen(&env, &["runs", "show", "1"]), @r"
    exit 0
    --- stdout
    run        1 (build, [TIME], version 0.1.0)
    strategy   auto, set by the default
    format     md
    tokens     122 (exact, o200k_base)
    output     375 bytes, SHA-256 4e7d03c20fc9e89d87469716f45eb97f24fa1e6ba6497fbed60fc8337d0a27e4
    written    [TEMP]/project/.contexture/out/project_001.md
    prefix     375 bytes, 122 tokens
           19  full      .gitignore  strategy `auto`, set by the default
           15  name      Cargo.lock  lock file: shown by name
           19  full      README.md  strategy `auto`, set by the default
           13  full      keep.log  strategy `auto`, set by the default
           28  full      src/lib.rs  strategy `auto`, set by the default
           25  full      src/main.rs  strategy `auto`, set by the default
            -  left out  node_modules/  installed packages; name it to include it
    --- stderr
    ");
    let last = env.run(&["runs", "show", "last", "--json"]).json();
    assert_eq!(last["v"], 1);
    assert_eq!(last["number"], 2);
    assert_eq!(last["request"]["document"]["budget"], 60);
    assert_eq!(last["options"]["budget_from"], "--budget");
    assert_eq!(last["output"]["path"], serde_json::Value::Null);
    let blocks: u64 = last["blocks"].as_array().unwrap().iter().map(|block| block["bytes"].as_u64().unwrap()).sum();
    assert_eq!(last["output"]["bytes"], blocks);
}

#[test]
fn a_manifest_tells_the_bytes_that_were_written() {
    use sha2::Digest;
    let env = small();
    env.run(&["build"]);
    let run = env.run(&["runs", "show", "-1", "--json"]).json();
    let document = env.read(".contexture/out/project_001.md");
    let hash: String = sha2::Sha256::digest(&document).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(run["output"]["hash"], hash);
    assert_eq!(run["output"]["bytes"], document.len());
    // The blocks lead through the document: each file stands where their lengths say.
    let mut at = 0;
    for block in run["blocks"].as_array().unwrap() {
        let end = at + block["bytes"].as_u64().unwrap() as usize;
        if let Some(path) = block["path"].as_str() {
            assert!(document[at..end].starts_with(&format!("### `{path}`")), "{path}: {}", &document[at..end]);
        }
        at = end;
    }
    assert_eq!(at, document.len());
    let build = env.run(&["build", "--json"]).json();
    for key in ["items", "left_out", "notes", "prefix"] {
        assert_eq!(run[key], build[key], "{key}");
    }
}

#[test]
fn two_runs_compared() {
    let env = small();
    env.run(&["build"]);
    assert_snapshot!(seen(&env, &["runs", "diff"]), @r"
    exit 2
    --- stdout
    --- stderr
    error: there is no run `-2` of this project
    hint: `contexture runs` lists what there is
    hint: a second `build` gives something to compare
    ");
    env.run(&["build"]);
    assert_snapshot!(seen(&env, &["runs", "diff"]), @r"
    exit 0
    --- stdout
    run 1 -> run 2
    the outputs are the same: 375 bytes
    --- stderr
    ");
    env.write("src/lib.rs", "//! The library.\n\npub fn two() -> u32 {\n    2\n}\n").write("src/new.rs", "// new\n");
    std::fs::remove_file(env.root().join("keep.log")).unwrap();
    env.run(&["build"]);
    assert_snapshot!(seen(&env, &["runs", "diff"]), @r"
    exit 0
    --- stdout
    run 2 -> run 3
    - keep.log  full, 13 tokens
    + src/new.rs  full, 14 tokens
    ~ src/lib.rs  content changed
    first difference: byte 182, in keep.log before and src/lib.rs now: `keep.log` is gone
    in common: the first 182 of 375 bytes, 58 of 122 tokens
    --- stderr
    ");
    // The view of a file, and who decided.
    env.run(&["build", "--view", "outline", "--budget", "100000"]);
    assert_snapshot!(seen(&env, &["runs", "diff", "-2", "-1"]), @r"
    exit 0
    --- stdout
    run 3 -> run 4
    ~ .gitignore  full (strategy `auto`, set by the default) -> summary (`outline` was wished: there is no `outline` view of this kind of file), 19 -> 12 tokens
    ~ Cargo.lock  name (lock file: shown by name) -> summary (`outline` was wished: there is no `outline` view of this kind of file), 15 -> 12 tokens
    ~ README.md  full (strategy `auto`, set by the default) -> summary (`outline` was wished: there is no `outline` view of this kind of file), 19 -> 16 tokens
    ~ src/lib.rs  full (strategy `auto`, set by the default) -> outline (`--view outline`), 28 -> 26 tokens
    ~ src/main.rs  full (strategy `auto`, set by the default) -> outline (`--view outline`), 25 -> 23 tokens
    ~ src/new.rs  full (strategy `auto`, set by the default) -> summary (`outline` was wished: it defines nothing), 14 -> 13 tokens
    * option budget: unset -> 100000 (--budget)
    * request view: unset -> outline
    first difference: byte 26, in .gitignore: `.gitignore` was shown as `full` (strategy `auto`, set by the default), now as `summary` (`outline` was wished: there is no `outline` view of this kind of file)
    in common: the first 26 of 380 bytes, 8 of 123 tokens
    --- stderr
    ");
    env.write("contexture.toml", "[project]\nsummary_only = true\n");
    env.run(&["build"]);
    assert_snapshot!(seen(&env, &["runs", "diff", "3"]), @r"
    exit 0
    --- stdout
    run 3 -> run 5
    + contexture.toml  summary, 14 tokens
    ~ .gitignore  full (strategy `auto`, set by the default) -> summary (strategy `auto`, set by [project]), 19 -> 12 tokens
    ~ Cargo.lock  name (lock file: shown by name) -> summary (strategy `auto`, set by [project]), 15 -> 12 tokens
    ~ README.md  full (strategy `auto`, set by the default) -> summary (strategy `auto`, set by [project]), 19 -> 16 tokens
    ~ src/lib.rs  full (strategy `auto`, set by the default) -> summary (strategy `auto`, set by [project]), 28 -> 17 tokens
    ~ src/main.rs  full (strategy `auto`, set by the default) -> summary (strategy `auto`, set by [project]), 25 -> 18 tokens
    ~ src/new.rs  full (strategy `auto`, set by the default) -> summary (strategy `auto`, set by [project]), 14 -> 13 tokens
    * option strategy: auto (the default) -> auto ([project])
    * setting project.summary_only: unset -> true
    first difference: byte 8, in a heading: altered: option `strategy`, setting `project.summary_only`
    in common: the first 8 of 380 bytes, 2 of 123 tokens
    --- stderr
    ");
    let diff = env.run(&["runs", "diff", "1", "3", "--json"]).json();
    assert_snapshot!(serde_json::to_string_pretty(&diff["first"]).unwrap(), @r#"
    {
      "byte": 182,
      "exact": true,
      "until": null,
      "item": {
        "old": "keep.log",
        "new": "src/lib.rs"
      },
      "place": null,
      "cause": "removed",
      "why": "`keep.log` is gone"
    }
    "#);
    // Without the documents the blocks tell where.
    for number in 1..=5 {
        std::fs::remove_file(env.root().join(format!(".contexture/out/project_00{number}.md"))).unwrap();
    }
    assert_snapshot!(seen(&env, &["runs", "diff", "1", "3"]), @r"
    exit 0
    --- stdout
    run 1 -> run 3
    - keep.log  full, 13 tokens
    + src/new.rs  full, 14 tokens
    ~ src/lib.rs  content changed
    first difference: between byte 177 and 256, in keep.log before and src/lib.rs now: `keep.log` is gone
    in common: at least the first 177 of 375 bytes, about 56 of 122 tokens
    --- stderr
    ");
}

#[test]
fn a_run_again() {
    let env = small();
    env.run(&["build", "src", "README.md", "--tree", "selected"]);
    let document = env.read(".contexture/out/project_001.md");
    let ran = env.run(&["runs", "replay", "1"]);
    assert_eq!((ran.code, &ran.stdout), (Some(0), &document), "{}", ran.stderr);
    assert_snapshot!(seen(&env, &["runs", "replay", "last", "-o", "again.md"]), @r"
    exit 0
    --- stdout
    --- stderr
    run 1 again, byte for byte: 296 bytes
    ");
    assert_eq!(env.read("again.md"), document);
    // The file of the first replay is no file of the project.
    assert_eq!(env.run(&["runs", "replay", "last", "-o", "again.md"]).code, Some(0));
    env.write("src/lib.rs", "changed\n").write("src/new.rs", "new\n");
    std::fs::remove_file(env.root().join("README.md")).unwrap();
    assert_snapshot!(seen(&env, &["runs", "replay", "1", "-o", "other.md"]), @r"
    exit 8
    --- stdout
    --- stderr
    error: run 1 gives other bytes now
    + src/new.rs  full, 13 tokens
    ~ README.md  content changed, full (strategy `auto`, set by the default) -> name (file not found), 19 -> 14 tokens
    ~ src/lib.rs  content changed, 28 -> 13 tokens
    hint: nothing was written; `--anyway` writes what it gives now
    ");
    assert!(!env.root().join("other.md").exists());
    let ran = env.run(&["runs", "replay", "1", "-o", "other.md", "--anyway"]);
    assert_eq!(ran.code, Some(8));
    assert!(env.read("other.md").contains("changed"));
    let report = env.run(&["runs", "replay", "1", "--json"]).json();
    assert_eq!((&report["same"], &report["number"]), (&false.into(), &1.into()));
    assert_eq!(report["difference"]["added"][0]["path"], "src/new.rs");
    // A replay is no run.
    assert_eq!(env.run(&["runs", "--json"]).json()["runs"].as_array().unwrap().len(), 1);
}

#[test]
fn a_setting_that_changed_is_named() {
    let env = small();
    env.write("contexture.toml", "[files]\nexclude = [\"contexture.toml\"]\n[presets.one]\nfiles = [\"src/lib.rs\"]\n");
    env.run(&["build"]);
    env.run(&["build", "--preset", "one"]);
    env.write(
        "contexture.toml",
        "[files]\nexclude = [\"contexture.toml\"]\n[aggregation]\ndefault_mode = \"summarize\"\n",
    );
    assert_snapshot!(seen(&env, &["runs", "replay", "1"]), @r#"
    exit 8
    --- stdout
    --- stderr
    error: run 1 gives other bytes now
    ~ .gitignore  full (strategy `auto`, set by the default) -> summary (strategy `summarize`, set by [aggregation] default_mode), 19 -> 12 tokens
    ~ Cargo.lock  name (lock file: shown by name) -> summary (strategy `summarize`, set by [aggregation] default_mode), 15 -> 12 tokens
    ~ README.md  full (strategy `auto`, set by the default) -> summary (strategy `summarize`, set by [aggregation] default_mode), 19 -> 16 tokens
    ~ keep.log  full (strategy `auto`, set by the default) -> summary (strategy `summarize`, set by [aggregation] default_mode), 13 -> 12 tokens
    ~ src/lib.rs  full (strategy `auto`, set by the default) -> summary (strategy `summarize`, set by [aggregation] default_mode), 28 -> 17 tokens
    ~ src/main.rs  full (strategy `auto`, set by the default) -> summary (strategy `summarize`, set by [aggregation] default_mode), 25 -> 18 tokens
    * option strategy: auto (the default) -> summarize ([aggregation] default_mode)
    * setting aggregation.default_mode: unset -> "summarize"
    * setting presets.one.files: ["src/lib.rs"] -> unset
    hint: nothing was written; `--anyway` writes what it gives now
    "#);
    assert_snapshot!(seen(&env, &["runs", "replay", "2"]), @r"
    exit 8
    --- stdout
    --- stderr
    error: run 2 cannot be made again: no such preset: `one`
    hint: `contexture preset list` shows all
    ");
}

#[test]
fn runs_that_are_not_there() {
    let env = small();
    for args in
        [&["runs", "show", "1"][..], &["runs", "show", "first"], &["runs", "replay", "-1"], &["runs", "diff", "1", "2"]]
    {
        assert_eq!(env.run(args).code, Some(2), "{args:?}");
    }
    env.run(&["build", "-q"]);
    assert_snapshot!(seen(&env, &["runs", "show", "7"]), @r"
    exit 2
    --- stdout
    --- stderr
    error: there is no run `7` of this project
    hint: `contexture runs` lists what there is
    ");
    assert_snapshot!(seen(&env, &["runs", "show", "first"]), @r"
    exit 2
    --- stdout
    --- stderr
    error: `first` names no run
    hint: a run is a number, `last`, or `-2` for the one before
    ");
    assert_snapshot!(seen(&env, &["runs", "show", "1", "--request"]), @r"
    exit 1
    --- stdout
    --- stderr
    error: the request of run 1 was not kept
    hint: kept are the newest 256 MB of requests to providers and of their answers, but none with the key in pieces
    ");
    // Another project has runs of its own.
    std::fs::create_dir(env.temp().join("other")).unwrap();
    assert_eq!(env.run(&["runs", "--root", "../other", "--json"]).json()["runs"], serde_json::json!([]));
}

#[test]
fn further_roots_and_a_settings_file_are_part_of_a_run() {
    let env = small();
    let other = env.temp().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("far.txt"), "far\n").unwrap();
    std::fs::write(env.temp().join("mine.toml"), "[files]\nexclude = [\"src/**\"]\n").unwrap();
    let built = env.run(&["build", "--root", ".", "--root", "../other", "--config", "../mine.toml", "-o", "-", "-q"]);
    assert!(built.stdout.contains("far.txt") && !built.stdout.contains("fn one"), "{}", built.stdout);
    let ran = env.run(&["runs", "replay", "last"]);
    assert_eq!(ran.stdout, built.stdout, "{}", ran.stderr);
}

#[test]
fn a_store_that_is_damaged_stops_no_build() {
    let env = small();
    let store = env.home().join(".local/share/contexture/runs.sqlite");
    std::fs::create_dir_all(store.parent().unwrap()).unwrap();
    std::fs::write(&store, "nonsense ".repeat(1000)).unwrap();
    assert_snapshot!(seen(&env, &["build", "src"]), @r"
    exit 0
    --- stdout
    .contexture/out/project_001.md
    --- stderr
    note: the run left no manifest: the file of runs is damaged: file is not a database
    hint: the document is the same without; see `contexture doctor`
    2 items, 56 tokens (exact, o200k_base), 175 bytes, 0 left out
    ");
    assert_snapshot!(seen(&env, &["runs"]), @r"
    exit 1
    --- stdout
    --- stderr
    error: the file of runs is damaged: file is not a database
    hint: move the file away; `contexture doctor` says where it is
    ");
}

#[test]
fn personas_of_both_scopes() {
    let env = small();
    assert_snapshot!(seen(&env, &["persona", "list"]), @r"
    exit 0
    --- stdout
    --- stderr
    there is no persona yet; `[personas.NAME]` in contexture.toml makes one
    ");
    let user = env.home().join(".config/contexture/config.toml");
    std::fs::create_dir_all(user.parent().unwrap()).unwrap();
    std::fs::write(&user, "[personas.writer]\ntier = 2\n[personas.reviewer]\nbudget = 9\n").unwrap();
    env.write(
        "contexture.toml",
        "[project]\npersona = \"reviewer\"\n[personas.reviewer]\nsystem_prompt = \"You review.\\nBe brief.\"\nbudget = 16000\n\
         preferred_models = [{ provider = \"anthropic\", model = \"m\", temperature = 0.5 }]\ncontext_preset = \"gone\"\n",
    );
    assert_snapshot!(seen(&env, &["persona", "list"]), @r"
    exit 0
    --- stdout
    reviewer  (project, used by default, hides a global one)  anthropic m
    reviewer  (global, hidden by the project's)
    writer  (global)
    --- stderr
    ");
    assert_snapshot!(seen(&env, &["persona", "show", "reviewer"]), @r"
    exit 0
    --- stdout
    reviewer  (project)
    context_preset         gone
    budget                 16,000 tokens
    preferred_models       anthropic m, temperature 0.5
    unset                  aggregation_strategy, tier
    system_prompt          You review.
    system_prompt          Be brief.
    --- stderr
    note: hides a global persona of this name
    note: there is no preset `gone`: a build in this persona fails
    ");
    assert_snapshot!(seen(&env, &["persona", "show", "reviwer"]), @r"
    exit 2
    --- stdout
    --- stderr
    error: no persona is called `reviwer`
    hint: did you mean `reviewer`?
    ");
    assert_snapshot!(seen(&env, &["persona", "show", "writer", "--json"]), @r#"
    exit 0
    --- stdout
    {
      "v": 1,
      "name": "writer",
      "scope": "global",
      "hidden": false,
      "shadows_global": false,
      "default": false,
      "system_prompt": null,
      "preferred_models": [],
      "context_preset": null,
      "aggregation_strategy": null,
      "tier": 2,
      "budget": null,
      "unset": [
        "system_prompt",
        "preferred_models",
        "context_preset",
        "aggregation_strategy",
        "budget"
      ],
      "missing_preset": null
    }
    --- stderr
    "#);
}

#[test]
fn a_project_of_manual_slop() {
    let env = small();
    env.write(
        "manual_slop.toml",
        "[project]\nname = \"demo\"\ngit_dir = \".\"\n[files]\npaths = [\"src/lib.rs\", { path = \"README.md\", view_mode = \"agg\" }]\n\
         [personas.p]\npreferred_models = [{ provider = \"gemini_cli\", model = \"g\" }, { provider = \"stranger\", model = \"s\" }]\n",
    )
    .write("manual_slop_history.toml", "history = [\"User: hello\"]\n");
    assert_snapshot!(seen(&env, &["import", "manual-slop", "manual_slop.toml"]), @r#"
    exit 0
    --- stdout
    [project]
    name = "demo"

    [files]
    paths = [
        "src/lib.rs",
        { path = "README.md", view_mode = "summary" },
    ]

    [discussion]
    history_file = "manual_slop_history.toml"

    [personas.p]
    preferred_models = [
        { provider = "gemini_cli", model = "g" },
        { provider = "stranger", model = "s" },
    ]
    --- stderr
    note: manual_slop.toml:3: `project.git_dir` has no counterpart and was left out
    note: manual_slop.toml:7: no provider `stranger` is known: its model is passed over (there are: anthropic, openai, responses, gemini, deepseek, minimax, gemini-cli)
    "#);
    assert_snapshot!(seen(&env, &["import", "manual-slop", "manual_slop.toml", "-o", "contexture.toml"]), @r"
    exit 0
    --- stdout
    --- stderr
    note: manual_slop.toml:3: `project.git_dir` has no counterpart and was left out
    note: manual_slop.toml:7: no provider `stranger` is known: its model is passed over (there are: anthropic, openai, responses, gemini, deepseek, minimax, gemini-cli)
    wrote contexture.toml
    ");
    let built = env.run(&["build", "-o", "-", "-q"]);
    assert!(built.stdout.contains("pub fn one") && built.stdout.contains("User: hello"), "{}", built.all());
    assert_snapshot!(seen(&env, &["import", "manual-slop", "manual_slop.toml", "-o", "contexture.toml"]), @r"
    exit 6
    --- stdout
    --- stderr
    error: `contexture.toml` is there already
    hint: `--force` replaces it
    ");
    assert_eq!(
        env.run(&["import", "manual-slop", "manual_slop.toml", "-o", "contexture.toml", "--force"]).code,
        Some(0)
    );
    assert_snapshot!(seen(&env, &["import", "manual-slop", "none.toml"]), @r"
    exit 2
    --- stdout
    --- stderr
    error: none.toml: file not found
    ");
    env.write("bad.toml", "[project\n");
    assert_snapshot!(seen(&env, &["import", "manual-slop", "bad.toml", "--json"]), @r#"
    exit 2
    --- stdout
    {
      "v": 1,
      "error": {
        "code": 2,
        "kind": "usage",
        "message": "bad.toml:1:9: unclosed table, expected `]`",
        "hints": []
      }
    }
    --- stderr
    error: bad.toml:1:9: unclosed table, expected `]`
    "#);
}
