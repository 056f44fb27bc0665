//! Rows of numbers: a header per task as a line of JSON, and its candidates as 32-bit numbers.
//!
//! A row of a symbol: task, gold, file, rank of the file, tokens of the whole and of the signature, kind, then the parts of
//! the symbol, then those of its file. Rows of files (`NAME.files`): task, gold, place, tokens, symbols, then the parts.

use super::blobs::Blobs;
use super::past::Commits;
use crate::quality::{History, Task};
use contexture_core::rank::{Digest, Query, RankEntry, rank};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Numbers of a symbol's row before the parts.
pub const HEAD: usize = 10;

/// So many symbols by their probability, and one of this many of the others.
const FIRST: usize = 250;
const EVERY: usize = 97;
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
        let ranking = rank(&Query::parse(&task.query), &entries, &past.before(*position));
        let place = |path: &str| tree.binary_search_by(|(known, _)| known.as_str().cmp(path)).ok();
        let gold: BTreeSet<(usize, usize)> = task
            .gold
            .iter()
            .filter_map(|file| Some((place(&file.path)?, file)))
            .flat_map(|(at, file)| file.functions.iter().map(move |function| (at, function.at)))
            .collect();
        let gold_files: BTreeSet<usize> = task.gold.iter().filter_map(|file| place(&file.path)).collect();
        let mut all: Vec<(f32, usize, usize)> = Vec::new();
        for (file, symbols) in ranking.symbols.iter().enumerate() {
            all.extend(symbols.iter().enumerate().map(|(symbol, score)| (score.score, file, symbol)));
        }
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let symbols = all.len();
        for (at, (_, file, symbol)) in all.iter().enumerate() {
            let is_gold = gold.contains(&(*file, *symbol));
            if at >= FIRST && !is_gold && at % EVERY != 0 {
                continue;
            }
            let Some(digest) = entries[*file].digest else { continue };
            let known = &digest.symbols[*symbol];
            let (of_file, score) = (&ranking.files[*file], &ranking.symbols[*file][*symbol]);
            let head: [f32; HEAD] = [
                number as f32,
                f32::from(u8::from(is_gold)),
                *file as f32,
                of_file.rank as f32,
                known.whole as f32,
                known.signature as f32,
                known.kind as u8 as f32,
                at as f32,
                score.probability,
                f32::from(u8::from(gold_files.contains(file))),
            ];
            put(&mut rows, head.iter().chain(&score.parts).chain(&of_file.parts))?;
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
            "gold_files": gold_files.len(), "files": tree.len(), "symbols": symbols, "query": task.query,
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
