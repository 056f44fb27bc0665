//! Fits a path through a tree: the system context and what is said now, then as much of the path as its strategy keeps (L9).
//!
//! Takes the layers of a snapshot, the nodes among them in the order of the path; gives what is shown, the reason for all
//! that is not, and what was cut. A marker stands where nodes are missing.

use super::layers::{Fitted, Shown, What};
use crate::compile::Tools;
use crate::count::Meter;
use crate::fit::OverBudget;
use crate::fit::truncate::{self, Cut};
use crate::model::{
    Body, Item, ItemKind, Layer, LeftOut, Level, Message, Role, Snapshot, Text, Tokens, TreeMode, Truncated,
    Truncation, Why,
};
use crate::options::{Format, LoomOptions, Options};
use crate::render;
use crate::shape::history::{Group, repair};
use crate::shape::loom;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// When the whole is measured larger than its parts, they are chosen anew for so much less. Once is enough for all that was seen.
const TRIES: usize = 64;
/// Fewer bytes of a text than this are not worth showing.
const SHORTEST: usize = 128;

pub(crate) fn fit(
    snapshot: &Snapshot,
    how: LoomOptions,
    options: &Options,
    tools: &Tools<'_>,
    measure: impl Fn(&[Shown]) -> Tokens,
) -> Result<(Fitted, Truncated), OverBudget> {
    let path = Path::of(snapshot, how, options.format, tools);
    let all = Cut { head: 0, first: 0, opening: None, newest: None };
    let shown = path.shown(&all);
    // Without a budget, whoever renders it measures it.
    let Some(budget) = options.budget else { return Ok(path.fitted(shown, &all, Tokens(0), Tokens(0))) };
    let before = measure(&shown);
    if before <= budget {
        return Ok(path.fitted(shown, &all, before, before));
    }
    let over = |needed: Tokens| OverBudget::new(path.costs(), needed, budget);
    if how.truncation == Truncation::Stop {
        return Err(over(before));
    }
    let least = measure(&path.fixed);
    let Some(mut room) = budget.0.checked_sub(least.0) else { return Err(over(path.least(least))) };
    let marker = path.marker_price();
    for _ in 0..TRIES {
        let sizes: Vec<truncate::Group> = path.groups.iter().map(|group| group.size).collect();
        let cut = truncate::cut(&sizes, how.truncation, room, marker, how.minimum_recent);
        if cut.newest.is_some_and(|limit| path.trim(path.groups.len() - 1, limit).is_none()) {
            break;
        }
        let shown = path.shown(&cut);
        let after = measure(&shown);
        if after <= budget {
            return Ok(path.fitted(shown, &cut, before, after));
        }
        match room.checked_sub(after.0 - budget.0) {
            Some(less) => room = less,
            None => break,
        }
    }
    Err(over(path.least(least)))
}

/// A path laid out and priced.
struct Path<'a> {
    items: &'a [Item],
    how: LoomOptions,
    prices: Prices<'a>,
    /// Shown in any case.
    fixed: Vec<Shown>,
    nodes: Vec<usize>,
    groups: Vec<Priced>,
    /// Nodes that cannot be sent, with the reason.
    never: Vec<(usize, &'static str)>,
}

struct Priced {
    group: Group,
    size: truncate::Group,
    /// Of each message, where there are several.
    prices: Vec<u64>,
}

impl Priced {
    fn price(&self, nth: usize) -> u64 {
        self.prices.get(nth).copied().unwrap_or(self.size.price)
    }
}

impl<'a> Path<'a> {
    fn of(snapshot: &'a Snapshot, how: LoomOptions, format: Format, tools: &Tools<'a>) -> Self {
        let prices = Prices { mode: how.mode, format, meter: tools.meter };
        let items = snapshot.items.as_slice();
        let of = |layer: Layer| (0..items.len()).filter(move |at| items[*at].kind == ItemKind::Layer(layer));
        let fixed = of(Layer::System).chain(of(Layer::Current)).map(|at| fixed(items, at, tools)).collect();
        let nodes: Vec<usize> = of(Layer::History).collect();
        let messages: Vec<Arc<Message>> = nodes.iter().filter_map(|at| message(&items[*at])).collect();
        let (groups, never) = match how.mode {
            // Continuous text is what it is: nothing in it is empty or without its call.
            TreeMode::Buffer => {
                let group = |(at, message)| Group { messages: vec![(Some(at), message)], opens_turn: true };
                (messages.into_iter().enumerate().map(group).collect(), Vec::new())
            }
            TreeMode::Dialogue => {
                let repaired = repair(&messages);
                let never = repaired.dropped.iter().map(|(at, flaw)| (nodes[*at], flaw.as_str())).collect();
                (repaired.groups, never)
            }
        };
        let priced = |group: Group| {
            let price = |(_, message): &(_, Arc<Message>)| prices.of(message);
            let (all, each) = match group.messages.as_slice() {
                [one] => (price(one), Vec::new()),
                many => {
                    let each: Vec<u64> = many.iter().map(price).collect();
                    (each.iter().sum(), each)
                }
            };
            let size = truncate::Group {
                price: all,
                bytes: group.messages.iter().map(|(_, message)| message.size()).sum(),
                nodes: group.messages.iter().filter(|(place, _)| place.is_some()).count(),
            };
            Priced { group, size, prices: each }
        };
        let groups = groups.into_par_iter().with_min_len(64).map(priced).collect();
        Self { items, how, prices, fixed, nodes, groups, never }
    }

    /// What is shown after a cut, in the order a model reads it.
    fn shown(&self, cut: &Cut) -> Vec<Shown> {
        let mut shown = Vec::with_capacity(self.fixed.len() + self.nodes.len());
        let is_current = |shown: &&Shown| shown.layer == Layer::Current;
        shown.extend(self.fixed.iter().filter(|shown| !is_current(shown)).cloned());
        let head = shown.len();
        let opening = cut.opening.and_then(|limit| self.trim(0, limit));
        match &opening {
            Some(messages) => shown.extend(self.group(0, Some(messages))),
            None => shown.par_extend(self.groups(0..cut.head)),
        }
        let kept = if opening.is_some() { 1 } else { cut.head };
        let missing: usize = self.groups[kept..cut.first].iter().map(|group| group.size.nodes).sum();
        let marker = (missing > 0 && self.how.truncation == Truncation::Middle).then(|| self.marker(missing));
        if let (Some(marker), Some(Shown { what: What::Said(said), tokens, .. })) = (&marker, shown[head..].last_mut())
        {
            *tokens += self.prices.of(marker);
            said.push(marker.clone());
        }
        let tail = shown.len();
        let newest = cut.newest.and_then(|limit| self.trim(cut.first, limit));
        match &newest {
            Some(messages) => shown.extend(self.group(cut.first, Some(messages))),
            None => shown.par_extend(self.groups(cut.first..self.groups.len())),
        }
        // With nothing before it, the marker stands before what follows.
        if let (Some(marker), true, Some(Shown { what: What::Said(said), tokens, .. })) =
            (marker, tail == head, shown.get_mut(tail))
        {
            *tokens += self.prices.of(&marker);
            said.insert(0, marker);
        }
        shown.extend(self.fixed.iter().filter(is_current).cloned());
        shown
    }

    fn groups(&self, range: Range<usize>) -> impl ParallelIterator<Item = Shown> {
        range.into_par_iter().with_min_len(256).flat_map_iter(|at| self.group(at, None))
    }

    /// The messages of a group, each for its node; one that stands for no node goes with the one before it.
    fn group(&self, at: usize, trimmed: Option<&[Arc<Message>]>) -> Vec<Shown> {
        let priced = &self.groups[at];
        let mut out: Vec<Shown> = Vec::with_capacity(priced.group.messages.len());
        for (nth, (place, whole)) in priced.group.messages.iter().enumerate() {
            let message = trimmed.and_then(|messages| messages.get(nth)).unwrap_or(whole);
            let is_whole = Arc::ptr_eq(message, whole);
            let tokens = if is_whole { priced.price(nth) } else { self.prices.of(message) };
            let (level, why) = match is_whole {
                true => (Level::Full, "on the path"),
                false => (Level::Custom, "cut: there is no room for all of it"),
            };
            match (place, out.last_mut()) {
                (Some(place), _) => out.push(Shown {
                    index: self.nodes[*place],
                    layer: Layer::History,
                    level,
                    why: Why::Layer(why.into()),
                    what: What::Said(vec![message.clone()]),
                    tokens,
                    turns: false,
                }),
                (None, Some(Shown { what: What::Said(said), tokens: all, .. })) => {
                    *all += tokens;
                    said.push(message.clone());
                }
                (None, _) => {}
            }
        }
        out
    }

    /// The messages of a group with their texts cut until it fits.
    fn trim(&self, at: usize, limit: u64) -> Option<Vec<Arc<Message>>> {
        let fitting = self.lengths(at).map(|most| self.shortened(at, most));
        fitting.take_while(|messages| self.price_of(messages) <= limit).last()
    }

    /// To how many bytes the texts of a group may be cut.
    fn lengths(&self, at: usize) -> impl Iterator<Item = usize> {
        let messages = &self.groups[at].group.messages;
        let longest = messages.iter().flat_map(|(_, message)| message.texts()).map(str::len).max().unwrap_or(0);
        (0..).map(|power| SHORTEST << power).take_while(move |most| *most < longest)
    }

    /// What a buffer keeps is next to what is shown of its neighbours.
    fn shortened(&self, at: usize, most: usize) -> Vec<Arc<Message>> {
        let side = match (self.how.mode, at) {
            (TreeMode::Dialogue, _) => loom::Side::Both,
            (TreeMode::Buffer, 0) if self.groups.len() > 1 => loom::Side::Beginning,
            (TreeMode::Buffer, _) => loom::Side::End,
        };
        let messages = self.groups[at].group.messages.iter();
        messages.map(|(_, message)| loom::shortened(message, most, side)).collect()
    }

    fn price_of(&self, messages: &[Arc<Message>]) -> u64 {
        messages.iter().map(|message| self.prices.of(message)).sum()
    }

    fn marker(&self, missing: usize) -> Arc<Message> {
        Arc::new(Message::new(Role::User, loom::marker(missing, self.how.mode)))
    }

    /// Of the longest there can be, so that it does not depend on how much is missing.
    fn marker_price(&self) -> u64 {
        self.prices.of(&self.marker(9_999_999))
    }

    /// What everything on the path costs, for people who must take something out.
    fn costs(&self) -> impl Iterator<Item = (String, Tokens)> {
        let fixed = self.fixed.iter().map(|shown| (self.items[shown.index].path.clone(), Tokens(shown.tokens)));
        let node = |group: &Priced| {
            let places = group.group.messages.iter().enumerate();
            let named = places.filter_map(|(nth, (place, _))| Some(((*place)?, Tokens(group.price(nth)))));
            named.map(|(place, price)| (self.items[self.nodes[place]].path.clone(), price)).collect::<Vec<_>>()
        };
        fixed.chain(self.groups.iter().flat_map(node))
    }

    /// The smallest budget that would do: one node, cut as short as it may be.
    fn least(&self, fixed: Tokens) -> Tokens {
        let Some(newest) = self.groups.len().checked_sub(1) else { return fixed };
        let marker = if self.how.truncation == Truncation::Middle { self.marker_price() } else { 0 };
        let whole = self.groups[newest].size.price + if newest > 0 { marker } else { 0 };
        let short = self.lengths(newest).next().map(|most| self.price_of(&self.shortened(newest, most)) + marker);
        Tokens(fixed.0 + short.map_or(whole, |short| short.min(whole)))
    }

    fn fitted(&self, shown: Vec<Shown>, cut: &Cut, before: Tokens, after: Tokens) -> (Fitted, Truncated) {
        let mut is_shown = vec![false; self.items.len()];
        shown.iter().for_each(|shown| is_shown[shown.index] = true);
        let mut reasons = std::collections::BTreeMap::new();
        reasons.extend(self.never.iter().copied());
        let mut removed = Vec::new();
        let mut left_out = Vec::new();
        for at in self.nodes.iter().copied().filter(|at| !is_shown[*at]) {
            let item = &self.items[at];
            let why = match reasons.get(&at) {
                Some(reason) => Why::Layer((*reason).into()),
                None => {
                    removed.push(item.id.clone());
                    Why::CutAway(self.how.truncation)
                }
            };
            left_out.push(LeftOut { path: item.path.clone(), why });
        }
        let is_short = |shown: &&Shown| shown.layer == Layer::History && shown.level != Level::Full;
        let shortened: Vec<_> = shown.iter().filter(is_short).map(|shown| self.items[shown.index].id.clone()).collect();
        let all: usize = self.groups.iter().map(|group| group.size.nodes).sum();
        let recent = self.groups[cut.first..].iter().map(|group| group.size.nodes).sum::<usize>();
        let asked = self.how.minimum_recent.min(all);
        let truncated = Truncated {
            strategy: self.how.truncation,
            truncated: !removed.is_empty() || !shortened.is_empty(),
            removed,
            shortened,
            before,
            after,
            minimum_recent: asked,
            recent: recent.min(asked),
        };
        (Fitted { shown, left_out }, truncated)
    }
}

fn fixed(items: &[Item], at: usize, tools: &Tools<'_>) -> Shown {
    let (layer, what, tokens) = match (&items[at].kind, &items[at].body) {
        (ItemKind::Layer(layer), Body::Message(message)) => {
            (*layer, What::Said(vec![message.clone()]), tools.meter.spoken(message))
        }
        (ItemKind::Layer(layer), Body::Text { text, .. }) => {
            (*layer, What::Text(text.clone()), tools.meter.words(text).0)
        }
        _ => (Layer::System, What::Text(Text::default()), 0),
    };
    let why = Why::Layer("always shown".into());
    Shown { index: at, layer, level: Level::Full, why, what, tokens, turns: false }
}

fn message(item: &Item) -> Option<Arc<Message>> {
    match &item.body {
        Body::Message(message) => Some(message.clone()),
        _ => None,
    }
}

/// What messages take as they are written.
#[derive(Clone, Copy)]
struct Prices<'a> {
    mode: TreeMode,
    format: Format,
    meter: Meter<'a>,
}

impl Prices<'_> {
    fn of(&self, message: &Message) -> u64 {
        match (self.format, self.mode) {
            (Format::Markdown, _) => self.meter.short(&render::said_for_people(message)),
            (_, TreeMode::Dialogue) => self.meter.spoken(message),
            (_, TreeMode::Buffer) => self.meter.short(&message.text()),
        }
    }
}
