//! The files of a composition that a panel works on, as a table in columns, and what changed in it.
//!
//! A browser reads columns of a hundred thousand rows in a moment; a hundred thousand objects it does not.

use super::NoteAnswer;
use super::record::Show;
use crate::ops::workbench::{ChangedRows, LastPrefix, RefreshResult, Row, Workbench};
use crate::ops::{Door, SummaryState};
use crate::requests::DocumentRequest;
use contexture_core::Level;
use contexture_gather::runs::{LeftRecord, RunPrefix, RunTokens};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// All files of a new workbench.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ComposeAnswer {
    /// Number of the workbench
    pub bench: u64,
    /// Number of the last change on disk that it knows
    pub generation: u64,
    #[serde(flatten)]
    pub table: Table<AllColumns>,
    pub left_out: Vec<LeftRecord>,
}

/// Files that were read again.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ComposeRefreshAnswer {
    /// Whether other files are in the list now: `compose` lists them
    pub whole: bool,
    /// Number of the last change on disk that it knows
    pub generation: u64,
    #[serde(flatten)]
    pub table: Option<Table<FreshColumns>>,
}

/// The request of what a workbench shows.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ComposeRequestAnswer {
    pub request: DocumentRequest,
}

/// Rows of a workbench and totals of the document.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Table<C> {
    pub tokens: RunTokens,
    pub prefix: WorkbenchPrefix,
    pub columns: C,
    /// Names of views; the column `view` has indexes into them
    pub views: &'static [&'static str],
    /// Reasons; the column `reason` has indexes into them
    pub reasons: Vec<String>,
    pub notes: Vec<NoteAnswer>,
}

/// The part that does not change while only questions and history do.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WorkbenchPrefix {
    pub bytes: u64,
    pub tokens: u64,
    /// Compared with the last run, where there was one
    pub last: Option<LastPrefix>,
}

/// Columns of all files.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct AllColumns {
    pub path: Vec<String>,
    #[serde(flatten)]
    pub file: FileColumns,
    #[serde(flatten)]
    pub shown: ShownColumns,
}

/// Columns of files that are shown in another way.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ChangedColumns {
    /// Index of the row
    pub index: Vec<usize>,
    #[serde(flatten)]
    pub shown: ShownColumns,
}

/// Columns of files that were read again.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct FreshColumns {
    /// Index of the row
    pub index: Vec<usize>,
    #[serde(flatten)]
    pub file: FileColumns,
    #[serde(flatten)]
    pub shown: ShownColumns,
}

/// What is known of the files themselves.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct FileColumns {
    /// Tokens of the text of the file
    pub own: Vec<u64>,
    pub bytes: Vec<u64>,
    /// Whether a model wrote a summary: 0 no, 1 of an older text, 2 yes
    pub summary: Vec<u8>,
}

/// How files are shown.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ShownColumns {
    /// Tokens of its block in the document
    pub shown: Vec<u64>,
    /// Index of the view; -1 where the file is not in the document
    pub view: Vec<i8>,
    /// Index of the reason
    pub reason: Vec<usize>,
    /// Sum of 1 failed, 2 reduced, 4 set, 8 changed, 16 secret, 32 hidden text
    pub flags: Vec<u8>,
}

impl ComposeAnswer {
    /// The whole table of a workbench.
    pub fn new(workbench: &Workbench, door: &Door, generation: u64) -> Self {
        Self {
            bench: 0,
            generation,
            table: Table::new(workbench, door, workbench.rows.iter().enumerate(), workbench.notes.show()),
            left_out: workbench.left_out.iter().map(LeftRecord::from).collect(),
        }
    }
}

impl ComposeRefreshAnswer {
    /// The rows that changed, or the note that the list is another one.
    pub fn new(workbench: &Workbench, fresh: &RefreshResult, door: &Door, generation: u64) -> Self {
        let table = match fresh {
            RefreshResult::ListChanged => None,
            RefreshResult::Rows(changed) => Some(Table::changed(workbench, changed, door)),
        };
        Self { whole: table.is_none(), generation, table }
    }
}

/// Columns that are filled row by row.
pub trait Columns: Default {
    fn push(&mut self, index: usize, row: &Row, reason: usize);
}

impl Columns for AllColumns {
    fn push(&mut self, _: usize, row: &Row, reason: usize) {
        self.path.push(row.path.clone());
        self.file.push(row);
        self.shown.push(row, reason);
    }
}

impl Columns for ChangedColumns {
    fn push(&mut self, index: usize, row: &Row, reason: usize) {
        self.index.push(index);
        self.shown.push(row, reason);
    }
}

impl Columns for FreshColumns {
    fn push(&mut self, index: usize, row: &Row, reason: usize) {
        self.index.push(index);
        self.file.push(row);
        self.shown.push(row, reason);
    }
}

impl FileColumns {
    fn push(&mut self, row: &Row) {
        self.own.push(row.own);
        self.bytes.push(row.bytes);
        self.summary.push(match row.summary {
            SummaryState::None => 0,
            SummaryState::Stale => 1,
            SummaryState::Fresh => 2,
        });
    }
}

impl ShownColumns {
    fn push(&mut self, row: &Row, reason: usize) {
        let view = row.level.and_then(|level| Level::ALL.iter().position(|known| *known == level));
        self.shown.push(row.shown);
        self.view.push(view.and_then(|view| i8::try_from(view).ok()).unwrap_or(-1));
        self.reason.push(reason);
        self.flags.push(flags(row));
    }
}

impl<C: Columns> Table<C> {
    /// Rows that changed.
    pub fn changed(workbench: &Workbench, changed: &ChangedRows, door: &Door) -> Self {
        let rows = changed.rows.iter().filter_map(|row| Some((*row, workbench.rows.get(*row)?)));
        Self::new(workbench, door, rows, changed.notes.show())
    }

    fn new<'a>(
        workbench: &Workbench,
        door: &Door,
        rows: impl Iterator<Item = (usize, &'a Row)>,
        notes: Vec<NoteAnswer>,
    ) -> Self {
        let mut columns = C::default();
        let mut reasons = Reasons::default();
        for (index, row) in rows {
            columns.push(index, row, reasons.index(&row.reason));
        }
        let tokens = RunTokens {
            count: workbench.total.0,
            exact: workbench.exact,
            tokenizer: workbench.tokenizer.to_owned(),
            budget: workbench.budget(),
        };
        let RunPrefix { bytes, tokens: prefix_tokens } = workbench.prefix();
        let prefix = WorkbenchPrefix { bytes, tokens: prefix_tokens, last: workbench.kept_prefix(door) };
        Self { tokens, prefix, columns, views: Level::WORDS, reasons: reasons.all, notes }
    }
}

/// Few reasons are those of many files.
#[derive(Default)]
struct Reasons<'a> {
    all: Vec<String>,
    known: BTreeMap<&'a str, usize>,
}

impl<'a> Reasons<'a> {
    fn index(&mut self, reason: &'a str) -> usize {
        *self.known.entry(reason).or_insert_with(|| {
            self.all.push(reason.to_owned());
            self.all.len() - 1
        })
    }
}

fn flags(row: &Row) -> u8 {
    let marks = [row.is_failed, row.is_reduced, row.is_set, row.is_changed, row.has_secret, row.has_hidden];
    marks.into_iter().enumerate().map(|(bit, is_so)| u8::from(is_so) << bit).sum()
}
