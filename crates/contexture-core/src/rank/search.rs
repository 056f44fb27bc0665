//! Finds words in the digests of all files, and how rare they are.

use super::RankEntry;
use super::digest::Post;
use super::terms::Term;
use rayon::prelude::*;

/// A word of the question in a symbol, with what of it stands in the functions inside.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// Its place in the question.
    pub term: u32,
    /// `u32::MAX`: outside of all symbols.
    pub symbol: u32,
    pub in_name: bool,
    pub in_signature: u32,
    pub in_doc: u32,
    /// All of it, without and with the functions inside.
    pub own: u32,
    pub all: u32,
}

pub const LOOSE: u32 = u32::MAX;

pub struct TermHits {
    /// For each file, by word and then by symbol.
    pub hits: Vec<Vec<Hit>>,
    /// For each word: in how many files and in how many symbols it stands.
    pub rare: Vec<Rare>,
}

/// What finding a word is worth, the more the fewer there are that have it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rare {
    pub files: u32,
    pub symbols: u32,
    pub in_files: f32,
    pub in_symbols: f32,
}

/// `terms` are sorted, each once.
pub fn search(files: &[RankEntry<'_>], terms: &[Term]) -> TermHits {
    let wanted = Wanted::of(terms);
    let hits: Vec<Vec<Hit>> = files.par_iter().map(|file| in_file(file, &wanted)).collect();
    let mut rare = vec![Rare::default(); terms.len()];
    for hits in &hits {
        for same in hits.chunk_by(|a, b| a.term == b.term) {
            let Some(rare) = rare.get_mut(same[0].term as usize) else { continue };
            rare.files += 1;
            rare.symbols += same.iter().filter(|hit| hit.symbol != LOOSE).count() as u32;
        }
    }
    let symbols: usize = files.iter().filter_map(|file| file.digest).map(|digest| digest.symbols.len()).sum();
    let idf = |all: usize, with: u32| (1.0 + (all as f32 - with as f32 + 0.5) / (with as f32 + 0.5)).ln();
    for one in &mut rare {
        one.in_files = idf(files.len(), one.files);
        one.in_symbols = idf(symbols, one.symbols);
    }
    TermHits { hits, rare }
}

/// The words of the question. All words of all files are held against them, and nearly all of those are none.
struct Wanted<'a> {
    terms: &'a [Term],
    /// A bit for each number that the lowest bits of one of them make: 8 KiB, which stay in the nearest memory.
    bits: Vec<u64>,
}

impl<'a> Wanted<'a> {
    fn of(terms: &'a [Term]) -> Self {
        let mut bits = vec![0; 1 << 10];
        terms.iter().for_each(|term| bits[Self::word(*term)] |= Self::bit(*term));
        Self { terms, bits }
    }

    fn word(term: Term) -> usize {
        (term.0 >> 6 & 0x3ff) as usize
    }

    fn bit(term: Term) -> u64 {
        1 << (term.0 & 63)
    }

    fn find(&self, term: Term) -> Option<u32> {
        let may_be = self.bits[Self::word(term)] & Self::bit(term) != 0;
        may_be.then(|| self.terms.binary_search(&term).ok()).flatten().map(|at| at as u32)
    }
}

fn in_file(file: &RankEntry<'_>, wanted: &Wanted) -> Vec<Hit> {
    let Some(digest) = file.digest else { return Vec::new() };
    let mut hits = Vec::new();
    let mut nested = false;
    digest.each_of(
        |term| wanted.find(term),
        |term, post| {
            let Post { symbol, in_name, in_signature, in_doc, in_code } = post;
            let all = in_signature + in_doc + in_code;
            hits.push(Hit { term, symbol: symbol.unwrap_or(LOOSE), in_name, in_signature, in_doc, own: all, all });
            let mut above = symbol.and_then(|symbol| digest.symbols.get(symbol as usize)?.parent);
            while let Some(outer) = above {
                let outside = digest.symbols.get(outer as usize).filter(|symbol| symbol.kind.is_callable());
                let Some(symbol) = outside else { break };
                hits.push(Hit { term, symbol: outer, in_name: false, in_signature: 0, in_doc: 0, own: 0, all });
                (above, nested) = (symbol.parent, true);
            }
        },
    );
    if nested { merged(hits) } else { hits }
}

/// Adds up what was found in one symbol.
fn merged(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_unstable_by_key(|hit| (hit.term, hit.symbol));
    let mut merged: Vec<Hit> = Vec::with_capacity(hits.len());
    for hit in hits {
        match merged.last_mut().filter(|last| (last.term, last.symbol) == (hit.term, hit.symbol)) {
            Some(last) => {
                last.in_name |= hit.in_name;
                last.in_signature += hit.in_signature;
                last.in_doc += hit.in_doc;
                last.own += hit.own;
                last.all += hit.all;
            }
            None => merged.push(hit),
        }
    }
    merged
}
