//! Counts what was found in files whose text the document does not show, instead of a note for each of them.
//!
//! Takes the notes of a fitted document and its plan; gives the notes a reader can act on. The report of the run keeps every finding.

use crate::safety::Report;
use crate::types::{Level, Note, Plan, Snapshot, Topic};
use std::collections::BTreeSet;

pub fn counted(notes: Vec<Note>, plan: &Plan, snapshot: &Snapshot, report: &Report) -> Vec<Note> {
    let is_named = |level: Level| matches!(level, Level::Name | Level::None);
    let shown: BTreeSet<&str> =
        plan.picks.iter().filter(|pick| !is_named(pick.level)).map(|pick| pick.path.as_str()).collect();
    // A finding in the name of a file is in the document wherever the name is.
    let in_name: BTreeSet<&str> =
        report.secrets.iter().filter(|found| found.line == 0).map(|found| found.path.as_str()).collect();
    let unseen: BTreeSet<&str> = snapshot
        .items
        .iter()
        .map(|item| item.path.as_str())
        .filter(|path| !shown.contains(path) && !in_name.contains(path))
        .collect();
    let is_unseen = |note: &Note| {
        matches!(note.topic, Topic::Secret | Topic::Hidden)
            && note.path.as_deref().is_some_and(|path| unseen.contains(path))
    };
    let (counted, mut kept): (Vec<Note>, Vec<Note>) = notes.into_iter().partition(is_unseen);
    let files = |topic: Topic| {
        let paths = counted.iter().filter(|note| note.topic == topic).filter_map(|note| note.path.as_deref());
        match paths.collect::<BTreeSet<&str>>().len() {
            0 => None,
            1 => Some("1 file".to_owned()),
            many => Some(format!("{many} files")),
        }
    };
    let found = [(files(Topic::Secret), "possible secrets"), (files(Topic::Hidden), "invisible characters")];
    let found: Vec<String> =
        found.into_iter().filter_map(|(files, what)| Some(format!("{what} in {}", files?))).collect();
    if let Some(first) = counted.first() {
        let text = format!("{} not shown in the document", found.join(" and "));
        kept.push(Note::new(first.topic, text).hint("`contexture scan` lists them"));
    }
    kept
}
