//! The header of a document for a task: what this is, what is shown of it, and what the marks mean.
//!
//! Takes what is shown; gives a few lines of Markdown that every format carries. Counts nothing that a reader could not see.

use super::{Draft, printable};
use crate::fit::ShownItem;
use crate::types::{ItemKind, Level, grouped};

/// How many of the most relevant files are listed.
const LISTED: usize = 6;
/// Where the shown items take fewer tokens, the most relevant files are not listed: their headings follow at once. It must not be a
/// border of the budget, or a larger budget could show less.
const LONG: u64 = 3_000;
/// How many digits of a commit are shown.
const REVISION: usize = 10;

/// The longest first line of a task that is repeated, in characters.
const TITLE: usize = 100;

/// The first line of a task that says something, so that a reader knows what the files were chosen for.
fn title(task: &str) -> Option<String> {
    let line = task.lines().map(|line| line.trim_start_matches('#').trim()).find(|line| !line.is_empty())?;
    let short: String = line.chars().take(TITLE).map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
    Some(if short.len() < line.len() { format!("{}…", short.trim_end()) } else { short })
}

pub fn header(project: &str, shown: &[(usize, &ShownItem)], draft: &Draft<'_>) -> String {
    let all = draft.snapshot.items.iter().filter(|item| item.kind == ItemKind::File).count();
    let files: Vec<&ShownItem> =
        shown.iter().map(|(_, shown)| *shown).filter(|shown| shown.pick.kind == ItemKind::File).collect();
    let of = |wanted: fn(Level) -> bool| files.iter().filter(|file| wanted(file.pick.level)).count();
    let whole = of(|level| level == Level::Full);
    let names = of(|level| matches!(level, Level::Name | Level::None));
    let counts = [
        (whole, "whole"),
        (files.len() - whole - names, "in parts"),
        (names, "by name only"),
        (all.saturating_sub(files.len()), "not listed"),
    ];
    let counts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, how)| format!("{} {how}", grouped(*count as u64)))
        .collect();
    let head = draft.snapshot.past.head.as_deref().and_then(|head| head.get(..REVISION));
    let revision = head.map(|head| format!(" at {head}")).unwrap_or_default();
    let mut text = format!("# Context from `{}`{revision}\n\n", printable(project));
    if let Some(title) = draft.options.frame.task.as_ref().and_then(|task| title(task)) {
        text.push_str(&format!("Task: {title}\n"));
    }
    let many = format!("{} {}", grouped(all as u64), if all == 1 { "file" } else { "files" });
    text.push_str(&match counts.join(", ").as_str() {
        "" => format!("{many}.\n"),
        counts => format!("{many}: {counts}.\n"),
    });
    if files.iter().any(|file| file.pick.level == Level::Masked) {
        text.push_str("`⋮ 12-40` stands for lines 12 to 40 of the file, which are not shown.\n");
    }
    let is_named = |file: &&&ShownItem| matches!(file.pick.level, Level::Name | Level::None);
    let mut ranked: Vec<&&ShownItem> = files.iter().filter(|file| file.rank > 0 && !is_named(file)).collect();
    ranked.sort_by_key(|file| file.rank);
    let tokens: u64 = shown.iter().map(|(_, shown)| shown.pick.tokens.0).sum();
    if files.iter().any(|file| file.is_unmatched) {
        text.push_str("No word of the task occurs in this project: its files were chosen by importance.\n");
    } else if ranked.len() > 1 && tokens >= LONG {
        let names: Vec<String> =
            ranked.iter().take(LISTED).map(|file| format!("`{}`", printable(&file.pick.path))).collect();
        text.push_str(&format!("Most relevant first: {}.\n", names.join(", ")));
    }
    text.push('\n');
    text
}
