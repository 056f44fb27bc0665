//! Text for people: headings with the leading sentence of each; without headings, the leading sentences of paragraphs.
//!
//! Markdown is parsed, so that `#` in a code block is no heading; the other markups are read line by line.

use super::lines::{LONGEST, Lines, clip, flat, sentence};
use super::secret::mask_line;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// What is gathered of one heading or paragraph at most.
const PIECE: usize = 2000;
/// Lines and paragraphs shown of a text without structure.
const FIRST: usize = 20;

pub fn markdown(text: &str) -> Lines {
    let mut lines = Lines::new();
    let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS | Options::ENABLE_STRIKETHROUGH;
    let mut level = 0u8;
    // The sentence of a heading is missing until its first paragraph ends.
    let mut wanted = true;
    let mut piece: Option<String> = None;
    let mut quiet = 0usize;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::Heading { level: found, .. }) => {
                level = found as u8;
                piece = Some(String::new());
            }
            Event::End(TagEnd::Heading(_)) => {
                let title = flat(&piece.take().unwrap_or_default());
                heading(&mut lines, level, &title);
                wanted = true;
                if lines.is_full() {
                    break;
                }
            }
            // Pictures and front matter are not prose: badges at the top of a README above all.
            Event::Start(Tag::Image { .. } | Tag::MetadataBlock(_) | Tag::CodeBlock(_)) => quiet += 1,
            Event::End(TagEnd::Image | TagEnd::MetadataBlock(_) | TagEnd::CodeBlock) => quiet = quiet.saturating_sub(1),
            Event::Start(Tag::Paragraph) if wanted => piece = Some(String::new()),
            Event::End(TagEnd::Paragraph) => {
                if let Some(paragraph) = piece.take().filter(|text| !text.trim().is_empty()) {
                    leading(&mut lines, level, &paragraph);
                    wanted = false;
                }
            }
            Event::Text(said) | Event::Code(said) if quiet == 0 => add(&mut piece, &said),
            Event::SoftBreak | Event::HardBreak => add(&mut piece, " "),
            _ => {}
        }
    }
    lines
}

/// reStructuredText: a line, under it (and perhaps over it) a line of one repeated mark. The marks mean levels in the
/// order of their first use.
pub fn underlined(text: &str) -> Lines {
    let mut lines = Lines::new();
    let mut marks: Vec<(char, bool)> = Vec::new();
    let mut outline = Outline::default();
    let (mut before, mut over) = ("", None);
    for line in text.lines() {
        let rule = ruled(line);
        match rule {
            Some(mark) if !before.trim().is_empty() && ruled(before).is_none() && covers(line, before) => {
                let style = (mark, over == Some(mark));
                let level = marks.iter().position(|known| *known == style).unwrap_or(marks.len());
                if level == marks.len() && marks.len() < 6 {
                    marks.push(style);
                }
                outline.drop_line(before);
                outline.heading(&mut lines, level.min(5) as u8 + 1, before.trim());
                over = None;
            }
            Some(mark) => over = Some(mark),
            // Directives and comments are not prose.
            None if line.starts_with("..") || line.starts_with(':') => outline.end_paragraph(&mut lines),
            None => outline.line(&mut lines, line),
        }
        if lines.is_full() {
            break;
        }
        before = line;
    }
    outline.finish(lines)
}

/// AsciiDoc and Org: a heading is led by as many marks as its level, and a space.
pub fn headed(text: &str, mark: char) -> Lines {
    let mut lines = Lines::new();
    let mut outline = Outline::default();
    let mut fenced = false;
    for line in text.lines() {
        // Fences of code, and settings of the document.
        if line.starts_with("----") || line.starts_with("#+") || line.starts_with(':') {
            fenced = if line.starts_with('-') { !fenced } else { fenced };
            continue;
        }
        let title = line.trim_start_matches(mark);
        let level = line.len() - title.len();
        if fenced {
            continue;
        } else if (1..=6).contains(&level) && title.starts_with(' ') {
            outline.heading(&mut lines, level as u8, title.trim());
        } else {
            outline.line(&mut lines, line);
        }
        if lines.is_full() {
            break;
        }
    }
    outline.finish(lines)
}

/// The leading sentences of the first paragraphs.
pub fn paragraphs(text: &str) -> Lines {
    let mut lines = Lines::new();
    let mut paragraph = String::new();
    let mut shown = 0;
    for line in text.lines().chain([""]) {
        if !line.trim().is_empty() {
            add_to(&mut paragraph, line);
            add_to(&mut paragraph, " ");
        } else if !paragraph.is_empty() {
            // A rule or a frame of marks is no sentence.
            if paragraph.contains(|c: char| c.is_alphanumeric()) {
                lines.push(shown, mask_line(&sentence(&paragraph)));
                shown += 1;
            }
            paragraph.clear();
            if usize::from(shown) >= FIRST {
                break;
            }
        }
    }
    lines
}

/// The first lines of a file of which nothing is known.
pub fn first_lines(text: &str) -> Lines {
    let mut lines = Lines::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()).take(FIRST) {
        lines.push(0, mask_line(&clip(line, LONGEST)));
    }
    lines
}

/// Collects headings and their first paragraphs line by line.
#[derive(Default)]
struct Outline {
    level: u8,
    paragraph: String,
    said: bool,
}

impl Outline {
    fn heading(&mut self, lines: &mut Lines, level: u8, title: &str) {
        self.end_paragraph(lines);
        heading(lines, level, title);
        self.level = level;
        self.said = false;
    }

    fn line(&mut self, lines: &mut Lines, line: &str) {
        if line.trim().is_empty() {
            self.end_paragraph(lines);
        } else if !self.said {
            add_to(&mut self.paragraph, line);
            add_to(&mut self.paragraph, "\n");
        }
    }

    /// The line before an underline was a heading, not the end of a paragraph.
    fn drop_line(&mut self, line: &str) {
        if self.paragraph.trim_end_matches('\n').ends_with(line) {
            self.paragraph.truncate(self.paragraph.trim_end_matches('\n').len() - line.len());
        }
    }

    fn end_paragraph(&mut self, lines: &mut Lines) {
        if !self.paragraph.trim().is_empty() {
            leading(lines, self.level, &self.paragraph);
            self.said = true;
        }
        self.paragraph.clear();
    }

    fn finish(mut self, mut lines: Lines) -> Lines {
        self.end_paragraph(&mut lines);
        lines
    }
}

fn heading(lines: &mut Lines, level: u8, title: &str) {
    let level = level.clamp(1, 6);
    let (indent, marks) = ("  ".repeat(usize::from(level) - 1), "#".repeat(usize::from(level)));
    if !title.is_empty() {
        lines.push(level, format!("{indent}{marks} {title}"));
    }
}

/// A sentence under its heading. It ranks two levels below: what a section says matters less than that it exists.
fn leading(lines: &mut Lines, level: u8, paragraph: &str) {
    let indent = "  ".repeat(usize::from(level.max(1)) - 1);
    lines.push(level + 2, format!("{indent}{}", sentence(paragraph)));
}

fn ruled(line: &str) -> Option<char> {
    let line = line.trim_end();
    let mark = line.chars().next().filter(char::is_ascii_punctuation)?;
    (line.len() >= 3 && line.chars().all(|c| c == mark)).then_some(mark)
}

fn covers(rule: &str, title: &str) -> bool {
    rule.trim_end().len() >= title.trim().chars().count()
}

fn add(piece: &mut Option<String>, said: &str) {
    if let Some(piece) = piece {
        add_to(piece, said);
    }
}

fn add_to(piece: &mut String, said: &str) {
    if piece.len() < PIECE {
        piece.push_str(super::lines::head(said, PIECE));
    }
}
