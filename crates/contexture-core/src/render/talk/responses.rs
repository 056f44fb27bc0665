//! OpenAI Responses: a list of items. Messages, calls, results and what was thought before them each stand by themselves.

use super::openai::{merged, picture_url};
use super::paper::Parts;
use super::write::{string, tool_name};
use super::{Rope, Writing, answer_member, model_member, taste};
use crate::model::{Api, Image, Message, Part, Role};
use crate::reuse::Anchor;

pub fn write(writing: &Writing<'_>, out: &mut Rope) {
    let talk = writing.talk;
    out.text.push('{');
    model_member(&mut out.text, writing.options);
    answer_member(&mut out.text, writing.options, "max_output_tokens", None);
    taste(&mut out.text, writing.options);
    // What is said is told each time; so must be what was thought.
    out.text.push_str("\"store\":false,\n\"include\":[\"reasoning.encrypted_content\"],\n");
    if !talk.tools.is_empty() {
        out.text.push_str("\"tools\":[\n");
        for (nth, tool) in talk.tools.iter().enumerate() {
            out.text.push_str(if nth > 0 { ",\n" } else { "" });
            out.text.push_str("{\"type\":\"function\",\"name\":");
            tool_name(&mut out.text, &tool.name);
            out.text.push_str(",\"description\":");
            string(&mut out.text, &tool.description);
            out.text.push_str(",\"parameters\":");
            out.text.push_str(&tool.parameters);
            out.text.push_str(",\"strict\":false}");
        }
        out.text.push_str("\n],\n");
    }
    let (fixed, size) = writing.fixed();
    let is_marked = writing.rule.is_some() && !fixed.is_empty();
    if !talk.system.is_empty() && !is_marked {
        out.text.push_str("\"instructions\":\"");
        merged(&talk.system, out);
        out.text.push_str("\",\n");
    }
    out.text.push_str("\"input\":[");
    let mut items = Items { is_first: true };
    if is_marked {
        let turning = writing.turning(false).0;
        items.open(out, "developer");
        out.text.push_str("{\"type\":\"input_text\",\"text\":\"");
        merged(fixed, out);
        out.text.push('"');
        out.spot(writing.sizes.tools + size, Some(Anchor::Static));
        out.text.push('}');
        if !turning.is_empty() {
            out.text.push_str(",{\"type\":\"input_text\",\"text\":\"");
            merged(&turning, out);
            out.text.push_str("\"}");
        }
        out.text.push_str("]}");
    }
    for (nth, message) in talk.history.iter().enumerate() {
        out.of(talk.item(writing.snapshot, nth));
        items.add(out, message);
        out.pause();
    }
    out.of(None);
    if talk.paper.is_none() {
        out.end_prefix();
    }
    for part in &talk.near {
        items.open(out, "developer");
        PARTS.text(&mut out.text, &part.text);
        out.text.push_str("]}");
    }
    if talk.paper.is_some() {
        items.next(out);
        out.text.push_str("{\"type\":\"message\",\"role\":\"user\",\"content\":");
        PARTS.shown(writing, out);
        out.text.push('}');
    } else if let Some(current) = &talk.current {
        items.add(out, current);
    }
    out.text.push_str("\n]}\n");
}

const PARTS: Parts = Parts { text: "input_text", picture };

struct Items {
    is_first: bool,
}

impl Items {
    fn next(&mut self, out: &mut Rope) {
        out.text.push_str(if self.is_first { "\n" } else { ",\n" });
        self.is_first = false;
    }

    fn open(&mut self, out: &mut Rope, role: &str) {
        self.next(out);
        out.text.push_str(&format!("{{\"type\":\"message\",\"role\":\"{role}\",\"content\":["));
    }

    fn add(&mut self, out: &mut Rope, message: &Message) {
        match message.role {
            Role::Tool => {
                self.next(out);
                out.text.push_str("{\"type\":\"function_call_output\",\"call_id\":");
                string(&mut out.text, message.answers.as_deref().unwrap_or_default());
                out.text.push_str(",\"output\":");
                string(&mut out.text, &message.text());
                out.text.push('}');
            }
            Role::User => {
                self.open(out, "user");
                for (nth, part) in message.parts.iter().enumerate() {
                    out.text.push_str(if nth > 0 { "," } else { "" });
                    match part {
                        Part::Text(said) => PARTS.text(&mut out.text, said),
                        Part::Image(image) => picture(&mut out.text, image),
                    }
                }
                out.text.push_str("]}");
            }
            Role::System => {
                self.open(out, "developer");
                PARTS.text(&mut out.text, &message.text());
                out.text.push_str("]}");
            }
            Role::Assistant => self.answer(out, message),
        }
    }

    fn answer(&mut self, out: &mut Rope, message: &Message) {
        for thought in message.thoughts.iter().filter(|thought| !thought.seal.is_empty()) {
            self.next(out);
            out.text.push_str(&thought.seal);
        }
        if !message.parts.is_empty() {
            self.next(out);
            out.text.push_str("{\"type\":\"message\",\"role\":\"assistant\",\"content\":");
            string(&mut out.text, &message.text());
            out.text.push('}');
        }
        for call in &message.calls {
            self.next(out);
            out.text.push_str("{\"type\":\"function_call\",\"call_id\":");
            string(&mut out.text, &call.id);
            out.text.push_str(",\"name\":");
            tool_name(&mut out.text, &call.name);
            out.text.push_str(",\"arguments\":");
            string(&mut out.text, if call.arguments.trim().is_empty() { "{}" } else { &call.arguments });
            out.text.push('}');
        }
    }
}

fn picture(out: &mut String, image: &Image) {
    if !image.is_shown(Some(Api::Responses)) {
        return PARTS.text(out, &image.placeholder());
    }
    out.push_str("{\"type\":\"input_image\",\"detail\":\"auto\",\"image_url\":");
    string(out, &picture_url(image));
    out.push('}');
}
