//! A path through a tree as a context: walked, compiled, and told what was cut.

use super::Trees;
use crate::ops::OpError;
use crate::ops::budget::{ConversationLimit, LimitRequest, conversation_limit};
use crate::ops::driver::{Driver, Timings};
use crate::ops::safety;
use crate::requests::{AssembleRequest, PathOptions, Word};
use contexture_conversations::loom::{Around, HiddenReason, PathQuery, TreeNode, WalkedPath, snapshot};
use contexture_core::models::WindowShares;
use contexture_core::render::printable;
use contexture_core::safety::{Report, Safety, Screened, TextKind};
use contexture_core::shape::loom::{Label, Pin, Position, addendum, loom_context, operational_memory};
use contexture_core::{
    Api, Compiled, Counter, Format, LoomAgent, LoomOptions, LoomTree, Message, Note, Options, PathChoice, Permissions,
    RequestOptions, Text, Tokenizer, Tokens, Topic, TreeMode, Why,
};
use std::time::Instant;

/// A path as a context, and how it was cut.
pub struct AssembledPath {
    pub tree: LoomTree,
    /// The id of the node where the path ends.
    pub leaf: String,
    pub agent: Option<LoomAgent>,
    pub compiled: Compiled,
    pub snapshot: Screened,
    pub tokenizer: &'static str,
    pub exact: bool,
    pub limit: Option<(u64, String)>,
    /// How a model's window was divided, where one is the limit.
    pub room: Option<WindowShares>,
    pub format: Format,
    pub timings: Timings,
}

/// How many nodes of the path the position names.
const POSITION: usize = 5;

impl Trees<'_> {
    /// Compiles the path to a node into a context.
    pub fn assemble(&mut self, request: &AssembleRequest) -> Result<AssembledPath, OpError> {
        self.assemble_for(request, None)
    }

    /// The same for a model that is named in the request and need not be known: its window is no limit.
    pub(super) fn assemble_for(
        &mut self,
        request: &AssembleRequest,
        named_model: Option<&str>,
    ) -> Result<AssembledPath, OpError> {
        let begun = Instant::now();
        let AssembleRequest { path: request, format: asked, max_answer } = request;
        let asked = asked.map(|word| word.get().0);
        let agent = request.agent.as_deref().map(|name| self.loom.agent(name)).transpose()?;
        let permissions = agent.as_ref().map(|agent| agent.permissions);
        let is_aware = match permissions {
            Some(granted) if request.loom_aware && !granted.loom_aware => {
                let name = request.agent.as_deref().unwrap_or_default();
                return Err(OpError::usage(format!("`{name}` may not know of the tree"))
                    .hint(format!("`contexture loom agent {name} --allow loom_aware` lets it")));
            }
            Some(granted) => granted.loom_aware,
            None => request.loom_aware,
        };
        // Its vocabulary is loaded while the path is read.
        let named = request.tokenizer.map(Word::get);
        let likely = named.or_else(|| Tokenizer::parse(self.config.budget.tokenizer.as_deref()?));
        std::thread::spawn(move || likely.unwrap_or(Tokenizer::O200k).load());
        let (tree, walked) = self.walk(request)?;
        let format = format(asked, &tree)?;
        let budget = &self.config.budget;
        let (wanted, own) = (&request.truncation, &tree.preferences);
        let how = LoomOptions {
            mode: tree.mode,
            truncation: wanted.strategy.map(Word::get).or(own.truncation).unwrap_or(budget.truncation),
            minimum_recent: wanted
                .minimum_recent_nodes
                .or(own.minimum_recent_nodes)
                .unwrap_or(budget.minimum_recent_nodes)
                .try_into()
                .unwrap_or(usize::MAX),
        };
        let model = request.model.clone().or_else(|| model_of(agent.as_ref()?.model.as_deref()?));
        let ask = LimitRequest {
            max_tokens: request.max_tokens.map(u64::from),
            // An agent's model may be one of a private server: it names the request, and is no limit then.
            model: model
                .as_deref()
                .filter(|name| request.model.is_some() || contexture_core::models::find(name).is_some()),
            tokenizer: named.map(Tokenizer::as_str),
            format: asked,
            buffer: wanted.token_buffer.map(u64::from).or(own.token_buffer).unwrap_or(budget.token_buffer),
        };
        let ConversationLimit { tokenizer, room, limit } = conversation_limit(&ask, budget)?;
        let limit = limit.or_else(|| Some((budget.max_tokens?, "[budget] max_tokens".to_owned())));
        let mut notes = hidden_notes(&walked);
        let leaf = walked.leaf.clone();
        let around = self.surroundings(&tree, &walked, agent.as_ref(), is_aware, request, &mut notes)?;
        let options = Options {
            format,
            budget: limit.as_ref().map(|(limit, _)| Tokens(*limit)),
            loom: Some(how),
            request: RequestOptions {
                model: named_model.map(str::to_owned).or(model),
                max_answer: max_answer.or(room.as_ref().map(|room| room.answer)),
                ..RequestOptions::default()
            },
            ..Options::default()
        };
        let mut driver = Driver::for_messages(self.door, &self.roots, &self.config, tokenizer).since(begun);
        notes.extend(driver.memory.note.clone());
        let safety = safety::policy(&self.config, request.secrets.map(Word::get));
        notes.extend(self.config.notes.iter().cloned());
        let snapshot = snapshot(walked, around);
        driver.end("gather");
        let snapshot = driver.screen(snapshot, &safety)?;
        let tree = mask_tree(tree, &safety);
        let mut compiled = driver.compile(&snapshot, &options).map_err(OpError::over_limit)?;
        notes.extend(cut_note(&compiled));
        notes.extend(blank_note(&compiled));
        safety.notes(&mut notes);
        compiled.notes.extend(notes);
        let (tokenizer, exact) = (tokenizer.as_str(), tokenizer.exact());
        Ok(AssembledPath {
            tree,
            leaf,
            agent,
            compiled,
            snapshot,
            tokenizer,
            exact,
            limit,
            room,
            format,
            timings: driver.timings,
        })
    }

    /// The nodes of a path, hidden ones apart.
    pub fn walk(&mut self, request: &PathOptions) -> Result<(LoomTree, WalkedPath), OpError> {
        let (tree, leaf) = match &request.node {
            Some(word) => {
                let TreeNode { tree, node } = self.find(word)?;
                (tree, Some(node.id))
            }
            None => (self.tree()?, None),
        };
        let mut choices: Vec<PathChoice> = Vec::new();
        for word in &request.choose {
            let found = self.find(word)?;
            choices.extend(self.choices_through(&found)?);
        }
        let ask = PathQuery { leaf, path: request.path.clone(), choices, annotations: request.annotations };
        let walked = self.loom.walk(&tree.id, &ask)?;
        Ok((tree, walked))
    }

    fn surroundings(
        &mut self,
        tree: &LoomTree,
        walked: &WalkedPath,
        agent: Option<&LoomAgent>,
        is_aware: bool,
        request: &PathOptions,
        notes: &mut Vec<Note>,
    ) -> Result<Around, OpError> {
        let has_system = tree.mode == TreeMode::Dialogue || tree.buffer_mode_system_context;
        let mut around = Around { has_system, ..Around::default() };
        if has_system {
            let prompt = agent.and_then(|agent| agent.system_prompt.clone());
            around.system.extend(prompt.map(|text| ("agent", text)));
            around.system.extend(tree.system_context.clone().map(|text| ("tree", text)));
        }
        if is_aware && tree.mode == TreeMode::Buffer {
            notes.push(Note::new(
                Topic::Setting,
                "continuous text has no place for ids and times: `loom_aware` is not used",
            ));
        } else if is_aware {
            let granted = agent.map(|agent| agent.permissions);
            self.describe_tree(tree, walked, granted, &mut around)?;
        }
        let working = request.working.as_deref().filter(|text| !text.is_empty());
        around.now.extend(working.map(|text| ("working", Text::from(text))));
        Ok(around)
    }

    /// Everything that an agent with `loom_aware` sees of the tree.
    fn describe_tree(
        &mut self,
        tree: &LoomTree,
        walked: &WalkedPath,
        granted: Option<Permissions>,
        around: &mut Around,
    ) -> Result<(), OpError> {
        let permissions = granted.unwrap_or(Permissions { loom_aware: true, ..Permissions::default() });
        let names = self.names()?;
        let ids: Vec<&str> = walked.steps.iter().map(|step| step.node.id.as_str()).collect();
        let connections = self.loom.connections(&ids)?;
        let labels = walked.steps.iter().zip(connections).map(|(step, connections)| Label {
            local: step.node.local.clone(),
            author: names.name(&step.node),
            created: step.node.created,
            continuations: connections.continuations,
            annotations: connections.annotations,
            versions: connections.versions,
            bookmark: step.node.bookmark.clone(),
        });
        around.labels = Some(labels.collect());
        around.addendum = Some(addendum(permissions).into());
        let memory = self.loom.memory(&tree.id)?;
        let pins: Vec<Pin> = memory
            .pins
            .iter()
            .map(|node| Pin { local: node.local.clone(), text: Message::text(&node.message) })
            .collect();
        let remembered = operational_memory(&pins, &memory.stashes, &memory.actions);
        around.now.extend(remembered.map(|text| ("operational memory", Text::from(text))));
        let rows = self.loom.outline(&tree.id)?;
        let mut has_child = vec![false; rows.len()];
        rows.iter().filter(|row| !row.is_annotation).filter_map(|row| row.parent).for_each(|parent| {
            if let Some(has) = has_child.get_mut(parent as usize) {
                *has = true;
            }
        });
        let newest: Vec<String> =
            walked.steps.iter().rev().take(POSITION).rev().map(|step| step.node.local.clone()).collect();
        let position = Position {
            nodes: rows.len() as u64,
            branches: rows.iter().zip(&has_child).filter(|(row, has)| !**has && !row.is_annotation).count() as u64,
            depth: walked.steps.len() as u64,
            is_deeper: walked.steps.len() > newest.len(),
            newest,
        };
        around.now.push(("loom context", loom_context(tree, &position, permissions).into()));
        Ok(())
    }
}

/// The tree as it may be told of beside what was made of it.
fn mask_tree(mut tree: LoomTree, safety: &Safety) -> LoomTree {
    let mut report = Report::new(safety);
    if let Some(title) = safety.text("title", &tree.title, TextKind::Data, &mut report) {
        tree.title = title;
    }
    let masked = |text: &Text| safety.text("tree", text, TextKind::Data, &mut report);
    if let Some(system) = tree.system_context.as_ref().and_then(masked) {
        tree.system_context = Some(system.into());
    }
    tree
}

/// `provider:model`, or the name alone.
pub(super) fn model_of(reference: &str) -> Option<String> {
    let name = reference.split_once(':').map_or(reference, |(_, name)| name);
    (!name.is_empty()).then(|| name.to_owned())
}

fn format(asked: Option<Format>, tree: &LoomTree) -> Result<Format, OpError> {
    match (tree.mode, asked) {
        (TreeMode::Dialogue, None) => Ok(Format::Messages),
        (TreeMode::Buffer, None) => Ok(Format::Text),
        (TreeMode::Dialogue, Some(Format::Text)) => Err(OpError::usage(format!(
            "`{}` is a dialogue: it has messages and no continuous text",
            printable(&tree.title)
        ))
        .hint("`--format md` writes a document to read")),
        (TreeMode::Buffer, Some(format @ (Format::Text | Format::Request(Api::OpenAi) | Format::Markdown))) => {
            Ok(format)
        }
        (TreeMode::Buffer, Some(format)) => Err(OpError::usage(format!(
            "`{}` is continuous text: it cannot be written as `{}`",
            printable(&tree.title),
            format.as_str()
        ))
        .hint("`--format text` and `--format openai` can hold it")),
        (TreeMode::Dialogue, Some(format)) => Ok(format),
    }
}

fn hidden_notes(walked: &WalkedPath) -> Vec<Note> {
    let count = |wanted: HiddenReason| walked.hidden.iter().filter(|(_, hidden)| *hidden == wanted).count();
    let note = |many: usize, what: &str, hint: &'static str| {
        let nodes = if many == 1 { "node" } else { "nodes" };
        (many > 0).then(|| Note::new(Topic::Reduced, format!("{many} {nodes} of the path left out: {what}")).hint(hint))
    };
    let excluded =
        note(count(HiddenReason::Excluded), "excluded", "`contexture loom exclude --undo NODE` takes one in");
    let pruned = note(count(HiddenReason::Pruned), "pruned", "`contexture loom restore NODE` brings one back");
    let empty = walked.steps.is_empty().then(|| Note::new(Topic::Empty, "nothing on the path can be shown"));
    excluded.into_iter().chain(pruned).chain(empty).collect()
}

fn blank_note(compiled: &Compiled) -> Option<Note> {
    let blank = compiled.plan.left_out.iter().filter(|left| left.why == Why::Layer("it is empty".into())).count();
    let nodes = if blank == 1 { "node" } else { "nodes" };
    let text = format!("{blank} {nodes} of the path left out: nothing but white space");
    (blank > 0).then(|| Note::new(Topic::Reduced, text))
}

fn cut_note(compiled: &Compiled) -> Option<Note> {
    let cut = compiled.truncation.as_ref().filter(|cut| cut.truncated)?;
    let mut text = format!(
        "cut by `{}`: {} nodes left out, {} shown in part; {} tokens of {}",
        cut.strategy,
        cut.removed.len(),
        cut.shortened.len(),
        cut.after,
        cut.before
    );
    if cut.is_shrunk() {
        text.push_str(&format!("; of the newest {} nodes only {} fit", cut.minimum_recent, cut.recent));
    }
    Some(Note::new(Topic::Reduced, text).hint(format!("`--max-tokens {}` shows all", cut.before)))
}
