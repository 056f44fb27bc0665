//! Files that are large, deep, broken, or nothing at all.

use super::agents::{CLAUDE, CODEX, PI};
use super::chats::{ANTHROPIC, OPENAI};
use super::exports::{CHATGPT, CLAUDE_AI, NANOBOT};
use super::{fails, import};
use contexture_conversations::sessions::{ImportOptions, import_file};
use std::fmt::Write;

pub const ALL: [&str; 8] = [CLAUDE, CODEX, PI, NANOBOT, OPENAI, ANTHROPIC, CHATGPT, CLAUDE_AI];

#[test]
fn what_is_no_conversation_says_which_are() {
    insta::assert_snapshot!(fails("", &ImportOptions::default()), @"
    nothing is in the file
    choose another file: some programs make theirs before anything is said
    ");
    insta::assert_snapshot!(fails("hello", &ImportOptions::default()), @"
    not a conversation of a known format
    known are: openai, anthropic, claude-code, codex, pi, nanobot, miniclaw, chatgpt, claude-ai
    ");
    for text in [
        &b"\x7fELF\0\0\0\x01"[..],
        b"{}",
        b"hello\nworld",
        b"{\"a\": 1}\n{\"b\": 2}\n",
        b"[1, 2, 3]",
        b"null",
        b"\"x\"",
        &[0; 5000],
    ] {
        assert!(fails(text, &ImportOptions::default()).starts_with("not a conversation"), "{text:?}");
    }
    assert!(fails("[".repeat(100_000), &ImportOptions::default()).starts_with("not a conversation"));
    assert!(fails("{\"a\":".repeat(100_000), &ImportOptions::default()).starts_with("not a conversation"));
}

#[test]
fn an_empty_conversation_is_one() {
    for text in ["[]", "{\"messages\": []}", "{\"messages\":[],\"system\":\"x\"}"] {
        assert!(import(text).session.messages.len() <= 1);
    }
}

#[test]
fn files_are_named_in_what_is_told() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("chat.json");
    std::fs::write(&path, "[{\"role\":\"user\",\"content\":\"x\"},{\"role\":\"us").unwrap();
    let read = import_file(&path, &ImportOptions::default()).unwrap();
    assert_eq!((read.session.channel.as_str(), read.session.chat_id.as_str()), ("openai", "chat"));
    assert_eq!(read.notes[0].path.as_deref(), path.to_str());
    std::fs::write(&path, "{\"role\":\"wizard\"}").unwrap();
    let error = import_file(&path, &ImportOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), format!("{}: line 1: unknown role: `wizard`", path.display()));
    assert!(import_file(root.path(), &ImportOptions::default()).is_err());
    assert!(import_file(&root.path().join("none"), &ImportOptions::default()).is_err());
}

/// Ten megabytes in one line, in each format of lines.
#[test]
fn long_lines() {
    let long = "x".repeat(10 << 20);
    for (text, word) in [(CLAUDE, "text of a"), (CODEX, "Listing."), (PI, "Looking."), (NANOBOT, "bread is 2")] {
        let read = import(text.replacen(word, &long, 1));
        let found = read.session.messages.iter().flat_map(|spoken| spoken.message.texts()).any(|text| text == long);
        assert!(found, "{}", read.format);
    }
}

#[test]
fn deep_nesting_costs_its_line() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let object = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    for text in [CLAUDE, CODEX, PI, NANOBOT] {
        let whole = import(text);
        for deep in [&deep, &object] {
            let (first, rest) = text.split_once('\n').unwrap();
            let read = import(format!("{first}\n{{\"type\":\"x\",\"deep\":{deep}}}\n{deep}\n{rest}"));
            assert_eq!(read.session.messages.len(), whole.session.messages.len());
            assert_eq!(read.skipped["a line cannot be read"], 2);
        }
    }
    let text = OPENAI.replacen("\"be brief\"", &deep, 1);
    assert_eq!(import(text).session.messages.len(), import(OPENAI).session.messages.len() - 1);
}

#[test]
fn marks_and_line_ends_of_other_systems() {
    for text in ALL {
        let plain = import(text);
        for odd in [format!("\u{FEFF}{text}"), text.replace('\n', "\r\n"), format!("\n \n{text}\n\n")] {
            let read = import(&odd);
            assert_eq!(read.format, plain.format);
            assert_eq!(super::messages(&read), super::messages(&plain), "{}", plain.format);
        }
    }
}

#[test]
fn a_broken_first_line_does_not_hide_the_format() {
    for text in [CLAUDE, CODEX, PI, NANOBOT] {
        for first in ["garbage", "{\"type\":\"user\",\"mess", "{\"type\":\"user\",", "{}"] {
            // nanobot's second line tells it too.
            assert_eq!(import(format!("{first}\n{text}")).format, import(text).format, "{first}");
        }
    }
}

#[test]
fn many_lines_stay_linear() {
    // Fifty thousand entries whose parents are all missing, or all the same, or point forward.
    for parent in ["gone", "00000000", "next"] {
        let mut text = String::from("{\"type\":\"session\",\"version\":3,\"id\":\"x\",\"timestamp\":\"t\"}\n");
        for index in 0..50_000 {
            let parent = if parent == "next" { format!("{:08x}", index + 1) } else { parent.into() };
            writeln!(text, "{{\"type\":\"message\",\"id\":\"{index:08x}\",\"parentId\":\"{parent}\",\"message\":{{\"role\":\"user\",\"content\":\"x\"}}}}").unwrap();
        }
        let read = import(text);
        let skipped: usize = read.skipped.values().sum();
        assert_eq!(read.session.messages.len() + skipped, 50_000, "{parent}");
    }
    // A damaged document in which every brace begins another try.
    for piece in ["{\"role\":", "{\n", "{\"role\"\n", "\"\n{", "[{\"role\":\"user\"},"] {
        let text = format!("{{\"session_id\":\"x\",\"messages\":[{}", piece.repeat(50_000));
        let _ = contexture_conversations::sessions::import::read(text.as_bytes(), &ImportOptions::default());
    }
}
