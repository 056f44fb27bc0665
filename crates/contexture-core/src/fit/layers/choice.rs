//! Chooses what of an agent's context has room. Sees costs; only what must be cut is looked at.

use super::super::history::{self, Room, ShownHistory};
use super::super::search::climb;
use super::offer::LayerOffer;
use crate::shape::layers::{cut_at, memory_line};
use crate::types::{Body, Layer, LayerContent, LayerView, Text, lines};
use rayon::prelude::*;

/// The tools' description may take half of the budget, and skills what it leaves of seven eighths: however many there are, a
/// conversation has room.
const TOOLS: (u64, u64) = (1, 2);
const GUIDES: (u64, u64) = (7, 8);
/// Fewer bytes of a text than this are not worth showing.
const SHORTEST_TRIM: usize = 128;

/// How much is shown of what may be left out.
#[derive(Clone, Default)]
pub struct Choice {
    pub tools: ToolExtent,
    /// Of the skills, and of the memories, from the best.
    pub skills: usize,
    pub memories: usize,
    pub history: Option<ShownHistory>,
    /// The newest group alone, its texts cut to so many bytes.
    pub trimmed: Option<usize>,
}

/// How much of the tools' description.
#[derive(Clone, Copy, Default)]
pub enum ToolExtent {
    #[default]
    Nothing,
    Bytes(usize),
    All,
}

impl LayerOffer<'_> {
    /// What fits. What a part may take grows with the budget, and slower than it: more of one is never less of another. And it
    /// depends on no history: what stands before it stays as it is while a conversation grows.
    pub fn choose(&self, budget: u64, least: u64) -> Choice {
        let free = budget.saturating_sub(least);
        let frame = |layer: Layer| self.frame(layer);
        // Rounded as one, so that a token more of the budget is never two more for them.
        let part = |(of, all): (u64, u64)| (u128::from(budget) * u128::from(of) / u128::from(all)) as u64;
        let all_tools = self.description.as_ref().map_or(0, |shown| shown.tokens + frame(Layer::Tools));
        let tools_room = all_tools.min(part(TOOLS)).min(free);
        let tools = match &self.description {
            Some(_) if tools_room >= all_tools => ToolExtent::All,
            Some(shown) => self.cut_tools(shown, tools_room.saturating_sub(frame(Layer::Tools))),
            None => ToolExtent::Nothing,
        };
        // What the last of them leaves over stays empty, so that a skill more never takes from what comes after it.
        let skills_room =
            (part(GUIDES) - part(TOOLS)).min(free - tools_room).min(cost(&self.skills, frame(Layer::Skill)));
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
        choice.history = history::begin(&self.groups, &all, &|at, cap| self.group_price(at, cap));
        if choice.history.is_none() {
            choice.trimmed = self.trim(room, history::cap(room + self.turning));
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
    fn cut_tools(&self, shown: &LayerView, room: u64) -> ToolExtent {
        let LayerContent::Text(text) = &shown.content else { return ToolExtent::Nothing };
        let ends: Vec<usize> = lines(text)
            .scan(0, |end, line| {
                *end += line.len();
                Some(*end)
            })
            .collect();
        let cost = |lines: usize| self.tools.meter.words(&cut_text(text, ends[lines - 1])).0;
        match climb(0, ends.len() as u64 + 1, |lines| cost(lines as usize) <= room) as usize {
            0 => ToolExtent::Nothing,
            lines => ToolExtent::Bytes(ends[lines - 1]),
        }
    }

    /// The most bytes that texts of the newest group, and of the message that led to it, may have. No more than in a history that
    /// has room for more.
    fn trim(&self, room: u64, cap: usize) -> Option<usize> {
        let newest = self.newest();
        let messages: usize = newest.iter().map(|at| self.groups[*at].messages).sum();
        if messages == 0 || self.options.agent.max_messages.is_some_and(|most| messages > most) {
            return None;
        }
        let cost = |most: usize| newest.iter().map(|at| self.group_price(*at, most)).sum::<u64>();
        let mosts = (0..).map(|power| SHORTEST_TRIM << power).take_while(|most| *most <= cap);
        mosts.take_while(|most| cost(*most) <= room).last()
    }

    /// The newest group, and the message that opens its turn.
    pub fn newest(&self) -> Vec<usize> {
        let Some(last) = self.groups.len().checked_sub(1) else { return Vec::new() };
        let head = (0..=last).rev().find(|at| self.groups[*at].opens_turn).filter(|at| *at < last);
        head.into_iter().chain([last]).filter(|at| !self.groups[*at].pinned).collect()
    }
}

/// How many of them have room behind one header.
fn first(shown: &[LayerView], frame: u64, room: u64) -> usize {
    let mut used = frame;
    shown
        .iter()
        .take_while(|one| {
            used += one.tokens;
            used <= room
        })
        .count()
}

fn cost(shown: &[LayerView], frame: u64) -> u64 {
    if shown.is_empty() { 0 } else { frame + shown.iter().map(|one| one.tokens).sum::<u64>() }
}

pub fn cut_text(text: &str, end: usize) -> Text {
    let shown = cut_at(text, end);
    let (lines, all) = (lines(shown).count(), lines(text).count());
    format!("{}\n[… {} of {all} lines are left out]\n", shown.trim_end(), all - lines).into()
}
