//! One small file of each program.

use super::random::{bundle, edge, node, small};
use super::{fails, import, listing, options, told};
use contexture_conversations::loom::formats::{ImportOptions, TreeFormat, export, import_bytes, import_path};
use contexture_core::{AuthorType, Bundle, EdgeSource, Message, PathChoice, Role, SourceRole};
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
    insta::assert_snapshot!(listing(&import(PYLOOM)), @r#"
    pyloom
    "story" buffer now
    0 human (human) user now
      a human (human) user 1633087004000 "Once "
        b model (model) assistant now "upon\n" [active] [bookmark "One"]
        - model (model) assistant now "a time  " [pruned]
          7 human (human) user now "there" [pruned with another] [bookmark ""]
        n human (human) user now "remark" [excluded]
    skipped 1: multimedia
    skipped 1: tag demo
    note: nodes that do not say who wrote them: 2: taken for a person's
    "#);
    // A node alone, and a flat list.
    insta::assert_snapshot!(listing(&import(r#"{"text": "a", "children": [{"text": "b"}, 3]}"#)), @r#"
    pyloom
    "story" buffer now
    - human (human) user now "a"
      - human (human) user now "b" [active]
    skipped 1: node that is no object
    note: nodes that do not say who wrote them: 2: taken for a person's
    "#);
    let list = r#"[{"id": 1, "text": "a"}, {"id": 2, "text": "b", "parent_id": 1}]"#;
    insta::assert_snapshot!(listing(&import(list)), @r#"
    pyloom
    "story" buffer now
    1 human (human) user now "a"
      2 human (human) user now "b" [active]
    note: nodes that do not say who wrote them: 2: taken for a person's
    "#);
}

#[test]
fn loomsidian() {
    insta::assert_snapshot!(listing(&import(NOTE)), @r#"
    loomsidian
    "story" buffer now
    - human (human) user now
      a human (human) user now "A <b> and [c] and \\d " [bookmark ""]
        b human (human) user now "more" [active]
      d human (human) user now "another"
      e human (human) user now "orphan"
      f human (human) user now "f"
        g human (human) user now "g"
    note: loomsidian does not say who wrote a text: all are taken for a person's
    note: nodes whose parent is missing: 1: kept, and attached to the root
    note: circles of nodes: 1: kept, and attached to the root
    note: several nodes begin a tree in the file: an empty root of our own holds them
    "#);
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
    insta::assert_snapshot!(told(&none.unwrap_err()), @"
    there is no conversation `x`
    did you mean `a/One.md`, `Two.md`?
    ");
    // Also not when the file is broken.
    for end in (0..data.len()).step_by(7) {
        if let Err(error) = import_bytes(&data.as_bytes()[..end], &options()) {
            assert!(!format!("{error:?}{}", told(&error)).contains("sk-"));
        }
    }
}

#[test]
fn pi() {
    insta::assert_snapshot!(listing(&import(PI)), @r#"
    pi
    "A talk" dialogue 1767323045678
    a human (human) user 1767323046000 "hello" [bookmark "start"]
      b opus (model) anthropic:opus assistant 1767323047000 "Looking." -> ls(t1) {"path":"."}
        c tool (human) tool 1767323048000 <- t1 "a.rs"
      d model (model) assistant 1767323049000 "Another way."
      e pi (model) assistant 1767323045678 "It looked around."
        f pi (model) assistant 1767323045678 "All so far." [excluded]
          g human (human) user 1767323045678 "I ran `ls`:\n\nx" [excluded] [active]
    skipped 1: a line cannot be read
    skipped 1: line model_change
    skipped 1: thinking
    note: a line cannot be read: line 7
    "#);
    // The first version has no ids.
    let old = "{\"type\":\"session\",\"id\":\"x\",\"timestamp\":\"2026-01-02T03:04:05Z\"}\n{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"a\"}}\n{\"type\":\"message\",\"message\":{\"role\":\"assistant\",\"content\":\"b\"}}\n";
    insta::assert_snapshot!(listing(&import(old)), @r#"
    pi
    "story" dialogue 1767323045000
    - human (human) user 1767323045000 "a"
      - model (model) assistant 1767323045000 "b" [active]
    "#);
    let lost = "{\"type\":\"session\",\"version\":3,\"id\":\"x\"}\n{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"a\"}}\n{\"type\":\"message\",\"id\":\"c\",\"parentId\":\"b\",\"message\":{\"role\":\"user\",\"content\":\"c\"}}\n";
    insta::assert_snapshot!(listing(&import(lost)), @r#"
    pi
    "story" dialogue now
    a human (human) user now "a"
      c human (human) user now "c" [active]
    note: parents are missing: 1: the entry before each in the file is taken for it
    "#);
    insta::assert_snapshot!(fails(lost.replacen("user", "wizard", 1)), @"
    line 2: unknown role: `wizard`
    one of `system`, `user`, `assistant`, `tool`
    ");
}

#[test]
fn chatgpt() {
    insta::assert_snapshot!(listing(&import(CHATGPT)), @r#"
    chatgpt
    "First" dialogue 1700000000500
    root human (human) user 1700000000500
      n1 system (human) user 1700000000500 "be kind" [excluded]
        n2 human (human) user 1700000001000 "hi"
          n5 o3 (model) o3 assistant 1700000000500 -> python(n5) {"input":"print(1)"}
            n6 tool (human) tool 1700000000500 <- n5 "1"
          n4 gpt-4o (model) gpt-4o assistant 1700000000500 "hello" [active]
    "Second" dialogue now
    skipped 1: thinking
    "#);
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
    insta::assert_snapshot!(chosen("third"), @"
    there is no conversation `third`
    did you mean `c1`, `c2`?
    ");
    insta::assert_snapshot!(fails(CHATGPT.replacen("\"user\"", "\"wizard\"", 1)), @"
    line 4: unknown role: `wizard`
    one of `system`, `user`, `assistant`, `tool`
    ");
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
    insta::assert_snapshot!(text.replace(root.path().to_str().unwrap(), "ROOT"), @r#"
    loom-engine
    "story root-1" dialogue 1767323045678 system "Be brief."
    root-1/node-1 human (human) user 1767323046000 "hi " [bookmark ""]
      root-1/node-2 gpt-4o (model) openai:gpt-4o assistant 1767323045678 "look" -> ls(t) {"p":1}
        root-1/node-10 tool (human) tool 1767323045678 <- t "x" [active]
      root-1/node-3 model (model) assistant 1767323045678 "old" -> cat(u) {}
    "story root-3" dialogue now
    skipped 1: deleted root
    skipped 1: file of a node that cannot be read
    skipped 1: root whose id is no name
    note: ROOT: a root has an id that is no name of a folder: left out
    note: root-1/nodes/node-4.json: files of nodes cannot be read: 1: left out
    "#);
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

/// What each format makes of a tree, and what it says it cannot hold.
#[test]
fn exports() {
    let written = |format: TreeFormat| {
        let exported = export(&small(), format);
        let files = exported.files.iter().map(|(path, text)| format!("{path}\n{text}"));
        let notes = exported.notes.iter().map(|note| format!("note: {note}\n"));
        files.chain(notes).collect::<String>()
    };
    insta::assert_snapshot!(written(TreeFormat::Pyloom), @r#"

    {"root": {"id":"t1","text":"","parent_id":null,"mutable":true,"visited":true,"open":true,"tags":[],"meta":{"source":"prompt","modified":false,"creation_timestamp":"2023-11-14-22.13.20"},"children":[
    {"id":"n1","text":"Hello \\< 😀\u0001  ","parent_id":"t1","mutable":true,"visited":true,"open":true,"tags":[],"meta":{"source":"prompt","modified":false,"creation_timestamp":"2023-11-14-22.13.20"},"children":[
    {"id":"n2","text":"see \n\n[image/png, 3 bytes]\n\n[image, 7 bytes]","parent_id":"n1","mutable":true,"visited":true,"open":true,"tags":[],"meta":{"source":"AI","modified":false,"creation_timestamp":"2023-11-14-22.13.20"},"children":[]},
    {"id":"n4","text":"x","parent_id":"n1","mutable":true,"visited":true,"open":true,"tags":["bookmark","note"],"meta":{"source":"prompt","modified":false,"creation_timestamp":null},"chapter_id":"chapter-n4","children":[]}]},
    {"id":"n3","text":"","parent_id":"t1","mutable":true,"visited":true,"open":true,"tags":["archived"],"meta":{"source":"prompt","modified":false,"creation_timestamp":"2023-11-14-22.13.20"},"children":[]}]},
    "chapters": {"chapter-n4":{"id":"chapter-n4","root_id":"n4","title":"here"}},
    "tags": {"bookmark":{"name":"bookmark","scope":"node","hide":false,"show_only":false,"toggle_key":"None","icon":"None"},"archived":{"name":"archived","scope":"node","hide":true,"show_only":false,"toggle_key":"None","icon":"None"},"note":{"name":"note","scope":"node","hide":true,"show_only":false,"toggle_key":"None","icon":"None"}},
    "selected_node_id": "n4"}
    note: pyloom cannot hold the title
    note: pyloom cannot hold the mode of the tree
    note: pyloom cannot hold the system context
    note: pyloom cannot hold the preferences
    note: pyloom cannot hold names of models: 1
    note: pyloom cannot hold system prompts of agents: 1
    note: pyloom cannot hold that tools were called: nodes: 2
    note: pyloom cannot hold pictures, for which a placeholder stands: nodes: 1
    note: pyloom cannot hold what was edited from what: nodes: 1
    note: pyloom cannot hold times below a second: nodes: 1
    note: pyloom cannot hold pins: 1
    note: pyloom cannot hold stashes: 1
    note: pyloom cannot hold actions: 1
    note: pyloom cannot hold responses of providers: 1
    note: pyloom cannot hold further sources of nodes: 1
    note: annotations: 1: kept as excluded nodes
    note: several nodes begin the tree: an empty one holds them
    "#);
    insta::assert_snapshot!(written(TreeFormat::Loomsidian), @r#"

    {
    "current": "n1",
    "hoisted": [],
    "searchTerm": "",
    "nodes": {
    "n1": {"text":"Hello \\\\< 😀\u0001  ","parentId":null,"collapsed":false,"unread":false,"bookmarked":false,"searchResultState":null},
    "n2": {"text":"see \n\n\\[image/png, 3 bytes]\n\n\\[image, 7 bytes]","parentId":"n1","collapsed":false,"unread":false,"bookmarked":false,"searchResultState":null}
    },
    "generating": null
    }
    note: loomsidian cannot hold the title
    note: loomsidian cannot hold the mode of the tree
    note: loomsidian cannot hold the system context
    note: loomsidian cannot hold the preferences
    note: loomsidian cannot hold who wrote a text: models' nodes: 1
    note: loomsidian cannot hold system prompts of agents: 1
    note: loomsidian cannot hold that tools were called: nodes: 1
    note: loomsidian cannot hold pictures, for which a placeholder stands: nodes: 1
    note: loomsidian cannot hold times of nodes: 2
    note: loomsidian cannot hold pins: 1
    note: loomsidian cannot hold stashes: 1
    note: loomsidian cannot hold actions: 1
    note: loomsidian cannot hold responses of providers: 1
    note: loomsidian cannot hold further sources of nodes: 1
    note: loomsidian cannot hold nodes that are excluded, pruned or annotations: 2
    "#);
    insta::assert_snapshot!(written(TreeFormat::LoomEngine), @r#"
    roots.json
    [
      {
        "id": "root-t1",
        "child_ids": [
          "root-t1/node-1"
        ],
        "createdAt": "2023-11-14T22:13:20.000Z",
        "config": {
          "systemPrompt": "Be kind."
        }
      }
    ]
    root-t1/nodes/node-1.json
    {
      "id": "root-t1/node-1",
      "root_id": "root-t1",
      "parent_id": "root-t1",
      "child_ids": [
        "root-t1/node-2"
      ],
      "message": {
        "role": "user",
        "content": [
          {
            "type": "text",
            "text": "Hello \\< 😀\u0001  "
          }
        ]
      },
      "metadata": {
        "timestamp": "2023-11-14T22:13:20.000Z",
        "original_root_id": "root-t1",
        "source_info": {
          "type": "user"
        }
      }
    }
    root-t1/nodes/node-2.json
    {
      "id": "root-t1/node-2",
      "root_id": "root-t1",
      "parent_id": "root-t1/node-1",
      "child_ids": [],
      "message": {
        "role": "assistant",
        "content": [
          {
            "type": "text",
            "text": "see "
          },
          {
            "type": "text",
            "text": "[image/png, 3 bytes]"
          },
          {
            "type": "text",
            "text": "[image, 7 bytes]"
          },
          {
            "type": "tool-use",
            "id": "c",
            "name": "ls",
            "parameters": {}
          }
        ]
      },
      "metadata": {
        "timestamp": "2023-11-14T22:13:20.000Z",
        "original_root_id": "root-t1",
        "source_info": {
          "type": "model",
          "provider": "openai",
          "model_name": "gpt",
          "parameters": {
            "max_tokens": 0
          }
        }
      }
    }
    note: loom-engine cannot hold the title
    note: loom-engine cannot hold the preferences
    note: loom-engine cannot hold system prompts of agents: 1
    note: loom-engine cannot hold pictures, for which a placeholder stands: nodes: 1
    note: loom-engine cannot hold pins: 1
    note: loom-engine cannot hold stashes: 1
    note: loom-engine cannot hold actions: 1
    note: loom-engine cannot hold responses of providers: 1
    note: loom-engine cannot hold further sources of nodes: 1
    note: loom-engine cannot hold nodes that are excluded, pruned or annotations: 2
    "#);
    insta::assert_snapshot!(written(TreeFormat::Pi), @r#"

    {"type":"session","version":3,"id":"t1","timestamp":"2023-11-14T22:13:20.000Z","cwd":""}
    {"type":"message","id":"n1","parentId":null,"timestamp":"2023-11-14T22:13:20.000Z","message":{"role":"user","content":"Hello \\< 😀\u0001  "}}
    {"type":"message","id":"n2","parentId":"n1","timestamp":"2023-11-14T22:13:20.000Z","message":{"role":"assistant","content":[{"type":"text","text":"see "},{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"text","text":"[image, 7 bytes]"},{"type":"toolCall","id":"c","name":"ls","arguments":{}}],"provider":"openai","model":"gpt","stopReason":"toolUse"}}
    {"type":"session_info","id":"info-t1","parentId":"n1","timestamp":"2023-11-14T22:13:20.000Z","name":"A tree"}
    note: pi cannot hold the system context
    note: pi cannot hold the preferences
    note: pi cannot hold system prompts of agents: 1
    note: pi cannot hold pictures, for which a placeholder stands: nodes: 1
    note: pi cannot hold pins: 1
    note: pi cannot hold stashes: 1
    note: pi cannot hold actions: 1
    note: pi cannot hold responses of providers: 1
    note: pi cannot hold further sources of nodes: 1
    note: pi cannot hold nodes that are excluded, pruned or annotations: 2
    "#);
    insta::assert_snapshot!(written(TreeFormat::ChatGpt), @r#"

    [{"title": "A tree", "create_time": 1700000000.0, "update_time": 1700000000.0, "conversation_id": "t1", "id": "t1", "current_node": "n1", "mapping": {
    "n1": {"id":"n1","message":{"id":"n1","author":{"role":"user","name":null,"metadata":{}},"create_time":1700000000.0,"update_time":null,"content":{"content_type":"text","parts":["Hello \\< 😀\u0001  "]},"status":"finished_successfully","end_turn":true,"weight":1.0,"metadata":{},"recipient":"all"},"parent":null,"children":["n2"]},
    "n2": {"id":"n2","message":{"id":"n2","author":{"role":"assistant","name":null,"metadata":{}},"create_time":1700000000.0,"update_time":null,"content":{"content_type":"multimodal_text","parts":["see ",{"content_type":"image_asset_pointer","size_bytes":3},{"content_type":"image_asset_pointer","size_bytes":7}]},"status":"finished_successfully","end_turn":true,"weight":1.0,"metadata":{"model_slug":"gpt"},"recipient":"all"},"parent":"n1","children":[]}
    }}]
    note: chatgpt cannot hold the system context
    note: chatgpt cannot hold the preferences
    note: chatgpt cannot hold system prompts of agents: 1
    note: chatgpt cannot hold pictures, for which a placeholder stands: nodes: 1
    note: chatgpt cannot hold pins: 1
    note: chatgpt cannot hold stashes: 1
    note: chatgpt cannot hold actions: 1
    note: chatgpt cannot hold responses of providers: 1
    note: chatgpt cannot hold further sources of nodes: 1
    note: chatgpt cannot hold nodes that are excluded, pruned or annotations: 2
    note: chatgpt cannot hold several calls, or one beside a text: nodes: 1
    "#);
}

/// Of several versions the child stays below the one that the path chose, else below the latest that lives.
#[test]
fn a_node_stays_below_the_version_that_its_path_takes() {
    let said = |id: &str| node(id, AuthorType::Human, Message::new(Role::User, id));
    let mut nodes = vec![said("root"), said("old"), said("child"), said("new")];
    nodes[3].edited_from = Some("old".into());
    let mut edges = vec![edge("e1", "root", "old"), edge("e2", "old", "child"), edge("e3", "root", "new")];
    edges[1].sources.push(EdgeSource { node: "new".into(), role: SourceRole::Primary });
    let mut tree = bundle(nodes, edges);
    let parent = |tree: &Bundle| {
        let text = &export(tree, TreeFormat::Loomsidian).files[0].1;
        let line = text.lines().find(|line| line.starts_with("\"child\"")).unwrap().to_string();
        line.split("\"parentId\":").nth(1).unwrap().split(',').next().unwrap().to_string()
    };
    assert_eq!(parent(&tree), "\"new\"");
    tree.paths[0].choices = vec![PathChoice { target: "child".into(), edge: None, source: Some("old".into()) }];
    assert_eq!(parent(&tree), "\"old\"");
    tree.nodes[1].pruned = Some("old".into());
    assert_eq!(parent(&tree), "\"new\"");
    tree.nodes[3].excluded = true;
    assert_eq!(parent(&tree), "\"root\"");
}

/// What continues an annotation does not become a branch of the conversation.
#[test]
fn what_hangs_below_an_annotation_stays_with_it() {
    let said = |id: &str| node(id, AuthorType::Human, Message::new(Role::User, id));
    let nodes = vec![said("root"), said("remark"), said("reply"), said("second"), said("answer")];
    let mut edges = vec![
        edge("e1", "root", "remark"),
        edge("e2", "remark", "reply"),
        edge("e3", "reply", "second"),
        edge("e4", "root", "answer"),
    ];
    edges[0].kind = contexture_core::EdgeType::Annotation;
    let tree = bundle(nodes, edges);
    for format in [TreeFormat::Loomsidian, TreeFormat::Pi, TreeFormat::ChatGpt] {
        let text = &export(&tree, format).files[0].1;
        assert!(text.contains("answer") && !text.contains("reply") && !text.contains("second"), "{text}");
    }
}

/// Of several edges, the one that the newest choice names or has a source of.
#[test]
fn a_node_stays_below_the_edge_that_its_path_takes() {
    let said = |id: &str| node(id, AuthorType::Human, Message::new(Role::User, id));
    let nodes = vec![said("root"), said("a"), said("b"), said("child")];
    let edges =
        vec![edge("e1", "root", "a"), edge("e2", "root", "b"), edge("e3", "a", "child"), edge("e4", "b", "child")];
    let mut tree = bundle(nodes, edges);
    let parent = |tree: &Bundle| {
        let text = &export(tree, TreeFormat::Loomsidian).files[0].1;
        let line = text.lines().find(|line| line.starts_with("\"child\"")).unwrap().to_string();
        line.split("\"parentId\":").nth(1).unwrap().split(',').next().unwrap().to_string()
    };
    assert_eq!(parent(&tree), "\"a\"");
    let choice = |edge: Option<&str>, source: Option<&str>| PathChoice {
        target: "child".into(),
        edge: edge.map(Into::into),
        source: source.map(Into::into),
    };
    tree.paths[0].choices = vec![choice(Some("e3"), None), choice(None, Some("b"))];
    assert_eq!(parent(&tree), "\"b\"");
    tree.paths[0].choices.push(choice(Some("e3"), Some("a")));
    assert_eq!(parent(&tree), "\"a\"");
}
