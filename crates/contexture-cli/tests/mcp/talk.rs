//! What is listed, called and read.

use super::client::Client;
use super::small;
use contexture_core::{Counter, Tokenizer};
use insta::assert_snapshot;
use serde_json::{Value, json};

const PRESETS: &str =
    "[presets.lib]\ndescription = \"The library\"\nfiles = [\"src/lib.rs\"]\n\n[presets.all]\nfiles = [\"src/**\"]\n";

#[test]
fn tools_are_listed_the_same_every_time() {
    let env = small();
    let names = |client: &mut Client| {
        let answer = client.ask("tools/list", json!({}));
        let tools = answer["result"]["tools"].as_array().unwrap().clone();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_snapshot!(names(&mut Client::greeted(&env, &[])), @"plan build read search tokens why loom_path");
    let mut client = Client::greeted(&env, &["--allow-write"]);
    assert_snapshot!(names(&mut client), @"plan build read search tokens why loom_path loom_append");
    assert_eq!(
        client.ask("tools/list", json!({}))["result"],
        Client::greeted(&env, &["--allow-write"]).ask("tools/list", json!({}))["result"]
    );
}

#[test]
fn tools_answer_in_the_shapes_of_the_program() {
    let env = small();
    let mut client = Client::greeted(&env, &[]);
    let pairs: [(&str, Value, &[&str]); 4] = [
        ("plan", json!({}), &["--json"]),
        ("tokens", json!({"paths": ["src"]}), &["tokens", "--json", "src"]),
        ("why", json!({"path": "a.log"}), &["why", "--json", "a.log"]),
        (
            "read",
            json!({"path": "src/lib.rs", "view": "outline"}),
            &["show", "--json", "--view", "outline", "src/lib.rs"],
        ),
    ];
    for (tool, arguments, words) in pairs {
        let (mut answer, _) = client.call(tool, arguments);
        answer.as_object_mut().unwrap().remove("next_offset");
        assert_eq!(answer, env.run(words).json(), "{tool}");
    }
}

#[test]
fn a_document_is_built_and_leaves_a_manifest() {
    let env = small();
    let mut client = Client::greeted(&env, &[]);
    let (built, text) = client.call("build", json!({"paths": ["src/lib.rs"]}));
    assert_snapshot!(text, @"
    ## Files

    ### `src/lib.rs`

    ```rust
    //! The library.

    pub fn one() -> u32 {
        1
    }
    ```


    ---
    1 item, 0 left out; 31 tokens (exact, o200k_base)
    ");
    assert!(text.starts_with(built["document"].as_str().unwrap()));
    assert_eq!((&built["path"], &built["next_offset"]), (&Value::Null, &Value::Null));
    let shown = env.run(&["runs", "show", "--json", &built["run"].to_string()]).json();
    assert_eq!(shown["request"]["document"]["caller"], "mcp: test 1");
    let replayed = env.run(&["runs", "replay", &built["run"].to_string()]);
    assert_eq!(replayed.code, Some(0), "{}", replayed.stderr);
    // It was asked to write, and may not.
    assert!(client.refused("build", json!({"write": true})).contains("no argument is called `write`"));
    assert!(!env.root().join(".contexture").exists());
    let mut writer = Client::greeted(&env, &["--allow-write"]);
    let (built, _) = writer.call("build", json!({"paths": ["src/lib.rs"], "write": true}));
    assert_eq!(env.read(built["path"].as_str().unwrap()), built["document"].as_str().unwrap());
}

#[cfg(unix)]
#[test]
fn a_document_of_a_linked_root_is_named_as_the_project_calls_it() {
    let env = small();
    let link = env.temp().join("link");
    std::os::unix::fs::symlink(env.root(), &link).unwrap();
    let mut client = Client::greeted(&env, &["--root", link.to_str().unwrap(), "--allow-write"]);
    let (built, _) = client.call("build", json!({"paths": ["src/lib.rs"], "write": true}));
    let path = built["path"].as_str().unwrap();
    assert!(path.starts_with(".contexture/out/"), "{path}");
}

#[test]
fn no_answer_is_longer_than_a_page_and_pages_make_the_whole() {
    let env = small();
    for number in 0..400 {
        let text: String = (0..40).map(|line| format!("let value_{line} = \"{number}\"; // ünïcode\n")).collect();
        env.write(&format!("src/many/module_with_a_name_{number}.rs"), text);
    }
    // One line that is longer than any page.
    env.write("src/long.txt", format!("{}\n", "word, ".repeat(30_000)));
    let mut client = Client::greeted(&env, &[]);
    let mut tokens = |tool: &str, mut arguments: Value, part: &str| {
        let (mut whole, mut pages) = (String::new(), 0);
        loop {
            let (answer, text) = client.call(tool, arguments.clone());
            let (cost, shown) = (Tokenizer::O200k.count(&answer.to_string()), Tokenizer::O200k.count(&text));
            assert!(cost <= 8000 && shown <= 8000, "{tool}: {cost} and {shown} tokens");
            whole.push_str(&answer[part].as_str().map_or_else(|| answer[part].to_string(), str::to_owned));
            pages += 1;
            if answer["next_offset"].is_null() {
                return (whole, pages);
            }
            arguments["offset"] = answer["next_offset"].clone();
        }
    };
    let (whole, pages) = tokens("build", json!({"paths": ["src/many/*_1*.rs", "src/long.txt"]}), "document");
    assert!(pages > 3, "{pages}");
    assert_eq!(whole, env.run_with_stdin(&["build", "-", "-o", "-"], b"src/many/*_1*.rs\nsrc/long.txt\n").stdout);
    let (whole, _) = tokens("read", json!({"path": "src/long.txt"}), "text");
    assert_eq!(whole, env.read("src/long.txt"));
    let (files, pages) = tokens("tokens", json!({}), "files");
    assert!(pages > 1 && files.matches("\"path\"").count() == 407, "{pages}: {}", files.matches("\"path\"").count());
    let (items, _) = tokens("plan", json!({}), "items");
    assert!(items.contains("module_with_a_name_0.rs") && items.contains("module_with_a_name_399.rs"));
    tokens("search", json!({"query": "value", "max_tokens": 6000}), "passages");
    tokens("why", json!({"path": "src/many/module_with_a_name_7.rs", "budget": 5000, "query": "value"}), "reason");
}

#[test]
fn arguments_are_checked() {
    let env = small();
    let mut client = Client::greeted(&env, &[]);
    let calls = [
        ("read", json!({})),
        ("read", json!({"pat": "src/lib.rs"})),
        ("read", json!({"path": "src/lib.rs", "view": "outlin"})),
        ("read", json!({"path": "src/lib.rs", "mask": {"one": "all"}})),
        ("read", json!({"path": "src/lib.rs", "lines": "9-2"})),
        ("read", json!({"path": "src/lib.rs", "lines": "900"})),
        ("read", json!({"path": "src/lib.rs", "offset": 9999})),
        ("read", json!({"path": "src"})),
        ("read", json!({"path": "src/lob.rs"})),
        ("plan", json!({"budget": "many"})),
        ("plan", json!({"paths": [""]})),
        ("plan", json!({"preset": "none"})),
        ("build", json!({"budget": 1, "focus": ["src/lib.rs"]})),
        ("search", json!({"query": " "})),
        ("loom_path", json!({})),
    ];
    let all: Vec<String> = calls
        .map(|(name, arguments)| {
            let told = client.refused(name, arguments.clone()).replace(&*env.home().to_string_lossy(), "[HOME]");
            format!("{name} {arguments}\n{told}")
        })
        .into();
    assert_snapshot!(all.join("\n"), @r#"
    read {}
    error: `path` is missing

    read {"pat":"src/lib.rs"}
    error: `path` is missing
    hint: did you mean it by `pat`?

    read {"path":"src/lib.rs","view":"outlin"}
    error: no view is called `outlin`
    hint: there are: full, diff, skeleton, custom, masked, outline, summary, name, none

    read {"path":"src/lib.rs","mask":{"one":"all"}}
    error: `mask` is not an object of symbols and modes: {"Class.method": "def"|"sig"|"hide"}

    read {"path":"src/lib.rs","lines":"9-2"}
    error: `9-2` is no range of lines
    hint: for example 10-40, from 1 on

    read {"path":"src/lib.rs","lines":"900"}
    error: `src/lib.rs` has no line 900
    hint: it has 5

    read {"path":"src/lib.rs","offset":9999}
    error: there is no page at offset 9999
    hint: take `next_offset` of the page before, or leave it out

    read {"path":"src"}
    error: `src` is not one file
    hint: this takes one file; `build` takes folders and patterns

    read {"path":"src/lob.rs"}
    error: file not found: src/lob.rs
    hint: did you mean `src/lib.rs`?

    plan {"budget":"many"}
    error: `budget` is not a number from 0 on

    plan {"paths":[""]}
    error: `paths` has an empty text
    hint: `.` is the whole folder

    plan {"preset":"none"}
    error: no such preset: `none`
    hint: `contexture preset list` shows all

    build {"budget":1,"focus":["src/lib.rs"]}
    error: what must be shown needs 38 tokens, the budget is 1
    hint: the largest are `src/lib.rs` 28
    hint: `--budget 38` would do

    search {"query":" "}
    error: there is nothing to search for
    hint: name words, symbols, or an error message

    loom_path {}
    error: there is no store yet: [HOME]/.local/share/contexture/loom.sqlite
    hint: `contexture loom new TITLE` makes one
    "#);
    let unknown = client.ask("tools/call", json!({"name": "loom_append", "arguments": {"text": "x"}}));
    assert_eq!(unknown["error"]["code"], -32602);
}

#[test]
fn presets_are_prompts_and_resources() {
    let env = small();
    env.write("contexture.toml", PRESETS);
    let mut client = Client::greeted(&env, &[]);
    let prompts = client.ask("prompts/list", json!({}));
    let names: Vec<&str> =
        prompts["result"]["prompts"].as_array().unwrap().iter().filter_map(|prompt| prompt["name"].as_str()).collect();
    assert_eq!(names, ["all", "lib"]);
    let prompt = client.ask("prompts/get", json!({"name": "lib"}));
    let text = prompt["result"]["messages"][0]["content"]["text"].clone();
    assert_eq!(text, env.run(&["build", "--preset", "lib", "-o", "-"]).stdout);
    assert_eq!(client.read("contexture://preset/lib")["result"]["contents"][0]["text"], text);
    let fitted = client.ask("prompts/get", json!({"name": "all", "arguments": {"budget": "40", "query": "one"}}));
    assert!(Tokenizer::O200k.count(fitted["result"]["messages"][0]["content"]["text"].as_str().unwrap()) <= 40);
    for (method, params) in [
        ("prompts/get", json!({"name": "none"})),
        ("prompts/get", json!({"name": "lib", "arguments": {"budget": "much"}})),
        ("resources/read", json!({"uri": "contexture://preset/none"})),
    ] {
        assert_eq!(client.ask(method, params.clone())["error"]["code"], -32602, "{params}");
    }
}

#[test]
fn nodes_are_added_and_read_but_not_hidden_ones() {
    let env = small();
    assert_eq!(env.run(&["loom", "new", "Talk"]).code, Some(0));
    let mut client = Client::greeted(&env, &["--allow-write"]);
    let (first, _) = client.call("loom_append", json!({"text": "A question?", "author_type": "human"}));
    let (second, _) = client.call("loom_append", json!({"text": "canary answer", "parent": first["node"]["local"]}));
    assert_eq!(second["node"]["author_type"], "model");
    let (path, text) = client.call("loom_path", json!({}));
    assert_eq!(
        path["messages"],
        json!([{"role": "user", "content": "A question?"}, {"role": "assistant", "content": "canary answer"}])
    );
    assert!(text.contains("canary answer"));
    let (tree, node) = (first["tree"]["local"].as_str().unwrap(), second["node"]["local"].as_str().unwrap());
    let uri = format!("contexture://loom/{tree}/{node}");
    let read = client.read(&uri);
    let record: Value = serde_json::from_str(read["result"]["contents"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(record, env.run(&["loom", "show", "--json", node]).json());
    assert_eq!(env.run(&["loom", "exclude", node]).code, Some(0));
    let refused = client.read(&uri);
    assert_eq!(refused["error"]["code"], -32602);
    let (path, text) = client.call("loom_path", json!({}));
    assert!(![refused.to_string(), path.to_string(), text].iter().any(|said| said.contains("canary")));
}

#[test]
fn the_newest_generation_needs_no_handshake() {
    let env = small();
    let mut client = Client::start(&env, &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "new", "version": "2"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let discovered = client.ask("server/discover", json!({"_meta": meta}));
    assert!(discovered["result"]["supportedVersions"].to_string().contains("2026-07-28"), "{discovered}");
    let listed = client.ask("resources/list", json!({"_meta": meta}));
    assert_eq!(
        (&listed["result"]["resultType"], &listed["result"]["cacheScope"]),
        (&json!("complete"), &json!("private"))
    );
    let called = client.ask("tools/call", json!({"_meta": meta, "name": "read", "arguments": {"path": "README.md"}}));
    assert_eq!(called["result"]["structuredContent"]["view"], "full", "{called}");
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn a_long_question_is_not_said_again() {
    let env = small();
    let mut client = Client::greeted(&env, &[]);
    let (answer, _) = client.call("search", json!({"query": "one ".repeat(1_000)}));
    assert!(answer.get("query").is_none() && answer.to_string().len() < 40_000, "{answer}");
    let refused = client.refused("search", json!({"query": "one ".repeat(20_000)}));
    assert!(refused.contains("64") || refused.contains("65,536"), "{refused}");
}
