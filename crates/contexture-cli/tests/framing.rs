//! Framing with real files: hostile names and contents go through the program, and a reader that knows only CommonMark gets
//! every path and every byte back.
#![allow(clippy::unwrap_used)]

use contexture_testkit::{Recovered, TestEnv, recover};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn name() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b.rs", "`", "``", "\n", "\r", " ", "\"", "\\", "<b>", "#", "*", "é", "\u{202e}", "\u{7f}", "-",
        "## Files", "'",
    ]);
    prop::collection::vec(piece, 1..5)
        .prop_map(|parts| parts.concat())
        .prop_filter("a name of its own", |name| !matches!(name.as_str(), "." | "..") && !name.starts_with('-'))
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "```",
        "`````",
        "~~~",
        "~~~~",
        "\n",
        "\r\n",
        "\r",
        "## Files\n\n",
        "### `a`\n\n",
        "```text\n",
        "    ",
        "x",
        "// y",
        "---\n",
        "\u{feff}",
        "漢",
        "</file>",
        "<!-- ",
        "no-final-newline",
        " ",
    ]);
    prop::collection::vec(piece, 0..12)
        .prop_map(|parts| parts.concat())
        .prop_filter("no mark at the start", |text| !text.starts_with('\u{feff}'))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(contexture_testkit::cases(40)))]
    #[test]
    fn every_path_and_byte_comes_back(files in prop::collection::btree_map(name(), text(), 1..10)) {
        let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
        for (name, text) in &files {
            std::fs::write(env.root().join(name), text).unwrap();
        }
        let ran = env.command(&["build", "-o", "-", "--quiet", "--no-cache", "--tree", "full"]).output().unwrap();
        let document = String::from_utf8(ran.stdout).unwrap();
        let back: BTreeMap<String, String> =
            recover(&document).into_iter().map(|Recovered { path, text, .. }| (path, text.unwrap_or_default())).collect();
        prop_assert_eq!(&back, &files, "{}", document);

        // A document of our documents: every one of them comes back whole.
        let outer = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
        outer.write("inner.md", &document);
        let again = recover(&outer.run(&["build", "-o", "-", "--quiet", "--no-cache"]).stdout);
        prop_assert_eq!(again.len(), 1);
        prop_assert_eq!(again[0].text.as_deref(), Some(document.as_str()));
    }
}

#[cfg(unix)]
#[test]
fn a_name_that_is_no_utf8_comes_back() {
    use std::os::unix::ffi::OsStrExt;
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    std::fs::write(env.root().join(std::ffi::OsStr::from_bytes(b"a\xff\xfe.txt")), "text\n").unwrap();
    let document = env.run(&["build", "-o", "-", "--quiet"]).stdout;
    assert!(document.contains(r#"### `"a\udcff\udcfe.txt"`"#), "{document}");
    assert_eq!(recover(&document)[0].path, "a\u{10ffff}\u{10fffe}.txt");
}

/// The same by a CommonMark parser that nobody here wrote. It turns every line end into `\n`, so files have only those.
#[test]
fn a_foreign_parser_sees_the_same_files() {
    use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};
    let files = [
        ("a b.md", "# Title\n\n```rust\nfn x() {}\n```\n\n~~~\n````\n~~~\n"),
        ("back`tick.txt", "## Files\n\n### `other`\n\n<!-- open\n"),
        ("deep.txt", "> quote\n\n- list\n\n      code\n\n\t\ttabs\n[ref]: x\n---\n===\n"),
        ("empty.txt", ""),
        ("fences.txt", "`````````\n~~~~~~~~~\n``` ```\n"),
    ];
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    for (name, text) in files {
        env.write(name, text);
    }
    let document = env.run(&["build", "-o", "-", "--quiet"]).stdout;
    let (mut seen, mut heading, mut block): (Vec<(String, String)>, bool, bool) = (Vec::new(), false, false);
    for event in Parser::new(&document) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => heading = level == HeadingLevel::H3,
            Event::End(TagEnd::Heading(_)) => heading = false,
            Event::Code(path) if heading => seen.push((path.to_string(), String::new())),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => block = true,
            Event::End(TagEnd::CodeBlock) => block = false,
            Event::Text(text) if block => seen.last_mut().unwrap().1.push_str(&text),
            _ => {}
        }
    }
    let expected: Vec<(String, String)> = files
        .iter()
        .map(|(name, text)| (contexture_core::render::printable(name).into_owned(), (*text).to_owned()))
        .collect();
    assert_eq!(seen, expected);
}
