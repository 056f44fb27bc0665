//! What a server says, in the form of its API.
//!
//! Takes the events of a stream, or the body of a whole answer; fills a [`Draft`], or tells the error that the server wrote in place
//! of it. Each API has one form for both: a whole answer is read as the one event that has everything.

mod chat;
mod gemini;
mod messages;
mod responses;

use super::draft::{Draft, Finished};
use super::fault::{Failure, of_answer, without_bom};
use super::sse::Frame;
use super::{Key, ProviderError};
use contexture_core::Api;
use contexture_core::providers::Answers;
use serde_json::Value;

pub(super) struct AnswerReader<'a> {
    pub draft: Draft<'a>,
    key: Option<&'a Key>,
    form: AnswerFormat,
}

enum AnswerFormat {
    Messages(messages::Blocks),
    Chat(chat::Chat),
    Responses(responses::Items),
    Gemini(gemini::Parts),
}

impl<'a> AnswerReader<'a> {
    pub fn new(api: Api, key: Option<&'a Key>) -> Self {
        let form = match api.provider().dialect.answers {
            Answers::Messages => AnswerFormat::Messages(messages::Blocks::new(api)),
            Answers::Chat => AnswerFormat::Chat(chat::Chat::new(api)),
            Answers::Responses => AnswerFormat::Responses(responses::Items::new(api)),
            Answers::Gemini => AnswerFormat::Gemini(gemini::Parts::new(api)),
        };
        Self { draft: Draft::new(key), key, form }
    }

    /// An event of a stream. What comes after the end is not read.
    pub fn frame(&mut self, frame: &Frame) -> Result<(), Failure> {
        if self.draft.is_whole {
            return Ok(());
        }
        if frame.data.trim() == "[DONE]" {
            self.draft.is_whole |= matches!(self.form, AnswerFormat::Chat(_));
            self.draft.tell_usage();
            return Ok(());
        }
        let value = parse(&frame.data)?;
        if let Some(error) = complaint(&value) {
            return Err(of_answer(error, self.key));
        }
        let draft = &mut self.draft;
        match &mut self.form {
            AnswerFormat::Messages(blocks) => blocks.event(draft, &value),
            AnswerFormat::Chat(chat) => chat.chunk(draft, &value),
            AnswerFormat::Responses(items) => {
                items.event(draft, &value).map_err(|error| of_answer(&error, self.key))?
            }
            AnswerFormat::Gemini(parts) => parts.chunk(draft, &value),
        }
        self.draft.tell_usage();
        Ok(())
    }

    /// The bytes have ended. Only Google's streams end by that.
    pub fn end(&mut self) {
        match &mut self.form {
            AnswerFormat::Gemini(_) => self.draft.is_whole |= self.draft.stop.is_some(),
            AnswerFormat::Messages(_) | AnswerFormat::Chat(_) | AnswerFormat::Responses(_) => {}
        }
        self.draft.tell_usage();
    }

    /// All that came, as an answer.
    pub fn finish(mut self) -> Result<Finished, ProviderError> {
        match &mut self.form {
            AnswerFormat::Chat(chat) => chat.close(&mut self.draft),
            AnswerFormat::Messages(_) | AnswerFormat::Responses(_) | AnswerFormat::Gemini(_) => {}
        }
        self.draft.finish()
    }

    /// A whole answer. The content type is not asked: servers on one's own machine often give a wrong one.
    pub fn whole(&mut self, body: &str) -> Result<(), Failure> {
        let value = parse(without_bom(body))?;
        if let Some(error) = complaint(&value) {
            return Err(of_answer(error, self.key));
        }
        let draft = &mut self.draft;
        match &mut self.form {
            AnswerFormat::Messages(blocks) => blocks.whole(draft, &value)?,
            AnswerFormat::Chat(chat) => chat.whole(draft, &value)?,
            AnswerFormat::Responses(items) => {
                items.whole(draft, &value)?.map_err(|error| of_answer(&error, self.key))?;
            }
            AnswerFormat::Gemini(parts) => parts.whole(draft, &value)?,
        }
        self.draft.is_whole = true;
        self.draft.tell_usage();
        Ok(())
    }
}

fn parse(text: &str) -> Result<Value, ProviderError> {
    serde_json::from_str(text).map_err(|error| ProviderError::NotJson(error.to_string()))
}

/// An error in place of an answer, as all APIs write it. An event of OpenAI's has it without a member of its own.
fn complaint(value: &Value) -> Option<&Value> {
    let error = value.get("error").filter(|error| !error.is_null());
    let is_error = value.get("type").and_then(Value::as_str) == Some("error");
    error.or(is_error.then_some(value))
}

/// The text in a field.
fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name)?.as_str()
}

/// The number in a field, however deep.
fn number(value: &Value, pointer: &str) -> Option<u64> {
    whole_number(value.pointer(pointer)?)
}

/// Some servers write whole numbers with a fraction of nothing.
pub(super) fn whole_number(value: &Value) -> Option<u64> {
    let float = || value.as_f64().filter(|float| float.fract() == 0.0 && (0.0..9e15).contains(float));
    value.as_u64().or_else(|| float().map(|float| float as u64))
}

/// The elements of a list in a field.
fn list<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    value.get(name).and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod tests;
