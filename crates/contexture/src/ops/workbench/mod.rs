//! A composition that somebody is working on: the tokens of every file as it is shown, and what changes when one is shown otherwise.
//!
//! Takes a request once and holds what was read for it; gives the table of its files. A change of few files is computed from those
//! alone: blocks are counted separately and their counts add up, so the total is that of the whole document, measured. Where a budget
//! weighs files against each other, tokens are estimated, or a section is added or removed, all is compiled again. Writes nothing.

mod compare;
mod prefix;
mod refresh;
mod row;

pub use prefix::{LastPrefix, PrefixBreak};
pub use refresh::{ChangedRows, RefreshResult};
pub use row::{Row, RowChoice};

use super::OpError;
use super::cache::SummaryState;
use super::count::item_tokens;
use super::document::{gather_items, is_exact};
use super::driver::{Driver, Memory};
use super::file_view::open_file;
use super::open::{Door, Opened};
use crate::requests::{CompositionEntry, DocumentRequest};
use contexture_core::safety::Screened;
use contexture_core::{
    Block, Body, Counter, Item, ItemId, ItemKind, LeftOut, Level, Meter, Note, Pick, Snapshot, Tokens, Tools, Tree,
    Why, Wish, compile_one,
};
use contexture_gather::config::PathEntry;
use contexture_gather::history;
use prefix::{BlockMeasure, LastRun, SurroundingBlocks};
use rayon::prelude::*;
use row::{entry, summaries};
use std::collections::{BTreeMap, BTreeSet};

/// A request that is held open: its files as rows, and how somebody chose to show them.
pub struct Workbench {
    request: DocumentRequest,
    opened: Opened,
    snapshot: Screened,
    /// The place of each row in the snapshot.
    places: Vec<usize>,
    pub rows: Vec<Row>,
    pub left_out: Vec<LeftOut>,
    pub notes: Vec<Note>,
    pub total: Tokens,
    pub exact: bool,
    pub tokenizer: &'static str,
    choices: BTreeMap<usize, RowChoice>,
    /// Tokens of the static part.
    prefix: Tokens,
    around: SurroundingBlocks,
    /// Of each row its block, where it is in the document.
    measures: Vec<Option<BlockMeasure>>,
    /// Under a budget, the block of each row that is shown: a file alone may have another view than in the document. Texts are
    /// shared with the snapshot.
    fitted: BTreeMap<usize, Block>,
    last: Option<LastRun>,
    /// Files that were read again, by row.
    again: BTreeMap<usize, Screened>,
}

/// One file as it is shown, and its block.
struct PickedRow {
    pick: Pick,
    measure: BlockMeasure,
}

impl Workbench {
    /// Reads and compiles the request.
    pub fn open(door: &Door, request: &DocumentRequest) -> Result<Self, OpError> {
        Self::open_beside(door, request, None)
    }

    /// The same, with a last run that is known already.
    fn open_beside(door: &Door, request: &DocumentRequest, last: Option<LastRun>) -> Result<Self, OpError> {
        let opened = door.open(request)?;
        let mut driver = Driver::for_document(door, &opened);
        let snapshot = gather_items(door, &opened, driver.memory.cache())?;
        let snapshot = driver.screen_files(snapshot, &opened)?;
        let compiled = driver.compile(&snapshot, &opened.options)?;
        let memory = driver.memory;
        let meter = Meter::new(&opened.tokenizer, memory.memo());
        let past = history(&opened.roots, memory.cache()).past(&snapshot.items);
        let open: BTreeSet<&str> = past.open.iter().map(String::as_str).collect();
        let is_file = |(_, item): &(usize, &Item)| item.kind == ItemKind::File;
        let files: Vec<(usize, &Item)> = snapshot.items.iter().enumerate().filter(is_file).collect();
        let own: Vec<u64> = files.par_iter().map(|(_, item)| item_tokens(item, &meter)).collect();
        let (around, blocks) = SurroundingBlocks::of(&compiled, &snapshot.items, opened.options.format, &meter);
        let picks: BTreeMap<&str, (usize, &Pick)> = compiled
            .plan
            .picks
            .iter()
            .enumerate()
            .filter(|(_, pick)| pick.kind == ItemKind::File)
            .map(|(at, pick)| (&*pick.item.0, (at, pick)))
            .collect();
        let reasons: BTreeMap<&str, &Why> =
            compiled.plan.left_out.iter().map(|left| (left.path.as_str(), &left.why)).collect();
        let summaries = summaries(door, &opened, &files);
        let report = snapshot.report();
        let secret: BTreeSet<&str> = report.secrets.iter().map(|found| found.path.as_str()).collect();
        let hidden: BTreeSet<&str> = report.hidden.iter().map(|found| found.path.as_str()).collect();
        let row = |((_, item), own): (&(usize, &Item), u64)| {
            let pick = picks.get(&*item.id.0).map(|(_, pick)| *pick);
            let mut row = Row {
                path: item.path.clone(),
                own,
                bytes: item.size,
                shown: 0,
                level: None,
                reason: String::new(),
                is_failed: matches!(item.body, Body::Failed(_)),
                is_reduced: false,
                is_set: item.wish != Wish::default(),
                is_changed: open.contains(item.path.as_str()),
                summary: summaries.get(&item.path).copied().unwrap_or(SummaryState::None),
                has_secret: secret.contains(item.path.as_str()),
                has_hidden: hidden.contains(item.path.as_str()),
            };
            row.set_pick(pick.ok_or_else(|| reasons.get(item.path.as_str()).map(|why| (*why).clone())));
            row
        };
        let rows: Vec<Row> = files.iter().zip(own).map(row).collect();
        let measure = |(_, item): &(usize, &Item)| blocks.get(&picks.get(&*item.id.0)?.0).copied();
        let measures: Vec<Option<BlockMeasure>> = files.iter().map(measure).collect();
        let places: Vec<usize> = files.iter().map(|(place, _)| *place).collect();
        let row_of: BTreeMap<&ItemId, usize> =
            files.iter().enumerate().map(|(row, (_, item))| (&item.id, row)).collect();
        let own_block = |block: &Block| Some((*row_of.get(block.item.as_ref()?)?, block.clone()));
        let fitted = match opened.options.budget {
            Some(_) => compiled.output.blocks.iter().filter_map(own_block).collect(),
            None => BTreeMap::new(),
        };
        let known: BTreeSet<&str> = rows.iter().map(|row| row.path.as_str()).collect();
        let left_out =
            compiled.plan.left_out.iter().filter(|left| !known.contains(left.path.as_str())).cloned().collect();
        memory.save();
        Ok(Self {
            request: request.clone(),
            left_out,
            notes: compiled.notes,
            total: compiled.measured,
            prefix: compiled.prefix,
            around,
            measures,
            fitted,
            last: LastRun::load(door, &opened, last),
            exact: is_exact(&opened, &snapshot),
            tokenizer: opened.tokenizer.as_str(),
            places,
            rows,
            opened,
            snapshot,
            choices: BTreeMap::new(),
            again: BTreeMap::new(),
        })
    }

    /// Shows these rows as chosen. Rows that are not there are passed over.
    pub fn set(&mut self, door: &Door, changes: &[(Vec<usize>, RowChoice)]) -> Result<ChangedRows, OpError> {
        let mut asked = BTreeMap::new();
        for (rows, choice) in changes {
            for row in rows.iter().filter(|row| **row < self.rows.len()) {
                asked.insert(*row, choice.clone());
            }
        }
        for (row, choice) in &asked {
            match choice {
                RowChoice::Usual => self.choices.remove(row),
                choice => self.choices.insert(*row, choice.clone()),
            };
        }
        self.last = LastRun::load(door, &self.opened, self.last.take());
        if asked.is_empty() {
            return Ok(ChangedRows { rows: Vec::new(), notes: Vec::new() });
        }
        if self.is_weighed() {
            return self.recompile(door);
        }
        self.update_rows(door, asked.into_keys().collect())
    }

    /// Shows these rows as they are to be shown now. The others stay what they are.
    fn update_rows(&mut self, door: &Door, due: Vec<usize>) -> Result<ChangedRows, OpError> {
        let memory = Memory::open(door, &self.opened);
        let shown = |rows: &[Row]| rows.iter().filter(|row| row.level.is_some()).count() as u64;
        let before = shown(&self.rows);
        let code = memory.code(door);
        let tools = memory.tools(&code);
        let picked: Vec<Result<PickedRow, Why>> =
            due.par_iter().map(|row| self.pick_row(door, &memory, *row, &tools)).collect();
        let (mut gone, mut come, mut is_another_list) = (0, 0, false);
        for (row, picked) in due.iter().zip(&picked) {
            let is_set = self.choices.contains_key(row) || self.item(*row).wish != Wish::default();
            let (at, Some(row)) = (*row, self.rows.get_mut(*row)) else { continue };
            gone += row.shown;
            is_another_list |= row.level.is_some() != picked.is_ok();
            row.set_pick(picked.as_ref().map(|picked| &picked.pick).map_err(|why| Some(why.clone())));
            row.is_set = is_set;
            come += row.shown;
            self.measures[at] = picked.as_ref().ok().map(|picked| picked.measure);
        }
        memory.save();
        let after = shown(&self.rows);
        // The heading of the section comes and goes with the first file of it, and a tree names the files that are shown.
        let has_list = self.opened.options.tree == Tree::Selected && is_another_list;
        if (before == 0) != (after == 0) || has_list {
            return self.recompile(door);
        }
        // What stands between files comes and goes with them.
        let between = self.around.between();
        let moved = |tokens: Tokens| {
            Tokens((tokens.0 + come + between * after).saturating_sub(gone).saturating_sub(between * before))
        };
        (self.total, self.prefix) = (moved(self.total), moved(self.prefix));
        Ok(ChangedRows { rows: due, notes: Vec::new() })
    }

    /// The request that makes the document this workbench shows.
    pub fn request(&self) -> DocumentRequest {
        if self.choices.is_empty() {
            return self.request.clone();
        }
        let own = self.opened.ask.composition.clone().or_else(|| self.opened.config.files.paths.clone());
        let mut entries = own.unwrap_or_else(|| vec![PathEntry::new("**")]);
        // The first of a path is the one that a choice takes the place of.
        let known: BTreeMap<String, usize> =
            entries.iter().enumerate().rev().map(|(at, entry)| (entry.path.clone(), at)).collect();
        for (row, choice) in &self.choices {
            let Some(path) = self.rows.get(*row).map(|row| &row.path) else { continue };
            let entry = entry(path, choice);
            match known.get(path).and_then(|at| entries.get_mut(*at)) {
                Some(known) => *known = entry,
                None => entries.push(entry),
            }
        }
        DocumentRequest {
            composition: Some(entries.into_iter().map(CompositionEntry).collect()),
            ..self.request.clone()
        }
    }

    /// The budget of the request, where it has one.
    pub fn budget(&self) -> Option<u64> {
        self.opened.options.budget.map(|budget| budget.0)
    }

    /// Whether one file's view decides about another's, or about more tokens than its own: the estimate of a document is that of its
    /// bytes, and the estimates of its blocks do not add up to it.
    fn is_weighed(&self) -> bool {
        self.opened.options.budget.is_some() || self.opened.ask.around || !self.opened.tokenizer.exact()
    }

    fn item(&self, row: usize) -> &Item {
        let (snapshot, place) = self.read(row);
        &snapshot.items[place]
    }

    /// Where the file of a row was read last.
    fn read(&self, row: usize) -> (&Screened, usize) {
        match self.again.get(&row) {
            Some(one) => (one, 0),
            None => (&self.snapshot, self.places[row]),
        }
    }

    fn pick_row(&self, door: &Door, memory: &Memory, row: usize, tools: &Tools<'_>) -> Result<PickedRow, Why> {
        let (pick, block, item) = self.compile_row(door, memory, row, tools)?;
        let measure = prefix::measure(&pick, &block, &item, self.opened.options.format);
        Ok(PickedRow { pick, measure })
    }

    /// The file of a row as it is chosen now, with its block. What was not read before is read then.
    fn compile_row(
        &self,
        door: &Door,
        memory: &Memory,
        row: usize,
        tools: &Tools<'_>,
    ) -> Result<(Pick, Block, Item), Why> {
        let of = |snapshot: &Screened, place: usize, wish| {
            let (pick, block) = compile_one(snapshot, place, wish, &self.opened.options, tools)?;
            Ok((pick, block, snapshot.items[place].clone()))
        };
        let (snapshot, place) = self.read(row);
        let item = &snapshot.items[place];
        let Some(choice) = self.choices.get(&row) else { return of(snapshot, place, None) };
        let entry = entry(&item.path, choice);
        let wish = entry.wish();
        let is_read = !matches!(item.body, Body::Unread) || !wish.auto_aggregate || wish.view == Some(Level::None);
        // A diff is made of two texts.
        if !is_read || wish.view == Some(Level::Diff) {
            let request = DocumentRequest { composition: Some(vec![CompositionEntry(entry)]), ..self.request.clone() };
            if let Ok(one) = open_file(door, &request, &item.path) {
                let alone_read = self.opened.screen(Snapshot { items: vec![one.item], ..Snapshot::default() }, memory);
                return of(&alone_read, 0, None);
            }
        }
        of(snapshot, place, Some(wish))
    }
}
