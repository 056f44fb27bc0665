//! Texts around the nodes of a path: the marker where some are missing, what is left of one that is too long, and what an
//! agent is told about the tree it works in.
//!
//! Times are absolute, and what stands above a node changes only when something branches from it or is said about it: a
//! conversation that grows at its end keeps its bytes.

use super::layers::{date, trimmed, with_long_texts_cut};
use crate::types::{Action, LoomTree, Message, MessagePart, Permissions, Stash, Text, TreeMode};
use std::sync::Arc;

/// Stands where nodes are missing.
pub fn marker(missing: usize, mode: TreeMode) -> String {
    let s = if missing == 1 { "" } else { "s" };
    match mode {
        TreeMode::Dialogue => format!("[… {missing} node{s} left out here …]"),
        TreeMode::Buffer => format!("\n[… {missing} node{s} left out here …]\n"),
    }
}

/// Which part of a text is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Beginning,
    End,
    Both,
}

/// The message with texts of more than `most` bytes cut.
pub fn shortened(message: &Arc<Message>, most: usize, side: Side) -> Arc<Message> {
    match side {
        Side::Both => trimmed(message, most),
        Side::Beginning => with_long_texts_cut(message, most, |text| text[..text.floor_char_boundary(most)].to_owned()),
        Side::End => {
            with_long_texts_cut(message, most, |text| text[text.ceil_char_boundary(text.len() - most)..].to_owned())
        }
    }
}

/// What stands above a node for an agent that knows of the tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Label {
    pub local: String,
    pub author: String,
    /// Milliseconds since the epoch.
    pub created: i64,
    pub continuations: u32,
    pub annotations: u32,
    pub versions: u32,
    pub bookmark: Option<String>,
}

impl Label {
    /// `[a7x2] human · 2026-02-01 14:03` and below it its connections, if it has others than its one child.
    pub fn text(&self) -> String {
        let mut text = format!("[{}] {} · {}\n", self.local, one_line(&self.author), time(self.created));
        let mut about = Vec::new();
        about.extend((self.continuations > 1).then(|| format!("{} continuations", self.continuations)));
        about.extend((self.annotations > 0).then(|| counted(self.annotations, "annotation")));
        about.extend((self.versions > 1).then(|| format!("{} versions", self.versions)));
        about.extend(self.bookmark.as_ref().map(|label| match label.as_str() {
            "" => "bookmarked".to_owned(),
            label => format!("bookmarked: {}", one_line(label)),
        }));
        if !about.is_empty() {
            text.push_str(&format!("{}\n", about.join(" · ")));
        }
        text.push_str("---\n");
        text
    }

    /// The message below its label.
    pub fn on(&self, message: &Message) -> Message {
        let mut message = message.clone();
        match message.parts.first_mut() {
            Some(MessagePart::Text(text)) => *text = format!("{}{}", self.text(), &**text).into(),
            _ => message.parts.insert(0, MessagePart::Text(self.text().into())),
        }
        message
    }
}

/// A moment as people and models read it, in UTC, to the minute.
pub fn time(millis: i64) -> String {
    let minutes = millis.div_euclid(60_000);
    let (day, minute) = (minutes.div_euclid(1_440), minutes.rem_euclid(1_440));
    let day = i32::try_from(day).unwrap_or_default();
    format!("{} {:02}:{:02}", date(day), minute / 60, minute % 60)
}

fn counted(number: u32, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A pinned node: its short id and what it says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pin {
    pub local: String,
    pub text: Text,
}

/// Of a pinned node so many bytes are quoted: enough to know it by, and `view` has the rest.
const QUOTED: usize = 200;
/// Of a recalled stash so many; more would push out the conversation.
const RECALLED: usize = 8 * 1024;

/// What an agent keeps in mind while it works in the tree; nothing when there is nothing.
pub fn operational_memory(pins: &[Pin], stashes: &[Stash], actions: &[Action]) -> Option<String> {
    if pins.is_empty() && stashes.is_empty() && actions.is_empty() {
        return None;
    }
    let mut text = String::from("=== Operational Memory ===\n");
    if !pins.is_empty() {
        text.push_str("Pinned:\n");
        for pin in pins {
            let quoted = &pin.text[..pin.text.floor_char_boundary(QUOTED)];
            let more = if quoted.len() < pin.text.len() { "…" } else { "" };
            let line: Vec<&str> = quoted.split_whitespace().collect();
            text.push_str(&format!("[{}] \"{}{more}\"\n", pin.local, line.join(" ")));
        }
    }
    for stash in stashes.iter().filter(|stash| stash.recalled) {
        let shown = &stash.text[..stash.text.floor_char_boundary(RECALLED)];
        text.push_str(&format!("Recalled `{}`:\n{}\n", one_line(&stash.label), shown.trim_end()));
        if shown.len() < stash.text.len() {
            text.push_str(&format!("[… {} bytes left out]\n", stash.text.len() - shown.len()));
        }
    }
    let put_away: Vec<String> =
        stashes.iter().filter(|stash| !stash.recalled).map(|stash| one_line(&stash.label)).collect();
    if !put_away.is_empty() {
        text.push_str(&format!("Stashed: {}\n", put_away.join(", ")));
    }
    if !actions.is_empty() {
        let done: Vec<String> = actions.iter().map(|action| one_line(&action.text)).collect();
        text.push_str(&format!("Recent actions: {}\n", done.join(" · ")));
    }
    text.push_str("===");
    Some(text)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where an agent is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Position {
    pub nodes: u64,
    pub branches: u64,
    pub depth: u64,
    /// Short ids of the newest nodes of the path.
    pub newest: Vec<String>,
    /// Whether there are older ones.
    pub is_deeper: bool,
}

/// The block that stands last.
pub fn loom_context(tree: &LoomTree, position: &Position, permissions: Permissions) -> String {
    let way: Vec<String> = position.newest.iter().map(|local| format!("[{local}]")).collect();
    let way = match (way.is_empty(), position.is_deeper) {
        (true, _) => "at the beginning".to_owned(),
        (false, true) => format!("… → {}*", way.join(" → ")),
        (false, false) => format!("{}*", way.join(" → ")),
    };
    format!(
        "=== Loom Context ===\nTree: \"{}\" [{}] ({})\n{} nodes · {} branches · depth {}\nPosition: {way}\nPermissions: {}\n===",
        one_line(&tree.title),
        tree.local,
        tree.mode,
        position.nodes,
        position.branches,
        position.depth,
        granted(permissions),
    )
}

fn granted(permissions: Permissions) -> String {
    let granted = permissions.granted();
    if granted.is_empty() { "none".into() } else { granted.join(", ") }
}

/// What the system prompt of such an agent says besides.
pub fn addendum(permissions: Permissions) -> String {
    include_str!("../../templates/loom_addendum.md").trim_end().replace("{permissions}", &granted(permissions))
}
