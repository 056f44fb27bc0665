//! Files that are deep, broken, circular, or nothing at all.

use super::random::chain;
use super::shapes::{CHATGPT, NOTE, PI, PYLOOM};
use super::{again, fails, import, listing, options, parents};
use contexture_conversations::loom::formats::{TreeFormat, export, import_bytes, import_path};
use proptest::prelude::*;
use std::fmt::Write;

#[test]
fn what_is_no_tree_says_which_are() {
    insta::assert_snapshot!(fails("hello"), @"
    not a tree of a known format
    known are: contexture, pyloom, loomsidian, loom-engine, pi, chatgpt
    ");
    for text in ["", "{}", "[]", "null", "[1, 2]", "{\"a\": 1}\n{\"b\": 2}\n", "\u{7f}ELF", "{\"root\": 1}"] {
        assert!(fails(text).starts_with("not a tree"), "{text}: {}", fails(text));
    }
    insta::assert_snapshot!(fails("{\n\"root\": {\"text\": \"x\",\n\"children\": [{]}}"), @"
    line 3: broken: this is no JSON
    mend that place, or export the tree again
    ");
    for text in ["[".repeat(100_000), "{\"root\":".repeat(100_000), "{\"children\":[".repeat(100_000)] {
        assert!(fails(&text).contains("ends too early"), "{}", fails(&text));
    }
    let deep = format!("{}1{}", "{\"root\":".repeat(100_000), "}".repeat(100_000));
    assert_eq!(import(deep).bundles[0].nodes.len(), 1);
    let deep = format!("{{\"text\": {}{}, \"id\": 1}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(import(deep).bundles[0].nodes.len(), 1);
}

#[test]
fn only_regular_files_are_read() {
    let root = tempfile::tempdir().unwrap();
    assert!(import_path(&root.path().join("none"), &options()).is_err());
    #[cfg(unix)]
    assert!(import_path(std::path::Path::new("/dev/zero"), &options()).unwrap_err().to_string().contains("regular"));
    let path = root.path().join("x.txt");
    std::fs::write(&path, NOTE).unwrap();
    let imported = import_path(&path, &options()).unwrap();
    assert_eq!(imported.notes[0].path.as_deref(), path.to_str());
}

/// A hundred thousand nodes in one chain; the texts are short because tests are built without optimisation.
#[test]
fn any_depth() {
    let count = 100_000;
    let lines = |line: &dyn Fn(usize) -> String, between: &str| (0..count).map(line).collect::<Vec<_>>().join(between);
    let parent = |number: usize| number.checked_sub(1).map_or("null".into(), |parent| format!("\"n{parent}\""));
    let nested = format!("{}{}", "{\"text\":\"x\",\"children\":[".repeat(count), "]}".repeat(count));
    let note = lines(&|number| format!("\"n{number}\":{{\"text\":\"x\",\"parentId\":{}}}", parent(number)), ",");
    let mapping = lines(&|number| format!("\"n{number}\":{{\"parent\":{}}}", parent(number)), ",");
    let entry = |number: usize| {
        let parent = parent(number);
        format!(
            "{{\"type\":\"message\",\"id\":\"n{number}\",\"parentId\":{parent},\"message\":{{\"role\":\"user\",\"content\":\"x\"}}}}"
        )
    };
    for text in [
        format!("{{\"root\":{nested}}}"),
        format!("{{\"current\":\"n0\",\"nodes\":{{{note}}}}}"),
        format!("[{{\"title\":\"x\",\"mapping\":{{{mapping}}}}}]"),
        lines(&entry, "\n"),
    ] {
        let imported = import(text);
        assert_eq!(imported.bundles[0].nodes.len(), count, "{}", imported.format);
        assert_eq!(parents(&imported.bundles[0])[count - 1], Some(count - 2), "{}", imported.format);
    }
    // The one format with nodes within nodes is written to that depth as well; the others are lists.
    let exported = export(&chain(count), TreeFormat::Pyloom);
    assert_eq!(exported.files[0].1.matches("\"children\"").count(), count);
    for &format in TreeFormat::ALL {
        assert_eq!(parents(&again(&chain(500), format).1.bundles[0])[499], Some(498), "{format}");
    }
}

/// The same chain with children before parents, and chains that end in nothing or in themselves.
#[test]
fn long_ways_backwards_astray_and_in_circles() {
    let count = 20_000;
    for last in ["null", "\"gone\"", "\"n0\""] {
        let mut text = String::from("{\"current\": \"n0\", \"nodes\": {");
        for number in 0..count {
            let parent = if number + 1 == count { last.into() } else { format!("\"n{}\"", number + 1) };
            let comma = if number > 0 { "," } else { "" };
            write!(text, "{comma}\"n{number}\": {{\"text\": \"x\", \"parentId\": {parent}}}").unwrap();
        }
        let imported = import(text + "}}");
        assert_eq!(imported.bundles[0].nodes.len(), count);
        parents(&imported.bundles[0]);
        assert_eq!(imported.notes.len(), if last == "null" { 1 } else { 2 });
    }
    // All the same id, all the same missing parent, all their own parents.
    for (id, parent) in [("x", "null"), ("x", "\"gone\""), ("n", "\"gone\""), ("n", "self")] {
        let mut text = String::from("{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n");
        for number in 0..10_000 {
            let id = if id == "n" { format!("n{number}") } else { id.into() };
            let parent = if parent == "self" { format!("\"{id}\"") } else { parent.into() };
            writeln!(text, "{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":{parent},\"message\":{{\"role\":\"user\",\"content\":\"x\"}}}}").unwrap();
        }
        let imported = import(text);
        let nodes = imported.bundles[0].nodes.len();
        assert!(nodes == 10_000 || nodes == 10_001, "{nodes}");
        assert!(!imported.notes.is_empty());
        parents(&imported.bundles[0]);
    }
}

#[test]
fn orphans_circles_and_doubles_are_told() {
    let note = |nodes: &str| listing(&import(format!("{{\"current\": \"a\", \"nodes\": {{{nodes}}}}}")));
    let node = |id: &str, parent: &str| format!("\"{id}\": {{\"text\": \"{id}\", \"parentId\": {parent}}}");
    insta::assert_snapshot!(note(&node("a", "\"a\"")), @r#"
    loomsidian
    "story" buffer now
    a human (human) user now "a" [active]
    note: loomsidian does not say who wrote a text: all are taken for a person's
    note: circles of nodes: 1: kept, and attached to the root
    "#);
    insta::assert_snapshot!(note(&[node("a", "\"b\""), node("b", "\"a\""), node("c", "null")].join(",")), @r#"
    loomsidian
    "story" buffer now
    c human (human) user now "c"
      a human (human) user now "a" [active]
        b human (human) user now "b"
    note: loomsidian does not say who wrote a text: all are taken for a person's
    note: circles of nodes: 1: kept, and attached to the root
    "#);
    insta::assert_snapshot!(note(&[node("a", "null"), node("a", "\"a\""), node("b", "\"gone\"")].join(",")), @r#"
    loomsidian
    "story" buffer now
    a human (human) user now "a" [active]
      a human (human) user now "a"
      b human (human) user now "b"
    note: loomsidian does not say who wrote a text: all are taken for a person's
    note: nodes with the id of another: 1: kept as nodes of their own
    note: nodes whose parent is missing: 1: kept, and attached to the root
    "#);
    insta::assert_snapshot!(note(&[node("a", "\"gone\""), "\"b\": 3".into()].join(",")), @r#"
    loomsidian
    "story" buffer now
    a human (human) user now "a" [active]
    skipped 1: a node cannot be read
    note: loomsidian does not say who wrote a text: all are taken for a person's
    note: nodes whose parent is missing: 1: kept, and attached to the root
    note: a node cannot be read: line 1
    "#);
    insta::assert_snapshot!(note(""), @r#"
    loomsidian
    "story" buffer now
    note: loomsidian does not say who wrote a text: all are taken for a person's
    "#);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_taken_calmly(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = import_bytes(&bytes, &options());
    }

    #[test]
    fn any_json_is_taken_calmly(text in json(), pick in 0..8usize) {
        let wrapped = [
            text.clone(),
            format!("{{\"root\": {text}}}"),
            format!("{{\"nodes\": {text}, \"current\": {text}}}"),
            format!("{{\"settings\": 1, \"state\": {{\"a\": {text}}}}}"),
            format!("[{{\"mapping\": {text}, \"title\": {text}}}]"),
            format!("{{\"contexture_loom\": 1, \"tree\": {text}, \"nodes\": [{text}]}}"),
            format!("{{\"type\":\"session\",\"id\":\"x\",\"version\":3}}\n{{\"type\":\"message\",\"message\":{text}}}"),
            format!("[{text}, {text}]"),
        ];
        if let Ok(imported) = import_bytes(wrapped[pick].as_bytes(), &options())
            && imported.format != "contexture"
        {
            imported.bundles.iter().for_each(|bundle| drop(parents(bundle)));
        }
    }

    #[test]
    fn spoilt_files_are_taken_calmly(
        pick in 0..5usize,
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..4u8, any::<u8>(), 0..40usize), 1..6),
    ) {
        let ours = export(&super::random::small(), TreeFormat::Contexture).files.remove(0).1;
        let mut bytes = [PYLOOM, NOTE, PI, CHATGPT, &ours][pick].as_bytes().to_vec();
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
        if let Ok(imported) = import_bytes(&bytes, &options())
            && imported.format != "contexture"
        {
            imported.bundles.iter().for_each(|bundle| drop(parents(bundle)));
        }
    }
}

/// JSON with the keys that readers look for.
fn json() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "id",
        "text",
        "children",
        "root",
        "tags",
        "meta",
        "source",
        "parentId",
        "parent",
        "message",
        "author",
        "role",
        "content",
        "parts",
        "mode",
        "title",
        "author_type",
        "created",
        "type",
        "sources",
        "content_type",
    ]);
    let word = prop::sample::select(vec!["a", "b", "user", "assistant", "AI", "text", "human", "dialogue"]);
    let leaf = prop_oneof![
        Just("null".to_string()),
        any::<bool>().prop_map(|flag| flag.to_string()),
        any::<f32>().prop_filter_map("finite", |number| number.is_finite().then(|| format!("{number:?}"))),
        word.prop_map(|word| format!("\"{word}\"")),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        let member = (key.clone(), inner.clone()).prop_map(|(key, value)| format!("\"{key}\": {value}"));
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(|list| format!("[{}]", list.join(","))),
            prop::collection::vec(member, 0..6).prop_map(|list| format!("{{{}}}", list.join(","))),
        ]
    })
}
