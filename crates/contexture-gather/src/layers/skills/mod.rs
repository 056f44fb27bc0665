//! Skills: folders with a `SKILL.md`.
//!
//! Takes the folder of skills below a root; gives the places of their files, in an order that does not depend on the disk,
//! and of a file's text the skill it describes. What makes no skill is left out with a note that names its line.

mod find;
mod parse;
mod yaml;

pub use find::find;
pub use parse::{SkillSource, parse};

use super::Skill;
use super::part::{PartContent, WorkspacePart};
use contexture_core::{Note, Topic};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

/// One skill for each name, by name. Of two with one name the first is taken: parts come in the order of precedence.
pub fn choose(parts: &[Arc<WorkspacePart>], notes: &mut Vec<Note>) -> Vec<Skill> {
    let mut chosen: BTreeMap<&str, &Skill> = BTreeMap::new();
    for part in parts {
        notes.extend(part.notes.iter().cloned());
        let skill = match &part.found {
            PartContent::Skill(skill) => skill,
            PartContent::Refused | PartContent::Document(_) | PartContent::Memory(_) => continue,
            PartContent::Nothing(_) | PartContent::Unusable(_) => {
                let cause = part.found.cause();
                notes.push(Note::new(Topic::Unread, format!("{cause}: skill left out")).at(part.path.clone()));
                continue;
            }
        };
        match chosen.entry(&skill.name) {
            Entry::Vacant(place) => {
                place.insert(skill);
            }
            // The same file by way of a link, or a copy of it: nothing is lost.
            Entry::Occupied(first) if first.get().hash == skill.hash => {}
            Entry::Occupied(first) => {
                let cause = format!("skill `{}` is shadowed: `{}`", skill.name, first.get().path);
                notes.push(Note::new(Topic::Setting, cause).at(part.path.clone()).hint("rename one of them"));
            }
        }
    }
    chosen.into_values().cloned().collect()
}
