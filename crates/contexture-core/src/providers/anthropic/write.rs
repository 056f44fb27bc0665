//! Anthropic Messages, and MiniMax in the same words: the system in a field of its own, a person first and last, turns that alternate, all
//! results of a turn in the next message before anything else in it.

use crate::providers::reuse::Anchor;
use crate::providers::writing::{
    ANSWER, CLOSING, OPENING, Rope, SystemText, ToolList, Writing, answer_member, member, merged, model_member, object,
    taste, tool_name, tools,
};
use crate::types::{Api, Image, ImageSource, Message, MessagePart, Role};

const TOOLS: ToolList =
    ToolList { open: "\"tools\":[\n", close: "\n],\n", name: "{\"name\":", schema: ",\"input_schema\":" };

pub fn write(writing: &Writing<'_>, out: &mut Rope) {
    let talk = writing.talk;
    out.text.push('{');
    model_member(&mut out.text, writing.options);
    answer_member(&mut out.text, writing.options, writing.answer_limit(), Some(ANSWER));
    taste(&mut out.text, writing);
    tools(writing, out, &TOOLS, |out, is_last| match is_last {
        true => out.close(writing.sizes.tools, Some(Anchor::Tools)),
        false => out.close(0, None),
    });
    let (fixed, fixed_size) = writing.fixed();
    let (turning, turning_size) = writing.turning(true);
    if !fixed.is_empty() || !turning.is_empty() {
        out.text.push_str("\"system\":[");
        system(out, fixed, fixed_size, Some(Anchor::Static));
        out.text.push_str(if fixed.is_empty() || turning.is_empty() { "" } else { ",\n" });
        system(out, &turning, turning_size, None);
        out.text.push_str("],\n");
    }
    out.text.push_str("\"messages\":[");
    let mut turns = Turns { api: writing.api(), ..Turns::default() };
    for (nth, message) in talk.history.iter().enumerate().filter(|(_, message)| message.role != Role::System) {
        out.of(talk.item(writing.snapshot, nth));
        turns.open(out, message.role, Some(OPENING));
        blocks(out, &mut turns, message, writing.history_size(nth));
        out.pause();
    }
    out.of(None);
    if !talk.history.is_empty() {
        out.anchor(Anchor::Session);
    }
    if talk.paper.is_none() {
        out.end_prefix();
    }
    for (part, size) in talk.near.iter().zip(writing.sizes.near.iter().chain(std::iter::repeat(&0))) {
        turns.open(out, Role::User, None);
        turns.text(out, &part.text, *size);
    }
    if let Some(paper) = &talk.paper {
        turns.open(out, Role::User, None);
        turns.write_quoted(out, &paper.fixed, paper.fixed_tokens);
        paper.pictures.iter().for_each(|image| turns.picture(out, image, crate::count::IMAGE));
        if !paper.fixed.is_empty() || !paper.pictures.is_empty() {
            out.anchor(Anchor::Static);
        }
        out.end_prefix();
        turns.write_quoted(out, &paper.rest, paper.rest_tokens);
    }
    if let Some(current) = &talk.current {
        turns.open(out, current.role, Some(OPENING));
        blocks(out, &mut turns, current, writing.sizes.current);
    }
    if turns.is_model != Some(false) {
        turns.open(out, Role::User, None);
        turns.text(out, CLOSING, 0);
    }
    out.anchor(Anchor::Tail);
    turns.close(out);
    out.text.push_str("\n]}\n");
}

/// Texts of the system as one block.
fn system(out: &mut Rope, parts: &[SystemText], size: u64, anchor: Option<Anchor>) {
    if parts.is_empty() {
        return;
    }
    out.text.push_str("{\"type\":\"text\",\"text\":\"");
    merged(parts, out);
    out.text.push('"');
    out.close(size, anchor);
}

/// Messages of neighbours with one role are one.
#[derive(Default)]
struct Turns {
    is_model: Option<bool>,
    has_blocks: bool,
    api: Option<Api>,
}

impl Turns {
    fn open(&mut self, out: &mut Rope, role: Role, opening: Option<&str>) {
        let is_model = role == Role::Assistant;
        if self.is_model.is_none()
            && is_model
            && let Some(opening) = opening
        {
            self.open(out, Role::User, None);
            self.text(out, opening, 0);
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

    fn text(&mut self, out: &mut Rope, text: &str, size: u64) {
        self.next(out);
        member(&mut out.text, "{\"type\":\"text\",\"text\":", text);
        out.close(size, None);
    }

    /// A part of a document.
    fn write_quoted(&mut self, out: &mut Rope, blocks: &[crate::types::Block], size: u64) {
        if blocks.is_empty() {
            return;
        }
        self.next(out);
        out.text.push_str("{\"type\":\"text\",\"text\":\"");
        out.write_quoted(blocks);
        out.text.push('"');
        out.close(size, None);
    }

    fn picture(&mut self, out: &mut Rope, image: &Image, size: u64) {
        let source = match &image.source {
            _ if !image.is_shown(self.api) => None,
            ImageSource::Data(data) => Some(("base64", "data", &**data)),
            ImageSource::Url(url) => Some(("url", "url", url.as_str())),
            ImageSource::Gone { .. } => None,
        };
        let Some((kind, key, source)) = source else { return self.text(out, &image.placeholder(), size) };
        self.next(out);
        out.text.push_str(&format!("{{\"type\":\"image\",\"source\":{{\"type\":\"{kind}\","));
        if kind == "base64" {
            member(&mut out.text, "\"media_type\":", image.media());
            out.text.push(',');
        }
        member(&mut out.text, &format!("\"{key}\":"), source);
        out.text.push('}');
        out.close(size, None);
    }
}

/// What a message says and calls; what it takes is counted at its last block.
fn blocks(out: &mut Rope, turns: &mut Turns, message: &Message, size: u64) {
    if message.role == Role::Tool {
        turns.next(out);
        let answers = message.answers.as_deref().unwrap_or_default();
        member(&mut out.text, "{\"type\":\"tool_result\",\"tool_use_id\":", answers);
        out.text.push_str(",\"content\":[");
        let mut inner = Rope::default();
        parts(&mut inner, &mut Turns { api: turns.api, ..Turns::default() }, message, 0);
        out.text.push_str(&inner.text);
        out.text.push(']');
        return out.close(size, None);
    }
    for thought in message.thoughts.iter().filter(|thought| !thought.seal.is_empty()) {
        turns.next(out);
        out.text.push_str(&thought.seal);
        out.blind(0);
    }
    parts(out, turns, message, if message.calls.is_empty() { size } else { 0 });
    for (nth, call) in message.calls.iter().enumerate() {
        turns.next(out);
        member(&mut out.text, "{\"type\":\"tool_use\",\"id\":", &call.id);
        out.text.push_str(",\"name\":");
        tool_name(&mut out.text, &call.name);
        out.text.push_str(",\"input\":");
        object(&mut out.text, &call.arguments);
        out.close(if nth + 1 == message.calls.len() { size } else { 0 }, None);
    }
}

fn parts(out: &mut Rope, turns: &mut Turns, message: &Message, size: u64) {
    for (nth, part) in message.parts.iter().enumerate() {
        let size = if nth + 1 == message.parts.len() { size } else { 0 };
        match part {
            MessagePart::Text(text) => turns.text(out, text, size),
            // The model shows no pictures.
            MessagePart::Image(image) if message.role == Role::Assistant => turns.text(out, &image.placeholder(), size),
            MessagePart::Image(image) => turns.picture(out, image, size),
        }
    }
}
