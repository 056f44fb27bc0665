//! Passwords in commands: `curl -u name:PASSWORD`, `mysql -pPASSWORD`, `sshpass -p PASSWORD`.
//!
//! Takes a text and the place of a telling word in it; gives the place of the password, if there is one and it is no reference,
//! placeholder or word. Looks at one command, and at no more of it than a long command has.

use super::read::{RuleMatch, has_mixture, is_code, is_number};
use super::value::{is_password, is_placeholder};
use std::ops::Range;

/// The longest command that is looked at, before an option and behind a name.
const LONG: usize = 300;

/// A command, its option for a password, and whether that stands behind a blank or right behind the option.
pub(super) struct Command {
    pub name: &'static str,
    option: &'static str,
    is_apart: bool,
    is_joined: bool,
}

const fn command(name: &'static str, option: &'static str, is_apart: bool, is_joined: bool) -> Command {
    Command { name, option, is_apart, is_joined }
}

pub(super) const COMMANDS: &[Command] = &[
    command("mysql", "-p", false, true),
    command("mariadb", "-p", false, true),
    command("sshpass", "-p", true, true),
    command("redis-cli", "-a", true, false),
    command("docker login", "-p", true, false),
    command("podman login", "-p", true, false),
    command("ldapsearch", "-w", true, false),
    command("ldapmodify", "-w", true, false),
    command("ldapadd", "-w", true, false),
    command("unzip", "-P", true, false),
];

/// The password behind `-u name:`, where the command is curl.
pub(super) fn user(text: &str, option: Range<usize>) -> RuleMatch {
    let bytes = text.as_bytes();
    // `x-u y` is no option.
    if !option.start.checked_sub(1).is_some_and(|at| matches!(bytes[at], b' ' | b'\t' | b'\n' | b'"' | b'\'')) {
        return None;
    }
    memchr::memmem::find(&bytes[option.start.saturating_sub(LONG)..option.start], b"curl")?;
    let (start, end) = word(bytes, option.end);
    let colon = memchr::memchr(b':', &bytes[start..end])?;
    judge("basic-auth", text, start + colon + 1..end)
}

/// The password behind `-p` of a command that takes it there.
pub(super) fn password(text: &str, name: Range<usize>) -> RuleMatch {
    let bytes = text.as_bytes();
    let goes_on = |byte: &u8| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_');
    if name.start > 0 && (goes_on(&bytes[name.start - 1]) || bytes[name.start - 1] == b'.') {
        return None;
    }
    // `mysqldump`, `mysqladmin`, `mariadb-dump`.
    let end = name.end + bytes[name.end..].iter().take(16).take_while(|byte| goes_on(byte)).count();
    let line = &bytes[end..bytes.len().min(end + LONG)];
    let line = &line[..memchr::memchr3(b'\n', b';', b'|', line).unwrap_or(line.len())];
    if !matches!(line.first(), Some(b' ' | b'\t' | b'"' | b'\'')) {
        return None;
    }
    let command = COMMANDS.iter().find(|command| command.name == &text[name.clone()])?;
    let wanted = command.option.as_bytes();
    let option = memchr::memmem::find_iter(line, wanted).find(|at| {
        *at > 0 && matches!(line[at - 1], b' ' | b'\t' | b'"' | b'\'') && line.get(at + 2).is_some_and(|b| *b != b'-')
    })?;
    let at = end + option + wanted.len();
    // With a blank behind it `-p` of MySQL asks, and what follows is the name of a database.
    let is_apart = matches!(bytes[at], b' ' | b'\t');
    if is_apart && !command.is_apart || !is_apart && !command.is_joined {
        return None;
    }
    let (start, end) = word(bytes, at + usize::from(is_apart));
    judge("password-assignment", text, start..end)
}

/// The word of a command that begins here, without its quotes.
fn word(bytes: &[u8], at: usize) -> (usize, usize) {
    let quote = bytes.get(at).copied().filter(|byte| matches!(byte, b'"' | b'\''));
    let start = at + usize::from(quote.is_some());
    let is_part = |byte: &u8| match quote {
        Some(quote) => *byte != quote && *byte != b'\n',
        None => *byte > b' ' && !matches!(byte, b'"' | b'\'' | b'`' | b')' | b',' | b';' | b'|' | b'\\'),
    };
    (start, start + bytes[start..].iter().take(LONG).take_while(|byte| is_part(byte)).count())
}

fn judge(rule: &'static str, text: &str, range: Range<usize>) -> RuleMatch {
    let value = text.get(range.clone())?;
    let is_meant = value.len() >= 6
        && is_password(value)
        && has_mixture(value)
        && !is_code(value)
        && !is_number(value)
        && !is_placeholder(value);
    is_meant.then_some((rule, range))
}
