//! Puts a choice into the order a model reads, and says why for all of it.

use super::super::FittedLayers;
use super::super::history::{self, Room};
use super::choice::{Choice, ToolExtent, cut_text};
use super::offer::LayerOffer;
use crate::shape::layers::trimmed;
use crate::types::{CUT, ItemKind, Layer, LayerContent, LayerView, LeftOut, Level, Why};
use std::borrow::Cow;
use std::sync::Arc;

impl LayerOffer<'_> {
    pub fn layer_views(&self, choice: &Choice) -> Vec<LayerView> {
        let mut shown = self.fixed.clone();
        match (&self.description, choice.tools) {
            (Some(description), ToolExtent::All) => shown.push(description.clone()),
            (Some(description), ToolExtent::Bytes(end)) => {
                let LayerContent::Text(text) = &description.content else { return shown };
                let cut = self.text(description.index, Layer::Tools, cut_text(text, end), CUT);
                shown.push(LayerView { level: Level::Custom, ..cut });
            }
            _ => {}
        }
        shown.extend_from_slice(&self.skills[..choice.skills]);
        shown.extend_from_slice(&self.memories[..choice.memories]);
        let newest = if choice.trimmed.is_some() { self.newest() } else { Vec::new() };
        for at in 0..self.groups.len() {
            let kept = choice.history.filter(|kept| at >= kept.first || kept.head == Some(at)).map(|kept| kept.cap);
            let cap = if newest.contains(&at) { choice.trimmed } else { kept };
            match cap {
                _ if self.groups[at].pinned => {
                    self.push_group(at, usize::MAX, "the message that is answered", &mut shown)
                }
                Some(cap) => self.push_group(at, cap, "one of the newest turns", &mut shown),
                None => {}
            }
        }
        // Messages stand in the order of their groups: a result next to its call, wherever it was stored.
        let place = |shown: &LayerView| {
            let is_near = self.options.agent.near && shown.turns;
            let index = if shown.layer == Layer::History { 0 } else { shown.index };
            (if is_near { Layer::Current } else { shown.layer }, !is_near, shown.layer, shown.turns, index)
        };
        shown.sort_by_key(place);
        shown
    }

    /// The messages of a group with their texts cut to so many bytes, each for its item; one that stands for no item goes with the
    /// one before it.
    fn push_group(&self, at: usize, cap: usize, why: &'static str, out: &mut Vec<LayerView>) {
        for (nth, (place, whole)) in self.repaired.groups[at].messages.iter().enumerate() {
            let message = if cap < self.groups[at].longest { trimmed(whole, cap) } else { whole.clone() };
            let price = self.message_price(at, nth, &message);
            let is_whole = Arc::ptr_eq(whole, &message);
            match (place, out.last_mut()) {
                (Some(place), _) => {
                    out.push(LayerView::message(self.history[*place], message, price, is_whole.then_some(why)))
                }
                (None, Some(last)) => last.join(message, price),
                (None, None) => {}
            }
        }
    }

    /// What is shown, and the reason for all that is not.
    pub fn fitted(&self, choice: &Choice) -> FittedLayers {
        let shown = self.layer_views(choice);
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
        let first = history::begin(&self.groups, &room, &|_, _| 0).map_or(usize::MAX, |kept| kept.first);
        let mut is_older = vec![false; self.items.len()];
        let older = self.repaired.groups.iter().take(first).flat_map(|group| &group.messages);
        older.filter_map(|(at, _)| *at).for_each(|at| is_older[self.history[at]] = true);
        let left_out = self
            .items
            .iter()
            .enumerate()
            .filter(|(at, item)| matches!(item.kind, ItemKind::Layer(_)) && !is_shown[*at]);
        let left_out = left_out.map(|(at, item)| {
            let why = match (reasons[at].take(), item.kind) {
                (Some(reason), _) => Why::Layer(reason),
                (None, ItemKind::Layer(Layer::History)) if is_older[at] => {
                    let most = self.options.agent.max_messages.unwrap_or_default();
                    Why::Layer(format!("older than the newest {most} messages").into())
                }
                (None, ItemKind::Layer(Layer::History)) => Why::OlderTurn,
                (None, _) => Why::NoPlace,
            };
            LeftOut { path: item.path.clone(), why }
        });
        FittedLayers { left_out: left_out.collect(), shown }
    }
}
