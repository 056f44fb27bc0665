//! Writes a path as one continuous text: nodes with nothing between them and nothing trimmed.
//!
//! Takes what is shown, in order; gives the text itself, or a request for its continuation. May write, may not drop.

use super::talk::{ANSWER, answer_member, json_text, model_member};
use crate::count::Meter;
use crate::types::{
    Block, Format, ItemId, Layer, LayerContent, LayerView, Options, Output, Piece, Snapshot, Text, Tokens, TreeMode,
};

/// Whether a path becomes one continuous text.
pub(crate) fn is_buffer(options: &Options) -> bool {
    options.loom.is_some_and(|how| how.mode == TreeMode::Buffer) && options.format != Format::Markdown
}

/// The bytes of a buffer. What was committed is the static part; the working buffer is not.
pub(crate) fn output(snapshot: &Snapshot, shown: &[LayerView], options: &Options) -> Output {
    let mut output = Output::default();
    let is_request = options.format != Format::Text;
    if is_request {
        let mut open = String::from("{");
        model_member(&mut open, options);
        answer_member(&mut open, options, "max_tokens", Some(ANSWER));
        open.push_str("\"prompt\":\"");
        output.blocks.push(Block::frame(open));
    }
    let mut committed = None;
    for (at, layer, text) in pieces(shown) {
        if layer == Layer::Current && committed.is_none() {
            committed = Some(output.blocks.len());
        }
        let item = at.map(|at| snapshot.items[at].id.clone());
        output.blocks.push(block(item, &text, is_request));
    }
    output.prefix_blocks = committed.unwrap_or(output.blocks.len());
    if is_request {
        output.blocks.push(Block::frame("\"}\n"));
    }
    output
}

/// The tokens of the text, whatever it is wrapped in.
pub(crate) fn measure(shown: &[LayerView], meter: &Meter<'_>) -> Tokens {
    let mut all = String::new();
    pieces(shown).for_each(|(_, _, text)| all.push_str(&text));
    Tokens(meter.short(&all))
}

/// The tokens of what was committed, of `all` tokens.
pub(crate) fn prefix(shown: &[LayerView], all: Tokens, meter: &Meter<'_>) -> Tokens {
    match shown.iter().position(|shown| shown.layer == Layer::Current) {
        Some(end) => measure(&shown[..end], meter),
        None => all,
    }
}

/// The texts in order, each with the item it is of. The system context stands apart by a blank line.
fn pieces(shown: &[LayerView]) -> impl Iterator<Item = (Option<usize>, Layer, Text)> {
    shown.iter().flat_map(|shown| {
        let of = |text: Text| (Some(shown.index), shown.layer, text);
        let (text, said) = match &shown.content {
            LayerContent::Text(text) => (Some(text), &[][..]),
            LayerContent::Messages(messages) => (None, messages.as_slice()),
            LayerContent::Schemas(_) => (None, &[][..]),
        };
        let apart = text.map(|_| (None, shown.layer, Text::from("\n\n")));
        let text = text.map(|text| of(text.clone()));
        text.into_iter().chain(apart).chain(said.iter().map(move |message| of(message.text())))
    })
}

fn block(item: Option<ItemId>, text: &Text, is_request: bool) -> Block {
    let piece = if is_request { Piece::Frame(json_text(text)) } else { Piece::Body(text.clone()) };
    Block { item, section: None, pieces: vec![piece], tokens: Tokens(0) }
}
