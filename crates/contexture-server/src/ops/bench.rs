//! A composition that somebody is working on: what every file takes as it is, and what changes when one is shown otherwise.
//!
//! Takes a request once and holds what was read for it; gives the table of its files. A change of few files is reckoned from them
//! alone: blocks are counted apart and their counts add up, so the total is that of the whole document, measured. Where a budget
//! weighs files against each other, or a section comes or goes, all is compiled anew. Writes nothing.

use super::cached::statuses;
use super::document::{Memory, compiled, gathered, is_exact, open_one, screened, tokenizer_name};
use super::open::{Door, Opened, Request};
use super::{OpError, State};
use contexture_core::safety::Screened;
use contexture_core::{
    Body, ContentHash, Item, ItemKind, LeftOut, Level, Meter, Note, Pick, Snapshot, SymbolMode, Tokens, Tools, Topic,
    Why, alone,
};
use contexture_gather::config::{Entry, EntrySlice};
use contexture_gather::history;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// How one file is to be shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// As the project and its settings have it.
    Usual,
    /// Not in the document.
    Out,
    View {
        level: Level,
        mask: BTreeMap<String, SymbolMode>,
        slices: Vec<EntrySlice>,
    },
}

/// One file.
#[derive(Clone, Debug)]
pub struct Row {
    pub path: String,
    /// Tokens of its own text.
    pub own: u64,
    pub bytes: u64,
    /// Tokens of its block in the document; 0 where it is not in it.
    pub shown: u64,
    pub level: Option<Level>,
    pub reason: String,
    pub is_failed: bool,
    /// Shown by its name because of what it is.
    pub is_reduced: bool,
    /// Somebody set how it is shown.
    pub is_set: bool,
    /// Differs from the last commit.
    pub is_changed: bool,
    pub summary: Summary,
    /// Something in it looks like a secret, or cannot be seen.
    pub has_secret: bool,
    pub has_hidden: bool,
}

/// Whether a model wrote a summary of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Summary {
    None,
    Stale,
    Fresh,
}

pub struct Bench {
    request: Request,
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
    choices: BTreeMap<usize, Choice>,
}

/// What a change came to.
pub struct Changed {
    /// Rows that are otherwise now.
    pub rows: Vec<usize>,
    pub notes: Vec<Note>,
}

impl Bench {
    pub fn open(door: &Door, request: &Request) -> Result<Self, OpError> {
        let opened = door.open(request)?;
        let memory = Memory::open(door, &opened);
        let snapshot = screened(&opened, &memory, gathered(door, &opened, memory.cache())?);
        let (compiled, _) = compiled(door, &opened, &memory, &snapshot)?;
        let meter = Meter::new(&opened.tokenizer, memory.memo());
        let past = history(&opened.roots, memory.cache()).past(&snapshot.items);
        let open: BTreeSet<&str> = past.open.iter().map(String::as_str).collect();
        let is_file = |(_, item): &(usize, &Item)| item.kind == ItemKind::File;
        let files: Vec<(usize, &Item)> = snapshot.items.iter().enumerate().filter(is_file).collect();
        let own: Vec<u64> = files.par_iter().map(|(_, item)| own_tokens(item, &meter)).collect();
        let picks: BTreeMap<&str, &Pick> = compiled
            .plan
            .picks
            .iter()
            .filter(|pick| pick.kind == ItemKind::File)
            .map(|pick| (&*pick.item.0, pick))
            .collect();
        let reasons: BTreeMap<&str, &Why> =
            compiled.plan.left_out.iter().map(|left| (left.path.as_str(), &left.why)).collect();
        let summaries = summaries(door, &opened, &files);
        let report = snapshot.report();
        let secret: BTreeSet<&str> = report.secrets.iter().map(|found| found.path.as_str()).collect();
        let hidden: BTreeSet<&str> = report.hidden.iter().map(|found| found.path.as_str()).collect();
        let row = |((_, item), own): (&(usize, &Item), u64)| {
            let pick = picks.get(&*item.id.0).copied();
            let mut row = Row {
                path: item.path.clone(),
                own,
                bytes: item.size,
                shown: 0,
                level: None,
                reason: String::new(),
                is_failed: matches!(item.body, Body::Failed(_)),
                is_reduced: false,
                is_set: item.wish != contexture_core::Wish::default(),
                is_changed: open.contains(item.path.as_str()),
                summary: summaries.get(&item.path).copied().unwrap_or(Summary::None),
                has_secret: secret.contains(item.path.as_str()),
                has_hidden: hidden.contains(item.path.as_str()),
            };
            row.take(pick.ok_or_else(|| reasons.get(item.path.as_str()).map(|why| (*why).clone())));
            row
        };
        let rows: Vec<Row> = files.iter().zip(own).map(row).collect();
        let places: Vec<usize> = files.iter().map(|(place, _)| *place).collect();
        let known: BTreeSet<&str> = rows.iter().map(|row| row.path.as_str()).collect();
        let left_out =
            compiled.plan.left_out.iter().filter(|left| !known.contains(left.path.as_str())).cloned().collect();
        memory.save();
        Ok(Self {
            request: request.clone(),
            left_out,
            notes: compiled.notes,
            total: compiled.measured,
            exact: is_exact(&opened, &snapshot),
            tokenizer: tokenizer_name(opened.tokenizer),
            places,
            rows,
            opened,
            snapshot,
            choices: BTreeMap::new(),
        })
    }

    /// Shows these rows as chosen. Rows that are not there are passed over.
    pub fn set(&mut self, door: &Door, changes: &[(Vec<usize>, Choice)]) -> Result<Changed, OpError> {
        let mut asked = BTreeMap::new();
        for (rows, choice) in changes {
            for row in rows.iter().filter(|row| **row < self.rows.len()) {
                asked.insert(*row, choice.clone());
            }
        }
        for (row, choice) in &asked {
            match choice {
                Choice::Usual => self.choices.remove(row),
                choice => self.choices.insert(*row, choice.clone()),
            };
        }
        if self.is_weighed() {
            return self.compile_anew(door);
        }
        let memory = Memory::open(door, &self.opened);
        let code = memory.code(door);
        let tools = Tools { meter: Meter::new(&self.opened.tokenizer, memory.memo()), code: &code };
        let was_shown = self.rows.iter().any(|row| row.level.is_some());
        let due: Vec<usize> = asked.keys().copied().collect();
        let picked: Vec<Result<Pick, Why>> =
            due.par_iter().map(|row| self.picked(door, &memory, *row, &tools)).collect();
        let mut total = self.total.0;
        for (row, picked) in due.iter().zip(&picked) {
            let is_set = self.choices.contains_key(row) || self.is_set_by_project(*row);
            if let Some(row) = self.rows.get_mut(*row) {
                total -= row.shown;
                row.take(picked.as_ref().map_err(|why| Some(why.clone())));
                row.is_set = is_set;
                total += row.shown;
            }
        }
        self.total = Tokens(total);
        memory.save();
        // The heading of the section comes and goes with the first file of it.
        if was_shown != self.rows.iter().any(|row| row.level.is_some()) {
            return self.compile_anew(door);
        }
        Ok(Changed { rows: due, notes: Vec::new() })
    }

    /// The request that makes the document this bench shows.
    pub fn request(&self) -> Request {
        if self.choices.is_empty() {
            return self.request.clone();
        }
        let own = self.opened.ask.composition.clone().or_else(|| self.opened.config.files.paths.clone());
        let mut entries = own.unwrap_or_else(|| vec![Entry::new("**")]);
        for (row, choice) in &self.choices {
            let Some(path) = self.rows.get(*row).map(|row| &row.path) else { continue };
            let entry = entry(path, choice);
            match entries.iter_mut().find(|known| known.path == *path) {
                Some(known) => *known = entry,
                None => entries.push(entry),
            }
        }
        Request { composition: Some(entries), ..self.request.clone() }
    }

    pub fn budget(&self) -> Option<u64> {
        self.opened.options.budget.map(|budget| budget.0)
    }

    /// Whether one file's view decides about another's.
    fn is_weighed(&self) -> bool {
        self.opened.options.budget.is_some() || self.opened.ask.around
    }

    fn is_set_by_project(&self, row: usize) -> bool {
        let item = self.places.get(row).and_then(|place| self.snapshot.items.get(*place));
        item.is_some_and(|item| item.wish != contexture_core::Wish::default())
    }

    /// The file of a row as it is chosen now. What was not read before is read then.
    fn picked(&self, door: &Door, memory: &Memory, row: usize, tools: &Tools<'_>) -> Result<Pick, Why> {
        let place = self.places[row];
        let item = &self.snapshot.items[place];
        let options = &self.opened.options;
        let Some(choice) = self.choices.get(&row) else { return alone(&self.snapshot, place, None, options, tools) };
        let entry = entry(&item.path, choice);
        let wish = entry.wish();
        let is_read = !matches!(item.body, Body::Unread) || !wish.auto_aggregate || wish.view == Some(Level::None);
        // A diff is made of two texts.
        if !is_read || wish.view == Some(Level::Diff) {
            let request = Request { composition: Some(vec![entry]), ..self.request.clone() };
            if let Ok(one) = open_one(door, &request, &item.path) {
                let items = vec![one.item];
                let alone_read = screened(&self.opened, memory, Snapshot { items, ..Snapshot::default() });
                return alone(&alone_read, 0, None, options, tools);
            }
        }
        alone(&self.snapshot, place, Some(wish), options, tools)
    }

    fn compile_anew(&mut self, door: &Door) -> Result<Changed, OpError> {
        let now = Self::open(door, &self.request())?;
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
        if is_alike {
            self.rows = now.rows;
            self.total = now.total;
        }
        Ok(Changed { rows, notes })
    }
}

impl Row {
    fn take(&mut self, picked: Result<&Pick, Option<Why>>) {
        match picked {
            Ok(pick) => {
                self.shown = pick.tokens.0;
                self.level = Some(pick.level);
                self.reason = pick.reason();
                self.is_reduced = matches!(pick.why, Why::Kind(_));
            }
            Err(why) => {
                self.shown = 0;
                self.level = None;
                self.reason = why.map(|why| why.to_string()).unwrap_or_default();
                self.is_reduced = false;
            }
        }
    }
}

/// A choice as the entry of a composition.
fn entry(path: &str, choice: &Choice) -> Entry {
    let entry = Entry::new(path);
    match choice {
        Choice::Usual => entry,
        Choice::Out => Entry { auto_aggregate: false, ..entry },
        Choice::View { level, mask, slices } => {
            Entry { view_mode: Some(*level), ast_mask: mask.clone(), custom_slices: slices.clone(), ..entry }
        }
    }
}

fn own_tokens(item: &Item, meter: &Meter<'_>) -> u64 {
    match (&item.body, &item.hash) {
        (Body::Text { text, .. }, Some(hash)) => meter.text(hash, text).0,
        _ => 0,
    }
}

/// Which files have a summary. A store that cannot be read has none; what reads it for a document says why.
fn summaries(door: &Door, opened: &Opened, files: &[(usize, &Item)]) -> BTreeMap<String, Summary> {
    let able: Vec<(&Item, &ContentHash)> =
        files.iter().filter_map(|(_, item)| Some((*item, item.hash.as_ref()?))).collect();
    let Ok((states, _)) = statuses(door, opened, &able, &mut Vec::new()) else { return BTreeMap::new() };
    let state = |state: &State| match state {
        State::Fresh(_) => Summary::Fresh,
        State::Stale(_) => Summary::Stale,
        State::None => Summary::None,
    };
    states.iter().map(|file| (file.path.clone(), state(&file.state))).collect()
}
