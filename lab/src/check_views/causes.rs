//! Guesses why a definition that ctags names is not among our symbols, so that misses can be read in groups.
//!
//! Takes misses of one language; gives for each a few words. The guess comes from the syntax tree around the place: an error
//! there, a comment, a macro; else the kinds of the nodes that hold the name. Where the tree shows that ctags took something
//! else for a definition, the words begin with [`MISTAKE`]: such a miss is told but not held against us.

use super::ctags::{self, Miss};
use super::{definition, ours};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use tree_sitter::{Node, Parser, Tree};

/// How the cause of a miss begins that is the judge's own.
pub const MISTAKE: &str = "ctags: ";

/// Nodes around a name that show that nothing is defined there: language, kind of one of the three innermost nodes, what
/// ctags took for a definition. Each row was seen in the corpora; definitions proper never have these nodes so near.
const TAKEN: &[(&str, &str, &str)] = &[("bash", "variable_assignment", "an empty array")];

/// The cause of each miss, with the source line, in the order of the misses.
pub fn of(misses: &[Miss]) -> Vec<(String, String)> {
    let mut by_file: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (index, miss) in misses.iter().enumerate() {
        by_file.entry(&miss.file.path).or_default().push(index);
    }
    let files: Vec<Vec<usize>> = by_file.into_values().collect();
    let told = files.par_iter().flat_map_iter(|indices| {
        let own: Vec<&Miss> = indices.iter().filter_map(|index| misses.get(*index)).collect();
        indices.iter().copied().zip(of_file(&own)).collect::<Vec<_>>()
    });
    let mut told: Vec<(usize, (String, String))> = told.collect();
    told.sort_unstable();
    told.into_iter().map(|(_, cause)| cause).collect()
}

fn of_file(misses: &[&Miss]) -> Vec<(String, String)> {
    let Some(first) = misses.first() else { return Vec::new() };
    let text = fs::read(&first.file.path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let tree = parse(first, &text);
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let told = misses.iter().map(|miss| {
        let start = starts.get(miss.tag.line.saturating_sub(1)).copied().unwrap_or(text.len());
        let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        (cause(miss, tree.as_ref(), start, line), line.trim().to_owned())
    });
    told.collect()
}

fn parse(miss: &Miss, text: &str) -> Option<Tree> {
    let language = miss.file.reading.as_ref().ok()?.language;
    let mut parser = Parser::new();
    parser.set_language(&(language.grammar?)()).ok()?;
    // Of a shell script only the bones are left; what is a string is seen in the script itself.
    let prepare = language.prepare.filter(|_| language.name != "Bash");
    let prepared = prepare.and_then(|prepare| prepare(text));
    parser.parse(prepared.as_deref().unwrap_or(text), None)
}

fn cause(miss: &Miss, tree: Option<&Tree>, start: usize, line: &str) -> String {
    // What ctags calls `operator ==` or `M.f` may be written otherwise: its last word is looked for.
    let word = miss.tag.name.rsplit([' ', '.', ':']).next().unwrap_or_default();
    let Ok(reading) = &miss.file.reading else { return "not read".to_owned() };
    let Some(tree) = tree else { return "no tree".to_owned() };
    let mut first = None;
    for at in find_words(line, word) {
        let (from, to) = (start + at, start + at + word.len());
        let Some(node) = tree.root_node().descendant_for_byte_range(from, to) else { continue };
        let told = cause_at(miss, reading, node, line, at);
        // Only when no place on the line defines the name, ctags is wrong.
        if !told.starts_with(MISTAKE) {
            return told;
        }
        first.get_or_insert(told);
    }
    first.unwrap_or_else(|| format!("{MISTAKE}the name is not on this line"))
}

fn cause_at(miss: &Miss, reading: &ours::Reading, node: Node, line: &str, at: usize) -> String {
    let mut kinds = Vec::new();
    let mut broken = false;
    let mut next = Some(node);
    while let Some(node) = next {
        kinds.push(node.kind());
        broken |= node.is_error() || (node.parent().is_some() && node.has_error());
        next = node.parent();
    }
    let has = |part: &str| kinds.iter().any(|kind| kind.contains(part));
    let key = reading.language.fence;
    let inner = kinds.get(..3).unwrap_or(&kinds);
    let taken = TAKEN.iter().find(|(language, kind, _)| *language == key && inner.contains(kind));
    if let Some(what) = definition::missing(key, &miss.tag.kind, node)
        .filter(|what| !broken && (*what == definition::KEYWORD || !is_declared(line, at)))
    {
        format!("{MISTAKE}{what}")
    } else if let Some(told) = in_text(&kinds) {
        // After an error a quote may open what is no string: in doubt the miss is ours.
        if reading.errors == 0 && is_in_a_whole_tree(node) {
            format!("{MISTAKE}in {told}")
        } else {
            format!("in {told}, in a file with parse errors")
        }
    } else if let Some((_, _, what)) = taken {
        format!("{MISTAKE}{what}")
    } else if let Some(told) = by_line(key, &miss.tag.name, line) {
        format!("{MISTAKE}{told}")
    } else if broken {
        "parse error around it".to_owned()
    } else if error_above(node) {
        "parse error above it".to_owned()
    } else if ["c", "cpp"].contains(&key) && is_shouted(&miss.tag.name) {
        "a macro that is called like a function".to_owned()
    } else if has("preproc_def") || has("preproc_function_def") {
        "in a #define".to_owned()
    } else if let Some(away) = nearest(miss, &reading.symbols) {
        format!("ours is {away} lines away")
    } else if has("token_tree") || has("macro") {
        "in a macro".to_owned()
    } else {
        let near: Vec<&str> = kinds.iter().copied().take(4).collect();
        near.join(" < ")
    }
}

fn is_in_a_whole_tree(mut node: Node) -> bool {
    while let Some(parent) = node.parent() {
        node = parent;
    }
    !node.has_error()
}

/// Whether the place is text to the language and not code: the innermost nodes decide, since code stands in templates too.
fn in_text(kinds: &[&str]) -> Option<&'static str> {
    let innermost = kinds.iter().find(|kind| !matches!(**kind, "escape_sequence" | "identifier"))?;
    let is = |parts: &[&str]| parts.iter().any(|part| innermost.contains(part));
    if is(&["comment"]) {
        Some("a comment")
    } else if is(&["string", "heredoc", "template", "regex", "text", "raw_"]) {
        Some("a string")
    } else {
        None
    }
}

/// What the line alone shows, because some of ctags' parsers look at little more.
fn by_line(key: &str, name: &str, line: &str) -> Option<&'static str> {
    match key {
        // `def a.b` defines `b`; `a` is what it is defined on.
        "ruby" if line.contains(&format!("def {name}.")) => Some("the receiver of a method"),
        "lua" if !is_name(&ctags::plain(key, name)) => Some("a key that is no name"),
        "lua" => {
            let rest = line.split_once(name).map_or("", |(_, rest)| rest).trim_start();
            let assigned = rest.strip_prefix('=').map(str::trim_start).filter(|rest| rest.starts_with("function"));
            let assigned = assigned.is_some_and(|rest| find_words(rest, "function").next() == Some(0));
            let mut after = find_words(line, "function").filter_map(|at| line.get(at + "function".len()..));
            let defined = after.any(|rest| rest.trim_start().starts_with(name));
            (!assigned && !defined).then_some("a line with the word `function`")
        }
        _ => None,
    }
}

/// Where a word begins that no letter, digit or underscore touches. An operator has none at its ends, so any place will do.
pub(super) fn find_words<'a>(line: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let (before, rest) = line.split_at(*at);
        let after = rest.get(word.len()..).unwrap_or_default();
        !word.starts_with(part) || !before.ends_with(part) && !after.starts_with(part)
    })
}

/// Whether a word that declares stands right before the name, at most with type parameters or a receiver between. The tree is
/// not believed then: a grammar may read an unknown modifier before `class` as a call, and find no error in it.
pub(super) fn is_declared(line: &str, at: usize) -> bool {
    let before = line.get(..at).unwrap_or_default();
    DECLARING.iter().any(|word| {
        find_words(before, word).last().and_then(|at| before.get(at + word.len()..)).is_some_and(|between| {
            let between = between.trim();
            between.is_empty() || between == "*" || between.starts_with('<') || between.ends_with('.')
        })
    })
}

const DECLARING: &[&str] =
    &["class", "interface", "object", "enum", "struct", "record", "trait", "union", "fun", "func", "function", "def"];

fn is_name(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Capitals, digits and underscores, more than one of them: how macros are called.
fn is_shouted(word: &str) -> bool {
    word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// How far from ctags' line the nearest symbol of that name is; further than three lines it is another one.
fn nearest(miss: &Miss, symbols: &[ours::Named]) -> Option<usize> {
    let same = symbols.iter().filter(|named| named.name == miss.tag.name);
    same.map(|named| named.line.abs_diff(miss.tag.line)).min().filter(|away| *away <= 3)
}

/// Whether an error stands among the nodes before it on any level: what follows an error is often read wrongly.
fn error_above(node: Node) -> bool {
    let mut next = Some(node);
    while let Some(node) = next {
        if node.prev_sibling().is_some_and(|before| before.has_error()) {
            return true;
        }
        next = node.parent();
    }
    false
}
