//! Trees, paths and nodes for people: one line for each node, its column the branch it is on.

use crate::ui::{count, counted, path as printed};
use contexture::ops::loom::{NodeDetails, Outline, OutlineLine, OutlineNode};
use contexture_conversations::loom::{Connections, Neighbour, PathStep, StepRole, TreeMemory, WalkedPath};
use contexture_core::render::visible;
use contexture_core::shape::loom::time;
use contexture_core::{Call, EdgeType, LoomAgent, LoomNode, SourceRole};
use owo_colors::OwoColorize;

/// What fits beside ids, names and figures on a common terminal.
const WIDTH: usize = 56;

pub fn tree(drawing: &Outline) -> String {
    let about = match (&drawing.path_tokens, &drawing.path_trouble) {
        (Some(tokens), _) => {
            let how = if drawing.exact { "" } else { "about " };
            format!("{how}{} of text on path `{}`", counted(*tokens, "token"), printed(&drawing.path.name))
        }
        (None, trouble) => trouble.clone().unwrap_or_default(),
    };
    let mut out = format!(
        "{} [{}] · {} · {} · {} · {about}\n",
        printed(&drawing.tree.title).bold(),
        drawing.tree.local,
        drawing.tree.mode,
        counted(drawing.nodes as u64, "node"),
        if drawing.branches == 1 {
            "1 branch".to_owned()
        } else {
            format!("{} branches", count(drawing.branches as u64))
        },
    );
    for line in &drawing.lines {
        match line {
            OutlineLine::Gap(many) => {
                out.push_str(&format!("{}\n", format!("⋮ {}", counted(*many as u64, "node")).dimmed()))
            }
            OutlineLine::Node(shown) => out.push_str(&node_line(shown)),
        }
    }
    if drawing.nodes == 0 {
        out.push_str("nothing is said yet; `contexture loom add TEXT` begins\n");
    }
    out
}

fn node_line(shown: &OutlineNode) -> String {
    let node = &shown.node;
    let bars = "│ ".repeat(shown.place.depth.saturating_sub(1).min(20));
    let branch = match (shown.place.depth, shown.place.is_head) {
        (0, _) => "",
        (_, true) => "├─",
        (_, false) => "│ ",
    };
    let dot = match (shown.row.is_annotation, shown.place.is_on_path) {
        (true, _) => "✎",
        (false, true) => "●",
        (false, false) => "○",
    };
    let text = first_line(node, WIDTH.saturating_sub(2 * shown.place.depth.min(20)));
    let text = match (node.pruned.is_some(), node.excluded) {
        (true, _) => format!("{}", text.dimmed().strikethrough()),
        (false, true) => format!("{}", text.strikethrough()),
        (false, false) => text,
    };
    let mut marks = Vec::new();
    marks.extend(node.excluded.then(|| "excluded".to_owned()));
    marks.extend(node.pruned.is_some().then(|| "pruned".to_owned()));
    marks.extend(node.edited_from.is_some().then(|| "edited".to_owned()));
    marks.extend(node.bookmark.as_ref().map(|label| match label.as_str() {
        "" => "★".to_owned(),
        label => format!("★ {}", printed(label)),
    }));
    marks.extend(shown.is_pinned.then(|| "pinned".to_owned()));
    marks.extend(shown.row.is_joined.then(|| "several sources".to_owned()));
    marks.extend((shown.place.continuations > 1).then(|| format!("{} branches", shown.place.continuations)));
    marks.extend(shown.is_active.then(|| "◀".to_owned()));
    let marks = if marks.is_empty() { String::new() } else { format!("  {}", marks.join(" · ").yellow()) };
    let tokens = format!("{} t", count(shown.tokens));
    format!(
        "{bars}{branch}{dot} {} {}  {text}  {}{marks}\n",
        node.local.cyan(),
        printed(&shown.author),
        tokens.dimmed()
    )
}

fn first_line(node: &LoomNode, width: usize) -> String {
    let text = node.message.text();
    let called: Vec<String> = node.message.calls.iter().map(|call| format!("→ {}", call.name)).collect();
    let words: Vec<&str> = text.split_whitespace().chain(called.iter().map(String::as_str)).take(width).collect();
    let line = words.join(" ");
    match line.char_indices().nth(width) {
        Some((end, _)) => format!("{}…", visible(&line[..end])),
        None => visible(&line).into_owned(),
    }
}

pub fn path(walked: &WalkedPath) -> String {
    let step = |step: &PathStep| {
        let role = match step.role {
            StepRole::Primary => String::new(),
            other => format!("({other}) "),
        };
        let text = first_line(&step.node, WIDTH);
        format!("{} {}  {role}{text}\n", step.node.local.cyan(), step.node.author_type)
    };
    let mut out: String = walked.steps.iter().map(step).collect();
    for node in &walked.instructions {
        out.push_str(&format!("{} (instruction) {}\n", node.local.cyan(), first_line(node, WIDTH)));
    }
    for (local, why) in &walked.hidden {
        out.push_str(&format!("{}\n", format!("{local} is not shown: {why}").dimmed()));
    }
    out
}

pub fn node(shown: &NodeDetails) -> String {
    let NodeDetails { tree, node, author, connections, neighbours, responses } = shown;
    let Connections { continuations, annotations, versions, .. } = connections;
    let mut out = format!(
        "{} in `{}` [{}]\n{} ({}) · {} UTC · {}\n",
        node.local.cyan(),
        printed(&tree.title),
        tree.local,
        printed(author),
        node.author_type,
        time(node.created),
        node.id.dimmed(),
    );
    let mut about = vec![
        counted((*continuations).into(), "continuation"),
        counted((*annotations).into(), "annotation"),
        counted((*versions).into(), "version"),
    ];
    about.extend(node.excluded.then(|| "excluded".to_owned()));
    about.extend(node.pruned.as_ref().map(|with| format!("pruned with {}", printed(with))));
    about.extend(node.bookmark.as_ref().map(|label| format!("★ {}", printed(label))));
    about.extend(node.edited_from.as_ref().map(|from| format!("edited from {}", printed(from))));
    out.push_str(&format!("{}\n", about.join(" · ")));
    for (what, list) in [("from", &neighbours.sources), ("to", &neighbours.targets)] {
        let words: Vec<String> = list.iter().map(neighbour).collect();
        if !words.is_empty() {
            out.push_str(&format!("{what} {}\n", words.join(", ")));
        }
    }
    let versions: Vec<&str> = neighbours.versions.iter().map(|(_, local)| local.as_str()).collect();
    if !versions.is_empty() {
        out.push_str(&format!("other versions {}\n", versions.join(", ")));
    }
    for response in responses {
        let tokens = |tokens: Option<u64>| tokens.map_or("?".into(), count);
        out.push_str(&format!(
            "answer of {} ({}): {} tokens in, {} out, {} ms\n",
            printed(&response.model),
            printed(&response.provider),
            tokens(response.input_tokens),
            tokens(response.output_tokens),
            response.latency_ms,
        ));
    }
    out.push('\n');
    out.push_str(&clean(&node.message.text()));
    out.push_str(&calls(node));
    out.push('\n');
    out
}

/// `a7x2`, and how it is connected where that is not by continuing it.
fn neighbour(neighbour: &Neighbour) -> String {
    match (neighbour.kind, neighbour.role) {
        (EdgeType::Continuation, SourceRole::Primary) => neighbour.local.clone(),
        (EdgeType::Continuation, role) => format!("{} ({role})", neighbour.local),
        (EdgeType::Annotation, _) => format!("{} (annotation)", neighbour.local),
    }
}

/// An answer below its short id.
pub fn node_text(node: &LoomNode) -> String {
    format!("{}\n{}{}\n", node.local.cyan(), clean(&node.message.text()), calls(node))
}

/// A line for each tool that a node calls.
fn calls(node: &LoomNode) -> String {
    let call = |call: &Call| format!("\ncalls {} {}", printed(&call.name), visible(&call.arguments));
    node.message.calls.iter().map(call).collect()
}

pub fn memory(memory: &TreeMemory) -> String {
    let mut out = String::new();
    for node in &memory.pins {
        out.push_str(&format!("pinned {}  {}\n", node.local.cyan(), first_line(node, WIDTH)));
    }
    for stash in &memory.stashes {
        let state = if stash.recalled { "recalled" } else { "put away" };
        out.push_str(&format!("stash `{}`  {} bytes, {state}\n", printed(&stash.label), stash.text.len()));
    }
    out
}

pub fn agent(agent: &LoomAgent) -> String {
    let mut about = vec![agent.kind.to_string()];
    about.extend(agent.model.as_deref().map(printed));
    about.extend(agent.system_prompt.as_ref().map(|text| format!("system prompt of {} bytes", text.len())));
    about.extend(agent.permissions.granted().into_iter().map(str::to_owned));
    format!("{}  ({})\n", printed(&agent.name), about.join(", "))
}

/// A text for a terminal: what could move the cursor or change colours is shown, not done.
fn clean(text: &str) -> String {
    text.split('\n').map(|line| visible(line.trim_end_matches('\r'))).collect::<Vec<_>>().join("\n")
}
