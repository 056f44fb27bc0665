//! The Markdown document. Text we do not control stands in fences it cannot close, or in lines it cannot begin.

use super::{entry_text, is_listed, printable};
use crate::types::{Body, Call, Item, ItemKind, Layer, LayerContent, LayerView, Message, Piece, View};

pub fn heading(title: &str) -> String {
    format!("## {title}\n\n")
}

pub fn block(item: &Item, view: &View, position: usize) -> Vec<Piece> {
    match item.kind {
        ItemKind::File | ItemKind::Retrieved => file(item, view),
        ItemKind::Screenshot => vec![Piece::Frame(screenshot(item, view))],
        ItemKind::Diff | ItemKind::Log => fenced(String::new(), view),
        ItemKind::Beads => vec![Piece::Frame(format!("{}\n\n", view.text.trim_end()))],
        ItemKind::Discussion => vec![Piece::Frame(excerpt(item, position))],
        ItemKind::Layer(_) => vec![Piece::Frame(framed(&view.text))],
    }
}

/// An item of an agent's context: its text, or its messages with their roles as headings.
pub fn layer(shown: &LayerView) -> String {
    match &shown.content {
        // Lines of a list of our own follow each other.
        LayerContent::Text(text) if matches!(shown.layer, Layer::Memory | Layer::Skill) => text.to_string(),
        LayerContent::Text(text) => framed(text.trim_end()),
        LayerContent::Schemas(schemas) => schemas
            .iter()
            .map(|tool| framed(&format!("{}: {}\n{}", tool.name, tool.description, &*tool.parameters)))
            .collect(),
        LayerContent::Messages(messages) => messages.iter().map(|message| message_text(message)).collect(),
    }
}

/// A message for people to read.
pub fn message_text(message: &Message) -> String {
    let about = match (&message.answers, &message.name) {
        (Some(id), Some(name)) => format!(" `{}` `{}`", printable(name), printable(id)),
        (Some(id), None) => format!(" `{}`", printable(id)),
        _ => String::new(),
    };
    let call =
        |call: &Call| framed(&format!("call {} {}\n{}", printable(&call.name), printable(&call.id), &*call.arguments));
    let calls: String = message.calls.iter().map(call).collect();
    format!("### {}{about}\n\n{}{calls}", message.role, framed(message.text().trim_end()))
}

/// A text as it is, or in a fence where a line of it could open a block.
pub fn framed(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else if is_plain(text) {
        format!("{text}\n\n")
    } else {
        let fence = "`".repeat(fence_length(text));
        format!("{fence}text\n{text}\n{fence}\n\n")
    }
}

fn file(item: &Item, view: &View) -> Vec<Piece> {
    if is_listed(item, view) {
        // Complete without its neighbors, so that a file's block depends on that file alone.
        let label = view.label.as_deref().unwrap_or_default();
        return vec![Piece::Frame(format!("- `{}` ({label})\n\n", printable(&item.path)))];
    }
    let mut head = format!("### `{}`", printable(&item.path));
    if let Some(label) = &view.label {
        let what = match item.kind {
            ItemKind::Retrieved if label.parse::<u64>().is_ok() => "line ",
            ItemKind::Retrieved => "lines ",
            _ => "",
        };
        head.push_str(&format!(" ({what}{label})"));
    }
    head.push_str("\n\n");
    if let Some(error) = &view.error {
        head.push_str(error);
        head.push_str("\n\n");
    }
    if view.fenced {
        return fenced(head, view);
    }
    if !view.text.is_empty() {
        head.push_str(&view.text);
        head.push_str("\n\n");
    }
    vec![Piece::Frame(head)]
}

/// A fence one longer than the longest run of backticks inside. A text without a final newline gets one; where it is the
/// file's own text, the word `no-final-newline` behind the language says so: every byte can be recovered.
fn fenced(mut head: String, view: &View) -> Vec<Piece> {
    let fence = "`".repeat(fence_length(&view.text));
    let unended = !view.text.is_empty() && !view.text.ends_with('\n');
    head.push_str(&fence);
    head.push_str(view.language.unwrap_or("text"));
    head.push_str(if unended && view.verbatim { " no-final-newline\n" } else { "\n" });
    let tail = format!("{}{fence}\n\n", if unended { "\n" } else { "" });
    vec![Piece::Frame(head), Piece::Body(view.text.clone()), Piece::Frame(tail)]
}

/// How long a fence around a text must be so that nothing in the text can end it.
pub fn fence_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut longest, mut at) = (0, 0);
    while let Some(offset) = memchr::memchr(b'`', &bytes[at..]) {
        let start = at + offset;
        let run = bytes[start..].iter().take_while(|&&byte| byte == b'`').count();
        longest = longest.max(run);
        at = start + run;
    }
    (longest + 1).max(3)
}

/// A screenshot by its path, whatever is known of it.
pub fn picture(item: &Item, view: &View) -> Vec<Piece> {
    vec![Piece::Frame(picture_link(item, view, None))]
}

fn screenshot(item: &Item, view: &View) -> String {
    let data = match &item.body {
        Body::Image { media_type, data: Some(data), .. } => Some(format!("data:{media_type};base64,{}", &**data)),
        _ => None,
    };
    picture_link(item, view, data)
}

fn picture_link(item: &Item, view: &View, data: Option<String>) -> String {
    if let Some(error) = &view.error {
        return format!("{error}\n\n");
    }
    let name = item.path.rsplit('/').next().unwrap_or(&item.path);
    let mut alt = String::with_capacity(name.len());
    for c in printable(name).chars() {
        if c.is_ascii_punctuation() && !matches!(c, '.' | '-' | '_' | ' ') {
            alt.push('\\');
        }
        alt.push(c);
    }
    format!("![{alt}]({})\n\n", data.unwrap_or_else(|| link(&item.path)))
}

/// A link destination: what could end it, or the line, is percent-encoded.
fn link(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        if c.is_control() || c.is_whitespace() || matches!(c, '(' | ')' | '<' | '>' | '\\' | '%' | '`' | '[' | ']') {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                out.push_str(&format!("%{byte:02X}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

fn excerpt(item: &Item, position: usize) -> String {
    let (role, content) = entry_text(item);
    let rule = if position > 0 { "---\n\n" } else { "" };
    let head = format!("{rule}### Discussion Excerpt {}\n\n", position + 1);
    let text = match role {
        Some(role) => format!("{}: {content}", printable(role)),
        None => content.to_owned(),
    };
    format!("{head}{}", framed(&text))
}

/// Whether no line of a text can open a Markdown block: headings, fences, rules, lists, quotes, HTML, references.
fn is_plain(text: &str) -> bool {
    crate::types::lines(text).all(|line| {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        match line.trim().chars().next() {
            None => true,
            Some(c) => indent < 4 && (c.is_alphabetic() || matches!(c, '"' | '\'' | '(' | '“' | '‘' | '…')),
        }
    }) && !text.contains(['\r', '\u{2028}', '\u{2029}'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_any_run_inside() {
        assert_eq!(fence_length("plain"), 3);
        assert_eq!(fence_length("a ` b `` c"), 3);
        assert_eq!(fence_length("```"), 4);
        assert_eq!(fence_length(&"`".repeat(40)), 41);
    }

    #[test]
    fn a_line_that_could_open_a_block_is_not_plain() {
        assert!(is_plain("User: hello\nand more (see below)"));
        for text in [
            "# heading",
            "a\n---",
            "- item",
            "1. item",
            "> quote",
            "<!--",
            "    code",
            "```",
            "~~~",
            "a\n===",
            "[a]: b",
        ] {
            assert!(!is_plain(text), "{text}");
        }
    }
}
