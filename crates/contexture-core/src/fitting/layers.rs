//! Fits an agent's context: what must be shown, then tools, skills, memories, and the history in what is left.
//!
//! Takes the layers of a snapshot; gives what is shown of each, in the order a model reads it, and why. When there is not
//! enough room, whole turns go first, oldest first, then the least relevant memories, then skills and lines of the tools'
//! description; who the agent is, the bootstrap and the current message stay (W8).

use crate::compile::Tools;
use crate::count::Meter;
use crate::fit::OverBudget;
use crate::fit::history::{self, Kept, Room, Sized};
use crate::model::{
    Body, Item, ItemKind, Layer, LayerSize, LeftOut, Level, Message, Role, Snapshot, Text, Tokens, ToolSchema, Why,
};
use crate::options::Options;
use crate::render::talk::{self, Talk, header};
use crate::shape::history::{Group, Repaired, repair};
use crate::shape::layers::{cut_at, memory_line, mentions, skill_body, skill_line, trimmed};
use crate::{rank, shape};
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::Arc;

/// An item of a layer that is shown.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// Its place in the snapshot.
    pub index: usize,
    pub layer: Layer,
    pub level: Level,
    pub why: Why,
    pub what: What,
    /// Of `what` alone.
    pub tokens: u64,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    Text(Text),
    Said(Vec<Arc<Message>>),
    Schemas(Arc<[ToolSchema]>),
}

pub(crate) struct Fitted {
    /// In the order of the layers.
    pub shown: Vec<Shown>,
    pub left_out: Vec<LeftOut>,
}

/// Tools and skills together may take three quarters of the budget: however many there are, a conversation has room.
const GUIDES: (u64, u64) = (3, 4);
/// Without a budget; more than any context, and small enough to count with.
const UNLIMITED: u64 = 1 << 50;
/// Fewer bytes of a text than this are not worth showing.
const SHORTEST_TRIM: usize = 128;
/// When the whole is measured larger than its parts, parts are chosen anew for so much less. Twice is enough for all that was seen.
const TRIES: usize = 8;

pub(crate) fn fit(
    snapshot: &Snapshot,
    options: &Options,
    tools: &Tools<'_>,
    measure: impl Fn(&[Shown]) -> Tokens,
) -> Result<Fitted, OverBudget> {
    let offered = Offered::of(snapshot, options, tools);
    let protected = offered.shown(&Choice::default());
    let least = measure(&protected);
    let budget = options.budget.unwrap_or(Tokens(UNLIMITED));
    if least > budget {
        let costs = protected.iter().map(|shown| (snapshot.items[shown.index].path.clone(), Tokens(shown.tokens)));
        return Err(OverBudget::new(costs, least, budget));
    }
    let mut excess = 0;
    for _ in 0..TRIES {
        let choice = offered.choose(budget.0, least.0 + excess);
        let measured = measure(&offered.shown(&choice));
        if measured <= budget {
            return Ok(offered.fitted(&choice));
        }
        excess += measured.0 - budget.0;
    }
    Ok(offered.fitted(&Choice::default()))
}

/// How much is shown of what may be left out.
#[derive(Clone, Default)]
struct Choice {
    tools: Part,
    /// Of the skills, and of the memories, from the best.
    skills: usize,
    memories: usize,
    history: Option<Kept>,
    /// The newest group alone, its texts cut to so many bytes.
    trimmed: Option<usize>,
}

/// How much of the tools' description.
#[derive(Clone, Copy, Default)]
enum Part {
    #[default]
    Nothing,
    Bytes(usize),
    All,
}

/// Everything that could be shown, laid out and priced.
struct Offered<'a> {
    items: &'a [Item],
    options: &'a Options,
    tools: &'a Tools<'a>,
    /// Shown in any case.
    fixed: Vec<Shown>,
    /// Of what is fixed, the tokens of what changes with every message.
    turning: u64,
    description: Option<Shown>,
    /// From the most relevant.
    skills: Vec<Shown>,
    memories: Vec<Shown>,
    /// Memories that are not among the best, and skills that are not in use, with the reason.
    never: Vec<(usize, Cow<'static, str>)>,
    history: Vec<usize>,
    repaired: Repaired,
    groups: Vec<Sized>,
    /// Of the messages of each group; empty for those that were not counted.
    prices: Vec<Vec<u64>>,
    /// The message that is answered, where it is part of the history.
    pinned: Option<usize>,
}

impl<'a> Offered<'a> {
    fn of(snapshot: &'a Snapshot, options: &'a Options, tools: &'a Tools<'a>) -> Self {
        let items = snapshot.items.as_slice();
        let of = |wanted: Layer| {
            (0..items.len()).filter(move |at| items[*at].kind == ItemKind::Layer(wanted)).collect::<Vec<usize>>()
        };
        let history = of(Layer::History);
        let messages: Vec<Arc<Message>> = history.iter().map(|at| said(&items[*at])).collect();
        let current = of(Layer::Current);
        // Without a message of its own, the newest of a person is what is answered.
        let pinned = match current.is_empty() {
            true => messages.iter().rposition(|message| message.role == Role::User),
            false => None,
        };
        let asked = current.first().map(|at| said(&items[*at]).text()).or_else(|| Some(messages[pinned?].text()));
        let asked = asked.unwrap_or_default();
        let mut offered = Self {
            items,
            options,
            tools,
            fixed: Vec::new(),
            turning: 0,
            description: None,
            skills: Vec::new(),
            memories: Vec::new(),
            never: Vec::new(),
            repaired: repair(&messages),
            history,
            groups: Vec::new(),
            prices: Vec::new(),
            pinned,
        };
        for at in of(Layer::System).into_iter().chain(of(Layer::Bootstrap)) {
            let layer = if items[at].kind == ItemKind::Layer(Layer::System) { Layer::System } else { Layer::Bootstrap };
            let shown = offered.text(at, layer, text(&items[at]), "always shown");
            offered.fixed.push(shown);
        }
        for at in of(Layer::Tools) {
            match &items[at].body {
                Body::Schemas(schemas) => {
                    let tokens = schemas.iter().map(|schema| tools.meter.schema(schema)).sum();
                    let what = What::Schemas(schemas.clone());
                    offered.fixed.push(Shown {
                        what,
                        tokens,
                        ..offered.text(at, Layer::Tools, Text::default(), "given by the caller")
                    });
                }
                _ => {
                    offered.description =
                        Some(offered.text(at, Layer::Tools, text(&items[at]), "the description of the tools"))
                }
            }
        }
        offered.offer_skills(&of(Layer::Skill), &of(Layer::SkillBody), &asked);
        offered.offer_memories(&of(Layer::Memory), &asked);
        for at in current {
            let shown = offered.spoken(at, Layer::Current, vec![said(&items[at])], "always shown");
            offered.turning += shown.tokens;
            offered.fixed.push(shown);
        }
        offered.count_history();
        let pinned = offered.groups.iter().zip(&offered.prices).filter(|(group, _)| group.pinned);
        offered.turning += pinned.map(|(_, prices)| prices.iter().sum::<u64>()).sum::<u64>();
        offered
    }

    fn text(&self, index: usize, layer: Layer, text: Text, why: impl Into<Cow<'static, str>>) -> Shown {
        let tokens = self.tools.meter.words(&text).0;
        Shown { index, layer, level: Level::Full, why: Why::Layer(why.into()), what: What::Text(text), tokens }
    }

    fn spoken(&self, index: usize, layer: Layer, messages: Vec<Arc<Message>>, why: &'static str) -> Shown {
        let tokens = messages.iter().map(|message| self.price(index, message)).sum();
        Shown { index, layer, level: Level::Full, why: Why::Layer(why.into()), what: What::Said(messages), tokens }
    }

    /// What a message costs. The hash of an item stands for its message where that was not repaired.
    fn price(&self, index: usize, message: &Arc<Message>) -> u64 {
        let item = &self.items[index];
        match (&item.body, item.hash) {
            (Body::Message(own), Some(hash)) if Arc::ptr_eq(own, message) => self.tools.meter.message(&hash, message).0,
            _ => self.tools.meter.message(&message.hash(), message).0,
        }
    }

    fn offer_skills(&mut self, lines: &[usize], bodies: &[usize], asked: &str) {
        let named = mentions(asked);
        let skill = |at: usize| match &self.items[at].body {
            Body::Skill(skill) => Some(skill.clone()),
            _ => None,
        };
        let listed: Vec<_> = lines.iter().filter_map(|at| Some((*at, skill(*at)?))).collect();
        let texts: Vec<Text> = listed.iter().map(|(_, skill)| skill_line(skill)).collect();
        let worths = rank::texts(asked, &texts.iter().map(|text| &**text).collect::<Vec<_>>());
        let mut order: Vec<usize> = (0..listed.len()).collect();
        order.sort_by(|a, b| worths[*b].total_cmp(&worths[*a]).then(a.cmp(b)));
        let mut skills = Vec::with_capacity(listed.len());
        for nth in order {
            let (at, skill) = &listed[nth];
            if skill.hidden {
                self.never.push((*at, "hidden from the list of skills; a message may still name it".into()));
            } else {
                skills.push(self.text(*at, Layer::Skill, texts[nth].clone(), "listed"));
            }
        }
        let mut always = Vec::new();
        for at in bodies {
            let Some(skill) = skill(*at) else { continue };
            if named.contains(&skill.name.to_lowercase()) {
                let shown = self.text(*at, Layer::SkillBody, skill_body(&skill), "named by the message");
                self.turning += shown.tokens;
                self.fixed.push(shown);
            } else if skill.always {
                always.push(self.text(*at, Layer::SkillBody, skill_body(&skill), "the skill says `always`"));
            } else {
                let why = format!("its text is shown when a message says `${}`", skill.name);
                self.never.push((*at, why.into()));
            }
        }
        always.sort_by_key(|shown| (shown.tokens, shown.index));
        skills.extend(always);
        self.skills = skills;
    }

    fn offer_memories(&mut self, places: &[usize], asked: &str) {
        let known: Vec<_> = places
            .iter()
            .filter_map(|at| match &self.items[*at].body {
                Body::Memory(memory) => Some((*at, memory.clone())),
                _ => None,
            })
            .collect();
        let ranked = rank::memories(asked, &known.iter().map(|(_, memory)| &**memory).collect::<Vec<_>>());
        let mut left = self.options.agent.memory_tokens.0;
        let mut is_full = false;
        for (rank, found) in ranked.iter().enumerate() {
            let (at, memory) = &known[found.at];
            let place = format!("rank {} of {} memories for the message", rank + 1, ranked.len());
            if rank >= self.options.agent.max_memories {
                let most = self.options.agent.max_memories;
                self.never.push((*at, format!("{place}; at most {most} are shown").into()));
                continue;
            }
            let line = self.text(*at, Layer::Memory, memory_line(memory), "");
            let why = Why::Remembered { rank: rank as u32 + 1, of: ranked.len() as u32, score: found.score };
            let shown = Shown { why, ..line };
            is_full |= shown.tokens > left;
            if is_full {
                let most = self.options.agent.memory_tokens;
                self.never.push((*at, format!("{place}; memories may take {most} tokens").into()));
            } else {
                left -= shown.tokens;
                self.memories.push(shown);
            }
        }
    }

    /// Sizes of the groups of the history. Only those near the end are counted: what is further back has no room, whatever it
    /// costs.
    fn count_history(&mut self) {
        let groups = &self.repaired.groups;
        let most = self.options.agent.max_messages.unwrap_or(usize::MAX);
        let budget = self.options.budget.map_or(u64::MAX, |budget| budget.0);
        let is_pinned = |group: &Group| self.pinned.is_some() && group.messages[0].0 == self.pinned;
        let mut sizes: Vec<Sized> = groups
            .iter()
            .map(|group| Sized {
                bytes: group.messages.iter().map(|(_, message)| message.size()).sum(),
                messages: group.messages.len(),
                tokens: u64::MAX,
                opens_turn: group.opens_turn,
                pinned: is_pinned(group),
            })
            .collect();
        let mut prices: Vec<Vec<u64>> = vec![Vec::new(); groups.len()];
        let (mut end, mut messages, mut tokens) = (groups.len(), 0usize, 0u64);
        while end > 0 && messages <= most && tokens <= budget {
            let start = end.saturating_sub(COUNTED_AT_ONCE);
            let counted = prices[start..end].par_iter_mut().zip(&groups[start..end]).with_min_len(16);
            counted.for_each(|(prices, group)| *prices = self.group_prices(group));
            messages += sizes[start..end].iter().map(|size| size.messages).sum::<usize>();
            tokens = prices[start..end].iter().flatten().fold(tokens, |sum, price| sum.saturating_add(*price));
            end = start;
        }
        // A turn that began further back may still be needed for its first message; so is the one that is answered.
        let head = (0..end).rev().find(|at| sizes[*at].opens_turn);
        for at in head.into_iter().chain((0..end).find(|at| sizes[*at].pinned)) {
            prices[at] = self.group_prices(&groups[at]);
        }
        for (size, prices) in sizes.iter_mut().zip(&prices).filter(|(_, prices)| !prices.is_empty()) {
            size.tokens = prices.iter().sum();
        }
        (self.groups, self.prices) = (sizes, prices);
    }

    fn group_prices(&self, group: &Group) -> Vec<u64> {
        let price = |(at, message): &(Option<usize>, Arc<Message>)| match at {
            Some(at) => self.price(self.history[*at], message),
            None => self.tools.meter.message(&message.hash(), message).0,
        };
        group.messages.iter().map(price).collect()
    }

    /// What fits. What a part may take grows with the budget, and slower than it: more of one is never less of another. And it
    /// depends on no history: what stands before it stays as it is while a conversation grows.
    fn choose(&self, budget: u64, least: u64) -> Choice {
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

    fn frame(&self, layer: Layer) -> u64 {
        talk::FRAME + self.tools.meter.words(header(layer)).0
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
    fn newest(&self, most: usize) -> Vec<(usize, Vec<Arc<Message>>)> {
        let groups = &self.repaired.groups;
        let Some(last) = groups.len().checked_sub(1) else { return Vec::new() };
        let head = (0..=last).rev().find(|at| groups[*at].opens_turn).filter(|at| *at < last);
        let shown = head.into_iter().chain([last]).filter(|at| !self.groups[*at].pinned);
        shown.map(|at| (at, groups[at].messages.iter().map(|(_, message)| trimmed(message, most)).collect())).collect()
    }

    fn shown(&self, choice: &Choice) -> Vec<Shown> {
        let mut shown = self.fixed.clone();
        match (&self.description, choice.tools) {
            (Some(description), Part::All) => shown.push(description.clone()),
            (Some(description), Part::Bytes(end)) => {
                let What::Text(text) = &description.what else { return shown };
                let cut = self.text(
                    description.index,
                    Layer::Tools,
                    cut_text(text, end),
                    "cut: there is no room for all of it",
                );
                shown.push(Shown { level: Level::Custom, ..cut });
            }
            _ => {}
        }
        shown.extend_from_slice(&self.skills[..choice.skills]);
        shown.extend_from_slice(&self.memories[..choice.memories]);
        for at in 0..self.groups.len() {
            let is_kept = choice.history.is_some_and(|kept| at >= kept.first || kept.head == Some(at));
            if is_kept || self.groups[at].pinned {
                let why =
                    if self.groups[at].pinned { "the message that is answered" } else { "one of the newest turns" };
                self.push_group(at, None, why, &mut shown);
            }
        }
        if let Some(most) = choice.trimmed {
            for (at, messages) in self.newest(most) {
                self.push_group(at, Some(messages), "the newest, cut: there is no room for all of it", &mut shown);
            }
        }
        // Messages stand in the order of their groups: a result next to its call, wherever it was stored.
        let place = |shown: &Shown| {
            let is_near = self.options.agent.near && matches!(shown.layer, Layer::Memory | Layer::SkillBody);
            let index = if shown.layer == Layer::History { 0 } else { shown.index };
            (if is_near { Layer::Current } else { shown.layer }, !is_near, shown.layer, index)
        };
        shown.sort_by_key(place);
        shown
    }

    /// The messages of a group, each for its item; one that stands for no item goes with the one before it.
    fn push_group(&self, at: usize, cut: Option<Vec<Arc<Message>>>, why: &'static str, out: &mut Vec<Shown>) {
        let level = if cut.is_some() { Level::Custom } else { Level::Full };
        let group = &self.repaired.groups[at];
        for (nth, (place, whole)) in group.messages.iter().enumerate() {
            let message = cut.as_ref().and_then(|cut| cut.get(nth)).unwrap_or(whole);
            let price = if Arc::ptr_eq(message, whole) { self.prices[at].get(nth).copied() } else { None };
            let price = price.unwrap_or_else(|| self.tools.meter.message(&message.hash(), message).0);
            match (place, out.last_mut()) {
                (Some(place), _) => out.push(Shown {
                    index: self.history[*place],
                    layer: Layer::History,
                    level,
                    why: Why::Layer(why.into()),
                    what: What::Said(vec![message.clone()]),
                    tokens: price,
                }),
                (None, Some(Shown { what: What::Said(said), tokens, .. })) => {
                    *tokens += price;
                    said.push(message.clone());
                }
                (None, _) => {}
            }
        }
    }

    /// What is shown, and the reason for all that is not.
    fn fitted(&self, choice: &Choice) -> Fitted {
        let shown = self.shown(choice);
        let mut reasons: Vec<Option<Cow<'static, str>>> = vec![None; self.items.len()];
        for (at, why) in &self.never {
            reasons[*at] = Some(why.clone());
        }
        for (at, flaw) in &self.repaired.dropped {
            reasons[self.history[*at]] = Some(flaw.as_str().into());
        }
        let mut is_shown = vec![false; self.items.len()];
        shown.iter().for_each(|shown| is_shown[shown.index] = true);
        let room = Room { messages: self.options.agent.max_messages, tokens: None, current: 0 };
        let first = history::begin(&self.groups, &room).map_or(usize::MAX, |kept| kept.first);
        let by_count: std::collections::BTreeSet<usize> = self.repaired.groups[..first.min(self.repaired.groups.len())]
            .iter()
            .flat_map(|group| group.messages.iter().filter_map(|(at, _)| Some(self.history[(*at)?])))
            .collect();
        let left_out = self
            .items
            .iter()
            .enumerate()
            .filter(|(at, item)| matches!(item.kind, ItemKind::Layer(_)) && !is_shown[*at]);
        let left_out = left_out.map(|(at, item)| {
            let why = reasons[at].clone().unwrap_or_else(|| match item.kind {
                ItemKind::Layer(Layer::History) if by_count.contains(&at) => {
                    let most = self.options.agent.max_messages.unwrap_or_default();
                    format!("older than the newest {most} messages").into()
                }
                ItemKind::Layer(Layer::History) => "an older turn, and there is no room for it".into(),
                _ => "there is no room for it".into(),
            });
            LeftOut { path: item.path.clone(), why: Why::Layer(why) }
        });
        Fitted { left_out: left_out.collect(), shown }
    }
}

/// Groups are counted so many at a time, from the newest, until there is no room for more.
const COUNTED_AT_ONCE: usize = 256;

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

/// What each layer takes: its message in a conversation, whatever the format.
pub(crate) fn sizes(snapshot: &Snapshot, shown: &[Shown], talk: &Talk, meter: &Meter<'_>) -> Vec<LayerSize> {
    let name = |layer: Layer| layer.as_str();
    let mut sizes: Vec<LayerSize> = Vec::new();
    for layer in Layer::ALL {
        if sizes.last().is_some_and(|last| name(last.layer) == name(layer)) {
            continue;
        }
        let items =
            snapshot.items.iter().filter(|item| matches!(item.kind, ItemKind::Layer(of) if name(of) == name(layer)));
        let shown = || shown.iter().filter(|shown| name(shown.layer) == name(layer));
        let texts = || talk.system.iter().chain(&talk.near).filter(|(of, _)| name(*of) == name(layer));
        let said = shown().filter(|shown| !matches!(shown.what, What::Text(_))).map(|shown| shown.tokens);
        let tokens = said.sum::<u64>() + texts().map(|(_, text)| talk::FRAME + meter.words(text).0).sum::<u64>();
        let bytes = |shown: &Shown| match &shown.what {
            What::Text(_) => 0,
            What::Said(messages) => messages.iter().map(|message| said_bytes(message)).sum::<u64>(),
            What::Schemas(schemas) => schemas.iter().map(|schema| schema.parameters.len() as u64).sum(),
        };
        sizes.push(LayerSize {
            layer,
            tokens: Tokens(tokens),
            raw_bytes: items.clone().map(|item| item.size).sum(),
            shown_bytes: shown().map(bytes).sum::<u64>() + texts().map(|(_, text)| text.len() as u64).sum::<u64>(),
            items: items.count(),
            shown_items: shown().count(),
        });
    }
    sizes
}

fn said_bytes(message: &Message) -> u64 {
    let calls = message.calls.iter().map(|call| call.name.len() + call.arguments.len());
    (message.texts().map(str::len).sum::<usize>() + calls.sum::<usize>()) as u64
}

fn cut_text(text: &str, end: usize) -> Text {
    let shown = cut_at(text, end);
    let (lines, all) = (shape::lines(shown).count(), shape::lines(text).count());
    format!("{}\n[… {} of {all} lines are left out]\n", shown.trim_end(), all - lines).into()
}

fn text(item: &Item) -> Text {
    match &item.body {
        Body::Text { text, .. } => text.clone(),
        _ => Text::default(),
    }
}

fn said(item: &Item) -> Arc<Message> {
    match &item.body {
        Body::Message(message) => message.clone(),
        _ => Arc::new(Message::new(Role::User, "")),
    }
}
