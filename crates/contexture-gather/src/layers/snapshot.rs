//! Makes a snapshot of an agent's workspace, its conversation and the current message. Reads nothing.

use super::{Document, Workspace};
use contexture_core::{
    Base, Body, ContentHash, Item, ItemId, Layer, Message, MessagePart, Role, Snapshot, Text, ToolSchema,
};
use std::sync::Arc;

/// What an agent is to answer, and what it may call.
pub struct TurnRequest<'a> {
    /// The conversation so far, in order.
    pub messages: Vec<Arc<Message>>,
    /// How messages of the conversation are named in a plan: with this and their number.
    pub session_name: &'a str,
    /// `None` where the session ends with what is to be answered.
    pub message: Option<&'a str>,
    /// Where and when the agent runs; `contexture_core::shape::bootstrap` writes it.
    pub bootstrap: String,
    /// Of the caller; empty: the workspace describes its tools.
    pub schemas: Arc<[ToolSchema]>,
    /// The hash of a message, where somebody knows it.
    pub hash: &'a dyn Fn(&Arc<Message>) -> Option<ContentHash>,
}

/// Makes items of all layers. The result still has to be screened before it is compiled.
pub fn snapshot(workspace: &Workspace, ask: &TurnRequest<'_>) -> Snapshot {
    let mut items = Vec::with_capacity(ask.messages.len() + 2 * workspace.skills.len() + 16);
    for document in std::iter::once(&workspace.soul).chain(&workspace.agents) {
        items.push(of_document(Layer::System, document));
    }
    let bootstrap = Body::Text { text: ask.bootstrap.clone().into(), base: Base::NotAsked };
    items.push(item(Layer::Bootstrap, "bootstrap".into(), bootstrap, ask.bootstrap.len() as u64));
    if let Some(memory) = &workspace.memory {
        for (nth, entry) in memory.entries.iter().enumerate() {
            let path = format!("{}:{}", memory.document.path, entry.line);
            let id = ItemId(format!("memory/{nth}").into());
            items.push(Item { id, ..item(Layer::Memory, path, Body::Memory(entry.clone()), entry.text.len() as u64) });
        }
    }
    for skill in &workspace.skills {
        let size = (skill.name.len() + skill.description.len()) as u64;
        items.push(item(Layer::Skill, skill.path.clone(), Body::Skill(skill.says.clone()), size));
    }
    for skill in &workspace.skills {
        let path = format!("{} (text)", skill.path);
        let body = item(Layer::SkillBody, path, Body::Skill(skill.says.clone()), skill.raw_bytes);
        items.push(Item { hash: Some(skill.hash), ..body });
    }
    // The built-in text only says that there are none.
    if ask.schemas.is_empty() || workspace.tools.state != super::State::Default {
        items.push(of_document(Layer::Tools, &workspace.tools));
    }
    if !ask.schemas.is_empty() {
        let size = ask.schemas.iter().map(|schema| schema.parameters.len() as u64).sum();
        items.push(item(Layer::Tools, "tool schemas".into(), Body::Schemas(ask.schemas.clone()), size));
    }
    let (history, current) = history_and_message(ask);
    for (nth, message) in history.iter().enumerate() {
        let path = format!("{}#{}", ask.session_name, nth + 1);
        let id = ItemId(format!("history/{nth}").into());
        let body = item(Layer::History, path, Body::Message(message.clone()), message.bytes());
        items.push(Item { id, hash: (ask.hash)(message), ..body });
    }
    if let Some(current) = current {
        let size = current.bytes();
        items.push(item(Layer::Current, "message".into(), Body::Message(current), size));
    }
    Snapshot { items, notes: workspace.notes.clone(), ..Snapshot::default() }
}

/// The history, and the message that is to be answered. A session that ends with that message, as agents that store first
/// have it, ends before it here: it is said once.
fn history_and_message(ask: &TurnRequest<'_>) -> (Vec<Arc<Message>>, Option<Arc<Message>>) {
    let mut history = ask.messages.clone();
    let Some(asked) = ask.message else {
        // Its end is what is answered: a person's message, or results of tools, which stand where they are.
        let is_blank = |message: &Arc<Message>| {
            message.role == Role::User
                && message.parts.iter().all(|part| matches!(part, MessagePart::Text(text) if text.trim().is_empty()))
        };
        let last = history.iter().rposition(|message| !is_blank(message));
        let asked = last.filter(|at| history[*at].role == Role::User).map(|at| history.remove(at));
        return (history, asked);
    };
    let is_same = |message: &Arc<Message>| message.role == Role::User && *message.text() == *asked;
    let stored = if history.last().is_some_and(is_same) { history.pop() } else { None };
    let current = stored.unwrap_or_else(|| Arc::new(Message::new(Role::User, Text::from(asked))));
    (history, Some(current))
}

fn of_document(layer: Layer, document: &Document) -> Item {
    let body = Body::Text { text: document.text.clone(), base: Base::NotAsked };
    Item { hash: document.hash, ..item(layer, document.path.clone(), body, document.raw_bytes) }
}

fn item(layer: Layer, path: String, body: Body, size: u64) -> Item {
    Item { size, ..Item::layer(layer, path, body) }
}
