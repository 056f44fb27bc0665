//! OpenAI Chat, and the list of messages in the same shape. Roles stay where they are; results name their call.

use super::write::{string, tool_name};
use super::{Rope, Talk, json_text, model_member};
use crate::model::{Image, ImageSource, Message, Part, Role, ToolSchema};
use crate::options::Options;
use rayon::prelude::*;
use std::sync::Arc;

/// Every layer as a message of its own.
pub fn write_list(talk: &Talk, out: &mut Rope) {
    out.text.push_str("[\n");
    let mut is_first = true;
    for part in &talk.system {
        if part.turns {
            out.end_prefix();
        }
        next(out, &mut is_first);
        system(&mut out.text, &part.text);
    }
    conversation(talk, out, &mut is_first);
    out.text.push_str("\n]\n");
}

/// The layers in one message: servers that speak this API often take only one of the system.
pub fn write(talk: &Talk, options: &Options, out: &mut Rope) {
    out.text.push('{');
    model_member(&mut out.text, options);
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
        out.text.push_str("{\"role\":\"system\",\"content\":\"");
        merged(&talk.system, out);
        out.text.push_str("\"}");
    }
    conversation(talk, out, &mut is_first);
    out.text.push_str("\n]}\n");
}

/// The texts of the system as the inside of one JSON string.
pub fn merged(system: &[super::SystemText], out: &mut Rope) {
    for (nth, super::SystemText { text, turns, .. }) in system.iter().enumerate() {
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

fn conversation(talk: &Talk, out: &mut Rope, is_first: &mut bool) {
    // Each message is written by itself, so many of them can be written at once.
    let write = |said: &[Arc<Message>]| {
        // With some room for marks and escapes.
        let mut text = String::with_capacity(said.iter().map(|said| 64 + said.bytes() as usize).sum());
        for said in said {
            text.push_str(if text.is_empty() { "" } else { ",\n" });
            message(&mut text, said);
        }
        text
    };
    let texts: Vec<String> = talk.history.par_chunks(AT_ONCE).map(write).collect();
    for text in texts {
        next(out, is_first);
        out.piece(text);
    }
    out.end_prefix();
    for part in &talk.near {
        next(out, is_first);
        system(&mut out.text, &part.text);
    }
    if let Some(current) = &talk.current {
        next(out, is_first);
        message(&mut out.text, current);
    }
}

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
    message(&mut out, said);
    out
}

fn message(out: &mut String, message: &Message) {
    out.push_str("{\"role\":\"");
    out.push_str(message.role.as_str());
    out.push_str("\",");
    if message.role == Role::Tool {
        out.push_str("\"tool_call_id\":");
        string(out, message.answers.as_deref().unwrap_or_default());
        out.push(',');
    }
    out.push_str("\"content\":");
    content(out, message);
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
fn content(out: &mut String, message: &Message) {
    let is_shown =
        |part: &Part| matches!(part, Part::Image(image) if !matches!(image.source, ImageSource::Gone { .. }));
    match message.parts.as_slice() {
        [] if !message.calls.is_empty() => out.push_str("null"),
        parts if message.role == Role::User && parts.iter().any(is_shown) => {
            out.push('[');
            for (nth, part) in parts.iter().enumerate() {
                out.push_str(if nth > 0 { "," } else { "" });
                match part {
                    Part::Image(image) if is_shown(part) => picture(out, image),
                    Part::Image(image) => text_part(out, &image.placeholder()),
                    Part::Text(text) => text_part(out, text),
                }
            }
            out.push(']');
        }
        _ => string(out, &message.text()),
    }
}

fn text_part(out: &mut String, text: &str) {
    out.push_str("{\"type\":\"text\",\"text\":");
    string(out, text);
    out.push('}');
}

fn picture(out: &mut String, image: &Image) {
    out.push_str("{\"type\":\"image_url\",\"image_url\":{\"url\":");
    match &image.source {
        ImageSource::Url(url) => string(out, url),
        ImageSource::Data(data) => string(out, &format!("data:{};base64,{}", image.media(), &**data)),
        ImageSource::Gone { .. } => string(out, ""),
    }
    out.push_str("}}");
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
