//! A conversation as it may be sent: calls with their results in groups that stay together, and what could not be kept.
//!
//! Takes messages as they were stored; gives a repaired copy of them. Every call has exactly one result, right behind it, and
//! every result its call; ids are unique and made of plain letters; nothing is empty. What comes later never changes what was
//! made of what came before, except for a result that arrives: a conversation that grows keeps the bytes it was shown with.

#[cfg(test)]
mod tests;

use crate::model::{Message, Part, Role};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Messages that are shown together or not at all: one of a person or of a model, or calls with all their results.
#[derive(Clone, Debug)]
pub struct Group {
    /// Each with its place among the messages given; a result that was missing has none.
    pub messages: Vec<(Option<usize>, Arc<Message>)>,
    /// A person's message: here a turn begins.
    pub opens_turn: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Repaired {
    pub groups: Vec<Group>,
    /// What is not shown, and why.
    pub dropped: Vec<(usize, Flaw)>,
}

/// Why a message cannot be sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    Empty,
    /// A result that answers no call before it.
    Orphan,
    /// A second result for a call.
    Twice,
}

impl Flaw {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "it is empty",
            Self::Orphan => "it answers no call before it",
            Self::Twice => "its call was answered before",
        }
    }
}

/// Stands where a result is missing, and where it is empty: providers refuse both.
const MISSING: &str = "[no result was recorded for this call]";
const EMPTY: &str = "(empty result)";

/// Longer ids are cut: no provider takes more.
const LONGEST_ID: usize = 64;

pub fn repair(messages: &[Arc<Message>]) -> Repaired {
    let answers = pair(messages);
    let mut out = Repaired::default();
    let mut taken = BTreeSet::new();
    for (at, message) in messages.iter().enumerate() {
        match message.role {
            Role::Tool => match answers.get(&at) {
                Some(Answer::Used) => {}
                Some(Answer::Twice) => out.dropped.push((at, Flaw::Twice)),
                _ => out.dropped.push((at, Flaw::Orphan)),
            },
            Role::Assistant if !message.calls.is_empty() => {
                let results = match answers.get(&at) {
                    Some(Answer::Calls(results)) => results.as_slice(),
                    _ => &[],
                };
                out.groups.push(calling(messages, at, results, &mut taken));
            }
            Role::System | Role::User | Role::Assistant if is_empty(message) => out.dropped.push((at, Flaw::Empty)),
            Role::System | Role::User | Role::Assistant => {
                let opens_turn = message.role == Role::User;
                out.groups.push(Group { messages: vec![(Some(at), plain(message))], opens_turn });
            }
        }
    }
    out
}

/// Whether a message is shown as it is, and needs no other: it calls nothing, answers nothing, and no part of it is empty.
pub fn is_whole(message: &Message) -> bool {
    let is_blank = |part: &Part| matches!(part, Part::Text(text) if text.trim().is_empty());
    message.role != Role::Tool
        && message.calls.is_empty()
        && !message.parts.is_empty()
        && !message.parts.iter().any(is_blank)
}

/// What pairing found out about a message.
enum Answer {
    /// For each call of a message, the place of its result.
    Calls(Vec<Option<usize>>),
    /// A result that has its call.
    Used,
    Twice,
}

/// Finds for each call its result: the next one with its id, unless a later message uses the id again. Order decides, not
/// neighbourhood: parallel results may stand in any order, with other messages between.
fn pair(messages: &[Arc<Message>]) -> BTreeMap<usize, Answer> {
    let mut found: BTreeMap<usize, Answer> = BTreeMap::new();
    let mut open: BTreeMap<&str, VecDeque<(usize, usize)>> = BTreeMap::new();
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for (at, message) in messages.iter().enumerate() {
        match message.role {
            Role::Assistant if !message.calls.is_empty() => {
                found.insert(at, Answer::Calls(vec![None; message.calls.len()]));
                message.calls.iter().for_each(|call| {
                    open.remove(call.id.as_str());
                });
                for (nth, call) in message.calls.iter().enumerate() {
                    known.insert(&call.id);
                    open.entry(&call.id).or_default().push_back((at, nth));
                }
            }
            Role::Tool => {
                let Some(id) = message.answers.as_deref() else { continue };
                if let Some((call, nth)) = open.get_mut(id).and_then(VecDeque::pop_front) {
                    if let Some(Answer::Calls(results)) = found.get_mut(&call) {
                        results[nth] = Some(at);
                    }
                    found.insert(at, Answer::Used);
                } else if known.contains(id) {
                    found.insert(at, Answer::Twice);
                }
            }
            Role::System | Role::User | Role::Assistant => {}
        }
    }
    found
}

/// A message that calls, and behind it a result for each call, in the order of the calls. What needs no repair is not copied.
fn calling(messages: &[Arc<Message>], at: usize, results: &[Option<usize>], taken: &mut BTreeSet<String>) -> Group {
    let mut caller = plain(&messages[at]);
    let mut group = Vec::with_capacity(1 + caller.calls.len());
    for nth in 0..caller.calls.len() {
        let id = unique(&caller.calls[nth].id, taken);
        let is_nameless = caller.calls[nth].name.trim().is_empty();
        if is_nameless || caller.calls[nth].id != id {
            let call = &mut Arc::make_mut(&mut caller).calls[nth];
            call.id = id.clone();
            if is_nameless {
                call.name = "unnamed".into();
            }
        }
        let place = results.get(nth).copied().flatten();
        let mut result = match place {
            Some(place) => plain(&messages[place]),
            None => Arc::new(Message::result(id.clone(), MISSING)),
        };
        if is_empty(&result) {
            Arc::make_mut(&mut result).parts = vec![Part::Text(EMPTY.into())];
        }
        if result.answers.as_deref() != Some(&id) {
            Arc::make_mut(&mut result).answers = Some(id);
        }
        group.push((place, result));
    }
    group.insert(0, (Some(at), caller));
    Group { messages: group, opens_turn: false }
}

/// The message without texts of white space alone, which providers refuse; itself where there are none.
fn plain(message: &Arc<Message>) -> Arc<Message> {
    let is_blank = |part: &Part| matches!(part, Part::Text(text) if text.trim().is_empty());
    if !message.parts.iter().any(is_blank) {
        return message.clone();
    }
    let mut message = Message::clone(message);
    message.parts.retain(|part| !is_blank(part));
    Arc::new(message)
}

fn is_empty(message: &Message) -> bool {
    message.parts.iter().all(|part| matches!(part, Part::Text(text) if text.trim().is_empty()))
}

/// An id of plain letters that was not used before. Depends on what came before alone.
fn unique(id: &str, taken: &mut BTreeSet<String>) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let clean: Cow<'_, str> = if !id.is_empty() && id.len() <= LONGEST_ID && id.chars().all(is_plain) {
        id.into()
    } else {
        let clean: String = id.chars().take(LONGEST_ID).map(|c| if is_plain(c) { c } else { '_' }).collect();
        if clean.is_empty() { "call".into() } else { clean.into() }
    };
    if taken.insert(clean.to_string()) {
        return clean.into_owned();
    }
    // Room for the number; what is cut away from an id of 64 letters does not matter.
    let stem: String = clean.chars().take(LONGEST_ID - 12).collect();
    let mut number = taken.len() as u64 + 1;
    loop {
        let id = format!("{stem}_{number}");
        if taken.insert(id.clone()) {
            return id;
        }
        number += 1;
    }
}
