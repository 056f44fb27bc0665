//! Puts a choice into the order a model reads, and says why for all of it.

use super::choice::{Choice, Part, cut_text};
use super::offered::Offered;
use super::{Fitted, Shown, What};
use crate::fit::history::{self, Room};
use crate::model::{ItemKind, Layer, LeftOut, Level, Message, Why};
use std::borrow::Cow;
use std::sync::Arc;

impl Offered<'_> {
    pub fn shown(&self, choice: &Choice) -> Vec<Shown> {
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
    pub fn fitted(&self, choice: &Choice) -> Fitted {
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
        let mut is_older = vec![false; self.items.len()];
        let older = self.repaired.groups.iter().take(first).flat_map(|group| &group.messages);
        older.filter_map(|(at, _)| *at).for_each(|at| is_older[self.history[at]] = true);
        let left_out = self
            .items
            .iter()
            .enumerate()
            .filter(|(at, item)| matches!(item.kind, ItemKind::Layer(_)) && !is_shown[*at]);
        let left_out = left_out.map(|(at, item)| {
            let why = reasons[at].clone().unwrap_or_else(|| match item.kind {
                ItemKind::Layer(Layer::History) if is_older[at] => {
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
