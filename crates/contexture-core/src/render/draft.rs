//! Choices as they would be written: what fitting measures, and what is written in the end.
//!
//! Takes items in their views and layers as they are shown; gives blocks, documents and their tokens. Chooses nothing.

use super::{assemble, block, buffer, header, is_listed, markdown, talk::Talk};
use crate::count::Meter;
use crate::fit::{ShownItem, Writer};
use crate::types::{
    Block, Format, Item, LayerView, Message, Options, Output, Pick, Piece, Snapshot, Tokens, View, Why,
};

/// What is needed to write any part of one output.
#[derive(Clone, Copy)]
pub(crate) struct Draft<'a> {
    pub snapshot: &'a Snapshot,
    pub options: &'a Options,
    pub meter: Meter<'a>,
    /// The items beside the layers of a context.
    pub items: &'a [(usize, Box<ShownItem>)],
}

impl Draft<'_> {
    /// An item in one view, at a place among the items of its kind.
    pub fn item_at(&self, item: &Item, position: usize, view: View, why: Why) -> ShownItem {
        let pieces = block(self.options.format, item, &view, position);
        let hash = if view.verbatim { item.hash.as_ref() } else { None };
        let tokens = self.meter.block(&pieces, hash);
        let listed = is_listed(item, &view);
        let pick = Pick::of(item, view.level, tokens, why);
        ShownItem { listed, ..shown_item(Pick { error: view.error, written: view.written, ..pick }, pieces) }
    }

    /// The document of some items, in the order of the snapshot, and its tokens.
    pub fn document<'a>(&self, shown: impl Iterator<Item = (usize, &'a ShownItem)>) -> (Output, Tokens) {
        let shown: Vec<(usize, &ShownItem)> = shown.collect();
        let about = self.options.frame.header.as_ref().map(|project| header::header(project, &shown, self));
        let item = |(index, shown): (usize, &ShownItem)| Some((self.snapshot.items.get(index)?, shown.block.clone()));
        let shown = shown.into_iter().filter_map(item).collect();
        let mut output = assemble(shown, &self.snapshot.paths, about.as_deref(), self.options);
        self.meter.frames(&mut output);
        let measured = self.meter.blocks(&output.blocks);
        (output, measured)
    }

    /// A part of an agent's context in a document for people.
    pub fn layer(&self, layer: &LayerView) -> ShownItem {
        let pieces = vec![Piece::Frame(markdown::layer(layer))];
        let tokens = self.meter.block(&pieces, None);
        shown_item(self.layer_pick(layer, tokens), pieces)
    }

    pub fn layer_pick(&self, layer: &LayerView, tokens: Tokens) -> Pick {
        Pick::of(&self.snapshot.items[layer.index], layer.level, tokens, layer.why.clone())
    }
}

impl Writer for Draft<'_> {
    fn item(&self, item: &Item, view: View, why: Why) -> ShownItem {
        self.item_at(item, 0, view, why)
    }

    fn measure_items(&self, shown: &[(usize, &ShownItem)]) -> Tokens {
        self.document(shown.iter().copied()).1
    }

    fn measure_layers(&self, layers: &[LayerView]) -> Tokens {
        if buffer::is_buffer(self.options) {
            return buffer::measure(layers, &self.meter);
        }
        if self.options.format != Format::Markdown {
            return Talk::of(layers, self.options).measure(layers, &self.meter);
        }
        let layers: Vec<_> = layers.iter().map(|layer| (layer.index, self.layer(layer))).collect();
        let items = self.items.iter().map(|(index, shown)| (*index, &**shown));
        self.document(items.chain(layers.iter().map(|(index, shown)| (*index, shown)))).1
    }

    fn message(&self, message: &Message) -> String {
        markdown::message_text(message)
    }
}

fn shown_item(pick: Pick, pieces: Vec<Piece>) -> ShownItem {
    let block = Block { item: Some(pick.item.clone()), section: None, pieces, tokens: pick.tokens };
    ShownItem { pick, rank: 0, is_unmatched: false, listed: false, block, notes: Vec::new() }
}
