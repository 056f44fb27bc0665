//! nanobot's sessions and the exports of ChatGPT and claude.ai.

use super::{fails, import, listing};
use contexture_conversations::sessions::ImportOptions;
use contexture_conversations::sessions::import::read;

pub const NANOBOT: &str = r#"{"_type": "metadata", "key": "telegram:7", "created_at": "2026-03-01T08:00:00", "updated_at": "2026-03-01T09:00:00", "metadata": {"title": "Groceries", "_last_summary": {"text": "They bought milk.", "last_active": "2026-03-01T08:30:00"}}, "last_archived": 2, "last_consolidated": 2}
{"_type": "provider_state", "state": {"opaque": true}}
{"role": "user", "content": "buy milk", "timestamp": "2026-03-01T08:00:01"}
{"role": "assistant", "content": "bought", "timestamp": "2026-03-01T08:00:02"}
{"role": "user", "content": "/status", "_command": true, "timestamp": "2026-03-01T08:59:00"}
{"role": "user", "content": "and this?", "media": ["/tmp/photo.jpg"], "timestamp": "2026-03-01T09:00:00"}
{"role": "assistant", "content": "", "reasoning_content": "hm", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{\"q\": \"bread\"}"}}], "timestamp": "2026-03-01T09:00:01"}
{"role": "tool", "tool_call_id": "c1", "name": "search", "content": "bread is 2", "timestamp": "2026-03-01T09:00:02"}
{"role": "assistant", "content": "Bread costs 2."#;

pub const CHATGPT: &str = r#"[
 {"id": "old", "conversation_id": "old", "title": "Old times", "create_time": 1700000000.5, "update_time": 1700000001.0, "current_node": "a", "mapping": {"a": {"id": "a", "message": null, "parent": null, "children": []}}},
 {"id": "new", "conversation_id": "new", "title": "Primes", "create_time": 1760000000.25, "update_time": 1760000100.0, "current_node": "n7", "mapping": {
  "root": {"id": "root", "message": null, "parent": null, "children": ["sys"]},
  "sys": {"id": "sys", "message": {"id": "sys", "author": {"role": "system"}, "content": {"content_type": "text", "parts": [""]}, "metadata": {"is_visually_hidden_from_conversation": true}, "recipient": "all"}, "parent": "root", "children": ["n1"]},
  "n1": {"id": "n1", "message": {"id": "n1", "author": {"role": "user"}, "create_time": 1760000000.25, "content": {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer", "asset_pointer": "file-service://x", "size_bytes": 1234}, "first primes?"]}, "recipient": "all"}, "parent": "sys", "children": ["n2a", "n2"]},
  "n2a": {"id": "n2a", "message": {"id": "n2a", "author": {"role": "assistant"}, "content": {"content_type": "text", "parts": ["a first try"]}, "recipient": "all"}, "parent": "n1", "children": []},
  "n2": {"id": "n2", "message": {"id": "n2", "author": {"role": "assistant"}, "content": {"content_type": "thoughts", "thoughts": []}, "recipient": "all"}, "parent": "n1", "children": ["n3"]},
  "n3": {"id": "n3", "message": {"id": "n3", "author": {"role": "assistant"}, "content": {"content_type": "code", "language": "python", "text": "print(2, 3)"}, "recipient": "python"}, "parent": "n2", "children": ["n4"]},
  "n4": {"id": "n4", "message": {"id": "n4", "author": {"role": "tool", "name": "python"}, "content": {"content_type": "execution_output", "text": "2 3"}, "recipient": "all"}, "parent": "n3", "children": ["n5"]},
  "n5": {"id": "n5", "message": {"id": "n5", "author": {"role": "tool", "name": "python"}, "content": {"content_type": "text", "parts": ["(done)"]}, "recipient": "all"}, "parent": "n4", "children": ["n6"]},
  "n6": {"id": "n6", "message": {"id": "n6", "author": {"role": "assistant"}, "create_time": 1760000050, "content": {"content_type": "text", "parts": ["2 and 3"]}, "metadata": {"model_slug": "x"}, "recipient": "all"}, "parent": "n5", "children": ["n7"]},
  "n7": {"id": "n7", "message": {"id": "n7", "author": {"role": "assistant"}, "content": {"content_type": "new_thing"}, "recipient": "all"}, "parent": "n6", "children": []}
 }}
]"#;

pub const CLAUDE_AI: &str = r#"[{"uuid": "c1", "name": "Tea", "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-02T00:00:00Z", "chat_messages": [
  {"uuid": "m1", "text": "which tea?", "content": [{"type": "text", "text": "which tea?"}], "sender": "human", "created_at": "2026-01-01T00:00:01Z", "attachments": [{"file_name": "teas.txt", "extracted_content": "green, black"}], "files": [{"file_name": "p.png"}], "parent_message_uuid": "00000000"},
  {"uuid": "m2", "text": "", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "tool_use", "id": "t1", "name": "web", "input": {"q": "tea"}}, {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "green is fine"}]}, {"type": "text", "text": "Green."}], "sender": "assistant", "created_at": "2026-01-01T00:00:02Z", "parent_message_uuid": "m1"},
  {"uuid": "m2b", "text": "Black.", "content": [], "sender": "assistant", "created_at": "2026-01-01T00:00:03Z", "parent_message_uuid": "m1"},
  {"uuid": "m3", "text": "why?", "sender": "human", "parent_message_uuid": "m2"}
 ], "current_leaf_message_uuid": "m3"}]"#;

fn options(set: impl FnOnce(&mut ImportOptions)) -> ImportOptions {
    let mut options = ImportOptions::default();
    set(&mut options);
    options
}

#[test]
fn nanobot_with_its_summary_and_whole() {
    insta::assert_snapshot!(listing(&import(NANOBOT)), @r#"
    nanobot telegram:7 "Groceries"
     1 - user "Summary of the conversation before this point:\n\nThey bought milk."
     6 2026-03-01T09:00:00 user "and this?" < gone 0>
     7 2026-03-01T09:00:01 assistant -> search(c1) {"q": "bread"}
     8 2026-03-01T09:00:02 tool(c1)[search] "bread is 2"
    skipped 1: command
    skipped 1: line provider_state
    skipped 2: message before a compaction
    skipped 1: the last line is half written
    note: the last line is half written: line 9
    "#);
    let full = read(NANOBOT.as_bytes(), &options(|o| o.full_log = true)).unwrap();
    insta::assert_snapshot!(listing(&full), @r#"
    nanobot telegram:7 "Groceries"
     3 2026-03-01T08:00:01 user "buy milk"
     4 2026-03-01T08:00:02 assistant "bought"
     6 2026-03-01T09:00:00 user "and this?" < gone 0>
     7 2026-03-01T09:00:01 assistant -> search(c1) {"q": "bread"}
     8 2026-03-01T09:00:02 tool(c1)[search] "bread is 2"
    skipped 1: command
    skipped 1: line provider_state
    skipped 1: the last line is half written
    note: the last line is half written: line 9
    "#);
}

#[test]
fn chatgpt_the_newest_on_its_active_way() {
    insta::assert_snapshot!(listing(&import(CHATGPT)), @r#"
    chatgpt new "Primes"
     3 2025-10-09T08:53:20.25Z user < gone 1234> "first primes?"
     3 - assistant -> python(n3) {"input":"print(2, 3)"}
     3 - tool(n3)[python] "2 3" "(done)"
     3 2025-10-09T08:54:10Z assistant "2 and 3"
    skipped 1: block new_thing
    skipped 1: hidden message
    skipped 1: message of another branch
    skipped 1: other conversation
    skipped 1: thinking
    note: conversations in the file: 2: the newest one is used
    "#);
}

#[test]
fn chatgpt_another_one_or_another_leaf() {
    let by_title = read(CHATGPT.as_bytes(), &options(|o| o.conversation = Some("old".into()))).unwrap();
    assert_eq!((by_title.session.chat_id.as_str(), by_title.session.messages.len()), ("old", 0));
    let by_leaf = read(CHATGPT.as_bytes(), &options(|o| o.leaf = Some("n2a".into()))).unwrap();
    insta::assert_snapshot!(listing(&by_leaf), @r#"
    chatgpt new "Primes"
     3 2025-10-09T08:53:20.25Z user < gone 1234> "first primes?"
     3 - assistant "a first try"
    skipped 1: hidden message
    skipped 6: message of another branch
    skipped 1: other conversation
    note: conversations in the file: 2: the newest one is used
    "#);
    insta::assert_snapshot!(fails(CHATGPT, &options(|o| o.leaf = Some("zzz".into()))), @"
    nothing has this id: `zzz`
    `--leaf` can be `n7`, `n2a`
    ");
    insta::assert_snapshot!(fails(CHATGPT, &options(|o| o.conversation = Some("none".into()))), @"
    no conversation has this id or title: `none`
    `--conversation` can be `old`, `new`
    ");
    insta::assert_snapshot!(fails(CHATGPT, &options(|o| o.conversation = Some("i".into()))), @"
    several conversations have this in their title: `i`
    `--conversation` can be `old`, `new`
    ");
}

#[test]
fn one_conversation_without_the_array() {
    let one: serde_json::Value = serde_json::from_str(CHATGPT).unwrap();
    let one = one[1].to_string();
    assert_eq!(import(&one).session.messages.len(), import(CHATGPT).session.messages.len());
    let one: serde_json::Value = serde_json::from_str(CLAUDE_AI).unwrap();
    assert_eq!(import(one[0].to_string()).session.messages.len(), 5);
}

#[test]
fn claude_ai_with_attachments_and_branches() {
    insta::assert_snapshot!(listing(&import(CLAUDE_AI)), @r#"
    claude-ai c1 "Tea"
     1 2026-01-01T00:00:01Z user "which tea?" "teas.txt:\n\ngreen, black"
     1 2026-01-01T00:00:02Z assistant -> web(t1) {"q":"tea"}
     1 2026-01-01T00:00:02Z tool(t1) "green is fine"
     1 2026-01-01T00:00:02Z assistant "Green."
     1 - user "why?"
    skipped 1: file
    skipped 1: message of another branch
    skipped 1: thinking
    "#);
}

#[test]
fn a_tree_without_root_or_with_a_circle_ends() {
    let circle = r#"{"title":"x","current_node":"b","mapping":{"a":{"parent":"b","message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["one"]}}},"b":{"parent":"a","message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["two"]}}}}}"#;
    insta::assert_snapshot!(listing(&import(circle)), @r#"
    chatgpt  "x"
     1 - user "one"
     1 - user "two"
    note: entries are their own parents: the conversation begins behind the circle
    "#);
}
