//! Fits a path through a tree: the system context and what is said now, then as much of the path as its strategy keeps.
//!
//! Takes the layers of a snapshot, the nodes among them in the order of the path; gives what is shown, the reason for all
//! that is not, and what was cut. A marker stands where nodes are missing.

mod truncate;

use super::search::climb;
use super::{FittedLayers, OverBudget, Writer};
use crate::count::Meter;
use crate::shape::Tools;
use crate::shape::history::{Group, is_whole, repair};
use crate::shape::loom;
use crate::types::{
    Body, Format, Item, ItemKind, Layer, LayerContent, LayerView, LeftOut, Level, LoomOptions, Message, Options, Role,
    Snapshot, Text, Tokens, TreeMode, Truncated, Truncation, Why,
};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use truncate::{Cut, Room};

/// Fewer bytes of a text than this are not worth showing.
const SHORTEST: usize = 128;
/// So many places are looked at by estimate; the prices of most paths are near enough for two.
const GUESSES: usize = 3;

pub fn fit(
    snapshot: &Snapshot,
    how: LoomOptions,
    options: &Options,
    tools: &Tools<'_>,
    writer: &impl Writer,
) -> Result<(FittedLayers, Truncated), OverBudget> {
    let path = Path::of(snapshot, how, options.format, tools, writer);
    let Some(budget) = options.budget else { return Ok(path.whole()) };
    let all = Cut::default();
    let shown = path.layer_views(&all);
    let before = writer.measure_layers(&shown);
    if before <= budget {
        return Ok(path.fitted(shown, &all, before, before));
    }
    let over = |needed: Tokens| OverBudget::new(path.costs(), needed, budget);
    if how.truncation == Truncation::Stop {
        return Err(over(before));
    }
    path.search(budget, before).map_err(over)
}

/// A path laid out and priced.
struct Path<'a, W> {
    items: &'a [Item],
    how: LoomOptions,
    prices: Prices<'a, W>,
    /// LayerView in any case.
    fixed: Vec<LayerView>,
    nodes: Vec<usize>,
    groups: Vec<PricedGroup>,
    /// Nodes that cannot be sent, with the reason.
    never: Vec<(usize, &'static str)>,
}

/// A cut that was tried.
struct Attempt {
    cut: Cut,
    shown: Vec<LayerView>,
    after: Tokens,
    /// With what must stay empty.
    takes: Tokens,
}

struct PricedGroup {
    group: Group,
    size: truncate::Group,
    /// Of each message, where there are several.
    prices: Vec<u64>,
}

impl PricedGroup {
    fn price(&self, nth: usize) -> u64 {
        self.prices.get(nth).copied().unwrap_or(self.size.price)
    }
}

impl<'a, W: Writer> Path<'a, W> {
    fn of(snapshot: &'a Snapshot, how: LoomOptions, format: Format, tools: &Tools<'a>, writer: &'a W) -> Self {
        let prices = Prices { mode: how.mode, format, meter: tools.meter, writer };
        let items = snapshot.items.as_slice();
        let of = |layer: Layer| (0..items.len()).filter(move |at| items[*at].kind == ItemKind::Layer(layer));
        let fixed = of(Layer::System).chain(of(Layer::Current)).map(|at| fixed_layer(items, at, tools)).collect();
        let nodes: Vec<usize> = of(Layer::History).collect();
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
            PricedGroup { group, size, prices: each }
        };
        let said: Vec<&Arc<Message>> = nodes.iter().filter_map(|at| message(&items[*at])).collect();
        // Most nodes are shown as they are, each by itself: that is done on all threads, each in its place.
        let is_simple = |message: &&&Arc<Message>| match how.mode {
            // Continuous text is what it is: nothing in it is empty or without its call.
            TreeMode::Buffer => true,
            TreeMode::Dialogue => is_whole(message, format.api()),
        };
        let mut never: Vec<(usize, &'static str)> = Vec::new();
        let groups: Vec<PricedGroup> = if said.par_iter().with_min_len(1024).all(|message| is_simple(&message)) {
            let alone = |(at, message): (usize, &&Arc<Message>)| {
                priced(Group { messages: vec![(Some(at), Arc::clone(message))], opens_turn: true })
            };
            said.par_iter().with_min_len(64).enumerate().map(alone).collect()
        } else {
            let repaired =
                repair(&said.iter().map(|message| Arc::clone(message)).collect::<Vec<_>>(), prices.format.api());
            never.extend(repaired.dropped.iter().map(|(at, flaw)| (nodes[*at], flaw.as_str())));
            repaired.groups.into_par_iter().with_min_len(64).map(priced).collect()
        };
        Self { items, how, prices, fixed, nodes, groups, never }
    }

    /// The most that is measured to fit. Prices of single messages only say what to try: messages that become one cost less than
    /// their sum, and bytes that are sent are measured, not added up. `Err` is what would have to fit at least.
    fn search(&self, budget: Tokens, before: Tokens) -> Result<(FittedLayers, Truncated), Tokens> {
        let measure = |shown: &[LayerView]| self.prices.writer.measure_layers(shown);
        let sizes: Vec<truncate::Group> = self.groups.iter().map(|group| group.size).collect();
        let marker = self.prices.of(&self.marker(9_999_999));
        let system: Vec<LayerView> = self.fixed.iter().filter(|shown| shown.layer == Layer::System).cloned().collect();
        let base = budget.0.saturating_sub(measure(&system).0);
        let attempt = |tokens: u64| {
            let room = Room { base, tokens, marker, minimum: self.how.minimum_recent };
            let cut = truncate::cut(&sizes, self.how.truncation, &room);
            let shown = self.layer_views(&cut);
            let after = measure(&shown);
            let head = match self.opening(&cut) {
                Some(messages) => self.price_of(&messages),
                None => sizes[..cut.head].iter().map(|size| size.price).sum(),
            };
            let empty = cut.share.saturating_sub(head);
            Attempt { cut, shown, after, takes: Tokens(after.0 + empty) }
        };
        let mut low = self.least(marker);
        let mut best = attempt(low);
        if best.takes > budget {
            return Err(best.takes);
        }
        // All of it does not fit.
        let mut high = sizes.iter().map(|size| size.price).sum::<u64>() + marker + 1;
        let mut guess = budget.0.saturating_sub(measure(&self.fixed).0);
        let mut takes = |room: u64| {
            let tried = attempt(room);
            let takes = tried.takes;
            if takes <= budget {
                best = tried;
            }
            takes
        };
        // What prices say fits, then in proportion to what it was measured to take, then by halving.
        for _ in 0..GUESSES {
            if high - low <= 1 {
                break;
            }
            let room = guess.clamp(low + 1, high - 1);
            let taken = takes(room);
            guess = (u128::from(room) * u128::from(budget.0) / u128::from(taken.0.max(1))) as u64;
            *if taken <= budget { &mut low } else { &mut high } = room;
        }
        climb(low, high, |room| takes(room) <= budget);
        Ok(self.fitted(best.shown, &best.cut, before, best.after))
    }

    /// The first group, where it is shown in part.
    fn opening(&self, cut: &Cut) -> Option<Vec<Arc<Message>>> {
        if cut.is_opening_cut { self.trim(0, cut.share) } else { None }
    }

    /// The smallest room in which anything of the path can be shown: its newest group, cut as short as it may be.
    fn least(&self, marker: u64) -> u64 {
        let Some(newest) = self.groups.len().checked_sub(1) else { return 0 };
        let whole = self.groups[newest].size.price;
        let short = self.lengths(newest).next().map(|most| self.price_of(&self.shortened(newest, most)));
        let marker = if self.how.truncation == Truncation::Middle { marker } else { 0 };
        short.map_or(whole, |short| short.min(whole)) + marker
    }

    /// All of it. Without a budget, whoever renders it measures it.
    fn whole(mut self) -> (FittedLayers, Truncated) {
        let nodes: usize = self.groups.iter().map(|group| group.size.nodes).sum();
        let never = std::mem::take(&mut self.never).into_iter();
        let left_out =
            never.map(|(at, why)| LeftOut { path: self.items[at].path.clone(), why: Why::Layer(why.into()) });
        let left_out = left_out.collect();
        let is_current = |shown: &LayerView| shown.layer == Layer::Current;
        let (current, mut shown): (Vec<LayerView>, Vec<LayerView>) =
            std::mem::take(&mut self.fixed).into_iter().partition(is_current);
        let groups = std::mem::take(&mut self.groups);
        // Of one message each, they can be put in their places at once.
        let one = |mut priced: PricedGroup| {
            let (place, message) = priced.group.messages.swap_remove(0);
            self.node(place.unwrap_or_default(), message, priced.size.price, true)
        };
        match groups.iter().all(|priced| matches!(priced.group.messages.as_slice(), [(Some(_), _)])) {
            true => shown.par_extend(groups.into_par_iter().with_min_len(256).map(one)),
            false => shown.extend(groups.iter().flat_map(|priced| self.group(priced, None))),
        }
        shown.extend(current);
        let asked = self.how.minimum_recent.min(nodes);
        let truncated = Truncated {
            strategy: self.how.truncation,
            truncated: false,
            removed: Vec::new(),
            shortened: Vec::new(),
            before: Tokens(0),
            after: Tokens(0),
            minimum_recent: asked,
            recent: asked,
        };
        (FittedLayers { shown, left_out }, truncated)
    }

    /// What is shown after a cut, in the order a model reads it.
    fn layer_views(&self, cut: &Cut) -> Vec<LayerView> {
        let mut shown = Vec::with_capacity(self.fixed.len() + self.nodes.len());
        let is_current = |shown: &&LayerView| shown.layer == Layer::Current;
        shown.extend(self.fixed.iter().filter(|shown| !is_current(shown)).cloned());
        let head = shown.len();
        let opening = self.opening(cut);
        match &opening {
            Some(messages) => shown.extend(self.group(&self.groups[0], Some(messages))),
            None => shown.par_extend(self.groups(0..cut.head)),
        }
        let kept = if opening.is_some() { 1 } else { cut.head };
        let missing: usize = self.groups[kept..cut.first].iter().map(|group| group.size.nodes).sum();
        let marker = (missing > 0 && self.how.truncation == Truncation::Middle).then(|| self.marker(missing));
        if let (Some(marker), Some(last)) = (&marker, shown[head..].last_mut()) {
            last.join(marker.clone(), self.prices.of(marker));
        }
        let tail = shown.len();
        let newest = cut.newest.and_then(|limit| self.trim(cut.first, limit));
        match &newest {
            Some(messages) => shown.extend(self.group(&self.groups[cut.first], Some(messages))),
            None => shown.par_extend(self.groups(cut.first..self.groups.len())),
        }
        // With nothing before it, the marker stands before what follows.
        if let (Some(marker), true, Some(LayerView { content: LayerContent::Messages(said), tokens, .. })) =
            (marker, tail == head, shown.get_mut(tail))
        {
            *tokens += self.prices.of(&marker);
            said.insert(0, marker);
        }
        shown.extend(self.fixed.iter().filter(is_current).cloned());
        shown
    }

    fn groups(&self, range: Range<usize>) -> impl ParallelIterator<Item = LayerView> {
        range.into_par_iter().with_min_len(256).flat_map_iter(|at| self.group(&self.groups[at], None))
    }

    /// The messages of a group, each for its node; one that stands for no node goes with the one before it.
    fn group(&self, priced: &PricedGroup, trimmed: Option<&[Arc<Message>]>) -> Vec<LayerView> {
        let mut out: Vec<LayerView> = Vec::with_capacity(priced.group.messages.len());
        for (nth, (place, whole)) in priced.group.messages.iter().enumerate() {
            let message = trimmed.and_then(|messages| messages.get(nth)).unwrap_or(whole);
            let is_whole = Arc::ptr_eq(message, whole);
            let tokens = if is_whole { priced.price(nth) } else { self.prices.of(message) };
            match (place, out.last_mut()) {
                (Some(place), _) => out.push(self.node(*place, message.clone(), tokens, is_whole)),
                (None, Some(last)) => last.join(message.clone(), tokens),
                (None, None) => {}
            }
        }
        out
    }

    fn node(&self, place: usize, message: Arc<Message>, tokens: u64, is_whole: bool) -> LayerView {
        LayerView::message(self.nodes[place], message, tokens, is_whole.then_some("on the path"))
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

    /// What everything on the path costs, for people who must take something out.
    fn costs(&self) -> impl Iterator<Item = (String, Tokens)> {
        let fixed = self.fixed.iter().map(|shown| (self.items[shown.index].path.clone(), Tokens(shown.tokens)));
        let node = |group: &PricedGroup| {
            let places = group.group.messages.iter().enumerate();
            let named = places.filter_map(|(nth, (place, _))| Some(((*place)?, Tokens(group.price(nth)))));
            named.map(|(place, price)| (self.items[self.nodes[place]].path.clone(), price)).collect::<Vec<_>>()
        };
        fixed.chain(self.groups.iter().flat_map(node))
    }

    fn fitted(&self, shown: Vec<LayerView>, cut: &Cut, before: Tokens, after: Tokens) -> (FittedLayers, Truncated) {
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
        let is_short = |shown: &&LayerView| shown.layer == Layer::History && shown.level != Level::Full;
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
        (FittedLayers { shown, left_out }, truncated)
    }
}

fn fixed_layer(items: &[Item], at: usize, tools: &Tools<'_>) -> LayerView {
    let (layer, content, tokens) = match (&items[at].kind, &items[at].body) {
        (ItemKind::Layer(layer), Body::Message(message)) => {
            (*layer, LayerContent::Messages(vec![message.clone()]), tools.meter.message_tokens(message))
        }
        (ItemKind::Layer(layer), Body::Text { text, .. }) => {
            (*layer, LayerContent::Text(text.clone()), tools.meter.words(text).0)
        }
        _ => (Layer::System, LayerContent::Text(Text::default()), 0),
    };
    LayerView::whole(at, layer, content, tokens, "always shown")
}

fn message(item: &Item) -> Option<&Arc<Message>> {
    match &item.body {
        Body::Message(message) => Some(message),
        _ => None,
    }
}

/// What messages take as they are written.
struct Prices<'a, W> {
    mode: TreeMode,
    format: Format,
    meter: Meter<'a>,
    writer: &'a W,
}

impl<W: Writer> Prices<'_, W> {
    fn of(&self, message: &Message) -> u64 {
        match (self.format, self.mode) {
            (Format::Markdown, _) => self.meter.short(&self.writer.message(message)),
            (_, TreeMode::Dialogue) => self.meter.message_tokens(message),
            (_, TreeMode::Buffer) => self.meter.short(&message.text()),
        }
    }
}
