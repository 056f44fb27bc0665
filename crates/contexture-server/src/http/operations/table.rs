//! Operations on files, settings and what is kept, and those that ask models.

use super::super::calls::{Field, Kind};
use super::{Operation, answers, files, kept, looks, may, models, must, projects, streams};
use contexture_core::safety::Secrets;

const REQUEST: Field = may("request", Kind::Request, "the document that is asked for");
const PATH: Field = must("path", Kind::Text, "a file of the project");
const NAME: Field = must("name", Kind::Text, "what it is called");
const SCOPES: Kind = Kind::Word(&["project", "global"]);
const MASK: Field = may("mask", Kind::Object, "symbols with `def`, `sig` or `hide`");
const RUN: Field = must("run", Kind::Run, "a number, `last`, or `-2` for the one before");

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
    looks(
        "search",
        "Passages of the project that answer a few words",
        &[
            must("query", Kind::Text, "words, symbols, an error message"),
            may("include", Kind::Texts, "globs"),
            may("max_tokens", Kind::Number, "of all passages; else 4000"),
            may("tokenizer", Kind::Text, "who counts"),
        ],
        files::search,
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
        "slice/refresh",
        "Stores the slices of the composition as they are now",
        &[may("paths", Kind::Texts, "only slices of these files")],
        files::slice_refresh,
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
            may("screenshots", Kind::Texts, "with files: their pictures"),
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
    answers("config/schema", "A JSON Schema of contexture.toml", &[], projects::config_schema),
    answers("init", "Writes a commented contexture.toml; one that is there stays", &[], projects::init),
    answers(
        "import/manual-slop",
        "A project of Manual Slop as a contexture.toml, which is not written",
        &[
            must("name", Kind::Text, "what its file is called"),
            must("text", Kind::Text, "what is in it"),
            may("history", Kind::Text, "what is in the file of its discussion"),
        ],
        projects::import_manual_slop,
    ),
    answers(
        "prune",
        "Deletes old numbered documents",
        &[may("keep", Kind::Number, "the newest N"), may("days", Kind::Number, "those of the last D days")],
        projects::prune,
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
    answers(
        "runs/kept",
        "The exact text of a request, or of its answer, where it was kept",
        &[RUN, must("what", Kind::Word(&["request", "response"]), "which of them")],
        kept::runs_kept,
    ),
    answers(
        "runs/replay",
        "The same bytes again, or what changed",
        &[RUN, may("anyway", Kind::Flag, "the text also where it is not the same")],
        kept::runs_replay,
    ),
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
    answers(
        "cache/verify",
        "Reads everything that is kept",
        &[may("repair", Kind::Flag, "set a damaged store aside and save what can be read")],
        kept::cache_verify,
    ),
    answers("agent", "An agent's context", AGENT, models::agent),
    answers(
        "check",
        "Whether a provider would take a request",
        &[must("provider", APIS, "whose API"), must("body", Kind::Text, "the body of the request")],
        models::check,
    ),
    answers(
        "session/import",
        "A conversation of another program, whose text comes with the call, in our format",
        &[must("text", Kind::Text, "what is in its file"), LEAF, CONVERSATION, FULL_LOG],
        models::session_import,
    ),
    answers(
        "session/append",
        "Adds a message to a session file of the project",
        &[
            must("file", Kind::Text, "a .json file inside the roots; made if it is missing"),
            must("role", Kind::Word(&["user", "assistant", "tool", "system"]), "who says it"),
            must("content", Kind::Text, "what is said"),
            may("tool_call_id", Kind::Text, "of a tool's result: the call it answers"),
            may("tool_calls", Kind::Objects, "of an assistant: {id, name, arguments}"),
        ],
        models::session_append,
    ),
    streams("send", "Sends a document to a model; events while the answer comes", SEND, models::send),
    streams("summarize", "Asks a model for summaries; events while they come", SUMMARIZE, models::summarize),
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
    may("tools", Kind::Objects, "schemas of tools, in the shape of any provider"),
    may("agents_from", Kind::Text, "a folder: AGENTS.md is read from its repository down to it"),
    may("max_messages", Kind::Number, "of the newest"),
    may("max_memories", Kind::Number, "at most"),
    may("tokenizer", Kind::Text, "who counts"),
    may("secrets", Kind::Word(Secrets::WORDS), "what becomes of secrets"),
    may("no_manifest", Kind::Flag, "`runs` will not know of it"),
    LEAF,
    CONVERSATION,
    FULL_LOG,
];

const LEAF: Field = may("leaf", Kind::Text, "of branches the one that ends with this message");
const CONVERSATION: Field = may("conversation", Kind::Text, "of several the one with this id or title");
const FULL_LOG: Field = may("full_log", Kind::Flag, "what was said before a compaction, in place of its summary");

const APIS: Kind = Kind::Word(&["anthropic", "openai", "responses", "gemini", "deepseek", "minimax"]);
const PROVIDERS: Kind =
    Kind::Word(&["anthropic", "openai", "responses", "gemini", "deepseek", "minimax", "gemini-cli"]);

const SEND: &[Field] = &[
    REQUEST,
    may("provider", PROVIDERS, "whose API"),
    may("model", Kind::Text, "which model"),
    may("base_url", Kind::Text, "another server of that API"),
    may("timeout", Kind::Number, "seconds for all of it; else 600"),
    may("dry_run", Kind::Flag, "send nothing, tell what would be sent"),
];

const SUMMARIZE: &[Field] = &[
    REQUEST,
    may("provider", PROVIDERS, "whose API"),
    may("model", Kind::Text, "which model"),
    may("base_url", Kind::Text, "another server of that API"),
    may("max_cost", Kind::Real, "US dollars"),
    may("price_in", Kind::Real, "US dollars for a million tokens of requests, where the price is not known"),
    may("price_out", Kind::Real, "the same of answers"),
    may("jobs", Kind::Number, "how many at once, 64 at most; else 4"),
    may("again", Kind::Flag, "also for files that have one"),
    may("timeout", Kind::Number, "seconds for each; else 300"),
    may("dry_run", Kind::Flag, "ask nobody, tell what would be asked"),
];
