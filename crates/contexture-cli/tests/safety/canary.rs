//! One key in every route.

use super::{Canary, env};
use contexture_core::ContentHash;
use contexture_gather::summaries::{self, Generator, SummaryEntry};
use contexture_testkit::{Provider, Reply, TestEnv};
use serde_json::json;

const FORMATS: [&str; 10] =
    ["md", "xml", "json", "messages", "anthropic", "openai", "responses", "gemini", "deepseek", "minimax"];

/// A picture of one pixel.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\0\0\x03\x01\x01\0\xc9\xfe\x92\xef\0\0\0\0IEND\xaeB`\x82";

fn code(key: &str) -> String {
    let more = "# It is long enough for somebody to be asked about it.\n".repeat(8);
    format!(
        "\"\"\"Calls the service, with {key}.\"\"\"\n\nTOKEN = \"{key}\"\n\n\ndef call(token=\"{key}\"):\n    \"\"\"Calls with {key}.\"\"\"\n    return \"{key}\"\n{more}"
    )
}

/// A project that has the key in its files, its history, its tasks, its talk and its names.
fn project(key: &str) -> TestEnv {
    let env = env();
    env.git(&["init", "-q"]);
    env.write("src/app.py", "def call():\n    return 1\n");
    env.git(&["add", "-A"]);
    env.git(&["commit", "-q", "-m", &format!("use {key}")]);
    env.write("src/app.py", code(key))
        .write("src/other.py", format!("def invoice():\n    # the invoice needs {key}\n    return 1\n"))
        .write(".beads/issues.jsonl", format!("{{\"id\":\"b-1\",\"title\":\"rotate {key}\",\"status\":\"open\",\"description\":\"{key}\"}}\n"))
        .write(&format!("shots/{key}.png"), PNG)
        .write(
            "contexture.toml",
            format!(
                "[project]\nexecution_mode = \"beads\"\n[files]\npaths = [\"src/app.py\"]\n[screenshots]\npaths = [\"shots/*.png\"]\n\
                 [discussion]\nhistory = [{{ role = \"user\", content = \"is {key} right?\" }}]\n\
                 [personas.ops]\nsystem_prompt = \"use {key}\"\n"
            ),
        );
    env
}

#[test]
fn views_of_files() {
    let canary = Canary::fresh();
    let key = &canary.0;
    let env = project(key);
    for view in ["full", "skeleton", "outline", "summary", "diff"] {
        canary.found(&env.run(&["build", "src/app.py", "--view", view, "-o", "-", "--json"]), "src/app.py");
        canary.found(&env.run(&["show", "src/app.py", "--view", view, "--json"]), "src/app.py");
        canary.stayed(&env.run(&["show", "src/app.py", "--view", view]), view);
    }
    canary.found(&env.run(&["show", "src/app.py", "--mask", "call=def", "--json"]), "src/app.py");
    canary.stayed(&env.run(&["symbols", "src/app.py", "--json"]), "symbols");
    canary.stayed(&env.run(&["tokens", "--json"]), "tokens");
    canary.stayed(&env.run(&["stats", "--json"]), "stats");
    canary.stayed(&env.run(&["why", "src/app.py", "--json"]), "why");
    canary.found(&env.run(&["build", "src/app.py", "--budget", "2000", "-o", "-", "--json"]), "src/app.py");

    // A slice is found by the file as it is and shown as it may leave.
    let slice = env.run(&["slice", "make", "src/app.py", "6-8", "--tag", "call", "--json"]);
    canary.stayed(&slice, "slice make");
    let resolved =
        env.run_with_stdin(&["slice", "resolve", "src/app.py", "--slice", "-", "--json"], slice.stdout.as_bytes());
    let now = resolved.json();
    assert_eq!((&now["outcome"], &now["start_line"]), (&json!("exact"), &json!(6)), "{}", resolved.all());
    let stored = env.run(&["slice", "make", "src/app.py", "6-8", "--tag", "call"]).stdout;
    let entry = format!(
        "[files]\npaths = [{{ path = \"src/app.py\", view_mode = \"custom\", custom_slices = [{}] }}]\n",
        stored.trim()
    );
    env.write("contexture.toml", entry);
    let shown = env.run(&["build", "-o", "-", "--json"]);
    canary.found(&shown, "src/app.py");
    assert!(
        shown.stdout.contains("lines 6-8: call") && shown.stdout.contains("[REDACTED:github-pat]"),
        "{}",
        shown.stdout
    );
}

#[test]
fn sections_formats_and_words_of_a_request() {
    let canary = Canary::fresh();
    let key = &canary.0;
    let env = project(key);
    let question = format!("where is the invoice made, with {key}?");
    for format in FORMATS {
        let words = [
            "build",
            "--format",
            format,
            "--diff",
            "--log",
            "3",
            "--tree",
            "full",
            "--persona",
            "ops",
            "--query",
            &question,
            "--message",
            &question,
            "--model",
            "claude-opus-5",
            "-o",
            "-",
            "--json",
        ];
        let ran = env.run(&words);
        for path in [
            "src/app.py",
            "src/other.py",
            "diff",
            "log",
            "beads",
            "discussion/1",
            "shots/",
            "query",
            "message",
            "system prompt",
        ] {
            canary.found(&ran, path);
        }
        canary.stayed(&env.run(&words[..words.len() - 1]), format);
    }
    let plan = env.run(&[]);
    canary.stayed(&plan, "plan");
    assert!(plan.stdout.contains("possible secrets") && plan.stdout.contains("contexture scan"), "{}", plan.stdout);
}

#[test]
fn manifests_and_what_they_keep() {
    let canary = Canary::fresh();
    let key = &canary.0;
    let env = project(key);
    let question = format!("what of {key}?");
    canary.stayed(
        &env.run(&[
            "build",
            "--format",
            "anthropic",
            "--model",
            "claude-opus-5",
            "--persona",
            "ops",
            "--message",
            &question,
        ]),
        "build",
    );
    canary.stayed(&env.run(&["build", "--query", &question, "--budget", "500"]), "build");
    for words in [
        &["runs", "--json"][..],
        &["runs", "show", "1", "--json"],
        &["runs", "show", "1", "--request"],
        &["runs", "show", "2", "--json"],
        &["runs", "diff", "1", "2"],
    ] {
        canary.stayed(&env.run(words), &words.join(" "));
    }
    let replayed = env.run(&["runs", "replay", "2", "-o", "-"]);
    assert_eq!(replayed.code, Some(0), "{}", replayed.all());
    canary.stayed(&replayed, "replay");
    // Nothing on disk but what was there before. The cache is the user's own and never leaves; git's messages are in it.
    for file in files(&env.home().join(".local")).into_iter().chain(files(&env.root().join(".contexture"))) {
        let bytes = std::fs::read(&file).unwrap();
        assert!(!bytes.windows(key.len()).any(|window| window == key.as_bytes()), "{} has it", file.display());
    }
}

fn files(dir: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let mut due = vec![dir.to_path_buf()];
    while let Some(dir) = due.pop() {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { due.push(path) } else { found.push(path) }
        }
    }
    found
}

#[test]
fn written_summaries() {
    let canary = Canary::fresh();
    let env = env();
    env.write("a.md", "A text about nothing in particular, long enough for a summary.\n\n".repeat(20));
    let entry = SummaryEntry {
        file_path: "a.md".into(),
        file_hash: ContentHash::of(std::fs::read(env.root().join("a.md")).unwrap()),
        summary: format!("It says that {} is the key.", canary.0),
        outline: String::new(),
        generated_at: "2026-01-02T03:04:05Z".into(),
        generator_tier: 2,
        generator: Generator { provider: "some".into(), model: "model".into(), prompt_version: "1".into() },
        view: "summary".into(),
        params: String::new(),
        input_tokens: None,
        output_tokens: None,
    };
    summaries::open(&env.home().join(".cache/contexture")).unwrap().summaries.put(&[entry]).unwrap();
    let ran = env.run(&["build", "--strategy", "summarize", "-o", "-", "--json"]);
    canary.found(&ran, "a.md (summary)");
    assert!(ran.stdout.contains("written by some/model"), "{}", ran.stdout);
}

#[test]
fn layers_of_an_agent() {
    let canary = Canary::fresh();
    let key = &canary.0;
    let env = env();
    let session = json!({"messages": [
        {"role": "user", "content": format!("take {key}")},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "call", "arguments": json!({"token": key}).to_string()}}]},
        {"role": "tool", "tool_call_id": "c1", "content": format!("accepted {key}")},
        {"role": "assistant", "content": format!("{key} works")},
    ]});
    env.write("ws/SOUL.md", format!("You hold {key}.\n"))
        .write("ws/AGENTS.md", format!("Use {key}.\n"))
        .write("ws/TOOLS.md", format!("## call\n\nCalls with {key}.\n"))
        .write("ws/memory/MEMORY.md", format!("# Memory\n\n- the key is {key}\n"))
        .write("ws/skills/deploy/SKILL.md", format!("---\nname: deploy\ndescription: deploys with {key}\n---\nRun with {key}.\n"))
        .write("session.json", session.to_string())
        .write("tools.json", json!([{"name": "call", "description": format!("with {key}"), "parameters": {"type": "object", "description": format!("{key}")}}]).to_string());
    let message = format!("$deploy with {key}");
    for format in ["messages", "anthropic", "openai", "responses", "gemini", "deepseek", "minimax", "md"] {
        let words = [
            "agent",
            "-m",
            &message,
            "--workspace",
            "ws",
            "--session",
            "session.json",
            "--tools",
            "tools.json",
            "--format",
            format,
            "--model",
            "claude-opus-5",
            "--json",
        ];
        let ran = env.run(&words);
        for path in [
            "SOUL.md",
            "AGENTS.md",
            "TOOLS.md",
            "MEMORY.md",
            "SKILL.md",
            "session.json#1",
            "session.json#2",
            "session.json#3",
            "message",
            "tool schemas",
        ] {
            canary.found(&ran, path);
        }
        canary.stayed(&env.run(&words[..words.len() - 1]), format);
    }
    canary.stayed(&env.run(&["runs", "show", "last", "--json"]), "runs");
    canary.stayed(&env.run(&["runs", "show", "last", "--request"]), "runs");
}

#[test]
fn paths_through_trees() {
    let canary = Canary::fresh();
    let key = &canary.0;
    let env = env();
    for words in [
        &["loom", "new", "Keys", "--system", &format!("keep {key}")][..],
        &["loom", "add", &format!("is {key} good?")],
        &["loom", "add", "--as", "model", &format!("{key} is")],
    ] {
        assert_eq!(env.run(words).code, Some(0));
    }
    let working = format!("and {key}?");
    for format in ["messages", "anthropic", "openai", "md"] {
        let words = ["loom", "assemble", "--loom-aware", "--working", &working, "--format", format, "--json"];
        let ran = env.run(&words);
        canary.stayed(&ran, format);
        let told = ran.json()["safety"]["secrets"].as_array().cloned().unwrap_or_default();
        assert!(
            told.len() >= 4 && told.iter().all(|found| found["fingerprint"] == canary.fingerprint().as_str()),
            "{told:?}"
        );
        canary.stayed(&env.run(&words[..words.len() - 1]), format);
    }
}

#[test]
fn what_goes_to_providers() {
    let canary = Canary::fresh();
    let key = &canary.0;
    let env = project(key);
    let provider = Provider::start(|_, _| Reply::openai("It makes calls to a service and returns what it says."));
    let url = provider.url.clone();
    let question = format!("what of {key}?");
    let with_key = |words: &[&str]| {
        let mut command = env.command(words);
        let output = command.env("OPENAI_API_KEY", "k").output().unwrap();
        contexture_testkit::Ran {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    };
    canary.stayed(
        &with_key(&[
            "send",
            "--provider",
            "openai",
            "--model",
            "gpt-5",
            "--base-url",
            &url,
            "--persona",
            "ops",
            "--message",
            &question,
        ]),
        "send",
    );
    canary.stayed(
        &with_key(&["summarize", "src/app.py", "--provider", "openai", "--model", "gpt-5", "--base-url", &url]),
        "summarize",
    );
    assert_eq!(env.run(&["loom", "new", "Keys", "--system", key]).code, Some(0));
    assert_eq!(env.run(&["loom", "add", &format!("is {key} good?")]).code, Some(0));
    canary.stayed(&with_key(&["loom", "generate", "--model", "gpt-5", "--base-url", &url]), "generate");
    let heard = provider.heard();
    assert!(heard.len() >= 3, "{} requests came", heard.len());
    for request in &heard {
        let body = request.json().to_string();
        assert!(!body.contains(key.as_str()), "it was sent: {body}");
        assert!(body.contains("[REDACTED:github-pat]"), "it was not masked: {body}");
    }
}

#[test]
fn talk_after_talk_that_was_clean() {
    let canary = Canary::fresh();
    let env = env();
    let talk = |said: &str| env.write("contexture.toml", format!("[discussion]\nhistory = [\"hi\", \"{said}\"]\n"));
    talk("how are you?");
    assert_eq!(env.run(&["build", "-o", "-"]).code, Some(0));
    talk(&format!("use {}", canary.0));
    // What was remembered of one entry must not speak for another.
    for _ in 0..2 {
        canary.found(&env.run(&["build", "-o", "-", "--json"]), "discussion/2");
    }
}

#[test]
fn names_that_are_near_to_what_was_asked_for() {
    let canary = Canary::fresh();
    let key = &canary.0;
    let env = env();
    env.write(&format!("{key}.txt"), "a\n").write(
        "contexture.toml",
        format!("[presets.{key}]\nfiles = [\"a\"]\n[personas.{key}]\nsystem_prompt = \"x\"\n"),
    );
    let near = format!("{}x", &key[..key.len() - 1]);
    for words in [vec!["why".to_owned(), format!("{near}.txt")], vec!["preset".into(), "show".into(), near.clone()]] {
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        words.push("--json");
        let ran = env.run(&words);
        // What was asked for is nearly all of it; what is told must not be the rest.
        assert!(!ran.stdout.contains(key), "{}", ran.all());
    }
    // Names of settings are written down with every run.
    canary.stayed(&env.run(&["build", "contexture.toml", "-o", "-", "--json"]), "build");
    canary.stayed(&env.run(&["runs", "show", "last", "--json"]), "runs show");
}
