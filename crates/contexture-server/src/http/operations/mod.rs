//! Every operation with its name, its fields and what it does: one table for the router, the checks and the OpenAPI list.

mod files;
mod kept;
mod models;
mod projects;
pub mod request;
mod trees;

use super::answer::Wrong;
use super::calls::{Call, Field, Kind};
use crate::ops::OpError;
use crate::provider::Cancel;
use serde_json::Value;

pub struct Operation {
    /// Behind `/api/`.
    pub name: &'static str,
    pub about: &'static str,
    pub fields: &'static [Field],
    pub run: Run,
}

pub type Answering = fn(&Call<'_>) -> Result<Value, Wrong>;
pub type Streaming = fn(&Call<'_>, &mut dyn FnMut(Value), &Cancel) -> Result<(), OpError>;

#[derive(Clone, Copy)]
pub enum Run {
    Answer(Answering),
    /// The same for what only looks: it stops when nobody waits for it any more.
    Look(Answering),
    /// Lines of JSON, while they come.
    Stream(Streaming),
}

pub fn find(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}

const fn may(name: &'static str, kind: Kind, about: &'static str) -> Field {
    Field { name, kind, is_needed: false, about }
}

const fn must(name: &'static str, kind: Kind, about: &'static str) -> Field {
    Field { name, kind, is_needed: true, about }
}

const fn answers(name: &'static str, about: &'static str, fields: &'static [Field], run: Answering) -> Operation {
    Operation { name, about, fields, run: Run::Answer(run) }
}

const fn looks(name: &'static str, about: &'static str, fields: &'static [Field], run: Answering) -> Operation {
    Operation { name, about, fields, run: Run::Look(run) }
}

const fn streams(name: &'static str, about: &'static str, fields: &'static [Field], run: Streaming) -> Operation {
    Operation { name, about, fields, run: Run::Stream(run) }
}

const REQUEST: Field = may("request", Kind::Request, "the document that is asked for");
const PATH: Field = must("path", Kind::Text, "a file of the project");
const NAME: Field = must("name", Kind::Text, "what it is called");
const NODE: Field = must("node", Kind::Text, "the id of a node");
const TREE: Field = may("tree", Kind::Text, "the tree, by id or title; else the one in use");
const UNDO: Field = may("undo", Kind::Flag, "take it back");
const TEXT: Field = must("text", Kind::Text, "what is said");
const SCOPES: Kind = Kind::Word(&["project", "global"]);

pub static OPERATIONS: &[Operation] = &[
    looks("project", "What there is: views, models, presets, settings", &[], projects::project),
    looks("compose", "The files of a document with what each takes", &[REQUEST], files::compose),
    answers(
        "compose/set",
        "Shows some files of a bench otherwise; gives the new total",
        &[
            must("bench", Kind::Number, "from `compose`"),
            must("set", Kind::Objects, "{index: [rows], view: a view, `default` or `out`, mask, slices}"),
        ],
        files::compose_set,
    ),
    answers(
        "compose/refresh",
        "Reads files of a bench again; gives their rows, or says that the list is another one",
        &[
            must("bench", Kind::Number, "from `compose`"),
            must("paths", Kind::Texts, "what changed on disk, as `files` events name it"),
        ],
        files::compose_refresh,
    ),
    answers(
        "compose/request",
        "The request of what a bench shows now",
        &[must("bench", Kind::Number, "from `compose`")],
        files::compose_request,
    ),
    looks("plan", "What a document would show, and why", &[REQUEST], files::plan),
    looks("preview", "The exact bytes of a document, unwritten", &[REQUEST], files::preview),
    answers("build", "Writes a numbered document", &[REQUEST], files::build),
    looks("views", "One file in all its views", &[PATH, REQUEST, MASK], files::views),
    looks("show", "One view of one file", &[PATH, may("view", Kind::Text, "which view"), MASK, REQUEST], files::show),
    looks("symbols", "What a file defines", &[PATH], files::symbols),
    looks(
        "related",
        "Files that others import or speak of",
        &[
            must("paths", Kind::Texts, "files of the composition"),
            REQUEST,
            may("limit", Kind::Number, "how many at most; else 24"),
        ],
        files::related,
    ),
    looks("why", "Why a file is shown as it is, or not", &[PATH, REQUEST], files::why),
    looks("tokens", "Tokens of files and folders", &[REQUEST], files::tokens),
    looks("stats", "Bytes, lines, tokens and symbols", &[REQUEST], files::stats),
    answers(
        "slice/make",
        "Marks lines of a file so that they are found again",
        &[
            PATH,
            must("start_line", Kind::Number, "from 1"),
            must("end_line", Kind::Number, "included"),
            may("tag", Kind::Text, "what it is"),
            may("comment", Kind::Text, "why it matters"),
        ],
        files::slice_make,
    ),
    answers(
        "slice/resolve",
        "Where slices are now",
        &[PATH, must("slices", Kind::Objects, "as they were stored")],
        files::slice_resolve,
    ),
    looks("scan", "Possible secrets and invisible characters", &[REQUEST], files::scan),
    answers(
        "scan/allow",
        "Lets a secret through, for this project",
        &[must("fingerprint", Kind::Text, "from `scan`")],
        projects::scan_allow,
    ),
    answers("preset/list", "All presets", &[], projects::preset_list),
    answers("preset/show", "One preset", &[NAME], projects::preset_show),
    answers(
        "preset/save",
        "Saves files, or the composition, under a name",
        &[
            NAME,
            may("description", Kind::Text, "what it is for"),
            may("files", Kind::Entries, "without any, the composition"),
            may("scope", SCOPES, "where it is kept"),
        ],
        projects::preset_save,
    ),
    answers("preset/apply", "Makes a preset the composition", &[NAME], projects::preset_apply),
    answers(
        "preset/diff",
        "What leads from one preset to another",
        &[must("a", Kind::Text, "a preset"), may("b", Kind::Text, "else the composition is compared with it")],
        projects::preset_diff,
    ),
    answers("preset/remove", "Forgets a preset", &[NAME, may("scope", SCOPES, "which one")], projects::preset_remove),
    answers("persona/list", "All personas", &[], projects::persona_list),
    answers("persona/show", "One persona", &[NAME], projects::persona_show),
    answers("config/get", "All settings with their origins", &[], projects::config_get),
    answers(
        "config/set",
        "Sets one key",
        &[
            must("key", Kind::Text, "the key with its section"),
            must("value", Kind::Text, "as TOML, or a bare word"),
            may("scope", SCOPES, "whose setting"),
        ],
        projects::config_set,
    ),
    answers("doctor", "Whether all is well", &[], projects::doctor),
    answers("runs/list", "The newest runs", &[may("limit", Kind::Number, "20 unless said")], kept::runs_list),
    answers("runs/show", "Everything about one run", &[RUN], kept::runs_show),
    looks(
        "runs/diff",
        "What differs between two runs",
        &[may("a", Kind::Run, "a run"), may("b", Kind::Run, "a later run")],
        kept::runs_diff,
    ),
    answers("runs/replay", "The same bytes again, or what changed", &[RUN], kept::runs_replay),
    looks("cache/status", "Which files have a summary that a model wrote", &[REQUEST], kept::cache_status),
    answers(
        "cache/clear",
        "Takes summaries away",
        &[
            may("paths", Kind::Texts, "of these files"),
            may("stale", Kind::Flag, "of contents that are gone"),
            may("all", Kind::Flag, "all of them"),
        ],
        kept::cache_clear,
    ),
    answers("cache/gc", "Forgets what no file has any more", &[], kept::cache_gc),
    answers("cache/verify", "Reads everything that is kept", &[], kept::cache_verify),
    answers("loom/trees", "All trees", &[], trees::list),
    answers(
        "loom/new",
        "Makes a tree",
        &[
            must("title", Kind::Text, "what it is called"),
            may("mode", Kind::Word(&["dialogue", "buffer"]), "messages, or continuous text"),
            may("system", Kind::Text, "its system context"),
        ],
        trees::make,
    ),
    answers("loom/use", "Makes a tree the one in use", &[must("tree", Kind::Text, "by id or title")], trees::in_use),
    answers(
        "loom/outline",
        "All nodes of a tree",
        &[
            TREE,
            may("all", Kind::Flag, "every row, also of a large tree and of what is pruned"),
            may("tokenizer", Kind::Text, "who counts"),
        ],
        trees::outline,
    ),
    answers("loom/show", "One node", &[TREE, NODE], trees::show),
    answers(
        "loom/add",
        "Says something",
        &[
            TEXT,
            TREE,
            may("parents", Kind::Texts, "what it follows"),
            may("contexts", Kind::Texts, "what it also refers to"),
            may("instructions", Kind::Texts, "what it obeys"),
            AUTHOR_TYPE,
            AUTHOR,
            may("stay", Kind::Flag, "leave the path where it is"),
        ],
        trees::add,
    ),
    answers("loom/edit", "A new version of a node", &[TREE, NODE, TEXT, AUTHOR_TYPE, AUTHOR], trees::edit),
    answers("loom/annotate", "A remark on a node", &[TREE, NODE, TEXT, AUTHOR_TYPE, AUTHOR], trees::annotate),
    answers(
        "loom/fork",
        "A path that ends at a node",
        &[TREE, NODE, may("name", Kind::Text, "of the path")],
        trees::fork,
    ),
    answers("loom/go", "Moves the path to a node", &[TREE, NODE, may("path", Kind::Text, "which path")], trees::go),
    answers(
        "loom/choose",
        "Chooses a version at a fork",
        &[TREE, NODE, may("path", Kind::Text, "which path")],
        trees::choose,
    ),
    answers("loom/exclude", "Leaves a node out of every context", &[TREE, NODE, UNDO], trees::exclude),
    answers("loom/pin", "Pins a node", &[TREE, NODE, UNDO], trees::pin),
    answers("loom/bookmark", "Marks a node", &[TREE, NODE, UNDO, may("label", Kind::Text, "a word")], trees::bookmark),
    answers("loom/prune", "Takes a node and what hangs on it away, softly", &[TREE, NODE], trees::prune),
    answers("loom/restore", "Brings it back", &[TREE, NODE], trees::restore),
    answers("loom/assemble", "A path as a context", ASSEMBLE, trees::assemble),
    answers("loom/generate", "Asks a model to go on", GENERATE, trees::generate),
    answers(
        "loom/export",
        "A tree as files",
        &[TREE, may("format", Kind::Text, "contexture, chatgpt, pyloom and others")],
        trees::export,
    ),
    answers(
        "loom/import",
        "Takes in trees of a file, whose text comes with the call; takes bodies of 128 MiB",
        &[
            must("name", Kind::Text, "what the file is called; a tree without a title gets it"),
            must("text", Kind::Text, "what is in the file"),
            may("format", Kind::Text, "refuse it if it is another; else it is found out"),
            may("conversation", Kind::Text, "of several the one with this id or title"),
            may("copy", Kind::Flag, "with new ids, where they are there already"),
        ],
        trees::import,
    ),
    answers("agent", "An agent's context", AGENT, models::agent),
    streams("send", "Sends a document to a model; events while the answer comes", SEND, models::send),
    streams("summarize", "Asks a model for summaries; events while they come", SUMMARIZE, models::summarize),
];

const MASK: Field = may("mask", Kind::Object, "symbols with `def`, `sig` or `hide`");
const RUN: Field = must("run", Kind::Run, "a number, `last`, or `-2` for the one before");
const AUTHOR_TYPE: Field = may("author_type", Kind::Word(&["human", "model"]), "who speaks");
const AUTHOR: Field = may("author", Kind::Text, "the name of an agent");

const ASSEMBLE: &[Field] = &[
    TREE,
    may("node", Kind::Text, "where the path ends"),
    may("path", Kind::Text, "which path"),
    may("agent", Kind::Text, "for whom"),
    may("max_tokens", Kind::Number, "the limit"),
    may("model", Kind::Text, "whose window is the limit"),
    may("strategy", Kind::Word(&["truncateMiddle", "rollingWindow", "stopAtLimit"]), "how it is cut"),
    may("format", Kind::Text, "of messages or of a request"),
    may("annotations", Kind::Flag, "with annotations"),
    may("working", Kind::Text, "what is written now and not yet a node"),
];

const GENERATE: &[Field] = &[
    TREE,
    may("node", Kind::Text, "where the path ends"),
    may("agent", Kind::Text, "who answers"),
    may("model", Kind::Text, "which model"),
    must("base_url", Kind::Text, "a server that speaks OpenAI's API"),
    may("n", Kind::Number, "how many answers"),
    may("max_answer", Kind::Number, "tokens of each"),
    may("temperature", Kind::Real, "from 0 to 2"),
];

const AGENT: &[Field] = &[
    may("message", Kind::Text, "what is said now"),
    may("workspace", Kind::Text, "a folder"),
    may("session", Kind::Text, "a file of a conversation"),
    may("max_tokens", Kind::Number, "the limit"),
    may("memory_tokens", Kind::Number, "the limit of memories"),
    may("model", Kind::Text, "whose window is the limit"),
    may("format", Kind::Text, "of messages or of a request"),
    may("near", Kind::Flag, "memories next to the message"),
    may("no_manifest", Kind::Flag, "only look: leave no run behind"),
];

const PROVIDERS: Kind =
    Kind::Word(&["anthropic", "openai", "responses", "gemini", "deepseek", "minimax", "gemini-cli"]);

const SEND: &[Field] = &[
    REQUEST,
    may("provider", PROVIDERS, "whose API"),
    may("model", Kind::Text, "which model"),
    may("base_url", Kind::Text, "another server of that API"),
    may("dry_run", Kind::Flag, "send nothing, tell what would be sent"),
];

const SUMMARIZE: &[Field] = &[
    REQUEST,
    may("provider", PROVIDERS, "whose API"),
    may("model", Kind::Text, "which model"),
    may("base_url", Kind::Text, "another server of that API"),
    may("max_cost", Kind::Real, "US dollars"),
    may("dry_run", Kind::Flag, "ask nobody, tell what would be asked"),
];
