//! Kotlin that its grammar does not read, made readable for it.
//!
//! Takes a text; gives a copy of the same length, or nothing when there is nothing to change: the words `annotation`,
//! `expect` and `actual` before a class become `open` or blank, because the grammar takes them for names after an annotation;
//! parameters without types (`fun(x) { … }`) are blank; `[]` becomes a value; a line break before the modifiers of a primary
//! constructor becomes a space; the members of a body on one line get the `;` that the grammar wants; `context(…)` before a
//! declaration becomes a modifier, before the type of a function it is blank. Strings and comments are not told from code:
//! a changed word in them changes no tree. Every search is bounded, so the work is linear.

use memchr::memmem;

pub fn prepare(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let mut changed = false;
    for word in [&b"annotation"[..], b"expect", b"actual"] {
        changed |= modifiers(text.as_bytes(), word, &mut bytes);
    }
    changed |= untyped_parameters(text.as_bytes(), &mut bytes);
    changed |= empty_lists(text.as_bytes(), &mut bytes);
    changed |= constructors(text.as_bytes(), &mut bytes);
    changed |= short_bodies(text.as_bytes(), &mut bytes);
    changed |= contexts(text.as_bytes(), &mut bytes);
    if changed { String::from_utf8(bytes).ok() } else { None }
}

/// Words that can follow a modifier of a class; after another word it may be a name.
const CLASSES: [&[u8]; 9] =
    [b"class", b"interface", b"object", b"typealias", b"annotation", b"enum", b"sealed", b"abstract", b"value"];

fn modifiers(text: &[u8], modifier: &[u8], out: &mut [u8]) -> bool {
    let mut changed = false;
    for at in memmem::find_iter(text, modifier) {
        let end = at + modifier.len();
        let next = word(text, blank(text, end));
        if !is_part(text, at.wrapping_sub(1)) && !is_part(text, end) && CLASSES.contains(&next) {
            // The first of several modifiers is enough.
            let before = text.get(at.saturating_sub(2)..at).unwrap_or(&[]);
            let follows = matches!(before, [letter, b' '] if is_word(*letter));
            put(out, at, if follows { b"" } else { b"open" }, end);
            changed = true;
        }
    }
    changed
}

/// The longest list of parameters without types that is looked at; people write one or two names.
const PARAMETERS: usize = 100;

fn untyped_parameters(text: &[u8], out: &mut [u8]) -> bool {
    let mut changed = false;
    for at in memmem::find_iter(text, b"fun(") {
        let from = at + 4;
        let list = text.get(from..text.len().min(from + PARAMETERS)).unwrap_or(&[]);
        let Some(long) = list.iter().position(|byte| !is_word(*byte) && !matches!(byte, b' ' | b',')) else { continue };
        if long > 0 && list.get(long) == Some(&b')') && !is_part(text, at.wrapping_sub(1)) {
            put(out, from, b"", from + long);
            changed = true;
        }
    }
    changed
}

fn empty_lists(text: &[u8], out: &mut [u8]) -> bool {
    let mut changed = false;
    for at in memmem::find_iter(text, b"[]") {
        put(out, at, b"0", at + 2);
        changed = true;
    }
    changed
}

/// How far before `constructor` its class is looked for: a few annotations and modifiers.
const HEADER: usize = 300;

/// `class A⏎internal constructor(…)`: the grammar ends the class at the line.
fn constructors(text: &[u8], out: &mut [u8]) -> bool {
    let mut changed = false;
    for at in memmem::find_iter(text, b"constructor(") {
        let floor = at.saturating_sub(HEADER);
        let Some(before) = text.get(floor..at) else { continue };
        let line = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
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
            for byte in out.get_mut(floor + class..floor + line).unwrap_or(&mut []) {
                if matches!(byte, b'\n' | b'\r') {
                    *byte = b' ';
                }
            }
            changed = true;
        }
    }
    changed
}

/// `class A { val x = 1 }`: the grammar wants a line break or `;` behind every member, and the blank before the brace has
/// room for it.
fn short_bodies(text: &[u8], out: &mut [u8]) -> bool {
    let mut changed = false;
    let mut done = 0;
    for word in memchr::memchr_iter(b'{', text) {
        if word < done {
            continue;
        }
        let start = memchr::memrchr(b'\n', text.get(done..word).unwrap_or(&[])).map_or(done, |at| done + at + 1);
        let end = memchr::memchr(b'\n', text.get(word..).unwrap_or(&[])).map_or(text.len(), |at| word + at);
        done = end;
        let line = text.get(start..end).unwrap_or(&[]);
        if [&b"class"[..], b"interface", b"object"].iter().any(|word| memmem::find(line, word).is_some()) {
            changed |= short_bodies_of(line, out.get_mut(start..end).unwrap_or(&mut []));
        }
    }
    changed
}

/// Braces of a line that are counted. A longer line of nested ones was made by a program.
const DEEPEST: usize = 32;

fn short_bodies_of(line: &[u8], out: &mut [u8]) -> bool {
    let mut changed = false;
    let mut open = Vec::new();
    let mut is_class = false;
    let mut last = (b'{', 0);
    for (at, byte) in line.iter().enumerate() {
        match byte {
            b'{' if open.len() < DEEPEST => {
                open.push(is_class);
                is_class = false;
            }
            b'}' => {
                let body = open.pop().unwrap_or(false);
                if body && last.1 + 1 < at && !matches!(last.0, b'{' | b';' | b',') {
                    put(out, at - 1, b";", at);
                    changed = true;
                }
                is_class = false;
            }
            b';' => is_class = false,
            b'c' | b'i' | b'o' if !is_part(line, at.wrapping_sub(1)) && line.get(at.wrapping_sub(1)) != Some(&b':') => {
                is_class |= matches!(word(line, at), b"class" | b"interface" | b"object");
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            last = (*byte, at);
        }
    }
    changed
}

/// Words that a declaration can begin with.
const DECLARATIONS: [&[u8]; 32] = [
    b"fun",
    b"val",
    b"var",
    b"class",
    b"interface",
    b"object",
    b"context",
    b"public",
    b"private",
    b"internal",
    b"protected",
    b"override",
    b"inline",
    b"suspend",
    b"operator",
    b"infix",
    b"tailrec",
    b"external",
    b"open",
    b"abstract",
    b"final",
    b"sealed",
    b"data",
    b"enum",
    b"value",
    b"annotation",
    b"inner",
    b"companion",
    b"const",
    b"lateinit",
    b"expect",
    b"actual",
];

/// The longest list of context parameters that is looked at; people write some hundred bytes.
const CONTEXT: usize = 1000;

/// `context(log: Log) fun f()`: a modifier keeps the place of the words, so that they stay a part of the declaration.
fn contexts(text: &[u8], out: &mut [u8]) -> bool {
    let mut changed = false;
    for at in memmem::find_iter(text, b"context(") {
        let floor = at.saturating_sub(HEADER);
        let before = text.get(floor..at).unwrap_or(&[]);
        let line = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let before = before.get(line..).unwrap_or(&[]).trim_ascii_end();
        let last = before.rsplit(|byte| *byte == b' ').next().unwrap_or(&[]);
        let is_type = matches!(last.last(), Some(b':'));
        let is_first = match last {
            [] | [b'@', ..] | [.., b'{' | b'}' | b';' | b')'] => !is_part(text, at.wrapping_sub(1)),
            _ => false,
        };
        let Some(end) = (is_type || is_first).then(|| closed(text, at + 7)).flatten() else { continue };
        let rest = text.get(end..text.len().min(end + PARAMETERS)).unwrap_or(&[]).trim_ascii_start();
        if is_type {
            put(out, at, b"", end);
            changed = true;
        } else if rest.first() == Some(&b'@') || DECLARATIONS.contains(&word(rest, 0)) {
            put(out, at, b"open", end);
            changed = true;
        }
    }
    changed
}

/// The place behind the parenthesis that closes the one at a place.
fn closed(text: &[u8], open: usize) -> Option<usize> {
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

/// Writes a word and blanks up to `end`. Line breaks stay.
fn put(out: &mut [u8], at: usize, word: &[u8], end: usize) {
    for (offset, byte) in out.get_mut(at..end).unwrap_or(&mut []).iter_mut().enumerate() {
        if *byte != b'\n' {
            *byte = word.get(offset).copied().unwrap_or(b' ');
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn is_part(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(|byte| is_word(*byte))
}

/// The first byte from a place on that is no blank of its line.
fn blank(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..text.len().min(from + PARAMETERS)).unwrap_or(&[]);
    from + rest.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(rest.len())
}

/// The word at a place; no word that matters is longer than this.
fn word(text: &[u8], at: usize) -> &[u8] {
    let rest = text.get(at..text.len().min(at + 12)).unwrap_or(&[]);
    rest.split(|byte| !is_word(*byte)).next().unwrap_or(&[])
}

#[cfg(test)]
mod tests {
    use super::prepare;
    use proptest::prelude::*;

    #[test]
    fn only_what_the_grammar_cannot_read_changes() {
        let text = "@A\npublic annotation class B\nclass C\ninternal constructor(val x: Int = [])\nf(fun(a, b) {})\nobject D { fun g() {} }\n";
        let made = "@A\npublic            class B\nclass C internal constructor(val x: Int = 0 )\nf(fun(    ) {})\nobject D { fun g() {};}\n";
        assert_eq!(prepare(text).as_deref(), Some(made));
        let text = "context(a: (B) -> C)\nprivate fun f(x: context(D) () -> E) {}\n@A context(F) fun g()\n";
        let made = "open                \nprivate fun f(x:            () -> E) {}\n@A open       fun g()\n";
        assert_eq!(prepare(text).as_deref(), Some(made));
        assert_eq!(prepare("fun context(a: A)\nfun f() {\n    context(a)\n    b.context(c) { fun }\n}\n"), None);
        assert_eq!(prepare("class A {\n    val annotation = actual\n}\n"), None);
    }

    proptest! {
        #[test]
        fn the_length_stays(parts in prop::collection::vec(
            prop::sample::select(vec![
                "class ", "object ", "{", "}", " ", "\n", "constructor(", "internal ", "fun(", "a", "é", ")", "[]", "expect ", "annotation ", ";", "@A", "context(", ":",
            ]),
            0..60,
        )) {
            let text = parts.concat();
            if let Some(made) = prepare(&text) {
                prop_assert_eq!(made.len(), text.len());
            }
        }
    }
}
