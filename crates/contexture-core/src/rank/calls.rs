//! Which functions and types of the project the most probable bodies call.
//!
//! Takes a ranking and the texts it is of; gives for each called symbol how probable the most probable of its callers is. A name means
//! a definition of the same file, else the only definition of the project.

use super::RankEntry;
use super::score::Ranking;
use super::terms::{self, Term};
use std::collections::BTreeMap;

/// How many bodies are looked at: about as many as 16,000 tokens show.
const LOOKED_AT: usize = 120;

/// For each file, by the place of the symbol.
pub fn calls(files: &[RankEntry<'_>], ranking: &Ranking) -> Vec<BTreeMap<u32, f32>> {
    let mut called = vec![BTreeMap::new(); files.len()];
    let mut callers: Vec<(f32, usize, usize)> = Vec::new();
    let mut places: BTreeMap<Term, Vec<(usize, u32)>> = BTreeMap::new();
    for (file, entry) in files.iter().enumerate() {
        let Some(digest) = entry.digest else { continue };
        for (index, symbol) in digest.symbols.iter().enumerate().filter(|(_, symbol)| !symbol.kind.is_value()) {
            places.entry(symbol.exact).or_default().push((file, index as u32));
            if symbol.kind.is_callable() {
                callers.push((ranking.symbols[file][index].probability, file, index));
            }
        }
    }
    let order =
        |a: &(f32, usize, usize), b: &(f32, usize, usize)| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2)));
    callers.sort_by(order);
    for (probability, file, index) in callers.into_iter().take(LOOKED_AT) {
        let Some((digest, text)) = files[file].digest.zip(files[file].text) else { continue };
        let body = digest.symbols[index].span.of(text);
        terms::words(body, |word| {
            let at = word.as_ptr() as usize - body.as_ptr() as usize;
            if !body[at + word.len()..].starts_with('(') {
                return;
            }
            let Some(known) = places.get(&terms::exact(word)) else { return };
            // A method of a plain name may be one of another library.
            let is_plain = body[..at].ends_with('.') && !terms::is_compound(word);
            let in_file: Vec<&(usize, u32)> = known.iter().filter(|place| place.0 == file).collect();
            let meant = match (in_file.as_slice(), known.as_slice()) {
                ([one], _) => **one,
                ([], [one]) if !is_plain => *one,
                _ => return,
            };
            if meant != (file, index as u32) {
                let most = called[meant.0].entry(meant.1).or_insert(0.0f32);
                *most = most.max(probability);
            }
        });
    }
    called
}
