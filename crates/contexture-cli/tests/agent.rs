//! `agent` and `session` as people use them: layers, limits, formats, sessions of many programs, and what is wrong with them.
#![allow(clippy::unwrap_used)]

use contexture_testkit::TestEnv;
use insta::{assert_snapshot, with_settings};
use serde_json::Value;

fn workspace() -> TestEnv {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    env.write("ws/SOUL.md", "You are Ada, calm and exact.\n")
        .write("ws/AGENTS.md", "Answer in short sentences.\n")
        .write("ws/TOOLS.md", "## now\n\nTells the time.\n\n## list\n\nLists things.\n")
        .write("ws/memory/MEMORY.md", MEMORY)
        .write(
            "ws/skills/deploy/SKILL.md",
            "---\nname: deploy\ndescription: brings to production\n---\nRun the script.\n",
        )
        .write("ws/skills/tea/SKILL.md", "# Skill: tea\n\n## Description\nMakes tea.\n")
        .write("ws/sessions/cli_1.json", SESSION);
    env
}

const MEMORY: &str = "# Memory

## User
- likes green tea [important]

## 2026-02-01
- deployed billing to production (added at  2026-02-01T10:00:00Z)

## 2026-05-09
- the deploy script needs two approvals
";

const SESSION: &str = r#"{"session_id":"cli_1","channel":"cli","chat_id":"1","messages":[
{"role":"user","content":"hello"},
{"role":"assistant","content":null,"tool_calls":[{"id":"a","name":"now","arguments":"{}"},{"id":"b","name":"list","arguments":"{}"}]},
{"role":"tool_result","content":"three things","tool_call_id":"b"},
{"role":"tool_result","content":"noon","tool_call_id":"a"},
{"role":"assistant","content":"It is noon, and there are three things."}
]}"#;

const AGENT: [&str; 5] = ["agent", "--workspace", "ws", "--session", "ws/sessions/cli_1.json"];

fn agent(env: &TestEnv, args: &[&str]) -> contexture_testkit::Ran {
    env.run(&[&AGENT, args].concat())
}

fn snapshot(name: &str, text: &str) {
    // The day is today's, the platform this one's, the version the current one.
    let filters = vec![
        (r"Date: \d{4}-\d\d-\d\d", "Date: [DAY]"),
        (r"Platform: \w+ \w+", "Platform: [PLATFORM]"),
        (r"Contexture: [0-9.]+", "Contexture: [VERSION]"),
    ];
    with_settings!({filters => filters}, { assert_snapshot!(name, text) });
}

#[test]
fn the_layers_stand_in_their_order() {
    let env = workspace();
    snapshot("messages", &agent(&env, &["-m", "how do I $deploy billing?"]).all());
    for format in ["openai", "anthropic", "gemini", "md"] {
        snapshot(format, &agent(&env, &["-m", "how do I $deploy billing?", "--format", format, "-q"]).stdout);
    }
    let near = agent(&env, &["-m", "how do I $deploy billing?", "--near-message", "-q"]).stdout;
    let at = |what: &str| near.find(what).unwrap();
    assert!(at("It is noon") < at("Relevant memories") && at("Relevant memories") < at("how do I"), "{near}");
    assert!(at("It is noon") < at("# Skill: deploy"));
}

#[test]
fn every_layer_says_what_it_takes() {
    let env = workspace();
    let report = agent(&env, &["-m", "how do I $deploy billing?", "--json"]).json();
    let layers = report["layers"].as_object().unwrap();
    let names: Vec<&str> = layers.keys().map(String::as_str).collect();
    assert_eq!(names, ["system", "bootstrap", "memory", "skills", "tools", "history", "current"]);
    for (name, layer) in layers {
        assert_eq!(layer["state"], "ok", "{name}: {layer}");
        assert!(layer["tokens"].as_u64().unwrap() > 0 && layer["shown_bytes"].as_u64().unwrap() > 0, "{name}: {layer}");
    }
    let sum: u64 = layers.values().map(|layer| layer["tokens"].as_u64().unwrap()).sum();
    assert_eq!(report["tokens"]["count"].as_u64().unwrap(), sum);
    assert_eq!(layers["memory"]["entries"][0]["text"], "likes green tea");
    assert!(layers["memory"]["entries"][0]["score"].as_f64().is_some());
    assert_eq!(layers["system"]["sources"][1]["path"], "AGENTS.md");
    assert_eq!(report["messages"].as_array().unwrap().len(), 11);
    assert_eq!(report["messages"][10]["content"], "how do I $deploy billing?");

    std::fs::remove_file(env.root().join("ws/SOUL.md")).unwrap();
    std::fs::remove_file(env.root().join("ws/memory/MEMORY.md")).unwrap();
    let report = agent(&env, &["-m", "hi", "--max-messages", "2", "--json"]).json();
    let state = |layer: &str| report["layers"][layer]["state"].as_str().unwrap().to_owned();
    assert_eq!([state("system"), state("memory"), state("history")], ["default", "missing", "truncated"]);
}

#[test]
fn nothing_is_needed() {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    let ran = env.run(&["agent", "-m", "hello"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    let messages: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(messages.as_array().unwrap().len(), 4);
    assert!(ran.stderr.contains("built-in defaults are used"), "{}", ran.stderr);
    assert!(!env.home().join(".local/share/contexture/workspace").exists(), "assembling makes no workspace");
}

#[test]
fn a_limit_that_is_too_small_names_both_numbers() {
    let env = workspace();
    let ran = agent(&env, &["-m", "hello", "--max-tokens", "40"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""));
    let needed: u64 = ran.stderr.split("needs ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(
        ran.stderr.contains("the limit is 40") && ran.stderr.contains(&format!("`--max-tokens {needed}` would do"))
    );
    let enough = agent(&env, &["-m", "hello", "--max-tokens", &needed.to_string(), "--json"]);
    assert_eq!(enough.json()["tokens"]["count"].as_u64(), Some(needed));
    assert_eq!(agent(&env, &["-m", "hello", "--max-tokens", &(needed - 1).to_string()]).code, Some(3));
}

#[test]
fn the_stored_session_is_never_changed_by_assembling() {
    let env = workspace();
    agent(&env, &["-m", "hello", "--max-tokens", "300"]);
    assert_eq!(env.read("ws/sessions/cli_1.json"), SESSION);
}

#[test]
fn a_session_that_ends_with_the_message_says_it_once() {
    let env = workspace();
    env.run(&["session", "append", "ws/sessions/cli_1.json", "--role", "user", "--content", "and now?"]);
    let with = agent(&env, &["-m", "and now?", "-q"]).stdout;
    assert_eq!(with.matches("and now?").count(), 1);
    // Also without saying it again: the end of the session is what is answered.
    assert_eq!(agent(&env, &["-q"]).stdout.matches("and now?").count(), 1);
}

#[test]
fn a_session_of_the_workspace_is_known_by_its_name() {
    let env = workspace();
    for name in ["cli_1", "cli_1.json"] {
        let ran = env.run(&["agent", "--workspace", "ws", "--session", name, "-m", "hi", "-q"]);
        assert!(ran.stdout.contains("three things"), "{}", ran.all());
    }
    let ran = env.run(&["agent", "--workspace", "ws", "--session", "cli_2", "-m", "hi"]);
    assert!(ran.code == Some(0) && ran.stderr.contains("there is no such session yet"), "{}", ran.all());
}

#[test]
fn sessions_are_appended_to_and_imported() {
    let env = workspace();
    let add = |args: &[&str]| env.run(&[&["session", "append", "new/cli_2.json"], args].concat());
    assert_eq!(add(&["--role", "user", "--content", "list, please"]).code, Some(0));
    let calls = r#"[{"id":"x","name":"list","arguments":{"all":true}}]"#;
    assert_eq!(add(&["--role", "assistant", "--content", "", "--tool-calls", calls]).code, Some(0));
    let ran = env.run_with_stdin(
        &["session", "append", "new/cli_2.json", "--role", "tool", "--tool-call-id", "x", "--content", "-"],
        b"one\ntwo\n",
    );
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    let session: Value = serde_json::from_str(&env.read("new/cli_2.json")).unwrap();
    assert_eq!((&session["channel"], &session["chat_id"]), (&"cli".into(), &"2".into()));
    assert_eq!(session["messages"][2]["content"], "one\ntwo");
    let wrong = [
        add(&["--role", "wizard", "--content", "x"]),
        add(&["--role", "tool", "--content", "x"]),
        add(&["--role", "assistant", "--content", "x", "--tool-calls", "{"]),
    ];
    assert_snapshot!("wrong_appends", wrong.iter().map(contexture_testkit::Ran::all).collect::<String>());
    let imported = env.run(&["session", "import", "new/cli_2.json", "--json"]).json();
    assert_eq!(
        (&imported["format"], imported["session"]["messages"].as_array().unwrap().len()),
        (&"miniclaw".into(), 3)
    );
}

#[test]
fn what_is_wrong_with_a_session_is_told_and_nothing_is_lost() {
    let env = workspace();
    let with = |content: &str| {
        env.write("s.json", content);
        let ran = env.run(&["agent", "--workspace", "ws", "-m", "hi", "--session", "s.json"]);
        assert_eq!(env.read("s.json"), content);
        ran
    };
    let mut out = String::new();
    for content in [
        "{\"messages\":[\n{\"role\":\"user\",\"content\":\"a\"},\n{\"role\":\"wizard\",\"content\":\"b\"}]}",
        "not json at all",
    ] {
        let ran = with(content);
        assert!(ran.stdout.is_empty());
        out.push_str(&format!("{:?} {}", ran.code, ran.stderr));
    }
    let empty = with("");
    assert_eq!(empty.code, Some(0));
    out.push_str(&empty.stderr);
    let cut = with(&SESSION[..SESSION.len() - 40]);
    assert_eq!(cut.code, Some(0));
    out.push_str(&cut.stderr);
    assert!(cut.stdout.contains("three things"));
    assert_snapshot!("wrong_sessions", out);
    // Appending keeps the damaged bytes aside.
    env.write("s.json", &SESSION[..SESSION.len() - 40]);
    let ran = env.run(&["session", "append", "s.json", "--role", "user", "--content", "more", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    assert_eq!(env.read("s.json.damaged-1"), SESSION[..SESSION.len() - 40]);
    assert!(env.read("s.json").contains("three things") && env.read("s.json").contains("more"));
}

#[test]
fn a_project_cannot_point_to_another_workspace() {
    let env = workspace();
    std::fs::create_dir_all(env.temp().join("other")).unwrap();
    std::fs::write(env.temp().join("other/SOUL.md"), "STOLEN").unwrap();
    for value in ["../other", &env.temp().join("other").to_string_lossy()] {
        env.write("contexture.toml", format!("[agent]\nworkspace = {value:?}\n"));
        let ran = env.run(&["agent", "-m", "hi"]);
        assert!(!ran.all().contains("STOLEN") && ran.stderr.contains("may not lead out of it"), "{}", ran.all());
    }
    env.write("contexture.toml", "[agent]\nworkspace = \"ws\"\nmax_history_messages = 2\n");
    let ran = env.run(&["agent", "-m", "hi"]);
    assert!(ran.stdout.contains("You are Ada"), "{}", ran.all());
}

#[test]
fn nothing_outside_of_the_workspace_enters() {
    let env = workspace();
    std::fs::write(env.temp().join("secret.md"), "STOLEN").unwrap();
    for path in ["ws/SOUL.md", "ws/memory/MEMORY.md", "ws/skills/tea/SKILL.md"] {
        std::fs::remove_file(env.root().join(path)).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(env.temp().join("secret.md"), env.root().join(path)).unwrap();
    }
    let ran = agent(&env, &["-m", "$tea"]);
    assert_eq!(ran.code, Some(0));
    assert!(!ran.stdout.contains("STOLEN"));
}

#[test]
fn agents_files_are_read_as_coding_agents_do() {
    let env = workspace();
    env.git(&["init", "-q"]);
    env.write("AGENTS.md", "At the root.\n").write("a/AGENTS.md", "In a.\n").write("a/AGENTS.override.md", "Over a.\n");
    env.write("a/b/AGENTS.md", "In b.\n").write("c/AGENTS.md", "In c.\n");
    let ran = agent(&env, &["-m", "hi", "--agents-from", "a/b", "-q"]);
    let system = serde_json::from_str::<Value>(&ran.stdout).unwrap()[0]["content"].as_str().unwrap().to_owned();
    assert_eq!(
        system,
        "You are Ada, calm and exact.\n\nAnswer in short sentences.\n\nAt the root.\n\nOver a.\n\nIn b."
    );
}

#[test]
fn tools_of_the_caller_go_into_the_request() {
    let env = workspace();
    env.write("tools.json", r#"[{"name":"read","description":"Reads.","input_schema":{"type":"object"}}]"#);
    let request = |format: &str| -> Value {
        let ran = agent(&env, &["-m", "hi", "--tools", "tools.json", "--format", format, "--model", "gpt-5", "-q"]);
        serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.all()))
    };
    assert_eq!(request("openai")["tools"][0]["function"]["parameters"]["type"], "object");
    assert_eq!(request("openai")["model"], "gpt-5");
    assert_eq!(request("anthropic")["tools"][0]["input_schema"]["type"], "object");
    assert_eq!(request("gemini")["tools"][0]["functionDeclarations"][0]["name"], "read");
    let counted = |args: &[&str]| {
        agent(&env, &[&["-m", "hi", "--json"], args].concat()).json()["tokens"]["count"].as_u64().unwrap()
    };
    assert!(counted(&["--tools", "tools.json"]) > counted(&[]), "schemas are counted");
    env.write("tools.json", "[{}]");
    let ran = agent(&env, &["-m", "hi", "--tools", "tools.json"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("tool 1 has no `name`"), "{}", ran.stderr);
}

#[test]
fn a_message_is_needed_or_something_to_answer() {
    let env = workspace();
    let ran = [agent(&env, &[]), env.run(&["agent"]), agent(&env, &["-m", " "])];
    assert!(ran.iter().all(|ran| ran.code == Some(2) && ran.stdout.is_empty()));
    assert_snapshot!("nothing_to_answer", ran.iter().map(contexture_testkit::Ran::all).collect::<String>());
    let said = env.run_with_stdin(&[&AGENT[..], &["-m", "-", "-q"]].concat(), "from a pipe\n".as_bytes());
    assert!(said.stdout.contains("\"content\":\"from a pipe\""), "{}", said.all());
}

#[test]
fn one_huge_result_pushes_out_nothing() {
    let env = workspace();
    let mut messages: Vec<String> = (0..8)
        .flat_map(|nth| {
            [
                format!(r#"{{"role":"user","content":"question {nth}"}}"#),
                format!(r#"{{"role":"assistant","content":"answer {nth}"}}"#),
            ]
        })
        .collect();
    let log = "the disk is full at block 42\\n".repeat(5_000);
    messages.push(r#"{"role":"user","content":"read the log"}"#.into());
    messages
        .push(r#"{"role":"assistant","content":null,"tool_calls":[{"id":"h","name":"read","arguments":"{}"}]}"#.into());
    messages.push(format!(r#"{{"role":"tool_result","content":"{log}","tool_call_id":"h"}}"#));
    messages.push(r#"{"role":"assistant","content":"the log says disk full"}"#.into());
    env.write("huge.json", format!(r#"{{"session_id":"a_b","messages":[{}]}}"#, messages.join(",\n")));
    let ran = env.run(&["agent", "--workspace", "ws", "--session", "huge.json", "-m", "so what now", "--json"]);
    let report = ran.json();
    assert_eq!(report["layers"]["history"]["shown_items"], 20, "{}", report["left_out"]);
    let result = report["messages"].as_array().unwrap().iter().find(|message| message["role"] == "tool").unwrap();
    let text = result["content"].as_str().unwrap();
    assert!(text.starts_with("the disk is full") && text.contains("bytes left out") && text.len() > 2_000);
    assert_eq!(report["layers"]["history"]["state"], "truncated");
}

#[test]
fn what_is_sent_ends_with_what_is_answered() {
    let env = workspace();
    let with = |messages: &str, format: &str| {
        env.write("s.json", messages);
        env.run(&["agent", "--workspace", "ws", "--session", "s.json", "--format", format, "-q"])
    };
    // A result that answers nothing is not sent, and then nobody waits for an answer.
    let orphan = r#"[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"},{"role":"tool","content":"x","tool_call_id":"zz"}]"#;
    assert_eq!(with(orphan, "anthropic").code, Some(2));
    // An empty message is no message: the one before it is answered.
    let empty = r#"[{"role":"user","content":"please continue"},{"role":"user","content":""}]"#;
    for format in ["openai", "anthropic", "gemini"] {
        let ran = with(empty, format);
        assert!(ran.code == Some(0) && ran.stdout.contains("please continue"), "{}", ran.all());
    }
    let near = env.run(&["agent", "--workspace", "ws", "--session", "s.json", "--near-message", "-q"]).stdout;
    assert!(near.find("Relevant memories").unwrap() < near.find("please continue").unwrap(), "{near}");
}

#[test]
fn a_session_in_one_line_is_read_as_far_as_it_goes() {
    let env = workspace();
    env.write("one.json", r#"{"session_id":"a_b","channel":"a","messages":[{"role":"user","content":"first"},{"role":"assistant","content":"second"},{"role":"us"#);
    let ran = env.run(&["agent", "--workspace", "ws", "--session", "one.json", "-m", "hi"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("second"), "{}", ran.all());
}

#[test]
fn a_file_of_another_program_is_not_appended_to() {
    let env = workspace();
    let ran = env.run(&["session", "append", "ws/SOUL.md", "--role", "user", "--content", "hi"]);
    assert_eq!(ran.code, Some(6));
    assert_eq!(env.read("ws/SOUL.md"), "You are Ada, calm and exact.\n");
}

#[test]
fn a_session_can_be_piped_in() {
    let env = workspace();
    let ran =
        env.run_with_stdin(&["agent", "--workspace", "ws", "--session", "-", "-m", "hi", "-q"], SESSION.as_bytes());
    assert!(ran.stdout.contains("three things"), "{}", ran.all());
    let ran = env.run_with_stdin(&["session", "import", "-"], SESSION.as_bytes());
    assert!(ran.code == Some(0) && ran.stdout.contains("three things"), "{}", ran.all());
    assert_eq!(ran.stdout, env.run_with_stdin(&["session", "import", "-"], SESSION.as_bytes()).stdout);
    assert_eq!(env.run(&["agent", "--session", "-", "-m", "-"]).code, Some(2));
}

#[test]
fn the_limit_has_the_name_that_it_has_for_documents() {
    let env = workspace();
    let one = agent(&env, &["-m", "hello", "--max-tokens", "300"]);
    let other = agent(&env, &["-m", "hello", "--budget", "300"]);
    assert_eq!((one.code, &one.stdout), (Some(0), &other.stdout));
    assert_eq!(one.stderr, other.stderr);
    assert!(env.run(&["agent", "--help"]).stdout.contains("[alias: --budget]"));
}

#[test]
fn any_model_will_do_where_the_limit_is_given() {
    let env = workspace();
    let ran = agent(&env, &["-m", "hi", "--model", "my-own", "--max-tokens", "900", "--format", "openai", "-q"]);
    assert!(ran.stdout.contains("\"model\":\"my-own\""), "{}", ran.all());
    let ran = agent(&env, &["-m", "hi", "--model", "my-own"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("`--max-tokens N` fits any other model"), "{}", ran.all());
    // Whoever reads the request is known, and its tokenizer is not.
    let report = agent(&env, &["-m", "hi", "--format", "anthropic", "--json"]).json();
    assert_eq!((&report["tokens"]["tokenizer"], &report["tokens"]["exact"]), (&"claude".into(), &false.into()));
    assert_eq!(report["request"]["messages"][0]["role"], "user");
}

#[test]
fn a_skill_of_two_words_can_be_named() {
    let env = workspace();
    env.write("ws/skills/plain/SKILL.md", "# Skill: Plain One\n\n## Description\nIs plain.\n");
    for message in ["use $plain-one please", "use $Plain One please"] {
        let said = agent(&env, &["-m", message, "-q"]).stdout;
        assert_eq!(said.matches("# Skill: Plain One").count(), 1, "{said}");
    }
}

#[test]
fn what_has_no_room_is_told() {
    let env = workspace();
    let turns: Vec<String> = (0..40)
        .map(|nth| {
            format!(
                r#"{{"role":"{}","content":"message {nth} {}"}}"#,
                ["user", "assistant"][nth % 2],
                "word ".repeat(40)
            )
        })
        .collect();
    env.write("long.json", format!("[{}]", turns.join(",\n")));
    let ran = env.run(&["agent", "--workspace", "ws", "--session", "long.json", "-m", "hi", "--max-tokens", "900"]);
    assert!(
        ran.stderr.contains("older messages have no room") && ran.stderr.contains("from --max-tokens"),
        "{}",
        ran.stderr
    );
    let ran = env.run(&["agent", "--workspace", "ws", "-m", "hi", "--max-tokens", "110"]);
    assert!(ran.stderr.contains("memories, skills or tools have no room"), "{}", ran.stderr);
}

#[test]
fn every_context_leaves_a_run() {
    let env = workspace();
    let first = agent(&env, &["-m", "and now?", "--format", "anthropic", "--model", "claude-sonnet-4-5", "-q"]).stdout;
    assert_eq!(env.run(&["runs", "show", "last", "--request"]).stdout, first, "the bytes themselves are kept");
    env.run(&["session", "append", "ws/sessions/cli_1.json", "--role", "user", "--content", "and now?"]);
    env.run(&["session", "append", "ws/sessions/cli_1.json", "--role", "assistant", "--content", "Noon still."]);
    agent(&env, &["-m", "and then?", "--format", "anthropic", "--model", "claude-sonnet-4-5", "-q"]);
    agent(&env, &["-m", "and then?", "--no-manifest", "-q"]);
    assert_eq!(env.run(&["runs"]).stdout.lines().count(), 2);
    let diff = env.run(&["runs", "diff"]).stdout;
    for told in
        ["+ ws/sessions/cli_1.json#6", "* request message: and now? -> and then?", "the earlier request ended here"]
    {
        assert!(diff.contains(told), "{diff}");
    }
    let again = env.run(&["runs", "replay", "last"]);
    assert_eq!(again.code, Some(2), "a session goes on: {}", again.stderr);
}
