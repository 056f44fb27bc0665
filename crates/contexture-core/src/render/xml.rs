//! The document in tags, as models like to read it. It is not XML to a parser: contents stand as they are.
//!
//! A file's closing tag is `</file>`, unless its text contains `</file`: then both tags carry a number made from that
//! text's hash, counted up until the text does not contain it. So no text can close its own frame.

use super::{entry_text, is_listed, printable};
use crate::types::{Body, ContentHash, Item, ItemKind, Piece, View};

pub fn block(item: &Item, view: &View, position: usize) -> Vec<Piece> {
    match item.kind {
        ItemKind::File if is_listed(item, view) => {
            vec![Piece::Frame(format!("<file path=\"{}\"{}/>\n", attribute(&item.path), label(view)))]
        }
        ItemKind::File => framed("file", &format!(" path=\"{}\"{}", attribute(&item.path), label(view)), view),
        ItemKind::Retrieved => {
            let lines = view.label.as_deref().unwrap_or_default();
            framed("passage", &format!(" path=\"{}\" lines=\"{}\"", attribute(&item.path), attribute(lines)), view)
        }
        ItemKind::Screenshot => match (&view.error, &item.body) {
            (Some(error), _) => vec![Piece::Frame(format!("<image error=\"{}\"/>\n", attribute(error)))],
            (None, Body::Image { media_type, data: Some(data), .. }) => {
                let path = attribute(&item.path);
                vec![Piece::Frame(format!("<image path=\"{path}\" src=\"data:{media_type};base64,{}\"/>\n", &**data))]
            }
            (None, _) => vec![Piece::Frame(format!("<image path=\"{}\"/>\n", attribute(&item.path)))],
        },
        ItemKind::Diff | ItemKind::Log | ItemKind::Beads | ItemKind::Layer(_) => framed("text", "", view),
        ItemKind::Discussion => {
            let (role, content) = entry_text(item);
            let role = role.map(|role| format!(" role=\"{}\"", attribute(role))).unwrap_or_default();
            let said = View { text: content.into(), ..view.clone() };
            framed("excerpt", &format!(" n=\"{}\"{role}", position + 1), &said)
        }
    }
}

fn label(view: &View) -> String {
    view.label.as_ref().map(|label| format!(" view=\"{}\"", attribute(label))).unwrap_or_default()
}

fn framed(tag: &str, attributes: &str, view: &View) -> Vec<Piece> {
    let tag = safe_tag(tag, &view.text);
    let unended = !view.text.is_empty() && !view.text.ends_with('\n');
    let error = view.error.as_ref().map(|error| format!(" error=\"{}\"", attribute(error))).unwrap_or_default();
    let eol = if unended && view.verbatim { " no-final-newline=\"true\"" } else { "" };
    let head = format!("<{tag}{attributes}{error}{eol}>\n");
    let tail = format!("{}</{tag}>\n", if unended { "\n" } else { "" });
    vec![Piece::Frame(head), Piece::Body(view.text.clone()), Piece::Frame(tail)]
}

/// Text of a person in a tag that it cannot close.
pub fn said(tag: &str, text: &str) -> String {
    let tag = safe_tag(tag, text);
    format!("<{tag}>\n{text}\n</{tag}>\n")
}

fn safe_tag(tag: &str, text: &str) -> String {
    if !text.contains(&format!("</{tag}")) {
        return tag.to_owned();
    }
    let seed = ContentHash::of(text).0;
    let mut number = u32::from_le_bytes([seed[0], seed[1], seed[2], seed[3]]);
    loop {
        let numbered = format!("{tag}-{number:08x}");
        if !text.contains(&format!("</{numbered}")) {
            return numbered;
        }
        number = number.wrapping_add(1);
    }
}

fn attribute(text: &str) -> String {
    printable(text).replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}
