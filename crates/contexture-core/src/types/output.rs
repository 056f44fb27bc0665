//! The finished bytes as a rope: file texts are shared with the snapshot, so a large document is never held twice.

use super::{ItemId, Text, Tokens};
use std::io::{self, IoSlice, Write};
use std::ops::Range;

/// A part of a block: what we wrote, or a text that is shared with the snapshot.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Headings, fences, whatever stands around texts.
    Frame(String),
    /// The text of an item.
    Body(Text),
}

impl Piece {
    /// Its text, whoever wrote it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Frame(text) => text,
            Self::Body(text) => text,
        }
    }
}

/// A run of bytes that depends on one item alone (or on none: a section heading).
#[derive(Clone, Debug)]
pub struct Block {
    pub item: Option<ItemId>,
    /// The title of the section it stands in; its heading and its end stand in it, too. Blocks of a section follow each other.
    pub section: Option<&'static str>,
    pub pieces: Vec<Piece>,
    pub tokens: Tokens,
}

impl Block {
    pub(crate) fn frame(text: impl Into<String>) -> Self {
        Self { item: None, section: None, pieces: vec![Piece::Frame(text.into())], tokens: Tokens(0) }
    }

    /// How many bytes its pieces have together.
    pub fn bytes(&self) -> usize {
        self.pieces.iter().map(|piece| piece.as_str().len()).sum()
    }
}

/// A part of the document that has a name: a section, or one item in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The title of the section, or the path of the item.
    pub title: String,
    /// Bytes of the document, heading and end included.
    pub bytes: Range<usize>,
    /// The place of the item among the picks of the plan; `None` for a section.
    pub pick: Option<usize>,
}

/// The document: blocks in order, the first `prefix_blocks` of them static.
#[derive(Clone, Debug, Default)]
pub struct Output {
    pub blocks: Vec<Block>,
    /// How many blocks at the beginning no later turn changes.
    pub prefix_blocks: usize,
}

impl Output {
    /// Writes all pieces, many at a time: files are not copied into a buffer first.
    pub fn write_to(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        let slices: Vec<IoSlice<'_>> = self.pieces().map(|piece| IoSlice::new(piece.as_bytes())).collect();
        // As many as the usual limit of the system takes in one call.
        for batch in slices.chunks(1024) {
            let mut left = batch.to_vec();
            let mut left = left.as_mut_slice();
            IoSlice::advance_slices(&mut left, 0);
            while !left.is_empty() {
                match out.write_vectored(left) {
                    Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                    Ok(written) => IoSlice::advance_slices(&mut left, written),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// The texts in order; joined, they are the whole output.
    pub fn pieces(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().flat_map(|block| block.pieces.iter().map(Piece::as_str))
    }

    /// How many bytes the output has.
    pub fn bytes(&self) -> usize {
        self.pieces().map(str::len).sum()
    }

    /// The whole output as one string. [`Output::write_to`] does without the copy.
    pub fn text(&self) -> String {
        join(&self.blocks)
    }

    /// Tree, Files and Screenshots: the part that stays the same over the turns of a conversation.
    pub fn static_prefix(&self) -> String {
        join(&self.blocks[..self.prefix_blocks])
    }

    /// Everything after the static prefix.
    pub fn dynamic_suffix(&self) -> String {
        join(&self.blocks[self.prefix_blocks..])
    }

    /// How many bytes the static prefix has: what a later turn does not change.
    pub fn prefix_bytes(&self) -> usize {
        self.blocks[..self.prefix_blocks].iter().map(Block::bytes).sum()
    }
}

fn join(blocks: &[Block]) -> String {
    let mut text = String::with_capacity(blocks.iter().map(Block::bytes).sum());
    for piece in blocks.iter().flat_map(|block| &block.pieces) {
        text.push_str(piece.as_str());
    }
    text
}
