//! What an agent's workspace is made of: its layers, memories, skills and the schemas of its tools.

use super::{Level, Message, Text, Why};
use std::borrow::Cow;
use std::sync::Arc;

/// A layer of an agent's context, in the order a model reads them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Layer {
    /// Who the agent is and how it works: `SOUL.md`, `AGENTS.md`.
    System,
    Bootstrap,
    Memory,
    /// A line of the list of skills.
    Skill,
    /// The text of a skill that is in use.
    SkillBody,
    Tools,
    History,
    Current,
}

impl Layer {
    /// Every layer, in the order a model reads them.
    pub const ALL: [Self; 8] = [
        Self::System,
        Self::Bootstrap,
        Self::Memory,
        Self::Skill,
        Self::SkillBody,
        Self::Tools,
        Self::History,
        Self::Current,
    ];

    /// The name of the layer an item belongs to; the text of a skill is part of the skills.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Bootstrap => "bootstrap",
            Self::Memory => "memory",
            Self::Skill | Self::SkillBody => "skills",
            Self::Tools => "tools",
            Self::History => "history",
            Self::Current => "current",
        }
    }
}

/// One thing that is remembered.
#[derive(Clone, PartialEq, Debug)]
pub struct Memory {
    /// The headings above it, from the top. Shared by all entries below one heading.
    pub trail: Arc<[String]>,
    /// Without the bullet, and without marks of date and importance that were understood.
    pub text: String,
    /// Days since 1970-01-01: what the entry itself says, else the nearest heading that is a date.
    pub day: Option<i32>,
    /// From 0 to 1, where the entry says it.
    pub importance: Option<f32>,
    /// Where it begins, counted from 1.
    pub line: usize,
}

/// A skill of an agent: a line that says what it is for, and a text that is shown when it is needed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skill {
    pub name: String,
    /// One line.
    pub description: String,
    pub body: Text,
    /// Its text is always shown.
    pub always: bool,
    /// Not listed, but may be named.
    pub hidden: bool,
}

/// A tool as a caller describes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolSchema {
    pub name: String,
    pub description: String,
    /// A JSON Schema of its arguments, as JSON text.
    pub parameters: Text,
}

/// An item of a layer as it is shown: what fitting gives and rendering takes.
#[derive(Clone, Debug)]
pub(crate) struct LayerView {
    /// Its place in the snapshot.
    pub index: usize,
    pub layer: Layer,
    pub level: Level,
    pub why: Why,
    pub content: LayerContent,
    /// Of `content` alone.
    pub tokens: u64,
    /// Chosen for the current message; another one may choose otherwise.
    pub turns: bool,
}

impl LayerView {
    /// All of it, for a reason.
    pub fn whole(
        index: usize,
        layer: Layer,
        content: LayerContent,
        tokens: u64,
        why: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { index, layer, level: Level::Full, why: Why::Layer(why.into()), content, tokens, turns: false }
    }

    /// A message of a history: whole for a reason, or cut because there is no room for all of it.
    pub fn message(index: usize, message: Arc<Message>, tokens: u64, whole: Option<&'static str>) -> Self {
        let content = LayerContent::Messages(vec![message]);
        let view = Self::whole(index, Layer::History, content, tokens, whole.unwrap_or(CUT));
        if whole.is_some() { view } else { Self { level: Level::Custom, ..view } }
    }

    /// Adds a message that belongs to no item of its own.
    pub fn join(&mut self, message: Arc<Message>, tokens: u64) {
        if let LayerContent::Messages(messages) = &mut self.content {
            self.tokens += tokens;
            messages.push(message);
        }
    }
}

/// Why an item of a layer is shown in part.
pub(crate) const CUT: &str = "cut: there is no room for all of it";

#[derive(Clone, Debug)]
pub(crate) enum LayerContent {
    Text(Text),
    Messages(Vec<Arc<Message>>),
    Schemas(Arc<[ToolSchema]>),
}
