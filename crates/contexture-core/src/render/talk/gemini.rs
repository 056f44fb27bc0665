//! Gemini: the system in a field of its own, a person first, turns that alternate, a response for each call of the turn before,
//! in its order.

use super::anthropic::{OPENING, with_said};
use super::openai::merged;
use super::write::{object, string, tool_name};
use super::{Rope, Talk};
use crate::model::{Image, ImageSource, Message, Part, Role};
use crate::options::Options;

/// Calls that another model made carry no signature of this one; the API takes this in its place.
const SIGNATURE: &str = ",\"thoughtSignature\":\"skip_thought_signature_validator\"";

pub fn write(talk: &Talk, _: &Options, out: &mut Rope) {
    out.text.push('{');
    if !talk.tools.is_empty() {
        out.text.push_str("\"tools\":[{\"functionDeclarations\":[\n");
        for (nth, tool) in talk.tools.iter().enumerate() {
            out.text.push_str(if nth > 0 { ",\n{\"name\":" } else { "{\"name\":" });
            tool_name(&mut out.text, &tool.name);
            out.text.push_str(",\"description\":");
            string(&mut out.text, &tool.description);
            // `parameters` takes a part of JSON Schema only; this takes all of it.
            out.text.push_str(",\"parametersJsonSchema\":");
            out.text.push_str(&tool.parameters);
            out.text.push('}');
        }
        out.text.push_str("\n]}],\n");
    }
    let system = with_said(talk);
    if !system.is_empty() {
        out.text.push_str("\"systemInstruction\":{\"parts\":[{\"text\":\"");
        merged(&system, out);
        out.text.push_str("\"}]},\n");
    }
    out.text.push_str("\"contents\":[");
    let mut turns = Turns::default();
    for message in talk.history.iter().filter(|message| message.role != Role::System) {
        turns.add(out, message);
        out.pause();
    }
    out.end_prefix();
    for part in &talk.near {
        turns.add(out, &Message::new(Role::User, part.text.clone()));
    }
    if let Some(current) = &talk.current {
        turns.add(out, current);
    }
    turns.close(out);
    out.text.push_str("\n]}\n");
}

#[derive(Default)]
struct Turns {
    kind: Option<Kind>,
    has_parts: bool,
    /// The calls of the turn before: this API answers by name.
    called: Vec<(String, String)>,
}

/// Responses to calls stand alone: what a person says after them is a turn of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    User,
    Model,
    Responses,
}

impl Turns {
    fn add(&mut self, out: &mut Rope, message: &Message) {
        let kind = match message.role {
            Role::Assistant => Kind::Model,
            Role::Tool => Kind::Responses,
            Role::User | Role::System => Kind::User,
        };
        if self.kind.is_none() && kind != Kind::User {
            self.add(out, &Message::new(Role::User, OPENING));
        }
        if self.kind != Some(kind) {
            self.close(out);
            let comma = if self.kind.is_some() { "," } else { "" };
            let role = if kind == Kind::Model { "model" } else { "user" };
            out.text.push_str(&format!("{comma}\n{{\"role\":\"{role}\",\"parts\":["));
            (self.kind, self.has_parts) = (Some(kind), false);
        }
        if kind == Kind::Responses {
            self.next(out);
            out.text.push_str("{\"functionResponse\":{\"name\":");
            let is_answered = |(id, _): &&(String, String)| Some(id) == message.answers.as_ref();
            tool_name(&mut out.text, self.called.iter().find(is_answered).map_or("unnamed", |(_, name)| name));
            out.text.push_str(",\"response\":{\"result\":");
            string(&mut out.text, &message.text());
            out.text.push_str("}}}");
            return;
        }
        for part in &message.parts {
            self.part(out, part, kind);
        }
        if !message.calls.is_empty() {
            self.called = message.calls.iter().map(|call| (call.id.clone(), call.name.clone())).collect();
        }
        for (nth, call) in message.calls.iter().enumerate() {
            self.next(out);
            out.text.push_str("{\"functionCall\":{\"name\":");
            tool_name(&mut out.text, &call.name);
            out.text.push_str(",\"args\":");
            object(&mut out.text, &call.arguments);
            out.text.push('}');
            out.text.push_str(if nth == 0 { SIGNATURE } else { "" });
            out.text.push('}');
        }
    }

    fn part(&mut self, out: &mut Rope, part: &Part, kind: Kind) {
        self.next(out);
        match part {
            Part::Image(Image { source: ImageSource::Data(data), .. }) if kind == Kind::User => {
                let Part::Image(image) = part else { return };
                out.text.push_str("{\"inlineData\":{\"mimeType\":");
                string(&mut out.text, image.media());
                out.text.push_str(",\"data\":");
                string(&mut out.text, data);
                out.text.push_str("}}");
            }
            part => {
                out.text.push_str("{\"text\":");
                match part {
                    Part::Text(text) => string(&mut out.text, text),
                    Part::Image(image) => string(&mut out.text, &image.placeholder()),
                }
                out.text.push('}');
            }
        }
    }

    fn next(&mut self, out: &mut Rope) {
        out.text.push_str(if self.has_parts { "," } else { "" });
        self.has_parts = true;
    }

    fn close(&mut self, out: &mut Rope) {
        if self.kind.is_some() {
            out.text.push_str("]}");
        }
    }
}
