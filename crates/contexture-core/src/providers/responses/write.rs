//! OpenAI Responses: a list of items. Messages, calls, results and what was thought before them each stand by themselves.

use crate::providers::openai::{arguments, picture_url};
use crate::providers::reuse::Anchor;
use crate::providers::writing::{
    Parts, Rope, ToolList, Writing, answer_member, member, merged, model_member, taste, tool_name, tools,
};
use crate::types::{Api, Image, Message, Role};

const TOOLS: ToolList = ToolList {
    open: "\"tools\":[\n",
    close: "\n],\n",
    name: "{\"type\":\"function\",\"name\":",
    schema: ",\"parameters\":",
};

pub fn write(writing: &Writing<'_>, out: &mut Rope) {
    let talk = writing.talk;
    out.text.push('{');
    model_member(&mut out.text, writing.options);
    answer_member(&mut out.text, writing.options, writing.answer_limit(), None);
    taste(&mut out.text, writing);
    // What is said is told each time; so must be what was thought.
    out.text.push_str("\"store\":false,\n\"include\":[\"reasoning.encrypted_content\"],\n");
    tools(writing, out, &TOOLS, |out, _| out.text.push_str(",\"strict\":false}"));
    let (fixed, size) = writing.fixed();
    let is_marked = writing.rule.is_some() && !fixed.is_empty();
    if !talk.system.is_empty() && !is_marked {
        out.text.push_str("\"instructions\":\"");
        merged(&talk.system, out);
        out.text.push_str("\",\n");
    }
    out.text.push_str("\"input\":[");
    let mut items = Items { is_first: true, api: writing.api() };
    if is_marked {
        let turning = writing.turning(false).0;
        items.open(out, "developer");
        out.text.push_str("{\"type\":\"input_text\",\"text\":\"");
        merged(fixed, out);
        out.text.push('"');
        out.close(writing.sizes.tools + size, Some(Anchor::Static));
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
        PARTS.write_document(writing, out);
        out.text.push('}');
    } else if let Some(current) = &talk.current {
        items.add(out, current);
    }
    out.text.push_str("\n]}\n");
}

const PARTS: Parts = Parts { text: "input_text", picture };

struct Items {
    is_first: bool,
    api: Option<Api>,
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
                let answers = message.answers.as_deref().unwrap_or_default();
                member(&mut out.text, "{\"type\":\"function_call_output\",\"call_id\":", answers);
                member(&mut out.text, ",\"output\":", &message.text());
                out.text.push('}');
            }
            Role::User => {
                self.open(out, "user");
                PARTS.write(&mut out.text, &message.parts, self.api);
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
            member(&mut out.text, "{\"type\":\"message\",\"role\":\"assistant\",\"content\":", &message.text());
            out.text.push('}');
        }
        for call in &message.calls {
            self.next(out);
            member(&mut out.text, "{\"type\":\"function_call\",\"call_id\":", &call.id);
            out.text.push_str(",\"name\":");
            tool_name(&mut out.text, &call.name);
            member(&mut out.text, ",\"arguments\":", arguments(call));
            out.text.push('}');
        }
    }
}

fn picture(out: &mut String, image: &Image) {
    member(out, "{\"type\":\"input_image\",\"detail\":\"auto\",\"image_url\":", &picture_url(image));
    out.push('}');
}
