//! Counting tokens: exact counters, the calibrated estimate, and what may be added without recounting.
//!
//! A total is always the count of the bytes sent. It is reached without counting them twice: where two texts meet at a
//! place that every tokenizer of ours must split anyway ([`Counter::joins`]), count(a + b) = count(a) + count(b), and the
//! parts can be remembered by their hash. Where they do not meet so, the joined text is counted.

pub mod estimate;
mod join;
mod message;
mod meter;

pub use estimate::Family;
pub use message::{FRAME, IMAGE};
pub use meter::{Forgetful, Memo, Meter};

use crate::keywords;
use rayon::prelude::*;

/// Something that counts tokens.
pub trait Counter: Send + Sync {
    /// The word that settings choose it by. Counts are remembered under it, so two that count differently have two names.
    fn name(&self) -> &str;
    /// Exact, or an estimate with a stated error.
    fn exact(&self) -> bool;
    /// Tokens of a text, as one piece.
    fn count(&self, text: &str) -> u64;
    /// Whether count(left + right) = count(left) + count(right) is certain. `false` is always right.
    fn joins(&self, left: &str, right: &str) -> bool;
}

/// The counters that are built in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tokenizer {
    /// `o200k_base`, exact.
    O200k,
    /// `cl100k_base`, exact.
    Cl100k,
    /// About as many as a model of this family counts.
    Estimate(Family),
}

keywords!(Tokenizer {
    O200k = "o200k_base",
    Cl100k = "cl100k_base",
    Estimate(Family::Generic) = "estimate",
    Estimate(Family::Claude) = "claude",
    Estimate(Family::Gemini) = "gemini",
});

impl Tokenizer {
    /// Loads the vocabulary (about 0.1 s of work), so that a later count need not wait for it.
    pub fn load(self) {
        self.count("");
    }
}

impl Counter for Tokenizer {
    fn name(&self) -> &str {
        self.as_str()
    }

    fn exact(&self) -> bool {
        !matches!(self, Self::Estimate(_))
    }

    fn count(&self, text: &str) -> u64 {
        match self {
            Self::O200k => exact("o200k_base", text),
            Self::Cl100k => exact("cl100k_base", text),
            Self::Estimate(family) => estimate::estimate_for(text, *family),
        }
    }

    fn joins(&self, left: &str, right: &str) -> bool {
        match self {
            Self::O200k | Self::Cl100k => join::splits_between(left, right),
            // Parts of one block may be estimated one by one; the whole is estimated whole.
            Self::Estimate(_) => true,
        }
    }
}

/// Above this a text is cut at certain splits and counted on all threads. Small enough to balance two threads on a
/// repository with one 5 MB file, large enough that the cuts cost nothing.
const CHUNK: usize = 256 * 1024;

fn exact(encoding: &str, text: &str) -> u64 {
    let Some(bpe) = tiktoken::get_encoding(encoding) else { return text.len() as u64 };
    if text.len() < 2 * CHUNK {
        return bpe.count(text) as u64;
    }
    join::chunks(text, CHUNK).into_par_iter().map(|chunk| bpe.count(chunk) as u64).sum()
}
