//! Private keys in blocks: what stands between `-----BEGIN … PRIVATE KEY-----` and its end.
//!
//! The lines of BEGIN and END stay: they say what was there. A block that is cut off goes as far as its lines are those of a key. In a
//! string the block stands on one line, with `\n` between its parts.

use std::ops::Range;

/// The largest key with its headers; RSA of 16,384 bits has 13 KB.
const LONG: usize = 64 * 1024;

/// The place of the key, given the words `PRIVATE KEY` of its first line.
pub(super) fn key(text: &str, word: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let head = &text[text.floor_char_boundary(word.start.saturating_sub(40))..word.start];
    let begins = head.rfind("-----BEGIN ").or_else(|| head.rfind("---- BEGIN "))?;
    if head[begins..].contains(['\n', '\r']) {
        return None;
    }
    // ` BLOCK` of PGP, then dashes.
    let rest = &bytes[word.end..bytes.len().min(word.end + 16)];
    let dashes = rest.windows(4).position(|four| four == b"----")?;
    let start = word.end + dashes + rest[dashes..].iter().take_while(|byte| **byte == b'-').count();
    let body = &text[start..text.floor_char_boundary((start + LONG).min(text.len()))];
    let length = match ends(body) {
        Some(end) => end,
        None => lines_of_key(body),
    };
    let key = &body[..length];
    let drawn = key.bytes().filter(u8::is_ascii_alphanumeric).count();
    let distinct =
        key.bytes().filter(u8::is_ascii_alphanumeric).fold(0_u128, |seen, byte| seen | 1 << (byte & 127)).count_ones();
    // `...` or `<key>` between the lines is a form to fill in.
    (drawn >= 32 && distinct >= 8 && !key.contains("[REDACTED:")).then(|| {
        let inside = key.trim_end_matches(['\n', '\r', ' ', '\t', '+', '-', '#', '*', '/', '\\', 'n', 'r', '"', '\'']);
        // The end of a key may be one of these letters; what was trimmed too far is a line end in a string.
        let end = if inside.len() < key.len() && key[inside.len()..].starts_with(['n', 'r', '+', '/']) {
            letters_end(key)
        } else {
            inside.len()
        };
        start..start + end
    })
}

/// Where the block ends. No key holds five dashes, so the first ones are its end or the beginning of another.
fn ends(body: &str) -> Option<usize> {
    let at = memchr::memmem::find(body.as_bytes(), b"-----")
        .or_else(|| memchr::memmem::find(body.as_bytes(), b"---- END "))?;
    let dashes = body[at..].bytes().take_while(|byte| *byte == b'-').count();
    // In a diff the sign of the line is one more.
    body[at + dashes..].trim_start().starts_with("END ").then(|| at + dashes.saturating_sub(5))
}

/// The end of the key itself: before the last line end, real or written.
fn letters_end(key: &str) -> usize {
    let mut end = key.len();
    loop {
        let rest = &key[..end];
        let shorter = rest.trim_end_matches(['\n', '\r', ' ', '\t', '"', '\'', '-', '#', '*']);
        let shorter = ["\\n", "\\r"].iter().fold(shorter, |rest, escape| rest.strip_suffix(escape).unwrap_or(rest));
        if shorter.len() == end {
            return end;
        }
        end = shorter.len();
    }
}

/// How far lines go that can be of a key: base64 with little around it, and headers.
fn lines_of_key(body: &str) -> usize {
    let mut length = 0;
    for line in body.split_inclusive('\n') {
        let inside = line.trim().trim_matches(['"', '\'', '+', ',', '#', '*', ' ', '\\']);
        let is_base64 = inside
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\\' | b'-'));
        let is_header = line.len() < 200
            && inside
                .split_once(": ")
                .is_some_and(|(name, _)| matches!(name, "Proc-Type" | "DEK-Info" | "Version" | "Comment"));
        if !(is_base64 || is_header) || (length > 0 && inside.is_empty() && !line.contains('\n')) {
            break;
        }
        length += line.len();
    }
    length
}

/// A block as base64, given how `-----BEGIN` is written there: the private ones, over all lines that go on with it.
pub(super) fn encoded(text: &str, word: Range<usize>) -> Option<Range<usize>> {
    // How the next letters are written: of RSA, DSA, EC, OPENSSH, ENCRYPTED, PGP and plain keys.
    const KINDS: &[&str] = &["BSU0Eg", "BEU0Eg", "BFQyBQ", "BPUEVO", "BFTkNS", "BQR1AgUFJJ", "BQUklW"];
    let rest = text.get(word.end..)?;
    if !KINDS.iter().any(|kind| rest.starts_with(kind)) {
        return None;
    }
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let rest = &rest[..rest.floor_char_boundary(LONG)];
    let first = rest.bytes().take_while(|byte| is_base64(*byte)).count();
    let mut end = first;
    // A line of less than this is the end of a key or something else.
    const WIDTH: usize = 40;
    if first >= WIDTH {
        for line in rest[first..].split_inclusive('\n') {
            let inside = line.trim();
            if !inside.bytes().all(is_base64) || (inside.is_empty() && end > first) {
                break;
            }
            end += line.len();
            if !inside.is_empty() && inside.len() < WIDTH {
                break;
            }
        }
    }
    let whole = text[word.start..word.end + end].trim_end().len();
    (first >= 32).then(|| word.start..word.start + whole)
}

/// The private lines of a key of PuTTY.
pub(super) fn putty(text: &str, word: Range<usize>) -> Option<Range<usize>> {
    let rest = &text[word.end..text.floor_char_boundary((word.end + LONG).min(text.len()))];
    let (count, body) = rest.split_once('\n')?;
    let count: usize = count.trim().parse().ok()?;
    let start = text.len() - text[word.end..].len() + (rest.len() - body.len());
    let length: usize =
        body.split_inclusive('\n').take(count).take_while(|line| is_base64_line(line)).map(str::len).sum();
    let key = body[..length].trim_end();
    (key.len() >= 32).then(|| start..start + key.len())
}

fn is_base64_line(line: &str) -> bool {
    let inside = line.trim();
    !inside.is_empty() && inside.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
}

/// The private members of a key as JSON, around its `"kty"`; gives where that ends.
pub(super) fn jwk(text: &str, word: Range<usize>, mut put: impl FnMut(Range<usize>)) -> usize {
    // The largest key has eight members of some 700 letters.
    const FAR: usize = 4096;
    let from = text.floor_char_boundary(word.start.saturating_sub(FAR));
    let until = text.floor_char_boundary((word.end + FAR).min(text.len()));
    let start = text[from..word.start].rfind('{').map_or(from, |at| from + at);
    let end = text[word.end..until].find('}').map_or(until, |at| word.end + at);
    let key = &text[start..end];
    for member in ["\"d\"", "\"p\"", "\"q\"", "\"dp\"", "\"dq\"", "\"qi\"", "\"k\""] {
        let Some(at) = key.find(member) else { continue };
        let rest = key[at + member.len()..].trim_start_matches([' ', ':']);
        let Some((value, _)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) else { continue };
        let begins = end - rest.len() + 1;
        let is_drawn =
            value.len() >= 22 && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if is_drawn && !super::value::is_sham(value) {
            put(begins..begins + value.len());
        }
    }
    end
}
