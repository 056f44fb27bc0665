//! Credentials in addresses: `scheme://name:PASSWORD@host`, and tokens in place of a name.
//!
//! Takes a text and the place of a `://` in it. What stands for a password there (`password`, `$PASS`, `<pass>`) is none.

use super::read::RuleMatch;
use super::value::{is_password, is_placeholder, is_random, is_uuid, look};
use std::ops::Range;

/// The longest part before an `@`.
const LONG: usize = 300;

/// The id of the rule and the place of the password, if there is one.
pub(super) fn credentials(text: &str, sign: Range<usize>) -> RuleMatch {
    let bytes = text.as_bytes();
    let start = sign.end;
    let is_end = |byte: u8| {
        byte <= b' '
            || matches!(byte, b'/' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'?' | b'#' | b'\\' | b'|' | b',' | b')')
    };
    let length = bytes[start..].iter().take(LONG).take_while(|byte| !is_end(**byte)).count();
    let authority = bytes.get(start..start + length)?;
    // Passwords hold an `@` themselves more often than hosts do.
    let at = authority.iter().rposition(|byte| *byte == b'@')?;
    if at + 1 >= authority.len()
        || !authority[at + 1].is_ascii_alphanumeric() && !matches!(authority[at + 1], b'[' | b'$' | b'{' | b'_')
    {
        return None;
    }
    let before = &authority[..at];
    let password = match before.iter().position(|byte| *byte == b':') {
        Some(colon) => start + colon + 1..start + at,
        // `https://TOKEN@host`.
        None => start..start + at,
    };
    let value = text.get(password.clone())?;
    let has_name = password.start > start;
    let host = text.get(start + at + 1..start + length).unwrap_or_default();
    (is_meant(value, host, has_name)).then(|| (id(text, sign.start), password))
}

/// `name:PASSWORD@tcp(host)`, as drivers of Go have it.
pub(super) fn dsn(text: &str, sign: Range<usize>) -> RuleMatch {
    let sign = sign.start;
    let is_part = |byte: &&u8| **byte > b' ' && !matches!(**byte, b'"' | b'\'' | b'`' | b'/');
    let start = sign - text.as_bytes()[..sign].iter().rev().take(LONG).take_while(is_part).count();
    let colon = text.get(start..sign)?.find(':')?;
    let password = start + colon + 1..sign;
    is_meant(&text[password.clone()], "", true).then_some(("mysql-connection-uri", password))
}

fn is_meant(value: &str, host: &str, has_name: bool) -> bool {
    if value.is_empty() || is_placeholder(value) || (is_example(host) && !is_password(value)) {
        return false;
    }
    if !has_name {
        return is_random(value, 16) && !is_uuid(value);
    }
    let seen = look(value);
    // `user:user@`, `root:root@`, `a:b@`: written for a demonstration.
    seen.length >= 6
        && seen.distinct >= 5
        && (seen.digits > 0 || seen.signs > 0 || seen.rarity >= 0.45 || seen.length >= 12)
}

/// The hosts that stand for any host; a name with one of them in it is somebody's. What is at them is mostly written to show a form.
fn is_example(host: &str) -> bool {
    let name = host.split_once(':').map_or(host, |(name, _)| name);
    ["example.com", "example.org", "example.net"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// By the scheme, under the ids of the rule crate.
fn id(text: &str, end: usize) -> &'static str {
    let start = end
        - text.as_bytes()[..end]
            .iter()
            .rev()
            .take(24)
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'+')
            .count();
    let scheme = text.get(start..end).unwrap_or_default().to_ascii_lowercase();
    match scheme.split('+').next().unwrap_or_default() {
        "postgres" | "postgresql" => "postgres-connection-uri",
        "mysql" | "mariadb" => "mysql-connection-uri",
        "mongodb" => "mongodb-connection-uri",
        "redis" | "rediss" => "redis-connection-uri",
        "mssql" | "sqlserver" => "mssql-connection-uri",
        _ => "url-credentials",
    }
}
