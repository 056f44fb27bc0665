//! The judge of symbols: universal-ctags, asked for the same files.
//!
//! Takes files that the library has read; gives for each kind how many of ctags' definitions are among our symbols with the
//! same name and line, and the rest as misses. Prototypes, members, locals and names that ctags makes up are not asked for.

use super::ours::Named;
use super::reparse::File;
use crate::proc;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How ctags is asked about a language.
struct Asked {
    key: &'static str,
    parser: &'static str,
    kinds: &'static str,
    /// A parser of our own in ctags' terms, for languages that it does not know: one expression a kind, line by line.
    own: &'static [&'static str],
}

const ASKED: &[Asked] = &[
    asked("python", "Python", "cfm"),
    asked("c", "C", "fgsu"),
    asked("cpp", "C++", "cfgsu"),
    asked("rust", "Rust", "Pfgis"),
    asked("javascript", "JavaScript", "cfgmGS"),
    asked("typescript", "TypeScript", "Gcfgim"),
    asked("tsx", "TypeScript", "Gcfgim"),
    asked("go", "Go", "fisn"),
    asked("java", "Java", "acgim"),
    asked("csharp", "C#", "cgims"),
    asked("ruby", "Ruby", "Scfm"),
    asked("php", "PHP", "cfit"),
    asked("kotlin", "Kotlin", "cimo"),
    asked("lua", "Lua", "f"),
    asked("bash", "Sh", "f"),
    Asked {
        key: "swift",
        parser: "JudgedSwift",
        kinds: "cefps",
        own: &[
            r"/^[ \t]*((@[A-Za-z_]+(\([^)]*\))?|[a-z]+(\([a-z]+\))?)[ \t]+)*func[ \t]+([A-Za-z_][A-Za-z0-9_]*)/\5/f,function/",
            r"/^[ \t]*((@[A-Za-z_]+(\([^)]*\))?|[a-z]+(\([a-z]+\))?)[ \t]+)*(class|actor)[ \t]+([A-Z][A-Za-z0-9_]*)/\6/c,class/",
            r"/^[ \t]*((@[A-Za-z_]+(\([^)]*\))?|[a-z]+(\([a-z]+\))?)[ \t]+)*struct[ \t]+([A-Z][A-Za-z0-9_]*)/\5/s,struct/",
            r"/^[ \t]*((@[A-Za-z_]+(\([^)]*\))?|[a-z]+(\([a-z]+\))?)[ \t]+)*enum[ \t]+([A-Z][A-Za-z0-9_]*)/\5/e,enum/",
            r"/^[ \t]*((@[A-Za-z_]+(\([^)]*\))?|[a-z]+(\([a-z]+\))?)[ \t]+)*protocol[ \t]+([A-Z][A-Za-z0-9_]*)/\5/p,protocol/",
        ],
    },
    Asked {
        key: "scala",
        parser: "JudgedScala",
        kinds: "cfot",
        own: &[
            r"/^[ \t]*((@[A-Za-z]+(\([^)]*\))?|private|protected|override|final|implicit|abstract|sealed|lazy|inline)(\[[A-Za-z]+\])?[ \t]+)*def[ \t]+([A-Za-z_$][A-Za-z0-9_$]*_[-!#%&*+:<=>?@\\^|~]+|[A-Za-z_$][A-Za-z0-9_$]*)/\5/f,function/",
            r"/^[ \t]*((@[A-Za-z]+(\([^)]*\))?|private|protected|override|final|implicit|abstract|sealed|case)(\[[A-Za-z]+\])?[ \t]+)*class[ \t]+([A-Za-z_$][A-Za-z0-9_$]*)/\5/c,class/",
            r"/^[ \t]*((@[A-Za-z]+(\([^)]*\))?|private|protected|override|final|implicit|abstract|sealed|case)(\[[A-Za-z]+\])?[ \t]+)*object[ \t]+([A-Za-z_$][A-Za-z0-9_$]*)/\5/o,object/",
            r"/^[ \t]*((@[A-Za-z]+(\([^)]*\))?|private|protected|override|final|implicit|abstract|sealed)(\[[A-Za-z]+\])?[ \t]+)*trait[ \t]+([A-Za-z_$][A-Za-z0-9_$]*)/\5/t,trait/",
        ],
    },
];

/// What ctags found in one place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tag {
    pub name: String,
    pub line: usize,
    pub kind: String,
}

pub struct Miss<'a> {
    pub file: &'a File,
    pub tag: Tag,
}

#[derive(Default)]
pub struct Verdict<'a> {
    /// By ctags' kind: found in ours, all.
    pub kinds: BTreeMap<String, (usize, usize)>,
    pub misses: Vec<Miss<'a>>,
}

impl Verdict<'_> {
    pub fn found(&self) -> usize {
        self.kinds.values().map(|(found, _)| found).sum()
    }

    pub fn all(&self) -> usize {
        self.kinds.values().map(|(_, all)| all).sum()
    }
}

/// Compares the symbols of all files that were read.
pub fn judge<'a>(home: &Path, key: &str, files: &'a [File]) -> Result<Verdict<'a>, String> {
    let Some(asked) = ASKED.iter().find(|asked| asked.key == key) else { return Ok(Verdict::default()) };
    let read: Vec<&File> = files.iter().filter(|file| file.reading.is_ok()).collect();
    // Two processes, as there are two threads everywhere else here.
    let (first, second) = read.split_at(read.len() / 2);
    let (first, second) = rayon::join(
        || tags(home, &format!("{key}-1"), asked, first),
        || tags(home, &format!("{key}-2"), asked, second),
    );
    let mut tags = first?;
    tags.extend(second?);
    let mut verdict = Verdict::default();
    for file in read {
        let Ok(reading) = &file.reading else { continue };
        let ours: BTreeSet<(String, usize)> =
            reading.symbols.iter().map(|Named { name, line, .. }| (plain(key, name), *line)).collect();
        for tag in tags.get(&file.path).into_iter().flatten() {
            let (found, all) = verdict.kinds.entry(tag.kind.clone()).or_default();
            *all += 1;
            if ours.contains(&(plain(key, &tag.name), tag.line)) {
                *found += 1;
            } else {
                verdict.misses.push(Miss { file, tag: tag.clone() });
            }
        }
    }
    Ok(verdict)
}

/// Whether ctags can be asked about a language.
#[cfg(test)]
pub(super) fn knows(key: &str) -> bool {
    ASKED.iter().any(|asked| asked.key == key)
}

/// Says what to do when the judge is not there; installs it where that needs no password.
pub fn install() -> Result<(), String> {
    let is_universal =
        || proc::capture(Command::new("ctags").arg("--version")).is_ok_and(|told| told.contains("Universal Ctags"));
    if is_universal() {
        return Ok(());
    }
    let hint = "install it with `apt-get install universal-ctags`";
    proc::capture(Command::new("apt-get").args(["install", "--yes", "-qq", "universal-ctags"]))
        .map_err(|cause| format!("universal-ctags is missing: {cause}; {hint}"))?;
    if is_universal() { Ok(()) } else { Err(format!("universal-ctags is missing; {hint}")) }
}

/// A name as both sides can write it: white space does not count; the table before a function in Lua and the interface before
/// a method in C# are scopes to us; the word `operator` is a keyword, the `#` of a private name a mark.
pub(super) fn plain(key: &str, name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_whitespace()).collect();
    match key {
        "lua" => name.rsplit(['.', ':', '{', '(', ',']).next().unwrap_or_default().to_owned(),
        "javascript" | "typescript" | "tsx" => name.trim_start_matches('#').to_owned(),
        "csharp" => {
            let name = name.rsplit('.').next().unwrap_or_default();
            name.strip_prefix("operator").unwrap_or(name).to_owned()
        }
        _ => name,
    }
}

/// Runs ctags over a list of files.
fn tags(home: &Path, list: &str, asked: &Asked, files: &[&File]) -> Result<BTreeMap<PathBuf, BTreeSet<Tag>>, String> {
    let lists = home.join("lists");
    fs::create_dir_all(&lists).map_err(|error| format!("cannot make `{}`: {error}", lists.display()))?;
    let list = lists.join(list);
    let names: Vec<String> = files.iter().map(|file| file.path.display().to_string()).collect();
    fs::write(&list, names.join("\n")).map_err(|error| format!("cannot write `{}`: {error}", list.display()))?;
    let mut ctags = Command::new("ctags");
    ctags.args(["--quiet=yes", "--options=NONE", "--output-format=json", "--sort=no"]);
    if !asked.own.is_empty() {
        ctags.arg(format!("--langdef={}", asked.parser));
        ctags.args(asked.own.iter().map(|own| format!("--regex-{}={own}", asked.parser)));
    }
    ctags.args(["--fields=NFnK", "--extras=-{anonymous}{pseudo}{reference}{qualified}{subparser}"]);
    ctags.arg(format!("--language-force={}", asked.parser));
    ctags.arg(format!("--kinds-{}={}", asked.parser, asked.kinds));
    ctags.args(["-f", "-", "-L"]).arg(&list);
    let told = proc::capture(&mut ctags)?;
    let mut found: BTreeMap<PathBuf, BTreeSet<Tag>> = BTreeMap::new();
    for line in told.lines() {
        let Ok(tag) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let (Some(name), Some(path), Some(line)) = (tag["name"].as_str(), tag["path"].as_str(), tag["line"].as_u64())
        else {
            continue;
        };
        let kind = tag["kind"].as_str().unwrap_or("unknown").to_owned();
        // Macros come from the preprocessor that ctags runs beside some parsers; they were not asked for.
        if !made_up(name) && kind != "macro" {
            let tag = Tag { name: name.to_owned(), line: usize::try_from(line).unwrap_or(usize::MAX), kind };
            found.entry(PathBuf::from(path)).or_default().insert(tag);
        }
    }
    Ok(found)
}

/// Names that ctags invents for what has none.
fn made_up(name: &str) -> bool {
    name.is_empty()
        || (name.starts_with('<') && name.ends_with('>') && name.len() > "<=>".len())
        || name.starts_with("__anon")
        || name.contains("AnonymousFunction")
        || name.contains("AnonymousClass")
}

const fn asked(key: &'static str, parser: &'static str, kinds: &'static str) -> Asked {
    Asked { key, parser, kinds, own: &[] }
}
