//! A conversation as it may be sent: calls with their results in groups that stay together, and what could not be kept.
//!
//! Takes messages as they were stored; gives a repaired copy of them. Every call has exactly one result, right behind it, and
//! every result its call; ids are unique and made of plain letters; nothing is empty. What comes later never changes what was
//! made of what came before, except for a result that arrives: a conversation that grows keeps the bytes it was shown with.

#[cfg(test)]
mod tests;

use crate::types::{Api, Image, Message, MessagePart, Role, Thought};
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

/// A history that may be sent.
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
    /// Why a message is not shown, as the end of a sentence.
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

/// Thoughts go back to the API they came from alone.
pub fn repair(messages: &[Arc<Message>], api: Option<Api>) -> Repaired {
    let answers = pair(messages);
    // Messages of a model that follow each other become one, and its thoughts stand before all it says.
    let mut follows = false;
    let mut out = Repaired::default();
    let mut taken = BTreeSet::new();
    for (at, message) in messages.iter().enumerate() {
        let plain =
            |message: &Arc<Message>| plain(message, api.filter(|_| !follows || message.role != Role::Assistant));
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
                out.groups.push(calling(messages, at, results, &mut taken, &plain));
                // Its results follow.
                follows = false;
            }
            Role::System | Role::User | Role::Assistant if is_empty(message) => out.dropped.push((at, Flaw::Empty)),
            Role::System | Role::User | Role::Assistant => {
                let opens_turn = message.role == Role::User;
                out.groups.push(Group { messages: vec![(Some(at), plain(message))], opens_turn });
                if message.role != Role::System {
                    follows = message.role == Role::Assistant;
                }
            }
        }
    }
    out
}

/// Whether a message is shown as it is, and needs no other: it calls nothing, answers nothing, and nothing in it is empty or unseen.
pub fn is_whole(message: &Message, api: Option<Api>) -> bool {
    let is_fine = |part: &MessagePart| match part {
        MessagePart::Text(_) => !is_blank(part),
        MessagePart::Image(image) => is_shown(image, message.role, api),
    };
    message.role != Role::Tool
        && message.thoughts.is_empty()
        && message.calls.is_empty()
        && !message.parts.is_empty()
        && message.parts.iter().all(is_fine)
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
fn calling(
    messages: &[Arc<Message>],
    at: usize,
    results: &[Option<usize>],
    taken: &mut BTreeSet<String>,
    plain: &dyn Fn(&Arc<Message>) -> Arc<Message>,
) -> Group {
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
            Arc::make_mut(&mut result).parts = vec![MessagePart::Text(EMPTY.into())];
        }
        if result.answers.as_deref() != Some(&id) {
            Arc::make_mut(&mut result).answers = Some(id);
        }
        group.push((place, result));
    }
    group.insert(0, (Some(at), caller));
    Group { messages: group, opens_turn: false }
}

/// The message as this API is shown it; itself where nothing is to be changed.
///
/// Texts of white space alone are left out, which providers refuse, and so are thoughts of others. A picture that cannot be shown is told
/// in words: what stands in a request is what is counted.
pub fn plain(message: &Arc<Message>, api: Option<Api>) -> Arc<Message> {
    let is_foreign = |thought: &Thought| Some(thought.by) != api;
    let is_told = |part: &MessagePart| matches!(part, MessagePart::Image(image) if !is_shown(image, message.role, api));
    let is_fine = |part: &MessagePart| !is_blank(part) && !is_told(part);
    if message.parts.iter().all(is_fine) && !message.thoughts.iter().any(is_foreign) {
        return message.clone();
    }
    let told = |part: &MessagePart| match part {
        MessagePart::Image(image) if is_told(part) => MessagePart::Text(image.placeholder().into()),
        part => part.clone(),
    };
    let parts = message.parts.iter().filter(|part| !is_blank(part)).map(told).collect();
    let thoughts = message.thoughts.iter().filter(|thought| !is_foreign(thought)).cloned().collect();
    Arc::new(Message { parts, thoughts, ..Message::clone(message) })
}

/// A person shows pictures; a tool only where the API says so.
fn is_shown(image: &Image, role: Role, api: Option<Api>) -> bool {
    let may = match role {
        Role::User => true,
        Role::Tool => api.is_some_and(|api| api.provider().pictures.in_results),
        Role::System | Role::Assistant => false,
    };
    may && image.is_shown(api)
}

fn is_blank(part: &MessagePart) -> bool {
    matches!(part, MessagePart::Text(text) if text.trim().is_empty())
}

fn is_empty(message: &Message) -> bool {
    message.parts.iter().all(is_blank)
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
