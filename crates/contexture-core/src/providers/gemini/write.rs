//! Gemini: the system in a field of its own, a person first, turns that alternate, a response for each call of the turn before,
//! in its order.

use crate::providers::writing::{CLOSING, OPENING, Rope, ToolList, Writing, member, merged, object, tool_name, tools};
use crate::types::{Api, Block, Image, ImageSource, Message, MessagePart, Options, Role, Thought};

/// Calls that another model made carry no signature of this one; the API takes this in its place.
const UNSIGNED: &str = "skip_thought_signature_validator";

const TOOLS: ToolList = ToolList {
    open: "\"tools\":[{\"functionDeclarations\":[\n",
    close: "\n]}],\n",
    name: "{\"name\":",
    // `parameters` takes a part of JSON Schema only; this takes all of it.
    schema: ",\"parametersJsonSchema\":",
};

pub fn write(writing: &Writing<'_>, out: &mut Rope) {
    let talk = writing.talk;
    out.text.push('{');
    settings(&mut out.text, writing.options);
    tools(writing, out, &TOOLS, |out, _| out.text.push('}'));
    let mut system = talk.system.clone();
    system.extend(writing.turning(true).0.into_iter().filter(|part| part.layer == crate::types::Layer::History));
    if !system.is_empty() {
        out.text.push_str("\"systemInstruction\":{\"parts\":[{\"text\":\"");
        merged(&system, out);
        out.text.push_str("\"}]},\n");
    }
    out.text.push_str("\"contents\":[");
    let mut turns = Turns { api: writing.api(), ..Turns::default() };
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
        turns.write_quoted(out, &paper.fixed);
        paper.pictures.iter().for_each(|image| {
            turns.open(out, TurnKind::User);
            turns.part(out, &MessagePart::Image(image.clone()), TurnKind::User, None);
        });
        out.end_prefix();
        turns.write_quoted(out, &paper.rest);
    }
    if let Some(current) = &talk.current {
        turns.add(out, current);
    }
    if matches!(turns.kind, None | Some(TurnKind::Model)) {
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
    api: Option<Api>,
    kind: Option<TurnKind>,
    has_parts: bool,
    /// The calls of the turn before: this API answers by name.
    called: Vec<(String, String)>,
}

/// Responses to calls stand alone: what a person says after them is a turn of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TurnKind {
    User,
    Model,
    Responses,
}

impl Turns {
    fn add(&mut self, out: &mut Rope, message: &Message) {
        let kind = match message.role {
            Role::Assistant => TurnKind::Model,
            Role::Tool => TurnKind::Responses,
            Role::User | Role::System => TurnKind::User,
        };
        if self.kind.is_none() && kind != TurnKind::User {
            self.add(out, &Message::new(Role::User, OPENING));
        }
        self.open(out, kind);
        if kind == TurnKind::Responses {
            self.next(out);
            out.text.push_str("{\"functionResponse\":{\"name\":");
            let is_answered = |(id, _): &&(String, String)| Some(id) == message.answers.as_ref();
            tool_name(&mut out.text, self.called.iter().find(is_answered).map_or("unnamed", |(_, name)| name));
            member(&mut out.text, ",\"response\":{\"result\":", &message.text());
            out.text.push_str("}}}");
            return;
        }
        let api = self.api;
        let seal = |call: Option<usize>| {
            let of = |thought: &&Thought| Some(thought.by) == api && thought.call == call && !thought.seal.is_empty();
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

    fn open(&mut self, out: &mut Rope, kind: TurnKind) {
        if self.kind == Some(kind) {
            return;
        }
        self.close(out);
        let comma = if self.kind.is_some() { "," } else { "" };
        let role = if kind == TurnKind::Model { "model" } else { "user" };
        out.text.push_str(&format!("{comma}\n{{\"role\":\"{role}\",\"parts\":["));
        (self.kind, self.has_parts) = (Some(kind), false);
    }

    /// A part of a document.
    fn write_quoted(&mut self, out: &mut Rope, blocks: &[Block]) {
        if blocks.is_empty() {
            return;
        }
        self.open(out, TurnKind::User);
        self.next(out);
        out.text.push_str("{\"text\":\"");
        out.write_quoted(blocks);
        out.text.push_str("\"}");
    }

    fn part(&mut self, out: &mut Rope, part: &MessagePart, kind: TurnKind, seal: Option<&str>) {
        self.next(out);
        match part {
            MessagePart::Image(image @ Image { source: ImageSource::Data(data), .. })
                if kind == TurnKind::User && image.is_shown(self.api) =>
            {
                member(&mut out.text, "{\"inlineData\":{\"mimeType\":", image.media());
                member(&mut out.text, ",\"data\":", data);
                out.text.push_str("}}");
            }
            part => {
                let text = match part {
                    MessagePart::Text(text) => text.clone(),
                    MessagePart::Image(image) => image.placeholder().into(),
                };
                member(&mut out.text, "{\"text\":", &text);
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
        member(out, ",\"thoughtSignature\":", seal);
    }
}
