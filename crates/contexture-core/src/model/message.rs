//! A message of a conversation: the one shape that sessions, importers, histories and requests share.

use super::Text;
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    System,
    User,
    Assistant,
    /// Answers a call of a tool.
    Tool,
}

impl Role {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }

    /// The roles that programs write. `None` is an unknown one: it is an error, never taken for another.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "system" | "developer" => Some(Self::System),
            "user" | "human" => Some(Self::User),
            "assistant" | "model" => Some(Self::Assistant),
            "tool" | "tool_result" | "toolResult" | "function" => Some(Self::Tool),
            _ => None,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A piece of what a message says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    Text(Text),
    Image(Image),
}

/// A picture in a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image {
    /// `image/png`; empty when nobody said.
    pub media_type: String,
    pub source: ImageSource,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ImageSource {
    /// Base64.
    Data(Text),
    Url(String),
    /// It was there and was not kept: how many bytes it had, 0 when nobody knows.
    Gone {
        bytes: u64,
    },
}

/// A tool that the model wants to be called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// May be empty or used twice in what programs wrote; repaired before it is shown.
    pub id: String,
    pub name: String,
    /// JSON as text, as the model wrote it.
    pub arguments: Text,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    pub role: Role,
    /// In order; none for null or missing content.
    pub parts: Vec<Part>,
    /// Of an assistant, after what it says.
    pub calls: Vec<Call>,
    /// Of a tool's message: the id of the call it answers.
    pub answers: Option<String>,
    /// Of a tool's message: which tool, where it says so.
    pub name: Option<String>,
}

impl Message {
    pub fn new(role: Role, text: impl Into<Text>) -> Self {
        let text = text.into();
        let parts = if text.is_empty() { Vec::new() } else { vec![Part::Text(text)] };
        Self { role, parts, calls: Vec::new(), answers: None, name: None }
    }

    /// The answer to a call.
    pub fn result(answers: impl Into<String>, text: impl Into<Text>) -> Self {
        Self { answers: Some(answers.into()), ..Self::new(Role::Tool, text) }
    }

    /// An assistant's message that calls tools.
    pub fn calling(text: impl Into<Text>, calls: Vec<Call>) -> Self {
        Self { calls, ..Self::new(Role::Assistant, text) }
    }

    /// Its texts, one after the other.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(&**text),
            Part::Image(_) => None,
        })
    }

    /// Its text; borrowed from nothing when there is more than one part.
    pub fn text(&self) -> Text {
        match self.parts.as_slice() {
            [Part::Text(text)] => text.clone(),
            _ => self.texts().collect::<Vec<_>>().join("\n\n").into(),
        }
    }
}
