//! What differs between two runs, where their bytes part, and why.
//!
//! Takes two manifests and, where they are at hand, both outputs; gives plain data. Reads nothing. Without the outputs the
//! blocks tell in which part the first difference is; with them it is known to the byte.

use super::difference::{AlteredKind, AlteredOption, Cause, CommonPrefix, Difference, DifferenceStart, ItemChange};
use contexture_core::{Api, Counter, Format, Tokenizer, reuse};
use contexture_gather::runs::{BlockRecord, EffectiveOptions, ItemRecord, Manifest};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// `bytes` are both outputs; they must be those that the manifests tell of.
pub fn compare(a: &Manifest, b: &Manifest, bytes: Option<(&[u8], &[u8])>) -> Difference {
    let comparison = Comparison::of(a, b);
    let altered = altered(a, b);
    let first = comparison.first(bytes, &altered);
    let unpaired = |items: &[ItemRecord], pairs: &[Option<usize>]| -> Vec<ItemRecord> {
        items.iter().zip(pairs).filter(|(_, pair)| pair.is_none()).map(|(item, _)| item.clone()).collect()
    };
    Difference {
        added: unpaired(&b.items, &comparison.pairs.of_new),
        removed: unpaired(&a.items, &comparison.pairs.of_old),
        changed: comparison.changes(),
        common: comparison.common(first.as_ref(), bytes),
        first,
        altered,
    }
}

/// The item that two runs part at, and why, where the byte is known in both.
pub fn cause_at(a: &Manifest, b: &Manifest, altered: &[AlteredOption], at: (u64, u64)) -> (Option<String>, Cause) {
    let (old, new) = (block_at(&a.blocks, at.0), block_at(&b.blocks, at.1));
    let item = new.and_then(|block| b.items.get(block.item?)).or_else(|| a.items.get(old?.item?));
    (item.map(|item| item.path.clone()), Comparison::of(a, b).cause(old, new, altered))
}

/// For each item its like in the other run: of the same kind and path, several of one path in their order.
struct Pairs {
    of_old: Vec<Option<usize>>,
    of_new: Vec<Option<usize>>,
}

impl Pairs {
    fn of(old: &[ItemRecord], new: &[ItemRecord]) -> Self {
        let mut free: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
        for (index, item) in old.iter().enumerate().rev() {
            free.entry((&item.kind, &item.path)).or_default().push(index);
        }
        let mut of_old = vec![None; old.len()];
        let mut of_new = vec![None; new.len()];
        for (index, item) in new.iter().enumerate() {
            if let Some(like) = free.get_mut(&(item.kind.as_str(), item.path.as_str())).and_then(Vec::pop) {
                of_old[like] = Some(index);
                of_new[index] = Some(like);
            }
        }
        Self { of_old, of_new }
    }
}

struct Comparison<'a> {
    a: &'a Manifest,
    b: &'a Manifest,
    pairs: Pairs,
    /// By item.
    blocks: (BlockHashes, BlockHashes),
}

/// For each item the hashes of its blocks.
type BlockHashes = BTreeMap<usize, Vec<[u8; 32]>>;

fn block_hashes(manifest: &Manifest) -> BlockHashes {
    let mut all = BlockHashes::new();
    for block in &manifest.blocks {
        if let Some(item) = block.item {
            all.entry(item).or_default().push(block.hash.0);
        }
    }
    all
}

impl<'a> Comparison<'a> {
    fn of(a: &'a Manifest, b: &'a Manifest) -> Self {
        Self { a, b, pairs: Pairs::of(&a.items, &b.items), blocks: (block_hashes(a), block_hashes(b)) }
    }

    fn changes(&self) -> Vec<ItemChange> {
        let both = self.pairs.of_new.iter().enumerate().filter_map(|(new, old)| Some(((*old)?, new)));
        both.filter_map(|(old, new)| self.change(old, new)).collect()
    }

    fn change(&self, old: usize, new: usize) -> Option<ItemChange> {
        let (is_same_text, content) =
            (self.blocks.0.get(&old) == self.blocks.1.get(&new), self.has_new_content(old, new));
        let (old, new) = (&self.a.items[old], &self.b.items[new]);
        let is_same = is_same_text && old.view == new.view && old.tokens == new.tokens && old.written == new.written;
        (!is_same || content).then(|| ItemChange { old: old.clone(), new: new.clone(), content })
    }

    /// What has no hash of its own is known by its text, as long as it is shown the same way.
    fn has_new_content(&self, old: usize, new: usize) -> bool {
        let (before, after) = (&self.a.items[old], &self.b.items[new]);
        match (before.hash, after.hash) {
            (Some(before), Some(after)) => before != after,
            (None, None) => before.view == after.view && self.blocks.0.get(&old) != self.blocks.1.get(&new),
            (Some(_), None) | (None, Some(_)) => true,
        }
    }

    fn first(&self, bytes: Option<(&[u8], &[u8])>, altered: &[AlteredOption]) -> Option<DifferenceStart> {
        if self.a.output.hash == self.b.output.hash {
            return None;
        }
        let (old, new) = (&self.a.blocks, &self.b.blocks);
        let alike = old.iter().zip(new).take_while(|(old, new)| old.hash == new.hash && old.bytes == new.bytes).count();
        let start = old.iter().take(alike).map(|block| block.bytes).sum();
        let (old_block, new_block) = (old.get(alike), new.get(alike));
        let cause = self.cause(old_block, new_block, altered);
        let path = |items: &[ItemRecord], block: Option<&BlockRecord>| {
            block.and_then(|block| items.get(block.item?)).map(|item| item.path.clone())
        };
        let (byte, until, old_block, new_block) = match bytes {
            Some((old_bytes, new_bytes)) => {
                let byte = first_difference(old_bytes, new_bytes) as u64;
                (byte, None, block_at(old, byte), block_at(new, byte))
            }
            None => {
                let longest = [old_block, new_block].into_iter().flatten().map(|block| block.bytes).max();
                (start, Some(start + longest.unwrap_or_default()), old_block, new_block)
            }
        };
        let place = bytes.and_then(|(_, new_bytes)| request_part(self.b, new_bytes, byte));
        let (old, new) = (path(&self.a.items, old_block), path(&self.b.items, new_block));
        Some(DifferenceStart { byte, until, old, new, place, cause })
    }

    /// Why the first two blocks that differ do so.
    fn cause(&self, old: Option<&BlockRecord>, new: Option<&BlockRecord>, altered: &[AlteredOption]) -> Cause {
        let item = |block: Option<&BlockRecord>| block.and_then(|block| block.item);
        let is_added = |new: usize| self.pairs.of_new.get(new) == Some(&None);
        let is_removed = |old: usize| self.pairs.of_old.get(old) == Some(&None);
        let added = |new: usize| Cause::Added(self.b.items[new].path.clone());
        let removed = |old: usize| Cause::Removed(self.a.items[old].path.clone());
        match (item(old), item(new)) {
            (Some(old), Some(new)) if self.pairs.of_old.get(old) == Some(&Some(new)) => {
                self.cause_within(old, new, altered)
            }
            (_, Some(new)) if is_added(new) => added(new),
            (Some(old), _) if is_removed(old) => removed(old),
            (Some(_), Some(_)) => Cause::Order,
            // A heading says how files are shown; a tree of folders tells which files there are.
            (None, _) | (_, None) => {
                let first = |pairs: &[Option<usize>]| pairs.iter().position(Option::is_none);
                match (settings(altered), first(&self.pairs.of_new), first(&self.pairs.of_old)) {
                    (Some(cause), ..) => cause,
                    (None, Some(new), _) => added(new),
                    (None, None, Some(old)) => removed(old),
                    (None, None, None) => Cause::Unknown,
                }
            }
        }
    }

    fn cause_within(&self, old: usize, new: usize, altered: &[AlteredOption]) -> Cause {
        let has_new_content = self.has_new_content(old, new);
        let (old, new) = (&self.a.items[old], &self.b.items[new]);
        let path = new.path.clone();
        let shown = |item: &ItemRecord| (item.view.clone(), item.reason.clone());
        match () {
            () if old.view != new.view => Cause::View { path, old: shown(old), new: shown(new) },
            () if has_new_content => Cause::Content(path),
            () if old.written != new.written => Cause::Written(path),
            () => match settings(altered) {
                Some(cause) => cause,
                None if old.reason != new.reason => {
                    Cause::Reason { path, old: old.reason.clone(), new: new.reason.clone() }
                }
                None => Cause::Unknown,
            },
        }
    }

    fn common(&self, first: Option<&DifferenceStart>, bytes: Option<(&[u8], &[u8])>) -> CommonPrefix {
        let Some(first) = first else {
            let tokens = &self.a.tokens;
            return CommonPrefix { bytes: self.a.output.bytes, tokens: tokens.count, exact: tokens.exact };
        };
        let tokenizer = Tokenizer::parse(&self.a.tokens.tokenizer);
        if let (Some((old, _)), Some(tokenizer), false) = (bytes, tokenizer, is_quoted(&self.a.options.format)) {
            let prefix = old.get(..first.byte as usize).unwrap_or(old);
            // A character that is common in part counts for nothing.
            let text = prefix.utf8_chunks().next().map(|chunk| chunk.valid()).unwrap_or_default();
            let tokens = self.counted(text, tokenizer);
            return CommonPrefix { bytes: first.byte, tokens, exact: tokenizer.exact() };
        }
        let (mut left, mut tokens) = (first.byte, 0);
        for block in &self.a.blocks {
            // Of the last one, as many as its bytes tell.
            let common = block.bytes.min(left);
            tokens += block.tokens.saturating_mul(common).checked_div(block.bytes).unwrap_or_default();
            left -= common;
        }
        CommonPrefix { bytes: first.byte, tokens: tokens.min(self.a.tokens.count), exact: false }
    }

    /// The tokens of the beginning of the earlier output. Blocks that are whole in it and stand apart from what follows were counted
    /// when it was made.
    fn counted(&self, text: &str, tokenizer: Tokenizer) -> u64 {
        if !tokenizer.exact() {
            return tokenizer.count(text);
        }
        let (mut tokens, mut start, mut end) = (0, 0, 0);
        for block in &self.a.blocks {
            let next = end + usize::try_from(block.bytes).unwrap_or(usize::MAX - end);
            if !text.is_char_boundary(next) {
                break;
            }
            // What was never counted has none.
            let known = (start == end && block.tokens > 0).then_some(block.tokens);
            end = next;
            if tokenizer.joins(&text[start..end], &text[end..]) {
                tokens += known.unwrap_or_else(|| tokenizer.count(&text[start..end]));
                start = end;
            }
        }
        tokens + tokenizer.count(&text[start..])
    }
}

/// Whether the output holds its texts as strings of JSON, of which a model reads what they say and not their bytes.
pub fn is_quoted(format: &str) -> bool {
    format == Format::Messages.as_str() || Api::parse(format).is_some()
}

/// The block of a request that has this byte.
fn request_part(of: &Manifest, body: &[u8], byte: u64) -> Option<String> {
    let api = Api::parse(&of.options.format)?;
    let request = reuse::Request::read(api, std::str::from_utf8(body).ok()?, &|_| 0).ok()?;
    let segment = request.segments.into_iter().find(|segment| segment.bytes.contains(&(byte as usize)))?;
    Some(segment.place)
}

fn settings(altered: &[AlteredOption]) -> Option<Cause> {
    let names: Vec<String> =
        altered.iter().map(|altered| format!("{} `{}`", altered.what.get(), altered.name)).collect();
    (!names.is_empty()).then_some(Cause::Settings(names))
}

/// The first byte that differs, or the end of the shorter one.
fn first_difference(a: &[u8], b: &[u8]) -> usize {
    // Long stretches are compared as a whole: documents are large, and mostly the same.
    const STRETCH: usize = 4096;
    let stretches = a.chunks(STRETCH).zip(b.chunks(STRETCH)).take_while(|(a, b)| a == b);
    let start: usize = stretches.map(|(a, _)| a.len()).sum();
    let (a, b) = (a.get(start..).unwrap_or_default(), b.get(start..).unwrap_or_default());
    start + a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

pub(super) fn block_at(blocks: &[BlockRecord], byte: u64) -> Option<&BlockRecord> {
    let mut end = 0;
    blocks.iter().find(|block| {
        end += block.bytes;
        byte < end
    })
}

fn altered(a: &Manifest, b: &Manifest) -> Vec<AlteredOption> {
    let mut all = Vec::new();
    let mut put = |what: AlteredKind, name: &str, old: Option<String>, new: Option<String>| {
        if old != new {
            all.push(AlteredOption { what: what.into(), name: name.to_owned(), old, new });
        }
    };
    put(AlteredKind::Version, "version", Some(a.version.clone()), Some(b.version.clone()));
    let (old, new) = (options(&a.options), options(&b.options));
    for ((name, old), (_, new)) in old.iter().zip(&new) {
        put(AlteredKind::Option, name, old.clone(), new.clone());
    }
    let (was, is) = (flatten_request(&a.request), flatten_request(&b.request));
    let names: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    // What an option tells already is not told again.
    for name in names.into_iter().filter(|name| !old.iter().any(|(option, _)| option == name)) {
        put(AlteredKind::Request, name, was.get(name).cloned(), is.get(name).cloned());
    }
    let keys: BTreeSet<&String> = a.settings.keys().chain(b.settings.keys()).collect();
    for key in keys {
        put(AlteredKind::Setting, key, a.settings.get(key).cloned(), b.settings.get(key).cloned());
    }
    all
}

fn options(options: &EffectiveOptions) -> [(&'static str, Option<String>); 4] {
    let EffectiveOptions { strategy, strategy_from, format, tokenizer, budget, budget_from } = options;
    let from = |value: String, from: Option<&String>| match from {
        Some(from) => format!("{value} ({from})"),
        None => value,
    };
    [
        ("strategy", Some(from(strategy.clone(), Some(strategy_from)))),
        ("format", Some(format.clone())),
        ("tokenizer", Some(tokenizer.clone())),
        ("budget", budget.map(|budget| from(budget.to_string(), budget_from.as_ref()))),
    ]
}

/// The fields that are set, by name; those of objects inside by theirs.
fn flatten_request(request: &Value) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut left: Vec<(String, &Value)> = vec![(String::new(), request)];
    while let Some((name, value)) = left.pop() {
        match value {
            Value::Object(fields) => left.extend(fields.iter().map(|(key, value)| (key.clone(), value))),
            Value::Null | Value::Bool(false) => {}
            Value::Array(list) if list.is_empty() => {}
            Value::String(text) => drop(all.insert(name, text.clone())),
            Value::Bool(true) | Value::Number(_) | Value::Array(_) => drop(all.insert(name, value.to_string())),
        }
    }
    all
}
