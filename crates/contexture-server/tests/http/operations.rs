//! What operations answer, and what they say to what they cannot do.

use super::client::Served;
use serde_json::{Value, json};

#[test]
fn a_document_is_planned_previewed_and_built() {
    let served = Served::start();
    let plan = served.ask("plan", &json!({})).json();
    let paths: Vec<&str> =
        plan["items"].as_array().unwrap().iter().map(|item| item["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["Cargo.lock", "README.md", "src/lib.rs", "src/main.rs"]);
    let request = json!({"request": {"composition": ["src/lib.rs", {"path": "README.md", "view_mode": "name"}]}});
    let preview = served.ask("preview", &request).json();
    let text = preview["text"].as_str().unwrap();
    assert!(text.contains("pub fn add") && !text.contains("Words."), "{text}");
    let titles: Vec<&str> =
        preview["sections"].as_array().unwrap().iter().map(|section| section["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Files", "README.md", "src/lib.rs"]);
    let built = served.ask("build", &request).json();
    let path = served.folder.path().join("project").join(built["path"].as_str().unwrap());
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
    assert_eq!(built["tokens"]["count"], preview["document"]["tokens"]["count"]);
    let again = served.ask("preview", &request).json();
    let last = &again["last"];
    assert_eq!((&last["run"], &last["same"], &last["first_difference"]), (&built["run"], &json!(true), &json!(null)));
    served.write("src/lib.rs", "//! Another.\n");
    let other = served.ask("preview", &request).json();
    let byte = other["last"]["first_difference"]["byte"].as_u64().unwrap() as usize;
    let now = other["text"].as_str().unwrap();
    assert_eq!(now[..byte], text[..byte]);
    assert_ne!(now.as_bytes()[byte], text.as_bytes()[byte]);
}

#[test]
fn files_are_shown_in_all_views() {
    let served = Served::start();
    let all = served.ask("views", &json!({"path": "src/lib.rs"})).json();
    let views: Vec<&str> = all["views"].as_array().unwrap().iter().map(|view| view["view"].as_str().unwrap()).collect();
    assert_eq!(views, ["full", "skeleton", "outline", "summary", "masked", "custom", "diff", "name"]);
    let of = |name: &str| {
        all["views"].as_array().unwrap().iter().find(|view| view["view"] == name).unwrap()["text"].as_str().unwrap()
    };
    assert!(of("full").contains("sum += 1"), "{all}");
    assert!(!of("skeleton").contains("sum += 1") && of("skeleton").contains("pub fn add"), "{all}");
    let masked = served.ask("views", &json!({"path": "src/lib.rs", "mask": {"add": "sig"}})).json();
    assert!(masked.to_string().contains("pub fn add"));
    // Options of the document hold for the file that would be in it.
    let skeleton = served.ask("show", &json!({"path": "src/lib.rs", "request": {"view": "skeleton"}})).json();
    assert_eq!(skeleton["view"], "skeleton", "{skeleton}");
    let symbol = served.ask("show", &json!({"path": "src/lib.rs", "request": {"mask": {"add": "sig"}}})).json();
    assert_eq!(symbol["view"], "masked", "{symbol}");
    let symbols = served.ask("symbols", &json!({"path": "src/lib.rs"})).json();
    assert_eq!(symbols[0]["name"], "add");
    let slice =
        served.ask("slice/make", &json!({"path": "src/lib.rs", "start_line": 3, "end_line": 10, "tag": "sum"})).json();
    served.write(
        "src/lib.rs",
        "//! A library.\n\n// More.\n\n/// Adds.\npub fn add(a: u32, b: u32) -> u32 {\n    let mut sum = a;\n    for _ in 0..b {\n        sum += 1;\n    }\n    sum\n}\n",
    );
    let found = served.ask("slice/resolve", &json!({"path": "src/lib.rs", "slices": [slice]})).json();
    assert_eq!((&found["slices"][0]["outcome"], &found["slices"][0]["start_line"]), (&json!("moved"), &json!(5)));
    let why = served.ask("why", &json!({"path": "Cargo.lock"})).json();
    assert_eq!(why["view"], "name");
}

#[test]
fn a_file_is_shown_whatever_else_the_request_asks_for() {
    let served = Served::start();
    for request in [
        json!({"query": "what prints words"}),
        json!({"query": "what prints words", "budget": 300}),
        json!({"query": "what prints words", "composition": ["README.md"]}),
        json!({"history": "only"}),
    ] {
        for operation in ["views", "show"] {
            let reply = served.ask(operation, &json!({"path": "src/lib.rs", "request": request}));
            assert_eq!(reply.status, 200, "{operation} {request}: {}", reply.body);
            assert_eq!(reply.json()["path"], "src/lib.rs");
            assert!(reply.body.contains("sum += 1"), "{operation} {request}: {}", reply.body);
        }
    }
}

#[test]
fn trees_are_grown_and_pruned() {
    let served = Served::start();
    assert_eq!(served.ask("loom/trees", &json!({})).json()["trees"], json!([]));
    served.ask("loom/new", &json!({"title": "A talk"}));
    let said = served.ask("loom/add", &json!({"text": "hello"})).json();
    let node = said["node"]["local"].as_str().unwrap().to_owned();
    served.ask("loom/add", &json!({"text": "good day", "author_type": "model", "parents": [node]}));
    let outline = served.ask("loom/outline", &json!({})).json();
    assert!(outline.to_string().contains("good day"), "{outline}");
    served.ask("loom/exclude", &json!({"node": node, "tree": "A talk"}));
    let context = served.ask("loom/assemble", &json!({})).json();
    assert!(!context.to_string().contains("hello") && context.to_string().contains("good day"), "{context}");
    served.ask("loom/exclude", &json!({"node": node, "undo": true}));
    assert!(served.ask("loom/assemble", &json!({})).json().to_string().contains("hello"));
    assert_eq!(served.ask("loom/prune", &json!({"node": node})).json()["count"], 2);
    assert_eq!(served.ask("loom/restore", &json!({"node": node})).json()["count"], 2);
    assert_eq!(served.ask("loom/show", &json!({"node": "NONE"})).status, 400);
}

#[test]
fn presets_settings_and_what_is_kept() {
    let served = Served::start();
    let saved = served.ask("preset/save", &json!({"name": "code", "files": ["src/**"]}));
    assert_eq!(saved.status, 200, "{}", saved.body);
    assert_eq!(served.ask("preset/show", &json!({"name": "code"})).json()["files"], json!(["src/**"]));
    for scope in ["project", "global"] {
        let missing = served.ask("preset/remove", &json!({"name": "gone", "scope": scope}));
        assert!(missing.json().to_string().contains(&format!("no such {scope} preset: `gone`")), "{}", missing.json());
    }
    assert_eq!(
        served.ask("plan", &json!({"request": {"preset": "code"}})).json()["items"].as_array().unwrap().len(),
        2
    );
    served.ask("config/set", &json!({"key": "budget.max_tokens", "value": "5000"}));
    let project = served.get("/api/project").json();
    assert_eq!((&project["budget"], &project["presets"][0]["name"]), (&json!(5000), &json!("code")));
    assert!(
        project["providers"]
            .as_array()
            .unwrap()
            .iter()
            .all(|provider| provider["key"] == (provider["name"] == "openai"))
    );
    assert_eq!(served.ask("cache/status", &json!({})).status, 200);
    assert_eq!(served.ask("cache/clear", &json!({})).status, 400);
    assert_eq!(served.ask("cache/clear", &json!({"all": true})).status, 200);
    served.ask("build", &json!({}));
    let runs = served.ask("runs/list", &json!({})).json();
    assert_eq!(runs["runs"].as_array().unwrap().len(), 1, "{runs}");
    assert_eq!(served.ask("runs/show", &json!({"run": "last"})).status, 200);
    assert_eq!(served.ask("runs/show", &json!({"run": 1})).json()["number"], 1);
    assert_eq!(served.ask("runs/show", &json!({"run": true})).status, 400);
    // Who only looks leaves no run behind.
    let seen = |runs: usize| {
        assert_eq!(served.ask("runs/list", &json!({})).json()["runs"].as_array().unwrap().len(), runs);
    };
    assert_eq!(served.ask("agent", &json!({"message": "hello", "no_manifest": true})).json()["v"], 1);
    seen(1);
    assert_eq!(served.ask("agent", &json!({"message": "hello"})).json()["v"], 1);
    seen(2);
}

#[test]
fn wrong_words_are_told() {
    let served = Served::start();
    let told = |name: &str, body: Value| {
        let reply = served.ask(name, &body);
        (reply.status, reply.json()["error"]["message"].as_str().unwrap().to_owned())
    };
    insta::assert_debug_snapshot!([
        told("show", json!({})),
        told("show", json!({"path": 7})),
        told("show", json!({"path": "none.rs"})),
        told("show", json!({"path": "../outside"})),
        told("show", json!({"path": "src/lib.rs", "view": "fulll"})),
        told("plan", json!({"request": {"budgt": 1}})),
        told("plan", json!({"requests": {}})),
        told("plan", json!([])),
        told("plan", json!({"request": {"budget": 3}})),
        told("preset/show", json!({"name": "x"})),
        told("config/set", json!({"key": "budget.max_token", "value": "1", "scope": "project"})),
        told("compose/set", json!({"bench": 99, "set": []})),
        told("nothing", json!({})),
    ]);
    let host = served.host();
    let token = format!("Bearer {}", served.token);
    let headers = [("host", host.as_str()), ("authorization", &token), ("content-type", "application/json")];
    assert_eq!(served.raw("POST /api/plan", &headers, "{").status, 400);
    assert_eq!(served.raw("POST /api/plan", &headers, &format!("\"{}\"", "x".repeat(17 << 20))).status, 413);
    assert_eq!(served.raw("GET /api/plan", &headers, "").status, 405);
    assert_eq!(served.raw("DELETE /api/plan", &[headers[0], headers[1]], "").status, 405);
}

#[test]
fn an_answer_that_streams_ends_with_its_failure() {
    let served = Served::start();
    let reply = served.ask("send", &json!({"model": "claude-opus-5", "request": {"message": "hi"}}));
    assert_eq!(reply.status, 200);
    let last: Value = serde_json::from_str(reply.body.lines().last().unwrap()).unwrap();
    assert!(last["error"]["message"].as_str().unwrap().contains("ANTHROPIC_API_KEY"), "{last}");
    let dry = served.ask("send", &json!({"model": "claude-opus-5", "dry_run": true, "request": {"message": "hi"}}));
    let line: Value = serde_json::from_str(dry.body.lines().next().unwrap()).unwrap();
    assert_eq!((&line["event"], &line["request"]["provider"]), (&"request".into(), &"anthropic".into()));
    let list = served.get("/openapi.json").json();
    let events = |name: &str| {
        let line = &list["paths"][name]["post"]["responses"]["200"]["content"]["application/x-ndjson"]["schema"];
        let event = line["anyOf"][0]["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
        list["components"]["schemas"][event].to_string()
    };
    assert!(events("/api/send").contains("\"thought\"") && events("/api/summarize").contains("SummarizePlanAnswer"));
    let wrong = served.ask("send", &json!({"request": {"budgt": 1}}));
    assert!(wrong.status == 400 && wrong.body.contains("did you mean `budget`"), "{}", wrong.body);
    let plan = served.ask("summarize", &json!({"model": "claude-haiku-5-5", "dry_run": true}));
    let plan: Value = serde_json::from_str(plan.body.lines().next().unwrap()).unwrap();
    assert_eq!((&plan["v"], &plan["dry_run"], plan.get("event")), (&json!(1), &json!(true), None));
}

#[test]
fn what_changes_is_told() {
    let served = Served::start();
    let mut events = served.events();
    assert_eq!(events.next().unwrap().0, "hello");
    served.write("src/new.rs", "fn new() {}\n");
    let (name, data) = events.next().unwrap();
    assert_eq!((name.as_str(), &data["all"]), ("files", &json!(false)));
    assert!(data["paths"].as_array().unwrap().contains(&json!("src/new.rs")), "{data}");
    served.ask("build", &json!({}));
    assert!(events.by_ref().take(10).any(|(name, _)| name == "runs"));
}

#[test]
fn looking_at_what_is_kept_tells_nobody() {
    let served = Served::start();
    served.ask("loom/new", &json!({"title": "A talk"}));
    served.ask("loom/add", &json!({"text": "hello"}));
    served.ask("build", &json!({}));
    let mut events = served.events();
    assert_eq!(events.next().unwrap().0, "hello");
    // A file that is written is told after everything before it. Two of them: the first may share its lot with what was done above.
    let mut until = |name: &str| {
        served.write(name, "x\n");
        let is_it = |data: &Value| data["paths"].as_array().is_some_and(|paths| paths.contains(&json!(name)));
        events.by_ref().take_while(|(kind, data)| kind != "files" || !is_it(data)).map(|(kind, _)| kind).collect()
    };
    let _: Vec<String> = until("one.txt");
    let _: Vec<String> = until("two.txt");
    for name in ["loom/trees", "loom/outline", "runs/list", "cache/status", "project"] {
        let reply = if name == "project" { served.get("/api/project") } else { served.ask(name, &json!({})) };
        assert_eq!(reply.status, 200, "{name}: {}", reply.body);
    }
    let first: Vec<String> = until("three.txt");
    let second: Vec<String> = until("four.txt");
    let told: Vec<&String> = first.iter().chain(&second).filter(|kind| *kind != "files").collect();
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn what_another_process_writes_is_told_while_it_holds_the_store() {
    let served = Served::start();
    served.ask("loom/new", &json!({"title": "A talk"}));
    // As long as somebody holds the store, what is written stays in the log beside it.
    let held =
        contexture_conversations::loom::Loom::open_existing(&served.folder.path().join("data/loom.sqlite"), 0).unwrap();
    let mut events = served.events();
    assert_eq!(events.next().unwrap().0, "hello");
    served.ask("loom/add", &json!({"text": "hello"}));
    assert!(events.by_ref().take(10).any(|(name, _)| name == "loom"));
    drop(held);
}

#[test]
fn trees_come_and_go_as_files() {
    let served = Served::start();
    served.ask("loom/new", &json!({"title": "A talk"}));
    served.ask("loom/add", &json!({"text": "hello"}));
    let exported = served.ask("loom/export", &json!({"format": "contexture"})).json();
    let text = exported["files"][0]["text"].as_str().unwrap();
    assert_eq!(exported["files"][0]["bytes"].as_u64().unwrap() as usize, text.len());
    let body = |more: Value| {
        let mut body = json!({"name": "talk.json", "text": text});
        body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        body
    };
    assert_eq!(served.ask("loom/import", &body(json!({}))).status, 409);
    let copy = served.ask("loom/import", &body(json!({"copy": true}))).json();
    assert_eq!((&copy["format"], &copy["trees"][0]["nodes"]), (&json!("contexture"), &json!(1)));
    assert_eq!(served.ask("loom/trees", &json!({})).json()["trees"].as_array().unwrap().len(), 2);
    let other = served.ask("loom/import", &body(json!({"copy": true, "format": "pyloom"})));
    assert_eq!(other.status, 400, "{}", other.body);
    assert!(other.body.contains("contexture"), "{}", other.body);
    // A name is a title and no path.
    let named = json!({"name": "../../etc/passwd", "text": "root:x:0:0"});
    let refused = served.ask("loom/import", &named);
    assert!(refused.status >= 400 && !refused.body.contains(".."), "{}", refused.body);
}

#[test]
fn one_operation_takes_more_than_the_others() {
    let served = Served::start();
    let long = "x".repeat(17 << 20);
    assert_eq!(served.ask("why", &json!({"path": long})).status, 413);
    let refused = served.ask("loom/import", &json!({"name": "long", "text": long}));
    assert_ne!(refused.status, 413, "{}", refused.body);
}

#[test]
fn files_lead_to_those_they_import() {
    let served = Served::with(&[
        ("src/main.rs", "mod parse;\nuse parse::parse_line;\n\nfn main() {\n    parse_line(\"\");\n}\n"),
        ("src/parse.rs", "pub fn parse_line(text: &str) {}\n"),
        ("src/other.rs", "pub fn other_thing() {}\n"),
    ]);
    let found = served.ask("related", &json!({"paths": ["src/main.rs"]})).json();
    assert_eq!(found["files"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!((&found["files"][0]["path"], &found["files"][0]["imported"]), (&json!("src/parse.rs"), &json!(true)));
    assert!(found["files"][0]["reason"].as_str().unwrap().contains("parse_line"), "{found}");
    assert_eq!(served.ask("related", &json!({"paths": ["src/gone.rs"]})).status, 422);
}

#[test]
fn a_commit_is_told() {
    let served = Served::with(&[(".git/HEAD", "ref: refs/heads/main\n"), ("a.txt", "a\n")]);
    let mut events = served.events();
    assert_eq!(events.next().unwrap().0, "hello");
    served.write(".git/index", "x");
    served.write(".git/HEAD", "ref: refs/heads/other\n");
    let (name, data) = events.next().unwrap();
    assert_eq!((name.as_str(), &data["all"]), ("files", &json!(true)), "{data}");
}

#[test]
fn odd_addresses_and_schemes() {
    let served = Served::start();
    let odd = served.get("/%ff");
    assert_eq!((odd.status, &odd.json()["error"]["kind"]), (404, &json!("not_found")));
    assert_eq!(served.get("/assets/%ff").status, 404);
    let token = format!("bearer {}", served.token);
    assert_eq!(served.raw("GET /api/project", &[("host", &served.host()), ("authorization", &token)], "").status, 200);
}

#[test]
fn what_a_composition_names_is_told_though_it_is_ignored() {
    let served =
        Served::with(&[(".gitignore", "made/\n"), ("made/a.txt", "a\n"), ("made/b.txt", "b\n"), ("c.txt", "c\n")]);
    let request = json!({"request": {"composition": ["made/a.txt", "*.txt"]}});
    let bench = served.ask("compose", &request).json()["bench"].clone();
    let mut events = served.events();
    assert_eq!(events.next().unwrap().0, "hello");
    served.write("made/b.txt", "other\n");
    served.write("made/a.txt", "another\n");
    let (name, data) = events.next().unwrap();
    assert_eq!((name.as_str(), &data["paths"]), ("files", &json!(["made/a.txt"])));
    let fresh = served.ask("compose/refresh", &json!({"bench": bench, "paths": data["paths"]})).json();
    assert_eq!(fresh["whole"], json!(false), "{fresh}");
}

#[test]
fn a_server_that_a_request_names_is_not_sent_a_providers_key() {
    use std::io::{Read, Write};
    let served = Served::start();
    served.ask("loom/new", &json!({"title": "A talk"}));
    served.ask("loom/add", &json!({"text": "hello"}));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    let asked = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut heard, mut some) = (Vec::new(), [0; 4096]);
        while !heard.windows(4).any(|end| end == b"\r\n\r\n") {
            let count = stream.read(&mut some).unwrap();
            heard.extend_from_slice(&some[..count]);
        }
        let answer = r#"{"choices":[{"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}"#;
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{answer}", answer.len()).unwrap();
        String::from_utf8_lossy(&heard).into_owned()
    });
    let answered = served.ask("loom/generate", &json!({"base_url": base_url, "model": "one-of-mine"}));
    let head = asked.join().unwrap();
    assert_eq!(answered.status, 200, "{}", answered.json());
    assert!(!head.contains("key-of-a-test") && !head.to_lowercase().contains("authorization"), "{head}");
    assert!(!answered.json().to_string().contains("names no model"), "{}", answered.json());
}

#[test]
fn an_agents_context_has_the_formats_of_the_command_line() {
    let served = Served::start();
    for format in ["xml", "json", "text"] {
        let refused = served.ask("agent", &json!({"message": "hello", "format": format}));
        assert_eq!(refused.status, 400, "{}", refused.json());
    }
    assert_eq!(served.ask("agent", &json!({"message": "hello", "format": "md", "no_manifest": true})).status, 200);
}
