//! From words found to probabilities.

use super::frames::Frame;
use super::learned::{self, Candidate};
use super::parts::*;
use super::paths::{self, Mention};
use super::query::Query;
use super::search::{LOOSE, TermHits, search};
use super::terms::{Term, exact};
use super::{Digest, RankEntry, Symbol, graph, importance, named, pairs, past};
use crate::types::Past;
use contexture_syntax::{Lines, SymbolKind};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// What speaks for a symbol, and how probable it is that the task needs it.
#[derive(Clone, Debug)]
pub struct SymbolScore {
    /// By the places that `SYMBOL_PARTS` names.
    pub parts: [f32; SYMBOL],
    /// The parts added up; only differences mean something.
    pub score: f32,
    /// By how much the trees changed the logarithm of its probability.
    pub learned: f32,
    /// That the task needs it, where all symbols together have 1.
    pub probability: f32,
}

/// What speaks for a file, and how probable it is that the task needs it.
#[derive(Clone, Debug, Default)]
pub struct FileScore {
    /// By the places that `FILE_PARTS` names.
    pub parts: [f32; FILE],
    /// The parts added up; only differences mean something.
    pub score: f32,
    /// That the task needs it, where all files together have 1.
    pub probability: f32,
    /// Its place by probability, from 0.
    pub rank: u32,
}

impl SymbolScore {
    /// A test the task does not speak of, an example, a copy of something.
    pub fn is_beside(&self) -> bool {
        (self.parts[TEST] > 0.0 && self.parts[TEST_MEANT] == 0.0) || self.parts[ASIDE] > 0.0
    }
}

/// For each file in the order they were given, and for each of its symbols.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    pub files: Vec<FileScore>,
    pub symbols: Vec<Vec<SymbolScore>>,
    pub basis: Basis,
    /// Whether any word of the task occurs in any file.
    pub matches: bool,
}

/// What things were ranked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Basis {
    #[default]
    Task,
    /// No task: how important they are to the project.
    Importance,
}

/// Saturation of BM25; the usual value for text.
const K1: f32 = 1.2;
/// The logarithm of a probability that counts as none.
const NEVER: f32 = -14.0;

/// How probable vendored code is, relative to similar code of the project.
const VENDORED: f32 = 0.1;

/// Ranks files and their symbols for a task; without a word in common they are ranked by importance. `known` is what the history
/// of the project says about them, and may be empty.
pub fn rank(query: &Query, files: &[RankEntry<'_>], known: &Past) -> Ranking {
    let (mut ranking, candidates) = linear(query, files, known);
    if !ranking.matches {
        return importance(files, known);
    }
    learned::judge(&candidates, &mut ranking);
    ranking.lower_vendored(files);
    named::raise(query, files, &mut ranking);
    ranking.agree();
    ranking
}

/// How well the words and the path of each file match a task; only differences mean something. Digests need no symbols for it.
pub fn glance(query: &Query, files: &[RankEntry<'_>]) -> Vec<f32> {
    let terms: Vec<Term> = query.terms.iter().map(|(term, _)| *term).collect();
    let found = search(files, &terms);
    let context = Context {
        query,
        found: &found,
        norms: Norms::of(files),
        names: BTreeMap::new(),
        frames: paths::frames(query, files),
    };
    let scores = files.par_iter().enumerate().map(|(index, file)| context.parts(file, index).0).collect();
    let mut ranking = Ranking { files: scores, ..Ranking::default() };
    ranking.scale(&[], &[F_WORDS, F_WORDS_LONG, F_PATH_WORDS]);
    ranking.files.iter().map(|file| dot(&file.parts, &FILE_WEIGHTS)).collect()
}

/// The ranking of the linear rounds, and its first symbols as the trees see them.
pub fn linear(query: &Query, files: &[RankEntry<'_>], known: &Past) -> (Ranking, Vec<Candidate>) {
    let terms: Vec<Term> = query.terms.iter().map(|(term, _)| *term).collect();
    let found = search(files, &terms);
    let context = Context {
        query,
        found: &found,
        norms: Norms::of(files),
        names: name_counts(query, files),
        frames: paths::frames(query, files),
    };
    let mut ranking = Ranking { matches: found.rare.iter().any(|rare| rare.files > 0), ..Ranking::default() };
    let raw: Vec<(FileScore, Vec<SymbolScore>)> =
        files.par_iter().enumerate().map(|(index, file)| context.parts(file, index)).collect();
    (ranking.files, ranking.symbols) = raw.into_iter().unzip();
    ranking.scale(
        &[WORDS, WORDS_LONG, NAME, SIGNATURE, DOC, TITLE_WORDS, TEXT_WORDS, CODE_WORDS],
        &[F_WORDS, F_WORDS_LONG, F_PATH_WORDS],
    );
    let history = past::CommitHistory::of(known, files);
    past::remember(&history, query, &mut ranking);
    let is_meant = |file: &FileScore| (F_PATH..=F_PATH_WORDS).chain([F_SAID]).any(|part| file.parts[part] > 0.0);
    ranking.matches |= ranking.files.iter().any(is_meant);
    ranking.weigh_symbols(&FIRST_WEIGHTS);
    graph::second_round(files, &mut ranking);
    pairs::look_again(query, files, &mut ranking);
    ranking.scale(&[PAIRS, LIKE_HITS, USED, USES, USED_BY_TESTS], &[]);
    ranking.derive();
    ranking.weigh_symbols(&SYMBOL_WEIGHTS);
    ranking.agree();
    let candidates = learned::candidates(query, files, &found, &history, &ranking);
    (ranking, candidates)
}

impl Ranking {
    /// Several rankings as one, each with the places of its files. What one of them was ranked for counts for all: one for the task
    /// before one by importance. One of no files has nothing in common with a task, and says nothing.
    pub fn merged<'a>(files: usize, parts: impl IntoIterator<Item = (&'a Vec<usize>, Self)>) -> Self {
        let mut all = Self::default();
        all.files.resize_with(files, FileScore::default);
        all.symbols.resize_with(files, Vec::new);
        let mut is_first = true;
        for (places, part) in parts.into_iter().filter(|(places, _)| !places.is_empty()) {
            for ((place, file), symbols) in places.iter().zip(part.files).zip(part.symbols) {
                (all.files[*place], all.symbols[*place]) = (file, symbols);
            }
            if is_first || part.basis == Basis::Task {
                all.basis = part.basis;
            }
            is_first = false;
            all.matches |= part.matches;
        }
        all
    }

    /// Divides parts by the largest of their kind, so that tasks of all lengths are weighed alike.
    fn scale(&mut self, symbols: &[usize], files: &[usize]) {
        for part in files {
            let top = self.files.iter().map(|file| file.parts[*part]).fold(f32::EPSILON, f32::max);
            self.files.iter_mut().for_each(|file| file.parts[*part] /= top);
        }
        let larger = |mut tops: [f32; SYMBOL], parts: &[f32; SYMBOL]| {
            symbols.iter().for_each(|part| tops[*part] = tops[*part].max(parts[*part]));
            tops
        };
        let least = || [f32::EPSILON; SYMBOL];
        let of_file = |file: &Vec<SymbolScore>| file.iter().map(|symbol| &symbol.parts).fold(least(), larger);
        let tops = self.symbols.par_iter().map(of_file).reduce(least, |a, b| larger(a, &b));
        self.symbols.par_iter_mut().flatten_iter().for_each(|symbol| {
            symbols.iter().for_each(|part| symbol.parts[*part] /= tops[*part]);
        });
    }

    pub(super) fn weigh_files(&mut self) {
        self.files.par_iter_mut().zip(&self.symbols).for_each(|(file, symbols)| {
            file.parts[F_BEST] = best(symbols.iter().map(|symbol| symbol.parts[WORDS]));
            file.score = dot(&file.parts, &FILE_WEIGHTS);
        });
        let probabilities = softmax(self.files.iter().map(|file| file.score));
        for ((file, symbols), probability) in self.files.iter_mut().zip(&mut self.symbols).zip(probabilities) {
            file.probability = probability;
            symbols.iter_mut().for_each(|symbol| symbol.parts[IN_FILE] = probability.ln().max(NEVER));
        }
    }

    /// File and symbol of the highest scores, the best first; of equal ones the earlier first.
    pub(super) fn first(&self, count: usize) -> Vec<(usize, usize)> {
        let mut all: Vec<(f32, usize, usize)> = Vec::new();
        for (file, scores) in self.symbols.iter().enumerate() {
            all.extend(scores.iter().enumerate().map(|(symbol, one)| (one.score, file, symbol)));
        }
        let order =
            |a: &(f32, usize, usize), b: &(f32, usize, usize)| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2)));
        if all.len() > count {
            all.select_nth_unstable_by(count, order);
            all.truncate(count);
        }
        all.sort_by(order);
        all.into_iter().map(|(_, file, symbol)| (file, symbol)).collect()
    }

    fn weigh_symbols(&mut self, weights: &[f32; SYMBOL]) {
        let weigh = |symbol: &mut SymbolScore| symbol.score = dot(&symbol.parts, weights);
        self.symbols.par_iter_mut().flatten_iter().for_each(weigh);
        let probabilities = softmax(self.symbols.iter().flatten().map(|symbol| symbol.score));
        for (symbol, probability) in self.symbols.iter_mut().flatten().zip(probabilities) {
            symbol.probability = probability;
        }
    }

    /// Parts that follow from others: places in the first round, and roots.
    fn derive(&mut self) {
        let place = |rank: u32, from: f32| -(rank as f32 + from).ln();
        let files = ranks(self.files.iter().map(|file| file.score));
        let all = ranks(self.symbols.iter().flatten().map(|symbol| symbol.score));
        let mut rest = all.as_slice();
        let by_file: Vec<&[u32]> =
            self.symbols.iter().map(|symbols| rest.split_off(..symbols.len()).unwrap_or_default()).collect();
        self.symbols.par_iter_mut().zip(files).zip(by_file).for_each(|((symbols, file), all)| {
            let in_file = ranks(symbols.iter().map(|symbol| symbol.score));
            for ((symbol, in_file), rank) in symbols.iter_mut().zip(in_file).zip(all) {
                symbol.parts[RANK] = place(*rank, 3.0);
                symbol.parts[RANK_IN_FILE] = place(in_file, 2.0);
                symbol.parts[FILE_RANK] = place(file, 3.0);
                ROOTS.iter().for_each(|(part, root)| symbol.parts[*root] = symbol.parts[*part].max(0.0).sqrt());
            }
        });
    }

    /// Vendored code is seldom what a task is about, however well its words match, unless the task names the file.
    fn lower_vendored(&mut self, files: &[RankEntry<'_>]) {
        for ((entry, score), symbols) in files.iter().zip(&self.files).zip(&mut self.symbols) {
            let is_named = [F_PATH, F_NAME, F_FRAME, F_MODULE].iter().any(|part| score.parts[*part] > 0.0);
            if paths::is_vendored(entry.path) && !is_named {
                symbols.iter_mut().for_each(|symbol| symbol.probability *= VENDORED);
            }
        }
    }

    /// A file is also needed for its symbols, which say twice as much as the words of the whole file: of 1, 2 and 3 times on 60 tasks,
    /// 2 puts the changed files among the first 5 most often.
    fn agree(&mut self) {
        let own = softmax(self.files.iter().map(|file| file.score));
        for ((file, symbols), own) in self.files.iter_mut().zip(&self.symbols).zip(own) {
            let inside: f32 = symbols.iter().map(|symbol| symbol.probability).sum();
            file.probability = (own + 2.0 * inside) / 3.0;
        }
        let ranks = ranks(self.files.iter().map(|file| file.probability));
        self.files.iter_mut().zip(ranks).for_each(|(file, rank)| file.rank = rank);
    }
}

/// The place of each score, the highest first; of equal ones the earlier first.
pub(super) fn ranks(scores: impl Iterator<Item = f32>) -> Vec<u32> {
    // A score as a number that is the smaller the higher it is, then its index: sorted as one.
    let falling = |score: f32| {
        let bits = score.to_bits();
        if bits >> 31 == 0 { !bits & 0x7fff_ffff } else { bits }
    };
    let mut order: Vec<u64> =
        scores.enumerate().map(|(index, score)| u64::from(falling(score)) << 32 | index as u64).collect();
    order.sort_unstable();
    let mut ranks = vec![0; order.len()];
    for (rank, index) in order.into_iter().enumerate() {
        ranks[index as u32 as usize] = rank as u32;
    }
    ranks
}

/// The three highest, weighed: one good hit says most.
fn best(scores: impl Iterator<Item = f32>) -> f32 {
    let mut best = [0.0f32; 3];
    for score in scores {
        if score > best[2] {
            best[2] = score;
            if best[2] > best[1] {
                best.swap(1, 2);
            }
            if best[1] > best[0] {
                best.swap(0, 1);
            }
        }
    }
    best.iter().zip([0.6, 0.3, 0.1]).map(|(score, weight)| score * weight).sum()
}

pub(super) fn softmax(scores: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut scores: Vec<f32> = scores.collect();
    let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    scores.par_iter_mut().for_each(|score| *score = (*score - top).exp());
    // In one order, so that the number of threads decides nothing.
    let sum: f64 = scores.iter().copied().map(f64::from).sum();
    scores.iter_mut().for_each(|score| *score = (f64::from(*score) / sum) as f32);
    scores
}

/// Mean lengths in words.
struct Norms {
    file: f32,
    symbol: f32,
    signature: f32,
    doc: f32,
}

impl Norms {
    fn of(files: &[RankEntry<'_>]) -> Self {
        let (mut symbols, mut sums, mut all) = (1.0, [0.0f64; 3], 0.0);
        for digest in files.iter().filter_map(|file| file.digest) {
            for symbol in &digest.symbols {
                symbols += 1.0;
                for (sum, words) in sums.iter_mut().zip(symbol.words) {
                    *sum += f64::from(words);
                }
            }
            all += f64::from(digest.loose);
        }
        let total: f64 = sums.iter().sum();
        let mean = |sum: f64| ((sum / symbols) as f32).max(1.0);
        let file = (((total + all) / files.len().max(1) as f64) as f32).max(1.0);
        Self { file, symbol: mean(total), signature: mean(sums[0]), doc: mean(sums[1]) }
    }
}

/// How many symbols share each name that the task says.
fn name_counts(query: &Query, files: &[RankEntry<'_>]) -> BTreeMap<Term, u32> {
    let mut counts = BTreeMap::new();
    for symbol in files.iter().filter_map(|file| file.digest).flat_map(|digest| &digest.symbols) {
        if query.names.contains_key(&symbol.exact) {
            *counts.entry(symbol.exact).or_default() += 1;
        }
    }
    counts
}

/// What all files are compared with.
struct Context<'a> {
    query: &'a Query,
    found: &'a TermHits,
    norms: Norms,
    names: BTreeMap<Term, u32>,
    /// By the places of the files they mean.
    frames: BTreeMap<usize, Vec<&'a Frame>>,
}

impl Context<'_> {
    fn parts(&self, file: &RankEntry<'_>, index: usize) -> (FileScore, Vec<SymbolScore>) {
        let blank = Digest::default();
        let digest = file.digest.unwrap_or(&blank);
        let lengths = lengths(digest);
        let mut symbols = vec![
            SymbolScore { parts: [0.0; SYMBOL], score: 0.0, learned: 0.0, probability: 0.0 };
            digest.symbols.len()
        ];
        let mut whole = FileScore { parts: [0.0; FILE], score: 0.0, probability: 0.0, rank: 0 };
        let words = digest.loose + digest.symbols.iter().map(|symbol| symbol.words.iter().sum::<u32>()).sum::<u32>();
        self.words(index, digest, &lengths, words, &mut whole, &mut symbols);
        self.mentions(file.path, digest, &mut whole, &mut symbols);
        self.frames(index, file.text, digest, &mut whole, &mut symbols);
        let yes = |is: bool| if is { 1.0 } else { 0.0 };
        let (test, aside) = (yes(paths::is_test(file.path)), yes(paths::is_aside(file.path)));
        whole.parts[F_TEST] = test;
        whole.parts[F_TEST_MEANT] = test * yes(self.query.of_tests);
        whole.parts[F_CODE] = yes(!digest.symbols.is_empty());
        whole.parts[F_ASIDE] = aside;
        whole.parts[F_LENGTH] = (words as f32).ln_1p() / 10.0;
        let tests = in_tests(digest);
        for (((symbol, score), length), is_test) in digest.symbols.iter().zip(&mut symbols).zip(lengths).zip(tests) {
            let test = test.max(yes(is_test));
            score.parts[TEST] = test;
            score.parts[TEST_MEANT] = test * yes(self.query.of_tests);
            score.parts[VALUE] = yes(symbol.kind.is_value());
            score.parts[CONTAINER] = yes(!symbol.kind.is_value() && !symbol.kind.is_callable());
            score.parts[LENGTH] = (length as f32).ln_1p() / 8.0;
            score.parts[ASIDE] = aside;
        }
        (whole, symbols)
    }

    /// BM25 over files and over symbols, by field and by where the task says the word.
    fn words(
        &self,
        index: usize,
        digest: &Digest,
        lengths: &[u32],
        words: u32,
        whole: &mut FileScore,
        scores: &mut [SymbolScore],
    ) {
        let hits = self.found.hits.get(index).map_or(&[][..], Vec::as_slice);
        for same in hits.chunk_by(|a, b| a.term == b.term) {
            let term = same[0].term as usize;
            let (Some((_, weight)), Some(rare)) = (self.query.terms.get(term), self.found.rare.get(term)) else {
                continue;
            };
            let zones = self.query.zones.get(term).copied().unwrap_or_default();
            let mut times = 0;
            for hit in same {
                times += hit.own;
                let at = hit.symbol as usize;
                let Some(score) = scores.get_mut(at).filter(|_| hit.symbol != LOOSE) else { continue };
                let symbol = &digest.symbols[at];
                let length = lengths[at] as f32 / self.norms.symbol;
                let value = weight * rare.in_symbols;
                let once = saturated(hit.all, length, 0.6);
                score.parts[WORDS] += value * once;
                score.parts[WORDS_LONG] += value * saturated(hit.all, length, 0.3);
                score.parts[NAME] += if hit.in_name { value } else { 0.0 };
                score.parts[SIGNATURE] +=
                    value * saturated(hit.in_signature, symbol.words[0] as f32 / self.norms.signature, 0.5);
                score.parts[DOC] += value * saturated(hit.in_doc, symbol.words[1] as f32 / self.norms.doc, 0.5);
                for (part, said) in [TITLE_WORDS, TEXT_WORDS, CODE_WORDS].into_iter().zip(zones) {
                    score.parts[part] += said * rare.in_symbols * once;
                }
            }
            let length = words as f32 / self.norms.file;
            whole.parts[F_WORDS] += weight * rare.in_files * saturated(times, length, 0.75);
            whole.parts[F_WORDS_LONG] += weight * rare.in_files * saturated(times, length, 0.3);
        }
    }

    /// What the task names: paths, modules, symbols, frames.
    fn mentions(&self, path: &str, digest: &Digest, whole: &mut FileScore, scores: &mut [SymbolScore]) {
        let query = self.query;
        let said = paths::mention(path, query);
        let Mention { path: by_path, name, module, stem } = said;
        for (part, value) in [(F_PATH, by_path), (F_NAME, name), (F_MODULE, module), (F_STEM, stem)] {
            whole.parts[part] = value;
        }
        paths::words(path, |term| {
            if let Ok(at) = query.terms.binary_search_by_key(&term, |(term, _)| *term) {
                whole.parts[F_PATH_WORDS] += self.found.rare.get(at).map_or(0.0, |rare| rare.in_files);
            }
        });
        // A name that many share says little about each.
        let said = |name: &Term| match (query.names.get(name), self.names.get(name)) {
            (Some(looks), Some(count)) => looks / (*count as f32).sqrt(),
            _ => 0.0,
        };
        for (symbol, score) in digest.symbols.iter().zip(scores) {
            let parent = symbol.parent.and_then(|parent| digest.symbols.get(parent as usize));
            score.parts[NAMED] = said(&symbol.exact);
            score.parts[SCOPE_NAMED] = parent.map_or(0.0, |parent| said(&parent.exact));
            let scoped = |two: &[Term]| two[1] == symbol.exact && parent.is_some_and(|parent| parent.exact == two[0]);
            score.parts[SCOPED] =
                if query.dotted.iter().any(|dotted| dotted.windows(2).any(scoped)) { 1.0 } else { 0.0 };
        }
    }

    /// What the tracebacks of the task say of a file: each frame means the symbols with its function's name, and the innermost one
    /// around its line.
    fn frames(
        &self,
        index: usize,
        text: Option<&str>,
        digest: &Digest,
        whole: &mut FileScore,
        scores: &mut [SymbolScore],
    ) {
        let Some(frames) = self.frames.get(&index) else { return };
        let lines = text.map(Lines::of);
        let around = |line: u32| {
            let (text, lines) = (text?, lines.as_ref()?);
            let row = (line as usize).checked_sub(1)?;
            let indent = lines.row(text, row).bytes().take_while(u8::is_ascii_whitespace).count();
            let at = lines.first_byte(row) as usize + indent;
            // Of the symbols around it, the innermost begins last.
            let is_around = |symbol: &Symbol| (symbol.span.start as usize..symbol.span.end as usize).contains(&at);
            digest.symbols.iter().rposition(is_around)
        };
        for frame in frames {
            whole.parts[F_FRAME] = whole.parts[F_FRAME].max(frame.near);
            let by_line = frame.line.and_then(around);
            for (at, (symbol, score)) in digest.symbols.iter().zip(scores.iter_mut()).enumerate() {
                let is_named = frame.function.map(|function| function == symbol.exact);
                let is_around = frame.line.map(|_| by_line == Some(at));
                let sure = match (is_named, is_around) {
                    (Some(true), Some(true) | None) | (None, Some(true)) => 1.0,
                    (Some(true), _) | (_, Some(true)) => HALF_A_FRAME,
                    _ => continue,
                };
                score.parts[FRAME] = score.parts[FRAME].max(sure * frame.near);
            }
        }
    }
}

/// What a frame says of a symbol that has its name or its line, but not both: the line may be of another version of the file, and
/// several functions may have the name.
const HALF_A_FRAME: f32 = 0.7;

/// Which symbols are tests inside of a source: those in a module that is called so.
pub(super) fn in_tests(digest: &Digest) -> Vec<bool> {
    let names = ["tests", "test"].map(exact);
    let mut is: Vec<bool> = Vec::with_capacity(digest.symbols.len());
    for symbol in &digest.symbols {
        let above = symbol.parent.and_then(|parent| is.get(parent as usize)).copied();
        is.push(above == Some(true) || (symbol.kind == SymbolKind::Module && names.contains(&symbol.exact)));
    }
    is
}

/// Words of each symbol, with those of the functions in it.
pub(super) fn lengths(digest: &Digest) -> Vec<u32> {
    let mut lengths: Vec<u32> = digest.symbols.iter().map(|symbol| symbol.words.iter().sum()).collect();
    for (index, symbol) in digest.symbols.iter().enumerate().rev() {
        let Some(parent) = symbol.parent else { continue };
        if digest.symbols.get(parent as usize).is_some_and(|parent| parent.kind.is_callable()) {
            lengths[parent as usize] += lengths[index];
        }
    }
    lengths
}

/// How much the repetition of a word says, in a text that is `length` times as long as others.
pub(super) fn saturated(times: u32, length: f32, correction: f32) -> f32 {
    let times = times as f32;
    times * (K1 + 1.0) / (times + K1 * (1.0 - correction + correction * length))
}
