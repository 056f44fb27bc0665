//! Texts that are rows rather than prose: message catalogues, tables of numbers, long lists of short lines.
//!
//! Each reader gives nothing when the text is of another sort.

use super::lines::Lines;

/// Fewer lines are no list worth counting.
const MANY: usize = 30;
/// Lines of prose are 60 to 80 bytes long, names and versions under this.
const SHORT: usize = 40;
/// How many of the first lines decide, and how many are shown.
const LOOKED_AT: usize = 50;
const SHOWN: usize = 5;

/// A gettext catalogue: its language and the number of its messages.
pub fn catalogue(text: &str, whole: bool) -> Lines {
    let mut lines = Lines::new();
    let (mut messages, mut translated, mut fuzzy) = (0usize, 0usize, 0usize);
    let mut language = "";
    let mut samples: Vec<&str> = Vec::new();
    // A string of several lines begins with an empty one.
    let mut last = "";
    let mut open = false;
    for line in text.lines().map(str::trim) {
        if let Some(said) = line.strip_prefix("msgid ") {
            messages += 1;
            if said.len() > 2 && samples.len() < SHOWN {
                samples.push(said.trim_matches('"'));
            }
            last = said;
        } else if let Some(said) = line.strip_prefix("msgstr ").or_else(|| line.strip_prefix("msgstr[0] ")) {
            translated += usize::from(said.len() > 2);
            open = said == "\"\"";
            continue;
        } else if line.starts_with('"') {
            translated += usize::from(open && line.len() > 2);
            if let Some(name) = line.strip_prefix("\"Language: ").filter(|_| language.is_empty() && messages <= 1) {
                language = name.trim_end_matches('"').trim_end_matches("\\n").trim();
            }
        } else if line.starts_with("#,") && line.contains("fuzzy") {
            fuzzy += 1;
        }
        open = false;
    }
    // The first message is the header: it has no text but a translation.
    let header = usize::from(
        !last.is_empty() && ["\n", "\r\n"].iter().any(|end| text.contains(&format!("msgid \"\"{end}msgstr"))),
    );
    messages = messages.saturating_sub(header);
    if messages == 0 {
        return lines;
    }
    let least = if whole { "" } else { "at least " };
    let language = if language.is_empty() { String::new() } else { format!(" for `{language}`") };
    let fuzzy = if fuzzy == 0 { String::new() } else { format!(", {fuzzy} fuzzy") };
    let translated = translated.saturating_sub(header);
    lines.push(0, format!("gettext catalogue{language}: {least}{messages} messages, {translated} translated{fuzzy}"));
    lines.list(1, "messages", &samples);
    lines
}

/// Numbers in columns, or many short lines: how many, and the first.
pub fn listing(text: &str, whole: bool) -> Option<Lines> {
    let said = || text.lines().filter(|line| !line.trim().is_empty());
    let least = if whole { "" } else { "at least " };
    let columns = |line: &str| line.split_whitespace().count();
    let is_numbers = |line: &str| line.split_whitespace().all(|word| word.trim_matches(',').parse::<f64>().is_ok());
    // A table may begin with the names of its columns or a comment.
    let width = said().nth(1).map_or(0, columns);
    let looked = said().skip(1).take(LOOKED_AT).count();
    let numbers = said().skip(1).take(LOOKED_AT).filter(|line| columns(line) == width && is_numbers(line)).count();
    let rows = said().count();
    let title = if looked >= SHOWN && numbers * 10 >= looked * 9 {
        format!("{least}{rows} lines of numbers in {width} columns")
    } else {
        let bytes: usize = said().map(str::len).sum();
        let all = text.lines().count();
        let sentences = said().filter(|line| line.trim_end().ends_with(['.', ':', ','])).count();
        if rows < MANY || bytes / rows > SHORT || (all - rows) * 5 > all || sentences * 20 > rows {
            return None;
        }
        format!("{least}{rows} lines")
    };
    let mut lines = Lines::new();
    lines.push(0, title);
    for line in said().take(SHOWN) {
        lines.push(1, super::secret::mask_line(super::lines::head(line, 200)));
    }
    Some(lines)
}
