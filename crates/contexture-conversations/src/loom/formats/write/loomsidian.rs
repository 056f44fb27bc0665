//! One note for loomsidian, as the plugin imports it.

use super::super::Exported;
use super::super::lay::lay;
use super::super::lost::{Holds, Part};
use super::super::words::TreeFormat;
use super::single;
use contexture_core::{Bundle, TreeMode};
use serde_json::{Value, json};

const HOLDS: Holds =
    Holds { format: TreeFormat::Loomsidian, mode: TreeMode::Buffer, clock: 0, parts: &[Part::Bookmarks] };

pub(in super::super) fn file(bundle: &Bundle) -> Exported {
    let laid = lay(bundle, &HOLDS);
    let id = |place: usize| laid.nodes.get(place).map(|node| &*node.id);
    let current = laid.active.or(laid.nodes.len().checked_sub(1)).and_then(id).unwrap_or_default();
    let mut out =
        format!("{{\n\"current\": {},\n\"hoisted\": [],\n\"searchTerm\": \"\",\n\"nodes\": {{", Value::from(current));
    for (place, node) in laid.nodes.iter().enumerate() {
        let value = json!({
            "text": escaped(&node.message.text()),
            "parentId": node.parent.and_then(id),
            "collapsed": false,
            "unread": false,
            "bookmarked": node.bookmark.is_some(),
            "searchResultState": null,
        });
        out.push_str(if place > 0 { ",\n" } else { "\n" });
        out += &format!("{}: {value}", Value::from(&*node.id));
    }
    out.push_str("\n},\n\"generating\": null\n}\n");
    single(out, laid.notes)
}

/// As the plugin does with what models write: each of these gets one backslash, and loses one when it is read.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '<' | '[') {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}
