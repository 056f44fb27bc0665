//! How much of the last run's static prefix a workbench keeps, and what breaks it.

use super::super::driver::Memory;
use super::super::open::Door;
use super::super::runs::{Cause, is_quoted};
use super::Workbench;
use super::prefix::{self, BlockMeasure, EarlierBlock, LastPrefix, LastRun, PrefixDivergence, PrefixPart};
use super::row::Row;
use contexture_core::render::talk::quoted;
use contexture_core::{Block, Level};
use contexture_gather::runs::RunPrefix;

impl Workbench {
    /// The static part of the document.
    pub fn prefix(&self) -> RunPrefix {
        RunPrefix { bytes: self.blocks().map(|(_, measure)| measure.bytes).sum(), tokens: self.prefix.0 }
    }

    /// How much of the static part of the last run this composition keeps. Nothing, where there was no run.
    pub fn kept_prefix(&self, door: &Door) -> Option<LastPrefix> {
        let last = self.last.as_ref()?;
        let divergence = last.diverge(self.blocks());
        let common = divergence.old.as_ref().and_then(|old| self.common(door, old, &divergence));
        let breaks = divergence.old.as_ref().map(|old| self.breaks(last, old, &divergence));
        Some(last.kept_prefix(&divergence, common, &self.opened.tokenizer, breaks))
    }

    /// All blocks of the static part.
    fn blocks(&self) -> impl Iterator<Item = (PrefixPart<'_>, &BlockMeasure)> {
        self.around.all(self.measures.iter().enumerate().filter_map(|(row, measure)| Some((row, measure.as_ref()?))))
    }

    /// What both blocks begin with that differ first, where both texts can be had.
    fn common<'a>(
        &self,
        door: &Door,
        old: &EarlierBlock<'a>,
        divergence: &PrefixDivergence<'_, '_>,
    ) -> Option<&'a str> {
        let old = old.text?;
        match divergence.new {
            None => Some(""),
            Some(PrefixPart::Frame(text)) => Some(prefix::common(old, text?)),
            Some(PrefixPart::File(row)) => {
                let block = match self.fitted.get(&row) {
                    Some(block) => block.clone(),
                    None => self.block_alone(door, row)?,
                };
                let text: String = block.pieces.iter().map(|piece| piece.as_str()).collect();
                Some(prefix::common(old, &text))
            }
        }
    }

    /// The block of a row without a budget, where no other file decides about it.
    fn block_alone(&self, door: &Door, row: usize) -> Option<Block> {
        let memory = Memory::open(door, &self.opened);
        let code = memory.code(door);
        let (_, block, _) = self.compile_row(door, &memory, row, &memory.tools(&code)).ok()?;
        Some(if is_quoted(self.opened.options.format.as_str()) { quoted(&block) } else { block })
    }

    /// Which item breaks the static part of the last run, and why.
    fn breaks(
        &self,
        last: &LastRun,
        old: &EarlierBlock<'_>,
        divergence: &PrefixDivergence<'_, '_>,
    ) -> (Option<String>, Cause) {
        let row = match divergence.new {
            Some(PrefixPart::File(row)) => self.rows.get(row).map(|shown| (row, shown)),
            Some(PrefixPart::Frame(_)) | None => None,
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
                let content = self.measures[at].and_then(|measure| measure.content);
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
        (item, cause)
    }
}
