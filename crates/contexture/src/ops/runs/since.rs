//! A document beside the last run: which bytes are the same, what changed line by line, and why.
//!
//! Takes what was compiled and not written; gives plain data, and nothing where there is no run. Lines are compared where the
//! bytes of the run can still be had: a manifest keeps hashes, not text.

use super::compare::{block_at, compare};
use super::diff::{bytes_of, kept_bytes};
use super::difference::Difference;
use super::record::RunDraft;
use crate::ops::document::CompiledDocument;
use crate::ops::open::{Door, Opened};
use crate::requests::DocumentRequest;
use contexture_core::ContentHash;
use contexture_core::shape::diff::{self, Sign};
use contexture_gather::Roots;
use contexture_gather::runs::{Manifest, RunKind, Runs};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What changed since the last run.
pub struct SinceLast {
    pub run: u64,
    pub difference: Difference,
    /// `None`: the bytes are the same, or those of the run are gone.
    pub lines: Option<LineChanges>,
}

/// What leads from the earlier output to the later one, line by line.
#[derive(Clone, Default, Debug, Serialize, JsonSchema)]
pub struct LineChanges {
    pub added: usize,
    pub removed: usize,
    pub hunks: Vec<HunkAnswer>,
    /// What is not listed
    pub left: LinesLeft,
}

/// Changes that are not listed because there are too many.
#[derive(Clone, Default, Debug, Serialize, JsonSchema)]
pub struct LinesLeft {
    pub hunks: usize,
    pub lines: usize,
}

/// Lines that changed, with those around them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HunkAnswer {
    pub old_start: usize,
    pub old_lines: usize,
    pub new_start: usize,
    pub new_lines: usize,
    /// Position of its first change in the later output
    pub byte: usize,
    pub item: Option<String>,
    pub lines: Vec<LineAnswer>,
}

/// A line: its sign (` `, `-` or `+`), its text, and the number of bytes of it that are left out.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LineAnswer(&'static str, String, usize);

/// As many lines around a change as `git diff` shows.
const CONTEXT: usize = 3;
/// A person reads some hundreds; a browser draws this many at once without a pause.
const MOST_LINES: usize = 2_000;
/// A line of data can be megabytes long.
const MOST_BYTES: usize = 1_000;
/// A document of more is not made a second time to be compared.
const MADE_AGAIN: u64 = 16 << 20;

/// The newest run of a document: what agents asked for stands beside no document.
pub fn newest(door: &Door, roots: &Roots) -> Option<(Runs, u64)> {
    let runs = Runs::look(door.env.data_dir.as_deref()?).ok()??;
    let is_document = |kind: RunKind| matches!(kind, RunKind::Build | RunKind::Send);
    // Nearly always it is the first; an agent that runs for hours leaves hundreds.
    let of = |limit: usize| {
        let all = runs.list(roots.project(), limit).ok()?;
        all.into_iter().find(|run| is_document(run.kind)).map(|run| run.number)
    };
    let number = of(1).or_else(|| of(1_000))?;
    Some((runs, number))
}

pub fn since_last(
    door: &Door,
    opened: &Opened,
    request: &DocumentRequest,
    document: &CompiledDocument,
) -> Option<SinceLast> {
    let (runs, run) = newest(door, &opened.roots)?;
    let last = runs.get(opened.roots.project(), run).ok()?;
    let now = RunDraft::of_document(door, opened, request, document, None).manifest(door, &opened.config);
    if last.output.hash == now.output.hash {
        return Some(SinceLast { run, difference: compare(&last, &now, None), lines: None });
    }
    let project = opened.roots.project();
    let then = match can_recompile(&last, document) {
        true => bytes_of(door, &runs, project, &last),
        false => kept_bytes(&runs, project, &last),
    };
    let Some(then) = then else { return Some(SinceLast { run, difference: compare(&last, &now, None), lines: None }) };
    let text = document.compiled.output.text();
    let difference = compare(&last, &now, Some((&then, text.as_bytes())));
    let lines = std::str::from_utf8(&then).ok().map(|then| lines(then, &text, &last, &now));
    Some(SinceLast { run, difference, lines })
}

/// Whether all files of a run are what they were, as far as they are known here. If not, making it again gives other bytes.
fn can_recompile(last: &Manifest, document: &CompiledDocument) -> bool {
    let now: BTreeMap<&str, ContentHash> =
        document.snapshot.items.iter().filter_map(|item| Some((item.path.as_str(), item.hash?))).collect();
    let is_same = |path: &str, hash: ContentHash| now.get(path).is_none_or(|now| *now == hash);
    let is_unchanged = last.items.iter().all(|item| item.hash.is_none_or(|hash| is_same(&item.path, hash)));
    is_unchanged && last.kind == RunKind::Build && last.output.bytes <= MADE_AGAIN
}

fn lines(then: &str, text: &str, last: &Manifest, now: &Manifest) -> LineChanges {
    let starts = |text: &str| -> Vec<usize> {
        text.split_inclusive('\n')
            .scan(0, |at, line| Some(std::mem::replace(at, *at + line.len())))
            .chain([text.len()])
            .collect()
    };
    let (old_starts, new_starts) = (starts(then), starts(text));
    let path = |manifest: &Manifest, byte: usize| {
        let block = block_at(&manifest.blocks, byte as u64)?;
        Some(manifest.items.get(block.item?)?.path.clone())
    };
    let mut all = LineChanges::default();
    let mut room = MOST_LINES;
    for hunk in diff::hunks(then, text, CONTEXT) {
        let count = |wanted: Sign| hunk.lines.iter().filter(|(sign, _)| *sign == wanted).count();
        all.added += count(Sign::Added);
        all.removed += count(Sign::Removed);
        if room == 0 {
            all.left.hunks += 1;
            all.left.lines += count(Sign::Added) + count(Sign::Removed);
            continue;
        }
        let before = hunk.lines.iter().take_while(|(sign, _)| *sign == Sign::Same).count();
        let at = |starts: &[usize], line: usize| starts.get(line + before).copied().unwrap_or_default();
        let (old_byte, byte) = (at(&old_starts, hunk.old.start), at(&new_starts, hunk.new.start));
        let left = &hunk.lines[room.min(hunk.lines.len())..];
        all.left.lines += left.iter().filter(|(sign, _)| *sign != Sign::Same).count();
        room = room.saturating_sub(hunk.lines.len());
        // Lines that were taken out stand at no place of the later output.
        let is_removal = hunk.lines.get(before).is_some_and(|(sign, _)| *sign == Sign::Removed);
        let item = match is_removal && hunk.lines.iter().all(|(sign, _)| *sign != Sign::Added) {
            true => path(last, old_byte),
            false => path(now, byte).or_else(|| path(last, old_byte)),
        };
        let shown = hunk.lines[..hunk.lines.len() - left.len()].iter().map(|(sign, text)| line(*sign, text)).collect();
        all.hunks.push(HunkAnswer {
            old_start: hunk.old.start + 1,
            old_lines: hunk.old.len(),
            new_start: hunk.new.start + 1,
            new_lines: hunk.new.len(),
            byte,
            item,
            lines: shown,
        });
    }
    all
}

fn line(sign: Sign, text: &str) -> LineAnswer {
    let sign = match sign {
        Sign::Same => " ",
        Sign::Removed => "-",
        Sign::Added => "+",
    };
    let text = text.strip_suffix('\n').unwrap_or(text);
    let end = text.floor_char_boundary(MOST_BYTES);
    LineAnswer(sign, text[..end].to_owned(), text.len() - end)
}
