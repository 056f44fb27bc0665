//! Our own JSON: shapes that are accepted, damage that is survived, roles that are refused.

use super::{listing, messages, told};
use contexture_conversations::sessions::{file_name, of_file_name, read_file};
use contexture_core::Role;
use std::fs;

const FILE: &str = r#"{
  "session_id": "telegram_42",
  "channel": "telegram",
  "chat_id": "42",
  "created_at": "2026-01-01T00:00:00Z",
  "last_accessed": "2026-01-02T00:00:00Z",
  "mood": {"unknown": [1, 2]},
  "messages": [
    {"role": "user", "content": "weather in Oslo and Rome?", "timestamp": "2026-01-01T00:00:01Z"},
    {"role": "assistant", "content": null, "timestamp": "2026-01-01T00:00:02Z", "tool_calls": [{"id": "a", "name": "weather", "arguments": "{\"city\": \"Oslo\"}"}, {"id": "b", "type": "function", "function": {"name": "weather", "arguments": {"city": "Rome"}}}]},
    {"role": "tool_result", "content": "-3", "tool_call_id": "a", "timestamp": "2026-01-01T00:00:03Z"},
    {"role": "tool", "content": "14", "tool_call_id": "b", "name": "weather"},
    {"role": "user", "content": [{"type": "text", "text": "and this?"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}, {"type": "image", "source": {"type": "url", "url": "https://example.org/x.png"}}]},
    {"role": "assistant"}
  ]
}
"#;

fn read(bytes: impl AsRef<[u8]>) -> String {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("telegram_42.json");
    fs::write(&path, bytes.as_ref()).unwrap();
    let text = match read_file(&path) {
        Ok(read) => listing(&read.unwrap()),
        Err(error) => told(&error),
    };
    assert_eq!(fs::read(&path).unwrap(), bytes.as_ref(), "reading changes nothing");
    text.replace(&*root.path().to_string_lossy(), "ROOT")
}

#[test]
fn all_shapes_of_content_and_calls() {
    insta::assert_snapshot!(read(FILE), @r#"
    miniclaw 42 ""
     9 2026-01-01T00:00:01Z user "weather in Oslo and Rome?"
    10 2026-01-01T00:00:02Z assistant -> weather(a) {"city": "Oslo"} -> weather(b) {"city":"Rome"}
    11 2026-01-01T00:00:03Z tool(a) "-3"
    12 - tool(b)[weather] "14"
    13 - user "and this?" <image/png aGk=> < https://example.org/x.png>
    14 - assistant
    "#);
}

#[test]
fn a_missing_file_is_no_session_yet() {
    let root = tempfile::tempdir().unwrap();
    assert!(read_file(&root.path().join("a_b.json")).unwrap().is_none());
    assert!(read_file(root.path()).is_err());
}

#[test]
fn an_unknown_role_is_refused_with_its_line() {
    insta::assert_snapshot!(read(FILE.replace("\"tool_result\"", "\"critic\"")), @"
    ROOT/telegram_42.json: line 11: unknown role: `critic`
    write one of `system`, `user`, `assistant`, `tool` there, or delete the message
    ");
}

#[test]
fn damage_costs_the_damaged_message_only() {
    let cases = [
        ("a word that is no JSON", FILE.replace("\"-3\"", "minus three")),
        ("a quote is lost", FILE.replace("\"-3\"", "\"-3")),
        (
            "a brace is lost",
            FILE.replace("\"timestamp\": \"2026-01-01T00:00:03Z\"}", "\"timestamp\": \"2026-01-01T00:00:03Z\""),
        ),
        ("a block of zeros", FILE.replace("\"-3\", \"tool_call_id\": \"a\"", &"\0".repeat(20))),
        ("in the head", FILE.replace("{\"unknown\": [1, 2]}", "{unknown")),
        ("behind the list", FILE.replace("  ]\n}", "  ], \"x\n}")),
        ("no role", FILE.replace("\"role\": \"tool\", ", "")),
        ("a comma is lost", FILE.replace("03Z\"},", "03Z\"}")),
        ("no bytes", String::new()),
        ("only zeros", "\0\0\0\0".into()),
        ("no object", "[1, 2".into()),
    ];
    let mut all = String::new();
    for (what, text) in cases {
        let read = read(text);
        let lines: Vec<_> = read.lines().filter(|line| line.starts_with("note")).collect();
        let count = read.lines().filter(|line| line.contains("Z ") || line.contains(" - ")).count();
        all += &format!("{what}: {count} messages\n{}\n", lines.join("\n"));
    }
    insta::assert_snapshot!(all, @"
    a word that is no JSON: 5 messages
    note: ROOT/telegram_42.json: a message cannot be read: line 11
    a quote is lost: 5 messages
    note: ROOT/telegram_42.json: a message cannot be read: line 11
    a brace is lost: 5 messages
    note: ROOT/telegram_42.json: a message cannot be read: line 11
    a block of zeros: 5 messages
    note: ROOT/telegram_42.json: a message cannot be read: line 11
    in the head: 6 messages
    note: ROOT/telegram_42.json: a member cannot be read: line 7
    behind the list: 6 messages
    note: ROOT/telegram_42.json: a member cannot be read: line 15
    no role: 5 messages
    note: ROOT/telegram_42.json: a message has no role: line 12
    a comma is lost: 6 messages
    note: ROOT/telegram_42.json: a comma is missing: line 12
    no bytes: 0 messages
    note: ROOT/telegram_42.json: nothing is here: line 1
    only zeros: 0 messages
    note: ROOT/telegram_42.json: no JSON object begins here: line 1
    no object: 0 messages
    note: ROOT/telegram_42.json: a message cannot be read: lines 1, 1
    note: ROOT/telegram_42.json: the file ends too early: line 1
    ");
}

#[test]
fn damage_in_one_line_files_is_survived_too() {
    let text = r#"{"messages":[{"role":"user","content":"one"},{"role":"user","content":nope},{"role":"user","content":"three"},{"role":"user","content":"four"#;
    insta::assert_snapshot!(read(text), @r#"
    miniclaw 42 ""
     1 - user "one"
     1 - user "three"
    skipped 1: a message cannot be read
    skipped 1: a message is cut off
    note: ROOT/telegram_42.json: a message cannot be read: line 1
    note: ROOT/telegram_42.json: a message is cut off: line 1
    "#);
    let text = r#"{"messages":[{"role":"user","content":"one},{"role":"user","content":"two"},{"role":"user","content":"three"}]}"#;
    insta::assert_snapshot!(read(text), @r#"
    miniclaw 42 ""
     1 - user "two"
     1 - user "three"
    skipped 1: a message cannot be read
    note: ROOT/telegram_42.json: a message cannot be read: line 1
    "#);
}

#[test]
fn names_are_safe_and_read_backwards() {
    let mut all = String::new();
    let long = "x".repeat(300);
    for (channel, chat_id) in [
        ("telegram", "42"),
        ("my_channel", "a_b"),
        ("..", "../../etc/passwd"),
        (".hidden", "a\0b\n"),
        ("C:", "con\\aux?"),
        ("ünï", "100%\u{202E}"),
        ("", "1"),
        ("a", ""),
        ("a", &*long),
    ] {
        match file_name(channel, chat_id) {
            Ok(name) => {
                assert_eq!(of_file_name(&name), (channel.to_string(), chat_id.to_string()));
                all += &format!("{name}\n");
            }
            Err(error) => all += &format!("{}\n", error.to_string().replace(&"x".repeat(80), "xx…")),
        }
    }
    insta::assert_snapshot!(all, @r#"
    telegram_42.json
    my%5Fchannel_a_b.json
    %2E._..%2F..%2Fetc%2Fpasswd.json
    %2Ehidden_a%00b%0A.json
    C%3A_con%5Caux%3F.json
    ünï_100%25%E2%80%AE.json
    cannot be used in a file name: channel `""`: it is empty
    cannot be used in a file name: chat id `""`: it is empty
    cannot be used in a file name: chat id `xx…`: the name would be longer than 200 bytes
    "#);
}

#[test]
fn numbers_as_ids_and_deep_unknown_fields_do_not_hurt() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let text = format!(
        "{{\"channel\": \"c\", \"chat_id\": 7, \"deep\": {deep}, \"messages\": [{{\"role\": \"user\", \"content\": \"hi\"}}]}}"
    );
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("c_7.json");
    fs::write(&path, text).unwrap();
    let read = read_file(&path).unwrap().unwrap();
    assert_eq!((read.session.chat_id.as_str(), read.notes.len()), ("7", 0));
    assert_eq!(messages(&read)[0].role, Role::User);
}
