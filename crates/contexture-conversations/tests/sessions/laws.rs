//! Laws over random sessions and random damage.

use super::hostile::ALL;
use super::messages;
use contexture_conversations::sessions::import::read;
use contexture_conversations::sessions::{
    ImportOptions, Session, Spoken, append, file_name, import_file, of_file_name, read_file, to_json,
};
use contexture_core::{Api, Call, Image, ImageSource, Message, MessagePart, Role, Thought};
use proptest::prelude::*;
use std::fs;
use std::sync::Arc;

const NOW: &str = "2026-05-05T05:05:05Z";

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z \"\\\\{}\\[\\],:]{1,20}", "\\PC{1,10}", "(.|\n){1,10}"]
}

fn part() -> impl Strategy<Value = MessagePart> {
    let source = prop_oneof![
        "[A-Za-z0-9+/]{0,8}".prop_map(|data| ImageSource::Data(data.into())),
        "https://[a-z]{1,8}".prop_map(ImageSource::Url),
        any::<u64>().prop_map(|bytes| ImageSource::Gone { bytes }),
    ];
    let image = ("(image/[a-z]{3,4})?", source)
        .prop_map(|(media_type, source)| MessagePart::Image(Image { media_type, source }));
    prop_oneof![3 => text().prop_map(|text| MessagePart::Text(text.into())), 1 => image]
}

fn message() -> impl Strategy<Value = Message> {
    let role = prop_oneof![Just(Role::System), Just(Role::User), Just(Role::Assistant), Just(Role::Tool)];
    let call = (".{0,6}", "[a-z]{1,6}", text()).prop_map(|(id, name, arguments)| Call {
        id,
        name,
        arguments: arguments.into(),
    });
    let calls = prop::collection::vec(call, 0..3);
    let optional = || prop::option::of(".{0,6}");
    let thought = (prop::sample::select(Api::ALL.to_vec()), text(), text(), prop::option::of(0usize..3))
        .prop_map(|(by, text, seal, call)| Thought { by, text: text.into(), seal: seal.into(), call });
    let thoughts = prop::collection::vec(thought, 0..2);
    (role, thoughts, prop::collection::vec(part(), 0..3), calls, optional(), optional()).prop_map(
        |(role, thoughts, parts, calls, answers, name)| Message {
            thoughts,
            parts,
            calls,
            answers,
            name,
            ..Message::new(role, "")
        },
    )
}

fn session() -> impl Strategy<Value = Session> {
    let spoken = (message(), prop::option::of(".{0,12}")).prop_map(|(message, at)| Spoken {
        message: Arc::new(message),
        at,
        line: 0,
    });
    ("\\PC{1,8}", "\\PC{1,8}", "[0-9TZ:-]{1,20}", prop::option::of("\\PC{1,9}"), prop::collection::vec(spoken, 0..6))
        .prop_map(|(channel, chat_id, created_at, title, messages)| Session {
            channel,
            chat_id,
            created_at,
            title,
            messages,
        })
}

/// Without the lines, which only a file has.
fn unplaced(mut session: Session) -> Session {
    session.messages.iter_mut().for_each(|spoken| spoken.line = 0);
    session
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_is_read_back(session in session()) {
        let json = to_json(&session, NOW);
        let again = read(json.as_bytes(), &ImportOptions::default()).unwrap();
        prop_assert_eq!(again.format, "miniclaw");
        prop_assert_eq!(&again.notes, &[]);
        prop_assert_eq!(unplaced(again.session), session.clone());
        // One message a line.
        prop_assert!(json.lines().count() <= 10 + session.messages.len());
    }

    #[test]
    fn a_cut_anywhere_keeps_all_whole_messages(session in session(), pretty in any::<bool>(), cut in any::<prop::sample::Index>()) {
        let mut json = to_json(&session, NOW);
        if pretty {
            json = serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(&json).unwrap()).unwrap();
        }
        // By the byte, also within a character.
        let at = cut.index(json.len() + 1);
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a_b.json");
        fs::write(&path, &json.as_bytes()[..at]).unwrap();
        let whole = read(json.as_bytes(), &ImportOptions::default()).unwrap();
        let ends = ends(&json);
        let expected = ends.iter().filter(|&&end| end <= at).count();
        let read = read_file(&path).unwrap().unwrap();
        prop_assert_eq!(messages(&read), messages(&whole)[..expected].to_vec());
        prop_assert_eq!(read.notes.is_empty(), at >= json.trim_end().len());

        // Adding to it keeps the same messages, and the bytes.
        let done = append(&path, &[super::spoken(Message::new(Role::User, "new"), None)], NOW).unwrap();
        prop_assert_eq!(done.messages, expected + 1);
        if at > 0 && at < json.trim_end().len() {
            prop_assert_eq!(fs::read(done.set_aside.unwrap()).unwrap(), &json.as_bytes()[..at]);
        }
        let again = read_file(&path).unwrap().unwrap();
        prop_assert_eq!(&again.notes, &[]);
        prop_assert_eq!(messages(&again).len(), expected + 1);
        prop_assert_eq!(messages(&again)[..expected].to_vec(), messages(&whole)[..expected].to_vec());
    }

    #[test]
    fn one_spoilt_line_costs_one_message(session in session(), pick in any::<prop::sample::Index>(), byte in any::<u8>(), place in any::<prop::sample::Index>()) {
        if session.messages.is_empty() {
            return Ok(());
        }
        let json = to_json(&session, NOW);
        let first = json.lines().position(|line| line.starts_with("    {")).unwrap();
        let mut lines: Vec<Vec<u8>> = json.lines().map(|line| line.as_bytes().to_vec()).collect();
        // Within the braces of one message; a line end would make two lines of it.
        if json.split('\n').count() != lines.len() + 1 || byte == b'\n' || byte == b'\r' {
            return Ok(());
        }
        let spoilt = pick.index(session.messages.len());
        let line = &mut lines[first + spoilt];
        let at = 4 + place.index(line.len() - 5);
        line[at] = byte;
        let bytes = lines.join(&b'\n');
        let whole = read(json.as_bytes(), &ImportOptions::default()).unwrap();
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a_b.json");
        fs::write(&path, &bytes).unwrap();
        // A role that is spoilt is refused; else all other messages are there.
        if let Ok(read) = read_file(&path) {
            let read = read.unwrap();
            let found = messages(&read);
            let others: Vec<_> = messages(&whole).into_iter().enumerate().filter(|(i, _)| *i != spoilt).map(|(_, m)| m).collect();
            prop_assert!(others.iter().all(|other| found.contains(other)), "{}\n{}", String::from_utf8_lossy(&bytes), super::listing(&read));
        }
    }

    #[test]
    fn names_go_there_and_back(channel in any::<String>(), chat_id in any::<String>()) {
        if let Ok(name) = file_name(&channel, &chat_id) {
            prop_assert!(name.len() <= 210 && !name.starts_with('.') && !name.contains(['/', '\\', '\0', '\n']));
            prop_assert_eq!(of_file_name(&name), (channel, chat_id));
        }
        let _ = of_file_name(&"%".repeat(3));
    }

    #[test]
    fn any_bytes_are_taken_calmly(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(&bytes[..], &ImportOptions::default());
        let _ = read(&[&[0x28, 0xB5, 0x2F, 0xFD][..], &bytes].concat()[..], &ImportOptions::default());
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a_b.json");
        fs::write(&path, &bytes).unwrap();
        let _ = import_file(&path, &ImportOptions::default());
        match append(&path, &[super::spoken(Message::new(Role::User, "new"), None)], NOW) {
            Ok(done) => if let Some(aside) = done.set_aside {
                prop_assert_eq!(fs::read(aside).unwrap(), bytes);
                prop_assert_eq!(read_file(&path).map(|read| read.unwrap().notes.len()).unwrap_or(0), 0);
            },
            // What is plainly something else stays as it is.
            Err(_) => prop_assert_eq!(fs::read(&path).unwrap(), bytes),
        }
    }

    #[test]
    fn spoilt_files_are_taken_calmly(
        pick in 0..ALL.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..4u8, any::<u8>(), 0..40usize), 1..6),
        full_log in any::<bool>(),
    ) {
        let mut bytes = ALL[pick].as_bytes().to_vec();
        for (place, kind, byte, length) in edits {
            if bytes.is_empty() {
                break;
            }
            let at = place.index(bytes.len());
            let end = (at + length).min(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => drop(bytes.drain(at..end)),
                2 => {
                    let copy = bytes[at..end].to_vec();
                    bytes.splice(at..at, copy);
                }
                _ => bytes.truncate(at + 1),
            }
        }
        let options = ImportOptions { full_log, ..ImportOptions::default() };
        let first = read(&bytes[..], &options);
        if let Ok(first) = first {
            prop_assert_eq!(read(&bytes[..], &options).unwrap(), first, "the same file, the same result");
        }
    }
}

/// Where each message of a printed session ends, found by counting the braces that are in no string.
fn ends(json: &str) -> Vec<usize> {
    let start = json.find("\"messages\": [").unwrap();
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    let mut ends = Vec::new();
    for (at, byte) in json.bytes().enumerate().skip(start + "\"messages\": [".len()) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    ends.push(at + 1);
                } else if depth < 0 {
                    break;
                }
            }
            _ => {}
        }
    }
    ends
}
