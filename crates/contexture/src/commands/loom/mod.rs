//! `loom`: trees of conversations. Each verb is one operation, and something printed.

mod context;
mod files;
mod picture;

use crate::args::{CutArgs, LoomArgs, LoomVerb, TreeArgs, WhoArgs};
use crate::failure::{Failure, Kind};
use crate::ui::{Ui, counted, path};
use contexture_core::{AuthorType, LoomTree, Permissions, Preferences, Text, TreeMode, Truncation};
use contexture_gather::loom::{AgentChange, Found, TreeChange};
use contexture_server::ops::loom::{self as ops, Missing, Trees, WhichTree, Writing};
use contexture_server::ops::{Door, OpError};
use contexture_server::wire;
use std::io::Read;
use std::path::Path;

pub fn run(mut door: Door, args: LoomArgs, ui: &Ui) -> Result<(), Failure> {
    let which = WhichTree { store: args.store, tree: args.tree };
    if let LoomVerb::Import { file, .. } = &args.verb
        && file == Path::new("-")
    {
        door.input = Some(stdin()?);
    }
    if let LoomVerb::Verify { repair } = args.verb {
        return files::verify(&door, &which, repair, ui);
    }
    let missing = match args.verb {
        LoomVerb::New { .. } | LoomVerb::Import { .. } | LoomVerb::Agent { .. } => Missing::Make,
        _ => Missing::Refuse,
    };
    let mut trees = ops::trees(&door, &which, missing)?;
    match args.verb {
        LoomVerb::New { title, mode, settings } => {
            let mode = TreeMode::parse(&mode).unwrap_or_default();
            let system = settings.system.as_deref().map(text).transpose()?;
            let before = settings.buffer_system.unwrap_or(false);
            let tree =
                trees.make(ops::new_tree(&title, mode, system.as_deref(), before, preferences(&settings.cut)))?;
            tell_tree(&tree, &format!("made `{}`, a {}", path(&tree.title), tree.mode), ui)
        }
        LoomVerb::List => list(&mut trees, ui),
        LoomVerb::Set { in_use, title, settings, unset } => {
            let change = change(title, &settings, &unset)?;
            let is_asked = in_use || !ops::is_nothing(&change);
            let tree = if is_asked { trees.set(change, in_use)? } else { trees.tree()? };
            tell_tree(&tree, &settings_line(&tree), ui)
        }
        LoomVerb::Agent { name, kind, system, model, allow } => agent(&mut trees, name, kind, system, model, allow, ui),
        LoomVerb::Add { text: said, parent, who, context, instruction, image, stay } => {
            let writing = Writing {
                text: text(&said)?,
                images: image,
                parents: parent,
                contexts: context,
                instructions: instruction,
                stay,
                ..writing(&who)
            };
            if writing.text.is_empty() && writing.images.is_empty() {
                return Err(Failure::new(Kind::Usage, "the text is empty").hint("`contexture loom add TEXT`"));
            }
            let found = trees.add(&writing)?;
            tell(&found, "added", ui)
        }
        LoomVerb::Edit { node, text: said, who } => {
            let found = trees.edit(&node, &Writing { text: nonempty(&said)?, ..writing(&who) })?;
            tell(&found, &format!("edited {node}:"), ui)
        }
        LoomVerb::Annotate { node, text: said, who } => {
            let found = trees.annotate(&node, &Writing { text: nonempty(&said)?, ..writing(&who) })?;
            tell(&found, &format!("annotated {node}:"), ui)
        }
        LoomVerb::Fork { node, name } => {
            let (found, made) = trees.fork(&node, name.as_deref())?;
            if ui.json {
                return Ok(ui.print_json(&wire::loom::on_path(&found, &made))?);
            }
            ui.say(&format!(
                "path `{}` ends at {} in `{}`",
                path(&made.name),
                found.node.local,
                path(&found.tree.title)
            ));
            Ok(())
        }
        LoomVerb::Path { list: true, .. } => paths(&mut trees, ui),
        LoomVerb::Path { node, name, choose, in_use, list: false } => walk(&mut trees, node, name, &choose, in_use, ui),
        LoomVerb::Show { node: Some(node), .. } => {
            let shown = trees.show(&node)?;
            if ui.json {
                return Ok(ui.print_json(&wire::loom::shown(&shown))?);
            }
            Ok(ui.print(&picture::node(&shown))?)
        }
        LoomVerb::Show { node: None, all, tokenizer } => {
            let drawing = trees.drawing(all, tokenizer.as_deref())?;
            if ui.json {
                return Ok(ui.print_json(&wire::loom::drawing(&drawing))?);
            }
            Ok(ui.print(&picture::tree(&drawing))?)
        }
        LoomVerb::Exclude { node, undo } => {
            let done = if undo { "taken in again" } else { "left out of every context" };
            let words = trees.ids(&node)?;
            each(&words, done, ui, |word| trees.exclude(word, !undo))
        }
        LoomVerb::Pin { node, undo } => {
            let words = trees.ids(&node)?;
            each(&words, if undo { "no longer pinned" } else { "pinned" }, ui, |word| trees.pin(word, !undo))
        }
        LoomVerb::Bookmark { node, label, undo } => {
            let done = if undo { "no longer bookmarked" } else { "bookmarked" };
            each(&[node], done, ui, |word| trees.bookmark(word, (!undo).then(|| label.clone())))
        }
        LoomVerb::Prune { node } => {
            let words = trees.ids(&node)?;
            many(&words, "pruned", ui, |word| trees.prune(word))
        }
        LoomVerb::Restore { node } => {
            let words = trees.ids(&node)?;
            many(&words, "restored", ui, |word| trees.restore(word))
        }
        LoomVerb::Stash { label, text: said, recall, put_away, drop } => {
            stash(&mut trees, label, said, (recall, put_away, drop), ui)
        }
        LoomVerb::Assemble(args) => context::assemble(&door, &mut trees, &args, ui),
        LoomVerb::Generate(args) => context::generate(&mut trees, *args, ui),
        LoomVerb::Export { format, output } => files::export(&door, &mut trees, &format, output, ui),
        LoomVerb::Import { file, copy, conversation } => {
            let imported = trees.import(&file, copy, conversation.as_deref())?;
            if ui.json {
                return Ok(ui.print_json(&wire::loom::imported(&imported))?);
            }
            ui.notes(&imported.notes);
            for one in &imported.trees {
                let nodes = counted(one.nodes as u64, "node");
                ui.say(&format!(
                    "imported `{}` [{}]: {nodes} ({})",
                    path(&one.tree.title),
                    one.tree.local,
                    imported.format
                ));
            }
            let skipped: Vec<String> = imported.skipped.iter().map(|(what, many)| format!("{what} ({many})")).collect();
            if !skipped.is_empty() {
                ui.say(&format!("not part of it: {}", skipped.join(", ")));
            }
            Ok(())
        }
        LoomVerb::Verify { .. } => Ok(()),
    }
}

fn list(trees: &mut Trees<'_>, ui: &Ui) -> Result<(), Failure> {
    let all = trees.list()?;
    if ui.json {
        return Ok(ui.print_json(&wire::loom::trees(&all))?);
    }
    if all.is_empty() {
        ui.say("there is no tree yet; `contexture loom new TITLE` makes one");
    }
    let line = |info: &contexture_gather::loom::TreeInfo| {
        let mark = if info.is_current { "*" } else { " " };
        let nodes = counted(info.nodes, "node");
        format!("{mark} {}  {}  ({}, {nodes})\n", info.tree.local, path(&info.tree.title), info.tree.mode)
    };
    Ok(ui.print(&all.iter().map(line).collect::<String>())?)
}

fn agent(
    trees: &mut Trees<'_>,
    name: Option<String>,
    kind: Option<String>,
    system: Option<String>,
    model: Option<String>,
    allow: Option<String>,
    ui: &Ui,
) -> Result<(), Failure> {
    let Some(name) = name else {
        let all = trees.agents()?;
        if ui.json {
            return Ok(ui.print_json(&wire::loom::agents(&all))?);
        }
        return Ok(ui.print(&all.iter().map(picture::agent).collect::<String>())?);
    };
    if kind.is_none() && system.is_none() && model.is_none() && allow.is_none() {
        let agent = trees.agent(&name)?;
        if ui.json {
            return Ok(ui.print_json(&wire::loom::one_agent(&agent))?);
        }
        return Ok(ui.print(&picture::agent(&agent))?);
    }
    let unset = |text: String| (!text.is_empty()).then_some(text);
    let change = AgentChange {
        name,
        kind: kind.as_deref().and_then(AuthorType::parse),
        system_prompt: system.as_deref().map(text).transpose()?.map(|said| unset(said).map(Text::from)),
        model: model.map(unset),
        permissions: allow.as_deref().map(permissions).transpose()?,
    };
    let agent = trees.set_agent(change)?;
    if ui.json {
        return Ok(ui.print_json(&wire::loom::one_agent(&agent))?);
    }
    ui.say(&format!("agent `{}` is a {}", path(&agent.name), agent.kind));
    Ok(())
}

fn permissions(list: &str) -> Result<Permissions, OpError> {
    let words: Vec<&str> = list.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
    ops::permissions(&words)
}

fn paths(trees: &mut Trees<'_>, ui: &Ui) -> Result<(), Failure> {
    let (tree, all, used) = trees.paths()?;
    if ui.json {
        return Ok(ui.print_json(&wire::loom::paths(&tree, &all, &used))?);
    }
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

fn walk(
    trees: &mut Trees<'_>,
    node: Option<String>,
    name: Option<String>,
    choose: &[String],
    in_use: bool,
    ui: &Ui,
) -> Result<(), Failure> {
    let (tree, walked) = trees.walk_to(node.as_deref(), name.as_deref(), choose, in_use)?;
    if ui.json {
        return Ok(ui.print_json(&wire::loom::walked(&tree, &walked))?);
    }
    if node.is_some() || !choose.is_empty() || in_use {
        ui.say(&format!("the path has {} in `{}`", counted(walked.steps.len() as u64, "node"), path(&tree.title)));
        return Ok(());
    }
    Ok(ui.print(&picture::path(&walked))?)
}

fn stash(
    trees: &mut Trees<'_>,
    label: Option<String>,
    said: Option<String>,
    (recall, put_away, drop): (bool, bool, bool),
    ui: &Ui,
) -> Result<(), Failure> {
    let Some(label) = label else {
        let memory = trees.memory()?;
        if ui.json {
            return Ok(ui.print_json(&wire::loom::memory(&memory))?);
        }
        return Ok(ui.print(&picture::memory(&memory))?);
    };
    if drop {
        trees.drop_stash(&label)?;
        if ui.json {
            return Ok(ui.print_json(&wire::loom::dropped(&label))?);
        }
        ui.say(&format!("dropped `{}`", path(&label)));
        return Ok(());
    }
    let stash = match said {
        Some(said) => {
            let stash = trees.stash(&label, &text(&said)?)?;
            if recall { trees.recall(&label, true)? } else { stash }
        }
        None if recall || put_away => trees.recall(&label, recall)?,
        None => {
            let failure = Failure::new(Kind::Usage, "nothing to put away");
            return Err(failure.hint("`contexture loom stash LABEL TEXT`, or `--recall`, `--put-away`, `--drop`"));
        }
    };
    if ui.json {
        return Ok(ui.print_json(&wire::loom::one_stash(&stash))?);
    }
    ui.say(&format!("`{}` is {}", path(&stash.label), if stash.recalled { "recalled" } else { "put away" }));
    Ok(())
}

fn writing(who: &WhoArgs) -> Writing {
    Writing { kind: who.kind.as_deref().and_then(AuthorType::parse), author: who.author.clone(), ..Writing::default() }
}

fn preferences(cut: &CutArgs) -> Preferences {
    Preferences {
        truncation: cut.strategy.as_deref().and_then(Truncation::parse),
        minimum_recent_nodes: cut.minimum_recent_nodes,
        token_buffer: cut.token_buffer,
    }
}

fn change(title: Option<String>, settings: &TreeArgs, unset: &[String]) -> Result<TreeChange, Failure> {
    let own = preferences(&settings.cut);
    let is_unset = |key: &str| unset.iter().any(|word| word == key);
    let system = settings.system.as_deref().map(text).transpose()?;
    Ok(TreeChange {
        title,
        system_context: system.map(|said| (!said.is_empty()).then(|| Text::from(said))),
        buffer_mode_system_context: settings.buffer_system,
        truncation: own.truncation.map(Some).or(is_unset("strategy").then_some(None)),
        minimum_recent_nodes: own.minimum_recent_nodes.map(Some).or(is_unset("minimum-recent-nodes").then_some(None)),
        token_buffer: own.token_buffer.map(Some).or(is_unset("token-buffer").then_some(None)),
    })
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

fn tell_tree(tree: &LoomTree, line: &str, ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        return Ok(ui.print_json(&wire::loom::one_tree(tree))?);
    }
    ui.print(&format!("{}\n", tree.local))?;
    ui.say(line);
    Ok(())
}

/// The short id on standard output, for other programs; the rest for people.
fn tell(found: &Found, what: &str, ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        return Ok(ui.print_json(&wire::loom::found(found))?);
    }
    ui.print(&format!("{}\n", found.node.local))?;
    ui.say(&format!("{what} {} in `{}`", found.node.local, path(&found.tree.title)));
    Ok(())
}

fn each(
    words: &[String],
    done: &str,
    ui: &Ui,
    mut act: impl FnMut(&str) -> Result<Found, OpError>,
) -> Result<(), Failure> {
    let mut all = Vec::new();
    for word in words {
        let found = act(word)?;
        ui.say(&format!("{} is {done}", found.node.local));
        all.push((found, None));
    }
    if ui.json {
        ui.print_json(&wire::loom::acted(&all))?;
    }
    Ok(())
}

fn many(
    words: &[String],
    done: &str,
    ui: &Ui,
    mut act: impl FnMut(&str) -> Result<(Found, usize), OpError>,
) -> Result<(), Failure> {
    let mut all = Vec::new();
    for word in words {
        let (found, many) = act(word)?;
        ui.say(&format!(
            "{done} {} with {}: {}",
            found.node.local,
            counted(many as u64, "node"),
            path(&found.tree.title)
        ));
        all.push((found, Some(many)));
    }
    if ui.json {
        ui.print_json(&wire::loom::acted(&all))?;
    }
    Ok(())
}

/// A text from the command line, or all of standard input, to the byte.
fn text(word: &str) -> Result<String, Failure> {
    if word != "-" {
        return Ok(word.to_owned());
    }
    String::from_utf8(stdin()?).map_err(|_| {
        Failure::new(Kind::Usage, "standard input is not UTF-8").hint("convert it first, for example with iconv")
    })
}

fn nonempty(word: &str) -> Result<String, Failure> {
    let said = text(word)?;
    if said.is_empty() {
        return Err(
            Failure::new(Kind::Usage, "the text is empty").hint("`contexture loom prune NODE` puts a node away")
        );
    }
    Ok(said)
}

fn stdin() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}
