//! One small file of each program.

use super::{fails, import, listing, options, told};
use contexture_gather::loom::formats::{ImportOptions, import_bytes, import_path};
use std::fs;

pub const PYLOOM: &str = r##"{
  "root": {"mutable": false, "visited": true, "text": "", "id": "0", "children": [
    {"id": "a", "text": "Once ", "parent_id": "0", "meta": {"source": "prompt", "creation_timestamp": "2021-10-01-11.16.44"},
     "children": [
       {"id": "b", "text": "upon\n", "meta": {"source": "AI"}, "tags": ["bookmark"], "chapter_id": "c1", "children": []},
       {"text": "a time  ", "meta": {"source": "mixed"}, "tags": ["archived", "demo"], "children": [
         {"id": 7, "text": "there", "tags": ["bookmark"], "multimedia": [{"file": "x.png"}]}
       ]},
       {"id": "n", "text": "remark", "tags": ["note"]}
     ]}
  ]},
  "chapters": {"c1": {"id": "c1", "root_id": "b", "title": "One"}},
  "generation_settings": {"template": "{eval('1+1')}"},
  "selected_node_id": "b"
}"##;

pub const NOTE: &str = r#"{"current": "b", "hoisted": [], "searchTerm": "", "generating": null, "nodes": {
  "a": {"text": "A \\<b> and \\[c] and \\d ", "parentId": null, "collapsed": false, "unread": false, "bookmarked": true},
  "b": {"text": "more", "parentId": "a", "bookmarked": false},
  "d": {"text": "another", "parentId": null},
  "e": {"text": "orphan", "parentId": "gone"},
  "f": {"text": "f", "parentId": "g"},
  "g": {"text": "g", "parentId": "f"}
}}"#;

pub const PI: &str = r#"{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T03:04:05.678Z","cwd":"/x"}
{"type":"model_change","id":"m1","parentId":null,"timestamp":"2026-01-02T03:04:05.700Z","provider":"anthropic","modelId":"opus"}
{"type":"message","id":"a","parentId":"m1","timestamp":"2026-01-02T03:04:06Z","message":{"role":"user","content":"hello"}}
{"type":"message","id":"b","parentId":"a","timestamp":"2026-01-02T03:04:07Z","message":{"role":"assistant","provider":"anthropic","model":"opus","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Looking."},{"type":"toolCall","id":"t1","name":"ls","arguments":{"path":"."}}]}}
{"type":"message","id":"c","parentId":"b","timestamp":"2026-01-02T03:04:08Z","message":{"role":"toolResult","toolCallId":"t1","toolName":"ls","content":[{"type":"text","text":"a.rs"}]}}
{"type":"label","id":"l1","parentId":"c","targetId":"a","label":"start"}
broken line
{"type":"message","id":"d","parentId":"a","timestamp":"2026-01-02T03:04:09Z","message":{"role":"assistant","content":[{"type":"text","text":"Another way."}]}}
{"type":"branch_summary","id":"e","parentId":"a","fromId":"c","summary":"It looked around."}
{"type":"compaction","id":"f","parentId":"e","summary":"All so far.","firstKeptEntryId":"e"}
{"type":"message","id":"g","parentId":"f","message":{"role":"bashExecution","command":"ls","output":"x","excludeFromContext":true}}
{"type":"session_info","id":"i","parentId":"g","name":"A talk"}
"#;

pub const CHATGPT: &str = r#"[{"title": "First", "create_time": 1700000000.5, "conversation_id": "c1", "current_node": "n4", "mapping": {
  "root": {"id": "root", "message": null, "parent": null, "children": ["n1"]},
  "n1": {"id": "n1", "message": {"author": {"role": "system"}, "content": {"content_type": "text", "parts": ["be kind"]}, "metadata": {}}, "parent": "root", "children": ["n2"]},
  "n2": {"id": "n2", "message": {"author": {"role": "user"}, "create_time": 1700000001, "content": {"content_type": "text", "parts": ["hi"]}}, "parent": "n1", "children": ["n3", "n4"]},
  "n3": {"id": "n3", "message": {"author": {"role": "assistant"}, "content": {"content_type": "thoughts", "thoughts": []}, "metadata": {"model_slug": "o3"}}, "parent": "n2", "children": ["n5"]},
  "n5": {"id": "n5", "message": {"author": {"role": "assistant"}, "recipient": "python", "content": {"content_type": "code", "text": "print(1)"}, "metadata": {"model_slug": "o3"}}, "parent": "n3", "children": ["n6"]},
  "n6": {"id": "n6", "message": {"author": {"role": "tool", "name": "python"}, "content": {"content_type": "execution_output", "text": "1"}}, "parent": "n5", "children": []},
  "n4": {"id": "n4", "message": {"author": {"role": "assistant"}, "content": {"content_type": "text", "parts": ["hello"]}, "metadata": {"model_slug": "gpt-4o"}}, "parent": "n2", "children": []}
}}, {"title": "Second", "id": "c2", "mapping": {}}]"#;

#[test]
fn pyloom() {
    insta::assert_snapshot!(listing(&import(PYLOOM)), @"");
    // A node alone, and a flat list.
    insta::assert_snapshot!(listing(&import(r#"{"text": "a", "children": [{"text": "b"}, 3]}"#)), @"");
    let list = r#"[{"id": 1, "text": "a"}, {"id": 2, "text": "b", "parent_id": 1}]"#;
    insta::assert_snapshot!(listing(&import(list)), @"");
}

#[test]
fn loomsidian() {
    insta::assert_snapshot!(listing(&import(NOTE)), @"");
}

#[test]
fn the_settings_of_a_plugin_stay_where_they_are() {
    let data = format!(
        r#"{{"settings": {{"apiKey": "sk-secret", "nodes": {{"x": {{"text": "sk-secret"}}}}}}, "state": {{"a/One.md": {NOTE}, "Two.md": {NOTE}}}}}"#
    );
    let imported = import(&data);
    assert_eq!(imported.bundles.len(), 2);
    let titles: Vec<_> = imported.bundles.iter().map(|bundle| &*bundle.tree.title).collect();
    assert_eq!(titles, ["One", "Two"]);
    assert!(!format!("{imported:?}").contains("sk-secret"));
    let one = import_bytes(data.as_bytes(), &ImportOptions { conversation: Some("Two".into()), ..options() }).unwrap();
    assert_eq!(one.bundles.len(), 1);
    let none = import_bytes(data.as_bytes(), &ImportOptions { conversation: Some("x".into()), ..options() });
    insta::assert_snapshot!(told(&none.unwrap_err()), @"");
    // Also not when the file is broken.
    for end in (0..data.len()).step_by(7) {
        if let Err(error) = import_bytes(&data.as_bytes()[..end], &options()) {
            assert!(!format!("{error:?}{}", told(&error)).contains("sk-"));
        }
    }
}

#[test]
fn pi() {
    insta::assert_snapshot!(listing(&import(PI)), @"");
    // The first version has no ids.
    let old = "{\"type\":\"session\",\"id\":\"x\",\"timestamp\":\"2026-01-02T03:04:05Z\"}\n{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"a\"}}\n{\"type\":\"message\",\"message\":{\"role\":\"assistant\",\"content\":\"b\"}}\n";
    insta::assert_snapshot!(listing(&import(old)), @"");
    let lost = "{\"type\":\"session\",\"version\":3,\"id\":\"x\"}\n{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"a\"}}\n{\"type\":\"message\",\"id\":\"c\",\"parentId\":\"b\",\"message\":{\"role\":\"user\",\"content\":\"c\"}}\n";
    insta::assert_snapshot!(listing(&import(lost)), @"");
    insta::assert_snapshot!(fails(lost.replacen("user", "wizard", 1)), @"");
}

#[test]
fn chatgpt() {
    insta::assert_snapshot!(listing(&import(CHATGPT)), @"");
    let chosen = |wanted: &str| {
        let options = ImportOptions { conversation: Some(wanted.into()), ..options() };
        import_bytes(CHATGPT.as_bytes(), &options)
            .map(|imported| {
                imported.bundles.iter().map(|bundle| bundle.tree.title.clone()).collect::<Vec<_>>().join(",")
            })
            .unwrap_or_else(|error| told(&error))
    };
    assert_eq!(chosen("c1"), "First");
    assert_eq!(chosen("second"), "Second");
    insta::assert_snapshot!(chosen("third"), @"");
    insta::assert_snapshot!(fails(CHATGPT.replacen("\"user\"", "\"wizard\"", 1)), @"");
}

fn engine(root: &std::path::Path) {
    let nodes = root.join("root-1/nodes");
    fs::create_dir_all(&nodes).unwrap();
    fs::write(root.join("roots.json"), r#"[
      {"id": "root-1", "child_ids": ["root-1/node-1"], "createdAt": "2026-01-02T03:04:05.678Z", "config": {"systemPrompt": "Be brief."}},
      {"id": "root-2", "child_ids": [], "createdAt": "2026-01-02T03:04:05.678Z", "deleted": true, "config": {}},
      {"id": "../../etc", "child_ids": [], "config": {}},
      {"id": "root-3", "child_ids": [], "config": {}}
    ]"#).unwrap();
    let files = [
        (
            "node-1",
            r#"{"id": "root-1/node-1", "root_id": "root-1", "parent_id": "root-1", "child_ids": ["root-1/node-2"], "message": {"role": "user", "content": [{"type": "text", "text": "hi "}]}, "metadata": {"timestamp": "2026-01-02T03:04:06Z", "source_info": {"type": "user"}, "tags": ["bookmark"]}}"#,
        ),
        (
            "node-2",
            r#"{"id": "root-1/node-2", "parent_id": "root-1/node-1", "message": {"role": "assistant", "content": [{"type": "text", "text": "look"}, {"type": "tool-use", "id": "t", "name": "ls", "parameters": {"p": 1}}]}, "metadata": {"source_info": {"type": "model", "provider": "openai", "model_name": "gpt-4o"}}}"#,
        ),
        (
            "node-10",
            r#"{"id": "root-1/node-10", "parent_id": "root-1/node-2", "message": {"role": "tool", "content": [{"type": "text", "text": "x"}], "tool_call_id": "t"}, "metadata": {"source_info": {"type": "tool_result", "tool_name": "ls"}}}"#,
        ),
        (
            "node-3",
            r#"{"id": "root-1/node-3", "parent_id": "root-1/node-1", "message": {"role": "assistant", "content": "old", "tool_calls": [{"id": "u", "type": "function", "function": {"name": "cat", "arguments": "{}"}}]}, "metadata": {}}"#,
        ),
        ("node-4", "{broken"),
    ];
    for (name, text) in files {
        fs::write(nodes.join(format!("{name}.json")), text).unwrap();
    }
}

#[test]
fn loom_engine() {
    let root = tempfile::tempdir().unwrap();
    engine(root.path());
    let text = listing(&import_path(root.path(), &options()).unwrap());
    insta::assert_snapshot!(text.replace(root.path().to_str().unwrap(), "ROOT"), @"");
    let one = import_path(root.path(), &ImportOptions { conversation: Some("root-3".into()), ..options() }).unwrap();
    assert_eq!(one.bundles.len(), 1);
    let empty = tempfile::tempdir().unwrap();
    let error = import_path(empty.path(), &options()).unwrap_err();
    assert!(error.to_string().ends_with("not a tree of a known format"), "{error}");
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_folder() {
    use std::os::unix::fs::symlink;
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("store");
    engine(&folder);
    let secret =
        r#"{"id": "s", "parent_id": "root-1", "message": {"role": "user", "content": "secret"}, "metadata": {}}"#;
    fs::write(root.path().join("secret.json"), secret).unwrap();
    fs::create_dir_all(root.path().join("outside/nodes")).unwrap();
    fs::write(root.path().join("outside/nodes/node-1.json"), secret).unwrap();
    symlink(root.path().join("secret.json"), folder.join("root-1/nodes/node-9.json")).unwrap();
    symlink("../../../secret.json", folder.join("root-1/nodes/node-8.json")).unwrap();
    symlink(root.path().join("outside"), folder.join("root-3")).unwrap();
    let imported = import_path(&folder, &options()).unwrap();
    assert!(!format!("{imported:?}").contains("secret"));
    assert_eq!(imported.skipped["file of a node that cannot be read"], 3);
}
