//! Memory files as programs and people write them, and files that nobody would.

use super::*;
use proptest::prelude::*;

/// One line for each entry: where, when, how important, below what, and what it says.
fn show(text: &str) -> String {
    let line = |entry: &Memory| {
        let day = entry.day.map_or("-".to_owned(), |day| day.to_string());
        let importance = entry.importance.map_or("-".to_owned(), |importance| importance.to_string());
        format!("{} {day} {importance} {} | {:?}\n", entry.line, entry.trail.join(" > "), entry.text)
    };
    split(text).iter().map(line).collect()
}

fn texts(text: &str) -> Vec<String> {
    split(text).into_iter().map(|entry| entry.text).collect()
}

#[test]
fn dated_bullets() {
    let text = "# Memory\n\n## 2026-02-01\n- likes tea (added at  2026-02-01T10:00:00Z)\n- uses vim (added at 2026-02-03T23:30:00-05:00)\n\n\
                ## 1970-01-02 (Friday)\n### Work\n- old\n- 2026-02-01: dated\n- [2026-02-01] bracketed\n- **2026-02-01**: bold\n\
                - **2026-02-01:** bold too\n- [2026-02-01 10:30] with a time\n- said so [from: a talk, 2026-06-12]\n\
                ## Plans 2026-02-02\n- ship\n## Other\n- 2026-02-30: no such day\n- [2026-02-01](http://x) link\n- 2026-02-01-draft.md is a file\n";
    insta::assert_snapshot!(show(text), @r#"
    4 20485 -  | "likes tea"
    5 20488 -  | "uses vim"
    9 1 - Work | "old"
    10 20485 - Work | "dated"
    11 20485 - Work | "bracketed"
    12 20485 - Work | "bold"
    13 20485 - Work | "bold too"
    14 20485 - Work | "[2026-02-01 10:30] with a time"
    15 20616 - Work | "said so [from: a talk, 2026-06-12]"
    17 20486 - Plans 2026-02-02 | "ship"
    19 - - Other | "2026-02-30: no such day"
    20 - - Other | "[2026-02-01](http://x) link"
    21 - - Other | "2026-02-01-draft.md is a file"
    "#);
}

#[test]
fn importance() {
    let text = "- a (importance: 0.8)\n- [importance: high] b\n- c [Importance: medium] d\n- e [importance: low]\n- [important] f\n\
                - [pinned] g [important]\n- h, importance: 8/10\n- i (importance: 80%)\n- j (importance: 8)\n- k (importance: -1)\n\
                - l [importance: dunno]\n- m `[pinned]` n\n- [pinned](x) o\n- the importance: high availability\n\
                - p (importance: NaN)\n- p (importance: 1/0)\n- [pinned]\n- unimportance: 1\n- q\n  (importance: 0.3)\n  - r [pinned]\n";
    insta::assert_snapshot!(show(text), @r#"
    1 - 0.8  | "a"
    2 - 0.9  | "b"
    3 - 0.5  | "c d"
    4 - 0.1  | "e"
    5 - 0.9  | "f"
    6 - 1  | "g"
    7 - 0.8  | "h"
    8 - 0.8  | "i"
    9 - -  | "j (importance: 8)"
    10 - -  | "k (importance: -1)"
    11 - -  | "l [importance: dunno]"
    12 - -  | "m `[pinned]` n"
    13 - -  | "[pinned](x) o"
    14 - -  | "the importance: high availability"
    15 - -  | "p (importance: NaN)"
    16 - -  | "p (importance: 1/0)"
    18 - -  | "unimportance: 1"
    19 - 1  | "q\n- r"
    "#);
}

#[test]
fn headings_lists_paragraphs() {
    let text = "---\nname: x\n---\nbefore\n\n# Notes #\nTwo\nlines.\n\nNext.\n## List\n- a\n  - nested\n\n  still a\nlazy\n- b\n* c\n+ d\n\nafter\n\
                1. one\n2. two\n   more\n\n3) three\n#### Deep\n    code\n\n> quote\n> goes on\n\n| t | u |\n|---|---|\n| 1 | 2 |\n# Top\n#hash\n\
                in 1999 and\n2000. no list\n***\nend\n";
    insta::assert_snapshot!(show(text), @r##"
    4 - -  | "before"
    7 - - Notes | "Two\nlines."
    10 - - Notes | "Next."
    12 - - Notes > List | "a\n- nested\n\nstill a\nlazy"
    17 - - Notes > List | "b"
    18 - - Notes > List | "c"
    19 - - Notes > List | "d"
    21 - - Notes > List | "after"
    22 - - Notes > List | "1. one"
    23 - - Notes > List | "2. two\n   more"
    26 - - Notes > List | "3) three"
    28 - - Notes > List > Deep | "code"
    30 - - Notes > List > Deep | "> quote\n> goes on"
    33 - - Notes > List > Deep | "| t | u |\n|---|---|\n| 1 | 2 |"
    37 - - Top | "#hash\nin 1999 and\n2000. no list"
    41 - - Top | "end"
    "##);
}

#[test]
fn underlined_headings() {
    let text =
        "Title\n=====\n\nPart\n----\n- a\n\n2026-02-01\n---\n- b\n\nlines\ntwo\n---\nc\n\nreal\n---\n### Sub\nd\n";
    insta::assert_snapshot!(show(text), @r#"
    6 - - Title > Part | "a"
    10 20485 - Title | "b"
    12 20485 - Title | "lines\ntwo"
    15 20485 - Title | "c"
    20 - - Title > real > Sub | "d"
    "#);
    let daily = "# Daily Note - 2026-02-01\n## 10:00:00 UTC\nmet Bo\n---\n## 11:00:00 UTC\nleft\n---\n";
    insta::assert_snapshot!(show(daily), @r#"
    3 20485 - Daily Note - 2026-02-01 > 10:00:00 UTC | "met Bo"
    6 20485 - Daily Note - 2026-02-01 > 11:00:00 UTC | "left"
    "#);
}

#[test]
fn fences_and_comments() {
    let text = "Run it so:\n\n```sh\n# no heading\n\n- no item (added at 2026-01-01)\n<!-- kept -->\n```\n- item\n  ~~~\n  code\n    in\n  ~~~\n  more\n\
                - next\n```\nsloppy\n```\n<!-- gone -->\n<!--\n# gone\n- gone\n-->kept\n\ntext <!-- gone --> text `<!-- kept -->`\n\
                stray <!-- kept\n\n- <!-- gone --> bullet\n- ```\n  only code\n  ```\n- half\n  ```\n  open\nend\n";
    insta::assert_snapshot!(show(text), @r#"
    1 - -  | "Run it so:\n\n```sh\n# no heading\n\n- no item (added at 2026-01-01)\n<!-- kept -->\n```"
    9 - -  | "item\n~~~\ncode\n  in\n~~~\nmore"
    15 - -  | "next\n```\nsloppy\n```\nkept"
    25 - -  | "text  text `<!-- kept -->`\nstray <!-- kept"
    28 - -  | "bullet"
    29 - -  | "```\nonly code\n```"
    32 - -  | "half\n```\nopen\nend"
    "#);
}

#[test]
fn the_title_of_the_file_says_nothing() {
    assert_eq!(show("# Memory\n- a\n"), "2 - -  | \"a\"\n");
    assert_eq!(show("# Memory\n- a\n# More\n- b\n"), "2 - - Memory | \"a\"\n4 - - More | \"b\"\n");
    assert_eq!(show("# Tea\n- a\n"), "2 - - Tea | \"a\"\n");
    assert_eq!(show("## A\n- a\n# Memory\n- b\n"), "2 - - A | \"a\"\n4 - - Memory | \"b\"\n");
    assert_eq!(show("MEMORY\n===\n## A\n- a\n"), "4 - - A | \"a\"\n");
}

/// The original took the first 20 lines: headings, empty lines and the oldest days.
#[test]
fn defect_8_entries_are_counted_not_lines() {
    let days: String = (1..=28).map(|day| format!("## 2026-01-{day:02}\n\n- note {day}\n\n")).collect();
    let all = split(&format!("# Memory\n\n{days}"));
    assert_eq!(all.len(), 28);
    assert!(all.iter().all(|entry| entry.text.starts_with("note ") && entry.trail.is_empty()));
    assert!(all.is_sorted_by_key(|entry| entry.day));
}

/// The original wrote two spaces before its timestamps and could not read them back.
#[test]
fn defect_9_timestamps_are_read_back() {
    for space in ["", " ", "  ", "\t", "    "] {
        for time in
            ["2026-02-01T10:00:00Z", "2026-02-01T10:00:00.123456789+00:00", "2026-02-01T23:59:60+02:00", "2026-02-01"]
        {
            let entries = split(&format!("- text (added at {space}{time})\n"));
            assert_eq!(entries.len(), 1);
            assert_eq!((entries[0].text.as_str(), entries[0].day), ("text", Some(20485)), "{space:?} {time}");
        }
    }
    for bad in ["2026-02-01T25:00:00Z", "yesterday", "2026-13-01", "", "2026-02-01T10:00:00+99:00"] {
        let entries = split(&format!("- text (added at {bad})\n"));
        assert_eq!((entries[0].text.clone(), entries[0].day), (format!("text (added at {bad})"), None));
    }
}

/// The original cut at a byte and panicked inside of a character.
#[test]
fn defect_10_any_character_anywhere() {
    for sign in ["ä", "漢", "🦀", "e\u{301}", "\u{0}", "x\u{2028}", "x\u{85}"] {
        for length in 1..200 {
            let word = sign.repeat(length);
            let all = split(&format!(
                "# {word}\n- {word} (importance: 0.5) {word}\n- {word} importance: 1/2\n\n[{word}]({word})\n"
            ));
            assert_eq!(all.len(), 3, "{word}");
        }
    }
}

#[test]
fn days_of_the_calendar() {
    let day = |text: &str| split(&format!("- {text}: x")).first().and_then(|entry| entry.day);
    assert_eq!(day("1970-01-01"), Some(0));
    assert_eq!(day("1969-12-31"), Some(-1));
    assert_eq!(day("2000-02-29"), Some(11016));
    assert_eq!(day("1900-02-29"), None);
    assert_eq!(day("2026-11-16"), Some(20773));
    assert_eq!(day("9999-12-31"), Some(2_932_896));
    assert_eq!(day("0001-01-01"), Some(-719_162));
}

#[rustfmt::skip]
const NOTHING: &[&str] = &[
    "", "\n\n", "# A\n## B\n", "---\n---\n", "---\na: b\n---\n", "<!-- a -->", "-\n-\n", "- \n", "***\n", "\u{feff}",
];

#[test]
fn ends_of_lines_marks_and_tabs() {
    let plain = "# A\n\n- one\n\t- two\n\n\tmore\n-\tthree\n\npara\nmore\n";
    let expected = show(plain);
    assert_eq!(show(&plain.replace('\n', "\r\n")), expected);
    assert_eq!(show(&plain.replace('\n', "\r")), expected);
    assert_eq!(show(&format!("\u{feff}{plain}")), expected);
    insta::assert_snapshot!(expected, @r#"
    3 - - A | "one\n\t- two\n\n\tmore"
    7 - - A | "three"
    9 - - A | "para\nmore"
    "#);
    for nothing in NOTHING {
        assert_eq!(split(nothing), [], "{nothing:?}");
    }
    assert_eq!(texts("---\n\ntext\n\n---\n"), ["text"]);
    assert_eq!(texts("---\nnever closed"), ["never closed"]);
    assert_eq!(texts("<!-- never closed\n- a"), ["<!-- never closed", "a"]);
}

#[rustfmt::skip]
const HOSTILE: &[&str] = &[
    "[", "(", "`", "<!--", "-->", "<!-- -->", "<", "*", "[important]", "(added at ", "#", " ", "\t", "`<!--", "> ",
    "importance: ",
];

/// Each of these would take minutes if anything were quadratic.
#[test]
fn large_and_hostile() {
    const MANY: usize = 100_000;
    let mega = 1 << 20;
    assert_eq!(split(&"- item\n".repeat(MANY)).len(), MANY);
    assert_eq!(split(&"# h\n- item\n".repeat(MANY)).len(), MANY);
    assert_eq!(split(&format!("# {}\n{}", "h".repeat(mega), "- item\n".repeat(MANY))).len(), MANY);
    assert_eq!(split(&"a".repeat(mega)).len(), 1);
    let deep: String = (0..2000).map(|depth| format!("{}- x\n", "  ".repeat(depth))).collect();
    assert_eq!(split(&deep).len(), 1);
    for piece in HOSTILE {
        for front in ["", "- ", "------", "text "] {
            split(&format!("{front}{}", piece.repeat(mega / 8 / piece.len())));
            split(&format!("{front}{}\n-->", format!("{piece}\n").repeat(MANY / 8)));
        }
    }
    split(&format!("{}{}", "-".repeat(mega / 2), "<!--".repeat(MANY)));
}

/// What a generated block adds to a file: its lines, with `@` where a word goes, and which words belong to entries.
const BLOCKS: &[(&str, bool)] = &[
    ("# @\n\n", false),
    ("### @ ###\n", false),
    ("<!-- @\n\n- @ -->\n", false),
    ("\n***\n", false),
    ("\n", false),
    ("- @\n", true),
    ("* [pinned] @ (added at 2026-02-01T10:00:00Z)\n", true),
    ("- @\n  - @\n\n  @\n", true),
    ("-\t@\n\t@\n", true),
    ("- @\n@\n", true),
    ("1. @\n2. @\n", true),
    ("7) @\n", true),
    ("\n@ @\n@\n\n", true),
    ("\n    @\n\n", true),
    ("\n```@\n# @\n\n- @\n<!-- @ -->\n```\n", true),
    ("- @\n  ~~~~\n  @\n  ~~~\n  ~~~~\n", true),
    ("> @\n", true),
    ("| @ | @ |\n", true),
    ("\n2026-02-01: @\n\n", true),
    ("- @, importance: 7/10\n", true),
    ("`<!-- @ -->`\n", true),
];

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.starts_with('w'))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(1000)))]

    #[test]
    fn nothing_is_lost_and_nothing_said_twice(picks in prop::collection::vec(0..BLOCKS.len(), 0..30), end in 0..3usize) {
        let mut text = String::new();
        let mut expected = Vec::new();
        let mut count = 0;
        for pick in picks {
            let (block, is_kept) = BLOCKS[pick];
            for c in block.chars() {
                if c == '@' {
                    count += 1;
                    text.push_str(&format!("w{count}"));
                    if is_kept {
                        expected.push(format!("w{count}"));
                    }
                } else {
                    text.push(c);
                }
            }
        }
        let text = text.replace('\n', ["\n", "\r\n", "\r"][end]);
        let entries = split(&text);
        let found: Vec<&str> = entries.iter().flat_map(|entry| words(&entry.text)).collect();
        prop_assert_eq!(found, expected, "{}", text);
        prop_assert!(entries.iter().all(|entry| !entry.text.trim().is_empty()));
        prop_assert!(entries.is_sorted_by(|a, b| a.line < b.line));
    }

    #[test]
    fn nothing_is_invented(text in r"(w[0-9] |[-#*+=`~<!>\[\](): \t\n\r0-9.TZ]|<!--|-->|2026-02-01|added at|pinned|ä|\u{feff}){0,80}") {
        let entries = split(&text);
        // Every word of an entry stands in the file, in this order.
        let mut all = words(&text);
        for entry in &entries {
            for word in words(&entry.text) {
                prop_assert!(all.any(|other| other == word), "{word} in {text:?}");
            }
            prop_assert!(entry.importance.is_none_or(|importance| (0.0..=1.0).contains(&importance)));
            prop_assert!(!entry.text.trim().is_empty() && entry.line >= 1);
        }
    }
}
