//! Bytes on their way into an [`Output`], and the places in them where a mark for a provider's cache may stand.
//!
//! Marks are put in when everything is written: only then it is known what ends where.

use super::json::escaped;
use crate::providers::reuse::{Anchor, Rule, Spot, places};
use crate::types::{Block, ItemId, Output, Piece};
use rayon::prelude::*;

/// Texts are gathered up to this before a block is made of them: a long conversation has few blocks, and none is copied while it
/// grows.
const BLOCK: usize = 64 * 1024;

/// Up to so many messages each is a block of its own, so that each byte can be told where it comes from. Above it that costs more than it
/// tells.
pub const OWN_BLOCKS: usize = 10_000;

/// A block of a document as it stands within a JSON string.
pub fn quoted(block: &Block) -> Block {
    let length = block.pieces.iter().map(|piece| piece.as_str().len() + 32).sum::<usize>();
    let mut text = String::with_capacity(length + length / 8);
    block.pieces.iter().for_each(|piece| escaped(&mut text, piece.as_str()));
    Block { pieces: vec![Piece::Frame(text)], item: block.item.clone(), ..*block }
}

#[derive(Default)]
pub struct Rope {
    blocks: Vec<Block>,
    pub text: String,
    item: Option<ItemId>,
    prefix: Option<usize>,
    /// Each with its block and the place in it.
    spots: Vec<(Spot, usize, usize)>,
    tokens: u64,
}

impl Rope {
    /// From here on, bytes are of this item.
    pub fn of(&mut self, item: Option<&ItemId>) {
        if self.item.as_ref() != item {
            self.cut();
            self.item = item.cloned();
        }
    }

    /// A good place for the end of a block.
    pub fn pause(&mut self) {
        if self.text.len() >= BLOCK {
            self.cut();
        }
    }

    /// A text that is a block of its own if it is long.
    pub fn piece(&mut self, text: String) {
        if text.len() < BLOCK {
            self.text.push_str(&text);
            return self.pause();
        }
        self.cut();
        self.push(text);
    }

    /// Parts of a document within a JSON string, each as a block of its item.
    pub fn write_quoted(&mut self, blocks: &[Block]) {
        self.cut();
        self.blocks.par_extend(blocks.par_iter().map(quoted));
    }

    /// A block of the request ends with the next brace, after so many more tokens.
    pub fn spot(&mut self, tokens: u64, anchor: Option<Anchor>) {
        self.tokens += tokens;
        let spot = Spot { tokens: Some(self.tokens), anchor };
        self.spots.push((spot, self.blocks.len(), self.text.len()));
    }

    /// The same, with that brace.
    pub fn close(&mut self, tokens: u64, anchor: Option<Anchor>) {
        self.spot(tokens, anchor);
        self.text.push('}');
    }

    /// A block that can have no mark.
    pub fn blind(&mut self, tokens: u64) {
        self.tokens += tokens;
        self.spots.push((Spot { tokens: None, anchor: None }, 0, 0));
    }

    /// What was written last ends something.
    pub fn anchor(&mut self, anchor: Anchor) {
        if let Some((spot, ..)) = self.spots.last_mut() {
            spot.anchor = Some(anchor);
        }
    }

    /// From here on, bytes may be others for the next message.
    pub fn end_prefix(&mut self) {
        if self.prefix.is_none() {
            self.cut();
            self.prefix = Some(self.blocks.len());
        }
    }

    /// All of it, with the mark where the rule wants it.
    pub fn finish(mut self, rule: Option<&Rule>, mark: &str) -> Output {
        self.end_prefix();
        self.cut();
        if let Some(rule) = rule {
            let spots: Vec<Spot> = self.spots.iter().map(|(spot, ..)| *spot).collect();
            // From the last, so that places before it stay where they are.
            for place in places(&spots, rule).into_iter().rev() {
                let (_, block, at) = self.spots[place];
                if let Some(Piece::Frame(text)) = self.blocks.get_mut(block).and_then(|block| block.pieces.first_mut())
                {
                    text.insert_str(at, mark);
                }
            }
        }
        Output { prefix_blocks: self.prefix.unwrap_or(self.blocks.len()), blocks: self.blocks }
    }

    fn cut(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.push(text);
        }
    }

    fn push(&mut self, text: String) {
        self.blocks.push(Block { item: self.item.clone(), ..Block::frame(text) });
    }
}
