//! The static part of a bench's document, block by block, and how much of the last run's it still is (F12, R4).
//!
//! Takes blocks as they were rendered; keeps of each its length, its hash and its tokens, as manifests do. To compare is one pass over
//! hashes. Where the bytes of the run can still be had, the first byte that differs is found within its block.

use super::super::open::{Door, Opened};
use super::super::runs::{Cause, Print, kept_bytes, newest};
use contexture_core::render::{self, talk::quoted};
use contexture_core::{Block, Compiled, ContentHash, Counter, Format, Item, ItemKind, Meter, Pick, Tokens};
use contexture_gather::runs::{ItemRecord, Manifest};
use std::collections::BTreeMap;

/// A block, as far as it is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    pub bytes: u64,
    pub hash: ContentHash,
    pub tokens: u64,
    /// Of the file itself.
    pub content: Option<ContentHash>,
}

/// What stands around the files.
#[derive(Default)]
pub struct Around {
    head: Vec<Frame>,
    tail: Vec<Frame>,
    /// Between two files, where the format has something there.
    between: Option<Frame>,
}

/// A block that is no file's, with its text unless that is long.
struct Frame {
    mark: Mark,
    text: Option<String>,
}

/// A tree of ten thousand files; a picture is longer.
const LONGEST: u64 = 1 << 20;

/// The static part as it is now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Prefix {
    pub bytes: u64,
    pub tokens: Tokens,
}

/// What is left of the static part of the last run.
#[derive(Clone, PartialEq, Debug)]
pub struct Kept {
    pub run: u64,
    /// The static part of that run.
    pub of: Prefix,
    /// What the document begins with that it began with too.
    pub bytes: u64,
    pub tokens: u64,
    /// To the byte, and counted; else at least so much.
    pub exact: bool,
    /// `None`: all of it is kept.
    pub breaks: Option<Break>,
}

/// Where the static part of the last run is left.
#[derive(Clone, PartialEq, Debug)]
pub struct Break {
    pub item: Option<String>,
    pub cause: Cause,
}

/// The last run, as far as a bench needs it.
pub struct Last {
    number: u64,
    manifest: Manifest,
    /// Blocks of its static part.
    blocks: usize,
    bytes: Option<Vec<u8>>,
    places: BTreeMap<String, usize>,
}

/// Bytes of a run that are held to find the byte where it breaks; of more, the block is told.
const HELD: u64 = 32 << 20;

/// A document goes into a request as a string.
pub fn is_quoted(format: Format) -> bool {
    match format {
        Format::Messages | Format::Request(_) => true,
        Format::Markdown | Format::Xml | Format::Json | Format::Text => false,
    }
}

/// One block of a file, as it stands in the document. `block` is that of [`contexture_core::alone`].
pub fn mark(pick: &Pick, block: &Block, item: &Item, format: Format) -> Mark {
    let text = if is_quoted(format) { quoted(block) } else { block.clone() };
    let print = Print::blocks(std::slice::from_ref(&text), std::slice::from_ref(item));
    let (bytes, hash) = print.first().copied().unwrap_or((0, ContentHash::of("")));
    Mark { bytes, hash, tokens: pick.tokens.0, content: pick.hash }
}

impl Around {
    /// What stands around the files of a document, and of each file its block: by the place of its pick.
    pub fn of(compiled: &Compiled, items: &[Item], format: Format, meter: &Meter<'_>) -> (Self, BTreeMap<usize, Mark>) {
        let blocks = &compiled.output.blocks[..compiled.output.prefix_blocks];
        let picks = compiled.picks_of_blocks();
        let is_file = |at: usize| picks[at].is_some_and(|pick| compiled.plan.picks[pick].kind == ItemKind::File);
        let first = (0..blocks.len()).find(|at| is_file(*at)).unwrap_or(blocks.len());
        let last = (0..blocks.len()).rfind(|at| is_file(*at)).map_or(blocks.len(), |last| last + 1);
        let prints = Print::blocks(blocks, items);
        let mark = |at: usize| {
            let (bytes, hash) = prints[at];
            let content = picks[at].and_then(|pick| compiled.plan.picks[pick].hash);
            Mark { bytes, hash, tokens: blocks[at].tokens.0, content }
        };
        let frame = |at: usize| Frame::of(mark(at), &blocks[at]);
        let files = (first..last).filter_map(|at| Some((picks[at].filter(|_| is_file(at))?, mark(at)))).collect();
        let between = render::between(format).map(|block| {
            let print = Print::blocks(std::slice::from_ref(&block), &[]);
            let (bytes, hash) = print.first().copied().unwrap_or((0, ContentHash::of("")));
            let tokens = meter.block(&block.pieces, None).0;
            Frame::of(Mark { bytes, hash, tokens, content: None }, &block)
        });
        let head = (0..first).map(frame).collect();
        (Self { head, tail: (last..blocks.len()).map(frame).collect(), between }, files)
    }

    /// Tokens of what stands between two files.
    pub fn between(&self) -> u64 {
        self.between.as_ref().map_or(0, |frame| frame.mark.tokens)
    }

    /// All blocks of the static part in order.
    pub fn all<'a>(
        &'a self,
        files: impl Iterator<Item = (usize, &'a Mark)> + 'a,
    ) -> impl Iterator<Item = (Part<'a>, &'a Mark)> + 'a {
        let part = |frame: &'a Frame| (Part::Frame(frame.text.as_deref()), &frame.mark);
        let files = files.enumerate().flat_map(move |(nth, (row, mark))| {
            self.between.iter().filter(move |_| nth > 0).map(part).chain([(Part::File(row), mark)])
        });
        self.head.iter().map(part).chain(files).chain(self.tail.iter().map(part))
    }
}

impl Frame {
    fn of(mark: Mark, block: &Block) -> Self {
        let text = || block.pieces.iter().map(|piece| piece.as_str()).collect();
        Self { mark, text: (mark.bytes <= LONGEST).then(text) }
    }
}

/// Whose block it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part<'a> {
    /// By its row.
    File(usize),
    Frame(Option<&'a str>),
}

/// Where two static parts go apart.
pub struct Parted<'a, 'b> {
    pub bytes: u64,
    pub tokens: u64,
    /// The block of the earlier one; `None` where all of it is kept.
    pub old: Option<Old<'a>>,
    pub new: Option<Part<'b>>,
}

pub struct Old<'a> {
    pub item: Option<&'a ItemRecord>,
    /// Where the bytes of the run are at hand.
    pub text: Option<&'a str>,
}

impl Last {
    /// The last run, read anew only if it is another one than `known`.
    pub fn look(door: &Door, opened: &Opened, known: Option<Self>) -> Option<Self> {
        let (runs, number) = newest(door, &opened.roots)?;
        if let Some(known) = known.filter(|known| known.number == number) {
            return Some(known);
        }
        let project = opened.roots.project();
        let manifest = runs.get(project, number).ok()?;
        let bytes = (manifest.output.bytes <= HELD).then(|| kept_bytes(&runs, project, &manifest)).flatten();
        let ends = manifest.blocks.iter().scan(0, |end, block| {
            *end += block.bytes;
            Some(*end)
        });
        let blocks = ends.take_while(|end| *end <= manifest.prefix.bytes).count();
        let places = manifest.items.iter().enumerate().map(|(at, item)| (item.path.clone(), at)).collect();
        Some(Self { number, blocks, bytes, places, manifest })
    }

    pub fn has(&self, path: &str) -> bool {
        self.places.contains_key(path)
    }

    pub fn items(&self) -> &[ItemRecord] {
        &self.manifest.items
    }

    /// Where the static part of this run is left by another one.
    pub fn parted<'b>(&self, mut now: impl Iterator<Item = (Part<'b>, &'b Mark)>) -> Parted<'_, 'b> {
        let (mut bytes, mut tokens) = (0, 0);
        for block in &self.manifest.blocks[..self.blocks] {
            let next = now.next();
            match next {
                Some((_, mark)) if mark.hash == block.hash && mark.bytes == block.bytes => {
                    bytes += block.bytes;
                    // By the counter of now, whatever counted then: the bytes are the same.
                    tokens += mark.tokens;
                }
                other => {
                    let end = usize::try_from(bytes + block.bytes).unwrap_or(usize::MAX);
                    let text = self.bytes.as_deref().and_then(|all| all.get(bytes as usize..end));
                    let text = text.and_then(|text| std::str::from_utf8(text).ok());
                    let old = Old { item: block.item.and_then(|item| self.manifest.items.get(item)), text };
                    return Parted { bytes, tokens, old: Some(old), new: other.map(|(part, _)| part) };
                }
            }
        }
        Parted { bytes, tokens, old: None, new: None }
    }

    /// What is kept, where both blocks that differ begin with this.
    pub fn kept(
        &self,
        parted: &Parted<'_, '_>,
        common: Option<&str>,
        counter: &dyn Counter,
        breaks: Option<Break>,
    ) -> Kept {
        let is_counted = !is_quoted_word(&self.manifest.options.format);
        let more = common.filter(|_| is_counted).map_or(0, |text| counter.count(text));
        let is_known = parted.old.is_none() || common.is_some_and(|text| text.is_empty() || is_counted);
        Kept {
            run: self.number,
            of: Prefix { bytes: self.manifest.prefix.bytes, tokens: Tokens(self.manifest.prefix.tokens) },
            bytes: parted.bytes + common.map_or(0, |text| text.len() as u64),
            tokens: parted.tokens + more,
            exact: counter.exact() && is_known,
            breaks,
        }
    }
}

fn is_quoted_word(format: &str) -> bool {
    super::super::runs::is_quoted(format)
}

/// What two texts begin with, in whole characters.
pub fn common<'a>(old: &'a str, new: &str) -> &'a str {
    let bytes = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    &old[..old.floor_char_boundary(bytes)]
}
