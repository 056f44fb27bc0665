//! Rows of numbers: a header per task as a line of JSON, and its candidates as 32-bit numbers.
//!
//! A row of a symbol: task, gold, file, tokens of the whole and of the signature, place, whether it is a value, whether its
//! file is gold, probability; then what the trees see of it. Rows of files (`NAME.files`): task, gold, place, tokens, symbols, probability, then the
//! parts.

use super::blobs::Blobs;
use super::past::Commits;
use crate::quality::{History, Task};
use contexture_core::rank::{Digest, Query, ROW, RankEntry, linear};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Numbers of a symbol's row before the parts.
pub const HEAD: usize = 9;

const FILES: usize = 100;

pub fn write(history: &History, tasks: &[(usize, Task)], past: &Commits, out: &Path) -> Result<usize, String> {
    let fail = |error: std::io::Error| error.to_string();
    let part = out.with_extension("part");
    let mut rows = BufWriter::new(File::create(&part).map_err(fail)?);
    let mut files = BufWriter::new(File::create(out.with_extension("files")).map_err(fail)?);
    let mut about = BufWriter::new(File::create(out.with_extension("jsonl")).map_err(fail)?);
    let mut blobs = Blobs::open(history)?;
    let mut count = 0;
    for (number, (position, task)) in tasks.iter().enumerate() {
        let tree = blobs.tree(history, &task.parent)?;
        let entries: Vec<RankEntry<'_>> = tree
            .iter()
            .map(|(path, known)| RankEntry {
                path,
                digest: known.as_ref().map(|(_, digest)| &**digest),
                text: known.as_ref().map(|(text, _)| &**text),
            })
            .collect();
        let query = Query::parse(&task.query);
        let (ranking, candidates) = linear(&query, &entries, &past.before(*position));
        let place = |path: &str| tree.binary_search_by(|(known, _)| known.as_str().cmp(path)).ok();
        let gold: BTreeSet<(usize, usize)> = task
            .gold
            .iter()
            .filter_map(|file| Some((place(&file.path)?, file)))
            .flat_map(|(at, file)| file.functions.iter().map(move |function| (at, function.at)))
            .collect();
        let gold_files: BTreeSet<usize> = task.gold.iter().filter_map(|file| place(&file.path)).collect();
        let values: BTreeSet<(usize, usize)> = task
            .gold
            .iter()
            .filter_map(|file| Some((place(&file.path)?, file)))
            .flat_map(|(at, file)| file.values.iter().map(move |value| (at, *value)))
            .collect();
        let symbols: usize = ranking.symbols.iter().map(Vec::len).sum();
        for (at, candidate) in candidates.iter().enumerate() {
            let (file, symbol) = (candidate.file as usize, candidate.symbol as usize);
            let Some(digest) = entries[file].digest else { continue };
            let known = &digest.symbols[symbol];
            let yes = |is: bool| if is { 1.0 } else { 0.0 };
            let head: [f32; HEAD] = [
                number as f32,
                yes(gold.contains(&(file, symbol)) || values.contains(&(file, symbol))),
                file as f32,
                known.whole as f32,
                known.signature as f32,
                at as f32,
                yes(values.contains(&(file, symbol))),
                yes(gold_files.contains(&file)),
                ranking.symbols[file][symbol].probability,
            ];
            let row: &[f32; ROW] = &candidate.row;
            put(&mut rows, head.iter().chain(row))?;
            count += 1;
        }
        for (file, score) in ranking.files.iter().enumerate() {
            let is_gold = gold_files.contains(&file);
            if score.rank as usize >= FILES && !is_gold {
                continue;
            }
            let blank = Digest::default();
            let digest = entries[file].digest.unwrap_or(&blank);
            let head = [
                number as f32,
                f32::from(u8::from(is_gold)),
                score.rank as f32,
                digest.cost as f32,
                digest.symbols.len() as f32,
                score.probability,
            ];
            put(&mut files, head.iter().chain(&score.parts))?;
        }
        let line = serde_json::json!({
            "task": number, "commit": task.commit, "language": task.language, "named": task.named, "gold": gold.len(),
            "gold_files": gold_files.len(), "values": values.len(), "files": tree.len(), "symbols": symbols, "query": task.query,
        });
        writeln!(about, "{line}").map_err(fail)?;
    }
    rows.flush().map_err(fail)?;
    files.flush().map_err(fail)?;
    about.flush().map_err(fail)?;
    std::fs::rename(&part, out).map_err(fail)?;
    Ok(count)
}

fn put<'a>(out: &mut impl Write, row: impl Iterator<Item = &'a f32>) -> Result<(), String> {
    for number in row {
        out.write_all(&number.to_le_bytes()).map_err(|error| error.to_string())?;
    }
    Ok(())
}
