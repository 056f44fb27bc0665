//! reStructuredText: headings are lines with a line of one repeated mark under them, and perhaps over them.
//!
//! The marks mean levels in the order of their first use. Directives, labels, substitutions, tables and indented blocks
//! are no sentences and are read over.

use super::{Lines, Outline};

pub fn underlined(text: &str) -> Lines {
    let mut lines = Lines::new();
    let mut marks: Vec<(char, bool)> = Vec::new();
    let mut outline = Outline::default();
    // What `..` began goes on as long as lines are indented; a table ends at a blank line behind one of its rules.
    let (mut hidden, mut table) = (false, false);
    let mut rows = text.lines().peekable();
    let (mut over, mut before) = (None, "");
    while let Some(line) = rows.next() {
        let next = rows.peek().copied().unwrap_or("");
        let blank = line.trim().is_empty();
        hidden &= blank || line.starts_with([' ', '\t']);
        table &= !(blank && is_table_rule(before));
        if is_heading(before, line, next) && !table {
            let mark = ruled(next).unwrap_or('=');
            let style = (mark, over == Some(mark));
            let level = marks.iter().position(|known| *known == style).unwrap_or(marks.len());
            if level == marks.len() && marks.len() < 6 {
                marks.push(style);
            }
            outline.heading(&mut lines, level.min(5) as u8 + 1, &plain(line.trim()));
            rows.next();
            (over, before, hidden) = (None, next, false);
        } else {
            over = ruled(line);
            if line == ".." || line.starts_with(".. ") || line.starts_with("__ ") {
                hidden = true;
                outline.end_paragraph(&mut lines);
            } else if is_table_rule(line) {
                table = true;
            } else if over.is_some() || line.starts_with(':') || blank {
                outline.end_paragraph(&mut lines);
            } else if !(hidden
                || table
                || is_aside(line)
                || (outline.paragraph.is_empty() && line.starts_with([' ', '\t'])))
            {
                outline.line(&mut lines, &plain(line));
            }
            before = line;
        }
        if lines.is_full() {
            break;
        }
    }
    outline.finish(lines)
}

/// Whether `title` is a heading, by the lines before and after it: one line alone, its rule at least as long.
pub fn is_heading(before: &str, title: &str, rule: &str) -> bool {
    let alone = before.trim().is_empty() || ruled(before).is_some() || before.starts_with("..");
    let named = title.contains(char::is_alphanumeric) && !title.starts_with("..");
    alone && named && ruled(rule).is_some() && rule.trim_end().len() >= title.trim().chars().count()
}

fn ruled(line: &str) -> Option<char> {
    let line = line.trim_end();
    let mark = line.chars().next().filter(char::is_ascii_punctuation)?;
    (line.len() >= 3 && line.chars().all(|c| c == mark)).then_some(mark)
}

/// `====  ====` and `+---+---+`.
fn is_table_rule(line: &str) -> bool {
    let line = line.trim();
    let simple = line.contains(' ') && line.bytes().all(|byte| matches!(byte, b'=' | b' ')) && line.starts_with("==");
    simple || (line.starts_with("+-") || line.starts_with("+=")) && line.ends_with('+')
}

/// Rows of a table, prompts, and substitutions that stand alone.
fn is_aside(line: &str) -> bool {
    let line = line.trim();
    line.starts_with(">>>") || (line.starts_with('|') && line.ends_with('|'))
}

/// A line without its inline marks: ``code``, :role:`text`, `text <target>`_.
fn plain(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut inside = false;
    for part in line.replace("``", "`").split('`') {
        if inside {
            let text = part.split_once(" <").filter(|_| part.ends_with('>')).map_or(part, |(text, _)| text);
            // `~a.b.C` is shown by its last name.
            let text = text.strip_prefix('~').and_then(|path| path.rsplit('.').next()).unwrap_or(text);
            shown.push_str(text);
        } else {
            let part = part
                .strip_prefix("__")
                .or_else(|| part.strip_prefix('_'))
                .filter(|_| !shown.is_empty())
                .unwrap_or(part);
            // The role before a text.
            let role = part.strip_suffix(':').and_then(|lead| lead.rfind(':').map(|at| lead.split_at(at)));
            let bare = role.filter(|(_, name)| !name.contains(' ')).map_or(part, |(lead, _)| lead);
            shown.push_str(bare);
        }
        inside = !inside;
    }
    shown.replace("**", "")
}
