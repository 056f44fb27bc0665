//! What a format of another program has no place for, told in notes.

use super::words::TreeFormat;
use contexture_core::{AuthorType, Bundle, ImageSource, LoomAgent, LoomNode, MessagePart, Note, Role, Topic, TreeMode};

/// What a format has a place for, beside texts and which follows which.
pub(super) struct Holds {
    pub format: TreeFormat,
    pub mode: TreeMode,
    /// The smallest step of its clock in milliseconds; 0 for none.
    pub clock: i64,
    pub parts: &'static [Part],
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Hidden,
    Authors,
    Models,
    Calls,
    Images,
    Bookmarks,
    Labels,
    System,
    Title,
}

impl Holds {
    pub fn has(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }
}

/// What of the bundle, and of the nodes that stay, the format has no place for.
pub(super) fn lost(bundle: &Bundle, holds: &Holds, kept: &[usize]) -> Vec<Note> {
    let kept = || kept.iter().filter_map(|&place| bundle.nodes.get(place));
    let count = |test: &dyn Fn(&LoomNode) -> bool| kept().filter(|node| test(node)).count();
    let tree = &bundle.tree;
    let unless = |held: bool, count: usize| if held { 0 } else { count };
    let image = |node: &LoomNode| {
        node.message.parts.iter().any(|part| match part {
            MessagePart::Image(image) => !holds.has(Part::Images) || !matches!(image.source, ImageSource::Data(_)),
            MessagePart::Text(_) => false,
        })
    };
    let named = |node: &LoomNode| node.author_type == AuthorType::Model;
    let agents = || bundle.agents.iter();
    let labelled = |node: &LoomNode| node.bookmark.as_ref().is_some_and(|label| !label.is_empty());
    let told = |node: &LoomNode| !node.message.calls.is_empty() || node.message.role == Role::Tool;
    let counts = [
        (unless(holds.has(Part::Title) || tree.title.is_empty(), 1), "the title"),
        (usize::from(tree.mode != holds.mode), "the mode of the tree"),
        (unless(holds.has(Part::System), usize::from(tree.system_context.is_some())), "the system context"),
        (usize::from(tree.preferences != Default::default() || tree.buffer_mode_system_context), "the preferences"),
        (unless(holds.has(Part::Authors), count(&named)), "who wrote a text: models' nodes"),
        (
            unless(
                !holds.has(Part::Authors) || holds.has(Part::Models),
                agents().filter(|agent| agent.model.is_some()).count(),
            ),
            "names of models",
        ),
        (agents().filter(|agent| agent.kind == AuthorType::Human && !plain(agent)).count(), "names of people"),
        (agents().filter(|agent| agent.system_prompt.is_some()).count(), "system prompts of agents"),
        (unless(holds.has(Part::Calls), count(&told)), "that tools were called: nodes"),
        (count(&image), "pictures, for which a placeholder stands: nodes"),
        (unless(holds.has(Part::Bookmarks), count(&|node| node.bookmark.is_some())), "bookmarks"),
        (unless(!holds.has(Part::Bookmarks) || holds.has(Part::Labels), count(&labelled)), "labels of bookmarks"),
        (count(&|node| node.edited_from.is_some()), "what was edited from what: nodes"),
        (unless(holds.clock > 0, kept().count()), "times of nodes"),
        (
            if holds.clock > 1 { count(&|node| node.created % holds.clock != 0) } else { 0 },
            "times below a second: nodes",
        ),
        (bundle.paths.len().saturating_sub(1), "further paths"),
        (bundle.pins.len(), "pins"),
        (bundle.stashes.len(), "stashes"),
        (bundle.actions.len(), "actions"),
        (bundle.responses.len(), "responses of providers"),
    ];
    counts.iter().filter_map(|(count, what)| count_note(*count, what, holds)).collect()
}

/// The agents that importers make of roles.
fn plain(agent: &LoomAgent) -> bool {
    matches!(&*agent.name, "human" | "tool" | "system")
}

pub(super) fn count_note(count: usize, what: &str, holds: &Holds) -> Option<Note> {
    let text = match count {
        0 => return None,
        // There is one of these at most.
        _ if what.starts_with("the ") => format!("{} cannot hold {what}", holds.format),
        _ => format!("{} cannot hold {what}: {count}", holds.format),
    };
    Some(Note::new(Topic::Reduced, text))
}
