//! Message arrays of providers: chat completions and Anthropic's, in all the ways people save them.

use super::{fails, import, listing};
use contexture_conversations::sessions::ImportOptions;
use contexture_conversations::sessions::import::read;

pub const OPENAI: &str = r#"[
  {"role": "developer", "content": "be brief"},
  {"role": "user", "name": "ada", "content": [{"type": "text", "text": "what is this?"}, {"type": "image_url", "image_url": {"url": "https://example.org/cat.png"}}]},
  {"role": "assistant", "content": null, "tool_calls": [
    {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{\"x\": 1}"}},
    {"id": "call_2", "type": "function", "function": {"name": "look", "arguments": "{\"x\": 2}"}}]},
  {"role": "tool", "tool_call_id": "call_1", "content": "a cat"},
  {"role": "tool", "tool_call_id": "call_2", "content": [{"type": "text", "text": "a hat"}]},
  {"role": "assistant", "content": "A cat in a hat.", "refusal": null},
  {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "xx"}}, "thanks"]}
]"#;

pub const ANTHROPIC: &str = r#"{
  "model": "m", "system": [{"type": "text", "text": "be kind"}],
  "messages": [
    {"role": "user", "content": "two files please"},
    {"role": "assistant", "content": [
      {"type": "thinking", "thinking": "hm", "signature": "s"},
      {"type": "text", "text": "reading"},
      {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "a"}},
      {"type": "tool_use", "id": "toolu_2", "name": "read", "input": {"path": "b"}}]},
    {"role": "user", "content": [
      {"type": "tool_result", "tool_use_id": "toolu_1", "content": "text of a"},
      {"type": "tool_result", "tool_use_id": "toolu_2", "is_error": true, "content": [{"type": "text", "text": "no such file"}, {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}}]},
      {"type": "text", "text": "go on"}]},
    {"role": "assistant", "content": [{"type": "redacted_thinking", "data": "x"}, {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}, {"type": "text", "text": "done"}]}
  ]
}"#;

#[test]
fn chat_completions() {
    insta::assert_snapshot!(listing(&import(OPENAI)), @r#"
    openai  ""
     2 - system "be brief"
     3 - user[ada] "what is this?" < https://example.org/cat.png>
     4 - assistant -> look(call_1) {"x": 1} -> look(call_2) {"x": 2}
     7 - tool(call_1) "a cat"
     8 - tool(call_2) "a hat"
     9 - assistant "A cat in a hat."
    10 - user "thanks"
    skipped 1: block input_audio
    "#);
}

#[test]
fn the_same_in_every_wrapping() {
    let plain = import(OPENAI).session.messages;
    let compact: serde_json::Value = serde_json::from_str(OPENAI).unwrap();
    let lines: String = compact.as_array().unwrap().iter().map(|message| format!("{message}\r\n")).collect();
    let wrapped = format!("{{\"model\":\"m\",\"messages\":{compact}}}");
    for text in [
        compact.to_string(),
        wrapped.clone(),
        format!("{{\n\"messages\": {OPENAI}}}"),
        format!("\u{FEFF}{OPENAI}"),
        format!("\n\n{wrapped}\n\n"),
        lines.clone(),
        format!("\u{FEFF}{lines}"),
        format!("[{wrapped}]"),
        format!("{wrapped}\n{wrapped}"),
    ] {
        let read = import(&text);
        assert_eq!(read.format, "openai");
        let texts = |messages: &[contexture_conversations::sessions::Spoken]| {
            messages.iter().map(|spoken| (*spoken.message).clone()).collect::<Vec<_>>()
        };
        assert_eq!(texts(&read.session.messages), texts(&plain), "{text}");
    }
}

#[test]
fn anthropic_messages() {
    insta::assert_snapshot!(listing(&import(ANTHROPIC)), @r#"
    anthropic  ""
     0 - system "be kind"
     4 - user "two files please"
     5 - assistant "reading" -> read(toolu_1) {"path":"a"} -> read(toolu_2) {"path":"b"}
    10 - tool(toolu_1) "text of a"
    10 - tool(toolu_2) "no such file" <image/png aGVsbG8=>
    10 - user "go on"
    14 - assistant "done"
    skipped 1: block server_tool_use
    "#);
}

#[test]
fn fine_tuning_lines_are_conversations() {
    let text = "{\"messages\":[{\"role\":\"user\",\"content\":\"one\"}]}\n{\"messages\":[{\"role\":\"user\",\"content\":\"two\"}]}\nbroken\n{\"messages\":[{\"role\":\"user\",\"content\":\"three\"}]}\n";
    insta::assert_snapshot!(listing(&import(text)), @r#"
    openai  ""
     4 - user "three"
    skipped 1: a line cannot be read
    skipped 2: other conversation
    note: conversations in the file: 3: the last one is used
    note: a line cannot be read: line 3
    "#);
    let second = ImportOptions { conversation: Some("2".into()), ..ImportOptions::default() };
    insta::assert_snapshot!(listing(&read(text.as_bytes(), &second).unwrap()), @r#"
    openai  ""
     2 - user "two"
    skipped 1: a line cannot be read
    note: a line cannot be read: line 3
    "#);
    let ninth = ImportOptions { conversation: Some("9".into()), ..ImportOptions::default() };
    insta::assert_snapshot!(fails(text, &ninth), @"
    no conversation has this id or title: `9`
    `--conversation` can be `1`, `2`, `3`
    ");
}

#[test]
fn the_old_way_of_calling() {
    let text = r#"[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"1"}]"#;
    insta::assert_snapshot!(listing(&import(text)), @r#"
    openai  ""
     1 - assistant -> f(f) {}
     1 - tool(f)[f] "1"
    "#);
}

#[test]
fn unknown_roles_are_errors_with_their_line() {
    insta::assert_snapshot!(fails(OPENAI.replace("\"developer\"", "\"oracle\""), &ImportOptions::default()), @"
    line 2: unknown role: `oracle`
    write one of `system`, `user`, `assistant`, `tool` there, or delete the message
    ");
    insta::assert_snapshot!(fails("{\"role\":\"user\",\"content\":\"x\"}\n{\"role\":\"bot\",\"content\":\"y\"}", &ImportOptions::default()), @"
    line 2: unknown role: `bot`
    write one of `system`, `user`, `assistant`, `tool` there, or delete the message
    ");
}

#[test]
fn a_cut_array_gives_what_is_whole() {
    let cut = &OPENAI[..OPENAI.find("A cat in").unwrap()];
    insta::assert_snapshot!(listing(&import(cut)), @r#"
    openai  ""
     2 - system "be brief"
     3 - user[ada] "what is this?" < https://example.org/cat.png>
     4 - assistant -> look(call_1) {"x": 1} -> look(call_2) {"x": 2}
     7 - tool(call_1) "a cat"
     8 - tool(call_2) "a hat"
    skipped 1: a message is cut off
    note: a message is cut off: line 9
    "#);
}

#[test]
fn half_surrogates_do_not_cost_the_message() {
    let text = "[{\"role\":\"user\",\"content\":\"cut \\ud83d here, whole \\ud83d\\ude00, \\\\ud800 written\"}]";
    insta::assert_snapshot!(listing(&import(text)), @r#"
    openai  ""
     1 - user "cut � here, whole 😀, \\ud800 written"
    "#);
}
