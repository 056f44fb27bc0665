//! A composition that somebody is working on: what every file takes as it is, and what changes when one is shown otherwise.
//!
//! Takes a request once and holds what was read for it; gives the table of its files. A change of few files is reckoned from them
//! alone: blocks are counted apart and their counts add up, so the total is that of the whole document, measured. Where a budget
//! weighs files against each other, tokens are estimated, or a section comes or goes, all is compiled anew. Writes nothing.

mod prefix;

pub use prefix::{Break, Kept, Prefix};

use super::cached::statuses;
use super::count::item_tokens;
use super::document::{Memory, compiled, gathered, is_exact, open_one, screened, tokenizer_name};
use super::open::{Door, Opened, Request};
use super::runs::Cause;
use super::{OpError, State, written};
use contexture_core::render::talk::quoted;
use contexture_core::safety::Screened;
use contexture_core::{
    Block, Body, ContentHash, Counter, Item, ItemKind, LeftOut, Level, Meter, Note, Pick, Snapshot, SymbolMode, Tokens,
    Tools, Topic, Tree, Why, alone,
};
use contexture_gather::config::{Entry, EntrySlice};
use contexture_gather::{Ask, history, listing, snapshot};
use prefix::{Around, Last, Mark, Old, Part, Parted};
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
#[derive(Clone, PartialEq, Eq, Debug)]
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
    /// Tokens of the static part.
    prefix: Tokens,
    around: Around,
    /// Of each row its block, where it is in the document.
    marks: Vec<Option<Mark>>,
    last: Option<Last>,
    /// Files that were read again, by row.
    again: BTreeMap<usize, Screened>,
}

/// What came of reading files again.
pub enum Fresh {
    Rows(Changed),
    /// Files came or went, or rules about them: the list is another one, and `compose` gives it.
    Another,
}

/// One file as it is shown, and its block.
struct Picked {
    pick: Pick,
    mark: Mark,
}

/// What a change came to.
pub struct Changed {
    /// Rows that are otherwise now.
    pub rows: Vec<usize>,
    pub notes: Vec<Note>,
}

impl Bench {
    pub fn open(door: &Door, request: &Request) -> Result<Self, OpError> {
        Self::open_beside(door, request, None)
    }

    /// The same, with a last run that is known already.
    fn open_beside(door: &Door, request: &Request, last: Option<Last>) -> Result<Self, OpError> {
        let opened = door.open(request)?;
        let memory = Memory::open(door, &opened);
        let snapshot = screened(&opened, &memory, gathered(door, &opened, memory.cache())?);
        let (compiled, _) = compiled(door, &opened, &memory, &snapshot)?;
        let meter = Meter::new(&opened.tokenizer, memory.memo());
        let past = history(&opened.roots, memory.cache()).past(&snapshot.items);
        let open: BTreeSet<&str> = past.open.iter().map(String::as_str).collect();
        let is_file = |(_, item): &(usize, &Item)| item.kind == ItemKind::File;
        let files: Vec<(usize, &Item)> = snapshot.items.iter().enumerate().filter(is_file).collect();
        let own: Vec<u64> = files.par_iter().map(|(_, item)| item_tokens(item, &meter)).collect();
        let (around, blocks) = Around::of(&compiled, &snapshot.items, opened.options.format, &meter);
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
        let mark = |(_, item): &(usize, &Item)| blocks.get(&picks.get(&*item.id.0)?.0).copied();
        let marks: Vec<Option<Mark>> = files.iter().map(mark).collect();
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
            prefix: compiled.prefix,
            around,
            marks,
            last: Last::look(door, &opened, last),
            exact: is_exact(&opened, &snapshot),
            tokenizer: tokenizer_name(opened.tokenizer),
            places,
            rows,
            opened,
            snapshot,
            choices: BTreeMap::new(),
            again: BTreeMap::new(),
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
        self.last = Last::look(door, &self.opened, self.last.take());
        if asked.is_empty() {
            return Ok(Changed { rows: Vec::new(), notes: Vec::new() });
        }
        if self.is_weighed() {
            return self.compile_anew(door);
        }
        self.reckon(door, asked.into_keys().collect())
    }

    /// Shows these rows as they are to be shown now. The others stay what they are.
    fn reckon(&mut self, door: &Door, due: Vec<usize>) -> Result<Changed, OpError> {
        let memory = Memory::open(door, &self.opened);
        let code = memory.code(door);
        let tools = Tools { meter: Meter::new(&self.opened.tokenizer, memory.memo()), code: &code };
        let shown = |rows: &[Row]| rows.iter().filter(|row| row.level.is_some()).count() as u64;
        let before = shown(&self.rows);
        let picked: Vec<Result<Picked, Why>> =
            due.par_iter().map(|row| self.picked(door, &memory, *row, &tools)).collect();
        let (mut gone, mut come, mut is_another_list) = (0, 0, false);
        for (row, picked) in due.iter().zip(&picked) {
            let is_set = self.choices.contains_key(row) || self.is_set_by_project(*row);
            let (at, Some(row)) = (*row, self.rows.get_mut(*row)) else { continue };
            gone += row.shown;
            is_another_list |= row.level.is_some() != picked.is_ok();
            row.take(picked.as_ref().map(|picked| &picked.pick).map_err(|why| Some(why.clone())));
            row.is_set = is_set;
            come += row.shown;
            self.marks[at] = picked.as_ref().ok().map(|picked| picked.mark);
        }
        memory.save();
        let after = shown(&self.rows);
        // The heading of the section comes and goes with the first file of it, and a tree names the files that are shown.
        let has_list = self.opened.options.tree == Tree::Selected && is_another_list;
        if (before == 0) != (after == 0) || has_list {
            return self.compile_anew(door);
        }
        // What stands between files comes and goes with them.
        let between = self.around.between();
        let moved = |tokens: Tokens| {
            Tokens((tokens.0 + come + between * after).saturating_sub(gone).saturating_sub(between * before))
        };
        (self.total, self.prefix) = (moved(self.total), moved(self.prefix));
        Ok(Changed { rows: due, notes: Vec::new() })
    }

    /// Reads these files again, and no others. What is told of the rest stays true as long as nobody says otherwise.
    pub fn refresh(&mut self, door: &Door, paths: &[String]) -> Result<Fresh, OpError> {
        self.last = Last::look(door, &self.opened, self.last.take());
        if self.is_weighed() {
            return self.compare_anew(door);
        }
        let place = |path: &str| self.rows.binary_search_by(|row| row.path.as_str().cmp(path)).ok();
        let (known, strange): (Vec<&String>, Vec<&String>) = paths.iter().partition(|path| place(path).is_some());
        // A folder that came or went is told by its own name.
        if paths.iter().any(|path| is_rule(path)) || (!strange.is_empty() && self.is_another_list()?) {
            return Ok(Fresh::Another);
        }
        let is_read = |row: &usize| !matches!(self.item(*row).body, Body::Unread);
        let due: Vec<usize> = known.iter().filter_map(|path| place(path)).filter(is_read).collect();
        if due.is_empty() {
            return Ok(Fresh::Rows(Changed { rows: Vec::new(), notes: Vec::new() }));
        }
        let named = due.iter().map(|row| self.rows[*row].path.clone()).collect();
        let ask = Ask { named, listed: Vec::new(), files_only: true, full_tree: false, ..self.opened.ask.clone() };
        let mut read = snapshot(&self.opened.roots, &self.opened.config, &ask, &door.progress)?;
        written::give(door, &self.opened, &mut read.items);
        let memory = Memory::open(door, &self.opened);
        let past = history(&self.opened.roots, memory.cache()).past(&read.items);
        let mut found: BTreeMap<String, Item> = read.items.into_iter().map(|item| (item.path.clone(), item)).collect();
        for row in &due {
            let before = self.item(*row);
            let Some(item) = found.remove(&before.path) else { return Ok(Fresh::Another) };
            if matches!(item.body, Body::Failed(_)) {
                return Ok(Fresh::Another);
            }
            // Reading it again is nobody's wish to see it.
            let item = Item { named: before.named, wish: before.wish.clone(), ..item };
            let one = screened(&self.opened, &memory, Snapshot { items: vec![item], ..Snapshot::default() });
            if one.report().is_denied() {
                return Ok(Fresh::Another);
            }
            self.look_again(door, *row, &one, &memory, past.open.iter().any(|path| *path == self.rows[*row].path));
            self.again.insert(*row, one);
        }
        memory.save();
        drop(memory);
        self.reckon(door, due).map(Fresh::Rows)
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
    fn look_again(&mut self, door: &Door, row: usize, one: &Screened, memory: &Memory, is_changed: bool) {
        let Some(item) = one.items.first() else { return };
        let meter = Meter::new(&self.opened.tokenizer, memory.memo());
        let own = item_tokens(item, &meter);
        let summary = summaries(door, &self.opened, &[(row, item)]).get(&item.path).copied().unwrap_or(Summary::None);
        let report = one.report();
        let row = &mut self.rows[row];
        (row.own, row.bytes, row.is_changed, row.summary) = (own, item.size, is_changed, summary);
        row.is_failed = matches!(item.body, Body::Failed(_));
        row.has_secret = report.secrets.iter().any(|found| found.path == row.path);
        row.has_hidden = report.hidden.iter().any(|found| found.path == row.path);
    }

    /// Compiles all anew, and tells which rows are otherwise in anything.
    fn compare_anew(&mut self, door: &Door) -> Result<Fresh, OpError> {
        let now = Self::open_beside(door, &self.request(), self.last.take())?;
        let is_alike = now.rows.len() == self.rows.len()
            && now.rows.iter().zip(&self.rows).all(|(now, before)| now.path == before.path);
        if !is_alike {
            self.last = now.last;
            return Ok(Fresh::Another);
        }
        let rows = (0..now.rows.len()).filter(|row| now.rows[*row] != self.rows[*row]).collect();
        let notes = now.notes.clone();
        self.take(now);
        Ok(Fresh::Rows(Changed { rows, notes }))
    }

    /// What the same request gives now; how it was asked for stays.
    fn take(&mut self, now: Self) {
        (self.rows, self.marks, self.around) = (now.rows, now.marks, now.around);
        (self.total, self.prefix, self.last) = (now.total, now.prefix, now.last);
    }

    /// The static part of the document.
    pub fn prefix(&self) -> Prefix {
        Prefix { bytes: self.blocks().map(|(_, mark)| mark.bytes).sum(), tokens: self.prefix }
    }

    /// How much of the static part of the last run this composition keeps. Nothing, where there was no run.
    pub fn kept(&self, door: &Door) -> Option<Kept> {
        let last = self.last.as_ref()?;
        let parted = last.parted(self.blocks());
        let common = parted.old.as_ref().and_then(|old| self.common(door, old, &parted));
        let breaks = parted.old.as_ref().map(|old| self.breaks(last, old, &parted));
        Some(last.kept(&parted, common, &self.opened.tokenizer, breaks))
    }

    /// All blocks of the static part.
    fn blocks(&self) -> impl Iterator<Item = (Part<'_>, &Mark)> {
        self.around.all(self.marks.iter().enumerate().filter_map(|(row, mark)| Some((row, mark.as_ref()?))))
    }

    /// What both blocks begin with that differ first, where both texts can be had.
    fn common<'a>(&self, door: &Door, old: &Old<'a>, parted: &Parted<'_, '_>) -> Option<&'a str> {
        let old = old.text?;
        match parted.new {
            None => Some(""),
            Some(Part::Frame(text)) => Some(prefix::common(old, text?)),
            Some(Part::File(row)) => {
                let memory = Memory::open(door, &self.opened);
                let code = memory.code(door);
                let tools = Tools { meter: Meter::new(&self.opened.tokenizer, memory.memo()), code: &code };
                let (_, block, _) = self.made(door, &memory, row, &tools).ok()?;
                let block = if prefix::is_quoted(self.opened.options.format) { quoted(&block) } else { block };
                let text: String = block.pieces.iter().map(|piece| piece.as_str()).collect();
                Some(prefix::common(old, &text))
            }
        }
    }

    /// Which item breaks the static part of the last run, and why.
    fn breaks(&self, last: &Last, old: &Old<'_>, parted: &Parted<'_, '_>) -> Break {
        let row = match parted.new {
            Some(Part::File(row)) => self.rows.get(row).map(|shown| (row, shown)),
            Some(Part::Frame(_)) | None => None,
        };
        let is_shown = |path: &str| {
            let found = self.rows.binary_search_by(|row| row.path.as_str().cmp(path));
            found.is_ok_and(|row| self.rows[row].level.is_some())
        };
        let is_gone = |path: &str, kind: &str| kind == "file" && !is_shown(path);
        let cause = match (old.item, row) {
            (Some(old), Some((at, new))) if old.path == new.path => {
                let path = new.path.clone();
                let level = new.level.map(Level::as_str).unwrap_or_default();
                let content = self.marks[at].and_then(|mark| mark.content);
                if old.view != level {
                    let (was, is) = (old.view.clone(), level.to_owned());
                    Cause::View { path, old: (was, old.reason.clone()), new: (is, new.reason.clone()) }
                } else if old.hash != content {
                    Cause::Content(path)
                } else {
                    Cause::Unknown
                }
            }
            (_, Some((_, new))) if !last.has(&new.path) => Cause::Added(new.path.clone()),
            (Some(old), _) if is_gone(&old.path, &old.kind) => Cause::Removed(old.path.clone()),
            (Some(_), Some(_)) => Cause::Order,
            // A heading, or a tree of folders, which tells of files.
            (None, _) | (_, None) => {
                let is_new = |row: &&Row| row.level.is_some() && !last.has(&row.path);
                let gone = || last.items().iter().find(|item| is_gone(&item.path, &item.kind));
                match self.rows.iter().find(is_new) {
                    Some(new) => Cause::Added(new.path.clone()),
                    None => gone().map_or(Cause::Unknown, |old| Cause::Removed(old.path.clone())),
                }
            }
        };
        let (was, is) = (old.item.map(|item| item.path.clone()), row.map(|(_, row)| row.path.clone()));
        // What is gone stands in the way of nothing that is there now.
        let item = if matches!(cause, Cause::Removed(_)) { was.or(is) } else { is.or(was) };
        Break { item, cause }
    }

    /// The request that makes the document this bench shows.
    pub fn request(&self) -> Request {
        if self.choices.is_empty() {
            return self.request.clone();
        }
        let own = self.opened.ask.composition.clone().or_else(|| self.opened.config.files.paths.clone());
        let mut entries = own.unwrap_or_else(|| vec![Entry::new("**")]);
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
        Request { composition: Some(entries), ..self.request.clone() }
    }

    pub fn budget(&self) -> Option<u64> {
        self.opened.options.budget.map(|budget| budget.0)
    }

    /// Whether one file's view decides about another's, or about more tokens than its own: the estimate of a document is that of its
    /// bytes, and the estimates of its blocks do not add up to it.
    fn is_weighed(&self) -> bool {
        self.opened.options.budget.is_some() || self.opened.ask.around || !self.opened.tokenizer.exact()
    }

    fn is_set_by_project(&self, row: usize) -> bool {
        self.item(row).wish != contexture_core::Wish::default()
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

    fn picked(&self, door: &Door, memory: &Memory, row: usize, tools: &Tools<'_>) -> Result<Picked, Why> {
        let (pick, block, item) = self.made(door, memory, row, tools)?;
        let mark = prefix::mark(&pick, &block, &item, self.opened.options.format);
        Ok(Picked { pick, mark })
    }

    /// The file of a row as it is chosen now, with its block. What was not read before is read then.
    fn made(&self, door: &Door, memory: &Memory, row: usize, tools: &Tools<'_>) -> Result<(Pick, Block, Item), Why> {
        let of = |snapshot: &Screened, place: usize, wish| {
            let (pick, block) = alone(snapshot, place, wish, &self.opened.options, tools)?;
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
            let request = Request { composition: Some(vec![entry]), ..self.request.clone() };
            if let Ok(one) = open_one(door, &request, &item.path) {
                let items = vec![one.item];
                let alone_read = screened(&self.opened, memory, Snapshot { items, ..Snapshot::default() });
                return of(&alone_read, 0, None);
            }
        }
        of(snapshot, place, Some(wish))
    }

    fn compile_anew(&mut self, door: &Door) -> Result<Changed, OpError> {
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
            true => self.take(now),
            false => self.last = now.last,
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

/// Whether a file says which files there are.
fn is_rule(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.ends_with("ignore")
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
