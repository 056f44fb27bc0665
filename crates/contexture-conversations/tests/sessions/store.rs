//! Appending: what is kept, what is made, what is set aside; from many threads at once.

use super::{listing, messages, spoken};
use contexture_conversations::sessions::{append, read_file};
use contexture_core::{Call, Message, Role};
use std::fs;
use std::path::Path;

const NOW: &str = "2026-02-02T10:00:00Z";

fn user(text: &str) -> contexture_conversations::sessions::Spoken {
    spoken(Message::new(Role::User, text), None)
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_new_file_is_made_for_its_owner_alone() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("sessions/cli_1.json");
    let calls = vec![Call { id: "x".into(), name: "ls".into(), arguments: "{}".into() }];
    let all = [
        user("hi"),
        spoken(Message::calling("let me look", calls), Some("2026-02-02T09:59:59Z")),
        spoken(Message::result("x", "a\nb"), None),
    ];
    let done = append(&path, &all, NOW).unwrap();
    assert!(done.created && done.messages == 3 && done.set_aside.is_none() && done.notes.is_empty());
    insta::assert_snapshot!(fs::read_to_string(&path).unwrap(), @r#"
    {
      "session_id": "cli_1",
      "channel": "cli",
      "chat_id": "1",
      "created_at": "2026-02-02T10:00:00Z",
      "last_accessed": "2026-02-02T10:00:00Z",
      "messages": [
        {"role":"user","content":"hi","timestamp":"2026-02-02T10:00:00Z"},
        {"role":"assistant","content":"let me look","timestamp":"2026-02-02T09:59:59Z","tool_calls":[{"id":"x","name":"ls","arguments":"{}"}]},
        {"role":"tool_result","content":"a\nb","timestamp":"2026-02-02T10:00:00Z","tool_call_id":"x"}
      ]
    }
    "#);
    assert_eq!(done.bytes, fs::metadata(&path).unwrap().len());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    }
    assert_eq!(names(path.parent().unwrap()), [".cli_1.json.lock", "cli_1.json"]);
}

#[test]
fn unknown_fields_and_their_order_stay_to_the_letter() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("a_b.json");
    let old = "{\"z\": 1.50, \"last_accessed\":\"then\", \"messages\" : [\n  {\"role\":\"user\", \"x\": 1e400, \"content\":\"one\"}\n  ], \"a\": {\"b\":[ ]}}";
    fs::write(&path, old).unwrap();
    let done = append(&path, &[user("two"), user("three")], NOW).unwrap();
    assert!(!done.created && done.set_aside.is_none() && done.messages == 3);
    insta::assert_snapshot!(fs::read_to_string(&path).unwrap(), @r#"
    {"z": 1.50, "last_accessed":"2026-02-02T10:00:00Z", "messages" : [
      {"role":"user", "x": 1e400, "content":"one"},
      {"role":"user","content":"two","timestamp":"2026-02-02T10:00:00Z"},
      {"role":"user","content":"three","timestamp":"2026-02-02T10:00:00Z"}
      ], "a": {"b":[ ]}}
    "#);
}

#[test]
fn files_of_other_shapes_are_added_to_in_theirs() {
    let mut all = String::new();
    for old in [
        "",
        "{}",
        "{\"channel\": \"a\", \"messages\": null}",
        "{\"messages\":[]}",
        "[{\"role\":\"user\",\"content\":\"one\"}]",
    ] {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a_b.json");
        fs::write(&path, old).unwrap();
        let done = append(&path, &[user("two")], NOW).unwrap();
        assert_eq!(done.set_aside, None);
        all += &format!("--- {old}\n{}\n", fs::read_to_string(&path).unwrap());
        assert_eq!(messages(&read_file(&path).unwrap().unwrap()).last().unwrap().text().to_string(), "two");
    }
    insta::assert_snapshot!(all, @r#"
    --- 
    {
      "session_id": "a_b",
      "channel": "a",
      "chat_id": "b",
      "created_at": "2026-02-02T10:00:00Z",
      "last_accessed": "2026-02-02T10:00:00Z",
      "messages": [
        {"role":"user","content":"two","timestamp":"2026-02-02T10:00:00Z"}
      ]
    }

    --- {}
    {
      "session_id": "a_b",
      "channel": "a",
      "chat_id": "b",
      "created_at": "2026-02-02T10:00:00Z",
      "last_accessed": "2026-02-02T10:00:00Z",
      "messages": [
        {"role":"user","content":"two","timestamp":"2026-02-02T10:00:00Z"}
      ]
    }

    --- {"channel": "a", "messages": null}
    {
      "channel": "a",
      "messages": [
        {"role":"user","content":"two","timestamp":"2026-02-02T10:00:00Z"}
      ]
    }

    --- {"messages":[]}
    {"messages":[
        {"role":"user","content":"two","timestamp":"2026-02-02T10:00:00Z"}
      ]}
    --- [{"role":"user","content":"one"}]
    [{"role":"user","content":"one"},
        {"role":"user","content":"two","timestamp":"2026-02-02T10:00:00Z"}]
    "#);
}

#[test]
fn a_damaged_file_is_set_aside_first_and_never_over_another() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("a_b.json");
    let old = "{\"channel\": \"a\", \"kept\": [1],\n\"messages\": [\n  {\"role\": \"user\", \"content\": \"one\"},\n  {\"role\": \"user\", \"content\": \"two\"},\n  {\"role\": \"user\", \"cont";
    fs::write(&path, old).unwrap();
    fs::write(root.path().join("a_b.json.damaged-1"), "older").unwrap();
    let done = append(&path, &[user("three")], NOW).unwrap();
    assert_eq!(done.messages, 3);
    assert_eq!(done.set_aside.unwrap().file_name().unwrap(), "a_b.json.damaged-2");
    assert_eq!(fs::read_to_string(root.path().join("a_b.json.damaged-2")).unwrap(), old);
    assert_eq!(fs::read_to_string(root.path().join("a_b.json.damaged-1")).unwrap(), "older");
    insta::assert_snapshot!(done.notes[0].text.replace(&*root.path().to_string_lossy(), "ROOT"), @"session was damaged: 2 messages could be read, all bytes are in `ROOT/a_b.json.damaged-2`");
    insta::assert_snapshot!(fs::read_to_string(&path).unwrap(), @r#"
    {
      "channel": "a",
      "kept": [1],
      "messages": [
        {"role": "user", "content": "one"},
        {"role": "user", "content": "two"},
        {"role":"user","content":"three","timestamp":"2026-02-02T10:00:00Z"}
      ]
    }
    "#);
    // Now it is whole again.
    let done = append(&path, &[user("four")], NOW).unwrap();
    assert!(done.set_aside.is_none() && done.messages == 4);
    // What is no session at all is not lost either.
    fs::write(&path, [0xFF, 0, 1, 2]).unwrap();
    assert!(append(&path, &[user("five")], NOW).unwrap().set_aside.unwrap().ends_with("a_b.json.damaged-3"));
    assert_eq!(fs::read(root.path().join("a_b.json.damaged-3")).unwrap(), [0xFF, 0, 1, 2]);
}

#[test]
fn a_messages_member_that_is_no_list_is_not_dropped() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("a_b.json");
    fs::write(&path, "{\"messages\": {\"0\": \"hi\"}}").unwrap();
    let done = append(&path, &[user("x")], NOW).unwrap();
    assert_eq!(fs::read_to_string(done.set_aside.unwrap()).unwrap(), "{\"messages\": {\"0\": \"hi\"}}");
}

#[test]
fn a_folder_or_a_protected_place_is_a_clear_error() {
    let root = tempfile::tempdir().unwrap();
    let error = append(root.path(), &[user("x")], NOW).unwrap_err();
    assert!(error.to_string().starts_with("a folder is in the way: "), "{error}");
    fs::write(root.path().join("file"), "").unwrap();
    let error = append(&root.path().join("file/a_b.json"), &[user("x")], NOW).unwrap_err();
    assert!(error.to_string().contains("cannot make the folder"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_rights_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let root = tempfile::tempdir().unwrap();
    let real = root.path().join("real/a_b.json");
    append(&real, &[user("one")], NOW).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    let link = root.path().join("link.json");
    symlink(&real, &link).unwrap();
    append(&link, &[user("two")], NOW).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(read_file(&real).unwrap().unwrap().session.messages.len(), 2);
    // A lock that leads elsewhere is refused: a repository could bring one along.
    symlink("/dev/null", root.path().join("real/.c_d.json.lock")).unwrap();
    assert!(append(&root.path().join("real/c_d.json"), &[user("x")], NOW).is_err());
}

#[test]
fn many_threads_lose_nothing() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("sessions/a_b.json");
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let path = &path;
            scope.spawn(move || {
                for round in 0..10 {
                    append(path, &[user(&format!("{thread}.{round}")), user("-")], NOW).unwrap();
                }
            });
        }
    });
    let read = read_file(&path).unwrap().unwrap();
    assert!(read.notes.is_empty(), "{}", listing(&read));
    let texts: Vec<_> = messages(&read).iter().map(|message| message.text().to_string()).collect();
    assert_eq!(texts.len(), 160);
    for thread in 0..8 {
        let own: Vec<_> = texts.iter().filter(|text| text.starts_with(&format!("{thread}."))).collect();
        assert_eq!(
            own,
            (0..10).map(|round| format!("{thread}.{round}")).collect::<Vec<_>>().iter().collect::<Vec<_>>()
        );
    }
    // What was given together stays together.
    assert!(texts.chunks(2).all(|pair| pair[0] != "-" && pair[1] == "-"));
}

#[test]
fn a_file_of_something_else_is_not_touched() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("cli_1.json");
    for content in [
        "You are Ada.\n",
        "# Soul\n\nCalm.",
        "{\"type\":\"summary\",\"summary\":\"x\"}\n{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n",
        "[{\"title\":\"a\",\"mapping\":{}}]",
        "{\"name\":\"package\",\"version\":\"1\"}",
        "{\"messages\":[{\"text\":\"no role\"}]}",
    ] {
        fs::write(&path, content).unwrap();
        let error = append(&path, &[user("hi")], NOW).unwrap_err();
        assert_eq!(error.fault.to_string(), "not a session of ours: nothing was added", "{content}");
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
    // What a crash leaves of a session is set aside and replaced.
    for content in [
        &b"\0\0\0\0"[..],
        b"{\"session_id\":\"a_b\",\"messages\":[{\"role\":\"us",
        b"le\":\"user\",\"role\":\"user\"}]}",
    ] {
        fs::write(&path, content).unwrap();
        let done = append(&path, &[user("hi")], NOW).unwrap();
        assert_eq!(fs::read(done.set_aside.unwrap()).unwrap(), content);
    }
}
