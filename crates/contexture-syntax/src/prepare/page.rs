//! The copy of a text that is rewritten in place, so that its length never changes.

use crate::structure::Span;

pub struct Page {
    bytes: Vec<u8>,
    is_changed: bool,
}

impl Page {
    pub fn new(text: &str) -> Self {
        Self { bytes: text.as_bytes().to_vec(), is_changed: false }
    }

    /// Line breaks go too: what ends with its line must not be cut in two by a span.
    pub fn blank(&mut self, span: Span) {
        self.fill(span, b' ');
    }

    /// Blank but for its line breaks, so that the ends of statements stay.
    pub fn blank_words(&mut self, span: Span) {
        for byte in self.part(span).iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
            *byte = b' ';
        }
    }

    /// As a comment: parsers pass by the inside of one many times faster than by blanks between words. Not at the beginning
    /// of a line, where it could be taken for the documentation of what follows.
    pub fn hide(&mut self, span: Span) {
        self.blank(span);
        let before = (span.start as usize).checked_sub(1).and_then(|before| self.bytes.get(before));
        if span.len() >= 8 && before.is_some_and(|byte| !byte.is_ascii_whitespace()) {
            self.put(span.start as usize, "/*");
            self.put(span.end as usize - 2, "*/");
        }
    }

    pub fn fill(&mut self, span: Span, byte: u8) {
        self.part(span).fill(byte);
    }

    /// Blank but for its beginning.
    pub fn write(&mut self, span: Span, instead: &str) {
        self.blank(span);
        if instead.len() <= span.len() {
            self.put(span.start as usize, instead);
        }
    }

    /// Writes over what stands here.
    pub fn put(&mut self, at: usize, instead: &str) {
        let part = self.part(Span::new(at, at + instead.len()));
        if part.len() == instead.len() {
            part.copy_from_slice(instead.as_bytes());
        }
    }

    fn part(&mut self, span: Span) -> &mut [u8] {
        self.is_changed = true;
        self.bytes.get_mut(span.start as usize..span.end as usize).unwrap_or_default()
    }

    pub fn finish(self) -> Option<String> {
        String::from_utf8(self.bytes).ok()
    }

    /// `None` where nothing was written.
    pub fn finish_changed(self) -> Option<String> {
        if self.is_changed { self.finish() } else { None }
    }
}
