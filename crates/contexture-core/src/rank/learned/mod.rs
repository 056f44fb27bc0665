//! A second opinion on the first symbols of a ranking: boosted trees that learned from what public commits and fixes changed.
//!
//! Takes a ranking of the linear rounds; gives its first symbols the probabilities that the trees see. What comes later keeps
//! its own. `docs/quality.md` says what the trees were trained on and how they do on projects they have not seen.

mod traits;
mod trees;

pub use traits::{Candidate, ROW, TRAITS, candidates};

use super::score::{Ranking, softmax};
use rayon::prelude::*;
use std::sync::LazyLock;
use trees::Trees;

/// Made by `lab/src/learn/train.py`; the command is in docs/quality.md.
static TREES: LazyLock<Option<Trees>> = LazyLock::new(|| Trees::read(include_bytes!("trees.bin"), ROW));

/// Gives the candidates the probabilities of the trees. Together they keep what they had.
pub fn judge(candidates: &[Candidate], ranking: &mut Ranking) {
    let Some(trees) = TREES.as_ref() else { return };
    let scores: Vec<f32> = candidates.par_iter().map(|candidate| trees.score(&candidate.row)).collect();
    let share: f32 =
        candidates.iter().map(|one| ranking.symbols[one.file as usize][one.symbol as usize].probability).sum();
    for (one, probability) in candidates.iter().zip(softmax(scores.into_iter())) {
        let symbol = &mut ranking.symbols[one.file as usize][one.symbol as usize];
        let judged = probability * share;
        symbol.learned = (judged.max(f32::MIN_POSITIVE) / symbol.probability.max(f32::MIN_POSITIVE)).ln();
        symbol.probability = judged;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trees_of_this_version_are_for_its_rows() {
        assert!(TREES.is_some());
    }
}
