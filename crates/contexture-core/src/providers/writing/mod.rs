//! What writers of requests share: a conversation as they see it, and the bytes they make of it.
//!
//! Takes a [`Talk`] that `render` has put together; each dialect writes it in its own words. What was written for a message never changes
//! because of what follows it, but for marks that a provider's cache wants.

mod json;
mod parts;
mod rope;

pub use json::escaped;
pub(super) use json::{member, object, string, tool_name};
pub(crate) use parts::{Paper, Parts};
pub use rope::quoted;
pub(crate) use rope::{OWN_BLOCKS, Rope};

use super::Provider;
use super::reuse::Rule;
use crate::types::{Api, ItemId, Layer, Message, Options, Role, Snapshot, Text, ToolSchema};
use std::sync::Arc;

/// A context as a conversation.
#[derive(Clone, Debug, Default)]
pub struct Talk {
    /// Each a message of the system.
    pub system: Vec<SystemText>,
    pub history: Vec<Arc<Message>>,
    /// What was chosen for the current message and stands before it.
    pub near: Vec<SystemText>,
    pub current: Option<Arc<Message>>,
    pub tools: Vec<ToolSchema>,
    /// A document that the current message is about, and that stands before it.
    pub paper: Option<Paper>,
    /// Of each message of the history, the place in the snapshot where it comes from, and what is known of its tokens: those of calls and
    /// results that stand together are at the last of them.
    pub(crate) from: Vec<usize>,
    pub(crate) prices: Vec<u64>,
    /// Of a path: the tokens of each message of the history that is of one node alone. Neighbours of one role are one message,
    /// and its tokens are not the sum of those of its nodes.
    pub(crate) known: Option<Vec<Option<u64>>>,
}

/// A text of the system.
#[derive(Clone, Debug)]
pub struct SystemText {
    pub layer: Layer,
    pub text: Text,
    /// Chosen for the current message; the next one may choose otherwise.
    pub turns: bool,
}

impl Talk {
    /// The item that a message of the history comes from, where it is worth telling.
    pub(super) fn item<'a>(&self, snapshot: &'a Snapshot, nth: usize) -> Option<&'a ItemId> {
        let at = self.from.get(nth).filter(|_| self.history.len() <= OWN_BLOCKS)?;
        Some(&snapshot.items.get(*at)?.id)
    }
}

/// What each part of a conversation takes.
#[derive(Default)]
pub(crate) struct Sizes {
    pub tools: u64,
    pub system: Vec<u64>,
    pub history: Vec<u64>,
    pub near: Vec<u64>,
    pub current: u64,
}

/// What a writer of requests sees.
pub(crate) struct Writing<'a> {
    pub talk: &'a Talk,
    pub options: &'a Options,
    pub snapshot: &'a Snapshot,
    pub sizes: Sizes,
    pub rule: Option<&'static Rule>,
    /// `None` for the list of messages that all share.
    pub provider: Option<&'static Provider>,
}

impl Writing<'_> {
    pub fn api(&self) -> Option<Api> {
        self.provider.map(|provider| provider.api)
    }

    /// The name that the API has for the longest answer.
    pub fn answer_limit(&self) -> &'static str {
        self.provider.map_or("", |provider| provider.answer_limit)
    }

    pub fn history_size(&self, nth: usize) -> u64 {
        self.sizes.history.get(nth).copied().unwrap_or(0)
    }

    /// Texts of the system that stay over all turns, and their tokens.
    pub fn fixed(&self) -> (&[SystemText], u64) {
        let end = self.talk.system.iter().position(|part| part.turns).unwrap_or(self.talk.system.len());
        (&self.talk.system[..end], self.sizes.system.iter().take(end).sum())
    }

    /// The others, and what the system said in the history where an API has no other place for it.
    pub fn turning(&self, with_said: bool) -> (Vec<SystemText>, u64) {
        let end = self.fixed().0.len();
        let said =
            self.talk.history.iter().enumerate().filter(|(_, message)| with_said && message.role == Role::System);
        let mut tokens = self.sizes.system.iter().skip(end).sum::<u64>();
        let mut parts = self.talk.system[end..].to_vec();
        for (nth, message) in said {
            tokens += self.history_size(nth);
            parts.push(SystemText { layer: Layer::History, text: message.text(), turns: false });
        }
        (parts, tokens)
    }
}

/// Stands first where a conversation begins with the model: the API wants a person there.
pub const OPENING: &str = "(The conversation begins here.)";
/// Stands last where it ends with the model: newer models go on with nothing that they are told to have begun.
pub const CLOSING: &str = "(Go on.)";

/// What an API must be told of the longest answer, where nobody says.
pub const ANSWER: u64 = 4_096;

/// The name of the model as a member of a request, where one is given.
pub fn model_member(out: &mut String, options: &Options) {
    if let Some(model) = &options.request.model {
        member(out, "\"model\":", model);
        out.push_str(",\n");
    }
}

/// The longest answer under the name that the API has for it; most need not be told.
pub fn answer_member(out: &mut String, options: &Options, name: &str, default: Option<u64>) {
    if let Some(most) = options.request.max_answer.or(default) {
        out.push_str(&format!("\"{name}\":{most},\n"));
    }
}

/// How freely a model answers, where somebody says.
pub(super) fn taste(out: &mut String, writing: &Writing<'_>) {
    if writing.provider.is_some_and(|provider| provider.no_temperature.is_some()) {
        return;
    }
    let wanted = &writing.options.request;
    for (name, value) in [("temperature", wanted.temperature), ("top_p", wanted.top_p)] {
        if let Some(value) = value.filter(|value| value.is_finite()) {
            out.push_str(&format!("\"{name}\":{value},\n"));
        }
    }
}

/// How an API writes its tools.
pub(super) struct ToolList {
    /// Before the first tool, and behind the last.
    pub open: &'static str,
    pub close: &'static str,
    /// Before the name of each, and before its schema.
    pub name: &'static str,
    pub schema: &'static str,
}

/// The tools of a request; `end` closes each, and is told of the last.
pub(super) fn tools(writing: &Writing<'_>, out: &mut Rope, list: &ToolList, end: impl Fn(&mut Rope, bool)) {
    let tools = &writing.talk.tools;
    for (nth, tool) in tools.iter().enumerate() {
        out.text.push_str(if nth > 0 { ",\n" } else { list.open });
        out.text.push_str(list.name);
        tool_name(&mut out.text, &tool.name);
        member(&mut out.text, ",\"description\":", &tool.description);
        out.text.push_str(list.schema);
        out.text.push_str(&tool.parameters);
        end(out, nth + 1 == tools.len());
    }
    out.text.push_str(if tools.is_empty() { "" } else { list.close });
}

/// The inside of a JSON string.
pub fn json_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    escaped(&mut out, text);
    out
}

/// The texts of the system as the inside of one JSON string.
pub(super) fn merged(system: &[SystemText], out: &mut Rope) {
    for (nth, SystemText { text, turns, .. }) in system.iter().enumerate() {
        if *turns {
            out.end_prefix();
        }
        if nth > 0 {
            out.text.push_str("\\n\\n");
        }
        out.text.push_str(&json_text(text));
    }
}
