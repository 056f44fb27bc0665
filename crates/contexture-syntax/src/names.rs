//! Names as they stand in a source: split into scope and last part, loud, quoted.

use crate::structure::Span;

/// Whether a name is written as constants are.
pub(crate) fn is_loud(name: &str) -> bool {
    name.len() > 1 && name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
}

/// Whether a name is the text of a string, as the keys of tables can be.
pub(crate) fn is_quoted(text: &str, name: Span) -> bool {
    let before = text.get(..name.start as usize).and_then(|before| before.chars().next_back());
    let after = text.get(name.end as usize..).and_then(|after| after.chars().next());
    before.is_some_and(|quote| matches!(quote, '"' | '\'') && after == Some(quote))
}

/// Splits `a::b::c` into `a::b` and `c`. What stands in angle brackets is no part of the path.
pub(crate) fn split_name(text: &str, whole: Span, separator: &str) -> (Option<Span>, Span) {
    let name = whole.of(text);
    let operator = name.rfind("operator").filter(|at| {
        let before = name[..*at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
    });
    let searched = &name[..operator.unwrap_or(name.len())];
    let mut depth = 0_i32;
    let mut cut = None;
    for (at, c) in searched.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            _ if depth == 0 && (searched[at..].starts_with(separator) || (c == ':' && separator == ".")) => {
                let long = if searched[at..].starts_with(separator) { separator.len() } else { 1 };
                cut = Some((at, at + long));
            }
            _ => {}
        }
    }
    let (scope, mut start) = match cut {
        Some((at, after)) if after < name.len() => {
            let scope = Span::new(whole.start as usize, whole.start as usize + at);
            ((!scope.is_empty()).then_some(scope), after)
        }
        _ => (None, 0),
    };
    // Ruby names by symbols: `:name`.
    let rest = &name[start..];
    start += rest.len() - rest.trim_start().trim_start_matches(':').len();
    let rest = name[start..].trim_end();
    let long = match rest.find('<') {
        Some(at) if operator.is_none() && at > 0 && rest.ends_with('>') => at,
        _ => rest.len(),
    };
    let at = whole.start as usize + start;
    (scope, Span::new(at, at + long))
}
