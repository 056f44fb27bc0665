//! The ladder of one item: which steps there are, what they gain and cost.

use super::ladder::{After, Step};
use crate::rank::{Digest, FileScore, Symbol, SymbolScore};
use crate::shape::ExtentPart;
use crate::types::Level;

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
    pub file: &'a FileScore,
    pub symbols: &'a [SymbolScore],
}

/// The value of a path and of a signature, relative to 1 for the whole body of a needed symbol.
///
/// Measured on held-out tasks: bodies matter more than signatures. A signature value of 0.13 filled 8,000 tokens with
/// signatures of unrelated functions and showed 0.59 of the needed bodies; these values show 0.75.
const NAME: f32 = 0.02;
const SIGNATURE: f32 = 0.02;
/// Many paths and signatures of what is hardly needed tell what is there: they are worth more than in proportion. Signatures
/// of tests and examples tell little.
const PATHS_BREADTH: f32 = 0.7;
const SIGNATURES_BREADTH: f32 = 0.6;
const SKELETON: f32 = 0.1;
const SUMMARY: f32 = 0.3;
const FULL: f32 = 0.3;
/// Tokens of the lines around what is shown of a file.
const FRAME: f32 = 10.0;
/// A file of so few tokens is shown whole or by name.
const TINY: u32 = 48;
/// A symbol that a task needs as probably as this is among those that 8,000 tokens show.
const WANTED: f32 = 0.005;
/// A type of so few tokens is not taken apart.
const SMALL_TYPE: u32 = 60;

impl Offer<'_> {
    /// Adds the steps of an item. The last of them is the level it would be shown at without a budget.
    pub fn steps(&self, out: &mut Vec<Step>) {
        let Offer { item, path, top, digest, size, written, has_task, file, symbols } = *self;
        let needed = file.probability;
        let name = out.len() as u32;
        let step = |part, after, gain, cost: f32| Step { item, part, after, gain, cost };
        out.push(step(
            ExtentPart::Name,
            After::Nothing,
            NAME * needed.powf(PATHS_BREADTH),
            path.len() as f32 / 3.6 + 5.0,
        ));
        let all = digest.map_or(size as f32 / 4.0, |digest| digest.cost as f32);
        let summary = |most: f32| (all / 4.0).min(most).min(written.unwrap_or(most)) + FRAME;
        let has_symbols = digest.is_some_and(|digest| !digest.symbols.is_empty());
        match top {
            Level::Full if all <= TINY as f32 => {
                let inside: f32 = symbols
                    .iter()
                    .map(|symbol| symbol.probability + signature(symbol.probability, symbol.is_beside()))
                    .sum();
                out.push(step(ExtentPart::Full, After::Step(name), needed * FULL + inside, all + FRAME));
            }
            Level::Full | Level::Skeleton if has_symbols => {
                let Some(digest) = digest else { return };
                let frame = out.len() as u32;
                out.push(step(ExtentPart::Frame, After::Step(name), 0.0, FRAME));
                let loose = self::symbols(self, digest, frame, top == Level::Full, out);
                if written.is_some() {
                    let said = step(ExtentPart::Summary, After::Step(name), summary_gain(needed), summary(400.0));
                    let skeleton =
                        step(ExtentPart::Skeleton, After::All, needed * SKELETON, digest.skeleton as f32 + FRAME);
                    let is_wanted = |symbol: &SymbolScore| symbol.probability > WANTED;
                    // Where a task needs one symbol, or all signatures take less, the summary would only be given up for them.
                    if said.cost < skeleton.cost && !(has_task && symbols.iter().any(is_wanted)) {
                        instead(said, skeleton, frame as usize, out);
                        if top == Level::Full {
                            out.push(step(ExtentPart::Full, After::All, needed * FULL, (all * 0.2).max(4.0)));
                        }
                        return;
                    }
                }
                let docs = (digest.skeleton as f32).max(loose) - loose.min(digest.skeleton as f32) + 4.0;
                out.push(step(ExtentPart::Skeleton, After::All, needed * SKELETON, docs));
                if top == Level::Full {
                    out.push(step(ExtentPart::Full, After::All, needed * FULL, (all - docs).max(4.0) * 0.2 + 4.0));
                }
            }
            Level::Full => {
                out.push(step(
                    ExtentPart::Summary,
                    After::Step(name),
                    needed * SUMMARY,
                    summary(if written.is_some() { 400.0 } else { 200.0 }),
                ));
                out.push(step(ExtentPart::Full, After::All, needed * FULL, all));
            }
            Level::Summary => {
                out.push(step(ExtentPart::Summary, After::Step(name), needed * SUMMARY, summary(400.0)));
            }
            Level::Outline => {
                out.push(step(ExtentPart::Outline, After::Step(name), needed * SKELETON, all / 6.0 + FRAME))
            }
            // Without symbols there is nothing between its name and its skeleton.
            Level::Skeleton => out.push(step(ExtentPart::Skeleton, After::Step(name), needed * SKELETON, all + FRAME)),
            // What is shown by name alone has said all with it.
            Level::None | Level::Name | Level::Masked | Level::Custom | Level::Diff => {}
        }
    }
}

/// What the signature of a symbol is worth.
fn signature(needed: f32, is_beside: bool) -> f32 {
    SIGNATURE * if is_beside { needed } else { needed.powf(SIGNATURES_BREADTH) }
}

/// What a summary of code is worth that somebody wrote: it tells what is there, as signatures do.
fn summary_gain(needed: f32) -> f32 {
    SUMMARY * needed.powf(SIGNATURES_BREADTH)
}

/// In place of the steps for symbols from `frame` on: the summary, then the skeleton with all signatures at once, then bodies. One
/// signature alone would say less than the summary that it takes the place of.
fn instead(summary: Step, skeleton: Step, frame: usize, out: &mut Vec<Step>) {
    let symbols = out.split_off(frame);
    let is_whole = |step: &Step| matches!(step.part, ExtentPart::Whole(_));
    let signatures: f32 = symbols.iter().filter(|step| !is_whole(step)).map(|step| step.gain).sum();
    out.push(summary);
    let place = out.len() as u32;
    out.push(Step { gain: skeleton.gain + signatures, after: After::Step(place - 1), ..skeleton });
    out.extend(symbols.into_iter().filter(is_whole).map(|whole| Step { after: After::Step(place), ..whole }));
}

/// Steps for symbols. Gives about how many tokens all signatures together take.
fn symbols(offer: &Offer<'_>, digest: &Digest, frame: u32, whole: bool, out: &mut Vec<Step>) -> f32 {
    /// What was done about a symbol.
    #[derive(Clone, Copy)]
    enum Done {
        /// Its signature is the step at this place.
        Step(u32),
        /// It comes with what it stands in.
        Inside,
    }
    let mut needed: Vec<f32> = offer.symbols.iter().map(|symbol| symbol.probability).collect();
    needed.resize(digest.symbols.len(), 0.0);
    let takes_all = |symbol: &Symbol| symbol.kind.is_callable() || symbol.kind.is_value() || symbol.whole <= SMALL_TYPE;
    // Whoever is shown whole is needed as much as what is in it.
    for (index, symbol) in digest.symbols.iter().enumerate().rev() {
        if let Some(parent) = symbol.parent
            && digest.symbols.get(parent as usize).is_some_and(takes_all)
        {
            needed[parent as usize] = needed[parent as usize].max(needed[index]);
        }
    }
    let mut done: Vec<Done> = Vec::with_capacity(digest.symbols.len());
    let mut signatures = 0.0;
    for (index, symbol) in digest.symbols.iter().enumerate() {
        let parent = symbol.parent.map(|parent| parent as usize);
        let above = parent.and_then(|parent| done.get(parent)).copied();
        let inside =
            matches!(above, Some(Done::Inside)) || parent.is_some_and(|parent| takes_all(&digest.symbols[parent]));
        if inside {
            done.push(Done::Inside);
            continue;
        }
        let before = match above {
            Some(Done::Step(step)) => step,
            _ => frame,
        };
        let place = out.len() as u32;
        done.push(Done::Step(place));
        signatures += symbol.signature as f32;
        let step = |part, after, gain, cost| Step { item: offer.item, part, after: After::Step(after), gain, cost };
        let (gain, at) = (needed[index], index as u32);
        let is_beside = offer.symbols.get(index).is_some_and(SymbolScore::is_beside);
        let rest = symbol.whole.saturating_sub(symbol.signature) as f32;
        let all = takes_all(symbol) && whole;
        if all && rest <= 8.0 {
            out.push(step(
                ExtentPart::Whole(at),
                before,
                gain + signature(gain, is_beside),
                symbol.whole.max(symbol.signature) as f32 + 1.0,
            ));
            continue;
        }
        out.push(step(ExtentPart::Signature(at), before, signature(gain, is_beside), symbol.signature as f32 + 1.0));
        if all {
            out.push(step(ExtentPart::Whole(at), place, gain, rest + 1.0));
        }
    }
    signatures
}
