//! JSON as people write it, with comments and commas at the end, changed without touching any other byte.
//!
//! Takes a text and a path of keys; gives new text. An edit replaces, inserts or cuts the bytes of one member, and is then
//! proved: the new text is read again and must say the same as before but for that member. Touches no file.
//!
//! `jsonc-parser` reads. Its own edits are not used: they break objects of one line into several, drop blank lines, and take
//! away comments beside the member.

use super::error::{Problem, clip};
use jsonc_parser::ast::{Object, ObjectProp, Value as Json};
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// A text that was read.
struct Document<'a> {
    /// `None` where there is nothing but white space and comments.
    root: Option<Json<'a>>,
    /// Behind each comma.
    commas: Vec<usize>,
}

impl Document<'_> {
    /// Behind the comma that follows a member.
    fn comma(&self, object: &Object<'_>, member: &ObjectProp<'_>) -> Option<usize> {
        let next = self.commas.partition_point(|comma| *comma <= member.end());
        self.commas.get(next).copied().filter(|comma| *comma < object.end())
    }
}

/// Puts a value under a section, in the place of what is there. A missing section is made.
pub(super) fn put(text: &str, section: &str, name: &str, value: &Value) -> Result<String, Problem> {
    let nl = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let plain = plain(text);
    let before = read(&plain)?;
    let Some(root) = &before.root else {
        let mut whole = Map::new();
        whole.insert(section.into(), Value::Object([(name.to_owned(), value.clone())].into_iter().collect()));
        let written = pretty(&whole.into(), "", "  ", nl);
        let gap = if text.is_empty() || text.ends_with('\n') || text.starts_with('\u{feff}') { "" } else { nl };
        return verified_edit(text, format!("{text}{gap}{written}{nl}"), section, name, Some(value));
    };
    let whole = object(root, "")?;
    let unit = unit(text, whole);
    let new = match one(whole, section)? {
        None => {
            let inner = Value::Object([(name.to_owned(), value.clone())].into_iter().collect());
            insert(text, &before, whole, section, &inner, &unit, nl)
        }
        Some(found) => {
            let inside = object(&found.value, section)?;
            match one(inside, name)? {
                Some(old) if Value::from(old.value.clone()) == *value => return Ok(text.to_owned()),
                Some(old) => splice(
                    text,
                    (old.value.start(), old.value.end()),
                    &pretty(value, indent(text, old.start()), &unit, nl),
                ),
                None => insert(text, &before, inside, name, value, &unit, nl),
            }
        }
    };
    verified_edit(text, new, section, name, Some(value))
}

/// What stands under a section by this name.
pub(super) fn get(text: &str, section: &str, name: &str) -> Result<Option<Value>, Problem> {
    let plain = plain(text);
    let Some(root) = read(&plain)?.root else { return Ok(None) };
    let Some(found) = one(object(&root, "")?, section)? else { return Ok(None) };
    Ok(one(object(&found.value, section)?, name)?.map(|member| member.value.clone().into()))
}

/// Cuts a member out of a section. A missing one is no error.
pub(super) fn remove(text: &str, section: &str, name: &str) -> Result<String, Problem> {
    let plain = plain(text);
    let before = read(&plain)?;
    let Some(root) = &before.root else { return Ok(text.to_owned()) };
    let Some(found) = one(object(root, "")?, section)? else { return Ok(text.to_owned()) };
    let inside = object(&found.value, section)?;
    let Some(member) = one(inside, name)? else { return Ok(text.to_owned()) };
    let own_comma = before.comma(inside, member);
    let mut end = own_comma.unwrap_or(member.end());
    let line = text[..member.start()].trim_end_matches([' ', '\t']);
    let above = line.strip_suffix('\n').map(|above| above.strip_suffix('\r').unwrap_or(above).len());
    let mut start = above.unwrap_or(member.start());
    if above.is_none() {
        // In one line with others: the space that set it apart goes too.
        end += text[end..].len() - text[end..].trim_start_matches([' ', '\t']).len();
    }
    let previous = inside.properties.iter().take_while(|other| other.start() < member.start()).last();
    if let (Some(comma), None) = (previous.and_then(|previous| before.comma(inside, previous)), own_comma) {
        // The comma before it was there for its sake.
        if above.is_none() {
            start = comma;
        }
        let new = cut(&cut(text, (start, end)), (comma - 1, comma));
        return verified_edit(text, new, section, name, None);
    }
    let mut new = cut(text, (start, end));
    if inside.properties.len() == 1 {
        // What is left of an object with nothing in it.
        let (from, to) = (inside.start() + 1, inside.end() - 1 - (end - start));
        if new[from..to].trim().is_empty() {
            new = cut(&new, (from, to));
        }
    }
    verified_edit(text, new, section, name, None)
}

/// A new member behind the last one.
fn insert(text: &str, all: &Document<'_>, at: &Object<'_>, name: &str, value: &Value, unit: &str, nl: &str) -> String {
    let outer = indent(text, at.start());
    let key = Value::from(name);
    let Some(last) = at.properties.last() else {
        let inner = format!("{outer}{unit}");
        let member = format!("{nl}{inner}{key}: {}{nl}{outer}", pretty(value, &inner, unit, nl));
        // Comments in an empty object stay before it.
        let kept = text[at.start() + 1..at.end() - 1].trim_end();
        return splice(text, (at.start() + 1 + kept.len(), at.end() - 1), &member);
    };
    let inner = indent(text, last.start());
    let is_lines = text[..last.start()].trim_end_matches([' ', '\t']).ends_with('\n');
    let comma = all.comma(at, last);
    let after = comma.unwrap_or(last.end());
    // A comment behind the last member stays with it, so the new one begins where that line ends.
    let rest = &text[after..at.end() - 1];
    let place = if is_lines {
        rest.find('\n').map_or(after, |end| after + rest[..end].trim_end_matches('\r').len())
    } else {
        after
    };
    let written = if is_lines {
        format!("{nl}{inner}{key}: {}", pretty(value, inner, unit, nl))
    } else {
        format!(" {key}: {value}")
    };
    match comma {
        Some(_) => splice(text, (place, place), &format!("{written},")),
        None => splice(&splice(text, (place, place), &written), (last.end(), last.end()), ","),
    }
}

/// The new text, if it says what the old one said but for one member.
fn verified_edit(old: &str, new: String, section: &str, name: &str, value: Option<&Value>) -> Result<String, Problem> {
    let apart = |text: &str| -> Result<(Value, Option<Value>), Problem> {
        let plain = plain(text);
        let mut whole = read(&plain)?.root.map_or_else(|| Value::Object(Map::new()), Value::from);
        let taken = whole.get_mut(section).and_then(Value::as_object_mut).and_then(|members| members.remove(name));
        // A section that was made for it counts as none.
        let is_empty = whole.get(section).and_then(Value::as_object).is_some_and(Map::is_empty);
        if let (true, Some(root)) = (is_empty, whole.as_object_mut()) {
            root.remove(section);
        }
        Ok((whole, taken))
    };
    let ((before, _), (after, taken)) = (apart(old)?, apart(&new)?);
    if before == after && taken.as_ref() == value {
        return Ok(new);
    }
    let cause = format!("`{}` cannot be changed here without changing something else", clip(name));
    Err(Problem::new(0, name, cause).hint("edit the file by hand"))
}

fn object<'a, 'b>(value: &'b Json<'a>, name: &str) -> Result<&'b Object<'a>, Problem> {
    value.as_object().ok_or_else(|| {
        let what = if name.is_empty() { "the file".to_owned() } else { format!("`{name}`") };
        Problem::new(value.start(), name, format!("{what} must be an object")).hint("edit the file by hand")
    })
}

fn one<'a, 'b>(object: &'b Object<'a>, name: &str) -> Result<Option<&'b ObjectProp<'a>>, Problem> {
    let mut found = object.properties.iter().filter(|member| member.name.as_str() == name);
    match (found.next(), found.next()) {
        (_, Some(second)) => Err(Problem::new(second.start(), name, format!("duplicate key: `{}`", clip(name)))
            .hint("each key may stand once; remove or rename one of the two")),
        (found, None) => Ok(found),
    }
}

/// The white space before what stands first on the line of `at`.
fn indent(text: &str, at: usize) -> &str {
    let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// How far one level is set in: as the first member of the file is.
fn unit(text: &str, whole: &Object<'_>) -> String {
    let first = whole.properties.first().map(|member| indent(text, member.start())).unwrap_or_default();
    if first.is_empty() { "  ".into() } else { first.to_owned() }
}

fn pretty(value: &Value, outer: &str, unit: &str, nl: &str) -> String {
    let inner = format!("{outer}{unit}");
    match value {
        Value::Object(members) if !members.is_empty() => {
            let line = |(name, value): (&String, &Value)| {
                format!("{inner}{}: {}", Value::from(name.as_str()), pretty(value, &inner, unit, nl))
            };
            format!("{{{nl}{}{nl}{outer}}}", members.iter().map(line).collect::<Vec<_>>().join(&format!(",{nl}")))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(Value::to_string).collect::<Vec<_>>().join(", "))
        }
        plain => plain.to_string(),
    }
}

fn splice(text: &str, (start, end): (usize, usize), new: &str) -> String {
    [&text[..start], new, &text[end..]].concat()
}

fn cut(text: &str, span: (usize, usize)) -> String {
    splice(text, span, "")
}

/// The text with a mark before it as white space, each place as it was.
fn plain(text: &str) -> Cow<'_, str> {
    match text.strip_prefix('\u{feff}') {
        Some(rest) => format!("   {rest}").into(),
        None => text.into(),
    }
}

fn read(text: &str) -> Result<Document<'_>, Problem> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let collect = CollectOptions { tokens: true, ..CollectOptions::default() };
    let read = parse_to_ast(text, &collect, &options).map_err(|error| {
        let mut cause = error.kind().to_string();
        cause[..1].make_ascii_lowercase();
        Problem { at: error.range().start, key: None, cause, hint: None }
    })?;
    let tokens = read.tokens.into_iter().flatten();
    let commas = tokens.filter(|token| token.token == Token::Comma).map(|token| token.end()).collect();
    Ok(Document { root: read.value, commas })
}

#[cfg(test)]
mod tests;
