//! Masks what looks like a secret in a value of a configuration or in any line of a summary.
//!
//! By the name of the key, by the shape of the value, by credentials in an address. It is a net for summaries, not a
//! secret scanner: it rather masks too much, but leaves references (`${NAME}`), placeholders and plain switches alone.
//! Whole lines, of code and prose too, are masked by `statement`.

mod statement;
mod text;

pub use statement::mask_statements;
pub use text::{is_configuration, mask_text};

use contexture_syntax::has_word;

pub const MASK: &str = "***";

/// The value of a key as it may be shown.
pub fn mask_value(key: &str, value: &str) -> String {
    let bare = value.trim().trim_matches(['"', '\'']).trim();
    if is_plain(bare) {
        return value.to_owned();
    }
    match secret_name(key) {
        Some(Certainty::High) => return MASK.to_owned(),
        // `max_tokens = 400` and `private = true` are no secrets.
        Some(Certainty::Low) if !is_switch(bare) => return MASK.to_owned(),
        _ => {}
    }
    if names_a_secret(value) { MASK.to_owned() } else { mask_words(value) }
}

/// A line with its secret-looking words masked.
pub fn mask_words(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    for piece in line.split_inclusive(is_border) {
        let word = piece.trim_end_matches(is_border);
        let border = piece.get(word.len()..).unwrap_or("");
        match credentials(word) {
            Some((scheme, host)) => {
                shown.push_str(scheme);
                shown.push_str(MASK);
                shown.push_str(host);
            }
            None if looks_secret(word) => shown.push_str(MASK),
            None => shown.push_str(word),
        }
        shown.push_str(border);
    }
    shown
}

/// A line of an unknown file: `password: hunter2` is masked as well.
pub fn mask_line(line: &str) -> String {
    match line.find(['=', ':']) {
        Some(at) if at < 60 => {
            let (key, value) = line.split_at(at + 1);
            let blank = value.len() - value.trim_start().len();
            let (blank, value) = value.split_at(blank);
            format!("{key}{blank}{}", mask_value(key, value))
        }
        _ => line.to_owned(),
    }
}

/// The value of a field under a column of this name, `None` when the name is no secret's.
pub fn mask_field(column: &str, field: &str) -> Option<String> {
    secret_name(column).map(|_| mask_value(column, field))
}

fn is_border(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ';' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>')
}

enum Certainty {
    High,
    Low,
}

fn secret_name(key: &str) -> Option<Certainty> {
    const HIGH: &str = "password passwords passcode passwd passwds pwd pwds passphrase passphrases secret secrets credential \
         credentials apikey apikeys privatekey secretkey accesskey masterkey";
    const OF_KEYS: &str = "api private access secret signing encryption account ssh master license auth";
    const LOW: &str = "token tokens private auth authorization pass salt dsn webhook cookie bearer jwt";
    let words = words_of(key);
    let has_one_of = |known: &str| words.iter().any(|word| has_word(known, word));
    if has_one_of(HIGH) || (has_one_of("key keys") && has_one_of(OF_KEYS)) {
        Some(Certainty::High)
    } else {
        has_one_of(LOW).then_some(Certainty::Low)
    }
}

/// `dbPassword`, `DB_PASSWORD` and `db-password` are the words `db` and `password`.
fn words_of(key: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = '_';
    for c in key.chars().take(400) {
        let hump = c.is_uppercase() && before.is_lowercase();
        if (hump || !c.is_alphanumeric()) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words
}

/// Nothing, a reference to a variable, or a placeholder.
fn is_plain(value: &str) -> bool {
    let reference = value.starts_with('$') && !value.contains(":-") && !value.contains(' ') || value.starts_with("${{");
    value.is_empty()
        || matches!(value, "null" | "~" | "nil" | "none" | "None" | "[]" | "{}" | MASK)
        || reference
        || (value.starts_with('<') && value.ends_with('>'))
        || (value.starts_with("{{") && value.ends_with("}}"))
}

fn is_switch(value: &str) -> bool {
    matches!(value, "true" | "false" | "yes" | "no" | "on" | "off" | "True" | "False")
        || (value.len() < 10 && value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'_'))
}

/// Whether a composed value names a secret inside: `{ user = "a", password = "b" }`, `Server=x;Pwd=y`, `--password z`.
fn names_a_secret(value: &str) -> bool {
    let is_secret = |name: &str| name.len() < 60 && matches!(secret_name(name), Some(Certainty::High));
    let assigned = value.match_indices(['=', ':']).any(|(at, sign)| {
        let before = value.get(..at).unwrap_or("").trim_end_matches([' ', '"', '\'']);
        let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').next().unwrap_or("");
        let given = value.get(at + sign.len()..).unwrap_or("").trim_start_matches([' ', '"', '\'']);
        let given = given.split([' ', ',', ';', '"', '\'', '}', ']', '&']).next().unwrap_or("");
        !is_plain(given) && is_secret(name)
    });
    assigned || value.split([' ', ',', '"', '\'']).any(|word| word.starts_with("--") && is_secret(word))
}

/// `scheme://user:secret@host`: the part before the credentials, and the part from `@` on.
fn credentials(word: &str) -> Option<(&str, &str)> {
    let start = word.find("://")? + 3;
    let rest = word.get(start..)?;
    let authority = rest.get(..rest.find(['/', '?', '#']).unwrap_or(rest.len()))?;
    let at = authority.rfind('@')?;
    authority.get(..at)?.contains(':').then(|| (word.get(..start).unwrap_or(""), rest.get(at..).unwrap_or("")))
}

fn looks_secret(word: &str) -> bool {
    // The least length behind what providers put before their keys.
    const PREFIXES: &[(usize, &str)] = &[
        (10, "sk_live_ sk_test_ rk_live_ xoxb- xoxp- xapp-"),
        (16, "glpat- AKIA ASIA"),
        (20, "ghp_ gho_ ghs_ ghu_ github_pat_ sk- pypi- SG. hf_ whsec_ dop_v1_ shpat_"),
        (30, "AIza npm_ eyJ"),
    ];
    if word.len() < 16 || !word.is_ascii() {
        return false;
    }
    // `KEY=value` and `user:value` are looked at by their last part as well.
    let value = word.rsplit(['=', ':', '@']).find(|part| part.len() > 2).unwrap_or(word);
    let known = |word: &str| {
        let fits = |start: &str, least: usize| word.strip_prefix(start).is_some_and(|rest| rest.len() >= least);
        PREFIXES.iter().any(|(least, starts)| starts.split(' ').any(|start| fits(start, *least)))
    };
    known(word) || known(value) || is_random(value)
}

/// 32 hexadecimal digits or 24 letters and digits of all three sorts that change sort at every third step: words,
/// paths and numbers with units stay below that.
fn is_random(word: &str) -> bool {
    let mut run = [0usize; 3];
    let (mut changes, mut length, mut last) = (0, 0, 3);
    for byte in word.bytes() {
        let sort = match byte {
            b'A'..=b'Z' => 0,
            b'a'..=b'z' => 1,
            b'0'..=b'9' => 2,
            b'+' | b'/' | b'_' | b'-' | b'.' | b'=' => 3,
            _ => return false,
        };
        if let Some(number) = run.get_mut(sort) {
            *number += 1;
        }
        changes += usize::from(sort != last);
        last = sort;
        length += 1;
    }
    let [upper, lower, digits] = run;
    let hexadecimal =
        length >= 32 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) && digits > 4 && upper + lower > 4;
    // A path has a mark at every fifth place, encoded bytes at every thirtieth.
    let marks = length - upper - lower - digits;
    let mixed = upper > 1 && lower > 1 && digits > 1 && marks * 8 <= length;
    hexadecimal || (length >= 24 && mixed && changes * 3 >= length)
}
