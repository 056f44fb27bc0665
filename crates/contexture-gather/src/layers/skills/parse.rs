//! The text of a `SKILL.md` into a skill.
//!
//! Takes frontmatter as the Agent Skills format has it, or the plain form `# Skill: Name` with a `## Description`. Reads
//! leniently: what can be understood is loaded with a note; only what has no description or cannot be parsed is left out.

use super::super::Skill;
use super::yaml;
use contexture_core::shape::lines;
use contexture_core::{ContentHash, Note, Text, Topic};
use serde_json::Value;
use std::sync::Arc;

/// What the format allows.
const LONGEST_NAME: usize = 64;
const LONGEST_DESCRIPTION: usize = 1024;
/// A longer name is cut: it stands in the catalog of every call.
const NAME_CAP: usize = 256;

pub struct SkillSource<'a> {
    pub text: &'a Text,
    /// The folder it stands in, which its name should be.
    pub folder: &'a str,
    pub path: &'a str,
}

/// Size and hash are the caller's to fill in.
pub fn parse(source: &SkillSource, notes: &mut Vec<Note>) -> Option<Skill> {
    let first = lines(source.text).position(|line| !line.trim().is_empty()).unwrap_or_default();
    let opening = lines(source.text).nth(first).unwrap_or_default().trim_end();
    if opening == "---" {
        with_frontmatter(source, first + 1, notes)
    } else if let Some(name) = plain_name(opening) {
        plain(source, first + 1, name, notes)
    } else {
        let cause = "neither frontmatter nor `# Skill: Name`: skill left out";
        notes.push(refusal(source, first + 1, cause).hint("begin with `---`, `name: …`, `description: …`, `---`"));
        None
    }
}

fn with_frontmatter(source: &SkillSource, opening: usize, notes: &mut Vec<Note>) -> Option<Skill> {
    let all: Vec<&str> = lines(source.text).collect();
    let inside = all.get(opening..).unwrap_or_default();
    let Some(length) = inside.iter().position(|line| line.trim_end() == "---") else {
        notes.push(refusal(source, opening, "frontmatter is not closed by `---`: skill left out"));
        return None;
    };
    let matter = yaml::read(inside.get(..length).unwrap_or_default(), opening);
    let matter = match matter {
        Ok(matter) => matter,
        Err((line, cause)) => {
            notes.push(refusal(source, line, &format!("frontmatter cannot be read, {cause}: skill left out")));
            return None;
        }
    };
    for line in &matter.quoted {
        let cause = format!("line {line}: a value that is not valid YAML was taken as it stands");
        notes.push(remark(source, cause).hint("put it into quotes"));
    }
    let fields = &matter.fields;
    let line_of = |key: &str| {
        let at = inside
            .iter()
            .take(length)
            .position(|line| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':')));
        at.map_or(opening, |at| opening + at + 1)
    };
    let Some(description) = fields.get("description").and_then(scalar).filter(|text| !text.is_empty()) else {
        let line = line_of("description");
        notes.push(refusal(source, line, "no `description`: skill left out").hint("say in a sentence what it is for"));
        return None;
    };
    let name = match fields.get("name").and_then(scalar).filter(|name| !name.is_empty()) {
        Some(name) => {
            if let Some(cause) = name_problem(&name, source.folder) {
                notes.push(remark(source, format!("line {}: {cause}", line_of("name"))));
            }
            name
        }
        None => {
            let cause = format!("line {}: no `name`: the folder's is taken", line_of("name"));
            notes.push(remark(source, cause));
            one_line(source.folder)
        }
    };
    let description = short_description(source, description, line_of("description"), notes);
    let body: String = all.get(opening + length + 1..).unwrap_or_default().concat();
    let hidden = fields.get("disable-model-invocation").is_some_and(is_true)
        || metadata(fields).iter().any(|map| map.get("disable-model-invocation").is_some_and(is_true));
    let always = fields.get("always").is_some_and(is_true)
        || metadata(fields).iter().any(|map| map.get("always").is_some_and(is_true));
    Some(skill(source, name, description, body.trim_start_matches(['\n', '\r']), always, hidden))
}

fn plain(source: &SkillSource, opening: usize, name: &str, notes: &mut Vec<Note>) -> Option<Skill> {
    let mut description = String::new();
    let mut line = opening;
    let mut is_inside = false;
    for (index, text) in lines(source.text).enumerate().skip(opening) {
        let title = text.trim_start_matches('#');
        if title.len() < text.len() && title.starts_with([' ', '\t']) {
            if is_inside {
                break;
            }
            is_inside = title.trim().eq_ignore_ascii_case("description");
            line = if is_inside { index + 1 } else { line };
        } else if is_inside {
            description.push_str(text);
        }
    }
    let description = one_line(&description);
    if description.is_empty() {
        notes.push(refusal(source, line, "no text below `## Description`: skill left out"));
        return None;
    }
    let name = if name.is_empty() { one_line(source.folder) } else { one_line(name) };
    let description = short_description(source, description, line, notes);
    Some(skill(source, name, description, source.text, false, false))
}

fn plain_name(line: &str) -> Option<&str> {
    let title = line.strip_prefix('#')?.trim();
    let (word, name) = title.split_once(':')?;
    word.trim().eq_ignore_ascii_case("skill").then(|| name.trim())
}

fn skill(source: &SkillSource, name: String, description: String, body: &str, always: bool, hidden: bool) -> Skill {
    let name = name.chars().take(NAME_CAP).collect();
    let body = if body.len() == source.text.len() { source.text.clone() } else { body.into() };
    let path = source.path.to_owned();
    let says = Arc::new(contexture_core::Skill { name, description, body, always, hidden });
    Skill { says, path, raw_bytes: 0, hash: ContentHash([0; 32]) }
}

/// The maps where programs keep what the format has no field for: `metadata`, and theirs inside of it, which may be JSON
/// in a string.
fn metadata(fields: &serde_json::Map<String, Value>) -> Vec<Value> {
    let unpacked = |value: &Value| match value {
        Value::String(text) => serde_json::from_str(text).unwrap_or(Value::Null),
        other => other.clone(),
    };
    let Some(own) = fields.get("metadata").map(unpacked) else { return Vec::new() };
    let theirs = ["openclaw", "nanobot"].iter().filter_map(|program| own.get(program).map(unpacked));
    let theirs: Vec<Value> = theirs.collect();
    [own].into_iter().chain(theirs).collect()
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(flag) => *flag,
        // The values of `metadata` are strings where a program keeps to the format.
        Value::String(text) => text.trim().eq_ignore_ascii_case("true"),
        _ => false,
    }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(one_line(text)),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// A line of a catalog must stay one: whatever separates or controls becomes a single space.
fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

fn short_description(source: &SkillSource, description: String, line: usize, notes: &mut Vec<Note>) -> String {
    match description.char_indices().nth(LONGEST_DESCRIPTION) {
        Some((end, _)) => {
            let count = description.chars().count();
            let cause = format!("line {line}: `description` of {count} characters: cut at {LONGEST_DESCRIPTION}");
            notes.push(Note::new(Topic::Reduced, cause).at(source.path));
            description.get(..end).unwrap_or_default().trim_end().to_owned()
        }
        None => description,
    }
}

fn name_problem(name: &str, folder: &str) -> Option<String> {
    let count = name.chars().count();
    if count > LONGEST_NAME {
        return Some(format!("`name` has {count} characters: at most {LONGEST_NAME}"));
    }
    let is_plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if !is_plain || name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        return Some(format!("`name` should be of `a-z`, `0-9` and single hyphens: `{name}`"));
    }
    (name != folder).then(|| format!("`name` is not its folder's: `{name}`"))
}

fn refusal(source: &SkillSource, line: usize, cause: &str) -> Note {
    Note::new(Topic::Unread, format!("line {line}: {cause}")).at(source.path)
}

fn remark(source: &SkillSource, cause: String) -> Note {
    Note::new(Topic::Setting, cause).at(source.path)
}
