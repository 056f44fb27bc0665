//! Compares a group with what was recorded, or records it.

use crate::cases::{Case, parse};
use crate::run::Workshop;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const AGAIN: &str = "to record again: INSTA_UPDATE=always cargo nextest run -p contexture-cli --test unchanged";

fn recorded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/unchanged/recorded")
}

fn is_recording() -> bool {
    std::env::var("INSTA_UPDATE").is_ok_and(|word| word == "always" || word == "force")
}

pub fn group(name: &str, table: &str) {
    let mut workshop = Workshop::new();
    let folder = recorded().join(name);
    let cases = parse(table);
    if is_recording() {
        fs::create_dir_all(&folder).expect("a folder");
    }
    let mut failures = Vec::new();
    for case in &cases {
        let text = workshop.record(case);
        let file = folder.join(format!("{}.txt", case.name));
        let known = fs::read(&file).ok();
        if known.as_deref() == Some(text.as_bytes()) {
            continue;
        }
        if is_recording() {
            fs::write(file, text).expect("a record can be written");
        } else {
            failures.push(difference(name, case, known, &text));
        }
    }
    for left in entries(&folder).difference(&cases.iter().map(|case| format!("{}.txt", case.name)).collect()) {
        if is_recording() {
            fs::remove_file(folder.join(left)).expect("a record can be removed");
        } else {
            failures.push(format!("{name}/{left} is recorded, but there is no such case\n"));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} cases differ\n\n{}\n{AGAIN}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

/// A group that was renamed or removed must not leave records that nothing compares.
pub fn only_these(groups: &[&str]) {
    for left in entries(&recorded()).difference(&groups.iter().map(|name| (*name).to_owned()).collect()) {
        if is_recording() {
            fs::remove_dir_all(recorded().join(left)).expect("a record can be removed");
        } else {
            panic!("{left} is recorded, but there is no such group; {AGAIN}");
        }
    }
}

fn entries(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// The commands of a case and the first line that differs.
fn difference(group: &str, case: &Case, known: Option<Vec<u8>>, text: &str) -> String {
    let mut told = format!("{group}/{}\n", case.name);
    for step in &case.steps {
        let _ = writeln!(told, "  $ {step}");
    }
    let Some(known) = known else {
        return told + "  nothing is recorded\n";
    };
    let known = String::from_utf8_lossy(&known);
    let (old, new): (Vec<&str>, Vec<&str>) = (known.split('\n').collect(), text.split('\n').collect());
    let line = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old, new) = (old.get(line), new.get(line));
    let at = old.zip(new).map_or(0, |(old, new)| old.chars().zip(new.chars()).take_while(|(a, b)| a == b).count());
    let excerpt = |text: Option<&&str>| match text {
        Some(text) => format!("{:?}", text.chars().skip(at.saturating_sub(60)).take(160).collect::<String>()),
        None => "(ends)".to_owned(),
    };
    let _ = writeln!(told, "  first difference: line {}, column {}", line + 1, at + 1);
    let _ = writeln!(told, "  - {}\n  + {}", excerpt(old), excerpt(new));
    told
}
