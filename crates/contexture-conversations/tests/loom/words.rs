//! Words for tests of trees, whatever store they are in.

use contexture_conversations::loom::{HiddenReason, Loom, LoomError, NewNode, NewTree, PathQuery, StepRole};
use contexture_core::{AuthorType, LoomNode, Message, Role, TreeMode};

pub const NOW: i64 = 1_767_225_600_000;

pub fn said(text: &str) -> Message {
    Message::new(Role::User, text)
}

pub fn tree(loom: &mut Loom, mode: TreeMode) -> String {
    loom.new_tree(NewTree { title: "a tree".into(), mode, ..NewTree::default() }).unwrap().id
}

/// Continues the active node, and the path goes there.
pub fn next(text: &str) -> NewNode {
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

pub fn after(text: &str, primaries: &[&LoomNode]) -> NewNode {
    NewNode { primaries: primaries.iter().map(|node| node.id.clone()).collect(), ..next(text) }
}

pub fn add(loom: &mut Loom, tree: &str, new: NewNode) -> LoomNode {
    loom.add(tree, vec![new]).unwrap().remove(0)
}

/// `a b (c) [d] | e !f`: the path, contexts in round brackets, annotations in square ones, instructions after the bar, then
/// how many are hidden.
pub fn walked(loom: &mut Loom, tree: &str, ask: &PathQuery) -> String {
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
        HiddenReason::Excluded => "!excluded".into(),
        HiddenReason::Pruned => "!pruned".into(),
        HiddenReason::Annotation => "!annotation".into(),
    }));
    words.join(" ")
}

pub fn shown(loom: &mut Loom, tree: &str) -> String {
    walked(loom, tree, &PathQuery::default())
}

pub fn told(error: &LoomError) -> String {
    format!("{error}\n{}", error.hint())
}

pub fn clean(loom: &mut Loom) {
    assert_eq!(loom.verify().unwrap().problems, []);
}
