//! What differs between two runs of the same program, and nothing else, is replaced by a name in brackets.

use crate::given::key;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Random ids that steps kept under a name.
#[derive(Default)]
pub struct Names(Vec<(String, String)>);

impl Names {
    pub fn keep(&mut self, name: &str, value: &str) {
        assert!(name.starts_with('$') && !value.is_empty(), "{name} = {value}");
        self.0.push((name.to_owned(), value.to_owned()));
    }

    /// A word of a step with kept values in place of their names.
    pub fn fill(&self, word: &str) -> String {
        self.0.iter().fold(word.to_owned(), |word, (name, value)| word.replace(name, value))
    }
}

pub fn normalize(text: &str, temp: &Path, names: &Names) -> String {
    let mut text = text.to_owned();
    let languages: Vec<&str> = contexture_syntax::LANGUAGES.iter().map(|language| language.name).collect();
    let real = temp.canonicalize().expect("the temporary folder");
    for (from, to) in [
        (real.to_string_lossy().into_owned(), "[TEMP]"),
        (temp.to_string_lossy().into_owned(), "[TEMP]"),
        (project(real.join("project")), "[PROJECT]"),
        (env!("CARGO_BIN_EXE_contexture").to_owned(), "[PROGRAM]"),
        (key(), "[KEY]"),
        (languages.join(", "), "[LANGUAGES]"),
        (format!("{} {}", std::env::consts::OS, std::env::consts::ARCH), "[PLATFORM]"),
        (env!("CARGO_PKG_VERSION").to_owned(), "[VERSION]"),
    ] {
        text = text.replace(&from, to);
    }
    for (name, value) in &names.0 {
        text = words(&text, |word| (word == value).then(|| name.clone()));
    }
    times(&ids(&text))
}

/// How `serve` names a project to the panel: by the beginning of the hash of its folder.
fn project(folder: PathBuf) -> String {
    let hash = Sha256::digest(folder.as_os_str().as_encoded_bytes());
    hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// Random ids are 26 letters and digits; a short id is the beginning of one. Each gets a number by where it is first mentioned. Short
/// ids are known only where the case also prints the whole id.
fn ids(text: &str) -> String {
    let (mut known, mut seen) = (Vec::new(), Vec::new());
    words(text, |word| {
        if is_id(word) {
            known.push(word.to_owned());
        }
        None
    });
    words(text, |word| {
        let id = known.iter().find(|id| (4..=26).contains(&word.len()) && id.starts_with(word))?;
        let number = seen.iter().position(|other| other == id).unwrap_or_else(|| {
            seen.push(id.clone());
            seen.len() - 1
        });
        Some(format!("[{}{}]", if word == id { "ID" } else { "id" }, number + 1))
    })
}

fn is_id(word: &str) -> bool {
    word.len() == 26
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && word.bytes().any(|byte| byte.is_ascii_digit())
}

/// Replaces some of the words, which are runs of letters and digits.
fn words(text: &str, mut change: impl FnMut(&str) -> Option<String>) -> String {
    let mut changed = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        changed.push_str(&change(word).unwrap_or_else(|| word.to_owned()));
        let next = after.find(|c: char| c.is_ascii_alphanumeric()).unwrap_or(after.len());
        changed.push_str(&after[..next]);
        rest = &after[next..];
    }
    changed
}

/// Times of today (and yesterday, should midnight pass meanwhile). All dates in the inputs are long past and stay.
fn times(text: &str) -> String {
    let mut text = text.to_owned();
    for day in today() {
        while let Some(start) = text.find(&day) {
            let after = &text[start + day.len()..];
            let clock = after.find(|c: char| !c.is_ascii_digit() && !"T:.".contains(c)).unwrap_or(after.len());
            let is_time = after.starts_with('T') && after[clock..].starts_with('Z');
            let is_minute = after.starts_with(' ') && after.get(6..10) == Some(" UTC");
            let (end, name) = match () {
                () if is_time => (clock + 1, "[TIME]"),
                () if is_minute => (10, "[TIME]"),
                () => (0, "[DAY]"),
            };
            text.replace_range(start..start + day.len() + end, name);
        }
    }
    text
}

fn today() -> [String; 2] {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs() as i64;
    [date(seconds / 86_400), date(seconds / 86_400 - 1)]
}

/// The date so many days after 1970-01-01.
fn date(mut days: i64) -> String {
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let mut year = 1970;
    while days >= 365 + i64::from(is_leap(year)) {
        days -= 365 + i64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + i64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}

/// JSON in one form: keys sorted, equal numbers written alike. One value, or one on each line.
pub fn json(text: &str) -> Option<String> {
    let pretty = |value: Value| Some(serde_json::to_string_pretty(&sorted(value)).ok()? + "\n");
    match serde_json::from_str(text) {
        Ok(value) => pretty(value),
        Err(_) => text.lines().map(|line| pretty(serde_json::from_str(line).ok()?)).collect(),
    }
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.into_iter().map(|(name, value)| (name, sorted(value))).collect();
            // The hash of a node depends on when it was written and by whom.
            let is_new = |(name, value): &(String, Value)| match (name.as_str(), value.as_str()) {
                ("created", Some(time)) => today().iter().any(|day| time.starts_with(day)),
                ("author", Some(id)) => is_id(id),
                _ => false,
            };
            if fields.iter().any(is_new) {
                fields.iter_mut().filter(|(name, _)| name == "hash").for_each(|(_, hash)| *hash = "[HASH]".into());
            }
            // An agent's context holds the day and the platform.
            if fields.iter().any(|(name, value)| name == "kind" && value == "agent") {
                fields
                    .iter_mut()
                    .filter(|(name, _)| name == "output" || name == "blocks")
                    .for_each(|(_, value)| unhash(value));
            }
            fields.sort_by(|one, other| one.0.cmp(&other.0));
            Value::Object(fields.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        Value::Number(number) => match number.as_f64() {
            Some(real) if number.is_f64() && real.fract() == 0.0 && real.abs() < 1e15 => Value::from(real as i64),
            _ => Value::Number(number),
        },
        other => other,
    }
}

/// Replaces every `hash` in a value.
fn unhash(value: &mut Value) {
    match value {
        Value::Object(fields) => fields.iter_mut().for_each(|(name, value)| match name.as_str() {
            "hash" => *value = "[HASH]".into(),
            _ => unhash(value),
        }),
        Value::Array(items) => items.iter_mut().for_each(unhash),
        _ => {}
    }
}
