//! What a ranking remembers of a file: which words stand in which of its symbols, and what showing them would cost.
//!
//! Takes a text and its [`Structure`]; gives bytes that can be kept by content hash and asked for a word without being
//! unpacked. Bytes that came from a memory are checked before they are used; what is in them decides an order, never a text.

use super::terms::{self, Term};
use contexture_syntax::{Language, Span, Structure, SymbolKind};

/// Raised when the same text may give other bytes: part of the key under which digests are remembered.
pub const VERSION: u32 = 3;

/// Text behind this is not searched. Code is never so long, and a table says the same words again.
const LONGEST: usize = 512 * 1024;

/// A file's digest, ready to be asked.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    pub symbols: Vec<Symbol>,
    /// Words outside of all symbols.
    pub loose: u32,
    /// Estimated tokens of the whole text and of its skeleton, as they are shown.
    pub cost: u32,
    pub skeleton: u32,
    bytes: Vec<u8>,
    /// Where the numbers of the words, their postings' beginnings and the postings themselves begin.
    terms: usize,
    count: usize,
    posts: usize,
}

/// What a digest knows of one symbol: numbers that stand for words, and what showing it would cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub kind: SymbolKind,
    /// The place of the symbol around it.
    pub parent: Option<u32>,
    /// Its name as the word it is in a text.
    pub name: Term,
    /// Its name to the letter.
    pub exact: Term,
    /// Whether the name is made of several words.
    pub compound: bool,
    /// How many terms its name gives.
    pub name_terms: u8,
    /// Where it stands, with the comment above.
    pub span: Span,
    /// Words in its signature, its documentation, and the rest.
    pub words: [u32; 3],
    /// Estimated tokens of its signature on a line, and of all of it.
    pub signature: u32,
    pub whole: u32,
}

/// How often a word stands in a symbol, not counting the symbols in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Post {
    /// `None`: outside of all symbols.
    pub symbol: Option<u32>,
    pub in_name: bool,
    pub in_signature: u32,
    pub in_doc: u32,
    pub in_code: u32,
}

/// What of a text is shown when all of it is, and costs tokens.
#[derive(Clone, Copy, Debug)]
pub enum Counted<'a> {
    All,
    /// All but these stretches, sorted; a mark stands for each.
    Without(&'a [Span]),
    /// A text made from it.
    Instead(&'a str),
}

/// Bytes of the mark for a stretch that is not shown.
const MARK: usize = 26;

impl Counted<'_> {
    /// Estimated tokens of all of a text, and of a stretch of it.
    fn all(self, text: &str) -> u32 {
        match self {
            Self::All => estimate(text),
            Self::Without(_) => self.part(text, Span { start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) }),
            Self::Instead(other) => estimate(other),
        }
    }

    fn part(self, text: &str, span: Span) -> u32 {
        let Self::Without(cuts) = self else { return estimate(span.of(text)) };
        let first = cuts.partition_point(|cut| cut.end <= span.start);
        let inside = cuts.iter().skip(first).take_while(|cut| cut.start < span.end);
        let (mut hidden, mut marks) = (0, 0);
        for cut in inside {
            hidden += solid(Span { start: cut.start.max(span.start), end: cut.end.min(span.end) }.of(text));
            marks += MARK;
        }
        tokens(solid(span.of(text)).saturating_sub(hidden) + marks)
    }

    /// Whether less is shown than there is.
    fn is_less(self) -> bool {
        matches!(self, Self::Without(cuts) if !cuts.is_empty())
    }
}

/// Tokens of a stretch of code, nearly enough to put things in order.
fn estimate(text: &str) -> u32 {
    tokens(solid(text))
}

/// 3.2 bytes of anything but white space are a token.
fn tokens(solid: usize) -> u32 {
    u32::try_from(solid * 10 / 32 + 1).unwrap_or(u32::MAX)
}

/// How many bytes are not white space; of a rule that is drawn with one sign, a sixteenth: tokenizers have words for 64 of
/// its signs, and an estimate must not be four times too high.
fn solid(text: &str) -> usize {
    // Without branches and in sums that fit a byte, so that many bytes are looked at in one step.
    let bytes = text.as_bytes();
    let is_solid =
        |byte: &u8| (*byte != b' ') & (*byte != b'\n') & (*byte != b'\t') & (*byte != b'\r') & (*byte != 0x0c);
    let all: usize = bytes
        .chunks(AT_ONCE)
        .map(|some| usize::from(some.iter().map(|byte| u8::from(is_solid(byte))).sum::<u8>()))
        .sum();
    // Each sign with the three before it.
    let behind = |count: usize| bytes.get(count..).unwrap_or_default().chunks(AT_ONCE);
    let drawn: usize = behind(3)
        .zip(behind(2))
        .zip(behind(1).zip(behind(0)))
        .map(|((fourth, third), (second, first))| {
            let four = fourth.iter().zip(third).zip(second.iter().zip(first));
            let is_drawn = |((d, c), (b, a)): ((&u8, &u8), (&u8, &u8))| (d == c) & (d == b) & (d == a) & is_rule(*d);
            usize::from(four.map(|four| u8::from(is_drawn(four))).sum::<u8>())
        })
        .sum();
    all - drawn + drawn / 16
}

/// As many bytes as can be counted in one.
const AT_ONCE: usize = u8::MAX as usize;

/// `* + - . / # = _ ~`, of which lines are drawn.
fn is_rule(byte: u8) -> bool {
    (byte.wrapping_sub(b'*') <= b'/' - b'*') & (byte != b',')
        | (byte == b'#')
        | (byte == b'=')
        | (byte == b'_')
        | (byte == b'~')
}

impl Digest {
    /// Reads a text. Without a structure it has words and no symbols.
    pub fn of(text: &str, code: Option<(&'static Language, &Structure)>, counted: Counted<'_>) -> Self {
        let cost = counted.all(text);
        let mut defs: Vec<Span> = Vec::new();
        let mut symbols = Vec::new();
        let mut skeleton = 0;
        if let Some((language, structure)) = code {
            for (index, def) in structure.defs.iter().enumerate() {
                let start = def.doc.map_or(def.whole.start, |doc| doc.start.min(def.whole.start));
                defs.push(Span { start, end: def.whole.end });
                let name = def.name.of(text);
                let whole = counted.part(text, Span { start, end: def.whole.end });
                let signature = estimate(&contexture_syntax::signature(language, def, text));
                symbols.push(Symbol {
                    kind: def.kind,
                    parent: def.parent.filter(|parent| (*parent as usize) < index),
                    name: terms::first(name),
                    exact: terms::exact(name),
                    compound: terms::is_compound(name),
                    name_terms: terms::count(name),
                    span: Span { start, end: def.whole.end },
                    words: [0; 3],
                    // What is not shown of all of it is not shown of its beginning.
                    signature: if counted.is_less() { signature.min(whole) } else { signature } + 1,
                    whole,
                });
            }
            let cut: usize = structure.cuts.iter().map(|cut| cut.span.len()).sum();
            skeleton = u32::try_from(text.len().saturating_sub(cut) / 4).unwrap_or(u32::MAX);
            if counted.is_less() {
                skeleton = skeleton.min(cost);
            }
        }
        let mut loose = 0;
        let mut seen: Vec<Occurrence> = Vec::with_capacity(text.len() / 6);
        let end = text.floor_char_boundary(LONGEST);
        let mut owner = Owner { spans: &defs, next: 0, open: Vec::new() };
        let base = text.as_ptr() as usize;
        terms::words(&text[..end], |word| {
            let at = (word.as_ptr() as usize - base) as u32;
            let index = owner.at(at);
            let field = match index.and_then(|index| code?.1.defs.get(index as usize)) {
                None => Field::Code,
                Some(def) if def.name.start <= at && at < def.name.end => Field::Name,
                Some(def) if def.head.start <= at && at < def.head.end => Field::Signature,
                Some(def) if def.doc.is_some_and(|doc| doc.start <= at && at < doc.end) => Field::Doc,
                Some(_) => Field::Code,
            };
            terms::word_terms(word, |term| {
                match index.and_then(|index| symbols.get_mut(index as usize)) {
                    Some(symbol) => symbol.words[field.words()] += 1,
                    None => loose += 1,
                }
                seen.push(Occurrence::new(term, index, field));
            });
        });
        seen.sort_unstable();
        Self::pack(symbols, loose, cost, skeleton, &seen)
    }

    fn pack(symbols: Vec<Symbol>, loose: u32, cost: u32, skeleton: u32, seen: &[Occurrence]) -> Self {
        let mut out = Vec::with_capacity(symbols.len() * 16 + seen.len() * 4);
        for number in [symbols.len() as u32, loose, cost, skeleton] {
            put(&mut out, number);
        }
        for symbol in &symbols {
            out.push(symbol.kind as u8);
            out.push(u8::from(symbol.compound) | symbol.name_terms << 1);
            out.extend(symbol.name.0.to_le_bytes());
            out.extend(symbol.exact.0.to_le_bytes());
            put(&mut out, symbol.parent.map_or(0, |parent| parent + 1));
            for number in symbol.words.into_iter().chain([
                symbol.signature,
                symbol.whole,
                symbol.span.start,
                symbol.span.len() as u32,
            ]) {
                put(&mut out, number);
            }
        }
        let (mut words, mut starts, mut posts) = (Vec::new(), Vec::new(), Vec::new());
        for same in seen.chunk_by(|a, b| a.term() == b.term()) {
            words.extend(same[0].term().0.to_le_bytes());
            starts.extend((posts.len() as u32).to_le_bytes());
            let mut last = 0;
            for at in same.chunk_by(|a, b| a.place() == b.place()) {
                put(&mut posts, at[0].place() - last);
                last = at[0].place();
                let mut times = [0u32; 4];
                at.iter().for_each(|one| times[one.field()] += 1);
                let [name, signature, doc, code] = times;
                let (signature, is_name) = (name + signature, name > 0);
                let packed = u8::from(is_name)
                    | (signature.min(3) << 1) as u8
                    | (doc.min(3) << 3) as u8
                    | (code.min(7) << 5) as u8;
                posts.push(packed);
                if code >= 7 {
                    put(&mut posts, code - 7);
                }
            }
        }
        let count = words.len() / 4;
        put(&mut out, count as u32);
        let terms = out.len();
        out.extend(words);
        out.extend(starts);
        let at = out.len();
        out.extend(posts);
        Self { symbols, loose, cost, skeleton, bytes: out, terms, count, posts: at }
    }

    /// The bytes to keep; [`Digest::from_bytes`] takes them back.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// `None` when the bytes are not what [`Digest::of`] made of this text. Postings are checked when they are read.
    pub fn from_bytes(bytes: Vec<u8>, text: &str) -> Option<Self> {
        let mut rest = bytes.as_slice();
        let [symbols, loose, cost, skeleton] = [take(&mut rest)?, take(&mut rest)?, take(&mut rest)?, take(&mut rest)?];
        if symbols as usize > bytes.len() {
            return None;
        }
        let mut all = Vec::with_capacity(symbols as usize);
        for index in 0..symbols {
            let (kind, about) = (*SymbolKind::ALL.get(usize::from(byte(&mut rest)?))?, byte(&mut rest)?);
            let (compound, name_terms) = (about & 1 != 0, about >> 1);
            let (name, exact) = (term(&mut rest)?, term(&mut rest)?);
            let parent = take(&mut rest)?.checked_sub(1);
            if parent.is_some_and(|parent| parent >= index) {
                return None;
            }
            let words = [take(&mut rest)?, take(&mut rest)?, take(&mut rest)?];
            let (signature, whole, start) = (take(&mut rest)?, take(&mut rest)?, take(&mut rest)?);
            let span = Span { start, end: start.checked_add(take(&mut rest)?)? };
            text.get(start as usize..span.end as usize)?;
            all.push(Symbol { kind, parent, name, exact, compound, name_terms, span, words, signature, whole });
        }
        let count = take(&mut rest)? as usize;
        let terms = bytes.len() - rest.len();
        let posts = terms.checked_add(count.checked_mul(8)?)?;
        (posts <= bytes.len()).then_some(Self { symbols: all, loose, cost, skeleton, bytes, terms, count, posts })
    }

    /// Calls `found` with every word and its places.
    pub fn each(&self, found: impl FnMut(Term, Post)) {
        self.each_of(Some, found);
    }

    /// Calls `found` with the places of every word that `wanted` knows something of. Words come in the order of numbers.
    pub fn each_of<T: Copy>(&self, mut wanted: impl FnMut(Term) -> Option<T>, mut found: impl FnMut(T, Post)) {
        for index in 0..self.count {
            if let Some(known) = wanted(Term(self.number(self.terms + index * 4))) {
                self.posts(index, &mut |post| found(known, post));
            }
        }
    }

    fn posts(&self, index: usize, found: &mut impl FnMut(Post)) {
        let start = |index: usize| self.number(self.terms + (self.count + index) * 4) as usize;
        let (from, to) =
            (start(index), if index + 1 < self.count { start(index + 1) } else { self.bytes.len() - self.posts });
        let mut rest = self.bytes.get(self.posts + from..self.posts + to).unwrap_or(&[]);
        let mut last = 0u32;
        while !rest.is_empty() {
            let (Some(step), Some(packed)) = (take(&mut rest), byte(&mut rest)) else { return };
            last = last.saturating_add(step);
            let mut in_code = u32::from(packed >> 5);
            if in_code == 7 {
                in_code = in_code.saturating_add(take(&mut rest).unwrap_or(0));
            }
            if last as usize > self.symbols.len() {
                return;
            }
            found(Post {
                symbol: last.checked_sub(1),
                in_name: packed & 1 != 0,
                in_signature: u32::from(packed >> 1 & 3),
                in_doc: u32::from(packed >> 3 & 3),
                in_code,
            });
        }
    }

    fn number(&self, at: usize) -> u32 {
        self.bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map_or(0, u32::from_le_bytes)
    }
}

/// A word at its place as one number, so that sorting is quick: the term, then the symbol (0 for none, else one more than its
/// index; a text has fewer than 2^30), then the field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence(u64);

impl Occurrence {
    fn new(term: Term, symbol: Option<u32>, field: Field) -> Self {
        let place = symbol.map_or(0, |symbol| u64::from(symbol) + 1);
        Self(u64::from(term.0) << 32 | (place << 2 & 0xffff_fffc) | field as u64)
    }

    fn term(self) -> Term {
        Term((self.0 >> 32) as u32)
    }

    fn place(self) -> u32 {
        self.0 as u32 >> 2
    }

    fn field(self) -> usize {
        (self.0 & 3) as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    Name,
    Signature,
    Doc,
    Code,
}

impl Field {
    /// Its place in [`Symbol::words`].
    fn words(self) -> usize {
        match self {
            Self::Name | Self::Signature => 0,
            Self::Doc => 1,
            Self::Code => 2,
        }
    }
}

/// Follows the innermost symbol while the places that are asked for grow.
struct Owner<'a> {
    spans: &'a [Span],
    next: usize,
    open: Vec<usize>,
}

impl Owner<'_> {
    fn at(&mut self, at: u32) -> Option<u32> {
        while self.spans.get(self.next).is_some_and(|span| span.start <= at) {
            self.open.push(self.next);
            self.next += 1;
        }
        while let Some(&top) = self.open.last() {
            if self.spans.get(top).is_some_and(|span| at < span.end) {
                return u32::try_from(top).ok();
            }
            self.open.pop();
        }
        None
    }
}

fn put(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    let (first, more) = rest.split_first()?;
    *rest = more;
    Some(*first)
}

fn term(rest: &mut &[u8]) -> Option<Term> {
    let (four, more) = rest.split_first_chunk()?;
    *rest = more;
    Some(Term(u32::from_le_bytes(*four)))
}

fn take(rest: &mut &[u8]) -> Option<u32> {
    let mut number = 0u32;
    for shift in (0..35).step_by(7) {
        let next = byte(rest)?;
        number |= u32::from(next & 0x7f).checked_shl(shift)?;
        if next < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_knows_white_space_rules_and_words() {
        assert_eq!(estimate("word word word word"), 6);
        assert_eq!(estimate(&" ".repeat(900)), 1);
        // Exact counts: 16, 225, 150, 113.
        let runs = ["=", ",", "7", "a"].map(|sign| estimate(&sign.repeat(900)));
        assert_eq!(runs, [19, 282, 282, 282]);
        let lines = format!("{}\n", "-".repeat(76)).repeat(20);
        assert_eq!(estimate(&lines), 48);
    }

    #[test]
    fn what_is_not_shown_costs_its_mark() {
        let text = format!("{}{}{}", "word ".repeat(8), "x".repeat(3_200), " word".repeat(8));
        let hidden = [Span { start: 40, end: 3_240 }];
        let without = Counted::Without(&hidden);
        assert_eq!((Counted::All.all(&text), without.all(&text)), (1021, 29));
        assert_eq!(without.part(&text, Span { start: 0, end: 40 }), 11);
        assert_eq!(without.part(&text, Span { start: 0, end: 100 }), 19);
        assert_eq!(Counted::Instead("word").all(&text), 2);
    }
}
