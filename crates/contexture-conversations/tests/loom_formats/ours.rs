//! Our own JSON: how it looks, and how it fails.

use super::random::small;
use super::{NOW, fails, import};
use contexture_conversations::loom::Loom;
use contexture_conversations::loom::formats::{TreeFormat, export};

fn text() -> String {
    export(&small(), TreeFormat::Contexture).files.remove(0).1
}

#[test]
fn one_record_a_line() {
    insta::assert_snapshot!(text(), @r#"
    {
    "contexture_loom": 1,
    "tree": {"id":"t1","local":"t1","title":"A tree","mode":"dialogue","system_context":"Be kind.","buffer_mode_system_context":true,"preferences":{"truncation":"rollingWindow","minimum_recent_nodes":2},"created":"2023-11-14T22:13:20.000Z"},
    "agents": [
    {"id":"a1","name":"human","kind":"human","permissions":[]},
    {"id":"a2","name":"gpt","kind":"model","system_prompt":"You are.","model":"openai:gpt","permissions":["loom_aware"]}
    ],
    "nodes": [
    {"id":"n1","local":"n1","author":"a1","author_type":"human","created":"2023-11-14T22:13:20.000Z","content":{"type":"text","text":"Hello \\< 😀\u0001  "},"hash":"ba8d5f6bd03049ca0841e9379c75c28ccef47a19c83ee48a911b629861bc8f2a"},
    {"id":"n2","local":"n2","author":"a2","author_type":"model","created":"2023-11-14T22:13:20.000Z","content":{"type":"mixed","blocks":[{"type":"text","text":"see "},{"type":"image","media_type":"image/png","data":"AAAA"},{"type":"image","gone":7}]},"thoughts":[{"by":"anthropic","text":"hm","seal":"{}"}],"calls":[{"id":"c","name":"ls","arguments":"{}"}],"hash":"e52c596ccc7289084027a883f3b8fc8e3b2ca70e8201c3bb6f5e5f402ff13442"},
    {"id":"n3","local":"n3","author":"a1","author_type":"human","created":"2023-11-14T22:13:20.000Z","content":{"type":"text","text":""},"edited_from":"n1","pruned":"n3","hash":"69ed79c15b4203c97a2126c46738bb0e1a8abc555b2ae83d0fcc85b1e008c44e"},
    {"id":"n4","local":"n4","author":"a1","author_type":"human","created":9223372036854775807,"content":{"type":"text","text":"x"},"answers":"c","name":"ls","excluded":true,"bookmark":"here","origin":"x/1","hash":"610f87bf219361d88c1b5a0b29426dbece7847a3c85eff5cef9118fff6a249cc"}
    ],
    "edges": [
    {"id":"e1","kind":"continuation","sources":[{"node":"n1","role":"primary"},{"node":"n3","role":"context"}],"target":"n2","created":"2023-11-14T22:13:20.000Z"},
    {"id":"e2","kind":"annotation","sources":[{"node":"n1","role":"primary"}],"target":"n4","created":"2023-11-14T22:13:20.000Z"}
    ],
    "paths": [
    {"id":"p1","name":"main","active":"n4","choices":[{"target":"n2","edge":"e1","source":"n1"}]}
    ],
    "path": "main",
    "pins": [
    "n1"
    ],
    "stashes": [
    {"label":"idea","text":"text","recalled":true}
    ],
    "actions": [
    {"at":"1970-01-01T00:00:00.005Z","text":"edit n1"}
    ],
    "responses": [
    {"node":"n2","provider":"openai","model":"gpt","body":"{}","input_tokens":1,"latency_ms":12,"created":"1970-01-01T00:00:00.006Z"}
    ]
    }
    "#);
}

#[test]
fn all_comes_back_with_its_lines() {
    let imported = import(text());
    assert_eq!(imported.bundles, [small()]);
    assert_eq!(imported.notes, []);
    assert_eq!(text().lines().nth(imported.lines["n2"] - 1).unwrap().get(..11), Some("{\"id\":\"n2\","));
    assert!(imported.lines.contains_key("e1") && imported.lines.contains_key("p1"));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let changed = |from: &str, to: &str| {
        assert!(text().contains(from), "{from}");
        fails(text().replacen(from, to, 1))
    };
    insta::assert_snapshot!(changed("\"role\":\"primary\"", "\"role\":\"wizard\""), @"
    line 15: unknown role: `wizard`
    one of `primary`, `context`, `instruction`
    ");
    insta::assert_snapshot!(changed("\"author_type\":\"model\"", "\"author_type\":\"robot\""), @"
    line 10: unknown author_type: `robot`
    one of `human`, `model`
    ");
    insta::assert_snapshot!(changed("\"mode\":\"dialogue\"", "\"mode\":\"song\""), @"
    line 3: unknown mode: `song`
    one of `dialogue`, `buffer`
    ");
    insta::assert_snapshot!(changed("\"kind\":\"annotation\"", "\"kind\":\"rumour\""), @"
    line 16: unknown kind of edge: `rumour`
    one of `continuation`, `annotation`
    ");
    insta::assert_snapshot!(changed("\"type\":\"mixed\"", "\"type\":\"film\""), @"
    line 10: unknown content type: `film`
    one of `text`, `image`, `mixed`
    ");
    insta::assert_snapshot!(changed("Hello", "Hullo"), @"
    line 9: broken: the hash of `n1` is not that of what it says; without `hash` it is not checked
    mend that place, or export the tree again
    ");
    insta::assert_snapshot!(changed("\"target\":\"n2\"", "\"target\":2"), @"
    line 15: broken: `target` is no text
    mend that place, or export the tree again
    ");
    insta::assert_snapshot!(changed("\"author\":\"a1\",", ""), @"
    line 9: broken: a record has no `author`
    mend that place, or export the tree again
    ");
    insta::assert_snapshot!(changed("\"contexture_loom\": 1", "\"contexture_loom\": 2"), @"
    unknown version of the format: `2`
    one of `1`
    ");
    insta::assert_snapshot!(changed("\"path\": \"main\"", "\"path\": [1]"), @"
    line 21: broken: `path` is no text
    mend that place, or export the tree again
    ");
    insta::assert_snapshot!(changed("\"edges\": [", "\"nodes\": ["), @"
    line 14: broken: `nodes` is there twice
    mend that place, or export the tree again
    ");
    insta::assert_snapshot!(changed("\"n1\",\"local\"", "\"n1\" \"local\""), @"
    line 9: broken: this is no JSON
    mend that place, or export the tree again
    ");
    insta::assert_snapshot!(fails(&text()[..text().len() / 2]), @"
    line 11: broken: the file ends too early
    mend that place, or export the tree again
    ");
    insta::assert_snapshot!(changed("\"text\":\"Hello", "\"text\":\"\\ud800Hello"), @"
    line 9: broken: a record cannot be read
    mend that place, or export the tree again
    ");
    // What is not known is told, and the rest is read.
    let imported = import(text().replacen("\"author\":\"a1\"", "\"mood\":\"good\",\"author\":\"a1\"", 1));
    assert_eq!(imported.bundles, [small()]);
    insta::assert_snapshot!(imported.notes[0], @"unknown key: `mood`: 1: left out");
}

/// What the store refuses can be found in the file.
#[test]
fn what_does_not_fit_is_found_by_its_line() {
    let dir = tempfile::tempdir().unwrap();
    let mut loom = Loom::open_hasty(&dir.path().join("loom.sqlite"), NOW).unwrap();
    let mut changed = |from: &str, to: &str| {
        assert!(text().contains(from), "{from}");
        let imported = import(text().replacen(from, to, 1));
        let error = loom.insert_all(&imported.bundles, false).unwrap_err();
        let line = *imported.lines.get(error.record().unwrap()).unwrap();
        error.on_line(line).to_string()
    };
    let said = [
        changed("\"id\":\"t1\"", "\"id\":\"t 1\""),
        changed("\"id\":\"n4\"", "\"id\":\"n 4\""),
        changed("\"role\":\"primary\"", "\"role\":\"context\""),
        changed("\"active\":\"n4\"", "\"active\":\"n9\""),
        changed("\"edge\":\"e1\"", "\"edge\":\"e9\""),
        changed("\"pins\": [\n\"n1\"", "\"pins\": [\n\"n9\""),
        changed("{\"node\":\"n2\",\"provider\"", "{\"node\":\"n9\",\"provider\""),
    ];
    insta::assert_snapshot!(said.join("\n"), @"
    line 3: broken: not an id: `t 1`
    line 12: broken: not an id: `n 4`
    line 15: broken: edge `e1` has no primary source
    line 19: `main` names a node of a path that is not in the tree: `n9`
    line 19: `main` names an edge of a path that is not in the tree: `e9`
    line 23: `t1` names a node of a pin that is not in the tree: `n9`
    line 32: `t1` names a node of a response that is not in the tree: `n9`
    ");
}
