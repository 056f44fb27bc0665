//! Tables and verdicts from what was measured.
//!
//! Takes outcomes; gives Markdown. Measures nothing. Ratios are of the smallest times, because disturbance only ever adds;
//! the medians stand beside them. A target whose rows are missing or failed says so and never counts as met.

use super::Corpus;
use super::measure::Outcome;
use super::ours::{COLD, COLD_DIST, FIRST, LIMIT, LIMIT_COUNT, LIMIT_SYNC, WARM, WARM_DIST, WARM_FILE};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const MB: f64 = 1_000_000.0;

/// How a target compares two rows: the first divided by the second must be at most, or at least, the number.
pub enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

/// The name of a target, the rows it compares, and how.
pub struct Target(pub &'static str, pub &'static str, pub &'static str, pub Bound);

/// The speed targets of the product.
const TARGETS: &[Target] = &[
    Target("warm, to stdout", WARM, LIMIT, Bound::AtMost(2.0)),
    Target("warm, durable file", WARM_FILE, LIMIT_SYNC, Bound::AtMost(2.0)),
    Target("source build against package, warm", WARM, WARM_DIST, Bound::AtMost(1.05)),
    Target("source build against package, cold", COLD, COLD_DIST, Bound::AtMost(1.05)),
    Target("warm against yek", "yek", WARM, Bound::AtLeast(1.0)),
    Target("exact counts from nothing", COLD, LIMIT_COUNT, Bound::AtMost(1.25)),
    Target("the same, filling a cache", FIRST, LIMIT_COUNT, Bound::AtMost(1.25)),
    Target("from nothing against code2prompt", "code2prompt", COLD, Bound::AtLeast(6.0)),
    Target("from nothing against repomix", "repomix", COLD, Bound::AtLeast(4.0)),
];

/// Peak memory: at most 1.5 times the text and 60 MB for the program itself with its vocabulary.
const MEMORY: (f64, f64) = (1.5, 60.0);

/// A curve counts as a line when a megabyte of the last 20,000 files costs at most this times one of the first 10,000.
/// Work that grows as n log n (a sort) would show as 1.15 there, a square as 3.6.
const STRAIGHT: f64 = 1.3;

/// A row with less than this part of the text did another task and takes no part in a verdict. The product shortens lock files,
/// tables and generated files by rule, which is well below the half that is left as room.
const WHOLE: f64 = 0.5;

/// The tables of one corpus.
pub fn files(corpus: &Corpus, rows: &[Outcome]) -> String {
    let mut text = format!(
        "### {}: {} text files, {:.1} MB, {:.2} M tokens (o200k)\n\n",
        corpus.name,
        corpus.files,
        corpus.bytes as f64 / MB,
        corpus.tokens as f64 / MB
    );
    text.push_str("| program | what it does | best s | median s | × limit | peak MB | output MB | remark |\n");
    text.push_str("|---|---|--:|--:|--:|--:|--:|---|\n");
    let all: Vec<&Outcome> = rows.iter().collect();
    for row in rows {
        let times_limit = ratio(&all, &row.name, LIMIT, Outcome::min);
        let cells = [
            row.name.clone(),
            row.about.clone(),
            number(row.min(), 3),
            number(row.median(), 3),
            number(times_limit, 1),
            number(row.peak_kib.map(megabytes), 0),
            format!("{:.1}", row.output_bytes as f64 / MB),
            remark(row, corpus),
        ];
        line(&mut text, &cells);
    }
    let whole: Vec<&Outcome> = rows.iter().filter(|row| share(row, corpus) >= WHOLE).collect();
    targets(&mut text, &whole, TARGETS);
    let ours = whole.iter().filter(|row| row.name.starts_with("contexture") && row.min().is_some());
    let peak = ours.filter_map(|row| row.peak_kib).max().map(megabytes);
    let allowed = MEMORY.0 * corpus.bytes as f64 / MB + MEMORY.1;
    let wanted = format!("all contexture rows ≤ {} × text + {} MB = {allowed:.0} MB", MEMORY.0, MEMORY.1);
    let found = peak.map_or_else(|| "–".to_owned(), |peak| format!("{peak:.0} MB"));
    line(
        &mut text,
        &["peak memory".to_owned(), wanted, found, String::new(), verdict(peak.map(|peak| peak <= allowed))],
    );
    text
}

/// The table of one corpus whose outputs are not all of the text.
pub fn table(corpus: &Corpus, rows: &[Outcome], wanted: &[Target]) -> String {
    let mut text = format!("### {}: {} text files, {:.1} MB\n\n", corpus.name, corpus.files, corpus.bytes as f64 / MB);
    text.push_str("| program | what it does | best s | median s | peak MB | output MB | remark |\n");
    text.push_str("|---|---|--:|--:|--:|--:|---|\n");
    for row in rows {
        let cells = [
            row.name.clone(),
            row.about.clone(),
            number(row.min(), 3),
            number(row.median(), 3),
            number(row.peak_kib.map(megabytes), 0),
            format!("{:.1}", row.output_bytes as f64 / MB),
            row.remark.clone().unwrap_or_default(),
        ];
        line(&mut text, &cells);
    }
    targets(&mut text, &rows.iter().collect::<Vec<_>>(), wanted);
    text
}

/// Whether the rows meet the targets.
fn targets(text: &mut String, rows: &[&Outcome], wanted: &[Target]) {
    text.push_str("\n| target | wanted | best | median | verdict |\n|---|---|--:|--:|---|\n");
    for Target(name, above, below, bound) in wanted {
        let best = ratio(rows, above, below, Outcome::min);
        let (wanted, met) = match bound {
            Bound::AtMost(most) => (format!("{above} ≤ {most} × {below}"), best.map(|found| found <= *most)),
            Bound::AtLeast(least) => (format!("{above} ≥ {least} × {below}"), best.map(|found| found >= *least)),
        };
        let median = ratio(rows, above, below, Outcome::median);
        line(text, &[(*name).to_owned(), wanted, number(best, 2), number(median, 2), verdict(met)]);
    }
}

/// The table of the curve, one line per sample, and whether it is straight for these rows.
pub fn curve(points: &[(Vec<Outcome>, Corpus)], rows: &[&str]) -> String {
    let mut text = String::from("### Curve: samples of the same mixture\n\n");
    text.push_str("| files | text MB | program | best s | median s | µs per file | peak MB | KB per file |\n");
    text.push_str("|--:|--:|---|--:|--:|--:|--:|--:|\n");
    for (rows, corpus) in points {
        for row in rows {
            let files = corpus.files.max(1) as f64;
            let cells = [
                corpus.files.to_string(),
                format!("{:.1}", corpus.bytes as f64 / MB),
                row.name.clone(),
                number(row.min(), 3),
                number(row.median(), 3),
                number(row.min().map(|time| time * 1e6 / files), 0),
                number(row.peak_kib.map(megabytes), 0),
                number(row.peak_kib.map(|peak| megabytes(peak) * 1000.0 / files), 1),
            ];
            line(&mut text, &cells);
        }
    }
    text.push_str("\n| straight line | wanted | found | verdict |\n|---|---|--:|---|\n");
    for name in rows {
        let time = bend(points, name, Outcome::min);
        let memory = bend(points, name, |row| row.peak_kib.map(megabytes));
        for (what, found) in [("time", time), ("memory", memory)] {
            let met = found.map(|found| found <= STRAIGHT);
            let wanted = format!("a MB after 10,000 files costs ≤ {STRAIGHT} × one before");
            line(&mut text, &[format!("{name}, {what}"), wanted, number(found, 2), verdict(met)]);
        }
    }
    text
}

/// Puts a section between its markers in the document.
pub fn write(document: &Path, section: &str, conditions: &str, text: &str) -> Result<(), String> {
    let old = fs::read_to_string(document).map_err(|error| format!("cannot read `{}`: {error}", document.display()))?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let body = format!("Measured on {cores} cores, {conditions}.\n\n{}", text.trim_end());
    let new = between(&old, section, &body)
        .ok_or_else(|| format!("no marker `bench:{section}` in `{}`", document.display()))?;
    fs::write(document, new).map_err(|error| format!("cannot write `{}`: {error}", document.display()))
}

/// The document with the text between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->` replaced.
fn between(old: &str, section: &str, body: &str) -> Option<String> {
    let (open, close) = (format!("<!-- bench:{section} -->"), format!("<!-- /bench:{section} -->"));
    let (head, rest) = old.split_once(&open)?;
    let (_, tail) = rest.split_once(&close)?;
    Some(format!("{head}{open}\n{body}\n{close}{tail}"))
}

/// What a megabyte costs between the second-last and last point, over what it costs between the first and second-last. Start-up,
/// which every point pays once, falls out of both. Per megabyte, because the samples differ a little in bytes per file.
fn bend(points: &[(Vec<Outcome>, Corpus)], name: &str, figure: impl Fn(&Outcome) -> Option<f64>) -> Option<f64> {
    let at = |index: usize| {
        let (rows, corpus) = points.get(index)?;
        Some((corpus.bytes as f64, figure(rows.iter().find(|row| row.name == name)?)?))
    };
    let last = points.len().checked_sub(1)?;
    let (first, middle, last) = (at(0)?, at(last.checked_sub(1)?)?, at(last)?);
    let slope = |from: (f64, f64), to: (f64, f64)| (to.1 - from.1) / (to.0 - from.0);
    let (early, late) = (slope(first, middle), slope(middle, last));
    (early > 0.0).then_some(late / early)
}

fn ratio(rows: &[&Outcome], above: &str, below: &str, figure: impl Fn(&Outcome) -> Option<f64>) -> Option<f64> {
    let find = |name: &str| rows.iter().find(|row| row.name == name).and_then(|row| figure(row));
    Some(find(above)? / find(below)?)
}

/// What part of the text is in the output, counted by bytes alone.
fn share(row: &Outcome, corpus: &Corpus) -> f64 {
    row.output_bytes as f64 / corpus.bytes.max(1) as f64
}

/// A program that leaves out a tenth or more of the text is said to, whatever its reason.
fn remark(row: &Outcome, corpus: &Corpus) -> String {
    let share = share(row, corpus);
    let short = (row.min().is_some() && share < 0.9).then(|| format!("shows {:.0} % of the text", share * 100.0));
    let parts: Vec<String> = row.remark.iter().cloned().chain(short).collect();
    parts.join("; ")
}

fn verdict(met: Option<bool>) -> String {
    match met {
        Some(true) => "PASS",
        Some(false) => "MISS",
        None => "not measured",
    }
    .to_owned()
}

fn megabytes(kib: u64) -> f64 {
    kib as f64 * 1024.0 / MB
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
}

fn line(text: &mut String, cells: &[String]) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

#[cfg(test)]
mod tests;
