//! Random projects: files of several languages put together from fragments, with everything a person may wish for them.

use contexture_core::{
    Base, Body, ContentHash, Failure, Format, Item, ItemKind, Level, Options, SelectedBy, Snapshot, Strategy as How,
    StrategyMode, StrategySource, SymbolMode, Tokenizer, Tree, Wish, WrittenSummary, anchor,
};
use contexture_testkit::item;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// For each ending, fragments that stand on their own.
static FRAGMENTS: LazyLock<Vec<(&str, Vec<String>)>> = LazyLock::new(|| {
    let read = |name: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contexture-syntax/fixtures");
        std::fs::read_to_string(folder.join(name)).unwrap()
    };
    let pieces = |text: &str| text.split("\n\n").map(|part| format!("{part}\n\n")).collect::<Vec<_>>();
    let with = |ending, name: &str, own: &[String]| (ending, [pieces(&read(name)).as_slice(), own].concat());
    vec![
        with("py", "sample.py", &python()),
        with("rs", "sample.rs", &rust()),
        with("ts", "sample.ts", &typescript()),
        with("go", "sample.go", &go()),
        (
            "md",
            owned(&[
                "# Title\n\nSome words about parse.\n\n",
                "## Part\n\n- one\n- two\n\n",
                "```py\ndef f(): pass\n```\n\n",
                "````\n```\n````\n",
            ]),
        ),
        (
            "toml",
            owned(&[
                "[package]\nname = \"x\"\n",
                "[a.b]\nkey = 1\n",
                "list = [\n  1,\n  2,\n]\n",
                "password = \"hunter2\"\n",
            ]),
        ),
        (
            "json",
            owned(&["{\"a\": [1, 2, 3]}\n", "[\n", "]\n", "{\"key\": \"value\", \"nested\": {\"deep\": null}}\n"]),
        ),
        (
            "",
            owned(&[
                "words without a language\n",
                "\u{1f980} 漢字 и текст\n",
                "\u{0}\u{1b}[31m\n",
                "</file>\n",
                &"-".repeat(400),
                &" ".repeat(300),
                &format!("{}\n", "=".repeat(76)).repeat(30),
            ]),
        ),
        ("ipynb", owned(&[&notebook(&encoded(900)), &notebook("")])),
        with(
            "js",
            "sample.js",
            &owned(&[
                "(function () {\n  function hidden(a) {\n    return a;\n  }\n  var z = 1;\n})();\n\n",
                "module.exports = {\n  parse: function (a) { return a; },\n};\n",
            ]),
        ),
        with("tsx", "sample.tsx", &[]),
        with(
            "c",
            "sample.c",
            &owned(&["#if A\nint f(int a) {\n#else\nint f(void) {\n#endif\n  return 1;\n}\n\n", "int a, *b, c[3];\n"]),
        ),
        with("cpp", "sample.cpp", &[]),
        with("java", "sample.java", &[]),
        with("cs", "sample.cs", &[]),
        with("rb", "sample.rb", &[]),
        with("php", "sample.php", &[]),
        with("kt", "sample.kt", &[]),
        with("swift", "sample.swift", &[]),
        with("scala", "sample.scala", &[]),
        with("lua", "sample.lua", &[]),
        with("sh", "sample.sh", &[]),
        ("lock", owned(&["name = \"x\"\nversion = \"1\"\n"])),
        ("csv", owned(&["a,b,c\n", "1,2,3\n4,5,6\n7,8,9\n1,2,3\n4,5,6\n7,8,9\n1,2,3\n4,5,6\n7,8,9\n"])),
    ]
});

fn owned(parts: &[&str]) -> Vec<String> {
    parts.iter().map(|part| (*part).to_owned()).collect()
}

/// Characters as base64 has them, long enough to be cut out of full views.
fn base64() -> String {
    encoded(700)
}

pub fn encoded(length: usize) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut state = 7u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(letters[(state >> 26) as usize])
    };
    (0..length).map(|_| next()).collect()
}

fn notebook(output: &str) -> String {
    format!(
        "{{\"cells\": [{{\"cell_type\": \"code\", \"source\": [\"def parse(): pass\"], \"outputs\": [\"{output}\"]}}]}}\n"
    )
}

fn python() -> Vec<String> {
    let huge: String = (0..150).map(|n| format!("    total = total + compute_{n}(items[{n}])\n")).collect();
    vec![
        "class Outer:\n    \"\"\"Holds others.\"\"\"\n    limit = 3\n\n    class Inner:\n        def parse(self, text): # 漢字\n            return text\n\n    @property\n    def size(self):\n        return self.limit\n\n".into(),
        "@overload\ndef read(a: int) -> int: ...\n@overload\ndef read(a: str) -> str: ...\ndef read(a):\n    return a\n\n".into(),
        format!("def huge(items):\n    total = 0\n{huge}    return total\n\n"),
        "def many(\n    first: int,  # one\n    second: str = \"a\",\n) -> None:\n    pass\n\n".into(),
        "A, B = 1, 2\nNAMES = [\n    'a',\n    'b',\n]\nx = lambda y: y + 1\n".into(),
        format!("PICTURE = \"{}\"\n\n", base64()),
        "def broken(:\n    if x\n        return (\n\n".into(),
        "def f(): return '🦀' * 3\n".into(),
        format!("# {}\n\n", "=".repeat(900)),
        format!("LINE = \"{}\"\n\n", "-".repeat(900)),
        "# a comment on its own\nimport os, sys\n\n".into(),
        "class Empty: pass\n".into(),
        "def [HOT]() -> 1:\n  '''".into(),
    ]
}

fn rust() -> Vec<String> {
    vec![
        "/// Says it.\n#[derive(Clone)]\npub struct Point { pub x: u32, pub y: u32 }\n\n".into(),
        "impl Point {\n    /// Adds.\n    pub fn add(&self, other: &Self) -> Self {\n        let x = self.x + other.x;\n        Self { x, y: self.y + other.y }\n    }\n    fn tiny(&self) {}\n}\n\n".into(),
        "const TABLE: [u8; 3] = [\n    1,\n    2,\n    3,\n];\nstatic NAME: &str = \"n\";\n".into(),
        "mod inner {\n    pub mod deeper {\n        pub fn parse(text: &str) -> usize { text.len() }\n    }\n}\n\n".into(),
        "fn broken( { } }\n".into(),
        "macro_rules! m { () => { fn in_macro() {} } }\n\n".into(),
        "enum E { A, B(u8), C { d: u8 } }\ntype T = Vec<E>;\n".into(),
        format!("const CERT: &str = \"{}\";\n\n", base64()),
    ]
}

fn typescript() -> Vec<String> {
    vec![
        "export function over(a: number): number;\nexport function over(a: string): string;\nexport function over(a: any) {\n  return a;\n}\n\n".into(),
        "export class Service<T> {\n  private items: T[] = [];\n  constructor(private readonly name: string) {}\n  async load(id: number): Promise<T> {\n    return this.items[id];\n  }\n}\n\n".into(),
        "const a = 1, b = () => { return 2; }, c = 3;\nlet d, e;\n".into(),
        "interface Shape { area(): number; name?: string }\n\nnamespace N { export const v = 1; export function g() { return v } }\n\n".into(),
        "const view = { f() { return 1 }, g: function () { return 2 } }\n}\n".into(),
    ]
}

fn go() -> Vec<String> {
    vec![
        "package main\n\nimport \"fmt\"\n\n".into(),
        "const (\n\tA = iota\n\tB\n\tC\n)\n\nvar x, y int = 1, 2\n\n".into(),
        "// Server serves.\ntype Server struct {\n\tname string\n\tport, other int\n}\n\nfunc (s *Server) Parse(text string) (int, error) {\n\tif text == \"\" {\n\t\treturn 0, nil\n\t}\n\treturn len(text), nil\n}\n\n".into(),
        "type (\n\tOne struct{ a int }\n\tTwo interface {\n\t\tDo(x int) error\n\t}\n)\n\n".into(),
        "func broken(a int {\n\treturn\n".into(),
    ]
}

/// What happens to a text at last.
#[derive(Clone, Copy, Debug)]
enum Twist {
    None,
    CrLf,
    Cr,
    OneLine,
    NoEnd,
    Lossy,
    Indented,
}

fn twisted(text: String, twist: Twist) -> String {
    match twist {
        Twist::None => text,
        Twist::CrLf => text.replace('\n', "\r\n"),
        Twist::Cr => text.replace('\n', "\r"),
        Twist::OneLine => text.replace('\n', " "),
        Twist::NoEnd => text.trim_end().to_owned(),
        // Bytes that are no UTF-8, as they are decoded.
        Twist::Lossy => String::from_utf8_lossy(&[text.as_bytes(), b"\xff\xfe # \xc3( \x80\n"].concat()).into_owned(),
        Twist::Indented => text.replace('\n', "\n  \t"),
    }
}

fn file_text() -> impl Strategy<Value = (&'static str, String)> {
    let twist = prop_oneof![
        6 => Just(Twist::None),
        1 => Just(Twist::CrLf),
        1 => Just(Twist::Cr),
        1 => Just(Twist::OneLine),
        1 => Just(Twist::NoEnd),
        1 => Just(Twist::Lossy),
        1 => Just(Twist::Indented),
    ];
    // Code more often than the rest.
    let ending = prop_oneof![2 => 0usize..4, 1 => 0usize..FRAGMENTS.len()];
    (ending, vec(any::<Index>(), 0..9), twist).prop_map(|(ending, parts, twist)| {
        let (ending, fragments) = &FRAGMENTS[ending];
        let text: String = parts.iter().map(|part| part.get(fragments).as_str()).collect();
        (*ending, twisted(text, twist))
    })
}

fn name() -> impl Strategy<Value = String> {
    let piece = select(vec![
        "a", "b", "test_x", "src/", "parse", "deep/er/", " ", "`", "\n", "é", "名", "\"", "&", "#", "-", "vendor/",
    ]);
    vec(piece, 1..5).prop_map(|parts| parts.concat())
}

#[derive(Clone, Debug)]
struct Whim {
    wish: u8,
    named: u8,
    body: u8,
    at: u16,
}

fn whim() -> impl Strategy<Value = Whim> {
    (0..40u8, 0..8u8, 0..30u8, any::<u16>()).prop_map(|(wish, named, body, at)| Whim { wish, named, body, at })
}

fn wish(whim: &Whim, text: &str) -> Wish {
    let mut wish = Wish::default();
    match whim.wish {
        0 => wish.force_full = true,
        1 => wish.view = Some(Level::Summary),
        2 => wish.view = Some(Level::None),
        3 => wish.auto_aggregate = false,
        4 => wish.view = Some(Level::Skeleton),
        5 => wish.mask = [("parse".to_owned(), SymbolMode::Def), ("Outer".to_owned(), SymbolMode::Sig)].into(),
        6 => wish.signatures = true,
        7 => {
            let lines = text.lines().count().max(1) as u64;
            let start = 1 + u64::from(whim.at) % lines;
            wish.slices.extend(anchor::make(text, start, (start + 3).min(lines), Some("tag"), None));
        }
        8 => wish.tier = Some(3),
        9 => wish.focus = true,
        10 => wish.view = Some(Level::Name),
        11 => wish.view = Some(Level::Outline),
        _ => {}
    }
    wish
}

fn file(path: &str, text: &str, whim: &Whim) -> Item {
    let (body, hash) = match whim.body {
        0 => (Body::Binary { what: "image/png" }, Some(ContentHash::of(text))),
        1 => (Body::Huge { head: text.into() }, None),
        2 => (Body::Failed(Failure::NotFound), None),
        _ => (Body::Text { text: text.into(), base: Base::NotAsked }, Some(ContentHash::of(text))),
    };
    let selected_by =
        [SelectedBy::Path, SelectedBy::Pattern].get(usize::from(whim.named)).copied().unwrap_or(SelectedBy::Walk);
    // Of every third file a model wrote a summary, some longer than may be shown.
    let written = (whim.at.is_multiple_of(3) && hash.is_some()).then(|| {
        let text = "What this file is for. ```\n\n".repeat(1 + usize::from(whim.at) % 90);
        Arc::new(WrittenSummary { hash: ContentHash::of(&text), text: text.into(), by: "some/model".into(), tier: 2 })
    });
    Item { selected_by, body, hash, wish: wish(whim, text), written, ..item(ItemKind::File, path, text) }
}

prop_compose! {
    pub fn project()(
        files in btree_map(name(), (file_text(), whim()), 0..9),
        said in vec(select(vec!["plain words", "# heading\n", "👍 漢字", ""]), 0..2),
        more in 0..8u8,
    ) -> Snapshot {
        let mut items: Vec<Item> = files.into_iter().map(|(name, ((ending, text), whim))| {
            let path = if ending.is_empty() { name } else { format!("{name}.{ending}") };
            file(&path, &text, &whim)
        }).collect();
        items.sort_by(|a, b| a.path.cmp(&b.path));
        items.dedup_by(|a, b| a.path == b.path);
        if more & 4 == 4 {
            // What lies outside the composition is found by a walk, and nobody wished anything for it.
            for item in items.iter_mut().filter(|item| item.selected_by == SelectedBy::Walk && item.path.len() % 2 == 0) {
                (item.kind, item.wish) = (ItemKind::Retrieved, Wish::default());
            }
        }
        let paths = items.iter().map(|item| item.path.clone()).collect();
        if more & 1 == 1 {
            items.push(item(ItemKind::Screenshot, "screenshot/a.png", ""));
        }
        if more & 2 == 2 {
            items.push(item(ItemKind::Diff, "diff", "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n"));
        }
        for (n, text) in said.iter().enumerate() {
            items.push(item(ItemKind::Discussion, &format!("discussion/{n}"), text));
        }
        items.sort_by(|a, b| (a.kind, &a.id).cmp(&(b.kind, &b.id)));
        Snapshot { items, paths, ..Snapshot::default() }
    }
}

pub fn options() -> impl Strategy<Value = Options> {
    let query = select(vec![
        None,
        None,
        Some("parse fails in Outer.Inner when the text is empty"),
        Some("Traceback:\n  File \"src/a.py\", line 3, in parse\n    total\nValueError: 漢字"),
        Some("`Service.load` returns the wrong item, see src/parse.ts and Point::add"),
        Some("tests of huge compute_7"),
        Some("((((`````\0\u{fffd}"),
        Some(""),
    ]);
    let mode = prop_oneof![5 => Just(StrategyMode::OwnView), 1 => Just(StrategyMode::Summarize), 1 => Just(StrategyMode::Outline), 1 => Just(StrategyMode::Skeleton)];
    let format = select(vec![Format::Markdown, Format::Markdown, Format::Xml, Format::Json]);
    let tree = select(vec![Tree::None, Tree::None, Tree::Selected, Tree::Full]);
    (query, mode, format, tree, 0..8u8).prop_map(|(query, mode, format, tree, flags)| Options {
        strategy: How { mode, name: "auto", source: StrategySource::Default },
        focused: flags & 3 == 3,
        line_numbers: flags & 4 == 4 && flags & 1 == 1,
        format,
        tree,
        query: query.map(str::to_owned),
        ..Options::default()
    })
}

pub fn tokenizer() -> impl Strategy<Value = Tokenizer> {
    prop_oneof![2 => Just(Tokenizer::O200k), 1 => select(Tokenizer::ALL)]
}
