//! The ladder of one item: which steps there are, what they gain and cost.

use super::hunks::Hunks;
use super::ladder::{After, Step};
use crate::rank::{Caller, Callers, Digest, FileScore, Symbol, SymbolScore};
use crate::shape::ExtentPart;
use crate::types::Level;
use std::collections::BTreeMap;

/// What is known of an item that may be shown in parts.
pub struct Offer<'a> {
    pub item: u32,
    pub path: &'a str,
    /// The most that may be shown of it.
    pub top: Level,
    pub digest: Option<&'a Digest>,
    /// Of the file in bytes, where there is no digest.
    pub size: u64,
    /// Tokens of a summary that was written, as far as they are known without counting.
    pub written: Option<f32>,
    /// Whether the scores are those of a task, and not of how a project hangs together.
    pub has_task: bool,
    /// The lines of its long symbols that the task mentions.
    pub hunks: &'a BTreeMap<u32, Hunks>,
    /// Its symbols that probable bodies call, with the callers.
    pub calls: &'a BTreeMap<u32, Callers>,
    pub file: &'a FileScore,
    pub symbols: &'a [SymbolScore],
}

/// The value of a path and of a signature, relative to 1 for the whole body of a needed symbol.
///
/// Bodies matter more than signatures: on held-out tasks a signature value of 0.13 filled 8,000 tokens with signatures of unrelated
/// functions and showed 0.59 of the needed bodies, 0.02 showed 0.75. The path was chosen with [`LENGTHS`], of 0.01 to 0.05.
const NAME: f32 = 0.03;
const SIGNATURE: f32 = 0.02;
/// The value of the signature of a called function, relative to 1 for the body that calls it; only small ones have it.
const CALLED_SIGNATURE: f32 = 0.01;
const SMALL_SIGNATURE: u32 = 60;
/// How probably the body of a called function is needed, relative to the most probable body that calls it from the same file and from
/// another one. A reader has to look up what is called. On 63 tasks, 0.07, 0.03 and 280 tokens show 0.64 and 0.86 of the needed bodies
/// at 2,000 and 16,000 tokens; 0.1, 0.05 and 400 show 0.63 of them at 2,000 and 0.015 fewer at 8,000.
const CALLED_NEAR: f32 = 0.07;
const CALLED_FAR: f32 = 0.03;
/// A called function of so many tokens is worth half as much; below it hardly less, above it soon nothing (see [`called_body`]).
const CALLED_TOKENS: f32 = 280.0;
/// After this many files a path is worth less with each rank: in large projects lists of paths took a third of the document.
const NAMES: f32 = 24.0;
/// Many paths and signatures of what is hardly needed tell what is there: they are worth more than in proportion. Signatures
/// of tests and examples tell little.
const PATHS_BREADTH: f32 = 0.7;
const SIGNATURES_BREADTH: f32 = 0.6;
/// With a task, after this many files what signatures are worth beyond their proportion falls with each rank: one signature of a file
/// tells hardly anything of it.
const SIGNATURES: f32 = 4.0;
const SKELETON: f32 = 0.1;
const SUMMARY: f32 = 0.3;
const FULL: f32 = 0.3;
/// Tokens of the lines around what is shown of a file.
const FRAME: f32 = 10.0;
/// Tokens around a symbol that is shown: its gap mark, and its share of the heading, the class around it and what it needs.
const AROUND: f32 = 18.0;
/// Long functions are worth more than short ones that are needed as probably: more of the task is done in them, and by gain per
/// token alone they would lose to every short sibling. Of 0.15, 0.3, 0.5 and 0.7 on 60 tasks: 0.5 shows most at 2,000 and 8,000
/// tokens, 0.15 at 3,000 and 16,000; the differences are small.
const LENGTHS: f32 = 0.4;
/// Of the gain of a body, what the tail of its documentation is worth; one of fewer tokens is not cut.
const DOC_TAIL: f32 = 0.04;
const LONG_DOC: f32 = 60.0;
/// A file of so few tokens is shown whole or by name.
const TINY: u32 = 48;
/// A symbol that a task needs as probably as this is among those that 8,000 tokens show.
const WANTED: f32 = 0.005;
/// A type of so few tokens is not taken apart.
const SMALL_TYPE: u32 = 60;
/// A function of more tokens than this, and of more than this many times those of a function in it, does not have to be shown whole for
/// the inner one.
const LONG_OUTER: u32 = 300;
const TIMES_INNER: u32 = 3;

impl Offer<'_> {
    /// Adds the steps of an item. The last of them is the level it would be shown at without a budget.
    pub fn steps(&self, out: &mut Vec<Step>) {
        let Offer { item, path, top, digest, size, written, has_task, file, symbols, .. } = *self;
        let needed = file.probability;
        let breadth = self.breadth();
        let step = |part, after, gain, cost: f32| Step { item, part, after, gain, cost };
        out.push(step(
            ExtentPart::Name,
            After::Nothing,
            NAME * needed.powf(PATHS_BREADTH) * (NAMES / (file.rank + 1) as f32).min(1.0),
            path.len() as f32 / 3.6 + 8.0,
        ));
        let all = digest.map_or(size as f32 / 4.0, |digest| digest.cost as f32);
        let summary = |most: f32| (all / 4.0).min(most).min(written.unwrap_or(most)) + FRAME;
        let has_symbols = digest.is_some_and(|digest| !digest.symbols.is_empty());
        match top {
            Level::Full if all <= TINY as f32 => {
                let inside: f32 = symbols
                    .iter()
                    .map(|symbol| symbol.probability + signature(symbol.probability, symbol.is_beside(), breadth))
                    .sum();
                out.push(step(ExtentPart::Full, After::Last, needed * FULL + inside, all + FRAME));
            }
            Level::Full | Level::Skeleton if has_symbols => {
                let Some(digest) = digest else { return };
                let skeleton = digest.skeleton as f32;
                let is_wanted = |symbol: &SymbolScore| symbol.probability > WANTED;
                // Where a task needs one symbol, or all signatures take less, the summary would only be given up for them.
                let is_told = written.is_some()
                    && summary(400.0) < skeleton + FRAME
                    && !(has_task && symbols.iter().any(is_wanted));
                if is_told {
                    let told: f32 =
                        symbols.iter().map(|one| signature(one.probability, one.is_beside(), breadth)).sum();
                    out.push(step(ExtentPart::Summary, After::Last, summary_gain(needed), summary(400.0)));
                    let place = out.len() as u32;
                    out.push(step(ExtentPart::Skeleton, After::Last, needed * SKELETON + told, skeleton + FRAME));
                    self.symbols(digest, Some(place), top == Level::Full, out);
                    if top == Level::Full {
                        out.push(step(ExtentPart::Full, After::All, needed * FULL, (all * 0.2).max(4.0)));
                    }
                    return;
                }
                let loose = self.symbols(digest, None, top == Level::Full, out);
                let docs = skeleton.max(loose) - loose.min(skeleton) + 4.0;
                out.push(step(ExtentPart::Skeleton, After::All, needed * SKELETON, docs));
                if top == Level::Full {
                    out.push(step(ExtentPart::Full, After::All, needed * FULL, (all - docs).max(4.0) * 0.2 + 4.0));
                }
            }
            Level::Full => {
                let most = if written.is_some() { 400.0 } else { 200.0 };
                out.push(step(ExtentPart::Summary, After::Last, needed * SUMMARY, summary(most)));
                out.push(step(ExtentPart::Full, After::Last, needed * FULL, all));
            }
            Level::Summary => {
                out.push(step(ExtentPart::Summary, After::Last, needed * SUMMARY, summary(400.0)));
            }
            Level::Outline => out.push(step(ExtentPart::Outline, After::Last, needed * SKELETON, all / 6.0 + FRAME)),
            // Without symbols there is nothing between its name and its skeleton.
            Level::Skeleton => out.push(step(ExtentPart::Skeleton, After::Last, needed * SKELETON, all + FRAME)),
            // What is shown by name alone has said all with it.
            Level::None | Level::Name | Level::Masked | Level::Custom | Level::Diff => {}
        }
    }

    /// How much breadth counts for the signatures of the file.
    fn breadth(&self) -> f32 {
        if self.has_task { (SIGNATURES / (self.file.rank + 1) as f32).min(1.0) } else { 1.0 }
    }

    /// Steps for symbols, after the skeleton where that is a step before them. Gives about how many tokens all signatures together
    /// take.
    fn symbols(&self, digest: &Digest, skeleton: Option<u32>, whole: bool, out: &mut Vec<Step>) -> f32 {
        let mut needed: Vec<f32> = self.symbols.iter().map(|symbol| symbol.probability).collect();
        needed.resize(digest.symbols.len(), 0.0);
        let takes_all =
            |symbol: &Symbol| symbol.kind.is_callable() || symbol.kind.is_value() || symbol.whole <= SMALL_TYPE;
        for (at, callers) in self.calls {
            let at = *at as usize;
            if digest.symbols[at].kind.is_callable() {
                needed[at] = needed[at].max(called_body(callers, digest.symbols[at].whole));
            }
        }
        // A symbol that comes with the one around it has no steps.
        let mut depths: Vec<Depth> = Vec::with_capacity(digest.symbols.len());
        let mut signatures = 0.0;
        let mut symbols = Vec::new();
        for (index, symbol) in digest.symbols.iter().enumerate() {
            let above = symbol.parent.and_then(|parent| Some((*depths.get(parent as usize)?, parent)));
            let depth = match above.map(|(depth, parent)| (depth, &digest.symbols[parent as usize])) {
                Some((Depth::Top, outer)) if is_long_around(outer, symbol) && whole => Depth::Nested,
                Some((Depth::Top, outer)) if takes_all(outer) => Depth::Inside,
                // One level of nested functions: their tokens count twice, in their own steps and in those of the outer one.
                Some((Depth::Nested | Depth::Inside, _)) => Depth::Inside,
                Some((Depth::Top, _)) | None => Depth::Top,
            };
            depths.push(depth);
            if depth != Depth::Inside {
                signatures += symbol.signature as f32;
                symbols.push((index, symbol));
            }
        }
        // A symbol that is shown whole is needed as much as what comes with it.
        for (index, symbol) in digest.symbols.iter().enumerate().rev() {
            if let Some(parent) = symbol.parent
                && depths[index] == Depth::Inside
            {
                needed[parent as usize] = needed[parent as usize].max(needed[index]);
            }
        }
        let first = skeleton.map_or(After::Nothing, After::Step);
        let breadth = self.breadth();
        for (index, symbol) in symbols {
            let step = |part, after, gain, cost| Step { item: self.item, part, after, gain, cost };
            let (gain, at) = (needed[index], index as u32);
            let is_beside = self.symbols.get(index).is_some_and(SymbolScore::is_beside);
            let mut rest = symbol.whole.saturating_sub(symbol.signature) as f32;
            let all = takes_all(symbol) && whole;
            let hunks = self.hunks.get(&at).filter(|_| all && skeleton.is_none());
            let length = match hunks {
                Some(hunks) if hunks.is_table => hunks.cost,
                _ => symbol.whole as f32,
            };
            let mut body = gain * (length.max(20.0) / 100.0).powf(LENGTHS);
            let called = self.calls.get(&at).filter(|_| symbol.signature <= SMALL_SIGNATURE);
            let told = match skeleton {
                Some(_) => 0.0,
                None => signature(gain, is_beside, breadth).max(called.map_or(0.0, called_signature)),
            };
            if all && rest <= 8.0 {
                out.push(step(
                    ExtentPart::Whole(at),
                    first,
                    body + told,
                    symbol.whole.max(symbol.signature) as f32 + AROUND,
                ));
                continue;
            }
            // With a skeleton, all signatures are there.
            let after = if skeleton.is_some() {
                first
            } else {
                out.push(step(ExtentPart::Signature(at), first, told, symbol.signature as f32 + AROUND));
                After::Last
            };
            if let Some(hunks) = hunks.filter(|hunks| hunks.cost < rest) {
                out.push(step(ExtentPart::Hunks(at), After::Last, body * hunks.share, hunks.cost));
                body *= 1.0 - hunks.share;
                rest -= hunks.cost;
            }
            let tail = symbol.words[1] as f32 * 1.3 - 20.0;
            if all && tail > LONG_DOC && tail < rest {
                out.push(step(ExtentPart::Brief(at), after, body * (1.0 - DOC_TAIL), rest - tail + 1.0));
                out.push(step(ExtentPart::Doc(at), After::Last, body * DOC_TAIL, tail));
            } else if all {
                out.push(step(ExtentPart::Whole(at), after, body, rest + 1.0));
            }
        }
        signatures
    }
}

/// How a symbol is shown with regard to the ones around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Alone, or below the signature of a type.
    Top,
    /// Below the signature of a long function.
    Nested,
    /// With the symbol that it is in.
    Inside,
}

/// Whether a function is shown without all of the one around it.
fn is_long_around(outer: &Symbol, inner: &Symbol) -> bool {
    let are_functions = outer.kind.is_callable() && inner.kind.is_callable();
    are_functions && outer.whole > LONG_OUTER && outer.whole > inner.whole.saturating_mul(TIMES_INNER)
}

/// What the signature of a symbol is worth.
fn signature(needed: f32, is_beside: bool, breadth: f32) -> f32 {
    SIGNATURE * if is_beside { needed } else { needed.max(breadth * needed.powf(SIGNATURES_BREADTH)) }
}

/// How probably the body of a called function is needed.
fn called_body(callers: &Callers, tokens: u32) -> f32 {
    let worth = |caller: Option<Caller>, share: f32| caller.map_or(0.0, |caller| share * caller.probability);
    let square = (tokens as f32 / CALLED_TOKENS) * (tokens as f32 / CALLED_TOKENS);
    worth(callers.near, CALLED_NEAR).max(worth(callers.far, CALLED_FAR)) / (1.0 + square * square)
}

/// What the signature of a called function is worth.
fn called_signature(callers: &Callers) -> f32 {
    let all = callers.near.into_iter().chain(callers.far);
    CALLED_SIGNATURE * all.map(|caller| caller.probability).fold(0.0, f32::max)
}

/// What a summary of code is worth that somebody wrote: it tells what is there, as signatures do.
fn summary_gain(needed: f32) -> f32 {
    SUMMARY * needed.powf(SIGNATURES_BREADTH)
}
