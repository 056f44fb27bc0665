//! RankedLine lines, and the choice of those that fit: the part of a summary that keeps the limits.
//!
//! Readers push lines in the order of the file with a rank, 0 the most important. When not all fit, the highest ranks go
//! first, the last lines of a rank before the others. Every line is cleaned here, in one place, so that no reader can
//! let a control character or a secret through.

use super::keys::Keys;
use super::secret;

/// A longer line is cut: some 50 tokens, an eighth of a summary.
pub const LONGEST: usize = 200;
/// More lines than this never fit into 400 tokens, so readers may stop here.
pub const MOST: usize = 400;
/// What 400 tokens can hold at the very most: 20 bytes a token is far above any vocabulary's mean. It keeps the text to
/// be counted small.
const MOST_BYTES: usize = 8 * 1024;
/// A first line is cut to fit into a quarter of a tiny file, down to this length; below, it says nothing.
const SHORTEST_CUT: usize = 24;

/// A key of the first level where room is scarce: the key and the first word or two of its value.
const SHORT_TOP: usize = 32;

#[derive(Default)]
pub struct Lines {
    lines: Vec<(u8, String)>,
    keys: Keys,
    /// The first line that is a symbol; those that follow are too.
    first_symbol: Option<usize>,
    symbols: usize,
}

impl Lines {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub fn is_full(&self) -> bool {
        self.lines.len() >= MOST
    }

    pub fn push(&mut self, rank: u8, line: impl AsRef<str>) {
        let line = clean(line.as_ref());
        if !line.trim().is_empty() && !self.is_full() {
            self.lines.push((rank, line));
        }
    }

    pub fn append(&mut self, other: Self) {
        self.lines.extend(other.lines);
    }

    /// `label: a, b, c`, wrapped, so that a long list loses its end and not the whole. Later lines rank lower.
    pub fn list(&mut self, rank: u8, label: &str, items: &[impl AsRef<str>]) {
        let mut line = format!("{label}:");
        let mut rank = rank;
        let mut begun = false;
        for (at, item) in items.iter().enumerate() {
            let item = clip(item.as_ref(), 80);
            if begun && line.len() + item.len() > 110 {
                // What follows may be left out.
                self.push(rank, line.trim_end_matches(','));
                rank = rank.saturating_add(1).min(8);
                line = " ".to_owned();
            }
            line.push(' ');
            line.push_str(&item);
            if at + 1 < items.len() {
                line.push(',');
            }
            begun = true;
        }
        if begun {
            self.push(rank, line);
        }
    }

    /// The line of a dotted key. Deeper keys rank lower.
    pub fn push_key(&mut self, key: &str, line: impl AsRef<str>) {
        let depth = key.matches('.').count().min(5) as u8;
        let at = self.lines.len();
        self.push(1 + depth, line);
        let at = (self.lines.len() > at).then_some(at);
        self.keys.note(key, at);
    }

    /// The line of a symbol. After the first one, nothing else is pushed.
    pub fn push_symbol(&mut self, rank: u8, line: impl AsRef<str>) {
        self.first_symbol.get_or_insert(self.lines.len());
        self.symbols += 1;
        self.push(rank, line);
    }

    /// A key that gets no line of its own.
    pub fn note(&mut self, key: &str) {
        self.keys.note(key, None);
    }

    /// The best lines in the order of the file, in at most `bytes` bytes and `tokens` tokens. Where keys must be left
    /// out, every key of the first level gets a line before any detail does, and the last line counts the missing.
    pub fn fit(&self, bytes: usize, tokens: u64, count: &dyn Fn(&str) -> u64) -> String {
        let bytes = bytes.min(MOST_BYTES);
        let mut lines: Vec<RankedLine<'_>> =
            self.lines.iter().map(|(rank, line)| RankedLine::new(*rank, line)).collect();
        let (shown, complete) = fit(&lines, bytes, tokens, count, &|_| String::new());
        if let Some(first) = self.first_symbol.filter(|_| !complete || self.lines.len() >= MOST) {
            lines.iter_mut().skip(first).for_each(|line| line.keys = 1);
            let (better, _) = fit(&lines, bytes, tokens, count, &|symbols| more(self.symbols, symbols, "symbol"));
            return if better.is_empty() { shown } else { better };
        }
        if (complete && self.keys.missing(self.lines.len()) == 0) || self.keys.total < 2 {
            return shown;
        }
        let more = |keys: usize| more(self.keys.total, keys, "key");
        let groups = self.keys.groups();
        let mut overview = self.keys.overview(&self.lines, &groups);
        // Where not even the first level fits, its lines are shortened: a key without its value is still a key.
        let tops: Vec<&str> = overview.iter().filter(|line| line.rank < 2).map(|line| line.line).collect();
        let tops = tops.join("\n");
        let (brief, mut short) = (self.keys.brief_groups(), Vec::new());
        if tops.len() + more(0).len() > bytes || count(head(&tops, MOST_BYTES)) > tokens {
            overview = self.keys.overview(&self.lines, &brief);
            let width = |rank: u8| if rank < 2 { SHORT_TOP } else { LONGEST };
            short.extend(overview.iter().map(|line| clip(line.line, width(line.rank))));
            overview.iter_mut().zip(&short).for_each(|(line, short)| line.line = short);
        }
        let (better, _) = fit(&overview, bytes, tokens, count, &more);
        if better.is_empty() { shown } else { better }
    }
}

/// What is said of things that are not shown.
fn more(all: usize, shown: usize, noun: &str) -> String {
    match all.saturating_sub(shown) {
        0 => String::new(),
        1 => format!("\n… 1 more {noun}"),
        missing => format!("\n… {missing} more {noun}s"),
    }
}

/// A line, and how many keys it shows with their values; of code, whether it is a symbol.
#[derive(Clone, Copy)]
pub struct RankedLine<'a> {
    pub rank: u8,
    pub line: &'a str,
    pub keys: usize,
}

impl<'a> RankedLine<'a> {
    pub fn new(rank: u8, line: &'a str) -> Self {
        Self { rank, line, keys: 0 }
    }
}

/// The best lines that fit, and whether all did. `more` says what follows them, by the number of keys shown.
///
/// The token count of a prefix is taken to grow with the prefix; the result was counted itself, so that the limit
/// holds even where that is not true.
fn fit(
    lines: &[RankedLine<'_>],
    bytes: usize,
    tokens: u64,
    count: &dyn Fn(&str) -> u64,
    more: &dyn Fn(usize) -> String,
) -> (String, bool) {
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|at| lines.get(*at).map_or(u8::MAX, |line| line.rank));
    // What follows is longest when nothing is shown.
    let room = bytes.saturating_sub(more(0).len());
    // How many of the best fit by bytes, a line break between two.
    let mut used = 0;
    let most = order
        .iter()
        .take_while(|at| {
            used += lines.get(**at).map_or(0, |line| line.line.len()) + usize::from(used > 0);
            used <= room
        })
        .count();
    if most == 0 {
        let first = order.first().and_then(|at| lines.get(*at)).filter(|_| more(0).is_empty());
        return (first.map(|first| cut_first(first.line, bytes, tokens, count)).unwrap_or_default(), false);
    }
    let (mut low, mut high) = (0, most);
    let mut best = String::new();
    // All of them first: most summaries fit, and then one count is enough.
    let mut middle = most;
    while low < high {
        let text = join_lines(lines, order.get(..middle).unwrap_or(&[]), more);
        if count(&text) <= tokens {
            low = middle;
            best = text;
        } else {
            high = middle - 1;
        }
        middle = (low + high).div_ceil(2);
    }
    (best, low == lines.len())
}

fn join_lines(lines: &[RankedLine<'_>], best: &[usize], more: &dyn Fn(usize) -> String) -> String {
    let mut places = best.to_vec();
    places.sort_unstable();
    let kept: Vec<&RankedLine<'_>> = places.iter().filter_map(|at| lines.get(*at)).collect();
    let texts: Vec<&str> = kept.iter().map(|line| line.line).collect();
    texts.join("\n") + &more(kept.iter().map(|line| line.keys).sum())
}

fn cut_first(line: &str, bytes: usize, tokens: u64, count: &dyn Fn(&str) -> u64) -> String {
    if bytes < SHORTEST_CUT {
        return String::new();
    }
    let cut = head(line, bytes - '…'.len_utf8());
    // At a word, when one ends in the second half.
    let cut = cut.rfind(' ').filter(|at| *at > cut.len() / 2).and_then(|at| cut.get(..at)).unwrap_or(cut);
    let cut = format!("{}…", cut.trim_end());
    if count(&cut) <= tokens { cut } else { String::new() }
}

/// At most `bytes` bytes of the beginning, cut between characters.
pub fn head(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}

/// At most `most` characters, `…` at the cut.
pub fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or("").trim_end()),
        None => text.to_owned(),
    }
}

/// White space runs, line breaks among them, as single spaces. At most 4 KiB are read: the result is cut far below.
pub fn flat(text: &str) -> String {
    head(text, 4096).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first sentence of a paragraph, at most 160 characters of it.
pub fn sentence(text: &str) -> String {
    let text = flat(text);
    let end = text.char_indices().find_map(|(at, c)| {
        let after = text.get(at + c.len_utf8()..)?;
        match c {
            '。' | '！' | '？' => Some(at + c.len_utf8()),
            // A small letter after the space: `e.g. this`.
            '.' | '!' | '?' => {
                let mut next = after.chars();
                // `1.` numbers what follows.
                let number = text.get(..at).is_some_and(|lead| lead.bytes().all(|byte| byte.is_ascii_digit()));
                let ends =
                    next.next().is_none_or(|c| c == ' ') && !number && !next.next().is_some_and(char::is_lowercase);
                ends.then_some(at + 1)
            }
            _ => None,
        }
    });
    clip(end.and_then(|end| text.get(..end)).unwrap_or(&text), 160)
}

pub fn clean(line: &str) -> String {
    let line = head(line, 4 * LONGEST);
    let line: String = line
        .chars()
        .map(|c| match c {
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => ' ',
            '\t' => '\t',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        // Glyphs of a private font are boxes elsewhere.
        .filter(|c| !('\u{e000}'..='\u{f8ff}').contains(c))
        .collect();
    clip(&secret::mask_words(&secret::mask_statements(line.trim_end())), LONGEST)
}
