//! The `custom` view: the marked slices of a file and nothing else. Passages of a file look alike.
//!
//! Takes an item's text and its slices; gives each slice under a line that says what it is, in the order of the file. Slices
//! are found by their anchors, never by stored numbers. One that cannot be found leaves a line that says so, and a remark.

use crate::anchor::{Outcome, Resolved, resolve};
use crate::kind::fence_word;
use crate::types::{Item, Level, Options, Slice, View, printable};
use std::fmt::Write;

/// `None` when no slices are marked.
pub(super) fn custom(item: &Item, text: &str, options: &Options, blank: View) -> Option<View> {
    if item.wish.slices.is_empty() {
        return None;
    }
    let known = item.located.as_deref().filter(|known| known.len() == item.wish.slices.len());
    let now = |nth: usize, slice: &Slice| {
        known.and_then(|known| known.get(nth)).cloned().unwrap_or_else(|| resolve(slice, text))
    };
    let mut found: Vec<(&Slice, Resolved)> =
        item.wish.slices.iter().enumerate().map(|(nth, slice)| (slice, now(nth, slice))).collect();
    // A slice that is gone stands where it stood.
    found.sort_by_key(|(slice, now)| now.lines.unwrap_or((slice.start_line, slice.end_line)));

    let parts: Vec<LineRange> =
        found.iter().map(|(slice, now)| LineRange { heading: Some(heading(slice, now)), lines: now.lines }).collect();
    let remarks = found
        .iter()
        .filter(|(_, now)| now.lines.is_none())
        .map(|(slice, now)| format!("slice {} is {}: {}", name(slice), now.outcome, now.why))
        .collect();
    Some(View {
        level: Level::Custom,
        label: Some(Level::Custom.as_str().into()),
        language: Some(fence_word(&item.path, text)),
        text: excerpt(text, &parts, options).into(),
        fenced: true,
        remarks,
        ..blank
    })
}

/// Some lines of a file, sorted. A single passage needs no line that says where it is: the label does.
pub(super) fn passages(item: &Item, text: &str, found: &[(u64, u64)], options: &Options, blank: View) -> View {
    let name = |lines: &(u64, u64)| range(lines.0, lines.1);
    let parts: Vec<LineRange> = found
        .iter()
        .map(|lines| LineRange {
            heading: (found.len() > 1).then(|| format!("lines {}", name(lines))),
            lines: Some(*lines),
        })
        .collect();
    View {
        level: Level::Custom,
        label: Some(found.iter().map(name).collect::<Vec<_>>().join(", ")),
        language: Some(fence_word(&item.path, text)),
        text: excerpt(text, &parts, options).into(),
        fenced: true,
        ..blank
    }
}

/// Lines of a text, counted from 1, under a heading.
struct LineRange {
    heading: Option<String>,
    lines: Option<(u64, u64)>,
}

fn excerpt(text: &str, parts: &[LineRange], options: &Options) -> String {
    let lines: Vec<&str> = super::lines(text).collect();
    let of = |part: &LineRange| {
        let (start, end) = part.lines?;
        lines.get(usize::try_from(start).ok()?.checked_sub(1)?..usize::try_from(end).ok()?)
    };
    let shown = parts.iter().filter_map(of).flatten();
    let dashes = shown.map(|line| line.len() - line.trim_start_matches('-').len()).max().unwrap_or(0);
    let rule = "-".repeat((dashes + 1).max(3));
    let width = lines.len().to_string().len();
    let mut out = String::new();
    for part in parts {
        if let Some(heading) = &part.heading {
            let _ = writeln!(out, "{rule} {heading}");
        }
        let first = part.lines.map_or(0, |(start, _)| start);
        for (number, line) in (first..).zip(of(part).unwrap_or_default()) {
            if options.line_numbers {
                let _ = write!(out, "{number:>width$}  ");
            }
            out.push_str(line);
        }
        if !out.ends_with(['\n', '\r']) {
            out.push('\n');
        }
    }
    out
}

/// Where the slice is now, or that it is not; then its tag and its comment.
fn heading(slice: &Slice, now: &Resolved) -> String {
    let old = range(slice.start_line, slice.end_line);
    let mut line = match now.lines {
        Some((start, end)) => format!("lines {}", range(start, end)),
        None => format!("{}, was lines {old}", now.outcome.as_str().to_uppercase()),
    };
    match now.outcome {
        Outcome::Moved => line.push_str(&format!(" (moved from {old})")),
        Outcome::Changed => line.push_str(&format!(" (changed, was {old})")),
        Outcome::Ambiguous | Outcome::Lost => line.push_str(&format!(" ({})", now.why)),
        Outcome::Exact => {}
    }
    for text in [&slice.tag, &slice.comment].into_iter().flatten().filter(|text| !text.is_empty()) {
        line.push_str(": ");
        line.push_str(&printable(text));
    }
    line
}

fn name(slice: &Slice) -> String {
    let old = range(slice.start_line, slice.end_line);
    match slice.tag.as_deref().filter(|tag| !tag.is_empty()) {
        Some(tag) => format!("`{}`, lines {old},", printable(tag)),
        None => format!("of lines {old}"),
    }
}

fn range(start: u64, end: u64) -> String {
    if start == end { start.to_string() } else { format!("{start}-{end}") }
}
