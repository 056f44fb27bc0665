//! What the judges found, in words: a section for each language, one table for all, and the same in docs/views.md.
//!
//! Takes verdicts; gives text. The demands that decide pass or fail stand here too, in `Summary::passed`.

use super::{causes, ctags, python, reparse, reparse::File, rust_items};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The share of ctags' definitions that must be among our symbols.
const DEMANDED: f64 = 0.99;

/// Everything about one language that a section tells.
pub struct Row {
    summary: Summary,
    figures: reparse::Figures,
    kinds: BTreeMap<String, (usize, usize)>,
    /// Cause, place, source line of each miss.
    misses: Vec<(String, String, String)>,
    python: Option<python::Verdict>,
    rust: Option<rust_items::Verdict>,
}

/// The figures of one language that the table tells.
#[derive(Clone)]
pub struct Summary {
    pub language: String,
    packages: Vec<String>,
    files: usize,
    bytes: u64,
    refused: usize,
    with_errors: usize,
    found: usize,
    all: usize,
    /// Definitions of ctags that are none.
    mistaken: usize,
    /// The causes of the misses, most frequent first.
    causes: Vec<(String, usize)>,
    worse: usize,
    outline_differs: usize,
    size: f64,
    /// What a second judge says: `ast` or `syn`.
    second: Option<(String, usize)>,
}

impl Summary {
    pub fn passed(&self) -> bool {
        let enough = self.found as f64 >= DEMANDED * self.real() as f64;
        let second = self.second.as_ref().is_none_or(|(_, problems)| *problems == 0);
        enough && second && self.worse == 0 && self.outline_differs == 0
    }

    fn real(&self) -> usize {
        self.all - self.mistaken
    }
}

impl Row {
    pub fn new(
        key: &str,
        files: &[File],
        figures: reparse::Figures,
        verdict: &ctags::Verdict,
        told: Vec<(String, String)>,
        python: Option<python::Verdict>,
        rust: Option<rust_items::Verdict>,
    ) -> Self {
        let packages: BTreeSet<&str> = files.iter().map(|file| file.package.as_str()).collect();
        let misses: Vec<(String, String, String)> = verdict
            .misses
            .iter()
            .zip(told)
            .map(|(miss, (cause, line))| {
                let place = format!("{}:{}", miss.file.path.display(), miss.tag.line);
                (cause, place, format!("{} `{}`: {line}", miss.tag.kind, miss.tag.name))
            })
            .collect();
        let second = match (&python, &rust) {
            (Some(python), _) => Some((
                format!("ast: {} definitions in {} files", python.definitions, python.compared),
                python.problems.len(),
            )),
            (_, Some(rust)) => {
                Some((format!("syn: {} items in {} files", rust.items, rust.compared), rust.problems.len()))
            }
            _ => None,
        };
        let summary = Summary {
            language: key.to_owned(),
            packages: packages.into_iter().map(str::to_owned).collect(),
            files: figures.files,
            bytes: figures.bytes,
            refused: figures.refused.len(),
            with_errors: figures.with_errors,
            found: verdict.found(),
            all: verdict.all(),
            mistaken: misses.iter().filter(|(cause, _, _)| cause.starts_with(causes::MISTAKE)).count(),
            causes: counted(misses.iter().map(|(cause, _, _)| cause.as_str())),
            worse: figures.worse.len(),
            outline_differs: figures.outline_differs.len(),
            size: figures.skeleton_bytes as f64 / figures.read_bytes.max(1) as f64,
            second,
        };
        Self { summary, figures, kinds: verdict.kinds.clone(), misses, python, rust }
    }

    pub fn summary(&self) -> Summary {
        self.summary.clone()
    }
}

/// The report of one language; `show` is the number of examples for each group.
pub fn section(row: &Row, show: usize, home: &Path) -> String {
    let (figures, summary) = (&row.figures, &row.summary);
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(format!("## {}: {}", summary.language, if summary.passed() { "passed" } else { "NOT passed" }));
    line(format!(
        "{} files, {:.1} MB; {} with parse errors, {} not read; skeletons {:.1}% of the bytes",
        figures.files,
        figures.bytes as f64 / 1e6,
        figures.with_errors,
        figures.refused.len(),
        summary.size * 100.0
    ));
    let short = |path: &Path| {
        let text = path.strip_prefix(home.join("corpora")).unwrap_or(path);
        text.display().to_string()
    };
    let lists =
        [("skeleton has more errors", &figures.worse), ("outline differs from symbols", &figures.outline_differs)];
    for (name, list) in lists {
        line(format!("{name}: {}", list.len()));
        for (path, told) in list.iter().take(show) {
            line(format!("    {}: {told}", short(path)));
        }
    }
    for (cause, count) in counted(figures.refused.iter().map(|(_, cause)| cause.as_str())) {
        line(format!("not read: {count} {cause}"));
        for (path, _) in figures.refused.iter().filter(|(_, other)| *other == cause).take(show) {
            line(format!("    {}", short(path)));
        }
    }
    if summary.all > 0 {
        let (found, all, real) = (summary.found, summary.all, summary.real());
        line(format!(
            "ctags: {found} of {all} = {}; of the {real} that are definitions {}",
            percent(found, all),
            percent(found, real)
        ));
        for (kind, (found, all)) in &row.kinds {
            line(format!("    {kind:18} {found:7} of {all:7} = {}", percent(*found, *all)));
        }
        for (cause, count) in summary.causes.iter().take(40) {
            line(format!("  missed {count:6}: {cause}"));
            for (_, place, told) in row.misses.iter().filter(|(other, _, _)| other == cause).take(show) {
                line(format!("      {} {}", short(Path::new(place)), clip(told)));
            }
        }
    }
    if let Some(python) = &row.python {
        line(format!(
            "ast: {} files, {} definitions, {} differences",
            python.compared,
            python.definitions,
            python.problems.len()
        ));
        for (reason, count) in &python.skipped {
            line(format!("  not compared {count:6}: {reason}"));
        }
        for (cause, count) in counted(python.problems.iter().map(|problem| problem.cause.as_str())) {
            line(format!("  {count:6}: {cause}"));
            for problem in python.problems.iter().filter(|problem| problem.cause == cause).take(show) {
                line(format!("      {}:{} {}", short(&problem.path), problem.line, clip(&problem.told)));
            }
        }
    }
    if let Some(rust) = &row.rust {
        line(format!(
            "syn: {} files, {} items, {} differences; {} files that syn refuses; items in bodies: {} of {}",
            rust.compared,
            rust.items,
            rust.problems.len(),
            rust.skipped,
            rust.local.0,
            rust.local.1
        ));
        for (cause, count) in rust_items::causes(rust) {
            line(format!("  {count:6}: {cause}"));
            let same = rust.problems.iter().filter(|(_, _, told)| told.split(':').next() == Some(cause));
            for (path, at, told) in same.take(show) {
                line(format!("      {}:{at} {}", short(path), clip(told)));
            }
        }
    }
    out
}

/// All languages in one table, then the causes of what ctags has and we have not.
pub fn table(rows: &[Summary]) -> String {
    let mut out = String::from(
        "| language | files | MB | with parse errors | ctags' definitions | with the same line | without ctags' mistakes | skeleton with more errors | outline ≠ symbols | skeleton / source | second judge |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n",
    );
    for row in rows {
        let second =
            row.second.as_ref().map_or_else(String::new, |(told, problems)| format!("{told}, {problems} differences"));
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "| {} | {} | {:.1} | {} | {} | {} | {} | {} | {} | {:.0}% | {second} |",
            row.language,
            row.files,
            row.bytes as f64 / 1e6,
            row.with_errors,
            row.all,
            percent(row.found, row.all),
            percent(row.found, row.real()),
            row.worse,
            row.outline_differs,
            row.size * 100.0,
        );
    }
    out
}

/// Puts the figures between the markers of the document.
pub fn write(document: &Path, rows: &[Summary]) -> Result<(), String> {
    let old = fs::read_to_string(document).map_err(|error| format!("cannot read `{}`: {error}", document.display()))?;
    let mut body = table(rows);
    body.push_str("\nCorpora:\n\n");
    for row in rows {
        let refused = if row.refused > 0 { format!(" ({} files not read)", row.refused) } else { String::new() };
        let _ = writeln!(body, "- **{}**: {}{refused}", row.language, row.packages.join(", "));
    }
    body.push_str("\nWhat ctags has and we have not, by cause:\n\n");
    for row in rows.iter().filter(|row| !row.causes.is_empty()) {
        // The frequent ones; the rest is a handful of places each.
        let told: Vec<String> = row.causes.iter().take(6).map(|(cause, count)| format!("{count} {cause}")).collect();
        let more: usize = row.causes.iter().skip(6).map(|(_, count)| count).sum();
        let more = if more > 0 { format!("; {more} others") } else { String::new() };
        let _ = writeln!(body, "- **{}**: {}{more}", row.language, told.join("; "));
    }
    let new =
        between(&old, &body).ok_or_else(|| format!("no markers `{OPEN}` and `{CLOSE}` in `{}`", document.display()))?;
    fs::write(document, new).map_err(|error| format!("cannot write `{}`: {error}", document.display()))
}

const OPEN: &str = "<!-- check-views -->";
const CLOSE: &str = "<!-- /check-views -->";

pub(super) fn between(old: &str, body: &str) -> Option<String> {
    let (head, rest) = old.split_once(OPEN)?;
    let (_, tail) = rest.split_once(CLOSE)?;
    Some(format!("{head}{OPEN}\n{body}{CLOSE}{tail}"))
}

/// How often each word occurs, most frequent first.
fn counted<'a>(words: impl Iterator<Item = &'a str>) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for word in words {
        *counts.entry(word).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().map(|(word, count)| (word.to_owned(), count)).collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

fn percent(part: usize, all: usize) -> String {
    if all == 0 { "–".to_owned() } else { format!("{:.2}%", part as f64 * 100.0 / all as f64) }
}

/// A line that fits a terminal.
fn clip(text: &str) -> String {
    let short: String = text.chars().take(160).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}
