//! Nothing from outside the roots, by any spelling; and roots of a client only narrow.

use super::client::Client;
use super::small;
use contexture_testkit::TestEnv;
use serde_json::json;

const CANARY: &str = "canary-7f3a91";

fn guarded() -> TestEnv {
    let env = small();
    std::fs::write(env.temp().join("outside.txt"), CANARY).unwrap();
    std::fs::create_dir_all(env.temp().join("project-other")).unwrap();
    std::fs::write(env.temp().join("project-other/x.txt"), CANARY).unwrap();
    env.write(".env", format!("KEY={CANARY}\n")).write("keys/id_rsa", CANARY);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../outside.txt", env.root().join("link.txt")).unwrap();
        std::os::unix::fs::symlink(env.temp(), env.root().join("up")).unwrap();
        std::os::unix::fs::symlink(".env", env.root().join("plain.txt")).unwrap();
    }
    env
}

/// Ways to name what may not be read.
fn spellings(env: &TestEnv) -> Vec<String> {
    let outside = env.temp().join("outside.txt").display().to_string();
    let mut all: Vec<String> = [
        "../outside.txt",
        "./../outside.txt",
        "src/../../outside.txt",
        "src/../..//outside.txt",
        "link.txt",
        "up/outside.txt",
        "up/project-other/x.txt",
        "../project-other/x.txt",
        "..\\outside.txt",
        "../outside.txt\u{0}",
        ".env",
        "./.env",
        "src/../.env",
        "keys/id_rsa",
        "/proc/self/environ",
        "plain.txt",
        "up/project/.env",
    ]
    .map(str::to_owned)
    .into();
    all.extend([outside.clone(), format!("{}/../outside.txt", env.root().display()), format!("file://{outside}")]);
    all
}

#[test]
fn no_spelling_leads_out() {
    let env = guarded();
    let mut client = Client::greeted(&env, &["--allow-write"]);
    let mut asked = 0;
    for path in spellings(&env) {
        for (tool, arguments) in [
            ("read", json!({"path": path})),
            ("read", json!({"path": path, "view": "diff"})),
            ("build", json!({"paths": [path]})),
            ("build", json!({"focus": [path]})),
            ("plan", json!({"paths": [path]})),
            ("tokens", json!({"paths": [path]})),
            ("why", json!({"path": path})),
            ("search", json!({"query": "canary KEY", "include": [path]})),
        ] {
            let answer = client.ask("tools/call", json!({"name": tool, "arguments": arguments}));
            assert!(!answer.to_string().contains(CANARY), "{tool} {arguments}: {answer}");
            asked += 1;
        }
        let encoded = |all: bool| -> String {
            let plain = |byte: &u8| byte.is_ascii_alphanumeric() && !all;
            path.bytes()
                .map(|byte| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
                .collect()
        };
        let twice = encoded(false).replace('%', "%25");
        for path in
            [path.clone(), encoded(false), encoded(true), twice, path.replace('/', "%2f"), path.replace("..", "%2e%2e")]
        {
            for uri in [
                format!("contexture://file/{path}"),
                format!("contexture://file/{path}?view=full"),
                format!("contexture://file//{path}"),
            ] {
                let answer = client.read(&uri);
                assert!(!answer.to_string().contains(CANARY), "{uri}: {answer}");
                asked += 1;
            }
        }
    }
    assert!(asked > 400, "{asked}");
    let listed = client.ask("resources/list", json!({})).to_string();
    let completed = client.ask("completion/complete", json!({"ref": {"type": "ref/resource", "uri": "contexture://file/{path}{?view}"}, "argument": {"name": "path", "value": ""}})).to_string();
    for hidden in [".env", "id_rsa", "outside.txt", "x.txt"] {
        assert!(!listed.contains(hidden) && !completed.contains(hidden), "{hidden}");
    }
}

#[test]
fn roots_of_a_client_narrow_and_never_widen() {
    let env = guarded();
    let root = env.root().canonicalize().unwrap();
    let folder = |path: &std::path::Path| json!([{"uri": format!("file://{}", path.display())}]);
    let mut client = Client::start(&env, &[]);
    client.roots = Some(folder(&root.join("src")));
    client.greet(json!({"roots": {"listChanged": true}}));
    let (read, _) = client.call("read", json!({"path": "lib.rs"}));
    assert!(read["text"].as_str().unwrap().contains("The library"));
    assert!(client.refused("read", json!({"path": "../README.md"})).contains("outside the roots"));
    // It changes its mind: all of the parent folder, which is more than it may have.
    client.roots = Some(folder(env.temp()));
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}));
    let mut is_wider = false;
    for _ in 0..50 {
        let answer = client.ask("tools/call", json!({"name": "read", "arguments": {"path": "README.md"}}));
        is_wider = answer["result"]["isError"] == false;
        if is_wider {
            break;
        }
    }
    assert!(is_wider);
    assert!(client.refused("read", json!({"path": "../outside.txt"})).contains("outside the roots"));
    let mut stranger = Client::start(&env, &[]);
    stranger.roots = Some(folder(&env.home()));
    stranger.greet(json!({"roots": {}}));
    assert!(stranger.refused("plan", json!({})).contains("share nothing"));
}

#[test]
fn records_and_lists_pass_the_gate() {
    let env = small();
    // Put together here, so that no scanner of others takes it for one.
    let token = ["ghp", "kT9xQ2mB7vL4sZ8wN1cR6yH3jF5dG0aPuE2X"].join("_");
    let key = token.as_str();
    env.write(&format!("{key}.md"), "# a name\n");
    env.write("contexture.toml", format!("[presets.code]\ndescription = \"with {key}\"\nfiles = [\"src/**\"]\n"));
    assert_eq!(env.run(&["loom", "new", &format!("Tea {key}")]).code, Some(0));
    let added = env.run(&["loom", "add", "--json", &format!("take {key} please")]);
    let node: serde_json::Value = serde_json::from_str(&added.stdout).unwrap();
    let (tree, node) = (node["tree"]["local"].as_str().unwrap(), node["node"]["local"].as_str().unwrap());
    let mut client = Client::greeted(&env, &[]);
    let read = client.read(&format!("contexture://loom/{tree}/{node}"));
    assert!(read.to_string().contains("[REDACTED:"), "{read}");
    let template = json!({"type": "ref/resource", "uri": "contexture://file/{path}{?view}"});
    for said in [
        read,
        client.ask("resources/list", json!({})),
        client.ask("prompts/list", json!({})),
        client.ask("prompts/get", json!({"name": "code"})),
        client.ask("completion/complete", json!({"ref": template, "argument": {"name": "path", "value": "g"}})),
    ] {
        assert!(said.get("result").is_some() && !said.to_string().contains(key), "{said}");
    }
    // Under `deny` a record with a secret is refused.
    env.write("contexture.toml", "[safety]\nsecrets = \"deny\"\n");
    let refused = client.read(&format!("contexture://loom/{tree}/{node}"));
    assert!(refused.get("error").is_some() && !refused.to_string().contains(key), "{refused}");
    let listed = client.ask("resources/list", json!({}));
    assert!(listed.get("result").is_some() && !listed.to_string().contains(key), "{listed}");
}

#[test]
fn a_task_of_megabytes_is_refused() {
    let env = small();
    let mut client = Client::greeted(&env, &[]);
    let said = client.refused("build", json!({"query": "x".repeat(100_000)}));
    assert!(said.contains("65,536 at most"), "{said}");
}
