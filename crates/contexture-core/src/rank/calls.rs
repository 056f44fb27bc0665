//! Which functions and types of the project the most probable bodies call.
//!
//! Takes a ranking and the texts it is of; gives the most probable callers of each symbol. Types are not inferred: a name means
//! what its file, its receiver or its uniqueness make it mean, and nothing where that would be a guess.

use super::RankEntry;
use super::paths;
use super::score::{Ranking, in_tests};
use super::terms::{self, Term};
use contexture_syntax::SymbolKind;
use std::collections::{BTreeMap, BTreeSet};

/// How many bodies are looked at: about as many as 16,000 tokens show.
const LOOKED_AT: usize = 120;
/// A name with more definitions than this is not looked up.
const AMBIGUOUS: usize = 64;
/// Languages in which a call without a receiver can mean a method of the same type, by the word after a fence.
const IMPLICIT_RECEIVER: &[&str] = &["ruby", "java", "csharp", "kotlin", "scala", "swift", "cpp"];

/// A symbol that calls another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Caller {
    pub file: usize,
    pub symbol: u32,
    pub probability: f32,
}

/// The most probable symbols that call another one.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Callers {
    /// Of the same file.
    pub near: Option<Caller>,
    /// Of other files.
    pub far: Option<Caller>,
}

impl Callers {
    fn add(&mut self, caller: Caller, is_near: bool) {
        let known = if is_near { &mut self.near } else { &mut self.far };
        if known.is_none_or(|known| known.probability < caller.probability) {
            *known = Some(caller);
        }
    }
}

/// For each file, by the place of the symbol.
pub fn calls(files: &[RankEntry<'_>], ranking: &Ranking) -> Vec<BTreeMap<u32, Callers>> {
    let mut called: Vec<BTreeMap<u32, Callers>> = vec![BTreeMap::new(); files.len()];
    let names = Names::of(files);
    let mut callers: Vec<Caller> = Vec::new();
    for (file, entry) in files.iter().enumerate() {
        for (at, symbol) in entry.digest.iter().flat_map(|digest| digest.symbols.iter().enumerate()) {
            if symbol.kind.is_callable() {
                callers.push(Caller { file, symbol: at as u32, probability: ranking.symbols[file][at].probability });
            }
        }
    }
    callers.sort_by(|a, b| b.probability.total_cmp(&a.probability).then((a.file, a.symbol).cmp(&(b.file, b.symbol))));
    let mut words = BTreeMap::new();
    for caller in callers.into_iter().take(LOOKED_AT) {
        let Some((digest, text)) = files[caller.file].digest.zip(files[caller.file].text) else { continue };
        let body = digest.symbols[caller.symbol as usize].span.of(text);
        let fence = contexture_syntax::language_of(files[caller.file].path, text).map_or("", |language| language.fence);
        let is_apart = names.is_apart(caller);
        let mut lookup = Lookup { names: &names, caller, is_apart, fence, words: &mut words };
        terms::words(body, |word| {
            if let Some(meant) = lookup.called(body, word)
                && (meant.file, meant.symbol) != (caller.file, caller.symbol)
            {
                called[meant.file].entry(meant.symbol).or_default().add(caller, meant.file == caller.file);
            }
        });
    }
    called
}

/// Where something is defined.
#[derive(Clone, Copy)]
struct Place {
    file: usize,
    symbol: u32,
    is_method: bool,
    /// Whether it is vendored or part of a test.
    is_apart: bool,
    /// The name of the symbol around it, as it is written and as a word.
    parent: Option<(Term, Term)>,
    size: u32,
}

/// All definitions by name.
struct Names<'a> {
    files: &'a [RankEntry<'a>],
    places: BTreeMap<Term, Vec<Place>>,
}

impl<'a> Names<'a> {
    fn of(files: &'a [RankEntry<'a>]) -> Self {
        let mut places: BTreeMap<Term, Vec<Place>> = BTreeMap::new();
        for (file, entry) in files.iter().enumerate() {
            let Some(digest) = entry.digest else { continue };
            let is_apart = paths::is_test(entry.path) || paths::is_vendored(entry.path);
            let in_tests = in_tests(digest);
            for (at, symbol) in digest.symbols.iter().enumerate().filter(|(_, symbol)| !symbol.kind.is_value()) {
                let parent = symbol.parent.and_then(|parent| digest.symbols.get(parent as usize));
                places.entry(symbol.exact).or_default().push(Place {
                    file,
                    symbol: at as u32,
                    is_method: symbol.kind == SymbolKind::Method
                        || parent.is_some_and(|parent| parent.kind.has_methods()),
                    is_apart: is_apart || in_tests[at],
                    parent: parent.map(|parent| (parent.exact, parent.name)),
                    size: symbol.whole,
                });
            }
        }
        Self { files, places }
    }

    /// Whether a caller is vendored or part of a test.
    fn is_apart(&self, caller: Caller) -> bool {
        let digest = self.files[caller.file].digest;
        let symbol = digest.and_then(|digest| digest.symbols.get(caller.symbol as usize));
        let places = symbol.and_then(|symbol| self.places.get(&symbol.exact));
        let is_it = |place: &&Place| (place.file, place.symbol) == (caller.file, caller.symbol);
        places.into_iter().flatten().find(is_it).is_some_and(|place| place.is_apart)
    }
}

/// What comes before a name.
#[derive(Clone, Copy, PartialEq)]
enum Receiver<'t> {
    None,
    /// `self`, `this`: the type that the caller is in.
    Own,
    /// The last word of it: `tx` in `self.tx.close()`, `Store` in `Store::open()`.
    Word(&'t str),
}

/// Looks up the names in the body of one caller.
struct Lookup<'a, 'w> {
    names: &'a Names<'a>,
    caller: Caller,
    is_apart: bool,
    fence: &'a str,
    /// All words of each file that was asked for them.
    words: &'w mut BTreeMap<usize, BTreeSet<Term>>,
}

impl Lookup<'_, '_> {
    /// What a word of a body calls.
    fn called(&mut self, body: &str, word: &str) -> Option<Place> {
        let at = word.as_ptr() as usize - body.as_ptr() as usize;
        let rest = &body[at + word.len()..];
        // Names in Ruby may end in `?` and `!`; `!` may also mark a macro.
        let marked =
            body.get(at..at + word.len() + 1).filter(|_| rest.starts_with(['?', '!']) && !rest.starts_with("!="));
        let marked = marked.and_then(|marked| Some((marked, self.names.places.get(&terms::exact(marked))?)));
        let is_compound = marked.is_some() || terms::is_compound(word);
        let is_call = rest.starts_with('(') || rest.starts_with("!(");
        // Calls in Ruby often have no parentheses; of a plain word that would be any variable.
        let is_bare_call = marked.is_some() || self.fence == "ruby" && is_compound && !rest.starts_with(": ");
        if !is_call && !is_bare_call {
            return None;
        }
        let known = marked.map(|(_, known)| known).or_else(|| self.names.places.get(&terms::exact(word)))?;
        let is_apart = self.is_apart;
        // What is vendored or a test is not what the rest of a project calls.
        let known: Vec<Place> =
            known.iter().filter(|place| is_apart || !place.is_apart).take(AMBIGUOUS + 1).copied().collect();
        if known.len() > AMBIGUOUS {
            return None;
        }
        self.meant(&known, receiver(&body[..at]), is_compound)
    }

    fn meant(&mut self, known: &[Place], receiver: Receiver<'_>, is_compound: bool) -> Option<Place> {
        let in_file: Vec<Place> = known.iter().filter(|place| place.file == self.caller.file).copied().collect();
        let own_type = self.own_type();
        let is_own = |place: &Place| own_type.is_some() && place.parent.map(|parent| parent.0) == own_type;
        match receiver {
            Receiver::None => {
                let is_implicit = IMPLICIT_RECEIVER.contains(&self.fence);
                one(in_file.iter().filter(|place| is_implicit && is_own(place)))
                    .or_else(|| one(in_file.iter().filter(|place| is_implicit || !place.is_method)))
                    .or_else(|| {
                        one(known.iter().filter(|place| !place.is_method)).filter(|_| is_compound && in_file.is_empty())
                    })
            }
            Receiver::Own => one(in_file.iter().filter(|place| is_own(place)))
                .or_else(|| one(in_file.iter()))
                .or_else(|| one(known.iter()).filter(|_| is_compound)),
            Receiver::Word(word) => {
                let name = terms::first(word);
                let is_named = |place: &&Place| !word.is_empty() && place.parent.is_some_and(|parent| parent.1 == name);
                let in_module = |place: &&Place| !place.is_method && is_module(self.names.files[place.file].path, word);
                let named = one(known.iter().filter(is_named)).or_else(|| one(known.iter().filter(in_module)));
                if named.is_some() || !in_file.is_empty() {
                    return named.or_else(|| one(in_file.iter()));
                }
                if !is_compound {
                    return None;
                }
                one(known.iter()).or_else(|| {
                    let words = self.words();
                    one(known.iter().filter(|place| place.parent.is_some_and(|parent| words.contains(&parent.1))))
                })
            }
        }
    }

    /// The name of the type that the caller is in.
    fn own_type(&self) -> Option<Term> {
        let digest = self.names.files[self.caller.file].digest?;
        let mut at = digest.symbols.get(self.caller.symbol as usize)?.parent;
        while let Some(symbol) = at.and_then(|at| digest.symbols.get(at as usize)) {
            if symbol.kind.has_methods() || symbol.kind == SymbolKind::Module {
                return Some(symbol.exact);
            }
            at = symbol.parent;
        }
        None
    }

    /// All words of the caller's file.
    fn words(&mut self) -> &BTreeSet<Term> {
        let digest = self.names.files[self.caller.file].digest;
        self.words.entry(self.caller.file).or_insert_with(|| {
            let mut words = BTreeSet::new();
            if let Some(digest) = digest {
                let note = |term| {
                    words.insert(term);
                    None::<()>
                };
                digest.each_of(note, |(), _| ());
            }
            words
        })
    }
}

/// The only one of some places. Of several in one type, as overloads are, the longest.
fn one<'p>(places: impl Iterator<Item = &'p Place>) -> Option<Place> {
    let mut all = places;
    let mut best = *all.next()?;
    for place in all {
        if (place.file, place.parent) != (best.file, best.parent) {
            return None;
        }
        if place.size > best.size {
            best = *place;
        }
    }
    Some(best)
}

/// What the text before a name ends in.
fn receiver(before: &str) -> Receiver<'_> {
    let (rest, is_path) = match before.strip_suffix("::") {
        Some(rest) => (rest, true),
        None => match before.strip_suffix('.').or_else(|| before.strip_suffix("->")) {
            Some(rest) => (rest.strip_suffix(['?', '&', '!']).unwrap_or(rest), false),
            None => return Receiver::None,
        },
    };
    let word = rest.len() - rest.bytes().rev().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    match rest.get(word..).unwrap_or("") {
        "self" | "crate" if is_path => Receiver::None,
        "self" | "this" | "Self" | "cls" | "static" => Receiver::Own,
        word => Receiver::Word(word),
    }
}

/// Whether a file is a module of this name: `store.rs`, or a file in the folder `store`.
fn is_module(path: &str, word: &str) -> bool {
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or("");
    !word.is_empty() && (file.split('.').next() == Some(word) || parts.next() == Some(word))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{Counted, Digest, SymbolScore};
    use super::*;

    /// What the functions called `task` call, as `path:line`.
    fn called(files: &[(&str, &str)]) -> Vec<String> {
        let digests: Vec<Digest> = files
            .iter()
            .map(|(path, text)| {
                let language = contexture_syntax::language_of(path, text).unwrap();
                let structure = contexture_syntax::read(language, text).unwrap();
                Digest::of(text, Some((language, &structure)), Counted::All)
            })
            .collect();
        let entries: Vec<RankEntry<'_>> = (files.iter().zip(&digests))
            .map(|((path, text), digest)| RankEntry { path, digest: Some(digest), text: Some(text) })
            .collect();
        let score = |is_task: bool| SymbolScore {
            parts: [0.0; super::super::parts::SYMBOL],
            score: 0.0,
            learned: 0.0,
            probability: if is_task { 0.5 } else { 0.0 },
        };
        let is_task = |symbol: &super::super::Symbol| symbol.exact == terms::exact("task");
        let ranking = Ranking {
            symbols: digests
                .iter()
                .map(|digest| digest.symbols.iter().map(|symbol| score(is_task(symbol))).collect())
                .collect(),
            ..Ranking::default()
        };
        let mut all = Vec::new();
        for (file, callers) in calls(&entries, &ranking).into_iter().enumerate() {
            for (symbol, callers) in callers {
                if [callers.near, callers.far].into_iter().flatten().all(|caller| caller.probability < 0.5) {
                    continue;
                }
                let at = digests[file].symbols[symbol as usize].span.start as usize;
                all.push(format!("{}:{}", files[file].0, files[file].1[..at].matches('\n').count() + 1));
            }
        }
        all
    }

    #[test]
    fn a_call_without_a_receiver_means_no_method() {
        let files = [
            ("task.py", "def task(x):\n    return len(x) + read_all(x) + render_page(x)\n"),
            (
                "stream.py",
                "class Stream:\n    def len(self):\n        return 1\n\n    def read_all(self):\n        return 2\n",
            ),
            ("page.py", "def render_page(x):\n    return x\n"),
        ];
        assert_eq!(called(&files), ["page.py:1"]);
        let files = [
            (
                "task.rs",
                "fn task(x: X) {\n    drop(x);\n    helper(1);\n}\n\nimpl Drop for X {\n    fn drop(&mut self) {}\n}\n\nfn helper(n: u8) {}\n",
            ),
            ("other.rs", "fn helper(n: u8) {}\n"),
        ];
        assert_eq!(called(&files), ["task.rs:10"]);
    }

    #[test]
    fn a_plain_name_means_what_its_file_or_its_module_defines() {
        let text = "import store\n\ndef task(x):\n    return store.load(x) + save(x) + other.load(x) + x.close()\n";
        let store = "def load(x):\n    return x\n\n\ndef save(x):\n    return x\n";
        assert_eq!(called(&[("task.py", text), ("store.py", store)]), ["store.py:1"]);
        let close = "class File:\n    def close(self):\n        return 1\n";
        assert!(called(&[("task.py", text), ("file.py", close)]).is_empty());
    }

    #[test]
    fn what_is_vendored_or_a_test_is_not_called_from_outside() {
        let text = "int task(void) {\n    return load_config(1) + init_all(2);\n}\n";
        let config = "int load_config(int n) {\n    return n;\n}\n";
        let init = "int init_all(int n) {\n    return n;\n}\n";
        let vendored = called(&[("src/task.c", text), ("vendor/a/config.c", config), ("tests/init.c", init)]);
        assert!(vendored.is_empty(), "{vendored:?}");
        assert_eq!(
            called(&[("src/task.c", text), ("vendor/config.c", config), ("src/config.c", config)]),
            ["src/config.c:1"]
        );
        assert_eq!(called(&[("tests/task.c", text), ("tests/init.c", init)]), ["tests/init.c:1"]);
    }

    #[test]
    fn calls_of_ruby_need_no_parentheses() {
        let text = "class Cop\n  def task(line)\n    return if cop_enabled_at_line?(line)\n    find_ranges\n    reload! unless ready?\n    limit\n  end\n\n  def cop_enabled_at_line?(line)\n    line\n  end\n\n  def find_ranges\n    1\n  end\n\n  def reload!\n    1\n  end\n\n  def limit\n    3\n  end\nend\n";
        assert_eq!(called(&[("cop.rb", text)]), ["cop.rb:9", "cop.rb:13", "cop.rb:17"]);
    }

    #[test]
    fn of_several_methods_the_receiver_or_the_mentioned_type_decides() {
        let tx = "pub struct Tx;\n\nimpl Tx {\n    pub fn is_closed(&self) -> bool {\n        true\n    }\n}\n";
        let rx = "pub struct Rx;\n\nimpl Rx {\n    pub fn is_closed(&self) -> bool {\n        false\n    }\n}\n";
        let by_receiver = "fn task(a: A) {\n    a.tx.is_closed();\n}\n";
        assert_eq!(called(&[("task.rs", by_receiver), ("tx.rs", tx), ("rx.rs", rx)]), ["tx.rs:4"]);
        let by_mention = "use rx::Rx;\n\nfn task(a: A) {\n    a.channel.is_closed();\n}\n";
        assert_eq!(called(&[("task.rs", by_mention), ("sender.rs", tx), ("receiver.rs", rx)]), ["receiver.rs:4"]);
        let by_neither = "fn task(a: A) {\n    a.channel.is_closed();\n}\n";
        assert!(called(&[("task.rs", by_neither), ("tx.rs", tx), ("rx.rs", rx)]).is_empty());
        let own = "struct A;\n\nimpl A {\n    fn task(&self) {\n        self.is_closed();\n    }\n\n    fn is_closed(&self) {}\n}\n";
        assert_eq!(called(&[("task.rs", own), ("tx.rs", tx), ("rx.rs", rx)]), ["task.rs:8"]);
    }
}
