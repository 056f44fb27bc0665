//! Chat completions: an array of messages, `{messages: […]}`, lines of messages, or lines of whole conversations as for
//! fine-tuning. Also finds out that messages are Anthropic's, for both are written in the same ways: those have the system text beside
//! the messages, and blocks of other names.

use serde_json::Value;

use super::super::Session;
use super::super::blocks::{self, Pictures};
use super::super::error::{Fault, Result, SessionError};
use super::super::json::{self, Object};
use super::super::ours;
use super::super::scan::{self, Outline};
use super::super::tally::Tally;
use super::{ImportOptions, LISTS, Outcome, ReadConversation, Records, spoken};
use contexture_core::{Message, Note, Role, Topic};

/// One conversation in one document.
pub(super) fn document(bytes: &[u8], outline: &Outline) -> Outcome {
    let mut chat = Chat::default();
    let mut tally = Tally::default();
    chat.document(bytes, outline, 1, &mut tally)?;
    Ok(chat.found(tally))
}

/// An array of conversations.
pub(super) fn export(bytes: &[u8], outline: &Outline, options: &ImportOptions) -> Outcome {
    let mut lines = ours::Lines::new(bytes);
    let mut tally = Tally::default();
    let elements: Vec<_> = outline.list.iter().flat_map(|list| &list.elements).collect();
    let index = chosen(elements.len(), options, &mut tally)?;
    let mut chat = Chat::default();
    if let Some((line, slice)) = elements.get(index).and_then(|e| Some((lines.at(e.start), bytes.get((*e).clone())?))) {
        chat.document(slice, &scan::outline(slice, LISTS), line, &mut tally)?;
    }
    Ok(chat.found(tally))
}

pub(super) fn lines(mut records: Records, options: &ImportOptions) -> Outcome {
    let mut chat = Chat::default();
    let mut conversations = 0usize;
    let asked = match &options.conversation {
        Some(word) => Some(word.parse::<usize>().map_err(|_| unknown(word, 0))?),
        None => None,
    };
    while let Some((line, mut object)) = records.next()? {
        if let Some(list) = json::take_list(&mut object, "messages") {
            conversations += 1;
            if asked.is_some_and(|asked| asked != conversations) {
                continue;
            }
            // One conversation a line: only the last one, or the one asked for, is held.
            chat = Chat::default();
            if let Some(system) = object.remove("system") {
                chat.system(system, &mut records.tally);
            }
            for message in list {
                match message {
                    Value::Object(message) => chat.add(message, line, &mut records.tally)?,
                    _ => records.tally.lose("a message cannot be read", line),
                }
            }
        } else if object.contains_key("role") {
            chat.add(object, line, &mut records.tally)?;
        } else {
            let kind = json::text(&object, "type").unwrap_or("without a role");
            records.tally.skip_typed("line", kind);
        }
    }
    match asked {
        Some(asked) if asked == 0 || asked > conversations => {
            return Err(unknown(options.conversation.as_deref().unwrap_or_default(), conversations));
        }
        None if conversations > 1 => several(conversations, &mut records.tally),
        _ => {}
    }
    Ok(chat.found(records.tally))
}

/// The number of the conversation that was asked for, counted from 0; else of the last one.
fn chosen(count: usize, options: &ImportOptions, tally: &mut Tally) -> Result<usize> {
    match &options.conversation {
        Some(word) => match word.parse::<usize>() {
            Ok(number) if (1..=count).contains(&number) => Ok(number - 1),
            _ => Err(unknown(word, count)),
        },
        None => {
            if count > 1 {
                several(count, tally);
            }
            Ok(count.saturating_sub(1))
        }
    }
}

fn several(count: usize, tally: &mut Tally) {
    tally.skip_many("other conversation", count - 1);
    let text = format!("conversations in the file: {count}: the last one is used");
    tally.note(Note::new(Topic::Reduced, text).hint("choose one with `--conversation NUMBER`, counted from 1"));
}

fn unknown(wanted: &str, count: usize) -> SessionError {
    Fault::Conversation { wanted: wanted.into(), known: (1..=count).map(|number| number.to_string()).collect() }.into()
}

#[derive(Default)]
struct Chat {
    session: Session,
    anthropic: bool,
}

impl Chat {
    /// `first` is the line that the bytes begin in.
    fn document(&mut self, bytes: &[u8], outline: &Outline, first: usize, tally: &mut Tally) -> Result<()> {
        let mut lines = ours::Lines::new(bytes);
        let mut breaks = outline.breaks.clone();
        breaks.sort_by_key(|broken| broken.at);
        breaks.iter().for_each(|broken| tally.lose(broken.what, first - 1 + lines.at(broken.at)));
        for member in &outline.members {
            let Some(value) = bytes.get(member.value.clone()).and_then(json::value) else { continue };
            match (&*member.key, value) {
                ("system", value) => self.system(value, tally),
                ("id" | "conversation_id", Value::String(id)) => self.session.chat_id = id,
                ("title", Value::String(title)) => self.session.title = Some(title),
                _ => {}
            }
        }
        let mut lines = ours::Lines::new(bytes);
        for element in outline.list.iter().flat_map(|list| &list.elements) {
            let line = first - 1 + lines.at(element.start);
            match bytes.get(element.clone()).and_then(json::object) {
                Some(object) => self.add(object, line, tally)?,
                None => tally.lose("a message cannot be read", line),
            }
        }
        Ok(())
    }

    fn system(&mut self, value: Value, tally: &mut Tally) {
        self.anthropic |= !value.is_null();
        if let Some(message) = system_message(value, tally) {
            self.session.messages.insert(0, spoken(message, None, 0));
        }
    }

    fn add(&mut self, mut object: Object, line: usize, tally: &mut Tally) -> Result<()> {
        self.anthropic |= is_anthropic(&object);
        let at = json::take(&mut object, "timestamp").or_else(|| json::take(&mut object, "created_at"));
        match blocks::chat(object, line, Pictures::Keep, tally)? {
            Some(messages) => {
                let messages = messages.into_iter().map(|message| spoken(message, at.as_deref(), line));
                self.session.messages.extend(messages);
            }
            None => tally.lose("a message has no role", line),
        }
        Ok(())
    }

    fn found(self, tally: Tally) -> ReadConversation {
        ReadConversation { format: if self.anthropic { "anthropic" } else { "openai" }, session: self.session, tally }
    }
}

/// Whether a message holds a block that only Anthropic's shape has.
fn is_anthropic(object: &Object) -> bool {
    let Some(Value::Array(blocks)) = object.get("content") else { return false };
    blocks.iter().filter_map(Value::as_object).any(|block| match json::text(block, "type") {
        Some("tool_use" | "tool_result" | "thinking" | "redacted_thinking" | "document") => true,
        Some("image") => block.contains_key("source"),
        _ => false,
    })
}

/// The system text, which comes before all messages.
fn system_message(value: Value, tally: &mut Tally) -> Option<Message> {
    blocks::said(Role::System, value, Pictures::Keep, tally).into_iter().find(|message| !blocks::is_empty(message))
}
