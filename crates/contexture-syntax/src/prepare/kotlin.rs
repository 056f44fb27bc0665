//! Kotlin that its grammar does not read, made readable for it.
//!
//! Takes a text; gives a copy of the same length, or nothing when there is nothing to change: the words `annotation`,
//! `expect` and `actual` before a class become `open` or blank, because the grammar takes them for names after an annotation;
//! parameters without types (`fun(x) { … }`) are blank; `[]` becomes a value; a line break before the modifiers of a primary
//! constructor becomes a space; the members of a body on one line get the `;` that the grammar wants; `context(…)` before a
//! declaration becomes a modifier, before the type of a function it is blank. Strings and comments are not told from code:
//! a changed word in them changes no tree. Every search is bounded, so the work is linear.

use super::page::Page;
use super::scan::{is_blank, is_part, is_word, lines_with, skip, word};
use crate::structure::Span;
use memchr::{memchr_iter, memmem, memrchr};

pub fn prepare(text: &str) -> Option<String> {
    let mut page = Page::new(text);
    let text = text.as_bytes();
    for word in ["annotation", "expect", "actual"] {
        modifiers(text, word, &mut page);
    }
    untyped_parameters(text, &mut page);
    for at in memmem::find_iter(text, b"[]") {
        page.put(at, "0 ");
    }
    constructors(text, &mut page);
    short_bodies(text, &mut page);
    contexts(text, &mut page);
    page.finish_changed()
}

fn is_one_of(words: &str, word: &[u8]) -> bool {
    words.split(' ').any(|known| known.as_bytes() == word)
}

/// Words that can follow a modifier of a class; after another word it may be a name.
const CLASSES: &str = "class interface object typealias annotation enum sealed abstract value";

fn modifiers(text: &[u8], modifier: &str, page: &mut Page) {
    for at in memmem::find_iter(text, modifier) {
        let end = at + modifier.len();
        let next = word(text, skip(text, end, is_blank));
        if !is_part(text, at.checked_sub(1)) && !is_part(text, Some(end)) && is_one_of(CLASSES, next) {
            // The first of several modifiers is enough.
            let before = text.get(at.saturating_sub(2)..at).unwrap_or(&[]);
            let follows = matches!(before, [letter, b' '] if is_word(*letter));
            page.write(Span::new(at, end), if follows { "" } else { "open" });
        }
    }
}

/// The longest list of parameters without types that is looked at; people write one or two names.
const PARAMETERS: usize = 100;

fn untyped_parameters(text: &[u8], page: &mut Page) {
    for at in memmem::find_iter(text, b"fun(") {
        let from = at + 4;
        let list = text.get(from..text.len().min(from + PARAMETERS)).unwrap_or(&[]);
        let long = skip(list, 0, |byte| is_word(byte) || matches!(byte, b' ' | b','));
        if long > 0 && list.get(long) == Some(&b')') && !is_part(text, at.checked_sub(1)) {
            page.blank(Span::new(from, from + long));
        }
    }
}

/// How far before `constructor` its class is looked for: a few annotations and modifiers.
const HEADER: usize = 300;

/// `class A⏎internal constructor(…)`: the grammar ends the class at the line.
fn constructors(text: &[u8], page: &mut Page) {
    for at in memmem::find_iter(text, b"constructor(") {
        let floor = at.saturating_sub(HEADER);
        let Some(before) = text.get(floor..at) else { continue };
        let line = memrchr(b'\n', before).map_or(0, |end| end + 1);
        let said = before.get(line..).unwrap_or(&[]);
        if said.trim_ascii().is_empty() || !said.iter().all(|byte| is_word(*byte) || byte.is_ascii_whitespace()) {
            continue;
        }
        let Some(class) = memmem::rfind(before, b"class ") else { continue };
        let between = before.get(class..line).unwrap_or(&[]);
        // A body, parameters or a comment between them: then it is a constructor in the body of another class.
        let mut lines = between.split(|byte| *byte == b'\n');
        let head = lines.next().unwrap_or(&[]);
        let is_header = !head.iter().any(|byte| matches!(byte, b'(' | b'{' | b':' | b'/'));
        if is_header && lines.all(|line| line.trim_ascii().first().is_none_or(|first| *first == b'@')) {
            for (offset, _) in between.iter().enumerate().filter(|(_, byte)| matches!(byte, b'\n' | b'\r')) {
                page.put(floor + class + offset, " ");
            }
        }
    }
}

/// `class A { val x = 1 }`: the grammar wants a line break or `;` behind every member, and the blank before the brace has
/// room for it.
fn short_bodies(text: &[u8], page: &mut Page) {
    for range in lines_with(text, memchr_iter(b'{', text)) {
        let start = range.start;
        let line = text.get(range).unwrap_or(&[]);
        if ["class", "interface", "object"].iter().any(|word| memmem::find(line, word.as_bytes()).is_some()) {
            short_bodies_of(line, start, page);
        }
    }
}

/// Braces of a line that are counted. A longer line of nested ones was made by a program.
const DEEPEST: usize = 32;

fn short_bodies_of(line: &[u8], start: usize, page: &mut Page) {
    let mut open = Vec::new();
    let mut is_class = false;
    let mut last = (b'{', 0);
    for (at, byte) in line.iter().enumerate() {
        let before = at.checked_sub(1);
        match byte {
            b'{' if open.len() < DEEPEST => {
                open.push(is_class);
                is_class = false;
            }
            b'}' => {
                let body = open.pop().unwrap_or(false);
                if body && last.1 + 1 < at && !matches!(last.0, b'{' | b';' | b',') {
                    page.put(start + at - 1, ";");
                }
                is_class = false;
            }
            b';' => is_class = false,
            b'c' | b'i' | b'o' if !is_part(line, before) && before.and_then(|at| line.get(at)) != Some(&b':') => {
                is_class |= is_one_of("class interface object", word(line, at));
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            last = (*byte, at);
        }
    }
}

/// Words that a declaration can begin with.
const DECLARATIONS: &str = "fun val var class interface object context public private internal protected override inline \
                            suspend operator infix tailrec external open abstract final sealed data enum value \
                            annotation inner companion const lateinit expect actual";

/// The longest list of context parameters that is looked at; people write some hundred bytes.
const CONTEXT: usize = 1000;

/// `context(log: Log) fun f()`: a modifier keeps the place of the words, so that they stay a part of the declaration.
fn contexts(text: &[u8], page: &mut Page) {
    for at in memmem::find_iter(text, b"context(") {
        let before = text.get(at.saturating_sub(HEADER)..at).unwrap_or(&[]);
        let line = memrchr(b'\n', before).map_or(0, |end| end + 1);
        let before = before.get(line..).unwrap_or(&[]).trim_ascii_end();
        let last = before.rsplit(|byte| *byte == b' ').next().unwrap_or(&[]);
        let is_type = last.ends_with(b":");
        let is_first =
            matches!(last, [] | [b'@', ..] | [.., b'{' | b'}' | b';' | b')']) && !is_part(text, at.checked_sub(1));
        let Some(end) = (is_type || is_first).then(|| group_end(text, at + 7)).flatten() else { continue };
        let rest = text.get(end..text.len().min(end + PARAMETERS)).unwrap_or(&[]).trim_ascii_start();
        let declares = rest.starts_with(b"@") || is_one_of(DECLARATIONS, word(rest, 0));
        if is_type || declares {
            page.blank_words(Span::new(at, end));
        }
        if declares && !is_type {
            page.put(at, "open");
        }
    }
}

/// The place behind the parenthesis that closes the one at a place.
fn group_end(text: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (offset, byte) in text.get(open..text.len().min(open + CONTEXT))?.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(open + offset + 1),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}
