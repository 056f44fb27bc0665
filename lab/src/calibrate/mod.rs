//! `cargo xtask calibrate [--check] [--write FILE] DIR...`: fits the costs of the token estimate to real text and measures it.
//!
//! Takes folders of any text; prints the error per kind of text against both public vocabularies. `--write` puts the fitted
//! costs into a file (`crates/contexture-core/src/count/estimate/costs.rs`). `--check` fits nothing: it measures the costs as
//! built, on all files, for folders that no fit has seen. The texts themselves are never written anywhere.

mod corpus;
mod fit;
mod synthetic;

use contexture_core::estimate;
use rayon::prelude::*;
use std::collections::BTreeMap;

pub fn run(args: &[String]) -> Result<(), String> {
    let options = options(args)?;
    let mut samples = corpus::collect(&options.folders)?;
    if !options.check {
        samples.extend(synthetic::samples());
    }
    let rows = measure(samples)?;
    println!("{} texts, {} bytes", rows.len(), rows.iter().map(|row| row.bytes).sum::<usize>());
    let built = |row: &Row| row.built;
    if options.check {
        println!("costs as built, all files:\n{}", table(rows.iter(), built));
        return Ok(());
    }
    println!("costs as built, held-out files:\n{}", table(rows.iter().filter(|row| row.held_out), built));
    let costs = fit::fit(&rows.iter().filter(|row| !row.held_out).collect::<Vec<_>>());
    let fitted = |row: &Row| fit::predict(&costs, &row.features);
    println!("fitted costs, files of the fit:\n{}", table(rows.iter().filter(|row| !row.held_out), fitted));
    println!("fitted costs, held-out files:\n{}", table(rows.iter().filter(|row| row.held_out), fitted));
    match options.write {
        Some(path) => std::fs::write(&path, source(&costs)).map_err(|cause| format!("cannot write: `{path}`: {cause}")),
        None => {
            println!("{}", source(&costs));
            Ok(())
        }
    }
}

#[derive(Default)]
struct Options {
    folders: Vec<String>,
    write: Option<String>,
    check: bool,
}

fn options(args: &[String]) -> Result<Options, String> {
    let mut options = Options::default();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--write" => options.write = Some(words.next().ok_or("no file after `--write`")?.clone()),
            "--check" => options.check = true,
            unknown if unknown.starts_with('-') => return Err(format!("unknown option: `{unknown}`")),
            folder => options.folders.push(folder.to_owned()),
        }
    }
    if options.folders.is_empty() {
        return Err("no folder of text: try `cargo xtask calibrate DIR...`".to_owned());
    }
    Ok(options)
}

/// One text, measured.
struct Row {
    kind: &'static str,
    held_out: bool,
    bytes: usize,
    /// Slots with how often each is charged; most slots are absent.
    features: Vec<(usize, f64)>,
    o200k: f64,
    cl100k: f64,
    built: f64,
}

fn measure(samples: Vec<corpus::Sample>) -> Result<Vec<Row>, String> {
    let o200k = tiktoken::get_encoding("o200k_base").ok_or("vocabulary is missing: `o200k_base`")?;
    let cl100k = tiktoken::get_encoding("cl100k_base").ok_or("vocabulary is missing: `cl100k_base`")?;
    let row = |sample: corpus::Sample| {
        let features = estimate::features(&sample.text).into_iter().enumerate();
        Row {
            kind: sample.kind,
            held_out: sample.held_out,
            bytes: sample.text.len(),
            features: features.filter(|(_, count)| *count > 0).map(|(slot, count)| (slot, f64::from(count))).collect(),
            o200k: o200k.count(&sample.text) as f64,
            cl100k: cl100k.count(&sample.text) as f64,
            built: estimate::estimate(&sample.text) as f64,
        }
    };
    Ok(samples.into_par_iter().map(row).collect())
}

/// Per kind the relative error in percent (median, 95th percentile, largest), and the mean of its sign: a bias.
fn table<'a>(rows: impl Iterator<Item = &'a Row>, estimate: impl Fn(&Row) -> f64) -> String {
    let mut kinds: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        kinds.entry(row.kind).or_default().push(row);
        kinds.entry("~ all").or_default().push(row);
    }
    let mut out = String::from(
        "| kind of text | files | bytes a token | o200k median | p95 | max | bias | cl100k median | p95 | max |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for (kind, rows) in kinds {
        let bytes: usize = rows.iter().map(|row| row.bytes).sum();
        let tokens: f64 = rows.iter().map(|row| row.o200k).sum();
        let [median, p95, max] = percentiles(rows.iter().map(|row| estimate(row) / row.o200k - 1.0));
        let [median_cl, p95_cl, max_cl] = percentiles(rows.iter().map(|row| estimate(row) / row.cl100k - 1.0));
        let bias = rows.iter().map(|row| estimate(row) / row.o200k - 1.0).sum::<f64>() / rows.len() as f64 * 100.0;
        out += &format!(
            "| {kind} | {} | {:.2} | {median:.1} | {p95:.1} | {max:.1} | {bias:+.1} | {median_cl:.1} | {p95_cl:.1} | {max_cl:.1} |\n",
            rows.len(),
            bytes as f64 / tokens,
        );
    }
    out
}

fn percentiles(errors: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut all: Vec<f64> = errors.map(|error| error.abs() * 100.0).collect();
    all.sort_by(f64::total_cmp);
    [0.5, 0.95, 1.0].map(|share| {
        let at = (all.len() as f64 * share).ceil() as usize;
        all.get(at.saturating_sub(1)).copied().unwrap_or(0.0)
    })
}

/// The costs as the source file that holds them, in thousandths of a token.
fn source(costs: &[f64]) -> String {
    let mut out = String::from(
        "//! What each slot costs, in thousandths of a token. Written by `cargo xtask calibrate --write`; never by hand.\n\
         //! Takes and does nothing: data only, in the order of `slots.rs`.\n\n\
         use super::slots::SLOTS;\n\n#[rustfmt::skip]\npub(super) static COSTS: [u16; SLOTS] = [\n",
    );
    for group in estimate::slots::GROUPS {
        out += &format!("    // {}\n", group.name);
        // 20 numbers of up to four digits fill a line of 120 characters.
        for line in costs.iter().skip(group.first).take(group.len).collect::<Vec<_>>().chunks(20) {
            let numbers: Vec<String> = line.iter().map(|cost| format!("{:.0}", *cost * 1000.0)).collect();
            out += &format!("    {},\n", numbers.join(", "));
        }
    }
    out + "];\n"
}
