//! Chooses what of an agent's context has room. Sees costs; only what must be cut is looked at.

use super::offered::Offered;
use super::{Shown, What};
use crate::fit::history::{self, Kept, Room};
use crate::model::{Body, Layer, Message, Text};
use crate::shape;
use crate::shape::history::Group;
use crate::shape::layers::{cut_at, memory_line, trimmed};
use rayon::prelude::*;
use std::sync::Arc;

/// Tools and skills together may take three quarters of the budget: however many there are, a conversation has room.
const GUIDES: (u64, u64) = (3, 4);
/// Fewer bytes of a text than this are not worth showing.
const SHORTEST_TRIM: usize = 128;

/// How much is shown of what may be left out.
#[derive(Clone, Default)]
pub struct Choice {
    pub tools: Part,
    /// Of the skills, and of the memories, from the best.
    pub skills: usize,
    pub memories: usize,
    pub history: Option<Kept>,
    /// The newest group alone, its texts cut to so many bytes.
    pub trimmed: Option<usize>,
}

/// How much of the tools' description.
#[derive(Clone, Copy, Default)]
pub enum Part {
    #[default]
    Nothing,
    Bytes(usize),
    All,
}

impl Offered<'_> {
    /// What fits. What a part may take grows with the budget, and slower than it: more of one is never less of another. And it
    /// depends on no history: what stands before it stays as it is while a conversation grows.
    pub fn choose(&self, budget: u64, least: u64) -> Choice {
        let free = budget.saturating_sub(least);
        let frame = |layer: Layer| self.frame(layer);
        let most = (budget / GUIDES.1 * GUIDES.0).min(free);
        let all_tools = self.description.as_ref().map_or(0, |shown| shown.tokens + frame(Layer::Tools));
        let tools_room = all_tools.min(most);
        let tools = match &self.description {
            Some(_) if tools_room >= all_tools => Part::All,
            Some(shown) => self.cut_tools(shown, tools_room.saturating_sub(frame(Layer::Tools))),
            None => Part::Nothing,
        };
        // What the last of them leaves over stays empty, so that a skill more never takes from what comes after it.
        let skills_room = cost(&self.skills, frame(Layer::Skill)).min(most - tools_room);
        let skills = first(&self.skills, frame(Layer::Skill), skills_room);
        let room = free - tools_room - skills_room;
        let memories = first(&self.memories, frame(Layer::Memory), room);
        let mut choice = Choice { tools, skills, memories, history: None, trimmed: None };
        if memories < self.memories.len() {
            return choice;
        }
        let room = room.saturating_sub(cost(&self.memories, frame(Layer::Memory)) + self.spare());
        let all = Room {
            messages: self.options.agent.max_messages,
            tokens: Some(room + self.turning),
            current: self.turning,
        };
        choice.history = history::begin(&self.groups, &all);
        if choice.history.is_none() {
            choice.trimmed = self.trim(room);
        }
        choice
    }

    /// What memories may come to take and do not take now, where they are chosen anew behind the history: the history does not
    /// move for the ones that are chosen now.
    fn spare(&self) -> u64 {
        if !self.options.agent.near {
            return 0;
        }
        let lines = self.items.par_iter().filter_map(|item| match &item.body {
            Body::Memory(memory) => Some(self.tools.meter.words(&memory_line(memory)).0),
            _ => None,
        });
        let mut costs: Vec<u64> = lines.collect();
        costs.sort_unstable_by(|a, b| b.cmp(a));
        let most: u64 = costs.iter().take(self.options.agent.max_memories).sum();
        let most = most.min(self.options.agent.memory_tokens.0);
        match self.memories.is_empty() {
            true if most == 0 => 0,
            true => most + self.frame(Layer::Memory),
            false => most - cost(&self.memories, 0),
        }
    }

    /// As many whole lines of the tools' description as have room.
    fn cut_tools(&self, shown: &Shown, room: u64) -> Part {
        let What::Text(text) = &shown.what else { return Part::Nothing };
        let ends: Vec<usize> = shape::lines(text)
            .scan(0, |end, line| {
                *end += line.len();
                Some(*end)
            })
            .collect();
        let cost = |lines: usize| self.tools.meter.words(&cut_text(text, ends[lines - 1])).0;
        let (mut low, mut high) = (0, ends.len());
        while low < high {
            let middle = (low + high).div_ceil(2);
            if cost(middle) <= room { low = middle } else { high = middle - 1 }
        }
        if low == 0 { Part::Nothing } else { Part::Bytes(ends[low - 1]) }
    }

    /// The most bytes that texts of the newest group, and of the message that led to it, may have.
    fn trim(&self, room: u64) -> Option<usize> {
        let newest: usize = self.newest(0).iter().map(|(_, messages)| messages.len()).sum();
        if newest == 0 || self.options.agent.max_messages.is_some_and(|most| newest > most) {
            return None;
        }
        let cost = |most: usize| {
            self.newest(most)
                .iter()
                .map(|(_, messages)| {
                    messages.iter().map(|message| self.tools.meter.message(&message.hash(), message).0).sum::<u64>()
                })
                .sum::<u64>()
        };
        let longest = groups_text(&self.repaired.groups);
        let mosts = (0..).map(|power| SHORTEST_TRIM << power).take_while(|most| most / 2 < longest.max(SHORTEST_TRIM));
        mosts.take_while(|most| cost(*most) <= room).last()
    }

    /// The newest group and the message that opens its turn, cut.
    pub fn newest(&self, most: usize) -> Vec<(usize, Vec<Arc<Message>>)> {
        let groups = &self.repaired.groups;
        let Some(last) = groups.len().checked_sub(1) else { return Vec::new() };
        let head = (0..=last).rev().find(|at| groups[*at].opens_turn).filter(|at| *at < last);
        let shown = head.into_iter().chain([last]).filter(|at| !self.groups[*at].pinned);
        shown.map(|at| (at, groups[at].messages.iter().map(|(_, message)| trimmed(message, most)).collect())).collect()
    }
}

/// How many of them have room behind one header.
fn first(shown: &[Shown], frame: u64, room: u64) -> usize {
    let mut used = frame;
    shown
        .iter()
        .take_while(|one| {
            used += one.tokens;
            used <= room
        })
        .count()
}

fn cost(shown: &[Shown], frame: u64) -> u64 {
    if shown.is_empty() { 0 } else { frame + shown.iter().map(|one| one.tokens).sum::<u64>() }
}

/// The longest text of the newest group and of what opens its turn, or more.
fn groups_text(groups: &[Group]) -> usize {
    let head = groups.iter().rposition(|group| group.opens_turn);
    let newest = groups.last().into_iter().chain(head.map(|at| &groups[at]));
    newest.flat_map(|group| &group.messages).map(|(_, message)| message.size() as usize).max().unwrap_or(0)
}

pub fn cut_text(text: &str, end: usize) -> Text {
    let shown = cut_at(text, end);
    let (lines, all) = (shape::lines(shown).count(), shape::lines(text).count());
    format!("{}\n[… {} of {all} lines are left out]\n", shown.trim_end(), all - lines).into()
}
