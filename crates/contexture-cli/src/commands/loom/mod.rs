//! `loom`: trees of conversations. Each verb is one operation, and something printed.

mod context;
mod files;
mod picture;

use super::{stdin, stdin_text};
use crate::args::{LoomArgs, LoomVerb, StashArgs};
use crate::failure::{ErrorKind, Failure};
use crate::ui::{Ui, counted, path};
use contexture::answers::{
    ChangedNodesAnswer, LoomAgentAnswer, LoomAgentsAnswer, NodeAnswer, NodeDetailsAnswer, OutlineAnswer, PathsAnswer,
    StashAnswer, StashDroppedAnswer, TreeAnswer, TreeMemoryAnswer, TreesAnswer, WalkedPathAnswer,
};
use contexture::ops::loom::{self as ops, Missing, Trees};
use contexture::ops::{Door, OpError};
use contexture::requests::{AgentSettings, LoomAgentRequest, StashRequest, WalkPathRequest};
use contexture_conversations::loom::{TreeInfo, TreeNode};
use contexture_core::{LoomTree, TreeMode};
use std::path::Path;

pub fn run(mut door: Door, args: LoomArgs, ui: &Ui) -> Result<(), Failure> {
    let LoomArgs { which, mut verb } = args;
    read_input(&mut door, &mut verb)?;
    if let LoomVerb::Verify(request) = verb {
        return files::verify(&door, &which, request.repair, ui);
    }
    let missing = match verb {
        LoomVerb::New(_) | LoomVerb::Import { .. } | LoomVerb::Agent { .. } => Missing::Make,
        _ => Missing::Refuse,
    };
    let mut trees = ops::trees(&door, &which, missing)?;
    match verb {
        LoomVerb::New(request) => {
            let tree = trees.make(&request)?;
            print_tree(&tree, &format!("made `{}`, a {}", path(&tree.title), tree.mode), ui)
        }
        LoomVerb::List => list(&mut trees, ui),
        LoomVerb::Set(request) => {
            let tree = trees.set(&request)?;
            print_tree(&tree, &settings_line(&tree), ui)
        }
        LoomVerb::Agent { name, settings } => agent(&mut trees, name, settings, ui),
        LoomVerb::Add(request) => print_node(&trees.add(&request)?, "added", ui),
        LoomVerb::Edit(request) => print_node(&trees.edit(&request)?, &format!("edited {}:", request.node), ui),
        LoomVerb::Annotate(request) => {
            print_node(&trees.annotate(&request)?, &format!("annotated {}:", request.node), ui)
        }
        LoomVerb::Fork(request) => {
            let forked = trees.fork(&request.node, request.name.as_deref())?;
            if ui.json {
                return Ok(ui.print_answer(NodeAnswer::from(&forked))?);
            }
            let (found, made) = forked;
            let (name, title) = (path(&made.name), path(&found.tree.title));
            ui.say(&format!("path `{name}` ends at {} in `{title}`", found.node.local));
            Ok(())
        }
        LoomVerb::Path { list: true, .. } => paths(&mut trees, ui),
        LoomVerb::Path { walk: request, list: false } => walk(&mut trees, &request, ui),
        LoomVerb::Show { node: Some(node), .. } => {
            let shown = trees.show(&node)?;
            Ok(ui.show(|| NodeDetailsAnswer::from(&shown), || picture::node(&shown))?)
        }
        LoomVerb::Show { node: None, outline } => {
            let outline = trees.outline(&outline)?;
            Ok(ui.show(|| OutlineAnswer::from(&outline), || picture::tree(&outline))?)
        }
        LoomVerb::Exclude(args) => {
            let done = if args.undo { "taken in again" } else { "left out of every context" };
            let words = trees.ids(&args.nodes.nodes)?;
            for_each_node(&words, done, ui, |word| trees.exclude(word, !args.undo))
        }
        LoomVerb::Pin(args) => {
            let words = trees.ids(&args.nodes.nodes)?;
            for_each_node(&words, if args.undo { "no longer pinned" } else { "pinned" }, ui, |word| {
                trees.pin(word, !args.undo)
            })
        }
        LoomVerb::Bookmark(request) => {
            let done = if request.undo { "no longer bookmarked" } else { "bookmarked" };
            for_each_node(std::slice::from_ref(&request.node), done, ui, |_| trees.bookmark(&request))
        }
        LoomVerb::Prune(args) => {
            let words = trees.ids(&args.nodes)?;
            for_each_subtree(&words, "pruned", ui, |word| trees.prune(word))
        }
        LoomVerb::Restore(args) => {
            let words = trees.ids(&args.nodes)?;
            for_each_subtree(&words, "restored", ui, |word| trees.restore(word))
        }
        LoomVerb::Stash(args) => stash(&mut trees, args, ui),
        LoomVerb::Assemble(args) => context::assemble(&door, &mut trees, *args, ui),
        LoomVerb::Generate(args) => context::generate(&mut trees, *args, ui),
        LoomVerb::Export { export, output } => files::export(&door, &mut trees, &export, output, ui),
        LoomVerb::Import { file, options } => files::imported(&trees.import(&file, &options)?, ui),
        LoomVerb::Verify(_) => Ok(()),
    }
}

/// Reads standard input where the command line says `-`.
fn read_input(door: &mut Door, verb: &mut LoomVerb) -> Result<(), Failure> {
    match verb {
        LoomVerb::New(request) => input(request.settings.system.as_mut()),
        LoomVerb::Set(request) => input(request.settings.system.as_mut()),
        LoomVerb::Agent { settings, .. } => input(settings.system.as_mut()),
        LoomVerb::Add(request) => input(Some(&mut request.text)),
        LoomVerb::Edit(request) | LoomVerb::Annotate(request) => input(Some(&mut request.text)),
        LoomVerb::Stash(args) => input(args.text.as_mut()),
        LoomVerb::Assemble(args) => input(args.request.path.working.as_mut()),
        LoomVerb::Generate(args) => input(args.request.path.working.as_mut()),
        LoomVerb::Import { file, .. } if *file == Path::new("-") => {
            door.input = Some(stdin()?);
            Ok(())
        }
        _ => Ok(()),
    }
}

fn list(trees: &mut Trees<'_>, ui: &Ui) -> Result<(), Failure> {
    let all = trees.list()?;
    if all.is_empty() && !ui.json {
        ui.say("there is no tree yet; `contexture loom new TITLE` makes one");
    }
    let line = |info: &TreeInfo| {
        let mark = if info.is_current { "*" } else { " " };
        let nodes = counted(info.nodes, "node");
        format!("{mark} {}  {}  ({}, {nodes})\n", info.tree.local, path(&info.tree.title), info.tree.mode)
    };
    Ok(ui.show(|| TreesAnswer::from(&*all), || all.iter().map(line).collect())?)
}

fn agent(trees: &mut Trees<'_>, name: Option<String>, settings: AgentSettings, ui: &Ui) -> Result<(), Failure> {
    let Some(name) = name else {
        let all = trees.agents()?;
        return Ok(ui.show(|| LoomAgentsAnswer::from(&*all), || all.iter().map(picture::agent).collect())?);
    };
    let is_shown = settings.is_empty();
    let agent = trees.agent(&LoomAgentRequest { name, settings })?;
    if is_shown || ui.json {
        return Ok(ui.show(|| LoomAgentAnswer::from(&agent), || picture::agent(&agent))?);
    }
    ui.say(&format!("agent `{}` is a {}", path(&agent.name), agent.kind));
    Ok(())
}

fn paths(trees: &mut Trees<'_>, ui: &Ui) -> Result<(), Failure> {
    let found = trees.paths()?;
    if ui.json {
        return Ok(ui.print_answer(PathsAnswer::from(&found))?);
    }
    let (_, all, used) = found;
    let mut out = String::new();
    for one in &all {
        let mark = if one.id == used.id { "*" } else { " " };
        let end = match &one.active {
            Some(active) => trees.find(active)?.node.local,
            None => "nothing is said yet".into(),
        };
        out.push_str(&format!("{mark} {}  ends at {end}\n", path(&one.name)));
    }
    Ok(ui.print(&out)?)
}

fn walk(trees: &mut Trees<'_>, request: &WalkPathRequest, ui: &Ui) -> Result<(), Failure> {
    let found = trees.walk_to(request)?;
    let (tree, walked) = &found;
    let is_changed = request.node.is_some() || !request.choose.is_empty() || request.in_use;
    if is_changed && !ui.json {
        ui.say(&format!("the path has {} in `{}`", counted(walked.steps.len() as u64, "node"), path(&tree.title)));
        return Ok(());
    }
    Ok(ui.show(|| WalkedPathAnswer::from(&found), || picture::path(walked))?)
}

fn stash(trees: &mut Trees<'_>, args: StashArgs, ui: &Ui) -> Result<(), Failure> {
    let StashArgs { label, text, recall, put_away, drop } = args;
    let Some(label) = label else {
        let memory = trees.memory()?;
        return Ok(ui.show(|| TreeMemoryAnswer::from(&memory), || picture::memory(&memory))?);
    };
    if drop {
        trees.drop_stash(&label)?;
        if ui.json {
            return Ok(ui.print_answer(StashDroppedAnswer { dropped: label })?);
        }
        ui.say(&format!("dropped `{}`", path(&label)));
        return Ok(());
    }
    let stash = match text {
        Some(text) => trees.stash(&StashRequest { label, text, recall })?,
        None if recall || put_away => trees.recall(&label, recall)?,
        None => {
            let failure = Failure::new(ErrorKind::Usage, "nothing to put away");
            return Err(failure.hint("`contexture loom stash LABEL TEXT`, or `--recall`, `--put-away`, `--drop`"));
        }
    };
    if ui.json {
        return Ok(ui.print_answer(StashAnswer::from(&stash))?);
    }
    ui.say(&format!("`{}` is {}", path(&stash.label), if stash.recalled { "recalled" } else { "put away" }));
    Ok(())
}

fn settings_line(tree: &LoomTree) -> String {
    let own = &tree.preferences;
    let set: Vec<String> = [
        own.truncation.map(|strategy| format!("strategy {strategy}")),
        own.minimum_recent_nodes.map(|many| format!("minimum recent nodes {many}")),
        own.token_buffer.map(|many| format!("token buffer {many}")),
        tree.system_context.as_ref().map(|text| format!("system context of {} bytes", text.len())),
        (tree.mode == TreeMode::Buffer)
            .then(|| format!("system before the buffer: {}", tree.buffer_mode_system_context)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let set = if set.is_empty() { "nothing set".to_owned() } else { set.join(", ") };
    format!("`{}` [{}], a {}: {set}", path(&tree.title), tree.local, tree.mode)
}

fn print_tree(tree: &LoomTree, line: &str, ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        return Ok(ui.print_answer(TreeAnswer::from(tree))?);
    }
    ui.print(&format!("{}\n", tree.local))?;
    ui.say(line);
    Ok(())
}

/// The short id on standard output, for other programs; the rest for people.
fn print_node(found: &TreeNode, what: &str, ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        return Ok(ui.print_answer(NodeAnswer::from(found))?);
    }
    ui.print(&format!("{}\n", found.node.local))?;
    ui.say(&format!("{what} {} in `{}`", found.node.local, path(&found.tree.title)));
    Ok(())
}

fn for_each_node(
    words: &[String],
    done: &str,
    ui: &Ui,
    mut act: impl FnMut(&str) -> Result<TreeNode, OpError>,
) -> Result<(), Failure> {
    let describe = |found: &TreeNode, _| format!("{} is {done}", found.node.local);
    change(words, ui, describe, |word| Ok((act(word)?, None)))
}

fn for_each_subtree(
    words: &[String],
    done: &str,
    ui: &Ui,
    mut act: impl FnMut(&str) -> Result<(TreeNode, usize), OpError>,
) -> Result<(), Failure> {
    let describe = |found: &TreeNode, count: Option<usize>| {
        let nodes = counted(count.unwrap_or_default() as u64, "node");
        format!("{done} {} with {nodes}: {}", found.node.local, path(&found.tree.title))
    };
    change(words, ui, describe, |word| act(word).map(|(found, count)| (found, Some(count))))
}

/// Changes nodes one after the other, and prints each and all of them.
fn change(
    words: &[String],
    ui: &Ui,
    describe: impl Fn(&TreeNode, Option<usize>) -> String,
    mut act: impl FnMut(&str) -> Result<(TreeNode, Option<usize>), OpError>,
) -> Result<(), Failure> {
    let mut all = Vec::new();
    for word in words {
        let (found, count) = act(word)?;
        ui.say(&describe(&found, count));
        all.push((found, count));
    }
    if ui.json {
        ui.print_answer(ChangedNodesAnswer::from(&*all))?;
    }
    Ok(())
}

/// Standard input in place of `-`.
fn input(text: Option<&mut String>) -> Result<(), Failure> {
    if let Some(text) = text.filter(|text| *text == "-") {
        *text = stdin_text()?;
    }
    Ok(())
}
