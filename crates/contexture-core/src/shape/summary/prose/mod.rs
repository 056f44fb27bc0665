//! Text for people: headings with the leading sentence of each; without headings, the leading sentences of paragraphs.
//!
//! Markdown is parsed, so that `#` in a code block is no heading; the other markups are read line by line.

mod restructured;

pub use restructured::underlined;

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
                if let Some(paragraph) = piece.take().filter(|text| is_said(unlabelled(text))) {
                    leading(&mut lines, level, unlabelled(&paragraph));
                    wanted = false;
                }
            }
            Event::Code(said) if quiet == 0 => {
                // MyST: `{role}` stands before its text.
                if let Some(piece) = piece.as_mut().filter(|piece| piece.ends_with('}'))
                    && let Some(at) =
                        piece.rfind('{').filter(|at| !piece.get(*at..).is_some_and(|role| role.contains(' ')))
                {
                    piece.truncate(at);
                }
                add(&mut piece, &said);
            }
            Event::Text(said) if quiet == 0 => add(&mut piece, &said),
            Event::SoftBreak | Event::HardBreak => add(&mut piece, " "),
            _ => {}
        }
    }
    lines
}

/// A text whose name says nothing, by its content: underlined headings or those of Markdown, several of them.
pub fn by_content(text: &str) -> Option<Lines> {
    let (mut underlined, mut marked, mut prose) = (0usize, 0usize, 0usize);
    let (mut earlier, mut before, mut fenced) = ("", "", false);
    for line in text.lines().chain([""]) {
        fenced ^= before.starts_with("```");
        underlined += usize::from(restructured::is_heading(earlier, before, line));
        // A comment of a configuration stands at what it is about; a heading stands alone.
        let alone = earlier.trim().is_empty() && line.trim().is_empty();
        let title = before.trim_start_matches('#');
        let level = before.len() - title.len();
        marked += usize::from(!fenced && alone && (1..=6).contains(&level) && title.starts_with(' '));
        prose += usize::from(!before.starts_with(['#', ' ', '\t']) && before.split_whitespace().nth(3).is_some());
        (earlier, before) = (before, line);
    }
    if marked > 1 && marked > underlined && prose >= marked {
        Some(markdown(text))
    } else if underlined > 1 {
        Some(restructured::underlined(text))
    } else {
        None
    }
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
            // A rule, a frame of marks, a number or a tag is no sentence.
            if paragraph.contains(char::is_alphabetic) && !is_tag(&paragraph) {
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

    fn end_paragraph(&mut self, lines: &mut Lines) {
        if is_said(&self.paragraph) {
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

/// Whether a paragraph says something: it has words and is no HTML.
fn is_said(paragraph: &str) -> bool {
    paragraph.contains(char::is_alphabetic) && !is_tag(paragraph)
}

fn is_tag(paragraph: &str) -> bool {
    let mut start = paragraph.trim_start().strip_prefix('<').unwrap_or("").chars();
    start.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '/' || c == '!') && paragraph.contains('>')
}

/// A paragraph without the label before it: `(name)=`.
fn unlabelled(paragraph: &str) -> &str {
    let mut rest = paragraph.trim_start();
    while let Some((label, after)) = rest.strip_prefix('(').and_then(|inside| inside.split_once(")=")) {
        if label.contains([' ', '(', ')']) || label.is_empty() {
            break;
        }
        rest = after.trim_start();
    }
    rest
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
