//! The baseline: whole files in BM25 order, packed until the budget is full.
//!
//! Takes a project, a query and a budget; gives a document. It is told the language of the task and leaves tests out, so it
//! has an advantage over a program that must find out. No syntax, no graph, no history: words alone.

use super::gold::{is_test_path, key};
use super::project::Project;
use contexture_core::{Counter, Tokenizer};
use contexture_syntax as syntax;
use std::collections::BTreeMap;

/// The usual constants.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// A token of source is seldom longer than this many bytes: a longer file cannot fit and is not counted.
const LONGEST_TOKEN: u64 = 12;
/// So many files in a row that do not fit end the search.
const MISSES: usize = 200;

/// The sources of a language that are not tests, best first.
pub fn ranked<'a>(project: &'a Project, language: &str, query: &str) -> Vec<&'a (String, String)> {
    let files: Vec<&(String, String)> = project
        .sources
        .iter()
        .filter(|(path, text)| syntax::language_of(path, text).is_some_and(|found| key(found) == language))
        .filter(|(path, _)| !is_test_path(path))
        .collect();
    let scores = scores(query, &files);
    let mut order: Vec<(f64, &(String, String))> = scores.into_iter().zip(files).collect();
    order.sort_by(|(a, left), (b, right)| b.total_cmp(a).then_with(|| left.0.cmp(&right.0)));
    order.into_iter().map(|(_, file)| file).collect()
}

/// Files in their order while they fit; those that do not fit are passed over.
pub fn pack(ranked: &[&(String, String)], budget: u64) -> String {
    let (mut pieces, mut used, mut misses) = (Vec::new(), 0, 0);
    for (path, text) in ranked.iter().filter(|(_, text)| (text.len() as u64) < budget * LONGEST_TOKEN) {
        let piece = format!("## {path}\n{text}\n");
        let tokens = Tokenizer::O200k.count(&piece);
        if used + tokens <= budget {
            used += tokens;
            pieces.push(piece);
            misses = 0;
        } else {
            misses += 1;
        }
        if misses > MISSES {
            break;
        }
    }
    // Pieces may count a little more together than one by one.
    let mut text = pieces.concat();
    while Tokenizer::O200k.count(&text) > budget && pieces.pop().is_some() {
        text = pieces.concat();
    }
    text
}

/// The words of a text: parts of identifiers between underscores and at changes of case, in small letters.
pub fn words(text: &str, mut each: impl FnMut(&str)) {
    let mut word = String::new();
    let mut chars = text.chars().peekable();
    let mut last = ' ';
    while let Some(c) = chars.next() {
        // `aB` is two words, and `HTTPServer` is `http` and `server`.
        let next_is_small = chars.peek().is_some_and(|next| next.is_lowercase());
        let begins = c.is_uppercase() && (!last.is_uppercase() || next_is_small);
        if !word.is_empty() && (begins || !c.is_alphanumeric()) {
            each(&word);
            word.clear();
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        last = c;
    }
    if !word.is_empty() {
        each(&word);
    }
}

/// One score for each file. The path counts as text of the file.
fn scores(query: &str, files: &[&(String, String)]) -> Vec<f64> {
    let mut asked: BTreeMap<String, f64> = BTreeMap::new();
    words(query, |word| *asked.entry(word.to_owned()).or_default() += 1.0);
    let numbers: BTreeMap<&str, usize> =
        asked.keys().enumerate().map(|(number, word)| (word.as_str(), number)).collect();
    let mut lengths = Vec::new();
    let mut counts: Vec<BTreeMap<usize, f64>> = Vec::new();
    let mut holders = vec![0.0_f64; numbers.len()];
    for (path, text) in files {
        let (mut length, mut count) = (0.0_f64, BTreeMap::new());
        let mut each = |word: &str| {
            length += 1.0;
            if let Some(number) = numbers.get(word) {
                *count.entry(*number).or_default() += 1.0;
            }
        };
        words(path, &mut each);
        words(text, &mut each);
        for number in count.keys() {
            holders.iter_mut().skip(*number).take(1).for_each(|holders| *holders += 1.0);
        }
        lengths.push(length);
        counts.push(count);
    }
    let all = files.len() as f64;
    let mean = (lengths.iter().sum::<f64>() / all.max(1.0)).max(1.0);
    let weights: Vec<f64> = asked
        .values()
        .zip(&holders)
        .map(|(times, holders)| times * (1.0 + (all - holders + 0.5) / (holders + 0.5)).ln())
        .collect();
    let score = |(count, length): (&BTreeMap<usize, f64>, &f64)| {
        let norm = K1 * (1.0 - B + B * length / mean);
        let part = |(number, times): (&usize, &f64)| {
            weights.get(*number).unwrap_or(&0.0) * times * (K1 + 1.0) / (times + norm)
        };
        count.iter().map(part).sum()
    };
    counts.iter().zip(&lengths).map(score).collect()
}
