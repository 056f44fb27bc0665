//! SQL, Makefiles and Dockerfiles: what they create, build and run.

use super::config::comment;
use super::lines::{Lines, clip, flat, head};
use super::secret::mask_value;

/// Statements and targets read at most.
const MOST: usize = 200;
/// How far the columns of a table are looked for.
const STATEMENT: usize = 8 * 1024;

/// The heads of `CREATE` statements, tables with the names of their columns.
pub fn sql(text: &str) -> Lines {
    let mut lines = Lines::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at + line.len() - line.trim_start().len();
        at += line.len();
        let begins = |word: &str| line.trim_start().get(..word.len()).is_some_and(|w| w.eq_ignore_ascii_case(word));
        if !begins("create ") && !begins("alter table ") {
            continue;
        }
        let statement = head(text.get(start..).unwrap_or(""), STATEMENT);
        let table = flat(head(statement, 60)).to_ascii_lowercase().contains(" table ") && begins("create ");
        match statement.find(['(', ';']).filter(|_| table) {
            Some(open) if statement.get(open..).is_some_and(|rest| rest.starts_with('(')) => {
                let columns = columns(statement.get(open + 1..).unwrap_or(""));
                lines.push(0, format!("{} ({})", flat(statement.get(..open).unwrap_or("")), columns.join(", ")));
            }
            _ => lines.push(1, flat(line.split(';').next().unwrap_or(line)).trim_end_matches(['(', ' '])),
        }
        if lines.is_full() {
            break;
        }
    }
    if lines.is_empty() {
        return lines;
    }
    let mut all = Lines::new();
    all.push(2, text.lines().next().filter(|line| line.starts_with("-- ")).unwrap_or(""));
    all.append(lines);
    all
}

/// The first words of the parts between commas, without those of constraints.
fn columns(inside: &str) -> Vec<&str> {
    const CONSTRAINTS: &[&str] =
        &["primary", "foreign", "constraint", "unique", "check", "key", "index", "exclude", "fulltext", "like", "--"];
    let (mut depth, mut quote, mut start) = (1usize, None, 0);
    let mut parts = Vec::new();
    for (at, c) in inside.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => continue,
            (None, '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && c == ',') {
            parts.push(inside.get(start..at).unwrap_or(""));
            start = at + 1;
        }
        if depth == 0 || parts.len() > MOST {
            break;
        }
    }
    parts
        .into_iter()
        .filter_map(|part| {
            part.lines()
                .map(str::trim)
                .find(|line| !line.is_empty() && !line.starts_with("--"))?
                .split_whitespace()
                .next()
        })
        .filter(|word| !CONSTRAINTS.iter().any(|other| word.eq_ignore_ascii_case(other)))
        .collect()
}

/// Targets with what they need and say (`## help`), then variables.
pub fn makefile(text: &str) -> Lines {
    let mut lines = Lines::new();
    comment(&mut lines, text);
    let mut variables = Lines::new();
    for line in text.lines() {
        if line.starts_with(['\t', ' ', '#', '.']) || line.trim().is_empty() {
            continue;
        }
        let sign = line.find(['=', ':']).unwrap_or(0);
        let rest = line.get(sign..).unwrap_or("");
        if rest.starts_with(':') && !rest.starts_with(":=") && !rest.starts_with("::=") {
            let name = line.get(..sign).unwrap_or("").trim();
            let (needs, help) =
                rest.get(1..).unwrap_or("").split_once("##").unwrap_or((rest.get(1..).unwrap_or(""), ""));
            let needs = clip(&flat(needs.split('#').next().unwrap_or("")), 80);
            let help = if help.is_empty() { String::new() } else { format!("  # {}", help.trim()) };
            lines.push(1, format!("{name}: {needs}{help}"));
        } else if rest.starts_with([':', '=']) {
            let (name, value) = line.split_once('=').unwrap_or((line, ""));
            let name = name.trim_end_matches([':', '?', '+', '!', ' ', '\t']);
            variables.push(2, format!("{name} = {}", clip(&mask_value(name, value.trim()), 80)));
        }
        if lines.is_full() && variables.is_full() {
            break;
        }
    }
    lines.append(variables);
    lines
}

/// Stages, what is exposed, run and set.
pub fn dockerfile(text: &str) -> Lines {
    let mut lines = Lines::new();
    comment(&mut lines, text);
    let mut instruction = String::new();
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with('#') || line.is_empty() {
            continue;
        }
        let (said, more) = line.strip_suffix('\\').map_or((line, false), |said| (said, true));
        if instruction.len() < 1000 {
            instruction.push_str(head(said, 1000));
            instruction.push(' ');
        }
        if more {
            continue;
        }
        let said = flat(&std::mem::take(&mut instruction));
        let (word, value) = said.split_once(' ').unwrap_or((&said, ""));
        let word = word.to_ascii_uppercase();
        match word.as_str() {
            "FROM" | "ENTRYPOINT" | "CMD" | "EXPOSE" => lines.push(0, format!("{word} {}", mask_value("", value))),
            "ENV" | "ARG" => {
                let (name, given) = value.split_once(['=', ' ']).unwrap_or((value, ""));
                let given = if given.is_empty() { String::new() } else { format!("={}", mask_value(name, given)) };
                lines.push(2, format!("{word} {name}{}", clip(&given, 80)));
            }
            "WORKDIR" | "USER" | "VOLUME" | "HEALTHCHECK" => lines.push(3, format!("{word} {}", clip(value, 80))),
            "COPY" | "ADD" | "RUN" => lines.push(4, format!("{word} {}", clip(&mask_value("", value), 80))),
            _ => {}
        }
        if lines.is_full() {
            break;
        }
    }
    lines
}
