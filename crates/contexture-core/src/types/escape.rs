//! Text as people see it: names that cannot forge a heading, a line or a tag, and numbers.

use std::borrow::Cow;

/// A text for a terminal: characters that could move the cursor, change colours or hide are shown by their numbers.
pub fn visible(text: &str) -> Cow<'_, str> {
    // A joiner holds an emoji together, and does nothing to a terminal.
    let is_odd = |c: char| is_hidden(c) && !matches!(c, '\t' | '\u{200c}' | '\u{200d}');
    if !text.chars().any(is_odd) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| if is_odd(c) { format!("<U+{:04X}>", c as u32) } else { c.to_string() };
    Cow::Owned(text.chars().map(shown).collect())
}

/// A path as it may stand on one line inside a code span.
///
/// An ordinary name stands as it is. A name with anything that could end the line, end the span or hide (control
/// characters, backticks, quotes, backslashes, invisible or bidirectional marks, spaces at its ends) stands as a JSON
/// string in ASCII; bytes that are no UTF-8 stand there as lone surrogates `\udc80`–`\udcff`, the way Python writes them.
pub fn printable(path: &str) -> Cow<'_, str> {
    let odd = path.is_empty()
        || path.starts_with([' ', '"'])
        || path.ends_with(' ')
        || path.chars().any(|c| needs_escape(c) || c == '\\');
    if !odd {
        return Cow::Borrowed(path);
    }
    let mut quoted = String::with_capacity(path.len() + 8);
    quoted.push('"');
    for c in path.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            // Gather maps a byte that is no UTF-8 to U+10FF00 + byte, a private-use point no file system name has.
            '\u{10FF80}'..='\u{10FFFF}' => quoted.push_str(&format!("\\udc{:02x}", c as u32 - 0x10FF00)),
            c if needs_escape(c) => {
                let mut units = [0u16; 2];
                for unit in c.encode_utf16(&mut units) {
                    quoted.push_str(&format!("\\u{unit:04x}"));
                }
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    Cow::Owned(quoted)
}

/// A backquote ends a code span.
fn needs_escape(c: char) -> bool {
    c == '`' || is_hidden(c)
}

/// Whether a character controls a terminal, is not seen, or turns what stands beside it. Line ends, tabs and joiners do too.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{3164}' | '\u{feff}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{e01ef}' | '\u{f0000}'..='\u{10ffff}')
}

/// A number with its thousands set apart, as people read it.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
