//! What some files refer to: the files that define the names which they import or say.
//!
//! Takes all files with their digests, and which of them are asked about, with their texts; gives the others that these need, the most
//! needed first, each with the names that lead to it. What an import means is for [`imports`] to say: a library leads nowhere, a file of the project
//! to itself. Where that is not known a name leads to the file of that name or to what defines it, and where several do, to the nearest. Judges
//! only; what is shown of them is for whoever asks.

use super::imports::{ImportTarget, Project};
use super::uses::{Definition, WHOLE_FILE, definitions};
use super::{RankEntry, terms};
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
/// What an import tells that is a file, a name in one, and a name in the code: several of these are as good as one import.
const RESOLVED: f32 = 2.0;
const IMPORTED: f32 = 1.0;
const NAMED: f32 = 0.3;
/// Less than two names in the code, or one that many share, is chance.
const LEAST: f32 = 0.5;
/// An import goes on over so many lines at most.
const LONGEST: usize = 60;

/// What the files at the places `from` refer to, the most needed first; none of these themselves. Only those with a text are
/// looked at.
pub fn refers(files: &[RankEntry<'_>], from: &[usize]) -> Vec<Referred> {
    let definitions = definitions(files);
    let project = Project::of(files);
    let mut found: BTreeMap<usize, Referred> = BTreeMap::new();
    let asked: BTreeSet<usize> = from.iter().copied().collect();
    for seed in &asked {
        let Some((path, text)) = files.get(*seed).and_then(|file| Some((file.path, file.text?))) else { continue };
        let said = Mentions::of(text, path, &project);
        for (file, names) in said.files.iter().filter(|(file, _)| !asked.contains(file)) {
            let weight = RESOLVED / said.together.get(file).copied().unwrap_or(1).max(1) as f32;
            names.iter().for_each(|name| put(&mut found, *file, name, weight / names.len() as f32, true));
        }
        let group = |word: &str| {
            let term = terms::first(word);
            let start = definitions.partition_point(|one| one.term < term);
            let end = definitions.partition_point(|one| one.term <= term);
            &definitions[start..end]
        };
        // Files that an import calls by their own name: of namesakes, theirs are meant.
        let is_called = |one: &&Definition| one.symbol == WHOLE_FILE && one.file as usize != *seed;
        let mut called: BTreeSet<usize> = said
            .words
            .iter()
            .filter(|(_, word)| word.is_imported && word.within.is_empty())
            .flat_map(|(word, _)| nearest(group(word).iter().filter(is_called), path, files, &BTreeSet::new()))
            .collect();
        called.extend(said.files.keys());
        for (word, one) in &said.words {
            let group = group(word);
            if group.iter().any(|one| one.file as usize == *seed && one.symbol != WHOLE_FILE) {
                continue;
            }
            // What is imported from a part of the project is defined there, or handed on from another.
            let is_there =
                |at: &&Definition| one.within.iter().any(|part| is_within(files[at.file as usize].path, part));
            let is_symbol = |at: &&Definition| one.within.is_empty() || at.symbol != WHOLE_FILE;
            let is_known = group.iter().filter(is_symbol).any(|at| is_there(&at));
            let is_told = |at: &&Definition| {
                let is_meant = one.within.is_empty() || is_symbol(at) && (is_there(at) || !is_known);
                at.file as usize != *seed && is_meant && (one.is_imported || at.compound)
            };
            let named = nearest(group.iter().filter(is_told), path, files, &called);
            let (most, worth) = if one.is_imported { (NAMESAKES, IMPORTED) } else { (SAID, NAMED) };
            if named.len() > most {
                continue;
            }
            let weight = worth * (one.times.min(4) as f32).sqrt() / named.len() as f32;
            for file in named.into_iter().filter(|file| !asked.contains(file)) {
                put(&mut found, file, word, weight, one.is_imported);
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
    files: &[RankEntry<'_>],
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

fn put(found: &mut BTreeMap<usize, Referred>, file: usize, name: &str, weight: f32, is_imported: bool) {
    let one = found.entry(file).or_insert(Referred { file, weight: 0.0, is_imported: false, names: Vec::new() });
    one.weight += weight;
    one.is_imported |= is_imported;
    let at = if is_imported { 0 } else { one.names.len() };
    if !one.names.iter().any(|known| known == name) {
        one.names.insert(at, name.to_owned());
    }
}

fn is_within(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with(['/', '.']))
}

/// What a text says: the files it imports, and names: all in its imports, and those of several words elsewhere.
#[derive(Default)]
struct Mentions {
    words: BTreeMap<String, Word>,
    /// Each with the names that it is imported by.
    files: BTreeMap<usize, BTreeSet<String>>,
    /// How many files the same import means.
    together: BTreeMap<usize, usize>,
}

#[derive(Default)]
struct Word {
    times: u32,
    is_imported: bool,
    /// Parts of the project that it is imported from.
    within: BTreeSet<String>,
}

impl Mentions {
    fn of(text: &str, path: &str, project: &Project<'_>) -> Self {
        let mut said = Self::default();
        let mut outside = BTreeSet::new();
        let (mut import, mut open) = (String::new(), 0);
        for line in text.lines() {
            let is_import = open > 0 || begins_import(line);
            if !is_import {
                terms::words(line, |word| {
                    if terms::is_compound(word) {
                        said.words.entry(word.to_owned()).or_default().times += 1;
                    }
                });
                continue;
            }
            import.push_str(line.trim());
            import.push('\n');
            open = match is_open(line, open > 0) {
                true => (open + 1) % LONGEST,
                false => 0,
            };
            if open == 0 {
                said.import(path, &std::mem::take(&mut import), project, &mut outside);
            }
        }
        if !import.is_empty() {
            said.import(path, &import, project, &mut outside);
        }
        // What is imported from a library is not ours, however often it is said.
        said.words.retain(|word, one| one.is_imported || !outside.contains(word));
        said
    }

    fn import(&mut self, path: &str, import: &str, project: &Project<'_>, outside: &mut BTreeSet<String>) {
        for import in project.imports(path, import) {
            let mut words = Vec::new();
            terms::words(&import.names, |word| words.push(word.to_owned()));
            let within = match import.target {
                ImportTarget::Outside => {
                    outside.extend(words);
                    continue;
                }
                ImportTarget::Files(files, folder) => {
                    for file in &files {
                        let name = words.last().cloned().unwrap_or_else(|| project.name(*file).to_owned());
                        self.files.entry(*file).or_default().insert(name);
                        self.together.insert(*file, files.len());
                    }
                    Some(folder)
                }
                ImportTarget::Within(folder) => Some(folder),
                ImportTarget::Name => None,
            };
            for word in words {
                let one = self.words.entry(word).or_default();
                one.times += 1;
                one.is_imported = true;
                one.within.extend(within.clone());
            }
        }
    }
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
    use crate::shape::{CodeReader, InProcess, TextForm};

    fn referred(files: &[(&str, &str)], from: &[&str]) -> Vec<(String, bool, Vec<String>)> {
        let digests: Vec<Digest> = files
            .iter()
            .map(|(path, text)| {
                let language = contexture_syntax::language_of(path, text);
                (*InProcess.digest(language, text, TextForm::AsItIs, None)).clone()
            })
            .collect();
        let entries: Vec<RankEntry<'_>> = files
            .iter()
            .zip(&digests)
            .map(|((path, text), digest)| RankEntry { path, digest: Some(digest), text: Some(text) })
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

    fn paths(files: &[(&str, &str)], from: &str) -> Vec<String> {
        referred(files, &[from]).into_iter().map(|one| one.0).collect()
    }

    /// `use std::io` led to a file that defines `io`.
    #[test]
    fn rust_paths_lead_to_modules_and_libraries_nowhere() {
        let files = [
            ("Cargo.toml", "[workspace]\nmembers = [\"app\", \"my-core\"]\n"),
            ("app/Cargo.toml", "[package]\nname = \"app\"\n"),
            ("my-core/Cargo.toml", "[package]\nname = \"my-core\"\n"),
            (
                "app/src/main.rs",
                "use std::io::{self, Write};\nuse serde::Value;\nuse my_core::{Block, rank::score};\nuse crate::net::{io::Wire, send};\nmod net;\n\nfn main() {}\n",
            ),
            ("app/src/net/mod.rs", "pub mod io;\npub mod send;\nmod deep;\n"),
            (
                "app/src/net/io.rs",
                "use super::send::Frame;\nuse self::inner::Part;\nuse crate::Options;\npub struct Wire;\n",
            ),
            ("app/src/net/io/inner.rs", "pub struct Part;\n"),
            ("app/src/net/send.rs", "pub struct Frame;\n"),
            ("app/src/net/deep.rs", "use super::super::util::help_me;\nuse super::*;\n"),
            ("app/src/util.rs", "pub fn help_me() {}\npub struct Value;\n"),
            ("app/src/options.rs", "pub struct Options;\n"),
            ("my-core/src/lib.rs", "pub mod block;\npub mod rank;\n"),
            ("my-core/src/block.rs", "pub struct Block;\n"),
            ("my-core/src/rank.rs", "pub fn score() {}\n"),
            ("other/io.rs", "pub fn io() {}\npub struct Write;\npub struct Block;\npub struct Options;\n"),
        ];
        let mut of_main = paths(&files, "app/src/main.rs");
        of_main.sort();
        let wanted = [
            "app/src/net/io.rs",
            "app/src/net/mod.rs",
            "app/src/net/send.rs",
            "my-core/src/block.rs",
            "my-core/src/rank.rs",
        ];
        assert_eq!(of_main, wanted);
        let mut of_io = paths(&files, "app/src/net/io.rs");
        of_io.sort();
        assert_eq!(of_io, ["app/src/net/io/inner.rs", "app/src/net/send.rs", "app/src/options.rs"]);
        assert_eq!(paths(&files, "app/src/net/deep.rs"), ["app/src/util.rs"]);
    }

    #[test]
    fn python_modules() {
        let files = [
            (
                "pkg/app.py",
                "import os, json\nimport pkg.tools as t\nfrom typing import Table\nfrom . import views\nfrom .models import (\n    User,\n)\nfrom ..shared.base import Base\n",
            ),
            ("pkg/tools.py", "def run():\n    pass\n"),
            ("pkg/views.py", "x = 1\n"),
            ("pkg/models.py", "class User:\n    pass\n"),
            ("pkg/json.txt", "json\n"),
            ("shared/base.py", "class Base:\n    pass\n"),
            ("other/table.py", "class Table:\n    pass\n\ndef json():\n    pass\n"),
            ("other/models.py", "class User:\n    pass\n"),
        ];
        let mut found = paths(&files, "pkg/app.py");
        found.sort();
        assert_eq!(found, ["pkg/models.py", "pkg/tools.py", "pkg/views.py", "shared/base.py"]);
    }

    #[test]
    fn scripts_follow_ways_and_not_packages() {
        let files = [
            ("package.json", "{\n  \"name\": \"site\"\n}\n"),
            ("lib/package.json", "{\n  \"name\": \"@own/lib\"\n}\n"),
            (
                "src/a.ts",
                "import React from 'react';\nimport { makeThing } from './b.js';\nimport x from '../up';\nimport { helpMe } from '@own/lib';\nimport y from '@/deep/y';\nconst z = require('lodash/chunk');\n",
            ),
            ("src/b.ts", "export function makeThing() {}\n"),
            ("src/deep/y/index.ts", "export default 1;\n"),
            ("up.tsx", "export default 2;\n"),
            ("lib/src/help.ts", "export function helpMe() {}\n"),
            ("other/react.ts", "export class React {}\nexport function chunk() {}\n"),
            ("other/b.ts", "export function makeThing() {}\n"),
        ];
        let mut found = paths(&files, "src/a.ts");
        found.sort();
        assert_eq!(found, ["lib/src/help.ts", "src/b.ts", "src/deep/y/index.ts", "up.tsx"]);
    }

    /// A list of its own left out `.hxx`, `.cu` and others.
    #[test]
    fn every_ending_of_a_language_follows_its_rule() {
        for path in ["src/a.hxx", "src/a.cu", "src/a.inl", "src/a.cpp"] {
            let files = [(path, "#include \"b.h\"\n"), ("src/b.h", "int b;\n"), ("other/b.h", "int b;\n")];
            assert_eq!(paths(&files, path), ["src/b.h"], "{path}");
        }
    }

    #[test]
    fn go_packages_of_the_module() {
        let files = [
            ("go.mod", "module example.com/app\n\ngo 1.22\n"),
            (
                "main.go",
                "package main\n\nimport (\n\t\"fmt\"\n\t\"github.com/x/store\"\n\tst \"example.com/app/internal/state\"\n)\n\nfunc main() { fmt.Println(st.New()) }\n",
            ),
            ("internal/state/state.go", "package state\n\nfunc New() int { return 1 }\n"),
            ("internal/state/state_test.go", "package state\n"),
            ("pkg/store/store.go", "package store\n\nfunc Store() {}\n"),
            ("pkg/fmt/fmt.go", "package fmt\n"),
        ];
        assert_eq!(paths(&files, "main.go"), ["internal/state/state.go"]);
    }

    #[test]
    fn java_classes_of_the_project() {
        let files = [
            (
                "src/main/java/com/x/App.java",
                "package com.x;\n\nimport java.util.List;\nimport com.x.model.User;\nimport static com.x.util.Text.trim;\n\nclass App {}\n",
            ),
            ("src/main/java/com/x/model/User.java", "package com.x.model;\n\npublic class User {}\n"),
            ("src/main/java/com/x/util/Text.java", "package com.x.util;\n\npublic class Text {}\n"),
            ("src/main/java/com/y/List.java", "package com.y;\n\npublic class List {}\n"),
        ];
        let mut found = paths(&files, "src/main/java/com/x/App.java");
        found.sort();
        assert_eq!(found, ["src/main/java/com/x/model/User.java", "src/main/java/com/x/util/Text.java"]);
    }

    #[test]
    fn headers_in_quotes_and_in_brackets() {
        let files = [
            (
                "src/a.c",
                "#include <io.h>\n#include <own/wide.h>\n#include \"part.h\"\n#include \"../shared/base.h\"\n#include \"gone.h\"\n",
            ),
            ("src/part.h", "int part(void);\n"),
            ("other/part.h", "int part(void);\n"),
            ("shared/base.h", "int base(void);\n"),
            ("include/own/wide.h", "int wide(void);\n"),
            ("other/io.h", "int io(void);\n"),
        ];
        let mut found = paths(&files, "src/a.c");
        found.sort();
        assert_eq!(found, ["include/own/wide.h", "shared/base.h", "src/part.h"]);
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
