//! Words of the shell that the grammar cannot read.
//!
//! Takes a text; gives a copy of the same length with plain words in their place, or `None` where there are none. Such words
//! are patterns in expansions (`${host%%]:*}`), descriptors opened for both ways (`8<>pipe`) and tests that go on in the
//! next line (`-o \`). None of them defines anything, but after one of them the grammar may lose the rest of the file. What
//! is changed stays on its line and in its quotes, so that even where it is not code nothing else is read otherwise.

use memchr::memmem;

pub fn prepare(text: &str) -> Option<String> {
    let mut page: Option<Vec<u8>> = None;
    let mut write = |at: usize, with: &[u8]| {
        let page = page.get_or_insert_with(|| text.as_bytes().to_vec());
        if let Some(part) = page.get_mut(at..at + with.len()) {
            part.copy_from_slice(with);
        }
    };
    let bytes = text.as_bytes();
    let mut done = 0;
    for start in memmem::find_iter(bytes, b"${") {
        // An expansion in a pattern is part of it.
        if start < done {
            continue;
        }
        if let Some((from, end)) = pattern(bytes, start + 2) {
            let mut plain = vec![b'x'; end - from];
            if let Some(sign) = plain.first_mut() {
                *sign = b'%';
            }
            write(from, &plain);
            done = end;
        }
    }
    for at in memmem::find_iter(bytes, b"<>") {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        if before.is_some_and(u8::is_ascii_digit) {
            write(at, b"> ");
        }
    }
    for word in [b" -o \\\n", b" -a \\\n"] {
        for at in memmem::find_iter(bytes, word) {
            if !in_comment(bytes, at) {
                write(at + 4, b"  ");
            }
        }
    }
    String::from_utf8(page?).ok()
}

/// Where the pattern of an expansion begins and ends, when it is one of those that are misread.
fn pattern(bytes: &[u8], name: usize) -> Option<(usize, usize)> {
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let from = name + bytes.get(name..)?.iter().take_while(is_name).count();
    if from == name || !matches!(bytes.get(from)?, b'%' | b'#' | b'/' | b':' | b'-' | b'+') {
        return None;
    }
    let mut depth = 1;
    let mut odd = false;
    // Longer ones are not written on one line, and a limit keeps lines of many open braces linear.
    for (at, byte) in bytes.iter().enumerate().skip(from).take(LONGEST) {
        match byte {
            b'\n' | b'\r' | b'\'' | b'"' | b'`' => return None,
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return (odd && at > from + 1).then_some((from, at));
                }
            }
            b'[' | b']' | b'&' | b'<' | b'>' | b'(' | b')' | b'^' => odd = true,
            b'$' => odd |= at == from + 1,
            _ => {}
        }
    }
    None
}

const LONGEST: usize = 200;

fn in_comment(bytes: &[u8], at: usize) -> bool {
    let line = bytes.get(..at).unwrap_or(&[]);
    let line = line.get(memchr::memrchr(b'\n', line).map_or(0, |end| end + 1)..).unwrap_or(&[]);
    line.trim_ascii_start().starts_with(b"#")
}

#[cfg(test)]
mod tests {
    use super::prepare;
    use proptest::prelude::*;

    #[test]
    fn only_what_is_misread_is_rewritten() {
        insta::assert_snapshot!(prepare("x=${host%%]:*}; y=${z:$i:1}; exec 8<>p; w=${v:-plain}").unwrap(), @"x=${host%xxxx}; y=${z%xxxx}; exec 8> p; w=${v:-plain}");
        for text in ["${x}", "${x:-y}", "${x%.*}", "'${x['", "${x%[", "# a -o \\\n", "a <> b", "${!x[@]}"] {
            assert_eq!(prepare(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn length_and_lines_stay(parts in proptest::collection::vec(
            prop_oneof![
                Just("${"), Just("x%"), Just("["), Just("]"), Just("}"), Just("ö"), Just("'"), Just("\n"), Just("8<>"), Just(" -o \\\n"), Just("#"),
            ], 0..40,
        )) {
            let text = parts.concat();
            if let Some(made) = prepare(&text) {
                prop_assert_eq!(made.len(), text.len());
            }
        }
    }
}
