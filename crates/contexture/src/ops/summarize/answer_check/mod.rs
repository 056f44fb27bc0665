//! Whether an answer is a summary that may be kept.
//!
//! Takes an answer and what was asked; gives its text, or why it is none. Rather refuses a good summary than keeps a bad one: what
//! is refused costs little, since the summary that is made from the file itself is shown then; what is kept is shown for good.

mod phrases;

use contexture_core::render::is_hidden;
use contexture_providers::{Answer, Stop};
use phrases::{
    ADDRESSES, APOLOGIES, ASKED_FOR, COMMON, FAULT_WORDS, FAULTS, NOT_DONE, ORDERED, ORDERS, PREAMBLES, ROLES, WHOSE,
};
use std::collections::BTreeSet;
use std::fmt;

/// What an answer is held against.
pub struct AnswerTarget<'a> {
    /// Of the file.
    pub path: &'a str,
    /// Of the file, as it was shown.
    pub text: &'a str,
    pub system: &'a str,
    pub nonce: &'a str,
    /// The most tokens that were asked for.
    pub limit: u64,
}

/// Why an answer is not kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RejectReason {
    Empty,
    Calls,
    /// It was cut off.
    Length,
    /// The model stopped for a reason of its own.
    Stopped(String),
    Control,
    TooLong {
        tokens: u64,
        limit: u64,
    },
    Apology,
    /// A server's words in place of a model's.
    Fault,
    /// Data, where sentences were asked for.
    Json,
    /// It could stand below any file.
    Unrelated,
    Instructions,
    Orders,
    Repeats,
}

impl fmt::Display for RejectReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the answer is empty"),
            Self::Calls => f.write_str("the model called a tool instead of answering"),
            Self::Length => f.write_str("the answer was cut off for its length"),
            Self::Stopped(word) => write!(f, "the model stopped for another reason (`{word}`)"),
            Self::Control => f.write_str("the answer has control characters in it"),
            Self::TooLong { tokens, limit } => {
                write!(f, "the answer has {tokens} tokens, {limit} were asked for")
            }
            Self::Apology => f.write_str("the model refuses or apologises"),
            Self::Fault => f.write_str("the answer is an error of a server"),
            Self::Json => f.write_str("the answer is JSON and no sentence"),
            Self::Unrelated => f.write_str("the answer names nothing of the file"),
            Self::Instructions => f.write_str("the answer repeats the instructions"),
            Self::Orders => f.write_str("the answer gives orders to whoever reads it"),
            Self::Repeats => f.write_str("the answer repeats the file"),
        }
    }
}

/// The summary in an answer.
pub fn check_answer(
    answer: &Answer,
    target: &AnswerTarget<'_>,
    count: &dyn Fn(&str) -> u64,
) -> Result<String, RejectReason> {
    match &answer.stop {
        Stop::End | Stop::Untold => {}
        Stop::Length => return Err(RejectReason::Length),
        Stop::Calls => return Err(RejectReason::Calls),
        Stop::Other(word) => return Err(RejectReason::Stopped(word.clone())),
    }
    if !answer.message.calls.is_empty() {
        return Err(RejectReason::Calls);
    }
    let text = answer.message.text();
    let text = unfenced(text.trim()).trim();
    if !text.chars().any(char::is_alphanumeric) {
        return Err(RejectReason::Empty);
    }
    // The joiner of emoji and scripts is part of a word.
    let is_odd = |c: char| is_hidden(c) && !matches!(c, '\n' | '\r' | '\t' | '\u{200c}' | '\u{200d}');
    if text.chars().any(is_odd) {
        return Err(RejectReason::Control);
    }
    let tokens = count(text);
    // Half as much again: models count words badly.
    if tokens > target.limit + target.limit / 2 {
        return Err(RejectReason::TooLong { tokens, limit: target.limit });
    }
    if text.starts_with(['{', '[']) && serde_json::from_str::<serde_json::Value>(text).is_ok() {
        return Err(RejectReason::Json);
    }
    let plain = folded(text);
    let file = folded(target.text);
    if sentences(text).any(speaks_of_itself) || is_preamble(text, &plain) {
        return Err(RejectReason::Apology);
    }
    if is_fault(text, &plain, &file) {
        return Err(RejectReason::Fault);
    }
    if text.contains(target.nonce) || shares(&plain, &folded(target.system), RUN) > 0 {
        return Err(RejectReason::Instructions);
    }
    if gives_orders(text, &plain) {
        return Err(RejectReason::Orders);
    }
    let words = plain.split(' ').count();
    if shares(&plain, &file, RUN) * 2 > words {
        return Err(RejectReason::Repeats);
    }
    if !names_something(text, target) {
        return Err(RejectReason::Unrelated);
    }
    Ok(text.to_owned())
}

/// Pieces of a text that can begin a thought, each with the mark that ends it.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let ends = ['.', '!', '?', ':', '\n', '。', '！', '？', '：'];
    let begun = |part: &'_ str| part.len() - part.trim_start_matches(|c: char| !c.is_alphanumeric()).len();
    text.split_inclusive(ends).map(move |part| &part[begun(part)..]).filter(|part| !part.is_empty())
}

/// Whether a sentence is about who says it, or refuses. `I/O` is not, and neither is what somebody else asks.
fn speaks_of_itself(sentence: &str) -> bool {
    let goes_on = |rest: &str| {
        rest.strip_prefix([' ', '\'', '’']).is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic()))
    };
    let is_first_person = sentence.strip_prefix('I').is_some_and(goes_on) && !sentence.ends_with('?');
    let plain = folded(sentence);
    let begins = |start: &str| plain.strip_prefix(start).is_some_and(is_word_end);
    let holds = |words: &[&str]| words.iter().any(|word| plain.contains(word));
    is_first_person || APOLOGIES.split('|').any(begins) || (holds(NOT_DONE) && holds(ASKED_FOR))
}

/// Scripts without spaces go on anywhere.
fn is_word_end(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// Whether a server speaks in place of a model.
fn is_fault(text: &str, plain: &str, file: &str) -> bool {
    let is_page = text.starts_with("<html") || text.starts_with("<!DOCTYPE") || text.starts_with("<!doctype");
    let is_said = |words: &str| plain.contains(words) && !file.contains(words);
    is_page || (plain.split(' ').count() < FAULT_WORDS && FAULTS.split('|').any(is_said))
}

/// Whether it announces a summary and gives none.
fn is_preamble(text: &str, plain: &str) -> bool {
    sentences(text).nth(1).is_none() && PREAMBLES.iter().any(|start| plain.starts_with(start))
}

fn gives_orders(text: &str, plain: &str) -> bool {
    let is_role = |line: &str| line.split_once(':').is_some_and(|(who, _)| ROLES.contains(&folded(who).as_str()));
    let is_address = |sentence: &str| {
        let spaced = folded(sentence) + " ";
        ADDRESSES.iter().any(|start| spaced.strip_prefix(start).is_some_and(|rest| rest.starts_with(' ')))
    };
    let spaced = format!(" {plain} ");
    let words: Vec<&str> = plain.split(' ').collect();
    // "Ignore all of your previous instructions", however it is put. Code ignores instructions, too, but not the earlier ones.
    let has = |words: &[&str], any: &[&str]| words.iter().any(|word| any.contains(word));
    let is_override = |words: &[&str]| matches!(words, ["ignore" | "disregard" | "forget", rest @ ..] if has(rest, ORDERED) && has(rest, WHOSE));
    text.lines().any(is_role)
        || sentences(text).any(is_address)
        || ORDERS.split('|').any(|order| spaced.contains(&format!(" {order} ")))
        || (0..words.len()).any(|at| words.get(at..words.len().min(at + 7)).is_some_and(is_override))
}

/// Below so many words of a kind, a file has too little to be named by.
const ENOUGH: usize = 8;
/// Of the words of a summary at least one in so many stands in the file as well: in another language, only the names do.
const ONE_IN: usize = 16;

/// Whether a text tells of this file and not of any other: words of it, its name, or a piece of it between backticks. A file that has hardly any words of the
/// answer's kind cannot be held against it; something must be said all the same.
fn names_something(text: &str, target: &AnswerTarget<'_>) -> bool {
    let said = naming_words(text);
    let mut known = naming_words(target.text);
    known.extend(naming_words(target.path));
    let is_rich = |kind: Script| known.iter().filter(|word| script_of(word) == kind).count() >= ENOUGH;
    let kinds: Vec<Script> = Script::ALL.into_iter().filter(|kind| is_rich(*kind)).collect();
    let held: Vec<&String> = said.iter().filter(|word| kinds.contains(&script_of(word))).collect();
    let name = target.path.rsplit('/').next().unwrap_or(target.path);
    let quoted = text.split('`').skip(1).step_by(2).filter(|quote| quote.chars().nth(2).is_some());
    let is_quote = text.contains(name) || quoted.into_iter().any(|quote| target.text.contains(quote));
    let found = held.iter().filter(|word| known.contains(**word)).count() + usize::from(is_quote);
    match held.len() {
        // In another script than the file: names of code and products stay as they are.
        0 => found > 0 || (!said.is_empty() && !kinds.contains(&Script::Latin)),
        many => found > 0 && found * ONE_IN >= many,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    /// With spaces between words, as Latin has them.
    Spaced,
    /// Without.
    Dense,
}

impl Script {
    const ALL: [Self; 3] = [Self::Latin, Self::Spaced, Self::Dense];
}

fn script_of(word: &str) -> Script {
    match word.chars().next() {
        Some('\u{2e80}'..) => Script::Dense,
        Some('\u{250}'..) => Script::Spaced,
        Some(_) | None => Script::Latin,
    }
}

/// The words of a text that could name something, by their first letters, so that "parser" meets "parsing"; identifiers in
/// their parts, and text without spaces by each two of its characters. Cost: as the text, and a sorted set of its words.
fn naming_words(text: &str) -> BTreeSet<String> {
    let common: BTreeSet<&str> = COMMON.split(' ').collect();
    let mut all = BTreeSet::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if script_of(word) == Script::Dense {
            let chars: Vec<char> = word.chars().collect();
            all.extend(chars.windows(2).map(|two| two.iter().collect::<String>()));
            continue;
        }
        let mut start = 0;
        let humps = word.char_indices().zip(word.chars().skip(1));
        let ends =
            humps.filter(|((_, a), b)| a.is_lowercase() && b.is_uppercase()).map(|((at, a), _)| at + a.len_utf8());
        for end in ends.chain([word.len()]) {
            let part = word.get(start..end).unwrap_or_default().to_lowercase();
            start = end;
            let is_word = part.chars().nth(2).is_some() && part.chars().any(char::is_alphabetic);
            if is_word && !common.contains(part.as_str()) {
                all.insert(part.chars().take(BEGINNING).collect());
            }
        }
    }
    all
}

/// Letters of a word that its forms share.
const BEGINNING: usize = 4;

/// So many words in a row are no accident: signatures and names of sections are shorter.
const RUN: usize = 12;

/// How many words of a text stand in another in runs of so many words. Both are folded. Cost: linear.
fn shares(text: &str, other: &str, run: usize) -> usize {
    let starts = |text: &str| -> Vec<usize> {
        if text.is_empty() {
            return Vec::new();
        }
        std::iter::once(0).chain(text.match_indices(' ').map(|(at, _)| at + 1)).collect()
    };
    // Runs as slices of the text itself: from the start of a word to the end of the one so many words later.
    let runs = |text: &str, starts: &[usize]| -> Vec<(usize, usize)> {
        let end = |at: usize| starts.get(at + run).map_or(text.len(), |next| next - 1);
        (0..(starts.len() + 1).saturating_sub(run)).map(|at| (starts.get(at).copied().unwrap_or(0), end(at))).collect()
    };
    let theirs = starts(other);
    let known: BTreeSet<&str> =
        runs(other, &theirs).into_iter().filter_map(|(start, end)| other.get(start..end)).collect();
    if known.is_empty() {
        return 0;
    }
    let ours = starts(text);
    let (mut covered, mut until) = (0, 0);
    for (at, (start, end)) in runs(text, &ours).into_iter().enumerate() {
        if text.get(start..end).is_some_and(|run| known.contains(run)) {
            covered += at + run - until.max(at);
            until = at + run;
        }
    }
    covered
}

/// In small letters, words with one space between them and nothing else.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Without a code block around all of it.
fn unfenced(text: &str) -> &str {
    let inside = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    match inside.and_then(|inside| inside.split_once('\n')) {
        Some((word, inside)) if !inside.contains("```") && !word.contains(' ') => inside,
        _ => text,
    }
}

#[cfg(test)]
mod tests;
