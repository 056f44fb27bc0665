//! Writes a path as one continuous text: nodes with nothing between them and nothing trimmed (L8).
//!
//! Takes what is shown, in order; gives the text itself, or a request for its continuation. May write, may not drop.

use super::talk::{json_text, model_member};
use crate::count::Meter;
use crate::fitting::layers::{Shown, What};
use crate::model::{Block, ItemId, Layer, Output, Piece, Snapshot, Text, Tokens};
use crate::options::{Format, Options};

/// The bytes of a buffer. What was committed is the static part; the working buffer is not.
pub(crate) fn output(snapshot: &Snapshot, shown: &[Shown], options: &Options) -> Output {
    let mut output = Output::default();
    let is_request = options.format != Format::Text;
    if is_request {
        let mut open = String::from("{");
        model_member(&mut open, options);
        open.push_str(&format!("\"max_tokens\":{},\n\"prompt\":\"", options.agent.max_answer));
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
pub(crate) fn measure(shown: &[Shown], meter: &Meter<'_>) -> Tokens {
    let text: String = pieces(shown).map(|(_, _, text)| text.to_string()).collect();
    Tokens(meter.short(&text))
}

/// The tokens of what was committed.
pub(crate) fn prefix(shown: &[Shown], meter: &Meter<'_>) -> Tokens {
    let committed = shown.iter().take_while(|shown| shown.layer != Layer::Current).cloned().collect::<Vec<_>>();
    measure(&committed, meter)
}

/// The texts in order, each with the item it is of. The system context stands apart by a blank line.
fn pieces(shown: &[Shown]) -> impl Iterator<Item = (Option<usize>, Layer, Text)> {
    let system = shown.iter().filter(|shown| shown.layer == Layer::System).count();
    shown.iter().enumerate().flat_map(move |(nth, shown)| {
        let mut out: Vec<(Option<usize>, Layer, Text)> = Vec::with_capacity(2);
        match &shown.what {
            What::Text(text) => {
                out.push((Some(shown.index), shown.layer, text.trim().into()));
                out.extend((nth < system).then(|| (None, shown.layer, "\n\n".into())));
            }
            What::Said(messages) => {
                out.extend(messages.iter().map(|message| (Some(shown.index), shown.layer, message.text())));
            }
            What::Schemas(_) => {}
        }
        out
    })
}

fn block(item: Option<ItemId>, text: &Text, is_request: bool) -> Block {
    let piece = if is_request { Piece::Frame(json_text(text)) } else { Piece::Body(text.clone()) };
    Block { item, pieces: vec![piece], tokens: Tokens(0) }
}
