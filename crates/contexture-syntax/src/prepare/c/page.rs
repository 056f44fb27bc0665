//! The text that is being rewritten in place.

use crate::structure::Span;

pub struct Page {
    bytes: Vec<u8>,
}

impl Page {
    pub fn new(text: &str) -> Self {
        Self { bytes: text.as_bytes().to_vec() }
    }

    /// Line breaks go too: what ends with its line must not be cut in two by a span.
    pub fn blank(&mut self, span: Span) {
        self.fill(span, b' ');
    }

    /// As a comment: parsers pass by the inside of one many times faster than by blanks between words. Not at the beginning
    /// of a line, where it could be taken for the documentation of what follows.
    pub fn hide(&mut self, span: Span) {
        self.blank(span);
        let before = (span.start as usize).checked_sub(1).and_then(|before| self.bytes.get(before));
        if span.len() >= 8 && before.is_some_and(|byte| !byte.is_ascii_whitespace()) {
            self.write(Span { start: span.start, end: span.start + 2 }, "/*");
            self.write(Span { start: span.end - 2, end: span.end }, "*/");
        }
    }

    pub fn fill(&mut self, span: Span, byte: u8) {
        if let Some(part) = self.bytes.get_mut(span.start as usize..span.end as usize) {
            part.fill(byte);
        }
    }

    /// Blank but for its beginning.
    pub fn write(&mut self, span: Span, instead: &str) {
        self.blank(span);
        let end = span.start as usize + instead.len();
        if end <= span.end as usize
            && let Some(part) = self.bytes.get_mut(span.start as usize..end)
        {
            part.copy_from_slice(instead.as_bytes());
        }
    }

    pub fn finish(self) -> Option<String> {
        String::from_utf8(self.bytes).ok()
    }
}
