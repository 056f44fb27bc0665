//! A document as part of a conversation, and how APIs of OpenAI's write the parts of a message.

use super::json::member;
use super::{Rope, Writing};
use crate::count::{FRAME, IMAGE};
use crate::providers::reuse::Anchor;
use crate::types::{Api, Block, Image, MessagePart};

/// What a person shows before asking.
#[derive(Clone, Debug, Default)]
pub struct Paper {
    pub fixed: Vec<Block>,
    pub pictures: Vec<Image>,
    pub rest: Vec<Block>,
    /// Of `fixed` and of `rest`.
    pub fixed_tokens: u64,
    pub rest_tokens: u64,
}

/// How an API of OpenAI's writes the parts of a message.
pub struct Parts {
    pub text: &'static str,
    pub picture: fn(&mut String, &Image),
}

impl Parts {
    pub fn text(&self, out: &mut String, text: &str) {
        member(out, &format!("{{\"type\":\"{}\",\"text\":", self.text), text);
        out.push('}');
    }

    /// Parts of a message, with placeholders for pictures that the API is not shown.
    pub fn write(&self, out: &mut String, parts: &[MessagePart], api: Option<Api>) {
        for (nth, part) in parts.iter().enumerate() {
            out.push_str(if nth > 0 { "," } else { "" });
            match part {
                MessagePart::Text(text) => self.text(out, text),
                MessagePart::Image(image) if image.is_shown(api) => (self.picture)(out, image),
                MessagePart::Image(image) => self.text(out, &image.placeholder()),
            }
        }
    }

    /// A document and what is asked of it, as the list of its parts. A mark stands before the last brace of a part.
    pub fn write_document(&self, writing: &Writing<'_>, out: &mut Rope) {
        let Some(paper) = &writing.talk.paper else { return };
        out.text.push('[');
        let mut is_first = true;
        let mut next = |out: &mut Rope| out.text.push_str(if std::mem::take(&mut is_first) { "" } else { "," });
        if !paper.fixed.is_empty() {
            next(out);
            self.write_quoted(&paper.fixed, out);
            out.close(FRAME + paper.fixed_tokens, None);
        }
        for image in &paper.pictures {
            next(out);
            (self.picture)(&mut out.text, image);
            out.text.pop();
            out.close(IMAGE, None);
        }
        out.anchor(Anchor::Static);
        out.end_prefix();
        if !paper.rest.is_empty() {
            next(out);
            self.write_quoted(&paper.rest, out);
            out.text.push('}');
        }
        if let Some(current) = &writing.talk.current {
            next(out);
            self.text(&mut out.text, &current.text());
        }
        out.text.push(']');
    }

    fn write_quoted(&self, blocks: &[Block], out: &mut Rope) {
        out.text.push_str(&format!("{{\"type\":\"{}\",\"text\":\"", self.text));
        out.write_quoted(blocks);
        out.text.push('"');
    }
}
