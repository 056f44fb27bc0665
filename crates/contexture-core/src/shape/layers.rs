//! The texts of an agent's layers: lines of memories and skills, what a message names, and what is cut when it is too long.

use crate::types::{Layer, Memory, Message, MessagePart, Skill, Text};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The line above the items of a layer; empty where there is none.
pub fn header(layer: Layer) -> &'static str {
    match layer {
        Layer::Memory => "Relevant memories:\n",
        Layer::Skill => "Available skills:\n",
        Layer::Tools => "Available tools:\n",
        Layer::System | Layer::Bootstrap | Layer::SkillBody | Layer::History | Layer::Current => "",
    }
}

/// A memory or the text of a skill is cut above this: one of them must not push out all others. A memory is some sentences;
/// the specification of skills recommends less than 5,000 tokens for one.
pub const LONGEST_MEMORY: usize = 2 * 1024;
const LONGEST_SKILL: usize = 20 * 1024;

/// `- 2026-02-01 (User > Preferences) likes tea`, with the lines that belong to it indented below it.
pub fn memory_line(memory: &Memory) -> Text {
    let mut line = String::from("- ");
    if let Some(day) = memory.day {
        line.push_str(&format!("{} ", date(day)));
    }
    if !memory.trail.is_empty() {
        line.push_str(&format!("({}) ", memory.trail.join(" > ")));
    }
    let text = cut_at(&memory.text, LONGEST_MEMORY);
    for (nth, part) in text.lines().enumerate() {
        if nth > 0 {
            line.push_str("\n  ");
        }
        line.push_str(part);
    }
    if text.len() < memory.text.len() {
        line.push_str(&format!(" [… {} bytes left out]", memory.text.len() - text.len()));
    }
    line.push('\n');
    line.into()
}

/// A day as people write it, from its number since 1970-01-01. Eras of 400 years have as many days each.
pub fn date(day: i32) -> String {
    let days = i64::from(day) + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Months are counted from March, so that the day that comes and goes is the last.
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

pub(crate) fn skill_line(skill: &Skill) -> Text {
    format!("- {}: {}\n", skill.name, skill.description).into()
}

pub(crate) fn skill_body(skill: &Skill) -> Text {
    let body = cut_at(skill.body.trim_end(), LONGEST_SKILL);
    let cut = if body.len() < skill.body.trim_end().len() { "\n[… the rest of the skill is left out]" } else { "" };
    let body = body.trim_start_matches(['\r', '\n']);
    // The plain form begins with its name.
    let head = if body.starts_with('#') && body.lines().next().is_some_and(|line| line.contains(&skill.name)) {
        String::new()
    } else {
        format!("# Skill: {}\n\n", skill.name)
    };
    format!("{head}{body}{cut}\n").into()
}

/// The beginning of a text up to the last line, else the last character, that ends within so many bytes.
pub fn cut_at(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let head = &text[..text.floor_char_boundary(bytes)];
    match head.rfind('\n') {
        Some(end) if end > bytes / 2 => &head[..end],
        _ => head,
    }
}

/// The names a message calls skills by: `$name`, where no letter stands before the sign.
pub fn mentions(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut before = None;
    for (at, c) in text.char_indices() {
        let is_start = c == '$' && !before.is_some_and(|before: char| before.is_alphanumeric() || before == '$');
        before = Some(c);
        if !is_start {
            continue;
        }
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '.')).unwrap_or(rest.len());
        // A full stop ends a sentence, not a name.
        let name = rest[..end].trim_end_matches(['.', '-']);
        if !name.is_empty() {
            names.insert(slug(name));
        }
    }
    names
}

/// A name as a message can say it: `Plain One` is `$plain-one`.
pub fn slug(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '_' | '.') { c } else { '-' };
    name.to_lowercase().chars().map(plain).collect()
}

/// Whether a message says a name as it is, spaces and all.
pub fn is_named(name: &str, text: &str) -> bool {
    let (sign, text) = (format!("${}", name.to_lowercase()), text.to_lowercase());
    text.match_indices(&sign).any(|(at, _)| {
        let is_letter = |c: char| c.is_alphanumeric();
        !text[..at].ends_with(is_letter) && !text[at + sign.len()..].starts_with(is_letter)
    })
}

/// The message with every text of more than `most` bytes cut to its beginning and its end; itself where there is none.
pub fn trimmed(message: &Arc<Message>, most: usize) -> Arc<Message> {
    with_long_texts_cut(message, most, |text| {
        let head = &text[..text.floor_char_boundary(most / 3 * 2)];
        let tail = &text[text.ceil_char_boundary(text.len() - most / 3)..];
        let gone = text.len() - head.len() - tail.len();
        format!("{head}\n[… {gone} bytes left out …]\n{tail}")
    })
}

/// The message with every text of more than `most` bytes cut; itself where there is none.
pub fn with_long_texts_cut(message: &Arc<Message>, most: usize, cut: impl Fn(&str) -> String) -> Arc<Message> {
    let is_long = |part: &MessagePart| matches!(part, MessagePart::Text(text) if text.len() > most);
    if !message.parts.iter().any(is_long) {
        return message.clone();
    }
    let mut message = Message::clone(message);
    for part in message.parts.iter_mut().filter(|part| is_long(part)) {
        if let MessagePart::Text(text) = part {
            *text = cut(text).into();
        }
    }
    Arc::new(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Role;

    #[test]
    fn a_name_is_called_by_a_sign_of_its_own() {
        let found: Vec<String> =
            mentions("use $git-review, then $Deploy. It costs $5 or US$7, $$x, a$b $").into_iter().collect();
        assert_eq!(found, ["5", "deploy", "git-review"]);
    }

    #[test]
    fn a_name_of_two_words_can_be_said_both_ways() {
        assert!(is_named("Plain One", "please $plain one, now") && !is_named("Plain One", "$plain ones"));
        assert!(mentions("$plain-one").contains(&slug("Plain One")));
    }

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        let long = Arc::new(Message::new(Role::Tool, format!("{}{}", "ä".repeat(500), "end")));
        let cut = trimmed(&long, 100);
        assert!(cut.text().starts_with("ää") && cut.text().ends_with("end") && cut.text().len() < 200);
        assert!(Arc::ptr_eq(&trimmed(&long, 10_000), &long));
    }

    #[test]
    fn a_memory_is_one_item_of_a_list() {
        let memory = Memory {
            trail: ["User".into(), "Taste".into()].into(),
            text: "tea\nnot coffee".into(),
            day: None,
            importance: None,
            line: 3,
        };
        assert_eq!(&*memory_line(&memory), "- (User > Taste) tea\n  not coffee\n");
        let dated = Memory { day: Some(20_485), ..memory };
        assert_eq!(&*memory_line(&dated), "- 2026-02-01 (User > Taste) tea\n  not coffee\n");
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(-1), "1969-12-31");
    }
}
