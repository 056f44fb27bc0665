//! OpenAI Chat, DeepSeek in the same words, and the list of messages in the same shape. Roles stay where they are; results name their
//! call.

use crate::providers::reuse::Anchor;
use crate::providers::writing::{
    OWN_BLOCKS, Parts, Rope, SystemText, ToolList, Writing, answer_member, json_text, member, merged, model_member,
    string, taste, tool_name, tools,
};
use crate::types::{Api, Call, Image, ImageSource, Message, MessagePart, Role};
use rayon::prelude::*;
use std::sync::Arc;

const TOOLS: ToolList = ToolList {
    open: "\"tools\":[\n",
    close: "\n],\n",
    name: "{\"type\":\"function\",\"function\":{\"name\":",
    schema: ",\"parameters\":",
};

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
    answer_member(&mut out.text, writing.options, writing.answer_limit(), None);
    taste(&mut out.text, writing);
    tools(writing, out, &TOOLS, |out, _| out.text.push_str("}}"));
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
    out.close(size, (size > 0).then_some(Anchor::Static));
}

/// How many messages one thread writes before another may: about a hundred kilobytes.
const AT_ONCE: usize = 1024;

fn conversation(writing: &Writing<'_>, out: &mut Rope, is_first: &mut bool) {
    let talk = writing.talk;
    let api = writing.api();
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
    let at_once = if talk.history.len() <= OWN_BLOCKS { 1 } else { AT_ONCE };
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
        write_document(writing, out);
    } else if let Some(current) = &talk.current {
        next(out, is_first);
        message(&mut out.text, current, api);
    }
}

/// A document and what is asked of it: parts where there is something to mark or to look at, else one text.
fn write_document(writing: &Writing<'_>, out: &mut Rope) {
    let (Some(paper), current) = (&writing.talk.paper, &writing.talk.current) else { return };
    let asked = current.as_ref().map(|message| message.text());
    out.text.push_str("{\"role\":\"user\",\"content\":");
    if writing.rule.is_none() && paper.pictures.is_empty() {
        out.text.push('"');
        out.write_quoted(&paper.fixed);
        out.end_prefix();
        out.write_quoted(&paper.rest);
        out.text.push_str(&asked.map(|text| json_text(&text)).unwrap_or_default());
        out.text.push_str("\"}");
        return;
    }
    PARTS.write_document(writing, out);
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
    member(out, "{\"role\":\"system\",\"content\":", text);
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
        member(out, "\"tool_call_id\":", message.answers.as_deref().unwrap_or_default());
        out.push(',');
    }
    out.push_str("\"content\":");
    content(out, message, api);
    // What it thought before it called goes back, be it nothing.
    if api.is_some_and(|api| api.provider().returns_reasoning) && !message.calls.is_empty() {
        let thoughts: Vec<&str> = message.thoughts.iter().map(|thought| &*thought.text).collect();
        member(out, ",\"reasoning_content\":", &thoughts.join("\n"));
    }
    if !message.calls.is_empty() {
        out.push_str(",\"tool_calls\":[");
        for (nth, call) in message.calls.iter().enumerate() {
            out.push_str(if nth > 0 { "," } else { "" });
            member(out, "{\"id\":", &call.id);
            out.push_str(",\"type\":\"function\",\"function\":{\"name\":");
            tool_name(out, &call.name);
            member(out, ",\"arguments\":", arguments(call));
            out.push_str("}}");
        }
        out.push(']');
    }
    out.push('}');
}

/// A plain string, or parts where a person shows pictures. Only a person can.
fn content(out: &mut String, message: &Message, api: Option<Api>) {
    let is_shown = |part: &MessagePart| matches!(part, MessagePart::Image(image) if image.is_shown(api));
    match message.parts.as_slice() {
        [] if !message.calls.is_empty() => out.push_str("null"),
        parts if message.role == Role::User && parts.iter().any(is_shown) => {
            out.push('[');
            PARTS.write(out, parts, api);
            out.push(']');
        }
        _ => string(out, &message.text()),
    }
}

fn picture(out: &mut String, image: &Image) {
    member(out, "{\"type\":\"image_url\",\"image_url\":{\"url\":", &picture_url(image));
    out.push_str("}}");
}

/// The arguments of a call as text, which some models leave empty.
pub fn arguments(call: &Call) -> &str {
    if call.arguments.trim().is_empty() { "{}" } else { &call.arguments }
}

/// The address of a picture, or the picture itself as one.
pub fn picture_url(image: &Image) -> String {
    match &image.source {
        ImageSource::Url(url) => url.clone(),
        ImageSource::Data(data) => format!("data:{};base64,{}", image.media(), &**data),
        ImageSource::Gone { .. } => String::new(),
    }
}
