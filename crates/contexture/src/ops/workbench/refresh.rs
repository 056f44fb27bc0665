//! A workbench after files changed: a few are read again, or all is compiled again.

use super::super::cache::SummaryState;
use super::super::driver::Memory;
use super::super::open::Door;
use super::super::{OpError, summary_store};
use super::Workbench;
use super::prefix::LastRun;
use super::row::{Row, summaries};
use crate::ops::count::item_tokens;
use contexture_core::safety::Screened;
use contexture_core::{Body, Item, Meter, Note, Snapshot, Topic};
use contexture_gather::{GatherRequest, history, listing};
use std::collections::{BTreeMap, BTreeSet};

/// What came of reading files again.
pub enum RefreshResult {
    Rows(ChangedRows),
    /// Files came or went, or rules about them: the list is another one, and `compose` gives it.
    ListChanged,
}

/// What a change came to.
pub struct ChangedRows {
    /// Rows that are otherwise now.
    pub rows: Vec<usize>,
    pub notes: Vec<Note>,
}

impl Workbench {
    /// Reads these files again, and no others. What is told of the rest stays true as long as nobody says otherwise.
    pub fn refresh(&mut self, door: &Door, paths: &[String]) -> Result<RefreshResult, OpError> {
        self.last = LastRun::load(door, &self.opened, self.last.take());
        if self.is_weighed() {
            return self.recompile_and_compare(door);
        }
        let place = |path: &str| self.rows.binary_search_by(|row| row.path.as_str().cmp(path)).ok();
        let (known, strange): (Vec<&String>, Vec<&String>) = paths.iter().partition(|path| place(path).is_some());
        // A folder that came or went is told by its own name.
        if paths.iter().any(|path| is_rule(path)) || (!strange.is_empty() && self.is_another_list()?) {
            return Ok(RefreshResult::ListChanged);
        }
        let is_read = |row: &usize| !matches!(self.item(*row).body, Body::Unread);
        let due: Vec<usize> = known.iter().filter_map(|path| place(path)).filter(is_read).collect();
        if due.is_empty() {
            return Ok(RefreshResult::Rows(ChangedRows { rows: Vec::new(), notes: Vec::new() }));
        }
        let named = due.iter().map(|row| self.rows[*row].path.clone()).collect();
        let ask =
            GatherRequest { named, listed: Vec::new(), files_only: true, full_tree: false, ..self.opened.ask.clone() };
        let mut read = self.opened.read(door, &ask)?;
        summary_store::attach_summaries(door, &self.opened, &mut read.items);
        let memory = Memory::open(door, &self.opened);
        let past = history(&self.opened.roots, memory.cache()).past(&read.items);
        let mut found: BTreeMap<String, Item> = read.items.into_iter().map(|item| (item.path.clone(), item)).collect();
        for row in &due {
            let before = self.item(*row);
            let Some(item) = found.remove(&before.path) else { return Ok(RefreshResult::ListChanged) };
            if matches!(item.body, Body::Failed(_)) {
                return Ok(RefreshResult::ListChanged);
            }
            // Reading it again is nobody's wish to see it.
            let item = Item { selected_by: before.selected_by, wish: before.wish.clone(), ..item };
            let one = self.opened.screen(Snapshot { items: vec![item], ..Snapshot::default() }, &memory);
            if one.report().is_denied() {
                return Ok(RefreshResult::ListChanged);
            }
            self.update_file_facts(
                door,
                *row,
                &one,
                &memory,
                past.open.iter().any(|path| *path == self.rows[*row].path),
            );
            self.again.insert(*row, one);
        }
        memory.save();
        drop(memory);
        self.update_rows(door, due).map(RefreshResult::Rows)
    }

    /// Whether other files are in the composition now. None of them is opened.
    fn is_another_list(&self) -> Result<bool, OpError> {
        let listed = listing(&self.opened.roots, &self.opened.config, &self.opened.ask)?;
        let left: BTreeSet<&str> = self.left_out.iter().map(|left| left.path.as_str()).collect();
        let has_row = |path: &str| self.rows.binary_search_by(|row| row.path.as_str().cmp(path)).is_ok();
        let is_new = listed.iter().any(|path| !has_row(path) && !left.contains(path.as_str()));
        Ok(is_new || self.rows.iter().any(|row| !row.is_failed && listed.binary_search(&row.path).is_err()))
    }

    /// What a row tells of the file itself.
    fn update_file_facts(&mut self, door: &Door, row: usize, one: &Screened, memory: &Memory, is_changed: bool) {
        let Some(item) = one.items.first() else { return };
        let meter = Meter::new(&self.opened.tokenizer, memory.memo());
        let own = item_tokens(item, &meter);
        let summary =
            summaries(door, &self.opened, &[(row, item)]).get(&item.path).copied().unwrap_or(SummaryState::None);
        let report = one.report();
        let row = &mut self.rows[row];
        (row.own, row.bytes, row.is_changed, row.summary) = (own, item.size, is_changed, summary);
        row.is_failed = matches!(item.body, Body::Failed(_));
        row.has_secret = report.secrets.iter().any(|found| found.path == row.path);
        row.has_hidden = report.hidden.iter().any(|found| found.path == row.path);
    }

    /// Compiles all anew, and tells which rows are otherwise in anything.
    fn recompile_and_compare(&mut self, door: &Door) -> Result<RefreshResult, OpError> {
        let now = Self::open_beside(door, &self.request(), self.last.take())?;
        let is_alike = now.rows.len() == self.rows.len()
            && now.rows.iter().zip(&self.rows).all(|(now, before)| now.path == before.path);
        if !is_alike {
            self.last = now.last;
            return Ok(RefreshResult::ListChanged);
        }
        let rows = (0..now.rows.len()).filter(|row| now.rows[*row] != self.rows[*row]).collect();
        let notes = now.notes.clone();
        self.adopt(now);
        Ok(RefreshResult::Rows(ChangedRows { rows, notes }))
    }

    /// What the same request gives now; how it was asked for stays.
    fn adopt(&mut self, now: Self) {
        (self.rows, self.measures, self.around, self.fitted) = (now.rows, now.measures, now.around, now.fitted);
        (self.total, self.prefix, self.last) = (now.total, now.prefix, now.last);
    }

    pub(super) fn recompile(&mut self, door: &Door) -> Result<ChangedRows, OpError> {
        let now = Self::open_beside(door, &self.request(), self.last.take())?;
        let same = |a: &Row, b: &Row| a.level == b.level && a.shown == b.shown && a.reason == b.reason;
        let is_alike = now.rows.len() == self.rows.len();
        let rows = match is_alike {
            true => (0..now.rows.len()).filter(|row| !same(&now.rows[*row], &self.rows[*row])).collect(),
            false => (0..now.rows.len()).collect(),
        };
        let notes = match is_alike {
            true => now.notes.clone(),
            false => vec![Note::new(Topic::Unstable, "files came or went meanwhile: the list is out of date")],
        };
        match is_alike {
            true => self.adopt(now),
            false => self.last = now.last,
        }
        Ok(ChangedRows { rows, notes })
    }
}

/// Whether a file says which files there are.
fn is_rule(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.ends_with("ignore")
}
