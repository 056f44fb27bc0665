//! Lays out what could be shown of an agent's context, and what it costs.

use super::super::history::{self, GroupSize};
use crate::count::FRAME;
use crate::rank;
use crate::shape::Tools;
use crate::shape::history::{Group, Repaired, plain, repair};
use crate::shape::layers::{
    LONGEST_MEMORY, header, is_named, memory_line, mentions, skill_body, skill_line, slug, trimmed,
};
use crate::types::{
    Body, Item, ItemKind, Layer, LayerContent, LayerView, Level, Message, Options, Role, Snapshot, Text, Why,
};
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// Everything that could be shown, laid out and priced.
pub struct LayerOffer<'a> {
    pub items: &'a [Item],
    pub options: &'a Options,
    pub tools: &'a Tools<'a>,
    /// LayerView in any case.
    pub fixed: Vec<LayerView>,
    /// Of what is fixed, the tokens of what changes with every message.
    pub turning: u64,
    pub description: Option<LayerView>,
    /// From the most relevant.
    pub skills: Vec<LayerView>,
    pub memories: Vec<LayerView>,
    /// Memories that are not among the best, and skills that are not in use, with the reason.
    pub never: Vec<(usize, Cow<'static, str>)>,
    pub history: Vec<usize>,
    pub repaired: Repaired,
    pub groups: Vec<GroupSize>,
    /// Of the messages of each group; those that were looked at.
    prices: Vec<Vec<OnceLock<u64>>>,
    /// The message that is answered, where it is part of the history.
    pub pinned: Option<usize>,
}

impl<'a> LayerOffer<'a> {
    pub fn of(snapshot: &'a Snapshot, options: &'a Options, tools: &'a Tools<'a>) -> Self {
        let items = snapshot.items.as_slice();
        let of = |wanted: Layer| {
            (0..items.len()).filter(move |at| items[*at].kind == ItemKind::Layer(wanted)).collect::<Vec<usize>>()
        };
        let history = of(Layer::History);
        let messages: Vec<Arc<Message>> = history.iter().map(|at| message_of(&items[*at])).collect();
        let current = of(Layer::Current);
        // Without a message of its own, the newest of a person is what is answered.
        let repaired = repair(&messages, options.format.api());
        let pinned = match current.is_empty() {
            true => repaired.groups.iter().rev().find(|group| group.opens_turn).and_then(|group| group.messages[0].0),
            false => None,
        };
        let asked = current.first().map(|at| message_of(&items[*at]).text()).or_else(|| Some(messages[pinned?].text()));
        let asked = asked.unwrap_or_default();
        let mut offer = Self {
            items,
            options,
            tools,
            fixed: Vec::new(),
            turning: 0,
            description: None,
            skills: Vec::new(),
            memories: Vec::new(),
            never: Vec::new(),
            repaired,
            history,
            groups: Vec::new(),
            prices: Vec::new(),
            pinned,
        };
        for at in of(Layer::System).into_iter().chain(of(Layer::Bootstrap)) {
            let layer = if items[at].kind == ItemKind::Layer(Layer::System) { Layer::System } else { Layer::Bootstrap };
            let shown = offer.text(at, layer, text(&items[at]), "always shown");
            offer.fixed.push(shown);
        }
        for at in of(Layer::Tools) {
            match &items[at].body {
                Body::Schemas(schemas) => {
                    let tokens = schemas.iter().map(|schema| tools.meter.schema(schema)).sum();
                    let content = LayerContent::Schemas(schemas.clone());
                    offer.fixed.push(LayerView::whole(at, Layer::Tools, content, tokens, "given by the caller"));
                }
                _ => {
                    offer.description =
                        Some(offer.text(at, Layer::Tools, text(&items[at]), "the description of the tools"))
                }
            }
        }
        offer.offer_skills(&of(Layer::Skill), &of(Layer::SkillBody), &asked);
        offer.offer_memories(&of(Layer::Memory), &asked);
        for at in current {
            let message = plain(&message_of(&items[at]), options.format.api());
            let shown = offer.message_layer(at, Layer::Current, vec![message], "always shown");
            offer.turning += shown.tokens;
            offer.fixed.push(shown);
        }
        offer.count_history();
        let pinned = (0..offer.groups.len()).filter(|at| offer.groups[*at].pinned);
        offer.turning += pinned.map(|at| offer.group_price(at, usize::MAX)).sum::<u64>();
        offer
    }

    pub fn text(&self, index: usize, layer: Layer, text: Text, why: impl Into<Cow<'static, str>>) -> LayerView {
        let tokens = self.tools.meter.words(&text).0;
        LayerView::whole(index, layer, LayerContent::Text(text), tokens, why)
    }

    fn message_layer(&self, index: usize, layer: Layer, messages: Vec<Arc<Message>>, why: &'static str) -> LayerView {
        let tokens = messages.iter().map(|message| self.price(index, message)).sum();
        LayerView::whole(index, layer, LayerContent::Messages(messages), tokens, why)
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
            if named.contains(&slug(&skill.name)) || is_named(&skill.name, asked) {
                let body = self.text(*at, Layer::SkillBody, skill_body(&skill), "named by the message");
                let shown = LayerView { turns: true, ..body };
                self.turning += shown.tokens;
                self.fixed.push(shown);
            } else if skill.always {
                always.push(self.text(*at, Layer::SkillBody, skill_body(&skill), "the skill says `always`"));
            } else {
                let why = format!("its text is shown when a message says `${}`", slug(&skill.name));
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
            let is_cut = memory.text.len() > LONGEST_MEMORY;
            let level = if is_cut { Level::Custom } else { Level::Full };
            let shown = LayerView { why, level, turns: true, ..line };
            if shown.tokens > left {
                let most = self.options.agent.memory_tokens;
                self.never.push((*at, format!("{place}; memories may take {most} tokens").into()));
            } else {
                left -= shown.tokens;
                self.memories.push(shown);
            }
        }
    }

    /// Sizes of the groups of the history. Prices are found on all threads for those near the end: what is further back has no
    /// room, whatever it costs.
    fn count_history(&mut self) {
        let groups = &self.repaired.groups;
        let is_pinned = |group: &Group| self.pinned.is_some() && group.messages[0].0 == self.pinned;
        let size = |group: &Group| GroupSize {
            bytes: group.messages.iter().map(|(_, message)| message.size()).sum(),
            longest: group.messages.iter().flat_map(|(_, message)| message.texts()).map(str::len).max().unwrap_or(0),
            messages: group.messages.len(),
            opens_turn: group.opens_turn,
            pinned: is_pinned(group),
        };
        self.groups = groups.iter().map(size).collect();
        self.prices = groups.iter().map(|group| vec![OnceLock::new(); group.messages.len()]).collect();
        let most = self.options.agent.max_messages.unwrap_or(usize::MAX);
        let budget = self.options.budget.map_or(u64::MAX, |budget| budget.0);
        let cap = history::cap(budget);
        let (mut end, mut messages, mut tokens) = (groups.len(), 0usize, 0u64);
        while end > 0 && messages <= most && tokens <= budget {
            let start = end.saturating_sub(COUNTED_AT_ONCE);
            let short = (start..end).into_par_iter().with_min_len(16).filter(|at| self.groups[*at].longest <= cap);
            tokens = tokens.saturating_add(short.map(|at| self.group_price(at, usize::MAX)).sum());
            messages += self.groups[start..end].iter().map(|size| size.messages).sum::<usize>();
            end = start;
        }
    }

    /// The tokens of a group whose texts are cut to so many bytes.
    pub fn group_price(&self, at: usize, cap: usize) -> u64 {
        let group = &self.repaired.groups[at];
        let price = |nth: usize| match cap < self.groups[at].longest {
            true => {
                let cut = trimmed(&group.messages[nth].1, cap);
                self.message_price(at, nth, &cut)
            }
            false => self.message_price(at, nth, &group.messages[nth].1),
        };
        (0..group.messages.len()).map(price).sum()
    }

    /// The tokens of a message of a group, whole or cut. Whole, it is counted once.
    pub fn message_price(&self, at: usize, nth: usize, message: &Arc<Message>) -> u64 {
        let (place, whole) = &self.repaired.groups[at].messages[nth];
        if !Arc::ptr_eq(whole, message) {
            return self.tools.meter.message(&message.hash(), message).0;
        }
        *self.prices[at][nth].get_or_init(|| match place {
            Some(place) => self.price(self.history[*place], message),
            None => self.tools.meter.message(&message.hash(), message).0,
        })
    }

    pub fn frame(&self, layer: Layer) -> u64 {
        FRAME + self.tools.meter.words(header(layer)).0
    }
}

/// Groups are counted so many at a time, from the newest, until there is no room for more.
const COUNTED_AT_ONCE: usize = 256;

fn text(item: &Item) -> Text {
    match &item.body {
        Body::Text { text, .. } => text.clone(),
        _ => Text::default(),
    }
}

fn message_of(item: &Item) -> Arc<Message> {
    match &item.body {
        Body::Message(message) => message.clone(),
        _ => Arc::new(Message::new(Role::User, "")),
    }
}
