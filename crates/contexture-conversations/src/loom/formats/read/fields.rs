//! The members of one record, each taken once and checked for its type; what is left is not known.

use super::super::super::store::Result;
use super::super::super::{Fault, LoomError};
use super::super::words::millis;
use crate::sessions::json::Object;
use crate::thoughts;
use contexture_core::{AuthorType, Call, Image, ImageSource, Keyword, LoomNode, Message, MessagePart, Role, Text};
use serde_json::Value;

pub(super) struct Fields {
    object: Object,
    rest: Vec<String>,
}

impl Fields {
    pub fn new(value: Value) -> Result<Self> {
        match value {
            Value::Object(object) => Ok(Self { object, rest: Vec::new() }),
            _ => Err(Fault::Broken("a record is no object".into()).into()),
        }
    }

    /// Keys that nobody asked for.
    pub fn rest(mut self) -> Vec<String> {
        self.rest.extend(self.object.into_iter().map(|(key, _)| key));
        self.rest
    }

    pub fn take_rest_of(&mut self, inner: Fields) {
        self.rest.extend(inner.rest());
    }

    fn take(&mut self, key: &str) -> Option<Value> {
        self.object.remove(key).filter(|value| !value.is_null())
    }

    /// A member as `read` takes it; else it is `what`.
    fn typed<T>(&mut self, key: &str, what: &str, read: impl Fn(Value) -> Option<T>) -> Result<Option<T>> {
        self.take(key).map(|value| read(value).ok_or_else(|| wrong(key, what))).transpose()
    }

    pub fn text(&mut self, key: &str) -> Result<String> {
        self.optional(key)?.ok_or_else(|| missing(key))
    }

    pub fn optional(&mut self, key: &str) -> Result<Option<String>> {
        self.typed(key, "no text", |value| if let Value::String(text) = value { Some(text) } else { None })
    }

    pub fn flag(&mut self, key: &str) -> Result<bool> {
        Ok(self.typed(key, "neither `true` nor `false`", |value| value.as_bool())?.unwrap_or(false))
    }

    pub fn number(&mut self, key: &str) -> Result<Option<u64>> {
        self.typed(key, "no whole number", |value| value.as_u64())
    }

    /// RFC 3339, or milliseconds where there is no such date.
    pub fn moment(&mut self, key: &str) -> Result<i64> {
        let moment = |value: Value| value.as_str().map_or_else(|| value.as_i64(), millis);
        self.typed(key, "no moment", moment)?.ok_or_else(|| missing(key))
    }

    pub fn list(&mut self, key: &str) -> Result<Vec<Value>> {
        let list = self.typed(key, "no list", |value| if let Value::Array(list) = value { Some(list) } else { None });
        list.map(Option::unwrap_or_default)
    }

    /// An inner record; an empty one where there is none.
    pub fn object(&mut self, key: &str) -> Result<Fields> {
        Fields::new(self.take(key).unwrap_or_else(|| Value::Object(Object::new())))
    }

    /// What a node says: `content`, and beside it `role`, `calls`, `answers` and `name`.
    pub fn message(&mut self, author: AuthorType) -> Result<Message> {
        let content = Fields::new(self.take("content").ok_or_else(|| missing("content"))?)?;
        let parts = self.parts(content)?;
        let answers = self.optional("answers")?;
        let usual = if answers.is_some() { Role::Tool } else { LoomNode::role(author) };
        let role = match self.optional("role")? {
            Some(word) => choice("role", &word)?,
            None => usual,
        };
        let mut calls = Vec::new();
        for call in self.list("calls")? {
            let mut call = Fields::new(call)?;
            calls.push(Call {
                id: call.text("id")?,
                name: call.text("name")?,
                arguments: call.text("arguments")?.into(),
            });
            self.take_rest_of(call);
        }
        let mut kept = Vec::new();
        for thought in self.list("thoughts")? {
            match thoughts::recorded(&thought) {
                Some(thought) => kept.push(thought),
                None => return Err(wrong("thoughts", "a thought that cannot be read")),
            }
        }
        Ok(Message { thoughts: kept, role, parts, calls, answers, name: self.optional("name")? })
    }

    fn parts(&mut self, mut content: Fields) -> Result<Vec<MessagePart>> {
        let kind = content.text("type")?;
        let parts = match &*kind {
            "mixed" => {
                let mut parts = Vec::new();
                for block in content.list("blocks")? {
                    let mut block = Fields::new(block)?;
                    let kind = block.text("type")?;
                    parts.push(part(&kind, &mut block, &["text", "image"])?);
                    self.take_rest_of(block);
                }
                parts
            }
            kind => vec![part(kind, &mut content, &["text", "image", "mixed"])?],
        };
        self.take_rest_of(content);
        Ok(parts)
    }
}

fn part(kind: &str, block: &mut Fields, known: &'static [&'static str]) -> Result<MessagePart> {
    match kind {
        "text" => Ok(MessagePart::Text(block.text("text")?.into())),
        "image" => {
            let media_type = block.optional("media_type")?.unwrap_or_default();
            let (data, url, gone) = (block.optional("data")?, block.optional("url")?, block.number("gone")?);
            let source = match (data, url, gone) {
                (Some(data), None, None) => ImageSource::Data(Text::from(data)),
                (None, Some(url), None) => ImageSource::Url(url),
                (None, None, Some(bytes)) => ImageSource::Gone { bytes },
                _ => return Err(wrong("content", "an image without one of `data`, `url`, `gone`")),
            };
            Ok(MessagePart::Image(Image { media_type, source }))
        }
        _ => Err(Fault::Word { what: "content type", word: kind.into(), known }.into()),
    }
}

/// The meaning of a word, or an error that lists those that are known.
pub(super) fn choice<T: Keyword>(what: &'static str, word: &str) -> Result<T> {
    T::parse(word).ok_or_else(|| unknown(what, word, T::WORDS))
}

/// A word is short; what is longer is cut so that a message stays a message.
pub(super) fn unknown(what: &'static str, word: &str, known: &'static [&'static str]) -> LoomError {
    Fault::Word { what, word: word.chars().take(64).collect(), known }.into()
}

fn missing(key: &str) -> LoomError {
    Fault::Broken(format!("a record has no `{key}`")).into()
}

fn wrong(key: &str, what: &str) -> LoomError {
    Fault::Broken(format!("`{key}` is {what}")).into()
}
