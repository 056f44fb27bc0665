//! The static part of a workbench's document, block by block, and how much of the last run's it still is.
//!
//! Takes blocks as they were rendered; keeps of each its length, its hash and its tokens, as manifests do. To compare is one pass over
//! hashes. Where the bytes of the run can still be had, the first byte that differs is found within its block.

use super::super::open::{Door, Opened};
use super::super::runs::{self, Cause, CauseAnswer, CommonPrefix, OutputHashes, kept_bytes, newest};
use contexture_core::render::{self, talk::quoted};
use contexture_core::{Block, Compiled, ContentHash, Counter, Format, Item, ItemKind, Meter, Pick};
use contexture_gather::runs::{ItemRecord, Manifest, RunPrefix};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// A block, as far as it is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockMeasure {
    pub bytes: u64,
    pub hash: ContentHash,
    pub tokens: u64,
    /// Of the file itself.
    pub content: Option<ContentHash>,
}

/// What stands around the files.
#[derive(Default)]
pub struct SurroundingBlocks {
    head: Vec<Frame>,
    tail: Vec<Frame>,
    /// Between two files, where the format has something there.
    between: Option<Frame>,
}

/// A block that is no file's, with its text unless that is long.
struct Frame {
    measure: BlockMeasure,
    text: Option<String>,
}

/// A tree of ten thousand files; a picture is longer.
const LONGEST: u64 = 1 << 20;

/// How much of the last run's static part is still there.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LastPrefix {
    pub run: u64,
    pub bytes: u64,
    pub tokens: u64,
    // To the byte, and counted, where it is exact; else at least so much.
    pub kept: CommonPrefix,
    /// Null where all of it is kept
    pub breaks: Option<PrefixBreak>,
}

/// Where the static part of the last run ends.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PrefixBreak {
    pub byte: u64,
    pub item: Option<String>,
    #[serde(flatten)]
    pub cause: CauseAnswer,
}

/// The last run, as far as a workbench needs it.
pub struct LastRun {
    number: u64,
    manifest: Manifest,
    /// Blocks of its static part.
    blocks: usize,
    bytes: Option<Vec<u8>>,
    places: BTreeMap<String, usize>,
}

/// Bytes of a run that are held to find the byte where it breaks; of more, the block is told.
const HELD: u64 = 32 << 20;

/// One block of a file, as it stands in the document. `block` is that of [`contexture_core::alone`].
pub fn measure(pick: &Pick, block: &Block, item: &Item, format: Format) -> BlockMeasure {
    let text = if runs::is_quoted(format.as_str()) { quoted(block) } else { block.clone() };
    let (bytes, hash) = print(&text, std::slice::from_ref(item));
    BlockMeasure { bytes, hash, tokens: pick.tokens.0, content: pick.hash }
}

/// The length and the hash of one block.
fn print(block: &Block, items: &[Item]) -> (u64, ContentHash) {
    let print = OutputHashes::blocks(std::slice::from_ref(block), items);
    print.first().copied().unwrap_or((0, ContentHash::of("")))
}

impl SurroundingBlocks {
    /// What stands around the files of a document, and of each file its block: by the place of its pick.
    pub fn of(
        compiled: &Compiled,
        items: &[Item],
        format: Format,
        meter: &Meter<'_>,
    ) -> (Self, BTreeMap<usize, BlockMeasure>) {
        let blocks = &compiled.output.blocks[..compiled.output.prefix_blocks];
        let picks = compiled.picks_of_blocks();
        let is_file = |at: usize| picks[at].is_some_and(|pick| compiled.plan.picks[pick].kind == ItemKind::File);
        let first = (0..blocks.len()).find(|at| is_file(*at)).unwrap_or(blocks.len());
        let last = (0..blocks.len()).rfind(|at| is_file(*at)).map_or(blocks.len(), |last| last + 1);
        let prints = OutputHashes::blocks(blocks, items);
        let measure = |at: usize| {
            let (bytes, hash) = prints[at];
            let content = picks[at].and_then(|pick| compiled.plan.picks[pick].hash);
            BlockMeasure { bytes, hash, tokens: blocks[at].tokens.0, content }
        };
        let frame = |at: usize| Frame::of(measure(at), &blocks[at]);
        let files = (first..last).filter_map(|at| Some((picks[at].filter(|_| is_file(at))?, measure(at)))).collect();
        let between = render::between(format).map(|block| {
            let (bytes, hash) = print(&block, &[]);
            let tokens = meter.block(&block.pieces, None).0;
            Frame::of(BlockMeasure { bytes, hash, tokens, content: None }, &block)
        });
        let head = (0..first).map(frame).collect();
        (Self { head, tail: (last..blocks.len()).map(frame).collect(), between }, files)
    }

    /// Tokens of what stands between two files.
    pub fn between(&self) -> u64 {
        self.between.as_ref().map_or(0, |frame| frame.measure.tokens)
    }

    /// All blocks of the static part in order.
    pub fn all<'a>(
        &'a self,
        files: impl Iterator<Item = (usize, &'a BlockMeasure)> + 'a,
    ) -> impl Iterator<Item = (PrefixPart<'a>, &'a BlockMeasure)> + 'a {
        let part = |frame: &'a Frame| (PrefixPart::Frame(frame.text.as_deref()), &frame.measure);
        let files = files.enumerate().flat_map(move |(nth, (row, measure))| {
            self.between.iter().filter(move |_| nth > 0).map(part).chain([(PrefixPart::File(row), measure)])
        });
        self.head.iter().map(part).chain(files).chain(self.tail.iter().map(part))
    }
}

impl Frame {
    fn of(measure: BlockMeasure, block: &Block) -> Self {
        let text = || block.pieces.iter().map(|piece| piece.as_str()).collect();
        Self { measure, text: (measure.bytes <= LONGEST).then(text) }
    }
}

/// Whose block it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrefixPart<'a> {
    /// By its row.
    File(usize),
    Frame(Option<&'a str>),
}

/// Where two static parts go apart.
pub struct PrefixDivergence<'a, 'b> {
    pub bytes: u64,
    pub tokens: u64,
    /// The block of the earlier one; `None` where all of it is kept.
    pub old: Option<EarlierBlock<'a>>,
    pub new: Option<PrefixPart<'b>>,
}

pub struct EarlierBlock<'a> {
    pub item: Option<&'a ItemRecord>,
    /// Where the bytes of the run are at hand.
    pub text: Option<&'a str>,
}

impl LastRun {
    /// The last run, read anew only if it is another one than `known`.
    pub fn load(door: &Door, opened: &Opened, known: Option<Self>) -> Option<Self> {
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
    pub fn diverge<'b>(
        &self,
        mut now: impl Iterator<Item = (PrefixPart<'b>, &'b BlockMeasure)>,
    ) -> PrefixDivergence<'_, 'b> {
        let (mut bytes, mut tokens) = (0, 0);
        for block in &self.manifest.blocks[..self.blocks] {
            let next = now.next();
            match next {
                Some((_, measure)) if measure.hash == block.hash && measure.bytes == block.bytes => {
                    bytes += block.bytes;
                    // By the counter of now, whatever counted then: the bytes are the same.
                    tokens += measure.tokens;
                }
                other => {
                    let end = usize::try_from(bytes + block.bytes).unwrap_or(usize::MAX);
                    let text = self.bytes.as_deref().and_then(|all| all.get(bytes as usize..end));
                    let text = text.and_then(|text| std::str::from_utf8(text).ok());
                    let old = EarlierBlock { item: block.item.and_then(|item| self.manifest.items.get(item)), text };
                    return PrefixDivergence { bytes, tokens, old: Some(old), new: other.map(|(part, _)| part) };
                }
            }
        }
        PrefixDivergence { bytes, tokens, old: None, new: None }
    }

    /// What is kept, where both blocks that differ begin with this.
    pub fn kept_prefix(
        &self,
        divergence: &PrefixDivergence<'_, '_>,
        common: Option<&str>,
        counter: &dyn Counter,
        breaks: Option<(Option<String>, Cause)>,
    ) -> LastPrefix {
        let is_counted = !runs::is_quoted(&self.manifest.options.format);
        let more = common.filter(|_| is_counted).map_or(0, |text| counter.count(text));
        let is_known = divergence.old.is_none() || common.is_some_and(|text| text.is_empty() || is_counted);
        let byte = divergence.bytes + common.map_or(0, |text| text.len() as u64);
        let RunPrefix { bytes, tokens } = self.manifest.prefix;
        LastPrefix {
            run: self.number,
            bytes,
            tokens,
            kept: CommonPrefix { bytes: byte, tokens: divergence.tokens + more, exact: counter.exact() && is_known },
            breaks: breaks.map(|(item, cause)| PrefixBreak { byte, item, cause: (&cause).into() }),
        }
    }
}

/// What two texts begin with, in whole characters.
pub fn common<'a>(old: &'a str, new: &str) -> &'a str {
    let bytes = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    &old[..old.floor_char_boundary(bytes)]
}
