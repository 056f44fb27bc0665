//! A counter with a memory: what was counted once is known by its hash.

use super::Counter;
use crate::types::{Block, ContentHash, Output, Piece, Tokens};
use rayon::prelude::*;

/// Remembers counts between runs. A memory may forget; it may never answer wrongly.
pub trait Memo: Sync {
    /// What was put under this key, or nothing.
    fn get(&self, key: &ContentHash) -> Option<u64>;
    /// Keeps a count. What is put twice under one key is the same count.
    fn put(&self, key: ContentHash, count: u64);
}

/// No memory at all.
pub struct Forgetful;

impl Memo for Forgetful {
    fn get(&self, _: &ContentHash) -> Option<u64> {
        None
    }
    fn put(&self, _: ContentHash, _: u64) {}
}

/// A counter and what it remembers, lent to everything that asks for tokens in a run.
#[derive(Clone, Copy)]
pub struct Meter<'a> {
    pub counter: &'a dyn Counter,
    pub memo: &'a dyn Memo,
}

/// Bump when decoding, views or the counting of parts change: remembered counts of other versions are then not found.
const VERSION: &[u8] = b"contexture count 1";

impl<'a> Meter<'a> {
    /// Counts with `counter` what `memo` does not know. [`Forgetful`] knows nothing.
    pub fn new(counter: &'a dyn Counter, memo: &'a dyn Memo) -> Self {
        Self { counter, memo }
    }

    /// Counts a text whose hash is known. The hash may be that of the bytes the text was decoded from.
    pub fn text(&self, hash: &ContentHash, text: &str) -> Tokens {
        Tokens(self.remember(self.key(&[&hash.0]), || self.counter.count(text)))
    }

    /// Counts a short text.
    pub fn words(&self, text: &str) -> Tokens {
        self.text(&ContentHash::of(text), text)
    }

    /// Counts the bytes of a block. `hash` stands for its body, when the body's hash is known.
    pub fn block(&self, pieces: &[Piece], hash: Option<&ContentHash>) -> Tokens {
        let mut parts: Vec<&[u8]> = Vec::with_capacity(pieces.len() + 1);
        for piece in pieces {
            match (piece, hash) {
                (Piece::Body(_), Some(hash)) => parts.push(&hash.0),
                (piece, _) => parts.push(piece.as_str().as_bytes()),
            }
        }
        parts.push(b"block");
        let key = self.key(&parts);
        Tokens(self.remember(key, || {
            let body = |text: &str| match hash {
                Some(hash) => self.text(hash, text).0,
                None => self.counter.count(text),
            };
            self.joined(pieces, body)
        }))
    }

    /// The count of consecutive blocks, equal to counting their bytes: blocks are added where they certainly split.
    pub fn blocks(&self, blocks: &[Block]) -> Tokens {
        let joined =
            |blocks: &[Block]| blocks.iter().flat_map(|block| &block.pieces).map(Piece::as_str).collect::<String>();
        if !self.counter.exact() {
            // Estimates are rounded; a sum of them would drift from the estimate of the whole.
            return Tokens(self.counter.count(&joined(blocks)));
        }
        let groups = blocks.chunk_by(|left, right| !self.apart(left, right));
        let total = groups.map(|group| match group {
            [block] => block.tokens.0,
            group => self.counter.count(&joined(group)),
        });
        Tokens(total.sum())
    }

    /// Fills in the counts of blocks that are frame only.
    pub fn frames(&self, output: &mut Output) {
        output.blocks.par_iter_mut().filter(|block| block.item.is_none()).for_each(|block| {
            block.tokens = self.block(&block.pieces, None);
        });
    }

    fn apart(&self, left: &Block, right: &Block) -> bool {
        match (left.pieces.last(), right.pieces.first()) {
            (Some(left), Some(right)) => self.counter.joins(left.as_str(), right.as_str()),
            _ => false,
        }
    }

    /// Counts a sequence of pieces; pieces that do not certainly split are joined first.
    fn joined(&self, pieces: &[Piece], body: impl Fn(&str) -> u64) -> u64 {
        let groups = pieces.chunk_by(|left, right| !self.counter.joins(left.as_str(), right.as_str()));
        let total = groups.map(|group| match group {
            [Piece::Body(text)] => body(text),
            [Piece::Frame(text)] => self.counter.count(text),
            group => self.counter.count(&group.iter().map(Piece::as_str).collect::<String>()),
        });
        total.sum()
    }

    pub(super) fn key(&self, parts: &[&[u8]]) -> ContentHash {
        let mut all: Vec<&[u8]> = vec![VERSION, self.counter.name().as_bytes()];
        all.extend_from_slice(parts);
        ContentHash::of_parts(all)
    }

    pub(super) fn remember(&self, key: ContentHash, count: impl FnOnce() -> u64) -> u64 {
        if let Some(known) = self.memo.get(&key) {
            return known;
        }
        let counted = count();
        self.memo.put(key, counted);
        counted
    }
}
