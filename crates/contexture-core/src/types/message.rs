//! A message of a conversation: the one shape that sessions, importers, histories and requests share.

use super::{Api, ContentHash, Text};
use crate::keywords;

/// Who speaks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    System,
    User,
    Assistant,
    /// Answers a call of a tool.
    Tool,
}

// An unknown role is an error, never taken for another.
keywords!(Role {
    System = "system" | "developer",
    User = "user" | "human",
    Assistant = "assistant" | "model",
    Tool = "tool" | "tool_result" | "toolResult" | "function",
});

/// A piece of what a message says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MessagePart {
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

impl Image {
    /// Its media type; most pictures of unknown type are of this one.
    pub fn media(&self) -> &str {
        if self.media_type.is_empty() { "image/png" } else { &self.media_type }
    }

    /// What stands for a picture where only text can.
    pub fn placeholder(&self) -> String {
        let what = if self.media_type.is_empty() { "image" } else { &self.media_type };
        match &self.source {
            ImageSource::Url(url) if !url.starts_with("data:") => format!("[{what}: {url}]"),
            ImageSource::Gone { bytes } if *bytes > 0 => format!("[{what}, {bytes} bytes]"),
            ImageSource::Data(data) => format!("[{what}, {} bytes]", data.len() / 4 * 3),
            ImageSource::Url(_) | ImageSource::Gone { .. } => format!("[{what}]"),
        }
    }
}

/// Where the bytes of a picture are.
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

/// What a model thought before it spoke. It goes back to the one that thought it, byte for byte, and to no other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    /// The interface it goes back to; others do not get it.
    pub by: Api,
    /// As far as it can be read.
    pub text: Text,
    /// What the API wants back: a block or an item as JSON, or a signature; empty where the text is all there is.
    pub seal: Text,
    /// The call that the seal belongs to, where it does not stand by itself.
    pub call: Option<usize>,
}

/// One thing that was said in a conversation, with the calls it makes or the call it answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    pub role: Role,
    /// Of an assistant, before what it says.
    pub thoughts: Vec<Thought>,
    /// In order; none for null or missing content.
    pub parts: Vec<MessagePart>,
    /// Of an assistant, after what it says.
    pub calls: Vec<Call>,
    /// Of a tool's message: the id of the call it answers.
    pub answers: Option<String>,
    /// Of a tool's message: which tool, where it says so.
    pub name: Option<String>,
}

impl Message {
    /// A message that says this and no more. An empty text gives one without parts.
    pub fn new(role: Role, text: impl Into<Text>) -> Self {
        let text = text.into();
        let parts = if text.is_empty() { Vec::new() } else { vec![MessagePart::Text(text)] };
        Self { role, thoughts: Vec::new(), parts, calls: Vec::new(), answers: None, name: None }
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
            MessagePart::Text(text) => Some(&**text),
            MessagePart::Image(_) => None,
        })
    }

    /// What it says as one text, with a placeholder for each picture.
    pub fn text(&self) -> Text {
        let part = |part: &MessagePart| match part {
            MessagePart::Text(text) => text.to_string(),
            MessagePart::Image(image) => image.placeholder(),
        };
        match self.parts.as_slice() {
            [MessagePart::Text(text)] => text.clone(),
            parts => parts.iter().map(part).collect::<Vec<_>>().join("\n\n").into(),
        }
    }

    /// A measure of its size that needs no counting: its bytes, some for its frame and for pictures.
    pub fn size(&self) -> u64 {
        let part = |part: &MessagePart| match part {
            MessagePart::Text(text) => text.len(),
            MessagePart::Image(_) => 4_000,
        };
        let calls = self.calls.iter().map(|call| 16 + call.id.len() + call.name.len() + call.arguments.len());
        let thoughts = self.thoughts.iter().map(|thought| thought.text.len() + thought.seal.len());
        (16 + self.parts.iter().map(part).sum::<usize>() + calls.sum::<usize>() + thoughts.sum::<usize>()) as u64
    }

    /// The bytes of all it says and calls, as they are.
    pub fn bytes(&self) -> u64 {
        let calls = self.calls.iter().map(|call| call.name.len() + call.arguments.len());
        let thoughts = self.thoughts.iter().map(|thought| thought.text.len() + thought.seal.len());
        (self.texts().map(str::len).sum::<usize>() + calls.sum::<usize>() + thoughts.sum::<usize>()) as u64
    }

    /// The hash of all it says and calls.
    pub fn hash(&self) -> ContentHash {
        let mut parts: Vec<&[u8]> = vec![self.role.as_str().as_bytes()];
        for part in &self.parts {
            match part {
                MessagePart::Text(text) => parts.extend([b"text", text.as_bytes()]),
                MessagePart::Image(image) => {
                    parts.extend([b"image", image.media_type.as_bytes()]);
                    match &image.source {
                        ImageSource::Data(data) => parts.extend([b"data", data.as_bytes()]),
                        ImageSource::Url(url) => parts.extend([&b"url"[..], url.as_bytes()]),
                        ImageSource::Gone { .. } => parts.push(b"gone"),
                    }
                }
            }
        }
        for thought in &self.thoughts {
            let by = thought.by.as_str().as_bytes();
            parts.extend([b"thought", by, thought.text.as_bytes(), thought.seal.as_bytes()]);
            parts.extend(thought.call.map(|_| &b"of a call"[..]));
        }
        for call in &self.calls {
            parts.extend([b"call", call.id.as_bytes(), call.name.as_bytes(), call.arguments.as_bytes()]);
        }
        for (word, text) in [(&b"answers"[..], &self.answers), (&b"name"[..], &self.name)] {
            parts.extend(text.iter().flat_map(|text| [word, text.as_bytes()]));
        }
        ContentHash::of_parts(parts)
    }
}

/// Whether a text is base64 with nothing around it.
pub fn is_base64(data: &str) -> bool {
    let body = data.trim_end_matches('=');
    !body.is_empty()
        && data.len().is_multiple_of(4)
        && data.len() - body.len() <= 2
        && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/')
}
