//! What can speak for a file or a symbol, by name and number, and the weights it is added up with.
//!
//! The weights were fitted to the fixes of 223 issues in six projects so that the changed files and functions come out as
//! early as possible (the softmax of all candidates of an issue is to give them the most); `docs/quality.md` says how well
//! they do on projects that were not among them.

use super::roles::OTHER;
use super::score::{Basis, FileScore, SymbolScore};

macro_rules! parts {
    ($count:ident $names:ident: $($constant:ident $name:literal),* $(,)?) => {
        parts!(@number 0; $($constant)*);
        /// What the parts of a score are called, by their places in it.
        pub const $names: [&str; $count] = [$($name),*];
        pub const $count: usize = parts!(@count $($constant)*);
    };
    (@number $at:expr; $first:ident $($rest:ident)*) => {
        pub const $first: usize = $at;
        parts!(@number $at + 1; $($rest)*);
    };
    (@number $at:expr;) => {};
    (@count) => { 0 };
    (@count $first:ident $($rest:ident)*) => { 1 + parts!(@count $($rest)*) };
}

pub(super) use parts;

parts! { FILE FILE_PARTS:
    F_WORDS "words of the task",
    F_WORDS_LONG "words of the task, whatever its length",
    F_PATH "its path is named",
    F_NAME "its file name is named",
    F_FRAME "in the traceback",
    F_MODULE "its module is named",
    F_PATH_WORDS "words of the task in its path",
    F_BEST "words of the task in its best symbols",
    F_TEST "holds tests",
    F_TEST_MEANT "tests are spoken of",
    F_CODE "a source file",
    F_ASIDE "beside the point",
    F_STEM "its name is a word of the task",
    F_LENGTH "long",
    F_USED "used by other files",
    F_README "a read-me",
    F_MANIFEST "a manifest",
    F_ENTRY "an entry point",
    F_SHALLOW "near the top",
    F_OPEN "being changed",
    F_TOGETHER "changes together with the best files",
    F_RECENT "changed lately",
    F_SAID "commits like the task changed it",
}

parts! { SYMBOL SYMBOL_PARTS:
    WORDS "words of the task",
    WORDS_LONG "words of the task, whatever its length",
    NAME "words of the task in its name",
    SIGNATURE "words of the task in its signature",
    DOC "words of the task in its documentation",
    NAMED "named",
    SCOPED "named with its scope",
    SCOPE_NAMED "its scope is named",
    FRAME "in the traceback",
    IN_FILE "in a file that ranks high",
    TEST "in a test",
    TEST_MEANT "tests are spoken of",
    VALUE "a value",
    CONTAINER "holds others",
    LENGTH "long",
    TITLE_WORDS "words of the task's first line",
    TEXT_WORDS "words of the task's text",
    CODE_WORDS "words of the task's code",
    ASIDE "beside the point",
    PAIRS "words that follow each other in the task",
    LIKE_HITS "words of the best matches",
    USED "used by the best matches",
    USES "uses the best matches",
    USED_BY_TESTS "used by tests that match",
    RANK "place in the first round",
    RANK_IN_FILE "place among its file's symbols",
    FILE_RANK "place of its file",
    ROOT_WORDS "some words",
    ROOT_NAME "some words in the name",
    ROOT_TITLE "some words of the first line",
    ROOT_TEXT "some words of the text",
    ROOT_PAIRS "some pairs of words",
    ROOT_LIKE_HITS "some words of the first hits",
    USED_OUTSIDE "used by other files",
    SHARE "its share of its file",
}

/// Parts of which the first bit says most: their root is a part of its own.
pub const ROOTS: [(usize, usize); 6] = [
    (WORDS, ROOT_WORDS),
    (NAME, ROOT_NAME),
    (TITLE_WORDS, ROOT_TITLE),
    (TEXT_WORDS, ROOT_TEXT),
    (PAIRS, ROOT_PAIRS),
    (LIKE_HITS, ROOT_LIKE_HITS),
];

pub const FILE_WEIGHTS: [f32; FILE] = [
    1.62,
    1.67,
    -0.82,
    2.19,
    1.37,
    0.58,
    1.76,
    3.19,
    -4.00,
    -1.33,
    1.65,
    -1.43,
    0.68,
    1.23,
    0.00,
    0.00,
    0.00,
    0.00,
    0.00,
    BEING_CHANGED,
    CHANGED_TOGETHER,
    0.00,
    SAID,
];

/// Not fitted with the others, whose projects came without a history. A file that is being changed becomes about three times
/// as probable, as by a few words of the task.
const BEING_CHANGED: f32 = 1.0;
/// Of 0, 1, 2 and 3, by 120 commits of six projects and how early their files come for their messages: with 2, those of 26
/// commits come earlier than without and those of 9 later; with 3 it is 26 and 16.
const CHANGED_TOGETHER: f32 = 2.0;
/// Fitted with the others held, to the same fixes with the history before each.
const SAID: f32 = 1.9;

/// Of the first round, which knows nothing of the hits.
pub const FIRST_WEIGHTS: [f32; SYMBOL] = [
    -0.05, 0.79, 1.30, 0.53, -0.69, 0.26, 0.58, 0.53, 0.94, 0.55, -2.96, -0.57, -3.80, -4.04, 2.76, 2.50, 1.63, 0.96,
    0.38, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00,
];

/// Of the second round.
pub const SYMBOL_WEIGHTS: [f32; SYMBOL] = [
    -1.13, -0.46, -0.21, 0.28, -0.13, 0.59, 0.50, 0.28, 0.52, 0.27, -2.01, -0.40, -2.68, -2.42, 0.20, 0.50, 1.03, 0.36,
    0.20, 1.62, 0.42, 0.41, -0.14, -0.74, 0.45, 0.52, -0.04, 0.55, 0.48, -0.47, 0.03, 1.01, 0.30, 0.00, 0.00,
];

/// Where there is no task, parts are shares: of each kind all files together have 1. Chosen by looking at the documents of
/// half a dozen projects, from 2,000 to 32,000 tokens.
pub const FILE_IMPORTANCE: [f32; FILE] = {
    let mut weights = [0.0; FILE];
    weights[F_USED] = 0.40;
    weights[F_README] = 0.15;
    weights[F_MANIFEST] = 0.15;
    weights[F_ENTRY] = 0.15;
    weights[F_SHALLOW] = 0.15;
    // On top of the others, where there is something to say: what is being worked on is a third of the document.
    weights[F_OPEN] = 0.50;
    weights[F_TOGETHER] = 0.15;
    weights[F_RECENT] = 0.05;
    weights
};

/// The same for symbols.
pub const SYMBOL_IMPORTANCE: [f32; SYMBOL] = {
    let mut weights = [0.0; SYMBOL];
    weights[USED_OUTSIDE] = 0.6;
    weights[SHARE] = 0.4;
    weights
};

pub fn dot<const N: usize>(parts: &[f32; N], weights: &[f32; N]) -> f32 {
    parts.iter().zip(weights).map(|(part, weight)| part * weight).sum()
}

/// What made the score of a file, the largest first.
pub fn file_reasons(score: &FileScore, basis: Basis) -> Vec<(&'static str, f64)> {
    match basis {
        Basis::Task => reasons(&score.parts, &FILE_WEIGHTS, &FILE_PARTS),
        Basis::Importance => {
            let mut weights = of_score(FILE_IMPORTANCE, score.score);
            (weights[F_TEST], weights[F_ASIDE]) = (OTHER.ln(), OTHER.ln());
            reasons(&score.parts, &weights, &FILE_PARTS)
        }
    }
}

/// What made the score of a symbol, the largest first: what the first round weighed, and what the second and the trees added to it.
/// The second round weighs the places in the first, so that its weights of words alone would say little.
pub fn symbol_reasons(score: &SymbolScore, basis: Basis) -> Vec<(&'static str, f64)> {
    if basis == Basis::Importance {
        let mut weights = of_score(SYMBOL_IMPORTANCE, score.score);
        (weights[TEST], weights[ASIDE]) = (OTHER.ln(), OTHER.ln());
        return reasons(&score.parts, &weights, &SYMBOL_PARTS);
    }
    let mut weights = FIRST_WEIGHTS;
    weights[PAIRS..RANK].copy_from_slice(&SYMBOL_WEIGHTS[PAIRS..RANK]);
    let mut all = reasons(&score.parts, &weights, &SYMBOL_PARTS);
    if score.learned.abs() >= TELLING {
        all.push((LEARNED, f64::from(score.learned)));
        all.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(b.0)));
    }
    all
}

/// By how much the trees raised or lowered the score.
const LEARNED: &str = "learned from public fixes";
/// Reasons that mean nothing to a reader: they only separate likely candidates.
pub const PLAIN: [&str; 4] = [FILE_PARTS[F_LENGTH], FILE_PARTS[F_CODE], SYMBOL_PARTS[LENGTH], LEARNED];

/// Shares are told as parts of the whole, which is 1.
fn of_score<const N: usize>(weights: [f32; N], score: f32) -> [f32; N] {
    weights.map(|weight| weight / score.max(f32::MIN_POSITIVE))
}

/// Smaller contributions are not told.
const TELLING: f32 = 0.05;

fn reasons<const N: usize>(
    parts: &[f32; N],
    weights: &[f32; N],
    names: &[&'static str; N],
) -> Vec<(&'static str, f64)> {
    let mut all: Vec<(&'static str, f32)> =
        names.iter().zip(parts.iter().zip(weights)).map(|(name, (part, weight))| (*name, part * weight)).collect();
    all.retain(|(_, value)| value.abs() >= TELLING);
    all.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(b.0)));
    all.into_iter().map(|(name, value)| (name, f64::from(value))).collect()
}
