//! Framing by the million: random hostile documents, read back by two readers that know nothing of how they were
//! written. Cheap by intent, without shrinking: `laws.rs` has the same law with it.
//!
//! The usual run reads some thousands, `CONTEXTURE_TORTURE=full` a million. A failure names the seed of its document.
#![allow(clippy::unwrap_used)]

use contexture_core::{
    Body, ContentHash, Family, Forgetful, InProcess, Item, ItemId, Meter, Options, Snapshot, Tokenizer, Tokens, Tools,
    compile,
};
use contexture_testkit::{full, recover, screened, snapshot};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag};

/// Text that means harm: fences of both kinds, headings, our own frames, every line end, lists and quotes that would
/// swallow what follows, tags.
const PIECES: [&str; 44] = [
    "```",
    "````",
    "``````````",
    "~~~",
    "~~~~~~~",
    "`",
    "\n",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    " ",
    "   ",
    "    ",
    "\t",
    "/",
    "// x",
    "## Files\n\n",
    "## Files",
    "### `a.rs`\n\n",
    "### `a.rs` (name)",
    "```rust no-final-newline\n",
    "no-final-newline",
    "---\n",
    "===\n",
    "</file>",
    "]]>",
    "<!--",
    "-->",
    "<pre>",
    "<script>",
    "> ",
    "- ",
    "1. ",
    "* * *",
    "[x]: y\n",
    "\\",
    "fn main() {}\n",
    "漢字",
    "👍",
    "\u{2028}",
    "\u{0}",
    "\u{feff}",
];
const NAMES: [&str; 20] = [
    "a", "b.rs", "c.md", "`", "``", "\n", "\r", "\t", " ", "\"", "\\", "<b>", "#", "*", "[x](y)", "é", "\u{202e}",
    "\u{7f}", "-", "&amp;",
];

#[test]
fn two_readers_get_every_path_and_byte_back() {
    let documents: u64 = if full() { 1_000_000 } else { 3_000 };
    // Each core takes every n-th seed; which core it was makes no difference.
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    std::thread::scope(|scope| {
        for first in 0..cores {
            scope.spawn(move || (first..documents).step_by(cores as usize).for_each(judge));
        }
    });
}

fn judge(seed: u64) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut items: Vec<Item> = Vec::new();
    for _ in 0..random.below(5) {
        let path = random.text(&NAMES, 1, 5);
        let mut text = random.text(&PIECES, 0, 14);
        // One in eight holds a document of ours, with a file of its own.
        if random.below(8) == 0 {
            text = document(&Snapshot { items: items.clone(), ..snapshot("//- /in.md\n```\n## Files\n") }) + &text;
        }
        if !items.iter().any(|item| item.path == path) {
            items.push(file(&path, &text));
        }
    }
    items.sort_by(|a, b| a.id.cmp(&b.id));
    let snapshot = Snapshot { items, ..Snapshot::default() };
    let document = document(&snapshot);
    let wanted: Vec<(&str, &str)> = snapshot.items.iter().map(|item| (item.path.as_str(), text_of(item))).collect();
    let back = recover(&document);
    let back: Vec<(&str, &str)> =
        back.iter().map(|file| (file.path.as_str(), file.text.as_deref().unwrap_or("no text"))).collect();
    assert!(back == wanted, "seed {seed}: {back:?} of {wanted:?} in\n{document}");
    strict(seed, &document, &wanted);
    listed(seed, &snapshot);
}

/// Under a budget that shows some files by name only, both readers still find every path, each once.
fn listed(seed: u64, snapshot: &Snapshot) {
    let meter = Meter::new(&Tokenizer::Estimate(Family::Generic), &Forgetful);
    let budget = Some(Tokens(40 + seed % 200));
    let tools = Tools { meter, code: &InProcess };
    let Ok(made) = compile(&screened(snapshot), &Options { budget, ..Options::default() }, &tools) else { return };
    let document = made.output.text();
    let wanted: Vec<&str> = made.plan.picks.iter().map(|pick| pick.path.as_str()).collect();
    let back = recover(&document);
    let back: Vec<&str> = back.iter().map(|file| file.path.as_str()).collect();
    assert!(back == wanted, "seed {seed}: {back:?} of {wanted:?} in\n{document}");
    let (mut headings, mut items) = (0, 0);
    for event in Parser::new(&document) {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H3, .. }) => headings += 1,
            Event::Start(Tag::Item) => items += 1,
            Event::Start(
                Tag::Heading { level: HeadingLevel::H2, .. } | Tag::CodeBlock(_) | Tag::List(_) | Tag::Paragraph,
            )
            | Event::Text(_)
            | Event::Code(_)
            | Event::End(_) => {}
            other => panic!("seed {seed}: {other:?} in\n{document}"),
        }
    }
    assert_eq!(headings + items, wanted.len(), "seed {seed} in\n{document}");
}

/// The same by a whole CommonMark parser: a heading and a fenced block for each file, and nothing else at all.
fn strict(seed: u64, document: &str, wanted: &[(&str, &str)]) {
    let (mut sections, mut headings, mut blocks) = (0, 0, Vec::new());
    let mut inside = false;
    for event in Parser::new(document) {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => sections += 1,
            Event::Start(Tag::Heading { level: HeadingLevel::H3, .. }) => headings += 1,
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                inside = true;
                blocks.push((info.contains("no-final-newline"), String::new()));
            }
            Event::End(pulldown_cmark::TagEnd::CodeBlock) => inside = false,
            Event::Text(text) if inside => blocks.last_mut().unwrap().1.push_str(&text),
            Event::Text(_) | Event::Code(_) | Event::End(_) => {}
            other => panic!("seed {seed}: {other:?} in\n{document}"),
        }
    }
    assert_eq!((sections, headings), (usize::from(!wanted.is_empty()), wanted.len()), "seed {seed} in\n{document}");
    assert_eq!(blocks.len(), wanted.len(), "seed {seed} in\n{document}");
    for ((unended, block), (_, text)) in blocks.iter().zip(wanted) {
        // The parser gives `\r\n` as `\n` and a NUL as it likes: told apart here is everything else.
        let plain = |text: &str| text.replace('\r', "").replace('\0', "\u{fffd}");
        let text = format!("{text}{}", if *unended { "\n" } else { "" });
        assert!(plain(block) == plain(&text), "seed {seed}: {block:?} of {text:?} in\n{document}");
    }
}

fn document(snapshot: &Snapshot) -> String {
    let meter = Meter::new(&Tokenizer::Estimate(Family::Generic), &Forgetful);
    compile(&screened(snapshot), &Options::default(), &Tools { meter, code: &InProcess })
        .expect("no budget")
        .output
        .text()
}

fn file(path: &str, text: &str) -> Item {
    // The fixture knows how an item is made; only path and text are ours.
    let mut item = snapshot("//- /x hand\n").items.remove(0);
    (item.id, item.path) = (ItemId(path.into()), path.to_owned());
    (item.hash, item.size) = (Some(ContentHash::of(text)), text.len() as u64);
    if let Body::Text { text: place, .. } = &mut item.body {
        *place = text.into();
    }
    item
}

fn text_of(item: &Item) -> &str {
    match &item.body {
        Body::Text { text, .. } => text,
        _ => panic!("not a text: {}", item.path),
    }
}

/// xorshift64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    fn text(&mut self, pieces: &[&str], least: usize, end: usize) -> String {
        let count = least + self.below(end - least);
        (0..count).map(|_| pieces[self.below(pieces.len())]).collect()
    }
}
