//! OpenAI Chat, DeepSeek in the same words, and the list of messages in the same shape. Roles stay where they are; results name their
//! call.

use super::paper::Parts;
use super::write::{string, tool_name};
use super::{Rope, SystemText, Writing, answer_member, json_text, model_member, taste};
use crate::model::{Api, Image, ImageSource, Message, Part, Role, ToolSchema};
use crate::reuse::Anchor;
use rayon::prelude::*;
use std::sync::Arc;

/// Every layer as a message of its own.
pub fn write_list(writing: &Writing<'_>, out: &mut Rope) {
    out.text.push_str("[\n");
    let mut is_first = true;
    for part in &writing.talk.system {
        if part.turns {
            out.end_prefix();
        }
        next(out, &mut is_first);
        system(&mut out.text, &part.text);
    }
    conversation(writing, out, &mut is_first);
    out.text.push_str("\n]\n");
}

/// The layers in one message: servers that speak this API often take only one of the system.
pub fn write(writing: &Writing<'_>, out: &mut Rope) {
    let talk = writing.talk;
    out.text.push('{');
    model_member(&mut out.text, writing.options);
    let most = if writing.api == Some(Api::DeepSeek) { "max_tokens" } else { "max_completion_tokens" };
    answer_member(&mut out.text, writing.options, most, None);
    taste(&mut out.text, writing.options);
    if !talk.tools.is_empty() {
        out.text.push_str("\"tools\":[\n");
        for (nth, tool) in talk.tools.iter().enumerate() {
            out.text.push_str(if nth > 0 { ",\n" } else { "" });
            schema(&mut out.text, tool);
        }
        out.text.push_str("\n],\n");
    }
    out.text.push_str("\"messages\":[\n");
    let mut is_first = true;
    if !talk.system.is_empty() {
        next(out, &mut is_first);
        match writing.rule {
            // A mark stands on a part.
            Some(_) => {
                let ((fixed, size), (turning, _)) = (writing.fixed(), writing.turning(false));
                out.text.push_str("{\"role\":\"system\",\"content\":[");
                marked_text(out, fixed, writing.sizes.tools + size);
                out.text.push_str(if fixed.is_empty() || turning.is_empty() { "" } else { "," });
                marked_text(out, &turning, 0);
                out.text.push_str("]}");
            }
            None => {
                out.text.push_str("{\"role\":\"system\",\"content\":\"");
                merged(&talk.system, out);
                out.text.push_str("\"}");
            }
        }
    }
    conversation(writing, out, &mut is_first);
    out.text.push_str("\n]}\n");
}

fn marked_text(out: &mut Rope, parts: &[SystemText], size: u64) {
    if parts.is_empty() {
        return;
    }
    out.text.push_str("{\"type\":\"text\",\"text\":\"");
    merged(parts, out);
    out.text.push('"');
    out.spot(size, (size > 0).then_some(Anchor::Static));
    out.text.push('}');
}

/// The texts of the system as the inside of one JSON string.
pub fn merged(system: &[SystemText], out: &mut Rope) {
    for (nth, SystemText { text, turns, .. }) in system.iter().enumerate() {
        if *turns {
            out.end_prefix();
        }
        if nth > 0 {
            out.text.push_str("\\n\\n");
        }
        out.text.push_str(&json_text(text));
    }
}

/// How many messages one thread writes before another may: about a hundred kilobytes.
const AT_ONCE: usize = 1024;

fn conversation(writing: &Writing<'_>, out: &mut Rope, is_first: &mut bool) {
    let talk = writing.talk;
    let api = writing.api;
    // Each message is written by itself, so many of them can be written at once.
    let write = |said: &[Arc<Message>]| {
        // With some room for marks and escapes.
        let mut text = String::with_capacity(said.iter().map(|said| 64 + said.bytes() as usize).sum());
        for said in said {
            text.push_str(if text.is_empty() { "" } else { ",\n" });
            message(&mut text, said, api);
        }
        text
    };
    let at_once = if talk.history.len() <= super::OWN_BLOCKS { 1 } else { AT_ONCE };
    let texts: Vec<String> = talk.history.par_chunks(at_once).with_min_len(AT_ONCE / at_once).map(write).collect();
    for (nth, text) in texts.into_iter().enumerate() {
        out.of(talk.item(writing.snapshot, nth * at_once));
        next(out, is_first);
        out.piece(text);
    }
    out.of(None);
    if talk.paper.is_none() {
        out.end_prefix();
    }
    for part in &talk.near {
        next(out, is_first);
        system(&mut out.text, &part.text);
    }
    if talk.paper.is_some() {
        next(out, is_first);
        shown(writing, out);
    } else if let Some(current) = &talk.current {
        next(out, is_first);
        message(&mut out.text, current, api);
    }
}

/// A document and what is asked of it: parts where there is something to mark or to look at, else one text.
fn shown(writing: &Writing<'_>, out: &mut Rope) {
    let (Some(paper), current) = (&writing.talk.paper, &writing.talk.current) else { return };
    let asked = current.as_ref().map(|message| message.text());
    out.text.push_str("{\"role\":\"user\",\"content\":");
    if writing.rule.is_none() && paper.pictures.is_empty() {
        out.text.push('"');
        out.quoted(&paper.fixed);
        out.end_prefix();
        out.quoted(&paper.rest);
        out.text.push_str(&asked.map(|text| json_text(&text)).unwrap_or_default());
        out.text.push_str("\"}");
        return;
    }
    PARTS.shown(writing, out);
    out.text.push('}');
}

const PARTS: Parts = Parts { text: "text", picture };

fn next(out: &mut Rope, is_first: &mut bool) {
    if !*is_first {
        out.text.push_str(",\n");
    }
    *is_first = false;
}

fn system(out: &mut String, text: &str) {
    out.push_str("{\"role\":\"system\",\"content\":");
    string(out, text);
    out.push('}');
}

/// A message as the list of messages has it.
pub fn message_json(said: &Message) -> String {
    let mut out = String::new();
    message(&mut out, said, None);
    out
}

fn message(out: &mut String, message: &Message, api: Option<Api>) {
    out.push_str("{\"role\":\"");
    out.push_str(message.role.as_str());
    out.push_str("\",");
    if message.role == Role::Tool {
        out.push_str("\"tool_call_id\":");
        string(out, message.answers.as_deref().unwrap_or_default());
        out.push(',');
    }
    out.push_str("\"content\":");
    content(out, message, api);
    // What it thought before it called goes back, be it nothing.
    if api == Some(Api::DeepSeek) && !message.calls.is_empty() {
        out.push_str(",\"reasoning_content\":");
        string(out, &message.thoughts.iter().map(|thought| &*thought.text).collect::<Vec<_>>().join("\n"));
    }
    if !message.calls.is_empty() {
        out.push_str(",\"tool_calls\":[");
        for (nth, call) in message.calls.iter().enumerate() {
            out.push_str(if nth > 0 { "," } else { "" });
            out.push_str("{\"id\":");
            string(out, &call.id);
            out.push_str(",\"type\":\"function\",\"function\":{\"name\":");
            tool_name(out, &call.name);
            out.push_str(",\"arguments\":");
            string(out, if call.arguments.trim().is_empty() { "{}" } else { &call.arguments });
            out.push_str("}}");
        }
        out.push(']');
    }
    out.push('}');
}

/// A plain string, or parts where a person shows pictures. Only a person can.
fn content(out: &mut String, message: &Message, api: Option<Api>) {
    let is_shown = |part: &Part| matches!(part, Part::Image(image) if image.is_shown(api));
    match message.parts.as_slice() {
        [] if !message.calls.is_empty() => out.push_str("null"),
        parts if message.role == Role::User && parts.iter().any(is_shown) => {
            out.push('[');
            for (nth, part) in parts.iter().enumerate() {
                out.push_str(if nth > 0 { "," } else { "" });
                match part {
                    Part::Image(image) if is_shown(part) => picture(out, image),
                    Part::Image(image) => PARTS.text(out, &image.placeholder()),
                    Part::Text(text) => PARTS.text(out, text),
                }
            }
            out.push(']');
        }
        _ => string(out, &message.text()),
    }
}

fn picture(out: &mut String, image: &Image) {
    out.push_str("{\"type\":\"image_url\",\"image_url\":{\"url\":");
    string(out, &picture_url(image));
    out.push_str("}}");
}

/// The address of a picture, or the picture itself as one.
pub fn picture_url(image: &Image) -> String {
    match &image.source {
        ImageSource::Url(url) => url.clone(),
        ImageSource::Data(data) => format!("data:{};base64,{}", image.media(), &**data),
        ImageSource::Gone { .. } => String::new(),
    }
}

fn schema(out: &mut String, tool: &ToolSchema) {
    out.push_str("{\"type\":\"function\",\"function\":{\"name\":");
    tool_name(out, &tool.name);
    out.push_str(",\"description\":");
    string(out, &tool.description);
    out.push_str(",\"parameters\":");
    out.push_str(&tool.parameters);
    out.push_str("}}");
}
