//! Gemini: the system in a field of its own, a person first, turns that alternate, a response for each call of the turn before,
//! in its order.

use super::anthropic::{CLOSING, OPENING};
use super::openai::merged;
use super::write::{object, string, tool_name};
use super::{Rope, Writing};
use crate::model::{Api, Block, Image, ImageSource, Message, Part, Role, Thought};
use crate::options::Options;

/// Calls that another model made carry no signature of this one; the API takes this in its place.
const UNSIGNED: &str = "skip_thought_signature_validator";

pub fn write(writing: &Writing<'_>, out: &mut Rope) {
    let talk = writing.talk;
    out.text.push('{');
    settings(&mut out.text, writing.options);
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
    let mut system = talk.system.clone();
    system.extend(writing.turning(true).0.into_iter().filter(|part| part.layer == crate::model::Layer::History));
    if !system.is_empty() {
        out.text.push_str("\"systemInstruction\":{\"parts\":[{\"text\":\"");
        merged(&system, out);
        out.text.push_str("\"}]},\n");
    }
    out.text.push_str("\"contents\":[");
    let mut turns = Turns::default();
    for (nth, message) in talk.history.iter().enumerate().filter(|(_, message)| message.role != Role::System) {
        out.of(talk.item(writing.snapshot, nth));
        turns.add(out, message);
        out.pause();
    }
    out.of(None);
    if talk.paper.is_none() {
        out.end_prefix();
    }
    for part in &talk.near {
        turns.add(out, &Message::new(Role::User, part.text.clone()));
    }
    if let Some(paper) = &talk.paper {
        turns.quoted(out, &paper.fixed);
        paper.pictures.iter().for_each(|image| {
            turns.open(out, Kind::User);
            turns.part(out, &Part::Image(image.clone()), Kind::User, None);
        });
        out.end_prefix();
        turns.quoted(out, &paper.rest);
    }
    if let Some(current) = &talk.current {
        turns.add(out, current);
    }
    if matches!(turns.kind, None | Some(Kind::Model)) {
        turns.add(out, &Message::new(Role::User, CLOSING));
    }
    turns.close(out);
    out.text.push_str("\n]}\n");
}

fn settings(out: &mut String, options: &Options) {
    let wanted = &options.request;
    let number = |name: &str, value: Option<f64>| {
        value.filter(|value| value.is_finite()).map(|value| format!("\"{name}\":{value}"))
    };
    let most = wanted.max_answer.map(|most| format!("\"maxOutputTokens\":{most}"));
    let all = [most, number("temperature", wanted.temperature), number("topP", wanted.top_p)];
    let all: Vec<String> = all.into_iter().flatten().collect();
    if !all.is_empty() {
        out.push_str(&format!("\"generationConfig\":{{{}}},\n", all.join(",")));
    }
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
        self.open(out, kind);
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
        let seal = |call: Option<usize>| {
            let of = |thought: &&Thought| thought.by == Api::Gemini && thought.call == call && !thought.seal.is_empty();
            message.thoughts.iter().find(of).map(|thought| &*thought.seal)
        };
        for (nth, part) in message.parts.iter().enumerate() {
            self.part(out, part, kind, if nth == 0 { seal(None) } else { None });
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
            sign(&mut out.text, seal(Some(nth)).or((nth == 0).then_some(UNSIGNED)));
            out.text.push('}');
        }
    }

    fn open(&mut self, out: &mut Rope, kind: Kind) {
        if self.kind == Some(kind) {
            return;
        }
        self.close(out);
        let comma = if self.kind.is_some() { "," } else { "" };
        let role = if kind == Kind::Model { "model" } else { "user" };
        out.text.push_str(&format!("{comma}\n{{\"role\":\"{role}\",\"parts\":["));
        (self.kind, self.has_parts) = (Some(kind), false);
    }

    /// A part of a document.
    fn quoted(&mut self, out: &mut Rope, blocks: &[Block]) {
        if blocks.is_empty() {
            return;
        }
        self.open(out, Kind::User);
        self.next(out);
        out.text.push_str("{\"text\":\"");
        out.quoted(blocks);
        out.text.push_str("\"}");
    }

    fn part(&mut self, out: &mut Rope, part: &Part, kind: Kind, seal: Option<&str>) {
        self.next(out);
        match part {
            Part::Image(image @ Image { source: ImageSource::Data(data), .. })
                if kind == Kind::User && image.is_shown(Some(Api::Gemini)) =>
            {
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
                sign(&mut out.text, seal);
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

fn sign(out: &mut String, seal: Option<&str>) {
    if let Some(seal) = seal {
        out.push_str(",\"thoughtSignature\":");
        string(out, seal);
    }
}
