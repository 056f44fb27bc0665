//! What holds for any text: no panic, the limits, one answer, no control characters, no secrets in the clear, and a cost
//! that grows with the text.

use super::super::*;
use super::whole;
use proptest::prelude::*;

const PATHS: &str = "a.rs a.py a.c a.js a.go a.lua a.md a.rst a.adoc a.txt a.toml a.yml a.json a.ini .env a.html a.xml a.css a.sql \
     a.csv a.jsonl a.ipynb Makefile Dockerfile a.po a.svg a.unknown";

/// Pieces that mean something to one reader or another; shuffled, they make half-formed files of every kind.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "{", "}", "[", "]", "\"", "'", "\"\"\"", ":", ": ", "=", ",", ";", "\n", "\n\n", "\r\n", "\t", "  ", "- ", "# ",
    "## ", "//! ", "/*", "*/", "<!--", "-->", "<h1>", "</h1>", "<a b='", ">", "<", "import ", "use ", "from ", "(", ")",
    "\\", "|", "====", "----", "CREATE TABLE ", "FROM ", "password", "key", "http://u:p@h", "\u{0}", "\u{1b}", "\u{85}",
    "\u{2028}", "ü", "漢字", "🙂", "word", "A sentence. ", "1", "null", "@media ", "--x:", "```", "---\n", "…", "{%", "%}",
    "{{", "}}", ".. ", "::", "msgid ", "Bearer ", "password = ", "=== ===", "<svg viewBox=",
];

fn count(text: &str) -> u64 {
    text.chars().count().div_ceil(3) as u64
}

fn check(path: &str, text: &str, whole: bool) {
    let source = SummarySource { path, text, size: text.len() as u64 * 2, whole, defines: &[] };
    let shown = summarize(&source, &count);
    let file = if whole { text.len() } else { text.len() * 2 };
    assert!(shown.len() <= file / 4, "{path}: a quarter");
    assert!(count(&shown) <= MAX_TOKENS, "{path}: tokens");
    assert!(!shown.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{path}: control character");
    assert_eq!(shown, summarize(&source, &count), "{path}: one answer");
}

proptest! {
    #[test]
    fn any_text(text in "(?s).{0,400}", whole: bool) {
        for path in PATHS.split(' ') {
            check(path, &text, whole);
        }
    }

    #[test]
    fn half_formed_files(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..200), whole: bool) {
        let text = pieces.concat();
        for path in PATHS.split(' ') {
            check(path, &text, whole);
        }
    }

    #[test]
    fn long_files(pieces in prop::collection::vec(prop::sample::select(PIECES), 1..30), path in prop::sample::select(PATHS.split(' ').collect::<Vec<_>>())) {
        check(path, &pieces.concat().repeat(300), true);
    }
}

#[test]
fn the_dearest_counter_gives_nothing() {
    let text = "# A heading\n\nSome words.\n\n".repeat(50);
    assert_eq!(summarize(&whole("a.md", &text), &|_| u64::MAX), "");
}

/// Each would take minutes if a reader were quadratic, or overflow the stack if one recursed.
#[rustfmt::skip]
const HOSTILE: &[&str] = &[
    "[", "{\"a\":", "[[", "<h1>", "<a '", "/*", "/**//**/", "<!--", "# \n", "a:\n ", "- ", "[[a]]\n", "[a.b]\n", "\"",
    "'''", "x = [\n", "create table a (", "a: b\n", "import a,", "**", "![", "> ", "`", "a.a.", "\\\"", "===\n", "{{",
    "<script>", "<a b=\"{{", "{% ", "a\n==\n", "a.b: 1\n", "-\n", "password=", "password='", "msgid \"\n", ".. a\n",
];

#[test]
fn hostile_text_costs_no_more_than_its_length() {
    for piece in HOSTILE {
        let text = piece.repeat(100_000 / piece.len());
        for path in PATHS.split(' ') {
            summarize(&whole(path, &text), &count);
        }
    }
}

#[test]
fn five_megabytes_of_json_on_one_line_are_read_once() {
    let record = r#"{"id": 12345, "name": "a name", "tags": ["a", "b"], "deep": {"x": [1, 2, {"y": null}]}},"#;
    let text = format!("{{\"rows\": [{}1], \"version\": 2}}", record.repeat(5_000_000 / record.len()));
    let shown = summarize(&whole("a.json", &text), &count);
    let items = 5_000_000 / record.len() + 1;
    let expected = format!("rows = [{items} items: id, name, tags, deep]\nversion = 2");
    assert_eq!(shown, expected);
}

#[test]
fn secrets_are_masked_in_every_kind_of_line() {
    let secrets = ["hunter2secret", "ghp_0123456789abcdefghij0123", "AKIAIOSFODNN7EXAMPLE"];
    let padding = "\n".repeat(1000);
    for (path, text) in [
        ("a.toml", "password = \"{}\"\n"),
        ("a.toml", "login = { user = \"u\", password = \"{}\" }\n"),
        ("a.toml", "login = \"host=x password={} port=1\"\n"),
        ("a.toml", "url = \"http://me:{}@host/\"\n"),
        ("a.json", "{\"a\": {\"apiKey\": \"{}\"}}"),
        ("a.yml", "run: tool --password {}\n"),
        ("a.yml", "db:\n  password: {}\n"),
        ("a.ini", "[db]\npassword={}\n"),
        (".env", "DB_PASSWORD={}\n"),
        ("a.xml", "<a><password>{}</password></a>"),
        ("Makefile", "PASSWORD = {}\n"),
        ("Dockerfile", "ENV PASSWORD {}\n"),
        ("a.unknown", "password: {}\n"),
    ] {
        for secret in secrets {
            let text = format!("{}{padding}", text.replace("{}", secret));
            assert!(!summarize(&whole(path, &text), &count).contains(secret), "{path} {secret}");
        }
    }
}
