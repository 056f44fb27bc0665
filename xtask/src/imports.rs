//! The direction between the top-level modules of a crate.
//!
//! Takes the source files of a crate; gives a message for every group of modules that import each other in a cycle, with one
//! `file:line` for each edge. Reads `use` declarations and inline paths; code under `#[cfg(test)]` may import anything.
//! It reads tokens, not Rust: paths that macros put together are not seen.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The node for items that are declared in `lib.rs` itself.
const ROOT: &str = "lib";

/// A source file: its path for messages, its path under `src/`, its text.
pub struct SourceFile {
    pub shown: String,
    pub path: String,
    pub text: String,
}

/// An import of one top-level module by another, and where it is.
type Edges = BTreeMap<String, BTreeMap<String, String>>;

/// One message for each cycle, for each import that leads from an earlier group of modules in `order` to a later one, and for each path
/// that leads to no known module. Modules that `order` does not name may stand anywhere; an empty one demands nothing.
pub fn breaches(name: &str, sources: &[SourceFile], order: &[&[&str]]) -> Vec<String> {
    let mut files: Vec<File> = sources.iter().map(File::of).collect();
    let tests: BTreeSet<Vec<String>> = files.iter().flat_map(|file| file.tests.clone()).collect();
    files.retain(|file| !(1..=file.module.len()).any(|end| tests.contains(&file.module[..end])));
    let names = Names::of(&files);
    let (mut edges, mut breaches) = (Edges::new(), Vec::new());
    for file in &files {
        for path in &file.paths {
            let from = path.module.first().map_or(ROOT, String::as_str);
            // A re-export in `lib.rs` is not an import: the name resolves to the module that declares it.
            let (true, Some(first)) = (from != ROOT || !path.is_use, path.absolute.first()) else { continue };
            let place = format!("{}:{}", file.shown, path.line);
            match names.owner(first, &mut BTreeSet::new()) {
                Some(to) if to == from => {}
                Some(to) => {
                    edges.entry(from.to_owned()).or_default().entry(to).or_insert(place);
                }
                None => breaches.push(format!("`{name}`: no module declares `crate::{first}`: {place}")),
            }
        }
    }
    let group = |module: &str| order.iter().position(|group| group.contains(&module));
    for (from, (to, place)) in edges.iter().flat_map(|(from, to)| to.iter().map(move |to| (from, to))) {
        if let (Some(below), Some(above)) = (group(from), group(to))
            && above > below
        {
            breaches.push(format!("`{name}`: `{from}` is below `{to}` and imports it: {place}"));
        }
    }
    let mut seen = BTreeSet::new();
    for start in edges.keys() {
        let Some(cycle) = shortest(start, &edges).filter(|_| !seen.contains(start)) else { continue };
        let of = |pair: &[&String]| format!("{} -> {} ({})", pair[0], pair[1], edges[pair[0]][pair[1]]);
        let all: Vec<String> = cycle.windows(2).map(of).collect();
        breaches.push(format!("`{name}`: modules import each other in a cycle: {}", all.join(", ")));
        seen.extend(cycle);
    }
    breaches
}

/// The shortest way from a module back to itself.
fn shortest<'a>(start: &'a String, edges: &'a Edges) -> Option<Vec<&'a String>> {
    let mut before: BTreeMap<&String, &String> = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        for next in edges.get(at).into_iter().flat_map(BTreeMap::keys) {
            if before.contains_key(next) {
                continue;
            }
            before.insert(next, at);
            if next == start {
                let mut way = vec![next, at];
                while let Some(last) = way.last().copied().filter(|last| *last != start) {
                    way.push(before[last]);
                }
                way.reverse();
                return Some(way);
            }
            open.push_back(next);
        }
    }
    None
}

/// Resolves `crate::NAME` to a top-level module.
struct Names {
    modules: BTreeSet<String>,
    /// Of each top-level module, and of the root, the names it declares anywhere inside.
    declared: BTreeMap<String, BTreeSet<String>>,
    /// Names that `lib.rs` imports or re-exports, with the first segment of their path.
    exported: BTreeMap<String, String>,
    globs: Vec<String>,
}

impl Names {
    fn of(files: &[File]) -> Self {
        let mut names =
            Self { modules: BTreeSet::new(), declared: BTreeMap::new(), exported: BTreeMap::new(), globs: Vec::new() };
        for file in files {
            let top = file.module.first().map_or(ROOT, String::as_str);
            names.modules.extend(file.module.first().cloned());
            names.declared.entry(top.to_owned()).or_default().extend(file.declared.iter().cloned());
            for path in file.paths.iter().filter(|path| path.is_use && path.module.is_empty()) {
                match (path.absolute.first(), path.name.as_deref()) {
                    (Some(first), None) => names.globs.push(first.clone()),
                    (Some(first), Some(name)) => {
                        names.exported.insert(name.to_owned(), first.clone());
                    }
                    (None, _) => {}
                }
            }
        }
        // `mod name { … }` in the root itself.
        let inline = files.iter().flat_map(|file| file.inline.iter());
        names.modules.extend(inline.filter(|module| module.len() == 1).map(|module| module[0].clone()));
        names
    }

    fn owner(&self, name: &str, seen: &mut BTreeSet<String>) -> Option<String> {
        let has = |module: &str| self.declared.get(module).is_some_and(|names| names.contains(name));
        if self.modules.contains(name) {
            return Some(name.to_owned());
        }
        if let Some(first) = self.exported.get(name).filter(|first| *first != name && seen.insert((*first).clone())) {
            return self.owner(first, seen);
        }
        let globbed = self.globs.iter().find(|module| has(module)).cloned();
        globbed.or_else(|| has(ROOT).then(|| ROOT.to_owned()))
    }
}

/// The imports and declarations of one file.
#[derive(Default)]
struct File {
    shown: String,
    module: Vec<String>,
    paths: Vec<Path>,
    declared: BTreeSet<String>,
    /// Modules written in this file: `mod name { … }`.
    inline: Vec<Vec<String>>,
    /// Modules under `#[cfg(test)]`.
    tests: Vec<Vec<String>>,
}

/// A path from `crate`, `super` or `self`, resolved to segments from the root; in `lib.rs` also one that begins with a module.
struct Path {
    module: Vec<String>,
    absolute: Vec<String>,
    /// The name a `use` gives it; `None` for a glob.
    name: Option<String>,
    is_use: bool,
    line: usize,
}

impl File {
    fn of(source: &SourceFile) -> Self {
        let stem = source.path.strip_suffix(".rs").unwrap_or(&source.path);
        let mut module: Vec<String> = stem.split('/').map(str::to_owned).collect();
        if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
            module.pop();
        }
        let tokens = tokens(&source.text);
        let mut file = Self { shown: source.shown.clone(), module: module.clone(), ..Self::default() };
        // Open modules, each with the brace depth before it.
        let mut open: Vec<(usize, String)> = Vec::new();
        let (mut at, mut depth) = (0, 0);
        let word = |at: usize| tokens.get(at).map_or("", |token: &Token| token.text.as_str());
        while at < tokens.len() {
            let here: Vec<String> = module.iter().chain(open.iter().map(|(_, name)| name)).cloned().collect();
            match word(at) {
                "#" if is_test(&tokens, at) => {
                    let (end, name) = item(&tokens, at);
                    file.tests.extend(name.map(|name| [here, vec![name]].concat()));
                    at = end;
                    continue;
                }
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    open.pop_if(|(before, _)| *before == depth);
                }
                "mod" if word(at + 2) == "{" => {
                    file.inline.push([here, vec![word(at + 1).to_owned()]].concat());
                    open.push((depth, word(at + 1).to_owned()));
                }
                "use" => {
                    let mut found = Vec::new();
                    at = tree(&tokens, at + 1, &[], &mut found);
                    for (path, name, line) in found {
                        file.push(&here, path, name, true, line);
                    }
                    continue;
                }
                "crate" | "self" | "super" if word(at + 1) == "::" && word(at.wrapping_sub(1)) != "::" => {
                    let line = tokens[at].line;
                    let mut path = vec![word(at).to_owned()];
                    while word(at + 1) == "::" && is_name(word(at + 2)) {
                        path.push(word(at + 2).to_owned());
                        at += 2;
                    }
                    file.push(&here, path, Some(String::new()), false, line);
                }
                "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "macro_rules" | "union" => {
                    let name = if word(at + 1) == "!" { word(at + 2) } else { word(at + 1) };
                    file.declared.insert(name.to_owned());
                }
                _ => {}
            }
            at += 1;
        }
        file
    }

    fn push(&mut self, here: &[String], path: Vec<String>, name: Option<String>, is_use: bool, line: usize) {
        let mut base = here.to_vec();
        let mut rest = path.as_slice();
        match rest.first().map(String::as_str) {
            Some("crate") => base.clear(),
            Some("self" | "super") => {}
            // Another crate or an imported name. Only in `lib.rs` can it be a module.
            _ if !here.is_empty() => return,
            _ => {}
        }
        while let Some(word @ ("crate" | "self" | "super")) = rest.first().map(String::as_str) {
            if word == "super" {
                base.pop();
            }
            rest = &rest[1..];
        }
        base.extend(rest.iter().cloned());
        self.paths.push(Path { module: here.to_vec(), absolute: base, name, is_use, line });
    }
}

/// Reads the tree of a `use` declaration; gives the position after it.
fn tree(
    tokens: &[Token],
    mut at: usize,
    before: &[String],
    found: &mut Vec<(Vec<String>, Option<String>, usize)>,
) -> usize {
    let mut path = before.to_vec();
    let line = tokens.get(at).map_or(0, |token| token.line);
    while let Some(token) = tokens.get(at) {
        match token.text.as_str() {
            "::" => {}
            "*" => {
                found.push((path, None, line));
                return at + 1;
            }
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|token| token.text != "}") {
                    at = tree(tokens, at, &path, found);
                    at += usize::from(tokens.get(at).is_some_and(|token| token.text == ","));
                }
                return at + 1;
            }
            "as" => {
                found.push((path, tokens.get(at + 1).map(|token| token.text.clone()), line));
                return at + 2;
            }
            name if is_name(name) => path.push(name.to_owned()),
            _ => break,
        }
        at += 1;
    }
    // `use a::{self}` names `a`.
    path.pop_if(|last| last == "self" && !before.is_empty());
    if path.len() > before.len() || !before.is_empty() {
        let name = path.last().cloned();
        found.push((path, name, line));
    }
    at
}

/// Whether an attribute limits the next item to tests.
fn is_test(tokens: &[Token], at: usize) -> bool {
    let words: Vec<&str> = tokens[at..].iter().take(12).map(|token| token.text.as_str()).collect();
    words.starts_with(&["#", "[", "cfg", "(", "test", ")", "]"])
        || words.starts_with(&["#", "[", "cfg", "(", "all", "(", "test"])
}

/// The position after the item that begins here with its attributes, and its name if it is a module.
fn item(tokens: &[Token], mut at: usize) -> (usize, Option<String>) {
    let (mut depth, mut module) = (0usize, None);
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token.text.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && token.text == "}" {
                    break;
                }
            }
            ";" if depth == 0 => break,
            "mod" if depth == 0 => module = tokens.get(at).map(|name| name.text.clone()),
            _ => {}
        }
    }
    (at, module)
}

struct Token {
    text: String,
    line: usize,
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Names, `::` and single characters, without comments and strings.
fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let (mut out, mut at, mut line) = (Vec::new(), 0, 1);
    let get = |at: usize| chars.get(at).copied().unwrap_or('\0');
    while at < chars.len() {
        let start = at;
        match (get(at), get(at + 1)) {
            ('/', '/') => at = (at..chars.len()).find(|at| chars[*at] == '\n').unwrap_or(chars.len()),
            ('/', '*') => at = block_comment(&chars, at),
            ('"', _) => at = string(&chars, at),
            ('\'', '\\') => at = (at + 3..chars.len()).find(|at| chars[*at] == '\'').map_or(chars.len(), |at| at + 1),
            ('\'', _) if get(at + 2) == '\'' => at += 3,
            (':', ':') => {
                out.push(Token { text: "::".into(), line });
                at += 2;
            }
            (c, _) if c.is_alphanumeric() || c == '_' => {
                let is_in = |c: char| c.is_alphanumeric() || c == '_';
                at = (at..chars.len()).find(|at| !is_in(chars[*at])).unwrap_or(chars.len());
                let word: String = chars[start..at].iter().collect();
                match raw_string(&chars, at).filter(|_| matches!(word.as_str(), "r" | "br" | "cr")) {
                    Some(end) => at = end,
                    None => out.push(Token { text: word, line }),
                }
            }
            (c, _) => {
                if !c.is_whitespace() {
                    out.push(Token { text: c.into(), line });
                }
                at += 1;
            }
        }
        line += chars[start..at].iter().filter(|c| **c == '\n').count();
    }
    out
}

/// The position after a block comment, which may contain others.
fn block_comment(chars: &[char], mut at: usize) -> usize {
    let mut depth = 0;
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at.min(chars.len())
}

fn string(chars: &[char], mut at: usize) -> usize {
    at += 1;
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(chars.len())
}

/// The position after the `#"…"#` that begins here, if one does.
fn raw_string(chars: &[char], at: usize) -> Option<usize> {
    let hashes = chars[at..].iter().take_while(|c| **c == '#').count();
    let body = at + hashes + 1;
    chars.get(at + hashes).filter(|c| **c == '"')?;
    let is_end =
        |at: &usize| chars[*at] == '"' && chars[at + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes;
    Some((body..chars.len()).find(is_end).map_or(chars.len(), |end| end + 1 + hashes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `//- PATH` begins a file.
    fn check(fixture: &str) -> Vec<String> {
        let source = |part: &str| {
            let (path, text) = part.split_once('\n').expect("a path and a text");
            SourceFile { shown: format!("src/{path}"), path: path.to_owned(), text: text.to_owned() }
        };
        let sources: Vec<SourceFile> = fixture.split("//- ").skip(1).map(source).collect();
        breaches("demo", &sources, &[&["low"], &["beside", "also"], &["high"]])
    }

    #[test]
    fn modules_with_a_direction_pass() {
        let found = check(
            "//- lib.rs\nmod a;\nmod b;\npub use b::B;\npub fn run() { a::go() }\n\
             //- a.rs\nuse crate::b::{self, B};\nuse std::fmt;\npub fn go() { self::deep::x(); b::b() }\nmod deep;\n\
             //- a/deep.rs\nuse super::go;\npub fn x() { crate::B::new() }\n\
             //- b.rs\n//! See `crate::a`.\npub struct B;\npub(crate) fn b() -> &'static str { \"crate::a::go\" }\n",
        );
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn an_import_against_the_order_is_named() {
        let found = check(
            "//- lib.rs\nmod low;\nmod beside;\nmod also;\nmod high;\nmod free;\n\
             //- low.rs\nuse crate::high;\nuse crate::free;\n\
             //- beside.rs\nuse crate::{also, low};\n//- also.rs\n//- high.rs\nuse crate::beside;\n//- free.rs\n",
        );
        let wrong = found.iter().filter(|breach| !breach.contains("cycle")).collect::<Vec<_>>();
        assert_eq!(wrong, ["`demo`: `low` is below `high` and imports it: src/low.rs:1"]);
    }

    #[test]
    fn a_cycle_is_named_with_a_line_for_each_edge() {
        let found = check(
            "//- lib.rs\nmod a;\nmod b;\nmod c;\n\
             //- a.rs\nuse crate::b::b;\n\
             //- b/mod.rs\nmod inner;\n\
             //- b/inner.rs\n\nuse super::super::c;\n\
             //- c.rs\nuse std::fmt;\nuse crate::{\n    a,\n};\n",
        );
        assert_eq!(
            found,
            ["`demo`: modules import each other in a cycle: \
              a -> b (src/a.rs:1), b -> c (src/b/inner.rs:2), c -> a (src/c.rs:3)"]
        );
    }

    #[test]
    fn a_name_of_the_root_leads_to_the_module_that_declares_it() {
        let by_name = check(
            "//- lib.rs\nmod a;\nmod b;\npub use b::Bee as B;\n//- a.rs\nuse crate::B;\n//- b.rs\nuse crate::a;\npub struct Bee;\n",
        );
        let edges = "a -> b (src/a.rs:1), b -> a (src/b.rs:1)";
        assert_eq!(by_name, [format!("`demo`: modules import each other in a cycle: {edges}")]);
        let by_glob = check(
            "//- lib.rs\nmod a;\nmod b;\npub use b::*;\n//- a.rs\nuse crate::B;\n//- b.rs\nuse crate::a;\npub struct B;\n",
        );
        assert_eq!(by_glob, by_name);
        let by_root =
            check("//- lib.rs\nmod a;\npub struct B(Option<crate::a::A>);\n//- a.rs\nuse crate::B;\npub struct A;\n");
        assert_eq!(
            by_root,
            ["`demo`: modules import each other in a cycle: a -> lib (src/a.rs:1), lib -> a (src/lib.rs:2)"]
        );
    }

    #[test]
    fn an_inline_path_is_an_import() {
        let found = check(
            "//- lib.rs\nmod a;\nmod b;\n\
             //- a.rs\npub fn a() { let c = '\"'; crate::b::b(c) }\n\
             //- b.rs\npub fn b() {\n    let text = r#\"a \" b\"#; // crate::c\n    super::a::a()\n}\n",
        );
        assert_eq!(found, ["`demo`: modules import each other in a cycle: a -> b (src/a.rs:1), b -> a (src/b.rs:3)"]);
    }

    #[test]
    fn tests_may_import_anything() {
        let found = check(
            "//- lib.rs\nmod a;\nmod b;\n\
             //- a.rs\nuse crate::b;\n\
             //- b.rs\n#[cfg(test)]\nmod tests;\n#[cfg(test)]\nuse crate::a;\n#[cfg(test)]\nmod more {\n    use crate::a;\n}\n\
             //- b/tests.rs\nuse crate::a;\nmod laws;\n\
             //- b/tests/laws.rs\nuse crate::a;\n",
        );
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn a_name_that_no_module_declares_is_reported() {
        let found = check("//- lib.rs\nmod a;\n//- a.rs\nuse crate::Made;\n");
        assert_eq!(found, ["`demo`: no module declares `crate::Made`: src/a.rs:1"]);
    }
}
