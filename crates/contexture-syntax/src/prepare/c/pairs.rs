//! Which bracket closes which.

use super::lex::{ALONE, Token, kind};

/// Which bracket closes which. A brace closes what was left open in it. With `by_column` a closing brace at the beginning
/// of a line closes all but namespaces and linkage blocks.
pub fn pairs(text: &str, list: &[Token], by_column: bool) -> (Vec<u32>, bool) {
    let mut pairs = vec![ALONE; list.len()];
    let mut open: Vec<(u8, u32)> = Vec::new();
    let mut balanced = true;
    for (here, token) in list.iter().enumerate() {
        let place = u32::try_from(here).unwrap_or(ALONE);
        let partner = match token.kind {
            b'(' => b')',
            b'[' => b']',
            b'{' => b'}',
            b'}' if by_column && at_line_start(text, token.span.start) => {
                let mut inner = None;
                while let Some((b'}', opened)) = open.iter().rfind(|(kind, _)| *kind == b'}').copied() {
                    if is_outer(text, list, opened) && inner.is_some() {
                        break;
                    }
                    while open.pop().is_some_and(|(_, other)| other != opened) {}
                    inner = Some(opened);
                    if is_outer(text, list, opened) {
                        break;
                    }
                }
                if let Some(opened) = inner {
                    join(&mut pairs, opened, place);
                }
                continue;
            }
            b'}' => {
                while open.last().is_some_and(|(kind, _)| *kind != b'}') {
                    open.pop();
                }
                match open.pop() {
                    Some((_, opened)) => join(&mut pairs, opened, place),
                    None => balanced = false,
                }
                continue;
            }
            b')' | b']' => {
                if let Some((_, opened)) = open.pop_if(|(kind, _)| *kind == token.kind) {
                    join(&mut pairs, opened, place);
                }
                continue;
            }
            _ => continue,
        };
        open.push((partner, place));
    }
    (pairs, balanced && open.iter().all(|(kind, _)| *kind != b'}'))
}

fn join(pairs: &mut [u32], open: u32, close: u32) {
    for (at, other) in [(open, close), (close, open)] {
        if let Some(place) = pairs.get_mut(at as usize) {
            *place = other;
        }
    }
}

fn at_line_start(text: &str, at: u32) -> bool {
    at == 0 || text.as_bytes().get(at as usize - 1) == Some(&b'\n')
}

/// Whether a brace opens a namespace or a linkage block.
fn is_outer(text: &str, list: &[Token], brace: u32) -> bool {
    let before = list.get(..brace as usize).unwrap_or(&[]);
    let words =
        before.iter().rev().take(6).take_while(|token| matches!(token.kind, kind::WORD | kind::SCOPE | kind::TEXT));
    words.map(|token| token.span.of(text)).any(|word| matches!(word, "namespace" | "extern"))
}
