//! Ranked lines, and the choice of those that fit: the part of a summary that keeps the limits.
//!
//! Readers push lines in the order of the file with a rank, 0 the most important. When not all fit, the highest ranks go
//! first, the last lines of a rank before the others. Every line is cleaned here, in one place, so that no reader can
//! let a control character or a secret through.

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

#[derive(Default)]
pub struct Lines(Vec<(u8, String)>);

impl Lines {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn is_full(&self) -> bool {
        self.0.len() >= MOST
    }

    pub fn push(&mut self, rank: u8, line: impl AsRef<str>) {
        let line = clean(line.as_ref());
        if !line.trim().is_empty() && !self.is_full() {
            self.0.push((rank, line));
        }
    }

    pub fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// `label: a, b, c`, wrapped, so that a long list loses its end and not the whole. Later lines rank lower.
    pub fn list(&mut self, rank: u8, label: &str, items: &[impl AsRef<str>]) {
        let mut line = format!("{label}:");
        let mut rank = rank;
        let mut begun = false;
        for (at, item) in items.iter().enumerate() {
            let item = clip(item.as_ref(), 80);
            if begun && line.len() + item.len() > 110 {
                self.push(rank, &line);
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

    /// The best lines in the order of the file, in at most `bytes` bytes and `tokens` tokens.
    ///
    /// The token count of a prefix is taken to grow with the prefix; the result was counted itself, so that the limit
    /// holds even where that is not true.
    pub fn fit(&self, bytes: usize, tokens: u64, count: &dyn Fn(&str) -> u64) -> String {
        let bytes = bytes.min(MOST_BYTES);
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        order.sort_by_key(|at| self.0.get(*at).map_or(u8::MAX, |line| line.0));
        // How many of the best fit by bytes, a line break between two.
        let mut used = 0;
        let most = order
            .iter()
            .take_while(|at| {
                used += self.0.get(**at).map_or(0, |line| line.1.len()) + usize::from(used > 0);
                used <= bytes
            })
            .count();
        if most == 0 {
            return self.cut_first(order.first(), bytes, tokens, count);
        }
        let (mut low, mut high) = (0, most);
        let mut best = String::new();
        // All of them first: most summaries fit, and then one count is enough.
        let mut middle = most;
        while low < high {
            let shown = self.shown(order.get(..middle).unwrap_or(&[]));
            if count(&shown) <= tokens {
                low = middle;
                best = shown;
            } else {
                high = middle - 1;
            }
            middle = (low + high).div_ceil(2);
        }
        best
    }

    fn shown(&self, best: &[usize]) -> String {
        let mut places = best.to_vec();
        places.sort_unstable();
        let lines: Vec<&str> = places.iter().filter_map(|at| self.0.get(*at)).map(|line| line.1.as_str()).collect();
        lines.join("\n")
    }

    fn cut_first(&self, first: Option<&usize>, bytes: usize, tokens: u64, count: &dyn Fn(&str) -> u64) -> String {
        let Some((_, line)) = first.and_then(|at| self.0.get(*at)) else { return String::new() };
        if bytes < SHORTEST_CUT {
            return String::new();
        }
        let cut = head(line, bytes - '…'.len_utf8());
        // At a word, when one ends in the second half.
        let cut = cut.rfind(' ').filter(|at| *at > cut.len() / 2).and_then(|at| cut.get(..at)).unwrap_or(cut);
        let cut = format!("{}…", cut.trim_end());
        if count(&cut) <= tokens { cut } else { String::new() }
    }
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
                let ends = next.next().is_none_or(|c| c == ' ') && !next.next().is_some_and(char::is_lowercase);
                ends.then_some(at + 1)
            }
            _ => None,
        }
    });
    clip(end.and_then(|end| text.get(..end)).unwrap_or(&text), 160)
}

fn clean(line: &str) -> String {
    let line = head(line, 4 * LONGEST);
    let line: String = line
        .chars()
        .map(|c| match c {
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => ' ',
            '\t' => '\t',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect();
    clip(&secret::mask_words(line.trim_end()), LONGEST)
}
