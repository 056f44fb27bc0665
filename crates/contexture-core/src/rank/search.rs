//! Finds words in the digests of all files, and how rare they are.

use super::Entry;
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

pub struct Found {
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

pub fn search(files: &[Entry<'_>], terms: &[Term]) -> Found {
    let hits: Vec<Vec<Hit>> = files.par_iter().map(|file| in_file(file, terms)).collect();
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
    Found { hits, rare }
}

fn in_file(file: &Entry<'_>, terms: &[Term]) -> Vec<Hit> {
    let Some(digest) = file.digest else { return Vec::new() };
    let mut hits = Vec::new();
    for (index, term) in terms.iter().enumerate() {
        let from = hits.len();
        let mut nested = false;
        digest.find(*term, |post| {
            let Post { symbol, in_name, in_signature, in_doc, in_code } = post;
            let all = in_signature + in_doc + in_code;
            let term = index as u32;
            hits.push(Hit { term, symbol: symbol.unwrap_or(LOOSE), in_name, in_signature, in_doc, own: all, all });
            let mut above = symbol.and_then(|symbol| digest.symbols.get(symbol as usize)?.parent);
            while let Some(outer) = above {
                let Some(symbol) = digest.symbols.get(outer as usize).filter(|symbol| symbol.kind.is_callable()) else {
                    break;
                };
                hits.push(Hit { term, symbol: outer, in_name: false, in_signature: 0, in_doc: 0, own: 0, all });
                (above, nested) = (symbol.parent, true);
            }
        });
        if nested {
            merge(&mut hits, from);
        }
    }
    hits
}

/// Adds up what was found in one symbol.
fn merge(hits: &mut Vec<Hit>, from: usize) {
    let mut tail = hits.split_off(from);
    tail.sort_by_key(|hit| hit.symbol);
    for hit in tail {
        match hits.get_mut(from..).and_then(|tail| tail.last_mut()).filter(|last| last.symbol == hit.symbol) {
            Some(last) => {
                last.in_name |= hit.in_name;
                last.in_signature += hit.in_signature;
                last.in_doc += hit.in_doc;
                last.own += hit.own;
                last.all += hit.all;
            }
            None => hits.push(hit),
        }
    }
}
