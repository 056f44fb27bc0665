//! Names that are given in a new tree: ids, short ids, agents.

use super::super::{Fault, LoomError, fresh};
use super::raw::Author;
use contexture_core::{LoomAgent, Permissions};
use std::collections::BTreeSet;

/// What is taken in a tree.
#[derive(Default)]
pub(super) struct Names {
    locals: BTreeSet<String>,
    agents: BTreeSet<String>,
}

impl Names {
    /// The beginning of the id that nothing else in the tree has; the store looks at what else it holds.
    pub fn local(&mut self, id: &str) -> String {
        let lengths = 4..=id.len();
        let free = lengths.filter_map(|length| id.get(..length)).find(|local| !self.locals.contains(*local));
        let local = free.unwrap_or(id).to_string();
        self.locals.insert(local.clone());
        local
    }

    pub fn agent(&mut self, author: &Author) -> Result<LoomAgent, LoomError> {
        let mut name = author.name.clone();
        // Agents are told apart by name: a model may be called `human`, or come from two providers.
        if self.agents.contains(&name) {
            name = author.model.clone().unwrap_or(name);
        }
        if self.agents.contains(&name) {
            name = format!("{name} ({})", author.kind);
        }
        let mut number = 2;
        let base = name.clone();
        while !self.agents.insert(name.clone()) {
            name = format!("{base} {number}");
            number += 1;
        }
        Ok(LoomAgent {
            id: id()?,
            name,
            kind: author.kind,
            system_prompt: None,
            model: author.model.clone(),
            permissions: Permissions::default(),
        })
    }
}

pub(super) fn id() -> Result<String, LoomError> {
    fresh().map_err(|cause| Fault::Io { what: "make an id", cause }.into())
}
