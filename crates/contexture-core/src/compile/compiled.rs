//! What a compilation gives: the output, its plan, and everything that is known of both.

use crate::safety::Report;
use crate::types::{Fit, ItemId, LayerSize, Message, Note, Output, Plan, Section, Tokens, Truncated};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What [`crate::compile`] returns.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub output: Output,
    pub plan: Plan,
    /// The count of the bytes of the output; of messages and requests, of what they say.
    pub measured: Tokens,
    /// Tokens of the static prefix.
    pub prefix: Tokens,
    pub notes: Vec<Note>,
    /// How the budget was used, when there is one.
    pub fit: Option<Fit>,
    /// An agent's context as messages, in the order a model reads them; empty for a document.
    pub messages: Vec<Arc<Message>>,
    /// Its layers in their order.
    pub layers: Vec<LayerSize>,
    /// Of a path through a tree.
    pub truncation: Option<Truncated>,
    /// What was found in the texts before anything was made of them.
    pub safety: Report,
}

impl Compiled {
    /// Of each block the place of its item among the picks.
    pub fn picks_of_blocks(&self) -> Vec<Option<usize>> {
        let picks = &self.plan.picks;
        // Blocks stand in the order of the plan nearly always, so the next pick is tried before all are searched.
        let mut places: Option<BTreeMap<&ItemId, usize>> = None;
        let mut next = 0;
        let mut place = |id: &ItemId| {
            let found = if picks.get(next).is_some_and(|pick| pick.item == *id) {
                Some(next)
            } else {
                let all = || picks.iter().enumerate().map(|(index, pick)| (&pick.item, index)).collect();
                places.get_or_insert_with(all).get(id).copied()
            };
            next = found.map_or(next, |found| found + 1);
            found
        };
        self.output.blocks.iter().map(|block| block.item.as_ref().and_then(&mut place)).collect()
    }

    /// The named parts of the document in their order: each section, and behind it the items in it. An item of several blocks that
    /// follow each other is one part.
    pub fn sections(&self) -> Vec<Section> {
        let mut all: Vec<Section> = Vec::new();
        // Where the section that is open stands in the list, and its title.
        let mut open: Option<(usize, &'static str)> = None;
        let mut at = 0;
        for (block, pick) in self.output.blocks.iter().zip(self.picks_of_blocks()) {
            let bytes = at..at + block.bytes();
            at = bytes.end;
            match (open, block.section) {
                (Some((place, title)), Some(same)) if title == same => all[place].bytes.end = at,
                (_, Some(title)) => {
                    open = Some((all.len(), title));
                    all.push(Section { title: title.to_owned(), bytes: bytes.clone(), pick: None });
                }
                (_, None) => open = None,
            }
            let Some(item) = pick.and_then(|pick| self.plan.picks.get(pick)) else { continue };
            match all.last_mut().filter(|last| last.pick == pick) {
                Some(last) => last.bytes.end = at,
                None => all.push(Section { title: item.path.clone(), bytes, pick }),
            }
        }
        all
    }
}
