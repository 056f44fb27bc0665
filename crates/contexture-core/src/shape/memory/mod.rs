//! Splits a memory file into what can be remembered one by one.
//!
//! Takes the text of a `MEMORY.md`; gives its entries in the order of the file: list items of the top level with all that
//! is below them, and paragraphs. There is no common grammar of such files, so this reads Markdown line by line and loses
//! nothing: every line that is no heading, comment, frontmatter or marker stands in exactly one entry. Cost is linear, and
//! no nesting is followed by recursion. It ranks nothing and knows no clock.

mod blocks;
mod dates;
mod marks;
#[cfg(test)]
mod tests;

use super::lines;
use crate::types::Memory;
use blocks::{Fence, columns, is_break, is_underline};
use marks::Marks;
use std::sync::Arc;

/// A longer heading is cut in trails: it is repeated with every entry that is shown.
const LONGEST_TITLE: usize = 200;

/// The memories of a `MEMORY.md`, in the order of the file. Headings, comments and front matter are none.
pub fn split(text: &str) -> Vec<Memory> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut scan = Scan { last_comment_end: text.rfind("-->"), ..Scan::default() };
    let skipped = frontmatter(text);
    let mut at = 0;
    for (index, line) in lines(text).enumerate() {
        if index >= skipped {
            scan.line(index + 1, at, line.trim_end_matches(['\n', '\r']));
        }
        at += line.len();
    }
    scan.finish()
}

/// How many lines of YAML stand at the top. A rule that is followed by an empty line is a rule and no frontmatter.
fn frontmatter(text: &str) -> usize {
    let mut all = lines(text).map(str::trim_end).enumerate();
    if all.next().is_none_or(|(_, first)| first != "---") {
        return 0;
    }
    for (index, line) in all {
        match line {
            "" if index == 1 => return 0,
            "---" | "..." => return index + 1,
            _ => {}
        }
    }
    0
}

#[derive(Default)]
struct Scan {
    /// Where the last comment of the text ends: what is opened after that is no comment.
    last_comment_end: Option<usize>,
    in_comment: bool,
    headings: Vec<Heading>,
    /// The headings above the current line, as indices.
    above: Vec<usize>,
    open: Option<Open>,
    fence: Option<Fence>,
    /// Empty lines since the last line of the open entry.
    blanks: usize,
    /// Entries with the heading they stand under.
    done: Vec<(Option<usize>, Memory)>,
    held: Option<HeldHeading>,
}

struct Heading {
    level: usize,
    /// None when it says nothing but a date.
    title: Option<String>,
    day: Option<i32>,
    parent: Option<usize>,
}

/// An entry that is being read.
struct Open {
    line: usize,
    /// From which column on a line belongs to this list item; none for a paragraph.
    nested: Option<usize>,
    /// How many columns of white space its lines lose.
    offset: usize,
    lines: usize,
    text: String,
    /// Its first line as it was written, in case it turns out to be a heading.
    first: String,
    marks: Marks,
}

/// A line above `---` that is a heading if anything stands below it, else a line above a rule.
struct HeldHeading {
    parent: Option<usize>,
    entry: Memory,
    done: usize,
}

impl Scan {
    fn line(&mut self, number: usize, at: usize, raw: &str) {
        if let Some(fence) = &self.fence {
            let outside = !raw.trim().is_empty() && columns(raw) < fence.floor;
            if !outside {
                let ends = fence.is_closed_by(raw);
                if let Some(open) = &mut self.open {
                    open.push(raw, false, 0);
                }
                if ends {
                    self.fence = None;
                }
                return;
            }
            self.fence = None;
        }
        let Some(line) = self.without_comments(at, raw) else { return };
        let line = &*line;
        if line.trim().is_empty() {
            self.blanks += 1;
            return;
        }
        let indent = columns(line);
        let body = line.trim_start();
        let nested = self.open.as_ref().and_then(|open| open.nested);
        if nested.is_some_and(|column| indent >= column) {
            self.fence = Fence::opened_by(body, nested.unwrap_or_default());
            return self.append(number, line);
        }
        // Four columns are code, whatever stands there.
        if indent < 4 && self.structure(number, line, indent, body) {
            return;
        }
        let fence = if indent < 4 { Fence::opened_by(body, 0) } else { None };
        let joins = self.blanks == 0 || (fence.is_some() && self.open.as_ref().is_some_and(Open::introduces));
        if !joins {
            self.close();
        }
        self.fence = fence;
        self.append(number, line);
    }

    /// Reads headings, rules and the beginnings of items. Whether the line was one.
    fn structure(&mut self, number: usize, line: &str, indent: usize, body: &str) -> bool {
        if let Some((level, title)) = blocks::heading(body) {
            self.close();
            self.heading(level, title);
            return true;
        }
        let paragraph = self.open.as_ref().filter(|open| open.nested.is_none() && self.blanks == 0);
        if let Some(level) = is_underline(body)
            && let Some(open) = paragraph
        {
            // Of several lines above `---`, all would be a heading: in files like these it is a rule below a text.
            if open.lines > 1 || columns(&open.first) > 3 {
                self.close();
                return true;
            }
            let title = open.first.trim().to_owned();
            self.underlined(level, &title);
            return true;
        }
        if is_break(body) {
            self.close();
            return true;
        }
        let Some(item) = blocks::item(body) else { return false };
        if paragraph.is_some() && !item.may_interrupt {
            return false;
        }
        self.close();
        let rest = if item.keeps_marker { body } else { body.get(item.width..).unwrap_or_default() };
        self.fence = Fence::opened_by(body.get(item.width..).unwrap_or_default(), indent + 2);
        let offset = if item.keeps_marker { indent } else { indent + item.width };
        let mut open = Open::new(number, line, Some(indent + 2), offset);
        open.push_first(rest.trim_start(), self.fence.is_none());
        self.open = Some(open);
        true
    }

    fn append(&mut self, number: usize, line: &str) {
        let marked = self.fence.is_none();
        let blanks = std::mem::take(&mut self.blanks);
        match &mut self.open {
            Some(open) => open.push(line, marked, blanks),
            None => {
                let indent = columns(line);
                let offset = if indent < 4 { indent } else { 0 };
                let mut open = Open::new(number, line, None, offset);
                open.push_first(blocks::dedent(line, offset), marked);
                self.open = Some(open);
            }
        }
    }

    fn close(&mut self) {
        self.blanks = 0;
        self.fence = None;
        let Some(open) = self.open.take() else { return };
        let parent = self.above.last().copied();
        let entry = open.into_memory(parent.and_then(|index| self.headings.get(index)?.day));
        if !entry.text.is_empty() {
            self.done.push((parent, entry));
        }
    }

    fn underlined(&mut self, level: usize, title: &str) {
        let Some(open) = self.open.take() else { return };
        let day = self.above.last().and_then(|&index| self.headings.get(index)?.day);
        let parent = self.above.last().copied();
        let entry = open.into_memory(day);
        self.heading(level, title);
        if level == 2 {
            self.held = Some(HeldHeading { parent, entry, done: self.done.len() });
        }
    }

    fn heading(&mut self, level: usize, title: &str) {
        self.release(level);
        while self.above.last().and_then(|&index| self.headings.get(index)).is_some_and(|above| above.level >= level) {
            self.above.pop();
        }
        let parent = self.above.last().copied();
        let inherited = parent.and_then(|index| self.headings.get(index)?.day);
        let (day, is_only_date) = dates::in_heading(title);
        let title = if is_only_date || title.is_empty() { None } else { Some(shortened(title)) };
        self.above.push(self.headings.len());
        self.headings.push(Heading { level, title, day: day.or(inherited), parent });
    }

    /// What was held back as a heading had nothing below it: it was text above a rule.
    fn release(&mut self, level: usize) {
        let Some(held) = self.held.take() else { return };
        if level <= 2 && held.done == self.done.len() && !held.entry.text.is_empty() {
            self.done.push((held.parent, held.entry));
        }
    }

    /// The line without comments; none when nothing else stood on it. Code spans are no comments, and a comment that
    /// begins inside of a line must end there: a stray `<!--` must not swallow the rest of the file.
    fn without_comments<'a>(&mut self, at: usize, raw: &'a str) -> Option<std::borrow::Cow<'a, str>> {
        let mut line = raw;
        if self.in_comment {
            let end = line.find("-->")?;
            self.in_comment = false;
            line = line.get(end + 3..).unwrap_or_default();
            if line.trim().is_empty() {
                return None;
            }
        }
        if !line.contains("<!--") {
            return Some(line.into());
        }
        let offset = at + (raw.len() - line.len());
        let closes_later = |from: usize| self.last_comment_end.is_some_and(|last| last >= offset + from);
        let (kept, opened) = blocks::strip_comments(line, closes_later);
        self.in_comment = opened;
        if kept.trim().is_empty() { None } else { Some(kept.into()) }
    }

    fn finish(mut self) -> Vec<Memory> {
        self.close();
        self.release(0);
        // `# Memory` above everything says nothing. Where there are more headings of its kind, it tells them apart.
        let others = self.headings.iter().skip(1).any(|heading| heading.level == 1);
        if let Some(first) = self.headings.first_mut()
            && first.level == 1
            && !others
            && first.title.as_deref().is_some_and(says_memory)
        {
            first.title = None;
        }
        let none: Arc<[String]> = Arc::from([]);
        let mut trails: Vec<Arc<[String]>> = Vec::with_capacity(self.headings.len());
        for heading in self.headings {
            let above = heading.parent.and_then(|index| trails.get(index)).unwrap_or(&none);
            trails.push(match heading.title {
                Some(title) => above.iter().cloned().chain([title]).collect(),
                None => above.clone(),
            });
        }
        let placed = |(heading, entry): (Option<usize>, Memory)| {
            let trail = heading.and_then(|index| trails.get(index)).unwrap_or(&none).clone();
            Memory { trail, ..entry }
        };
        self.done.into_iter().map(placed).collect()
    }
}

impl Open {
    fn new(line: usize, first: &str, nested: Option<usize>, offset: usize) -> Self {
        let first = first.to_owned();
        Self { line, nested, offset, lines: 0, text: String::new(), first, marks: Marks::default() }
    }

    fn push_first(&mut self, line: &str, marked: bool) {
        self.lines = 1;
        if marked {
            let line = self.marks.take_date_in_front(line);
            let line = self.marks.take(line).trim().to_owned();
            self.text.push_str(&line);
        } else {
            self.text.push_str(line);
        }
    }

    fn push(&mut self, line: &str, marked: bool, blanks: usize) {
        self.lines += 1;
        let line = blocks::dedent(line, self.offset);
        let line = if marked { self.marks.take(line) } else { line.into() };
        if marked && line.trim().is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str(if blanks > 0 { "\n\n" } else { "\n" });
        }
        self.text.push_str(if marked { line.trim_end() } else { &line });
    }

    /// Whether what comes next is what it speaks of.
    fn introduces(&self) -> bool {
        self.nested.is_none() && self.text.trim_end().ends_with(':')
    }

    fn into_memory(mut self, inherited: Option<i32>) -> Memory {
        let kept = self.text.trim_end().len();
        self.text.truncate(kept);
        if self.text.trim().is_empty() {
            self.text.clear();
        }
        let day = self.marks.day.or(inherited);
        Memory { trail: Arc::from([]), text: self.text, day, importance: self.marks.importance, line: self.line }
    }
}

fn shortened(title: &str) -> String {
    let words = title.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LONGEST_TITLE) {
        Some((at, _)) => format!("{}…", words.get(..at).unwrap_or_default()),
        None => words,
    }
}

fn says_memory(title: &str) -> bool {
    let plain = title.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().replace('-', " ");
    matches!(&*plain, "memory" | "memories" | "memory.md" | "long term memory" | "agent memory")
}
