//! Keys that stand twice in one object. Readers of JSON take the last of them, or the first, or refuse it: whoever wrote it meant one.

use std::collections::BTreeSet;

/// An object or a list that is not closed yet.
enum Open<'a> {
    Object { keys: BTreeSet<String>, last: &'a str },
    List { nth: usize },
}

/// Each key that stands again, with the place of its object. Takes JSON that was read already; of anything else it finds nothing.
pub(super) fn twice(body: &str) -> Vec<(String, String)> {
    let bytes = body.as_bytes();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' => open.push(Open::Object { keys: BTreeSet::new(), last: "" }),
            b'[' => open.push(Open::List { nth: 0 }),
            b'}' | b']' => drop(open.pop()),
            b',' => {
                if let Some(Open::List { nth }) = open.last_mut() {
                    *nth += 1;
                }
            }
            b'"' => {
                let Some(end) = string_end(bytes, at + 1) else { return found };
                let text = &body[at + 1..end];
                at = end;
                let is_key = bytes[end + 1..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
                if is_key && let Some(Open::Object { keys, last }) = open.last_mut() {
                    *last = text;
                    if !keys.insert(unescaped(text)) {
                        found.push((place(&open), unescaped(text)));
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Where a string ends that begins here: its closing quote.
pub(super) fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

fn unescaped(text: &str) -> String {
    serde_json::from_str(&format!("\"{text}\"")).unwrap_or_else(|_| text.to_owned())
}

/// `messages[2].content[0]`: the object that is open, as seen from those around it.
fn place(open: &[Open<'_>]) -> String {
    let mut place = String::new();
    for around in &open[..open.len().saturating_sub(1)] {
        match around {
            Open::List { nth } => place.push_str(&format!("[{nth}]")),
            Open::Object { last, .. } => {
                place.push_str(if place.is_empty() { "" } else { "." });
                place.push_str(last);
            }
        }
    }
    place
}
