//! Here-documents: the word that ends one, and where its lines end.

/// One whose operator was read and whose lines come below.
pub(super) struct Heredoc {
    /// Where its operator stands.
    pub at: usize,
    /// Whether tabs before its lines do not count (`<<-`).
    pub dash: bool,
    end: Vec<u8>,
    quoted: bool,
}

impl Heredoc {
    /// `word` is what stands behind the operator, with its quotes.
    pub fn new(at: usize, dash: bool, word: &[u8]) -> Self {
        let mut end = Vec::with_capacity(word.len());
        let mut quote = None;
        let mut quoted = false;
        let mut rest = word.iter();
        while let Some(byte) = rest.next() {
            match byte {
                b'\\' if quote != Some(b'\'') => {
                    quoted = true;
                    end.extend(rest.next().filter(|next| **next != b'\n'));
                }
                b'\'' | b'"' if quote.is_none() => {
                    quoted = true;
                    quote = Some(*byte);
                }
                _ if quote == Some(*byte) => quote = None,
                _ => end.push(*byte),
            }
        }
        Self { at, dash, end, quoted }
    }

    /// Where its last line ends when its lines begin at `from`: before the line break behind the word that ends it, or at
    /// the end of the text. In a substitution the word may also stand right before the parenthesis.
    pub fn stop(&self, bytes: &[u8], from: usize, substituted: bool) -> usize {
        let mut at = from;
        let mut goes_on = false;
        while at < bytes.len() {
            let rest = bytes.get(at..).unwrap_or(&[]);
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = rest.get(..length).unwrap_or(&[]);
            let tabs = if self.dash { line.iter().take_while(|byte| **byte == b'\t').count() } else { 0 };
            let said = line.get(tabs..).unwrap_or(&[]);
            if !goes_on && said.strip_suffix(b"\r").unwrap_or(said) == self.end {
                return at + length;
            }
            if substituted && said.strip_prefix(self.end.as_slice()).is_some_and(|rest| rest.starts_with(b")")) {
                return at + tabs + self.end.len();
            }
            // Where expansions count, a line break behind a backslash does not.
            goes_on = !self.quoted && line.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1;
            at += length + 1;
        }
        bytes.len()
    }
}
