//! Trees on disk: rules, hostile input, processes that are killed, and a model in memory that must agree.
#![allow(clippy::unwrap_used)]

mod hostile;
mod leaks;
mod machine;
mod model;
mod processes;
mod rules;

use contexture_core::{AuthorType, LoomNode, Message, Role, TreeMode};
use contexture_gather::loom::{Ask, Hidden, Loom, LoomError, NewNode, NewTree, StepRole};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const NOW: i64 = 1_767_225_600_000;

struct Place {
    _dir: TempDir,
    path: PathBuf,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("data/loom.sqlite");
        Self { _dir: dir, path }
    }

    fn open(&self) -> Loom {
        Loom::open(&self.path, NOW).unwrap()
    }
}

fn said(text: &str) -> Message {
    Message::new(Role::User, text)
}

fn tree(loom: &mut Loom, mode: TreeMode) -> String {
    loom.new_tree(NewTree { title: "a tree".into(), mode, ..NewTree::default() }).unwrap().id
}

/// Continues the active node, and the path goes there.
fn next(text: &str) -> NewNode {
    NewNode {
        message: said(text),
        author: "human".into(),
        author_type: AuthorType::Human,
        primaries: vec![],
        contexts: vec![],
        instructions: vec![],
        path: None,
        move_path: true,
    }
}

fn after(text: &str, primaries: &[&LoomNode]) -> NewNode {
    NewNode { primaries: primaries.iter().map(|node| node.id.clone()).collect(), ..next(text) }
}

fn add(loom: &mut Loom, tree: &str, new: NewNode) -> LoomNode {
    loom.add(tree, vec![new]).unwrap().remove(0)
}

/// `a b (c) [d] | e !f`: the path, contexts in round brackets, annotations in square ones, instructions after the bar, then
/// how many are hidden.
fn walked(loom: &mut Loom, tree: &str, ask: &Ask) -> String {
    let walked = loom.walk(tree, ask).unwrap();
    let mut words: Vec<String> = walked
        .steps
        .iter()
        .map(|step| {
            let text = step.node.message.text();
            match step.role {
                StepRole::Primary => text.to_string(),
                StepRole::Context => format!("({})", &*text),
                StepRole::Annotation => format!("[{}]", &*text),
            }
        })
        .collect();
    if !walked.instructions.is_empty() {
        words.push("|".into());
        words.extend(walked.instructions.iter().map(|node| node.message.text().to_string()));
    }
    words.extend(walked.hidden.iter().map(|(_, why)| match why {
        Hidden::Excluded => "!excluded".into(),
        Hidden::Pruned => "!pruned".into(),
        Hidden::Annotation => "!annotation".into(),
    }));
    words.join(" ")
}

fn shown(loom: &mut Loom, tree: &str) -> String {
    walked(loom, tree, &Ask::default())
}

fn told(error: &LoomError) -> String {
    format!("{error}\n{}", error.hint())
}

fn clean(loom: &mut Loom) {
    assert_eq!(loom.verify().unwrap().problems, []);
}

fn files(path: &Path) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(path.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// What `PROPTEST_CASES` says, else a share that takes seconds.
fn cases(share: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|number| number.parse().ok()).unwrap_or(share)
}
