//! What some files refer to: the files that define the names which they import or say.
//!
//! Takes all files with their digests, and which of them are asked about, with their texts; gives the others that these need, the most
//! needed first, each with the names that lead to it. Resolves no paths of any language: a name in an import leads to the file of that
//! name or to what defines it, and where several do, to the nearest. Judges only; what is shown of them is for whoever asks.

use super::uses::{Definition, WHOLE_FILE, definitions};
use super::{Entry, terms};
use std::collections::{BTreeMap, BTreeSet};

/// A file that is referred to.
#[derive(Clone, PartialEq, Debug)]
pub struct Referred {
    /// Its place in the list of files.
    pub file: usize,
    /// How much speaks for it; only differences mean something.
    pub weight: f32,
    /// Named where imports stand; else only in the code.
    pub is_imported: bool,
    /// As they are written, those that say most first.
    pub names: Vec<String>,
}

/// A name that more files define leads nowhere, though it is imported.
const NAMESAKES: usize = 24;
/// The same where it only stands in the code.
const SAID: usize = 3;
/// What a name in an import tells, and what one in the code does: several of these are as good as one import.
const IMPORTED: f32 = 1.0;
const NAMED: f32 = 0.3;
/// Less than two names in the code, or one that many share, is chance.
const LEAST: f32 = 0.5;
/// An import goes on over so many lines at most.
const LONGEST: usize = 60;

/// What the files at the places `from` refer to, the most needed first; none of these themselves. Only those with a text are
/// looked at.
pub fn refers(files: &[Entry<'_>], from: &[usize]) -> Vec<Referred> {
    let definitions = definitions(files);
    let mut found: BTreeMap<usize, Referred> = BTreeMap::new();
    let asked: BTreeSet<usize> = from.iter().copied().collect();
    for seed in &asked {
        let Some((path, text)) = files.get(*seed).and_then(|file| Some((file.path, file.text?))) else { continue };
        let said = said(text);
        let group = |word: &str| {
            let term = terms::first(word);
            let start = definitions.partition_point(|one| one.term < term);
            let end = definitions.partition_point(|one| one.term <= term);
            &definitions[start..end]
        };
        // Files that an import calls by their own name: of namesakes, theirs are meant.
        let is_called = |one: &&Definition| one.symbol == WHOLE_FILE && one.file as usize != *seed;
        let called: BTreeSet<usize> = said
            .iter()
            .filter(|(_, said)| said.is_imported)
            .flat_map(|(word, _)| nearest(group(word).iter().filter(is_called), path, files, &BTreeSet::new()))
            .collect();
        for (word, said) in &said {
            let group = group(word);
            if group.iter().any(|one| one.file as usize == *seed && one.symbol != WHOLE_FILE) {
                continue;
            }
            let is_told = |one: &&Definition| one.file as usize != *seed && (said.is_imported || one.compound);
            let meant = nearest(group.iter().filter(is_told), path, files, &called);
            let (most, worth) = if said.is_imported { (NAMESAKES, IMPORTED) } else { (SAID, NAMED) };
            if meant.len() > most {
                continue;
            }
            let weight = worth * (said.times.min(4) as f32).sqrt() / meant.len() as f32;
            for file in meant.into_iter().filter(|file| !asked.contains(file)) {
                let known = found.entry(file);
                let one = known.or_insert(Referred { file, weight: 0.0, is_imported: false, names: Vec::new() });
                one.weight += weight;
                one.is_imported |= said.is_imported;
                let at = if said.is_imported { 0 } else { one.names.len() };
                if !one.names.iter().any(|name| name == word) {
                    one.names.insert(at, (*word).to_owned());
                }
            }
        }
    }
    let mut all: Vec<Referred> = found.into_values().filter(|one| one.weight >= LEAST).collect();
    all.sort_by(|a, b| {
        let order = b.is_imported.cmp(&a.is_imported).then(b.weight.total_cmp(&a.weight));
        order.then_with(|| files[a.file].path.cmp(files[b.file].path))
    });
    all
}

/// Of several files that are meant by one name, those that are called by theirs, and of these those with the longest way in common.
fn nearest<'a>(
    group: impl Iterator<Item = &'a Definition>,
    path: &str,
    files: &[Entry<'_>],
    called: &BTreeSet<usize>,
) -> BTreeSet<usize> {
    let mut best = (false, 0);
    let mut all = BTreeSet::new();
    for file in group.map(|one| one.file as usize) {
        let near = (called.contains(&file), common_folders(path, files[file].path));
        if near > best {
            all.clear();
            best = near;
        }
        if near == best {
            all.insert(file);
        }
    }
    all
}

fn common_folders(a: &str, b: &str) -> usize {
    fn folders(path: &str) -> impl Iterator<Item = &str> {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        folder.split('/').filter(|part| !part.is_empty())
    }
    folders(a).zip(folders(b)).take_while(|(a, b)| a == b).count()
}

struct Said {
    times: u32,
    is_imported: bool,
}

/// The names that a text says: all in its imports, and those of several words elsewhere.
fn said(text: &str) -> BTreeMap<&str, Said> {
    let mut all: BTreeMap<&str, Said> = BTreeMap::new();
    let mut open = 0;
    for line in text.lines() {
        let is_import = open > 0 || begins_import(line);
        terms::words(line, |word| {
            if is_import || terms::is_compound(word) {
                let said = all.entry(word).or_insert(Said { times: 0, is_imported: false });
                said.times += 1;
                said.is_imported |= is_import;
            }
        });
        open = match is_import && is_open(line, open > 0) {
            true => (open + 1) % LONGEST,
            false => 0,
        };
    }
    all
}

/// Whether an import goes on in the next line.
fn is_open(line: &str, was_open: bool) -> bool {
    let count = |signs: [char; 2]| line.matches(signs).count();
    let (opened, closed) = (count(['{', '(']), count(['}', ')']));
    opened > closed || (was_open && closed <= opened) || line.trim_end().ends_with(['\\', ','])
}

/// How lines begin in which files name others, in the languages that are known. A word of prose that begins a line so is rare, and
/// what follows it must still be a name of the project.
fn begins_import(line: &str) -> bool {
    const WORDS: [&str; 22] = [
        "use",
        "import",
        "from",
        "require",
        "require_relative",
        "require_once",
        "include",
        "include_once",
        "using",
        "mod",
        "open",
        "source",
        "load",
        "alias",
        "extern",
        "package",
        "export",
        "part",
        "library",
        "local",
        "const",
        "var",
    ];
    let line = line.trim_start().trim_start_matches(['#', '@', '%', '-']).trim_start();
    let line = line.strip_prefix("pub ").or_else(|| line.strip_prefix("pub(crate) ")).unwrap_or(line);
    let end = line.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(line.len());
    match &line[..end] {
        // These begin other things as well.
        "const" | "var" | "local" => line.contains("require(") || line.contains("import("),
        "export" => line.contains(" from "),
        "mod" => line.trim_end().ends_with(';'),
        "package" | "open" => false,
        word => WORDS.contains(&word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::Digest;
    use crate::shape::{CodeReader, Form, InProcess};

    fn referred(files: &[(&str, &str)], from: &[&str]) -> Vec<(String, bool, Vec<String>)> {
        let digests: Vec<Digest> = files
            .iter()
            .map(|(path, text)| {
                let language = contexture_syntax::language_of(path, text);
                (*InProcess.digest(language, text, Form::AsItIs, None)).clone()
            })
            .collect();
        let entries: Vec<Entry<'_>> = files
            .iter()
            .zip(&digests)
            .map(|((path, text), digest)| Entry { path, digest: Some(digest), text: Some(text) })
            .collect();
        let places: Vec<usize> =
            from.iter().filter_map(|wanted| files.iter().position(|(path, _)| path == wanted)).collect();
        let told = |one: Referred| (files[one.file].0.to_owned(), one.is_imported, one.names);
        refers(&entries, &places).into_iter().map(told).collect()
    }

    #[test]
    fn an_import_leads_to_the_file_of_its_name_and_to_what_defines_it() {
        let files = [
            ("src/main.rs", "use crate::parse::{\n    parse_line,\n};\n\nfn main() { parse_line(\"\"); }\n"),
            ("src/parse.rs", "pub fn parse_line(text: &str) {}\n"),
            ("src/other.rs", "pub fn nothing() {}\n"),
            ("tools/parse.rs", "pub fn parse_other() {}\n"),
        ];
        let found = referred(&files, &["src/main.rs"]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].0.as_str(), found[0].1), ("src/parse.rs", true));
        assert!(found[0].2.contains(&"parse_line".to_owned()), "{found:?}");
    }

    #[test]
    fn words_of_prose_and_own_names_lead_nowhere() {
        let files = [
            (
                "a.py",
                "\"\"\"Reads the config and the table.\"\"\"\n\ndef read_all():\n    table = 1\n    return table\n",
            ),
            ("config.py", "def load():\n    pass\n"),
            ("table.py", "class Table:\n    pass\n"),
            ("b.py", "def read_all():\n    pass\n"),
        ];
        assert_eq!(referred(&files, &["a.py"]), []);
    }

    #[test]
    fn what_is_asked_about_is_not_told() {
        let files = [
            ("a.ts", "import { makeThing } from './b';\nmakeThing();\n"),
            ("b.ts", "import { otherThing } from './c';\nexport function makeThing() { otherThing(); }\n"),
            ("c.ts", "export function otherThing() {}\n"),
        ];
        let paths = |from: &[&str]| referred(&files, from).into_iter().map(|one| one.0).collect::<Vec<_>>();
        assert_eq!(paths(&["a.ts"]), ["b.ts"]);
        assert_eq!(paths(&["a.ts", "b.ts"]), ["c.ts"]);
    }
}
