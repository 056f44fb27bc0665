//! The progress track of a beads project: what is done, what is at hand, what waits for what.
//!
//! Takes the text of an export (JSON lines, a JSON array, or an envelope around one) and its time as text; gives the
//! body of the section without its heading. Every bead is one line that begins with a word of ours, so that no title,
//! id or description can open a Markdown block. Does not read files and does not know what time it is.

mod read;
#[cfg(test)]
mod tests;

use read::{Bead, Stage};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Longer descriptions are cut, and the cut is said. Beads allows any length; a design document pasted into one bead
/// would otherwise outweigh all others. 1,000 characters are about 250 tokens, two screens of a terminal's width.
const DESCRIPTION: usize = 1_000;

/// The body of `## Beads Mode: Progress Track`, or `None` if the export holds no bead.
///
/// Completed beads come in the order of their ids; the others by stage (in progress, hooked, open, blocked), then
/// priority, then id. Numbers in ids count as numbers: `bd-2` stands before `bd-10`.
pub fn beads_section(export: &str, exported_at: Option<&str>) -> Option<String> {
    let read = read::read(export);
    if read.beads.is_empty() {
        return None;
    }
    let mut beads: Vec<(&Bead, Vec<&str>)> =
        read.beads.values().map(|bead| (bead, open_blockers(bead, &read.beads))).collect();
    beads.sort_by(|(a, _), (b, _)| {
        a.stage.cmp(&b.stage).then(a.priority.cmp(&b.priority)).then_with(|| natural(&a.id, &b.id))
    });

    let (mut done, mut active, mut blocked) = (Vec::new(), Vec::new(), Vec::new());
    let mut other: BTreeMap<&str, usize> = BTreeMap::new();
    for (bead, blockers) in &beads {
        match &bead.stage {
            Stage::Closed => done.push(*bead),
            Stage::InProgress | Stage::Hooked => active.push(bullet(bead, blockers)),
            Stage::Open if blockers.is_empty() => active.push(bullet(bead, blockers)),
            Stage::Open | Stage::Blocked => blocked.push(bullet(bead, blockers)),
            Stage::Other(status) => *other.entry(status).or_default() += 1,
        }
    }
    done.sort_by(|a, b| natural(&a.id, &b.id));

    let mut parts = Vec::new();
    if let Some(time) = exported_at {
        parts.push(format!("Exported: {}", one_line(time)));
    }
    if !done.is_empty() {
        let names: Vec<String> = done.iter().map(|bead| name(bead)).collect();
        parts.push(format!("Completed: {}", names.join(", ")));
    }
    for (title, bullets) in [("Active:", active), ("Blocked:", blocked)] {
        if !bullets.is_empty() {
            parts.push(format!("{title}\n\n{}", bullets.join("\n")));
        }
    }
    if !other.is_empty() {
        let counts: Vec<String> = other.iter().map(|(status, count)| format!("{count} {status}")).collect();
        parts.push(format!("Other: {}", counts.join(", ")));
    }
    if read.bad > 0 {
        parts.push(format!("Entries of the export that could not be read: {}", read.bad));
    }
    Some(parts.join("\n\n") + "\n")
}

/// `- open P1: Title (id), blocked by a, b: description`
fn bullet(bead: &Bead, blockers: &[&str]) -> String {
    let mut line = format!("- {}", bead.stage.word());
    if let Some(priority) = bead.priority {
        line.push_str(&format!(" P{priority}"));
    }
    line.push_str(&format!(": {}", name(bead)));
    if !blockers.is_empty() {
        let names: Vec<String> = blockers.iter().map(|id| one_line(id)).collect();
        line.push_str(&format!(", blocked by {}", names.join(", ")));
    }
    let description = one_line(&bead.description);
    if !description.is_empty() {
        line.push_str(": ");
        line.push_str(&cut(&description));
    }
    line
}

fn name(bead: &Bead) -> String {
    let title = one_line(&bead.title);
    let title = if title.is_empty() { "untitled" } else { &title };
    format!("{title} ({})", one_line(&bead.id))
}

/// The ids this bead waits for. A blocker that the export does not hold, or holds as deleted, does not block: nothing
/// could ever release it.
fn open_blockers<'a>(bead: &'a Bead, beads: &BTreeMap<String, Bead>) -> Vec<&'a str> {
    let is_open = |id: &str| id != bead.id && beads.get(id).is_some_and(|blocker| blocker.stage != Stage::Closed);
    let mut open: Vec<&str> = bead.blockers.iter().map(String::as_str).filter(|id| is_open(id)).collect();
    open.sort_by(|a, b| natural(a, b));
    open.dedup();
    open
}

/// Words with single spaces between them; line breaks and control characters are spaces.
fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(DESCRIPTION) {
        None => text.to_owned(),
        Some((end, _)) => {
            let (shown, rest) = text.split_at(end);
            format!("{} [{} more characters]", shown.trim_end(), rest.chars().count())
        }
    }
}

/// Order in which runs of digits compare as numbers; equal in that sense, bytes decide.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.as_bytes(), b.as_bytes());
    loop {
        let (l, r) = (digits(left), digits(right));
        let order = if l > 0 && r > 0 {
            let (x, y) = (without_zeros(&left[..l]), without_zeros(&right[..r]));
            x.len().cmp(&y.len()).then_with(|| x.cmp(y))
        } else {
            left.first().cmp(&right.first())
        };
        if order != Ordering::Equal || left.is_empty() {
            return order.then_with(|| a.cmp(b));
        }
        left = &left[l.max(1)..];
        right = &right[r.max(1)..];
    }
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn without_zeros(digits: &[u8]) -> &[u8] {
    &digits[digits.iter().take_while(|digit| **digit == b'0').count()..]
}
