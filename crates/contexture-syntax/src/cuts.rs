//! Collects what a skeleton leaves out.
//!
//! Takes bodies as the walk leaves them, innermost first; gives cuts in order that do not overlap. A cut is made only where
//! it makes the text shorter, and never in a body that is marked to be kept.

use crate::language::{Language, MarkPlace, Nested};
use crate::structure::{Cut, Mark, Span};
use crate::text::{begins_line, column, is_word, trimmed};
use memchr::{memmem, memrchr};

pub(crate) struct Cuts<'a> {
    language: &'a Language,
    text: &'a str,
    cuts: Vec<Cut>,
    /// Where `[HOT]` stands in a comment, and where `@core_logic` decorates; each with the definition it is for.
    marks: Vec<(u32, Option<Span>)>,
}

impl<'a> Cuts<'a> {
    pub fn new(language: &'a Language, text: &'a str) -> Self {
        let mut marks = Vec::new();
        for at in memmem::find_iter(text.as_bytes(), "[HOT]") {
            let line = text.get(line_before(text, at)..at).unwrap_or("");
            if ["#", "//", "/*", "*", "--"].iter().any(|mark| line.contains(mark)) {
                marks.push((Span::new(at, at).start, None));
            }
        }
        for at in memmem::find_iter(text.as_bytes(), "@core_logic") {
            if begins_line(text, Span::new(at, at).start) {
                marks.push((Span::new(at, at).start, None));
            }
        }
        marks.sort_unstable();
        Self { language, text, cuts: Vec::new(), marks }
    }

    /// A definition that is marked keeps its body: by a comment in it or right above it, or by its decorator.
    pub fn keep_if_hot(&mut self, whole: Span) {
        if self.marks.is_empty() {
            return;
        }
        let before = self.text.get(..whole.start as usize).unwrap_or("").trim_end();
        let above = line_before(self.text, before.len());
        let from = Span::new(above, above).start;
        let first = self.marks.partition_point(|(mark, _)| *mark < from);
        // Definitions come outermost first. Where nested ones survive, the innermost is meant; else the outermost must stay.
        let innermost = self.language.nested == Nested::Keep;
        for (mark, owner) in self.marks.iter_mut().skip(first) {
            if *mark >= whole.end {
                break;
            }
            if innermost || owner.is_none() {
                *owner = Some(whole);
            }
        }
    }

    /// A whole body goes, from `from` on.
    pub fn body(&mut self, body: Span, from: u32) {
        let rim = if from > body.start { self.language.marks.rim as u32 } else { 0 };
        let end = body.end.saturating_sub(rim);
        let cut = at_statement(self.language, self.text, Span { start: from.min(end), end }, body.start);
        if from <= body.start {
            self.push(cut, Mark::Body, self.language.marks.body);
        } else {
            self.push(cut, Mark::Gap, self.language.marks.gap);
        }
    }

    /// What stands between the parts that are kept goes.
    pub fn gaps(&mut self, body: Span, from: u32, kept: &[Span]) {
        for span in between(self.language, self.text, body, from, kept) {
            self.gap(span);
        }
    }

    pub fn gap(&mut self, span: Span) {
        if !span.is_empty() {
            self.push(span, Mark::Gap, self.language.marks.gap);
        }
    }

    /// An expression that is a body: only where it takes more than a line.
    pub fn value(&mut self, value: Span) {
        // A block of lines may have taken the empty ones behind it along.
        let value = trimmed(self.text, value);
        let mark = self.language.marks.value;
        if value.of(self.text).contains('\n') && !sticks(self.text, value, mark) {
            self.push(value, Mark::Value, mark);
        }
    }

    fn push(&mut self, span: Span, mark: Mark, instead: &str) {
        let fits = match (self.language.marks.place, mark) {
            (MarkPlace::Anywhere, _) => true,
            (MarkPlace::OwnLine, Mark::Value) => ends_line(self.text, span),
            (MarkPlace::OwnLine, _) => stands_alone(self.text, span),
        };
        if span.len() > instead.len() && fits {
            self.cuts.push(Cut { span, mark });
        }
    }

    pub fn finish(mut self) -> Vec<Cut> {
        // Innermost came first; the outermost stays.
        self.cuts.sort_by(|a, b| a.span.start.cmp(&b.span.start).then(b.span.end.cmp(&a.span.end)));
        let mut hot: Vec<Span> = self.marks.iter().filter_map(|(_, owner)| *owner).collect();
        hot.sort_unstable();
        let mut hot = hot.into_iter().peekable();
        let (mut end, mut hot_end) = (0, 0);
        self.cuts.retain(|cut| {
            while let Some(kept) = hot.next_if(|kept| kept.start <= cut.span.start) {
                hot_end = hot_end.max(kept.end);
            }
            let wanted = cut.span.start >= end && cut.span.end > hot_end;
            if wanted {
                end = cut.span.end;
            }
            wanted
        });
        self.cuts
    }
}

/// The statements of a body from `from` on that stand between the parts that are kept.
pub(crate) fn between(language: &Language, text: &str, body: Span, from: u32, kept: &[Span]) -> Vec<Span> {
    let braced = body.of(text).starts_with(['{', '(', '[']);
    let rim = if braced { language.marks.rim as u32 } else { 0 };
    let end = body.end.saturating_sub(rim);
    // Comments above the first statement of a body without braces may stand before it.
    let mut at = if rim > 0 { from.max(body.start + rim) } else { from };
    let mut found = Vec::with_capacity(kept.len() + 1);
    for (start, next) in kept.iter().map(|part| (part.start, part.end)).chain([(end, end)]) {
        let span = at_statement(language, text, Span { start: at, end: start.max(at) }, body.start);
        if !span.is_empty() {
            found.push(span);
        }
        at = at.max(next);
    }
    found
}

/// Where lines matter, a mark must stand in the column of the block: a comment before it that stands elsewhere is kept.
fn at_statement(language: &Language, text: &str, span: Span, block: u32) -> Span {
    let mut span = behind_line(text, trimmed(text, span));
    if language.marks.rim > 0 || !begins_line(text, block) {
        return span;
    }
    let wanted = column(text, block);
    while span.of(text).starts_with('#') && begins_line(text, span.start) && column(text, span.start) != wanted {
        let line = span.of(text).find('\n').unwrap_or(span.len());
        span = trimmed(text, Span::new(span.start as usize + line, span.end as usize));
    }
    span
}

/// A span that follows something on the same line, without what belongs to that line: a separator, or a comment to its end.
pub(crate) fn behind_line(text: &str, span: Span) -> Span {
    let said = span.of(text);
    let lead = match said.as_bytes().first() {
        Some(b';') => 1,
        Some(b'#') if !begins_line(text, span.start) => said.find(['\n', '\r']).unwrap_or(said.len()),
        _ => 0,
    };
    trimmed(text, Span::new(span.start as usize + lead, span.end as usize))
}

/// Where the line of a place begins. Lines of people are shorter than a thousand bytes; in longer ones no more is read, so
/// that a file of one line costs no more than others.
fn line_before(text: &str, at: usize) -> usize {
    let from = text.floor_char_boundary(at.saturating_sub(1000));
    let part = text.get(from..at).unwrap_or("");
    from + memrchr(b'\n', part.as_bytes()).map_or(0, |at| at + 1)
}

/// Whether nothing else stands on the lines of a span.
pub(crate) fn stands_alone(text: &str, span: Span) -> bool {
    begins_line(text, span.start) && ends_line(text, span)
}

fn ends_line(text: &str, span: Span) -> bool {
    let after = text.get(span.end as usize..).unwrap_or("");
    after.split(['\n', '\r']).next().unwrap_or("").trim().is_empty()
}

/// Whether what stands in place of a part would make one word or one operator with what stands beside it.
fn sticks(text: &str, part: Span, mark: &str) -> bool {
    let before = text.get(..part.start as usize).and_then(|text| text.chars().next_back());
    let after = text.get(part.end as usize..).and_then(|text| text.chars().next());
    let one = |a: Option<char>, b: Option<char>| match (a, b) {
        (Some(a), Some(b)) => is_word(a) && is_word(b) || is_operator(a) && is_operator(b),
        _ => false,
    };
    one(before, mark.chars().next()) || one(mark.chars().next_back(), after)
}

fn is_operator(c: char) -> bool {
    c.is_ascii_punctuation()
        && !matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';' | '.' | '"' | '\'' | '`' | '_')
}
