//! What a line of Markdown begins: headings, rules, list items, fences and comments.
//!
//! Takes single lines; keeps no state. Columns count a tab to the next multiple of four, as CommonMark does.

/// How wide the white space before a line is.
pub fn columns(line: &str) -> usize {
    width(line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')))
}

fn width(space: impl Iterator<Item = u8>) -> usize {
    space.fold(0, |at, byte| if byte == b'\t' { at / 4 * 4 + 4 } else { at + 1 })
}

/// A line without up to this many columns of white space.
pub fn dedent(line: &str, offset: usize) -> &str {
    let mut at = 0;
    let mut bytes = 0;
    for byte in line.bytes() {
        let next = match byte {
            b' ' => at + 1,
            b'\t' => at / 4 * 4 + 4,
            _ => break,
        };
        if next > offset {
            break;
        }
        at = next;
        bytes += 1;
    }
    line.get(bytes..).unwrap_or(line)
}

/// `## Title ##`.
pub fn heading(body: &str) -> Option<(usize, &str)> {
    let level = body.bytes().take_while(|&byte| byte == b'#').count();
    let rest = body.get(level..)?;
    if !(1..=6).contains(&level) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let title = rest.trim();
    let bare = title.trim_end_matches('#');
    let closed = bare.len() < title.len() && (bare.is_empty() || bare.ends_with([' ', '\t']));
    Some((level, if closed { bare.trim_end() } else { title }))
}

/// `===` or `---`, the level of the heading above it. One sign alone is an empty item more often than a heading.
pub fn is_underline(body: &str) -> Option<usize> {
    let body = body.trim_end();
    let all = |sign: u8| body.len() >= 2 && body.bytes().all(|byte| byte == sign);
    match (all(b'='), all(b'-')) {
        (true, _) => Some(1),
        (_, true) => Some(2),
        _ => None,
    }
}

/// `---`, `* * *`, `___`.
pub fn is_break(body: &str) -> bool {
    let mut signs = body.bytes().filter(|byte| !matches!(byte, b' ' | b'\t'));
    let Some(sign @ (b'-' | b'*' | b'_')) = signs.next() else { return false };
    let mut count = 1;
    signs.all(|other| {
        count += 1;
        other == sign
    }) && count >= 3
}

/// The beginning of a list item.
pub struct ListItem {
    /// Marker and the space behind it, in bytes.
    pub width: usize,
    /// A number says something, a bullet does not.
    pub keeps_marker: bool,
    /// Whether it may follow a paragraph without an empty line: `1986. A good year` at the beginning of a line may not.
    pub may_interrupt: bool,
}

pub fn item(body: &str) -> Option<ListItem> {
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match body.as_bytes().get(digits)? {
        b'-' | b'*' | b'+' if digits == 0 => 1,
        b'.' | b')' if (1..=9).contains(&digits) => digits + 1,
        _ => return None,
    };
    let rest = body.get(marker..)?;
    if !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let space = rest.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    // Behind five spaces stands code, and only one of them is the marker's.
    let width = marker + if space > 4 { 1 } else { space };
    let may_interrupt = !rest.trim().is_empty() && (digits == 0 || body.get(..digits) == Some("1"));
    Some(ListItem { width, keeps_marker: digits > 0, may_interrupt })
}

/// A code fence that is open.
pub struct Fence {
    sign: u8,
    length: usize,
    /// A line that begins left of this column ends it: the item it stands in is over.
    pub floor: usize,
}

impl Fence {
    pub fn opened_by(body: &str, floor: usize) -> Option<Self> {
        let sign = *body.as_bytes().first().filter(|sign| matches!(sign, b'`' | b'~'))?;
        let length = body.bytes().take_while(|&byte| byte == sign).count();
        let info = body.get(length..)?;
        (length >= 3 && (sign == b'~' || !info.contains('`'))).then_some(Self { sign, length, floor })
    }

    pub fn is_closed_by(&self, line: &str) -> bool {
        let body = line.trim();
        body.len() >= self.length && body.bytes().all(|byte| byte == self.sign)
    }
}

/// The line without `<!-- comments -->` outside of code spans, and whether one stays open at its end. Only a comment at
/// the beginning may stay open, and only where `closes_later` knows of an end behind that byte.
pub fn strip_comments(line: &str, closes_later: impl Fn(usize) -> bool) -> (String, bool) {
    let mut kept = String::with_capacity(line.len());
    let last_end = line.rfind("-->");
    let mut span = 0;
    let mut at = 0;
    let mut is_first = true;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let ticks = rest.bytes().take_while(|&byte| byte == b'`').count();
        if ticks > 0 {
            span = match span {
                0 => ticks,
                open if open == ticks => 0,
                open => open,
            };
            kept.push_str(rest.get(..ticks).unwrap_or_default());
            at += ticks;
            continue;
        }
        if span == 0 && rest.starts_with("<!--") {
            // `<!-->` is a whole comment, so its end may overlap its beginning.
            if last_end.is_some_and(|last| last >= at + 2)
                && let Some(end) = rest.get(2..).and_then(|rest| rest.find("-->"))
            {
                at += 2 + end + 3;
                continue;
            }
            let begins = std::mem::take(&mut is_first) && kept.trim_matches([' ', '\t', '-', '*', '+']).is_empty();
            if begins && closes_later(at) {
                return (kept, true);
            }
        }
        let next = rest.bytes().skip(1).position(|byte| matches!(byte, b'`' | b'<')).map_or(rest.len(), |n| n + 1);
        kept.push_str(rest.get(..next).unwrap_or_default());
        at += next;
    }
    (kept, false)
}
