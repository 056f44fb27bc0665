//! Masks the secrets a line of any kind says: `password = "x"`, `"token": "x"`, `Bearer x`, `IDENTIFIED BY 'x'`.
//!
//! A scanner of one line. What only refers to a secret stays readable: types (`password: str`), calls
//! (`token = get_token()`), paths (`os.environ[…]`), variables. Quoted text is a value, a bare word may be one.

use super::super::lines::head;
use super::{Certainty, MASK, is_plain, is_switch, secret_name};
use contexture_syntax::has_word;

/// A line with the values of secret-looking keys masked. Cost: linear, each sign looks at a short name before it.
pub fn mask_statements(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(found) = value_after(line, at) else {
            let length = rest.chars().next().map_or(1, char::len_utf8);
            shown.push_str(rest.get(..length).unwrap_or(""));
            at += length;
            continue;
        };
        shown.push_str(line.get(at..found.start).unwrap_or(""));
        shown.push_str(MASK);
        at = found.end.max(at + 1);
    }
    shown
}

/// The longest name that is looked at before a sign.
const NAME: usize = 60;

struct Span {
    start: usize,
    end: usize,
}

/// Where the secret stands that is announced at `at`: by a sign after a name, or by a word.
fn value_after(line: &str, at: usize) -> Option<Span> {
    let bytes = line.as_bytes();
    match bytes.get(at)? {
        sign @ (b'=' | b':') => {
            let before = at.checked_sub(1).and_then(|before| bytes.get(before));
            // Paths (`a::b`) assign nothing; of `==`, `:=` and `=>` the last sign counts, or the first.
            if *sign == b':' && (before == Some(&b':') || bytes.get(at + 1) == Some(&b':')) {
                return None;
            }
            let certainty = secret_name(&name_before(line.get(..at)?))?;
            let mut start = at + 1;
            while bytes.get(start).is_some_and(|byte| matches!(byte, b'=' | b'>' | b' ' | b'\t')) {
                start += 1;
            }
            after_sign(line, start, *sign, &certainty)
        }
        b' ' | b'(' => after_word(line, at),
        _ => None,
    }
}

/// The name before a sign: a word, with the one before it where that is needed (`API key:`).
fn name_before(before: &str) -> String {
    let before = before.get(before.ceil_char_boundary(before.len().saturating_sub(NAME))..).unwrap_or("");
    let before = before.trim_end_matches([' ', '\t', '"', '\'', '`', ']', '?', '*', ':', '=', '!', '|', '+']);
    let is_border = |c: char| !c.is_alphanumeric() && c != '_' && c != '-' && c != '.';
    let (rest, name) = before.rfind(is_border).map_or(("", before), |at| before.split_at(at));
    let last = name.trim_start_matches(is_border);
    if !last.to_ascii_lowercase().starts_with("key") {
        return last.to_owned();
    }
    let earlier = rest.trim_end_matches(' ').rsplit(is_border).next().unwrap_or("");
    format!("{earlier} {last}")
}

fn after_sign(line: &str, start: usize, sign: u8, certainty: &Certainty) -> Option<Span> {
    let value = line.get(start..)?;
    // `Authorization: Bearer x`: the scheme stays.
    let scheme = ["Bearer ", "Basic ", "Token ", "Digest "]
        .iter()
        .find_map(|scheme| value.trim_start_matches(['"', '\'']).strip_prefix(scheme));
    if let Some(rest) = scheme {
        let length = word_length(rest);
        let word = rest.get(..length)?;
        let start = line.len() - rest.len();
        return (!is_reference(word, rest.get(length..)?)).then_some(Span { start, end: start + length });
    }
    // Prefixes of strings: b"x", r'x', f"x".
    let quote_at = usize::from(value.as_bytes().get(1).is_some_and(|byte| matches!(byte, b'"' | b'\'')));
    let prefixed = quote_at == 1 && value.starts_with(['b', 'r', 'f', 'u', '@', '$']);
    let value_at = if prefixed { start + 1 } else { start };
    let value = line.get(value_at..)?;
    match value.as_bytes().first()? {
        b'"' | b'\'' | b'`' => in_quotes(line, value_at, certainty),
        b'[' | b'{' | b'(' if !value.starts_with("{{") && !value.starts_with("{%") => in_brackets(line, value_at),
        _ => {
            let length = word_length(value);
            let word = value.get(..length)?;
            let rest = value.get(length..)?;
            let hands_on = secret_name(word).is_some() && !is_coded(word);
            let named = word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphabetic);
            let in_call = line.get(..start).is_some_and(|before| before.contains('('));
            let shows = is_reference(word, rest)
                || is_type(word)
                || (sign == b':' && is_prose(word))
                || (matches!(certainty, Certainty::Low) && (is_switch(word) || (sign == b':' && !is_coded(word))))
                // `password=password` in a call hands on a variable.
                || (hands_on && (sign == b'=' || named))
                // A type in a signature.
                || (sign == b':' && named && in_call);
            if shows {
                return default_of(line, value_at, certainty);
            }
            let brace = usize::from(word.starts_with("${") && rest.starts_with('}'));
            Some(Span { start: value_at, end: value_at + length + brace })
        }
    }
}

/// The value a variable of the environment has when it is not set: `getenv("X", "default")`, `env.X || "default"`.
fn default_of(line: &str, at: usize, certainty: &Certainty) -> Option<Span> {
    let value = line.get(at..)?;
    if !head(value, NAME).to_ascii_lowercase().contains("env") {
        return None;
    }
    let found = [", ", ",", "|| ", "?? ", " or "].iter().find_map(|sign| {
        let behind = value.find(sign)? + sign.len();
        value.get(behind..)?.starts_with(['"', '\'']).then_some(at + behind)
    })?;
    in_quotes(line, found, certainty)
}

/// The inside of a string; without an end, the rest of the line.
fn in_quotes(line: &str, at: usize, certainty: &Certainty) -> Option<Span> {
    let value = line.get(at..)?;
    let quote = *value.as_bytes().first()?;
    let marks = if value.as_bytes().get(1) == Some(&quote) && value.as_bytes().get(2) == Some(&quote) { 3 } else { 1 };
    let start = at + marks;
    let inside = line.get(start..)?;
    let mut escaped = false;
    let length = inside
        .bytes()
        .position(|byte| {
            let ends = byte == quote && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        })
        .unwrap_or(inside.len());
    let said = inside.get(..length)?;
    let template = said.starts_with('{') && said.ends_with('}') || said.starts_with("%(") || said == "%s";
    let switch = matches!(certainty, Certainty::Low) && is_switch(said);
    (!is_plain(said) && !template && !switch).then_some(Span { start, end: start + length })
}

/// The inside of brackets when it holds any string or number; without an end, the rest of the line.
fn in_brackets(line: &str, at: usize) -> Option<Span> {
    let mut depth = 0usize;
    let inside = line.get(at..)?;
    let end = inside.bytes().position(|byte| {
        match byte {
            b'[' | b'{' | b'(' => depth += 1,
            b']' | b'}' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    let said = inside.get(1..end.unwrap_or(inside.len()))?;
    let holds = said.contains(['"', '\'']) || said.contains(|c: char| c.is_ascii_digit());
    (holds && !is_plain(said.trim())).then_some(Span { start: at + 1, end: at + 1 + said.len() })
}

/// A secret behind a word and a space: `Bearer x`, `PASSWORD 'x'`, `IDENTIFIED BY 'x'`, `--password x`.
fn after_word(line: &str, at: usize) -> Option<Span> {
    let before = line.get(..at)?;
    let before = before.get(before.ceil_char_boundary(before.len().saturating_sub(NAME))..)?;
    let is_border = |c: char| !c.is_alphanumeric() && c != '_' && c != '-';
    let word = before.rsplit(is_border).next().filter(|word| !word.is_empty())?;
    let start = at + 1 + line.get(at + 1..)?.bytes().take_while(|byte| *byte == b' ').count();
    let value = line.get(start..)?;
    let opens = value.starts_with(['\'', '"']);
    let is = |known: &str| word.eq_ignore_ascii_case(known);
    let identified = is("by") && before.to_ascii_lowercase().contains("identified");
    if opens && (is("password") || identified) {
        return in_quotes(line, start, &Certainty::High);
    }
    if !line.get(at..)?.starts_with(' ') {
        return None;
    }
    let length = word_length(value);
    let said = value.get(..length).filter(|said| !said.is_empty())?;
    let option = word.starts_with("--") && matches!(secret_name(word), Some(Certainty::High)) && !said.starts_with('-');
    let upper = said.chars().skip(1).any(char::is_uppercase);
    let lower = said.chars().any(char::is_lowercase);
    // `Bearer tokens` and `Basic HTTP` are talk.
    let bearer = word == "Bearer" && (is_coded(said) || upper || said.len() >= 20);
    let basic = word == "Basic" && said.len() >= 8 && (is_coded(said) || (upper && lower));
    let found = (option && !opens) || bearer || basic;
    (found && !is_reference(said, value.get(length..)?)).then_some(Span { start, end: start + length })
}

fn word_length(value: &str) -> usize {
    value
        .find(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ')' | '}' | ']' | '&' | '"' | '\'' | '`' | '<'))
        .unwrap_or(value.len())
}

/// A variable, a call, a path into settings, a placeholder.
fn is_reference(word: &str, rest: &str) -> bool {
    const ROOTS: &str = "os env process self this var local data settings config args secrets module params request options opts cfg \
         ctx conf";
    let root = word.split_once('.').map(|(root, _)| root.trim_start_matches(['&', '*', '@']));
    is_plain(word)
        || (word.starts_with('$') && !word.contains(":-"))
        || word.starts_with(['%', '*', '!', '{', '<'])
        || word.starts_with("#{")
        || word.contains(['(', '['])
        || (word.is_empty() && rest.starts_with(['<', '&', '`']))
        || root.is_some_and(|root| has_word(ROOTS, root))
        // `response.token` is a path to one.
        || word.rsplit_once('.').is_some_and(|(_, last)| secret_name(last).is_some() && !is_coded(last))
        // `await fetch()`, `new Secret()`, `yield x`, `match x {`.
        || matches!(word, "await" | "new" | "yield" | "match" | "if" | "lambda" | "not" | "function" | "async" | "…")
}

/// The name of a type, as it stands behind a colon.
fn is_type(word: &str) -> bool {
    const TYPES: &str = "str string int integer bool boolean bytes bytearray float number object dict list tuple set any unknown \
         undefined option optional vec box arc rc cow char u8 u16 u32 u64 usize i32 i64 text varchar secretstr \
         secretstring array map record union void required null true false uuid type sequence iterable callable \
         literal hashmap btreemap password path pathbuf";
    let bare = word.trim_start_matches(['&', '?', '*']).trim_end_matches(['?', '!', '.']);
    let name = bare.split(['<', '[', '|']).next().unwrap_or(bare);
    let name = name.rsplit(['.', ':']).next().unwrap_or(name).to_ascii_lowercase();
    has_word(TYPES, &name)
}

/// A word no password is but many sentences go on with.
fn is_prose(word: &str) -> bool {
    const WORDS: &str = "a an the this that these it its is are was be must should can will may use used using how what why when \
         where which who if in on for from to of by with without and or no not see your you we our all any each set \
         get as at only never always do does then";
    has_word(WORDS, &word.to_ascii_lowercase())
}

/// Digits or marks between letters, as in generated keys.
fn is_coded(word: &str) -> bool {
    word.len() >= 6 && word.bytes().any(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'='))
}
