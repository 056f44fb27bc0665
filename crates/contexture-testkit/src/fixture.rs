//! Fixture strings: `//- /path wish…` begins a file, the lines after it are its text.

use contexture_core::safety::{Safety, Screened, Unknown, screen};
use contexture_core::{
    Base, Body, CompileError, Compiled, ContentHash, Forgetful, InProcess, Item, ItemKind, Level, Meter, Options,
    Pixels, SelectedBy, Snapshot, SymbolMode, Tokenizer, Tools, compile,
};
use std::fmt::Write;

/// Reads a fixture. Words behind the path: `hand`, `glob`, `force_full`, `hidden` (`auto_aggregate = false`), `missing`,
/// `binary`, `view=LEVEL`, `focus`, `tier=N`, `signatures`, `definitions`, `mask=SYMBOL=def|sig|hide`, `kind=discussion|diff|log|beads|retrieved`,
/// `role=ROLE`, `no-eol`.
pub fn snapshot(fixture: &str) -> Snapshot {
    let mut items: Vec<Item> = Vec::new();
    let mut head = "";
    let mut text = String::new();
    for line in fixture.trim_start_matches('\n').split_inclusive('\n') {
        if let Some(next) = line.strip_prefix("//- ") {
            push(&mut items, head, &text);
            (head, text) = (next.trim(), String::new());
        } else {
            text.push_str(line);
        }
    }
    push(&mut items, head, &text);
    items.sort_by(|a, b| (a.kind, &a.id).cmp(&(b.kind, &b.id)));
    Snapshot { items, ..Snapshot::default() }
}

/// One item, named by hand, for which nothing is wished. What was said was said by the user; of a picture there is no data.
pub fn item(kind: ItemKind, path: &str, text: &str) -> Item {
    let body = match kind {
        ItemKind::Discussion => Body::Said { role: Some("User".into()), content: text.into() },
        ItemKind::Screenshot => {
            Body::Image { media_type: "image/png", pixels: Pixels { width: 1, height: 1 }, data: None }
        }
        _ => Body::Text { text: text.into(), base: Base::NotAsked },
    };
    Item { kind, body, ..Item::file(path, text) }
}

fn push(items: &mut Vec<Item>, head: &str, text: &str) {
    let mut words = head.split_whitespace();
    let Some(path) = words.next() else { return };
    let path = path.trim_start_matches('/');
    let mut item = Item { selected_by: SelectedBy::Walk, ..item(ItemKind::File, path, text) };
    for word in words {
        match word.split_once('=').unwrap_or((word, "")) {
            ("hand", _) => item.selected_by = SelectedBy::Path,
            ("glob", _) => item.selected_by = SelectedBy::Pattern,
            ("force_full", _) => item.wish.force_full = true,
            ("focus", _) => item.wish.focus = true,
            ("tier", tier) => item.wish.tier = tier.parse().ok(),
            ("signatures", _) => item.wish.signatures = true,
            ("definitions", _) => item.wish.definitions = true,
            ("mask", mask) => {
                let (symbol, mode) = mask.rsplit_once('=').expect("mask=SYMBOL=MODE");
                item.wish.mask.insert(symbol.to_owned(), SymbolMode::parse(mode).expect("a mode"));
            }
            ("hidden", _) => item.wish.auto_aggregate = false,
            ("missing", _) => {
                (item.body, item.hash, item.size) = (Body::Failed(contexture_core::Failure::NotFound), None, 0)
            }
            ("binary", _) => item.body = Body::Binary { what: "image/png" },
            ("view", level) => item.wish.view = Some(Level::parse(level).expect("a level")),
            ("no-eol", _) => {
                let text = text.trim_end_matches('\n');
                item.body = Body::Text { text: text.into(), base: Base::NotAsked };
                (item.hash, item.size) = (Some(ContentHash::of(text)), text.len() as u64);
            }
            ("kind", kind) => {
                item.kind = match kind {
                    "discussion" => ItemKind::Discussion,
                    "diff" => ItemKind::Diff,
                    "log" => ItemKind::Log,
                    "beads" => ItemKind::Beads,
                    "retrieved" => ItemKind::Retrieved,
                    other => panic!("unknown kind in a fixture: {other}"),
                };
                if item.kind == ItemKind::Discussion {
                    item.body = Body::Said { role: None, content: text.into() };
                }
            }
            ("role", role) => item.body = Body::Said { role: Some(role.into()), content: text.into() },
            (other, _) => panic!("unknown word in a fixture: {other}"),
        }
    }
    items.push(item);
}

/// A snapshot behind the gate that every compilation is behind, with its usual policies.
pub fn screened(snapshot: &Snapshot) -> Screened {
    screen(snapshot.clone(), &Safety::default(), &Unknown)
}

/// Compiles a fixture with exact counts and no memory.
pub fn compiled(fixture: &str, options: &Options) -> Result<Compiled, CompileError> {
    let snapshot = screened(&snapshot(fixture));
    compile(&snapshot, options, &Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess })
}

/// The plan of a fixture, a line for each item.
pub fn check(fixture: &str, options: &Options) -> String {
    match compiled(fixture, options) {
        Ok(compiled) => listing(&compiled),
        Err(over) => format!("error: {over}\n"),
    }
}

/// What a compilation decided, as text to compare with.
pub fn listing(compiled: &Compiled) -> String {
    let mut out = String::new();
    for (index, pick) in compiled.plan.picks.iter().enumerate() {
        let _ = writeln!(out, "{:02} {:<8} {} {}t  {}", index + 1, pick.level, pick.path, pick.tokens, pick.why);
    }
    for left in &compiled.plan.left_out {
        let _ = writeln!(out, "-- left out {}  {}", left.path, left.why);
    }
    let _ = writeln!(out, "-- measured {}t", compiled.measured);
    out
}
