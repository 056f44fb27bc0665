//! An agent's context, and the sessions it is made of.

use super::record::{Show, answers};
use super::{DocumentAnswer, NoteAnswer, TokenTotal, rounded};
use crate::ops::{AgentContext, ImportedSession};
use crate::requests::Word;
use contexture_conversations::sessions::Appended;
use contexture_core::{Body, Format, ItemKind, Layer, LayerSize, Level, Message, Pick, Why};
use contexture_gather::layers::{Document, State};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The context of an agent's next call: as a document, as messages, and layer by layer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AgentAnswer {
    #[serde(flatten)]
    pub document: DocumentAnswer,
    pub messages: Vec<MessageAnswer>,
    /// By name, in the order of the context
    #[schemars(with = "BTreeMap<String, LayerAnswer>")]
    #[serde(serialize_with = "in_order")]
    pub layers: Vec<(&'static str, LayerAnswer)>,
    /// Body of the request, or the text of the document
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Value>,
}

/// A message as `--format messages` writes it: role, content, and calls of tools.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MessageAnswer(#[schemars(with = "Map<String, Value>")] Value);

impl From<&Message> for MessageAnswer {
    fn from(message: &Message) -> Self {
        Self(super::message(message))
    }
}

fn in_order<S: Serializer>(layers: &[(&'static str, LayerAnswer)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(layers.iter().map(|(name, layer)| (name, layer)))
}

/// One layer of a context.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LayerAnswer {
    pub tokens: u64,
    pub raw_bytes: u64,
    pub shown_bytes: u64,
    pub items: usize,
    pub shown_items: usize,
    /// `ok`, `truncated`, `missing`, or `default` for built-in text
    pub state: Word<State>,
    pub sources: Vec<LayerSource>,
    /// Memories that are shown
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<MemoryEntry>>,
}

/// A file that a layer comes from.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LayerSource {
    pub path: String,
    pub raw_bytes: u64,
    pub state: Word<State>,
}

/// A memory that is shown.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MemoryEntry {
    pub text: Option<String>,
    pub score: f64,
    pub path: String,
    pub tokens: u64,
}

impl AgentAnswer {
    /// The answer of `agent`; `path` is the file that was written.
    pub fn new(made: &AgentContext, path: Option<&str>) -> Self {
        let tokens = TokenTotal {
            count: made.compiled.measured.0,
            exact: made.exact,
            tokenizer: made.tokenizer,
            budget: Some(made.limit.0),
            budget_from: Some(made.limit_from.clone()),
        };
        // A request is JSON itself.
        let text = || made.compiled.output.text();
        let request = match made.format {
            Format::Request(_) => serde_json::from_str(&text()).ok(),
            Format::Markdown | Format::Text => Some(text().into()),
            Format::Messages | Format::Xml | Format::Json => None,
        };
        Self {
            document: DocumentAnswer::compiled(&made.compiled, path, tokens),
            messages: made.compiled.messages.iter().map(|message| MessageAnswer::from(&**message)).collect(),
            layers: made.compiled.layers.iter().map(|size| (size.layer.as_str(), layer(made, size))).collect(),
            request,
        }
    }
}

fn layer(made: &AgentContext, size: &LayerSize) -> LayerAnswer {
    let workspace = &made.workspace;
    let memory = workspace.memory.as_ref().filter(|_| size.layer == Layer::Memory);
    let source =
        |path: &str, raw_bytes, state: State| LayerSource { path: path.to_owned(), raw_bytes, state: state.into() };
    let sources = match size.layer {
        Layer::Skill | Layer::SkillBody => {
            workspace.skills.iter().map(|skill| source(&skill.path, skill.raw_bytes, State::Ok)).collect()
        }
        layer => {
            let all = documents(made, layer).into_iter();
            all.map(|document| source(&document.path, document.raw_bytes, document.state)).collect()
        }
    };
    LayerAnswer {
        tokens: size.tokens.0,
        raw_bytes: memory.map_or(size.raw_bytes, |memory| memory.document.raw_bytes),
        shown_bytes: size.shown_bytes,
        items: size.items,
        shown_items: size.shown_items,
        state: state(made, size).into(),
        sources,
        entries: (size.layer == Layer::Memory).then(|| memories(made)),
    }
}

/// The files that are shown as they are in a layer.
fn documents(made: &AgentContext, layer: Layer) -> Vec<&Document> {
    let workspace = &made.workspace;
    match layer {
        Layer::System => std::iter::once(&workspace.soul).chain(&workspace.agents).collect(),
        Layer::Memory => workspace.memory.iter().map(|memory| &memory.document).collect(),
        Layer::Tools => vec![&workspace.tools],
        Layer::Skill | Layer::SkillBody | Layer::Bootstrap | Layer::History | Layer::Current => Vec::new(),
    }
}

/// Whether all of a layer is shown.
fn state(made: &AgentContext, size: &LayerSize) -> State {
    let (picks, name) = (&made.compiled.plan.picks, size.layer.as_str());
    let of_layer = |kind: ItemKind| matches!(kind, ItemKind::Layer(layer) if layer.as_str() == name);
    let is_cut = picks.iter().any(|pick| of_layer(pick.kind) && pick.level != Level::Full);
    let documents = documents(made, size.layer);
    let any = |state: State| documents.iter().any(|document| document.state == state);
    // The text of a skill is left out until the skill is in use: that is not a loss.
    let is_less = match size.layer {
        Layer::Skill | Layer::SkillBody => {
            let lines = picks.iter().filter(|pick| pick.kind == ItemKind::Layer(Layer::Skill)).count();
            lines < made.workspace.skills.iter().filter(|skill| !skill.hidden).count()
        }
        _ => size.shown_items < size.items,
    };
    match () {
        () if size.items == 0 => State::Missing,
        () if is_cut || is_less || any(State::Truncated) => State::Truncated,
        () if any(State::Default) => State::Default,
        () => State::Ok,
    }
}

fn memories(made: &AgentContext) -> Vec<MemoryEntry> {
    let text = |pick: &Pick| {
        made.snapshot.items.iter().find_map(|item| match &item.body {
            Body::Memory(memory) if item.id == pick.item => Some(memory.text.clone()),
            _ => None,
        })
    };
    let entry = |pick: &Pick| match pick.why {
        Why::Remembered { score, .. } => Some(MemoryEntry {
            text: text(pick),
            score: rounded(f64::from(score)),
            path: pick.path.clone(),
            tokens: pick.tokens.0,
        }),
        _ => None,
    };
    made.compiled.plan.picks.iter().filter_map(entry).collect()
}

answers! {
    /// A conversation of another program in our format.
    pub struct SessionAnswer of ImportedSession {
        /// Format of its file
        format: &'static str = |read| read.imported.format,
        /// The session, as our files have it
        #[schemars(with = "Map<String, Value>")]
        session: Value = |read| serde_json::from_str(&read.json).unwrap_or_default(),
        /// What is not part of it, with numbers
        skipped: BTreeMap<String, usize> = |read| read.imported.skipped.clone(),
        notes: Vec<NoteAnswer> = |read| read.imported.notes.show(),
    }
}

/// A session file that a message was added to.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AppendedAnswer {
    pub path: String,
    /// Number of messages in the file
    pub messages: usize,
    pub bytes: u64,
    /// Whether the file is new
    pub created: bool,
    /// File that the damaged bytes were moved to
    pub set_aside: Option<String>,
    pub notes: Vec<NoteAnswer>,
}

impl AppendedAnswer {
    /// The answer of an append to the session at `path`.
    pub fn new(path: &std::path::Path, done: &Appended) -> Self {
        Self {
            path: path.to_string_lossy().into_owned(),
            messages: done.messages,
            bytes: done.bytes,
            created: done.created,
            set_aside: done.set_aside.as_ref().map(|path| path.display().to_string()),
            notes: done.notes.show(),
        }
    }
}
