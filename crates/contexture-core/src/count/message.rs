//! What messages cost. Each is framed by marks of its own in a model's input, which no token crosses: so messages can be
//! counted one by one and added.

use super::Meter;
use crate::types::{ContentHash, ImageSource, Message, MessagePart, Tokens, ToolSchema};

/// The marks around a message, and around a call in one. OpenAI documents 3, and 1 more for a name; others say nothing.
pub const FRAME: u64 = 4;
/// Pictures are scaled down to about 1.15 megapixels, which are 1,568 tokens by Anthropic's formula; others take less.
pub const IMAGE: u64 = 1_600;

/// Counting a kilobyte takes about as long as finding a count in the cache.
const REMEMBERED: u64 = 1_024;

impl Meter<'_> {
    /// Counts a message whose hash is known.
    pub fn message(&self, hash: &ContentHash, message: &Message) -> Tokens {
        let key = self.key(&[b"message", &hash.0]);
        Tokens(self.remember(key, || self.count_message(message)))
    }

    /// Counts a message. A long one is remembered; a short one is counted sooner than it is looked up.
    pub fn message_tokens(&self, message: &Message) -> u64 {
        match message.bytes() < REMEMBERED {
            true => self.count_message(message),
            false => self.message(&message.hash(), message).0,
        }
    }

    /// The same for a text.
    pub fn short(&self, text: &str) -> u64 {
        match (text.len() as u64) < REMEMBERED {
            true => self.counter.count(text),
            false => self.words(text).0,
        }
    }

    fn count_message(&self, message: &Message) -> u64 {
        let count = |text: &str| self.counter.count(text);
        let parts = message.parts.iter().map(|part| match part {
            MessagePart::Text(text) => count(text),
            MessagePart::Image(image) => match image.source {
                ImageSource::Data(_) | ImageSource::Url(_) => IMAGE,
                ImageSource::Gone { .. } => count(&image.placeholder()),
            },
        });
        let calls =
            message.calls.iter().map(|call| FRAME + count(&call.id) + count(&call.name) + count(&call.arguments));
        // A seal is not read as text, and its length says nothing of what it stands for; what it costs is told nowhere.
        let thoughts = message.thoughts.iter().map(|thought| FRAME + count(&thought.text));
        let answers = message.answers.as_deref().map_or(0, count);
        FRAME + parts.sum::<u64>() + calls.sum::<u64>() + thoughts.sum::<u64>() + answers
    }

    /// Tokens that the description of a tool takes: its name, what it says, its parameters, and the marks around them.
    pub fn schema(&self, schema: &ToolSchema) -> u64 {
        let count = |text: &str| self.words(text).0;
        FRAME + count(&schema.name) + count(&schema.description) + count(&schema.parameters)
    }
}
