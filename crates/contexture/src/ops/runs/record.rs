//! What is recorded of a run: a draft, its hashes, and the manifest made of both. The driver stores it.

use super::super::document::CompiledDocument;
use super::super::open::{Door, Opened};
use super::super::safety;
use crate::requests::DocumentRequest;
use contexture_core::safety::{Report, Safety, TextKind};
use contexture_core::{Block, Body, Compiled, ContentHash, Item, Note, Output, Pick};
use contexture_gather::config::{Config, Origin, Setting};
use contexture_gather::runs::{
    BlockRecord, EffectiveOptions, ItemRecord, LeftRecord, Manifest, NoteRecord, RunKind, RunOutput, RunPrefix,
    RunTokens, SentRequest,
};
use contexture_gather::{Roots, names};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// What is known of a run when it is over, whatever its kind.
pub struct RunDraft<'a> {
    pub kind: RunKind,
    /// As it was made.
    pub request: Value,
    pub options: EffectiveOptions,
    /// Whether the tokens were counted, not estimated.
    pub exact: bool,
    pub compiled: &'a Compiled,
    pub hashes: OutputHashes,
    /// Where the output was written, absolute.
    pub path: Option<&'a Path>,
    pub sent: Option<SentRequest>,
    /// What was masked in the output is masked in what is written down about it.
    pub safety: &'a Safety,
}

/// The hashes of an output: SHA-256 of all its bytes, and of each block its length with a hash that only the same bytes have.
pub struct OutputHashes {
    pub whole: ContentHash,
    pub blocks: Vec<(u64, ContentHash)>,
}

impl OutputHashes {
    /// Both at once, on all threads. The text of a file that stands in a block whole is known by the hash it was read with, so
    /// that large documents are gone through once and not twice.
    pub fn of(output: &Output, items: &[Item]) -> Self {
        let (whole, blocks) =
            rayon::join(|| ContentHash::of_joined(output.pieces()), || Self::blocks(&output.blocks, items));
        Self { whole, blocks }
    }

    /// Of each block its length and its hash. `items` are those whose texts may stand in them.
    pub fn blocks(blocks: &[Block], items: &[Item]) -> Vec<(u64, ContentHash)> {
        let known = KnownTexts::of(items);
        let block = |block: &Block| {
            let hashes: Vec<Option<ContentHash>> =
                block.pieces.iter().map(|piece| known.hash(piece.as_str())).collect();
            let parts = block.pieces.iter().zip(&hashes).flat_map(|(piece, hash)| match hash {
                Some(hash) => [b"file".as_slice(), hash.0.as_slice()],
                None => [b"text".as_slice(), piece.as_str().as_bytes()],
            });
            (block.bytes() as u64, ContentHash::of_parts(parts))
        };
        blocks.par_iter().with_min_len(16).map(block).collect()
    }
}

/// Texts of files by the place where they are in memory: a document shares them with the snapshot.
struct KnownTexts(Vec<(usize, usize, ContentHash)>);

impl KnownTexts {
    fn of(items: &[Item]) -> Self {
        let mut all: Vec<_> = items
            .iter()
            .filter_map(|item| match &item.body {
                Body::Text { text, .. } => Some((text.as_ptr().addr(), text.len(), item.hash?)),
                _ => None,
            })
            .collect();
        all.sort_unstable();
        Self(all)
    }

    fn hash(&self, text: &str) -> Option<ContentHash> {
        // What is empty has no place of its own.
        let wanted = (text.as_ptr().addr(), text.len());
        let found = self.0.binary_search_by(|(place, length, _)| (*place, *length).cmp(&wanted)).ok();
        found.filter(|_| !text.is_empty()).map(|found| self.0[found].2)
    }
}

/// A request with what the door added to it: further roots, and a settings file named explicitly.
fn request_json(door: &Door, roots: &Roots, request: &DocumentRequest) -> Value {
    let absolute = |path: &Path| names::display_path(&door.env.cwd.join(path));
    let request =
        DocumentRequest { target: request.target.as_ref().map(|target| door.env.cwd.join(target)), ..request.clone() };
    json!({
        "roots": roots.iter().skip(1).map(|(_, root)| names::display_path(&root.path)).collect::<Vec<_>>(),
        "config_file": door.config_file.as_deref().map(absolute),
        "document": request,
    })
}

impl<'a> RunDraft<'a> {
    /// The run of a document that was built. Its hashes are computed unless they are known.
    pub fn of_document(
        door: &Door,
        opened: &'a Opened,
        request: &DocumentRequest,
        document: &'a CompiledDocument,
        hashes: Option<OutputHashes>,
    ) -> Self {
        let options = &opened.options;
        let compute = || OutputHashes::of(&document.compiled.output, &document.snapshot.items);
        Self {
            kind: RunKind::Build,
            request: request_json(door, &opened.roots, request),
            options: EffectiveOptions {
                strategy: options.strategy.name.to_owned(),
                strategy_from: options.strategy.source.to_string(),
                format: options.format.as_str().to_owned(),
                tokenizer: document.tokenizer.to_owned(),
                budget: document.budget.map(|budget| budget.0),
                budget_from: document.budget_from.as_ref().map(ToString::to_string),
            },
            exact: document.exact,
            compiled: &document.compiled,
            hashes: hashes.unwrap_or_else(compute),
            path: None,
            sent: None,
            safety: &opened.safety,
        }
    }

    /// The manifest of the run; [`Manifest::number`] is for the store to give.
    pub fn manifest(self, door: &Door, config: &Config) -> Manifest {
        let Self { kind, mut request, options, exact, compiled, hashes, path, sent, safety } = self;
        safety::mask_json(safety, &mut request);
        let (config, settings) = settings(config);
        let masked = |text: String| safety.text("", &text, TextKind::Data, &mut Report::new(safety)).unwrap_or(text);
        let settings = settings.into_iter().map(|(key, value)| (masked(key), masked(value))).collect();
        Manifest {
            number: 0,
            kind,
            created: door.env.timestamp(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            request,
            tokens: RunTokens {
                count: compiled.measured.0,
                exact,
                tokenizer: options.tokenizer.clone(),
                budget: options.budget,
            },
            options,
            output: RunOutput {
                hash: hashes.whole,
                bytes: hashes.blocks.iter().map(|(bytes, _)| bytes).sum(),
                path: path.map(names::display_path).map(masked),
            },
            prefix: RunPrefix { bytes: compiled.output.prefix_bytes() as u64, tokens: compiled.prefix.0 },
            config,
            settings,
            items: compiled.plan.picks.iter().map(item).collect(),
            left_out: compiled.plan.left_out.iter().map(LeftRecord::from).collect(),
            notes: compiled.notes.iter().map(note).collect(),
            blocks: blocks(compiled, &hashes),
            sent,
        }
    }
}

fn item(pick: &Pick) -> ItemRecord {
    ItemRecord {
        path: pick.path.clone(),
        kind: pick.kind.as_str().to_owned(),
        view: pick.level.as_str().to_owned(),
        hash: pick.hash,
        tokens: pick.tokens.0,
        reason: pick.reason(),
        error: pick.error.clone(),
        written: pick.written.as_ref().map(|written| written.hash),
    }
}

fn note(note: &Note) -> NoteRecord {
    NoteRecord {
        topic: note.topic.as_str().to_owned(),
        path: note.path.clone(),
        text: note.text.clone(),
        hint: note.hint.clone(),
    }
}

fn blocks(compiled: &Compiled, hashes: &OutputHashes) -> Vec<BlockRecord> {
    let blocks = compiled.output.blocks.iter().zip(&hashes.blocks).zip(compiled.picks_of_blocks());
    blocks
        .map(|((block, (bytes, hash)), item)| BlockRecord { item, bytes: *bytes, tokens: block.tokens.0, hash: *hash })
        .collect()
}

/// A value of more bytes is told by its hash.
const LONG: usize = 200;

/// The hash of all settings, and by key those that somebody made. The address of a store may hold a password and is told by
/// its hash.
fn settings(config: &Config) -> (ContentHash, BTreeMap<String, String>) {
    let text = |setting: &Setting| setting.value.as_ref().map(ToString::to_string).unwrap_or_default();
    let all: Vec<(&Setting, String)> = config.origins().iter().map(|setting| (setting, text(setting))).collect();
    let parts = all.iter().flat_map(|(setting, value)| [setting.key.as_bytes(), value.as_bytes()]);
    let hash = ContentHash::of_parts(parts);
    let told = |(setting, value): &(&Setting, String)| {
        let is_plain = value.len() <= LONG && !setting.key.starts_with("store.");
        let value = if is_plain { value.clone() } else { format!("(hash {})", ContentHash::of(value).short()) };
        (setting.key.clone(), value)
    };
    (hash, all.iter().filter(|(setting, _)| setting.origin != Origin::Default).map(told).collect())
}
