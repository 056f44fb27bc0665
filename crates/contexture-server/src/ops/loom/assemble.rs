//! A path through a tree as a context: walked, compiled, and told what was cut.

use super::{Trees, refused};
use crate::ops::OpError;
use crate::ops::budget::{TalkAsk, TalkLimit, talk_limit};
use crate::ops::document::{Memory, tokenizer_name};
use crate::ops::safety;
use contexture_core::models::Room;
use contexture_core::render::printable;
use contexture_core::safety::{Report, Safety, Screened, Secrets, screen};
use contexture_core::shape::loom::{Label, Pin, Position, addendum, loom_context, operational_memory};
use contexture_core::{
    Api, CompileError, Compiled, Counter, Format, InProcess, LoomAgent, LoomOptions, LoomTree, Message, Meter, Note,
    Options, PathChoice, Permissions, RequestOptions, Text, Tokenizer, Tokens, Tools, Topic, TreeMode, Truncation, Why,
    compile,
};
use contexture_gather::loom::{Around, Ask, Found, Hidden, Walked, snapshot};
use std::time::{Duration, Instant};

/// A path that is asked for. Everything has a default.
#[derive(Clone, Debug, Default)]
pub struct AssembleRequest {
    /// Where the path ends.
    pub node: Option<String>,
    pub path: Option<String>,
    pub choose: Vec<String>,
    /// The name of an agent.
    pub agent: Option<String>,
    pub is_aware: bool,
    pub annotations: bool,
    /// What is written now and not yet a node.
    pub working: Option<String>,
    pub max_tokens: Option<u64>,
    pub model: Option<String>,
    pub tokenizer: Option<String>,
    pub truncation: Option<Truncation>,
    pub minimum_recent_nodes: Option<u64>,
    pub token_buffer: Option<u64>,
    pub format: Option<Format>,
    /// The longest answer that a request asks for.
    pub max_answer: Option<u64>,
    /// What happens to secrets, in place of what the settings say.
    pub secrets: Option<Secrets>,
}

pub struct PathMade {
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
    pub room: Option<Room>,
    pub format: Format,
    pub timings: Vec<(&'static str, Duration)>,
}

/// How many nodes of the path the position names.
const POSITION: usize = 5;

impl Trees<'_> {
    pub fn assemble(&mut self, request: &AssembleRequest) -> Result<PathMade, OpError> {
        let started = Instant::now();
        let agent = match &request.agent {
            Some(name) => Some(self.loom.agent(name).map_err(|error| refused(&error))?),
            None => None,
        };
        let permissions = agent.as_ref().map(|agent| agent.permissions);
        let is_aware = match permissions {
            Some(granted) if request.is_aware && !granted.loom_aware => {
                let name = request.agent.as_deref().unwrap_or_default();
                return Err(OpError::usage(format!("`{name}` may not know of the tree"))
                    .hint(format!("`contexture loom agent {name} --allow loom_aware` lets it")));
            }
            Some(granted) => granted.loom_aware,
            None => request.is_aware,
        };
        // Its vocabulary is loaded while the path is read.
        let likely =
            request.tokenizer.as_deref().or(self.config.budget.tokenizer.as_deref()).and_then(Tokenizer::parse);
        std::thread::spawn(move || likely.unwrap_or(Tokenizer::O200k).load());
        let (tree, walked) = self.walk(request)?;
        let format = format(request, &tree)?;
        let budget = &self.config.budget;
        let own = &tree.preferences;
        let how = LoomOptions {
            mode: tree.mode,
            truncation: request.truncation.or(own.truncation).unwrap_or(budget.truncation),
            minimum_recent: request
                .minimum_recent_nodes
                .or(own.minimum_recent_nodes)
                .unwrap_or(budget.minimum_recent_nodes)
                .try_into()
                .unwrap_or(usize::MAX),
        };
        let model = request.model.clone().or_else(|| model_of(agent.as_ref()?.model.as_deref()?));
        let ask = TalkAsk {
            max_tokens: request.max_tokens,
            // An agent's model may be one of a private server: it names the request, and is no limit then.
            model: model
                .as_deref()
                .filter(|name| request.model.is_some() || contexture_core::models::find(name).is_some()),
            tokenizer: request.tokenizer.as_deref(),
            format: request.format,
            buffer: request.token_buffer.or(own.token_buffer).unwrap_or(budget.token_buffer),
        };
        let TalkLimit { tokenizer, room, limit } = talk_limit(&ask, budget)?;
        let limit = limit.or_else(|| Some((budget.max_tokens?, "[budget] max_tokens".to_owned())));
        let mut notes = hidden_notes(&walked);
        let leaf = walked.leaf.clone();
        let around = self.around(&tree, &walked, agent.as_ref(), is_aware, request, &mut notes)?;
        let options = Options {
            format,
            budget: limit.as_ref().map(|(limit, _)| Tokens(*limit)),
            loom: Some(how),
            request: RequestOptions {
                model,
                max_answer: request.max_answer.or(room.as_ref().map(|room| room.answer)),
                ..RequestOptions::default()
            },
            ..Options::default()
        };
        let mut timings = vec![("gather", started.elapsed())];
        let started = Instant::now();
        let memory = Memory::for_counts(self.door, &self.roots, &self.config, tokenizer);
        notes.extend(memory.note.clone());
        let (safety, policy_notes) = safety::policy(&self.config, request.secrets);
        notes.extend(policy_notes);
        let snapshot = screen(snapshot(walked, around), &safety, &memory.clean);
        let tree = told(tree, &safety);
        let tools = Tools { meter: Meter::new(&tokenizer, memory.memo()), code: &InProcess };
        let mut compiled = compile(&snapshot, &options, &tools).map_err(|error| match error {
            CompileError::OverBudget(over) => OpError::OverLimit(over),
            CompileError::Refused(refused) => refused.into(),
            CompileError::Denied(denied) => denied.into(),
        })?;
        timings.push(("compile", started.elapsed()));
        let started = Instant::now();
        memory.save();
        timings.push(("remember", started.elapsed()));
        tracing::info!(items = snapshot.items.len(), tokens = compiled.measured.0, "assembled");
        notes.extend(cut_note(&compiled));
        notes.extend(blank_note(&compiled));
        safety.notes(&mut notes);
        compiled.notes.extend(notes);
        let (tokenizer, exact) = (tokenizer_name(tokenizer), tokenizer.exact());
        Ok(PathMade { tree, leaf, agent, compiled, snapshot, tokenizer, exact, limit, room, format, timings })
    }

    pub fn walk(&mut self, request: &AssembleRequest) -> Result<(LoomTree, Walked), OpError> {
        let (tree, leaf) = match &request.node {
            Some(word) => {
                let Found { tree, node } = self.find(word)?;
                (tree, Some(node.id))
            }
            None => (self.tree()?, None),
        };
        let mut choices: Vec<PathChoice> = Vec::new();
        for word in &request.choose {
            let found = self.find(word)?;
            choices.extend(self.choices_through(&found)?);
        }
        let ask = Ask { leaf, path: request.path.clone(), choices, annotations: request.annotations };
        let walked = self.loom.walk(&tree.id, &ask).map_err(|error| refused(&error))?;
        Ok((tree, walked))
    }

    fn around(
        &mut self,
        tree: &LoomTree,
        walked: &Walked,
        agent: Option<&LoomAgent>,
        is_aware: bool,
        request: &AssembleRequest,
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
            self.aware(tree, walked, granted, &mut around)?;
        }
        let working = request.working.as_deref().filter(|text| !text.is_empty());
        around.now.extend(working.map(|text| ("working", Text::from(text))));
        Ok(around)
    }

    /// What an agent is told that knows of the tree (L10).
    fn aware(
        &mut self,
        tree: &LoomTree,
        walked: &Walked,
        granted: Option<Permissions>,
        around: &mut Around,
    ) -> Result<(), OpError> {
        let permissions = granted.unwrap_or(Permissions { loom_aware: true, ..Permissions::default() });
        let names = self.names()?;
        let ids: Vec<&str> = walked.steps.iter().map(|step| step.node.id.as_str()).collect();
        let connections = self.loom.connections(&ids).map_err(|error| refused(&error))?;
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
        let memory = self.loom.memory(&tree.id).map_err(|error| refused(&error))?;
        let pins: Vec<Pin> = memory
            .pins
            .iter()
            .map(|node| Pin { local: node.local.clone(), text: Message::text(&node.message) })
            .collect();
        let remembered = operational_memory(&pins, &memory.stashes, &memory.actions);
        around.now.extend(remembered.map(|text| ("operational memory", Text::from(text))));
        let rows = self.loom.outline(&tree.id).map_err(|error| refused(&error))?;
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
fn told(mut tree: LoomTree, safety: &Safety) -> LoomTree {
    let mut report = Report::new(safety);
    if let Some(title) = safety.text("title", &tree.title, &mut report) {
        tree.title = title;
    }
    if let Some(system) = tree.system_context.as_ref().and_then(|text| safety.text("tree", text, &mut report)) {
        tree.system_context = Some(system.into());
    }
    tree
}

/// `provider:model`, or the name alone.
pub(super) fn model_of(reference: &str) -> Option<String> {
    let name = reference.split_once(':').map_or(reference, |(_, name)| name);
    (!name.is_empty()).then(|| name.to_owned())
}

fn format(request: &AssembleRequest, tree: &LoomTree) -> Result<Format, OpError> {
    match (tree.mode, request.format) {
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

fn hidden_notes(walked: &Walked) -> Vec<Note> {
    let count = |wanted: Hidden| walked.hidden.iter().filter(|(_, hidden)| *hidden == wanted).count();
    let note = |many: usize, what: &str, hint: &'static str| {
        let nodes = if many == 1 { "node" } else { "nodes" };
        (many > 0).then(|| Note::new(Topic::Reduced, format!("{many} {nodes} of the path left out: {what}")).hint(hint))
    };
    let excluded = note(count(Hidden::Excluded), "excluded", "`contexture loom exclude --undo NODE` takes one in");
    let pruned = note(count(Hidden::Pruned), "pruned", "`contexture loom restore NODE` brings one back");
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
