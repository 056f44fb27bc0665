//! Anthropic Messages: the system in a field of its own, a person first, turns that alternate, all results of a turn in the next
//! message before anything else in it.

use super::openai::merged;
use super::write::{object, string, tool_name};
use super::{Rope, Talk, model_member};
use crate::model::{ImageSource, Layer, Message, Part, Role};
use crate::options::Options;
use std::sync::Arc;

/// Stands first where a conversation begins with the model: the API wants a person there.
pub const OPENING: &str = "(The conversation begins here.)";

pub fn write(talk: &Talk, options: &Options, out: &mut Rope) {
    out.text.push('{');
    model_member(&mut out.text, options);
    out.text.push_str(&format!("\"max_tokens\":{},\n", options.agent.max_answer));
    if !talk.tools.is_empty() {
        out.text.push_str("\"tools\":[\n");
        for (nth, tool) in talk.tools.iter().enumerate() {
            out.text.push_str(if nth > 0 { ",\n{\"name\":" } else { "{\"name\":" });
            tool_name(&mut out.text, &tool.name);
            out.text.push_str(",\"description\":");
            string(&mut out.text, &tool.description);
            out.text.push_str(",\"input_schema\":");
            out.text.push_str(&tool.parameters);
            out.text.push('}');
        }
        out.text.push_str("\n],\n");
    }
    let system = with_said(talk);
    if !system.is_empty() {
        out.text.push_str("\"system\":\"");
        merged(&system, out);
        out.text.push_str("\",\n");
    }
    out.text.push_str("\"messages\":[");
    let mut turns = Turns::default();
    for message in talk.history.iter().filter(|message| message.role != Role::System) {
        turns.open(out, message.role, Some(OPENING));
        blocks(out, &mut turns, message);
        out.pause();
    }
    out.end_prefix();
    let current = talk.near.iter().map(|part| Message::new(Role::User, part.text.clone()));
    for message in current.chain(talk.current.iter().map(|message| Message::clone(message))) {
        turns.open(out, message.role, Some(OPENING));
        blocks(out, &mut turns, &message);
    }
    turns.close(out);
    out.text.push_str("\n]}\n");
}

/// The texts of the system, and what the system said in the history: it has no other place, and no other may say it.
pub fn with_said(talk: &Talk) -> Vec<super::SystemText> {
    let said = talk.history.iter().filter(|message| message.role == Role::System);
    let part = |message: &Arc<Message>| super::SystemText { layer: Layer::History, text: message.text(), turns: false };
    talk.system.iter().cloned().chain(said.map(part)).collect()
}

/// Messages of neighbours with one role are one.
#[derive(Default)]
pub struct Turns {
    is_model: Option<bool>,
    has_blocks: bool,
}

impl Turns {
    fn open(&mut self, out: &mut Rope, role: Role, opening: Option<&str>) {
        let is_model = role == Role::Assistant;
        if self.is_model.is_none()
            && is_model
            && let Some(opening) = opening
        {
            self.open(out, Role::User, None);
            self.text(out, opening);
        }
        if self.is_model == Some(is_model) {
            return;
        }
        self.close(out);
        let comma = if self.is_model.is_some() { "," } else { "" };
        let role = if is_model { "assistant" } else { "user" };
        out.text.push_str(&format!("{comma}\n{{\"role\":\"{role}\",\"content\":["));
        (self.is_model, self.has_blocks) = (Some(is_model), false);
    }

    fn close(&mut self, out: &mut Rope) {
        if self.is_model.is_some() {
            out.text.push_str("]}");
        }
    }

    fn next(&mut self, out: &mut Rope) {
        out.text.push_str(if self.has_blocks { ",\n" } else { "" });
        self.has_blocks = true;
    }

    fn text(&mut self, out: &mut Rope, text: &str) {
        self.next(out);
        out.text.push_str("{\"type\":\"text\",\"text\":");
        string(&mut out.text, text);
        out.text.push('}');
    }
}

fn blocks(out: &mut Rope, turns: &mut Turns, message: &Message) {
    if message.role == Role::Tool {
        turns.next(out);
        out.text.push_str("{\"type\":\"tool_result\",\"tool_use_id\":");
        string(&mut out.text, message.answers.as_deref().unwrap_or_default());
        out.text.push_str(",\"content\":[");
        let mut inner = Turns::default();
        parts(out, &mut inner, message);
        out.text.push_str("]}");
        return;
    }
    parts(out, turns, message);
    for call in &message.calls {
        turns.next(out);
        out.text.push_str("{\"type\":\"tool_use\",\"id\":");
        string(&mut out.text, &call.id);
        out.text.push_str(",\"name\":");
        tool_name(&mut out.text, &call.name);
        out.text.push_str(",\"input\":");
        object(&mut out.text, &call.arguments);
        out.text.push('}');
    }
}

fn parts(out: &mut Rope, turns: &mut Turns, message: &Message) {
    for part in &message.parts {
        match part {
            Part::Text(text) => turns.text(out, text),
            // The model shows no pictures.
            Part::Image(image) if message.role == Role::Assistant => turns.text(out, &image.placeholder()),
            Part::Image(image) => match &image.source {
                ImageSource::Data(data) => {
                    turns.next(out);
                    out.text.push_str("{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":");
                    string(&mut out.text, image.media());
                    out.text.push_str(",\"data\":");
                    string(&mut out.text, data);
                    out.text.push_str("}}");
                }
                ImageSource::Url(url) if !url.starts_with("data:") => {
                    turns.next(out);
                    out.text.push_str("{\"type\":\"image\",\"source\":{\"type\":\"url\",\"url\":");
                    string(&mut out.text, url);
                    out.text.push_str("}}");
                }
                ImageSource::Url(_) | ImageSource::Gone { .. } => turns.text(out, &image.placeholder()),
            },
        }
    }
}
