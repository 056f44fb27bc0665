//! Settings through the program: what is wrong in them, who decides, presets, and how they are shown and changed.
#![allow(clippy::unwrap_used)]

use contexture_testkit::TestEnv;
use insta::assert_snapshot;

fn small() -> TestEnv {
    TestEnv::small(env!("CARGO_BIN_EXE_contexture"))
}

#[test]
fn a_broken_configuration_names_line_column_key_and_fix() {
    let env = small();
    let mut out = String::new();
    for toml in [
        "[project]\nstratgy = \"full\"\n",
        "[project]\nname = 3\n",
        "[project\n",
        "[files]\npaths = [{ view_mode = \"full\" }]\n",
        "[output]\nkeep = -1\n",
        "[project]\nstrategy = \"ful\"\n",
        "[fils]\n",
    ] {
        env.write("contexture.toml", toml);
        let ran = env.run(&["build"]);
        assert_eq!(ran.code, Some(2), "{}", ran.all());
        out.push_str(&ran.stderr);
    }
    assert!(!env.root().join(".contexture").exists());
    assert_snapshot!(out);
}

#[test]
fn strategies_and_who_decides() {
    let env = small();
    let reason = |args: &[&str]| {
        let report = env.run(&[&["build", "src/lib.rs", "-o", "-", "--json"], args].concat()).json();
        format!("{}: {}", report["items"][0]["view"].as_str().unwrap(), report["items"][0]["reason"].as_str().unwrap())
    };
    let mut out = vec![reason(&[])];
    env.write("contexture.toml", "[aggregation]\ndefault_mode = \"summarize\"\n");
    out.push(reason(&[]));
    env.write("contexture.toml", "[aggregation]\ndefault_mode = \"full\"\n[project]\nsummary_only = true\n[personas.p]\naggregation_strategy = \"full\"\n[personas.t]\ntier = 2\n");
    out.push(reason(&[]));
    out.push(reason(&["--tier", "1"]));
    out.push(reason(&["--persona", "p", "--tier", "2"]));
    out.push(reason(&["--persona", "t"]));
    out.push(reason(&["--persona", "p", "--strategy", "summarize"]));
    out.push(reason(&["--strategy", "auto"]));
    assert_snapshot!(out.join("\n"));
    assert!(env.run(&["build", "-o", "-", "--quiet"]).stdout.starts_with("## Files (Summary)\n"));
    assert_snapshot!("unknown_persona", env.run(&["build", "--persona", "pp"]).all());
}

#[test]
fn presets_are_saved_applied_compared_and_removed() {
    let env = small();
    env.write("contexture.toml", "# my settings\n[project]\nname = \"small\" # named\n");
    let mut out = String::new();
    for args in [
        &["preset", "save", "code", "src/**", "gone.rs", "--description", "only code"][..],
        &["preset", "save", "docs", "README.md", "--global"],
        &["preset", "list"],
        &["preset", "show", "code"],
        &["preset", "apply", "code"],
        &["preset", "diff", "code", "docs"],
        &["preset", "diff", "docs"],
        &["preset", "show", "cod"],
        &["preset", "rm", "docs"],
        &["preset", "list"],
    ] {
        let ran = env.run(args);
        out.push_str(&format!("$ contexture {}\n{}{}", args.join(" "), ran.stdout, ran.stderr));
    }
    out.push_str(&env.read("contexture.toml"));
    assert_snapshot!(out);
    let report = env.run(&["build", "--preset", "code", "-o", "-", "--json"]).json();
    assert_eq!(report["items"][0]["error"], "ERROR: file not found: gone.rs");
}

#[test]
fn settings_are_shown_with_their_origin_and_changed_in_place() {
    let env = small();
    env.write("contexture.toml", "# kept\n[project]\nname = \"x\"\n");
    assert_eq!(env.run(&["config", "set", "output.keep", "5"]).code, Some(0));
    assert_eq!(env.run(&["config", "set", "--global", "budget.tokenizer", "cl100k_base"]).code, Some(0));
    assert_snapshot!(env.read("contexture.toml"));
    assert_eq!(env.run(&["config", "get", "output.keep"]).stdout, "5\n");
    let origins = env.run(&["config", "--origins"]).stdout;
    assert!(origins.contains("output.keep = 5  # contexture.toml:"), "{origins}");
    assert!(origins.contains("budget.tokenizer = \"cl100k_base\"  # user config.toml:"), "{origins}");
    let mut with_variable = env.command(&["config", "--origins"]);
    let output = with_variable.env("CONTEXTURE_PROJECT_NAME", "y").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("project.name = \"y\"  # env CONTEXTURE_PROJECT_NAME"));
    assert_eq!(env.run(&["config", "set", "output.kep", "5"]).code, Some(2));
    // Nothing could be done with it afterwards.
    let before = env.read("contexture.toml");
    let refused = env.run(&["config", "set", "files.base_dir", "../outside"]);
    assert_eq!((refused.code, env.read("contexture.toml")), (Some(2), before), "{}", refused.stderr);
    assert_eq!(env.run(&["build", "src/lib.rs", "-o", "-", "--json"]).json()["tokens"]["tokenizer"], "cl100k_base");
}

#[test]
fn init_writes_a_configuration_that_changes_nothing_and_is_not_overwritten() {
    let env = small();
    let before = env.run(&["build", "-o", "-", "--quiet"]).stdout;
    assert_eq!(env.run(&["init"]).stdout, "contexture.toml\n");
    let after = env.run(&["build", "-o", "-", "--quiet", "--exclude", "contexture.toml"]);
    assert_eq!(after.stdout, before, "{}", after.stderr);
    assert_snapshot!(env.run(&["init"]).all());
}

#[test]
fn each_model_of_a_persona_has_its_own_settings_and_all_have_its_budget() {
    let env = small();
    env.write(
        "contexture.toml",
        r#"[personas.p]
budget = 700
preferred_models = [
    { provider = "anthropic", model = "claude-haiku-5-5", max_output_tokens = 500 },
    { provider = "openai", model = "gpt-5.5", temperature = 0.5, top_p = 0.25, max_output_tokens = 900 },
]
"#,
    );
    let ready = env.run(&["send", "--persona", "p", "--message", "Why?", "--dry-run", "--json"]).json();
    let tokens = &ready["request"]["document"]["tokens"];
    assert_eq!((&tokens["budget"], &tokens["budget_from"]), (&700.into(), &"persona p".into()), "{ready}");
    let body = |more: &[&str]| {
        let words = ["build", "--persona", "p", "--format", "openai", "--message", "Why?", "-o", "-"];
        env.run(&[&words, more].concat()).json()
    };
    let second = body(&["--model", "gpt-5.5"]);
    assert_eq!((&second["temperature"], &second["top_p"]), (&0.5.into(), &0.25.into()), "{second}");
    assert_eq!(second["max_completion_tokens"], 900, "{second}");
    // They are not for models that the persona does not name.
    assert_eq!(body(&["--model", "gpt-4.1"]).get("temperature"), None);
}

#[test]
fn what_is_in_quotes_is_what_they_hold() {
    let env = small();
    for (said, name) in
        [("plain", "plain"), ("\"in quotes\"", "in quotes"), ("'it''s'", "'it''s'"), ("\"open", "\"open")]
    {
        assert_eq!(env.run(&["config", "set", "project.name", said]).code, Some(0), "{said}");
        let got = env.run(&["config", "get", "project.name", "--json"]).json();
        assert_eq!(got["value"], name, "{got}");
    }
}

#[test]
fn an_edit_that_was_killed_leaves_nothing_in_documents_and_is_swept() {
    let env = small();
    env.write(".contexture.toml.4711-0.tmp", "[fil").write(".notes.1-2.tmp", "a file of somebody else\n");
    let report = env.run(&["build", "-o", "-", "--json"]).json();
    let paths =
        |list: &str| report[list].as_array().unwrap().iter().map(|item| item["path"].clone()).collect::<Vec<_>>();
    assert!(!paths("items").contains(&".contexture.toml.4711-0.tmp".into()), "{report}");
    assert!(paths("items").contains(&".notes.1-2.tmp".into()), "{report}");
    assert_eq!(env.run(&["config", "set", "project.name", "x"]).code, Some(0));
    assert!(!env.root().join(".contexture.toml.4711-0.tmp").exists());
    assert!(env.root().join(".notes.1-2.tmp").exists());
}

#[test]
fn a_folder_that_is_not_there_is_not_served() {
    let env = small();
    let ran = env.run(&["serve", "--root", "gone", "--listen", "127.0.0.1:0"]);
    assert!(ran.code != Some(0) && ran.stdout.is_empty() && ran.stderr.contains("gone"), "{}", ran.all());
}
