//! Verbs that came to the server later: what they answer is what the command prints, and none of them leaves the roots.

use super::client::Served;
use serde_json::{Value, json};

#[test]
fn settings_and_documents_are_kept_in_order() {
    let served = Served::start();
    assert_eq!(served.ask("init", &json!({})).json()["path"], "contexture.toml");
    assert_eq!(served.ask("init", &json!({})).status, 409);
    assert!(served.ask("config/schema", &json!({})).json()["properties"].is_object());
    for _ in 0..3 {
        assert_eq!(served.ask("build", &json!({})).status, 200);
    }
    assert_eq!(served.ask("prune", &json!({})).status, 400);
    let pruned = served.ask("prune", &json!({"keep": 1})).json();
    assert_eq!((pruned["removed"].as_array().unwrap().len(), &pruned["kept"]), (2, &json!(1)), "{pruned}");
    assert!(pruned["removed"][0].as_str().unwrap().starts_with(".contexture/out/"), "{pruned}");
    let replayed = served.ask("runs/replay", &json!({"run": "last"})).json();
    assert_eq!(replayed["same"], true, "{replayed}");
    assert!(replayed["document"].as_str().unwrap().contains("pub fn add"), "{replayed}");
    served.write("README.md", "# Other\n");
    let other = served.ask("runs/replay", &json!({"run": "last"})).json();
    assert_eq!((&other["same"], &other["document"]), (&json!(false), &Value::Null), "{other}");
    let anyway = served.ask("runs/replay", &json!({"run": "last", "anyway": true})).json();
    assert!(anyway["document"].as_str().unwrap().contains("# Other"), "{anyway}");
    assert_eq!(served.ask("runs/kept", &json!({"run": "last", "what": "request"})).status, 422);
    let slop = json!({"name": "manual_slop.toml", "text": "[project]\nname = \"old\"\n"});
    let imported = served.ask("import/manual-slop", &slop).json();
    assert!(imported["text"].as_str().unwrap().contains("old"), "{imported}");
    let saved = json!({"name": "p", "files": ["README.md"], "screenshots": ["shots/*.png"]});
    assert_eq!(served.ask("preset/save", &saved).status, 200);
    assert_eq!(served.ask("preset/show", &json!({"name": "p"})).json()["screenshots"], json!(["shots/*.png"]));
}

#[test]
fn passages_are_found_and_slices_refreshed() {
    let served = Served::start();
    let found = served.ask("search", &json!({"query": "add a sum"})).json();
    assert_eq!(found["passages"][0]["path"], "src/lib.rs", "{found}");
    assert_eq!(served.ask("search", &json!({"query": " "})).status, 400);
    assert_eq!(served.ask("slice/refresh", &json!({})).status, 400);
    let checked = served.ask("check", &json!({"provider": "openai", "body": "{}"})).json();
    assert_eq!((&checked["valid"], &checked["provider"]), (&json!(false), &json!("openai")), "{checked}");
}

#[test]
fn sessions_are_read_from_the_call_and_written_inside_the_roots() {
    let served = Served::start();
    let text = json!([{"role": "user", "content": "hello"}, {"role": "assistant", "content": "good day"}]).to_string();
    let read = served.ask("session/import", &json!({"text": text}));
    assert_eq!(read.status, 200, "{}", read.body);
    assert!(read.body.contains("good day"), "{}", read.body);
    let say =
        |file: &str, role: &str| served.ask("session/append", &json!({"file": file, "role": role, "content": "hello"}));
    assert_eq!(say("talk.json", "user").json()["created"], true);
    assert_eq!(say("talk.json", "assistant").json()["messages"], 2);
    assert_eq!(say("talk.json", "tool").status, 400);
    for file in ["../talk.json", "/tmp/talk-of-a-test.json", "src/../../talk.json", "talk.txt", ".git/hooks/x"] {
        let refused = say(file, "user");
        assert_eq!(refused.status, 400, "{file}: {}", refused.body);
    }
    assert!(!served.folder.path().join("talk.json").exists());
    // A file that is no session stays what it is.
    served.write("other.json", "{\"a\": 1}");
    assert_ne!(say("other.json", "user").status, 200);
    let context = json!({"message": "and?", "session": "talk.json", "tools": [{"name": "read", "description": "reads", "parameters": {"type": "object"}}], "format": "openai", "model": "gpt-5"});
    let made = served.ask("agent", &context);
    assert!(made.status == 200 && made.body.contains("reads"), "{}", made.body);
}

#[test]
fn trees_have_settings_agents_paths_and_memory() {
    let served = Served::start();
    let made = served.ask("loom/new", &json!({"title": "A talk", "strategy": "rollingWindow"})).json();
    assert!(made.to_string().contains("rollingWindow"), "{made}");
    let first = served.ask("loom/add", &json!({"text": "hello"})).json()["node"]["local"].clone();
    served.ask("loom/add", &json!({"text": "good day", "author_type": "model"}));
    let set = served.ask("loom/set", &json!({"title": "Another", "unset": ["strategy"]})).json();
    assert!(set.to_string().contains("Another") && !set.to_string().contains("rollingWindow"), "{set}");
    assert_eq!(served.ask("loom/set", &json!({})).json()["tree"]["title"], "Another");
    assert_eq!(served.ask("loom/set", &json!({"unset": ["title"]})).status, 400);
    let agent = json!({"name": "helper", "kind": "model", "model": "gpt-5", "allow": ["loom_aware"]});
    assert_eq!(served.ask("loom/agent", &agent).status, 200);
    assert_eq!(served.ask("loom/agent", &json!({"name": "helper", "allow": ["everything"]})).status, 400);
    assert!(served.ask("loom/agent", &json!({"name": "helper"})).body.contains("loom_aware"));
    assert!(served.ask("loom/agents", &json!({})).body.contains("helper"));
    let walked = served.ask("loom/path", &json!({"node": first})).json();
    assert_eq!(walked["nodes"].as_array().unwrap().len(), 1, "{walked}");
    assert_eq!(served.ask("loom/path", &json!({"use": true})).status, 400);
    assert!(served.ask("loom/paths", &json!({})).json()["paths"].is_array());
    assert_eq!(served.ask("loom/stash", &json!({"label": "plan", "text": "first this"})).status, 200);
    assert!(served.ask("loom/memory", &json!({})).body.contains("plan"));
    let aware = served.ask("loom/assemble", &json!({"agent": "helper", "loom_aware": true})).json();
    assert!(aware.to_string().contains("plan") && !aware.to_string().contains("first this"), "{aware}");
    assert_eq!(served.ask("loom/recall", &json!({"label": "plan"})).status, 200);
    assert!(served.ask("loom/assemble", &json!({"agent": "helper"})).body.contains("first this"));
    assert_eq!(served.ask("loom/drop", &json!({"label": "plan"})).status, 200);
    assert_eq!(served.ask("loom/verify", &json!({})).json()["ok"], true);
    assert_eq!(served.ask("cache/verify", &json!({"repair": true})).status, 200);
}

#[test]
fn a_fingerprint_is_allowed_in_the_settings_of_the_user() {
    let served = Served::start();
    let user = || std::fs::read_to_string(served.folder.path().join("config/config.toml")).unwrap();
    // An empty list of the project allows nothing there, and takes nothing from the user's own.
    for (fingerprint, project) in [("0123456789abcdef", ""), ("0123456789abcdee", "[safety]\nallow = []\n")] {
        served.write("contexture.toml", project);
        let allowed = served.ask("scan/allow", &json!({"fingerprint": fingerprint}));
        assert_eq!(allowed.status, 200, "{}", allowed.body);
        assert!(user().contains(fingerprint) && user().contains("0123456789abcdef"), "{}", user());
        let text = std::fs::read_to_string(served.folder.path().join("project/contexture.toml")).unwrap();
        assert_eq!(text, project);
    }
}

#[test]
fn settings_that_nothing_could_be_done_with_are_not_written() {
    let served = Served::start();
    let project = served.folder.path().join("project");
    served.write("contexture.toml", "# mine\n");
    let set = |key: &str, value: &str| served.ask("config/set", &json!({"key": key, "value": value}));
    for (key, value) in [
        ("files.base_dir", "../outside"),
        ("screenshots.base_dir", "/"),
        ("output.dir", "../out"),
        ("files.include", "[\"[z-a]\"]"),
        ("files.exclude", "[\"[z-a]\"]"),
        ("files.paths", "[\"src/[z-a]\"]"),
        ("screenshots.paths", "[\"[z-a]*.png\"]"),
        ("project.persona", "nobody"),
        ("budget.tokenizer", "none"),
        ("safety.secrets", "off"),
        ("safety.allow", "[\"0123456789abcdef\"]"),
    ] {
        let refused = set(key, value);
        assert_eq!(refused.status, 400, "{key}: {}", refused.body);
        assert!(refused.body.contains(key) && !refused.json()["error"]["hints"][0].is_null(), "{}", refused.body);
        assert_eq!(std::fs::read_to_string(project.join("contexture.toml")).unwrap(), "# mine\n", "{key}");
    }
    assert_eq!(served.ask("plan", &json!({})).status, 200);
    // The user may send documents elsewhere; what is broken already can be mended key by key.
    assert_eq!(
        served.ask("config/set", &json!({"key": "output.dir", "value": "../out", "scope": "global"})).status,
        200
    );
    served.write("contexture.toml", "[files]\nbase_dir = \"..\"\nexclude = [\"[z-a]\"]\n");
    for (key, value) in [("files.exclude", "[]"), ("files.base_dir", "src")] {
        assert_eq!(set(key, value).status, 200, "{key}");
    }
    assert_eq!(served.ask("plan", &json!({})).status, 200);
}
