//! Swift that its grammar does not read, made readable for it.
//!
//! Takes a text; gives a copy of the same length, or nothing when there is nothing to change: `\/` in a regular expression
//! becomes two letters, because the grammar ends the expression there. Only what stands where a value begins and is closed
//! on its line is taken for one. Strings and comments are not told from code: a changed letter in them changes no tree.
//! Every line is read once.

use memchr::memmem;

pub fn prepare(text: &str) -> Option<String> {
    let source = text.as_bytes();
    let mut bytes = source.to_vec();
    let mut changed = false;
    let mut done = 0;
    for at in memmem::find_iter(source, b"\\/") {
        if at < done {
            continue;
        }
        let start = memchr::memrchr(b'\n', source.get(done..at).unwrap_or(&[])).map_or(done, |end| done + end + 1);
        let end = memchr::memchr(b'\n', source.get(at..).unwrap_or(&[])).map_or(source.len(), |end| at + end);
        done = end;
        if let (Some(line), Some(out)) = (source.get(start..end), bytes.get_mut(start..end)) {
            changed |= expressions(line, out);
        }
    }
    if changed { String::from_utf8(bytes).ok() } else { None }
}

fn expressions(line: &[u8], out: &mut [u8]) -> bool {
    let mut changed = false;
    let mut at = 0;
    while let Some(offset) = memchr::memchr(b'/', line.get(at..).unwrap_or(&[])) {
        let open = at + offset;
        at = open + 1;
        if !is_value(line.get(..open).unwrap_or(&[])) || matches!(line.get(at), None | Some(b' ' | b'\t' | b'/' | b'*'))
        {
            continue;
        }
        let Some(close) = closed(line, at) else { break };
        for escape in memmem::find_iter(line.get(at..close).unwrap_or(&[]), b"\\/") {
            for byte in out.iter_mut().skip(at + escape).take(2) {
                *byte = b'x';
            }
            changed = true;
        }
        at = close + 1;
    }
    changed
}

/// Whether a value begins behind this part of a line.
fn is_value(before: &[u8]) -> bool {
    // Enough blanks for any style; more would be read again for every slash.
    let near = before.get(before.len().saturating_sub(20)..).unwrap_or(&[]).trim_ascii_end();
    near.ends_with(b"return") || matches!(near.last(), Some(b'=' | b'(' | b',' | b':' | b'[' | b'?'))
}

/// Where the slash is that closes an expression.
fn closed(line: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match line.get(at)? {
            b'\\' => at += 2,
            b'/' => return Some(at),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::prepare;
    use proptest::prelude::*;

    #[test]
    fn only_slashes_in_expressions_change() {
        let text = "let a = /b{2}\\/\\\\/\nf(of: /\\/\\//, with: \"\\/\") // = \\/\n";
        let made = "let a = /b{2}xx\\\\/\nf(of: /xxxx/, with: \"\\/\") // = \\/\n";
        assert_eq!(prepare(text).as_deref(), Some(made));
        assert_eq!(prepare("let a = b / c\nlet d = #/\\//#\nlet e = /\\/\n"), None);
    }

    proptest! {
        #[test]
        fn the_length_stays(parts in prop::collection::vec(
            prop::sample::select(vec!["/", "\\", "\\/", "= ", "(", "return ", "é", "a", "\n", " ", "\r\n", "#"]),
            0..40,
        )) {
            let text = parts.concat();
            if let Some(made) = prepare(&text) {
                prop_assert_eq!(made.len(), text.len());
            }
        }
    }
}
