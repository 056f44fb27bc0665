//! What an agent's workspace is made of: its layers, memories, skills and the schemas of its tools.

use super::Text;
use std::sync::Arc;

/// A layer of an agent's context, in the order a model reads them (W1).
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
