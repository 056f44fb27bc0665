//! Who uses whom: a walk from files to the definitions whose names they say, and on from there.
//!
//! Takes digests and how much each file counts as a beginning; gives how much of the walk passes each file and each symbol.
//! A name leads to all that share it, so nothing is ever multiplied out: each step costs as much as there are postings.

use super::RankEntry;
use super::terms::{self, Term};
use contexture_syntax::SymbolKind;
use rayon::prelude::*;

/// How often the walk goes on; after a few steps the order no longer changes.
const STEPS: usize = 6;
/// How much goes on at each step; the rest begins anew. The usual value.
const DAMPING: f32 = 0.85;
/// A name that more share than this is a word, not a name.
const NAMESAKES: usize = 24;
/// A plain word inside of code is mostly a variable; at the top of a file, where imports stand, it is mostly a name.
const PLAIN: f32 = 0.06;
const IMPORTED: f32 = 0.6;
/// Stands for the file itself, where a symbol is meant.
pub const WHOLE_FILE: u32 = u32::MAX;

pub struct Uses {
    /// How much of the walk comes to each file from others.
    pub files: Vec<f32>,
    /// How much comes to each symbol by its name.
    pub symbols: Vec<Vec<f32>>,
}

/// Something that a name can mean.
pub struct Definition {
    pub term: Term,
    pub file: u32,
    pub symbol: u32,
    pub compound: bool,
}

/// `begin` is for each file what share of the walk begins there, before it is made to sum up to 1.
pub fn uses(files: &[RankEntry<'_>], begin: &[f32]) -> Uses {
    let definitions = definitions(files);
    let names = Names::of(&definitions);
    let edges: Vec<Vec<(u32, f32)>> =
        files.par_iter().enumerate().map(|(index, file)| edges(index, file, &names, &definitions)).collect();
    let total = begin.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    let begin: Vec<f32> = begin.iter().map(|one| one / total).collect();
    // How the mass of a name is shared: by how much the files that define it count.
    let shares: Vec<f32> = names
        .ranges
        .iter()
        .flat_map(|range| {
            let group = &definitions[range.0 as usize..range.1 as usize];
            let sum: f32 = group.iter().map(|one| begin[one.file as usize]).sum();
            group.iter().map(move |one| (one.file, sum))
        })
        .map(|(file, sum)| if sum > 0.0 { begin[file as usize] / sum } else { 0.0 })
        .collect();
    let mut here = begin.clone();
    let mut mass = vec![0.0f32; names.ranges.len()];
    for _ in 0..STEPS {
        mass.fill(0.0);
        let mut lost = 0.0;
        for (edges, here) in edges.iter().zip(&here) {
            if edges.is_empty() {
                lost += here;
            }
            edges.iter().for_each(|(name, weight)| mass[*name as usize] += here * weight);
        }
        let anew = 1.0 - DAMPING + DAMPING * lost;
        here.iter_mut().zip(&begin).for_each(|(here, begin)| *here = anew * begin);
        names.each(&definitions, |name, at, one| here[one.file as usize] += DAMPING * mass[name] * shares[at]);
    }
    let mut came = vec![0.0; files.len()];
    let mut symbols: Vec<Vec<f32>> =
        files.iter().map(|file| vec![0.0; file.digest.map_or(0, |digest| digest.symbols.len())]).collect();
    names.each(&definitions, |name, at, one| {
        came[one.file as usize] += mass[name] * shares[at];
        if let Some(symbol) = symbols[one.file as usize].get_mut(one.symbol as usize) {
            *symbol = mass[name] * shares[at];
        }
    });
    Uses { files: came, symbols }
}

/// All that can be meant by a name, sorted by it: types and functions, and files by theirs.
pub fn definitions(files: &[RankEntry<'_>]) -> Vec<Definition> {
    let mut all = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let Some(digest) = file.digest.filter(|digest| !digest.symbols.is_empty()) else { continue };
        let file_index = index as u32;
        let stem = module_name(file.path);
        all.push(Definition { term: terms::first(stem), file: file_index, symbol: WHOLE_FILE, compound: false });
        for (at, symbol) in digest.symbols.iter().enumerate() {
            // Values are plain words mostly, and these kinds repeat the name of something else.
            if symbol.kind.is_value() || is_echo(symbol.kind) {
                continue;
            }
            all.push(Definition { term: symbol.name, file: file_index, symbol: at as u32, compound: symbol.compound });
        }
    }
    all.sort_unstable_by_key(|one| (one.term, one.file, one.symbol));
    all
}

fn is_echo(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Impl | SymbolKind::Extension | SymbolKind::Namespace | SymbolKind::Module | SymbolKind::Variant
    )
}

/// What others call a file when they import it: its name, or its folder's where the name says nothing.
fn module_name(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or(path);
    match name.split('.').next().unwrap_or(name) {
        stem @ ("__init__" | "mod" | "index" | "lib" | "main") => parts.next().unwrap_or(stem),
        stem => stem,
    }
}

/// The names that few enough share, to be found by number.
struct Names {
    /// Of each name, where its definitions begin and end.
    ranges: Vec<(u32, u32)>,
    terms: Vec<Term>,
    /// Where the names begin whose numbers begin with these sixteen bits.
    buckets: Vec<u32>,
}

impl Names {
    fn of(definitions: &[Definition]) -> Self {
        let mut names = Self { ranges: Vec::new(), terms: Vec::new(), buckets: vec![0; (1 << 16) + 1] };
        let mut at = 0;
        for same in definitions.chunk_by(|a, b| a.term == b.term) {
            if same.len() <= NAMESAKES {
                names.ranges.push((at, at + same.len() as u32));
                names.terms.push(same[0].term);
                names.buckets[(same[0].term.0 >> 16) as usize + 1] += 1;
            }
            at += same.len() as u32;
        }
        let mut sum = 0;
        for bucket in &mut names.buckets {
            sum += *bucket;
            *bucket = sum;
        }
        names
    }

    fn find(&self, term: Term) -> Option<u32> {
        let bucket = (term.0 >> 16) as usize;
        let (from, to) = (self.buckets[bucket], self.buckets[bucket + 1]);
        let within = self.terms[from as usize..to as usize].binary_search(&term).ok()?;
        Some(from + within as u32)
    }

    /// Every definition with its name's number and its own place among those that are called with one.
    fn each(&self, definitions: &[Definition], mut found: impl FnMut(usize, usize, &Definition)) {
        let mut at = 0;
        for (name, (from, to)) in self.ranges.iter().enumerate() {
            for one in &definitions[*from as usize..*to as usize] {
                found(name, at, one);
                at += 1;
            }
        }
    }
}

/// The names that a file says and does not define, with weights that sum up to 1. Prose says names too, but there a plain
/// word is a word.
fn edges(index: usize, file: &RankEntry<'_>, names: &Names, definitions: &[Definition]) -> Vec<(u32, f32)> {
    let Some(digest) = file.digest else { return Vec::new() };
    let is_prose = digest.symbols.is_empty();
    let mut edges: Vec<(u32, f32)> = Vec::new();
    let known = |term| {
        let name = names.find(term)?;
        let (from, to) = names.ranges[name as usize];
        let group = &definitions[from as usize..to as usize];
        let is_own = group.iter().any(|one| one.file as usize == index);
        let compound = group.iter().any(|one| one.compound);
        (!is_own && (compound || !is_prose)).then_some((name, compound, group.len()))
    };
    digest.each_of(known, |(name, compound, namesakes), post| {
        let times = (post.in_signature + post.in_code).min(4) as f32;
        let looks = match (compound, post.symbol) {
            (true, _) => 1.0,
            (false, None) => IMPORTED,
            (false, Some(_)) => PLAIN,
        };
        let weight = looks * times.sqrt() / namesakes as f32;
        match edges.last_mut().filter(|last| last.0 == name) {
            // A name is said in many functions of a file, or in one: that matters less than that it is said.
            Some(last) => last.1 = last.1.max(weight) + 0.2 * last.1.min(weight),
            None => edges.push((name, weight)),
        }
    });
    edges.retain(|edge| edge.1 > 0.0);
    let sum = edges.iter().map(|edge| edge.1).sum::<f32>().max(f32::MIN_POSITIVE);
    edges.iter_mut().for_each(|edge| edge.1 /= sum);
    edges
}
