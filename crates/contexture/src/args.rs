//! The command line as data. `--help`, completions and man pages are made from it.

#[cfg(test)]
mod doors;
mod loom;
mod mcp;
mod runs;
mod summaries;

pub use loom::{AssembleArgs, CutArgs, GenerateArgs, LoomArgs, LoomVerb, TreeArgs, WalkArgs, WhoArgs};

pub use mcp::{ClientName, McpArgs, SetupArgs};

use clap::builder::{PossibleValuesParser, TypedValueParser};
pub use runs::{ImportVerb, PersonaVerb, RunsArgs, RunsVerb};
pub use summaries::{CacheVerb, SummarizeArgs};

use clap::{Args, Parser, Subcommand, ValueEnum};
use contexture_core::safety::Secrets;
use contexture_core::{Api, Format};
use contexture_server::ops::Via;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Exit codes: 0 done; 1 failed; 2 usage or configuration; 3 does not fit the budget; 4 blocked by policy (secrets), or found by scan; \
5 an input could not be read, under --strict; \
6 conflict; 7 provider; 8 verification failed; 130 interrupted.
Standard output carries data, standard error carries talk. NO_COLOR is honoured.";

const REQUEST: &str = "Request options";

/// Formats of a document.
const DOCUMENT: &[&str] =
    &["md", "xml", "json", "messages", "anthropic", "openai", "responses", "gemini", "deepseek", "minimax"];
/// Formats of a conversation, and of a path through a tree.
const TALK: &[&str] = &["messages", "anthropic", "openai", "responses", "gemini", "deepseek", "minimax", "md"];
const PATH: &[&str] = &["messages", "anthropic", "openai", "responses", "gemini", "deepseek", "minimax", "md", "text"];

/// One of these words as a format.
fn formats(words: &'static [&'static str]) -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(words).map(|word| Format::parse(&word).unwrap_or(Format::Markdown))
}

/// What every verb takes stands apart from what is the verb's own.
const GLOBAL: &str = "Global options";

/// Compiles project files into the exact document a language model reads, with a reason for everything.
///
/// Without a verb: a plan of this folder (files, tokens, largest, warnings, next commands). Writes nothing.
#[derive(Parser, Debug)]
#[command(name = "contexture", version, after_help = AFTER_HELP, infer_subcommands = false, args_conflicts_with_subcommands = false)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(flatten)]
    pub select: SelectArgs,
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

#[derive(Args, Debug, Clone)]
pub struct Global {
    /// The project folder; more of them are added as further roots.
    #[arg(long, value_name = "DIR", global = true, help_heading = GLOBAL)]
    pub root: Vec<PathBuf>,
    /// Print JSON on standard output.
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub json: bool,
    /// Read this file instead of the project's contexture.toml.
    #[arg(long, value_name = "FILE", global = true, help_heading = GLOBAL)]
    pub config: Option<PathBuf>,
    /// Neither read nor write the cache of the user.
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub no_cache: bool,
    /// Number of threads [default: all cores].
    #[arg(long, value_name = "N", global = true, help_heading = GLOBAL, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Say nothing but errors on standard error.
    #[arg(long, short, global = true, help_heading = GLOBAL)]
    pub quiet: bool,
    /// Structured logs on standard error; twice for more.
    #[arg(long, short, global = true, help_heading = GLOBAL, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Print how long each room took, on standard error.
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub timings: bool,
}

/// Which files to take from the project, and how to count them.
#[derive(Args, Debug, Clone, Default)]
pub struct WhichArgs {
    /// Take the composition of this preset.
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// Take preset, strategy and tier from this persona.
    #[arg(long, value_name = "NAME")]
    pub persona: Option<String>,
    /// Only files that match; as in .gitignore. May be repeated.
    #[arg(long, value_name = "GLOB")]
    pub include: Vec<String>,
    /// No files that match; as in .gitignore. May be repeated.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Count with this tokenizer; those of `claude` and `gemini` are estimates.
    #[arg(long, value_name = "T", value_parser = ["o200k_base", "cl100k_base", "estimate", "claude", "gemini"])]
    pub tokenizer: Option<String>,
}

/// What to take from the project, and how to show it.
#[derive(Args, Debug, Clone, Default)]
pub struct SelectArgs {
    #[command(flatten)]
    pub which: WhichArgs,
    /// Detail by tier: 1 full, 2 summaries, 3 and 4 skeletons.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
    pub tier: Option<u8>,
    /// How files are shown.
    #[arg(long, value_name = "S", value_parser = ["auto", "summarize", "full"])]
    pub strategy: Option<String>,
    /// Show every file in this view.
    #[arg(long, value_name = "MODE")]
    pub view: Option<View>,
    /// Show this file in full and the others in less: slices, mask, skeleton, summary. May be repeated.
    #[arg(long, value_name = "PATH")]
    pub focus: Vec<String>,
    /// Show what fits into this many tokens; what was set by hand stays as it is.
    #[arg(long, value_name = "N")]
    pub budget: Option<u64>,
    /// Show what fits into the window of this model, less room for its answer; `--budget` beats it.
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// What the document is for: a bug report, a wish, a traceback, a question. Ranks files and symbols.
    #[arg(long, value_name = "TEXT", conflicts_with = "query_file")]
    pub query: Option<String>,
    /// The same from a file; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub query_file: Option<PathBuf>,
    /// How many tokens of passages from outside the composition or the named paths answer the query; 0 for none
    /// [default: 2000].
    #[arg(long, value_name = "N")]
    pub retrieve: Option<u64>,
    /// Leave out summaries that models wrote: every summary is made from its file alone.
    #[arg(long)]
    pub no_written: bool,
    #[command(flatten)]
    pub safety: SafetyArgs,
}

/// What happens to secrets on their way out.
#[derive(Args, Debug, Clone, Default)]
pub struct SafetyArgs {
    /// Secrets that are found: mask them, show them and say so, write and send nothing, or do not look [default: safety.secrets,
    /// which is redact].
    #[arg(long, value_name = "POLICY", value_parser = policies())]
    pub secrets: Option<Secrets>,
}

fn policies() -> impl TypedValueParser<Value = Secrets> {
    PossibleValuesParser::new(Secrets::WORDS).map(|word| Secrets::parse(&word).unwrap_or_default())
}

#[derive(Args, Debug)]
pub struct ServeArgs {
    /// Where to listen; an address that others can reach is told with a warning [default: 127.0.0.1:7878, or the next free port].
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<std::net::SocketAddr>,
    /// Open the panel in the browser.
    #[arg(long)]
    pub open: bool,
}

#[derive(Args, Debug, Clone)]
pub struct Paths {
    /// Files, folders or globs; `-` reads paths from standard input, a line each.
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Read paths from standard input, separated by NUL bytes.
    #[arg(long)]
    pub stdin0: bool,
}

#[derive(Subcommand, Debug)]
pub enum Verb {
    /// Write the document: {namespace}_{NNN}.md, or FILE, or standard output.
    Build(Box<BuildArgs>),
    /// Print one file's view.
    Show(ShowArgs),
    /// List what a file defines.
    Symbols(SymbolsArgs),
    /// List the files that others import or speak of.
    Related(RelatedArgs),
    /// Count the tokens of files and folders.
    Tokens(TokensArgs),
    /// Send the document with a question to a model; the answer comes on standard output.
    Send(Box<SendArgs>),
    /// The panel in a browser, and every operation over HTTP, on this machine alone.
    Serve(ServeArgs),
    /// Say whether a provider would take a request.
    Check(CheckArgs),
    /// List possible secrets and invisible characters in files; exit code 4 when there are any.
    Scan(ScanArgs),
    /// Say why a file is in the document, or why not.
    Why(WhyArgs),
    /// Bytes, lines, tokens and symbols of whole files, by language and folder.
    Stats(StatsArgs),
    /// Marked lines that are found again after the file changed.
    #[command(subcommand)]
    Slice(SliceVerb),
    /// Named compositions.
    #[command(subcommand)]
    Preset(PresetVerb),
    /// Named ways of working.
    #[command(subcommand)]
    Persona(PersonaVerb),
    /// What earlier runs showed: listed, compared, made again.
    Runs(RunsArgs),
    /// Assemble the context of an agent's next call: system, bootstrap, memory, skills, tools, history, message.
    Agent(Box<AgentArgs>),
    /// Conversations: import those of other programs, add messages to our own.
    #[command(subcommand)]
    Session(SessionVerb),
    /// Conversations that branch: trees of nodes, paths through them, and contexts made of paths.
    Loom(Box<LoomArgs>),
    /// Ask a model for summaries of files that have none.
    Summarize(Box<SummarizeArgs>),
    /// What is kept between runs: summaries that models wrote, and derived results.
    #[command(subcommand)]
    Cache(CacheVerb),
    /// Serve this project to agents by the Model Context Protocol, over standard input and output.
    Mcp(McpArgs),
    /// Enter the MCP server into the settings of a client: shows the difference and asks.
    Setup(SetupArgs),
    /// Projects of other programs.
    #[command(subcommand)]
    Import(ImportVerb),
    /// Delete old numbered documents.
    Prune(PruneArgs),
    /// Write a commented contexture.toml.
    Init,
    /// Show or change settings.
    Config(ConfigArgs),
    /// Check the installation and print what is used.
    Doctor,
    /// Print a completion script.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page; with --dir, write one for each verb.
    Man {
        /// Folder to write all pages to.
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
}

#[derive(Args, Debug)]
pub struct BuildArgs {
    #[command(flatten)]
    pub paths: Paths,
    #[command(flatten)]
    pub select: SelectArgs,
    /// A document for people, or a request with it: a list of messages, or the body of a request to one API.
    #[arg(long, value_name = "F", default_value = "md", value_parser = formats(DOCUMENT))]
    pub format: Format,
    #[command(flatten)]
    pub request: RequestArgs,
    #[command(flatten)]
    pub parts: PartsArgs,
    /// Write here; `-` is standard output.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Put the document on the clipboard instead of writing a file.
    #[arg(long)]
    pub copy: bool,
    /// Leave no manifest: `runs` will not know of this document.
    #[arg(long)]
    pub no_manifest: bool,
}

/// What a document has beside its files, and how it is put together.
#[derive(Args, Debug)]
pub struct PartsArgs {
    /// Leave the discussion out.
    #[arg(long, conflicts_with = "history_only")]
    pub no_history: bool,
    /// Only the discussion.
    #[arg(long)]
    pub history_only: bool,
    /// Fail, and write nothing, when something could not be read or shown as wished.
    #[arg(long)]
    pub strict: bool,
    /// Number the lines of files.
    #[arg(long, short = 'n')]
    pub line_numbers: bool,
    /// A picture of the folders before the files.
    #[arg(long, value_name = "WHICH", default_value = "none")]
    pub tree: Tree,
    /// Changes since a revision as a section of their own [default revision: HEAD]. Put PATHs before it.
    #[arg(long, value_name = "REV", num_args = 0..=1, default_missing_value = "HEAD")]
    pub diff: Option<String>,
    /// The newest N commits as a section of their own.
    #[arg(long, value_name = "N")]
    pub log: Option<usize>,
    /// Revision the `diff` view compares with.
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub base: String,
    /// Embed screenshots as links or as base64 data.
    #[arg(long, value_name = "HOW", value_parser = ["link", "base64"])]
    pub embed: Option<String>,
}

/// What a request says beside the document.
#[derive(Args, Debug, Clone, Default)]
pub struct RequestArgs {
    /// In a request: what is asked of the document; `-` is standard input [default: the query].
    #[arg(long, short, value_name = "TEXT", help_heading = REQUEST)]
    pub message: Option<String>,
    /// In a request: how long the answer may be, in tokens.
    // The largest window that any model has; no answer is longer.
    #[arg(long, value_name = "N", help_heading = REQUEST, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub max_answer: Option<u64>,
    /// In a request: no marks for the provider's cache.
    #[arg(long, help_heading = REQUEST)]
    pub no_marks: bool,
}

#[derive(Args, Debug)]
pub struct SendArgs {
    #[command(flatten)]
    pub paths: Paths,
    #[command(flatten)]
    pub select: SelectArgs,
    #[command(flatten)]
    pub parts: PartsArgs,
    #[command(flatten)]
    pub request: RequestArgs,
    /// Whose API is asked [default: that of the model, or of the persona's first one].
    #[arg(long, value_name = "P", value_parser = vias())]
    pub provider: Option<Via>,
    /// Another server that speaks the provider's API.
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// The variable that holds the key [default: the provider's own, as ANTHROPIC_API_KEY].
    #[arg(long, value_name = "NAME")]
    pub key_env: Option<String>,
    /// How freely the model answers, from 0 to 2.
    #[arg(long, value_name = "X", value_parser = temperature, allow_negative_numbers = true)]
    pub temperature: Option<f64>,
    /// Seconds for all of it.
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: u64,
    /// Send nothing: tell what would be sent, and what it would cost.
    #[arg(long)]
    pub dry_run: bool,
    /// Leave no manifest: `runs` will not know of it.
    #[arg(long)]
    pub no_manifest: bool,
}

#[derive(Args, Debug)]
pub struct CheckArgs {
    /// The body of a request, as JSON; `-` is standard input.
    pub file: PathBuf,
    /// Whose API it is for.
    #[arg(long, value_name = "P", value_parser = providers())]
    pub provider: Api,
}

/// No API takes more than 2.
fn temperature(word: &str) -> Result<f64, String> {
    let number = word.parse().ok().filter(|number| (0.0..=2.0).contains(number));
    number.ok_or_else(|| "it is a number from 0 to 2".to_owned())
}

fn vias() -> impl TypedValueParser<Value = Via> {
    PossibleValuesParser::new(Via::WORDS).map(|word| Via::parse(&word).unwrap_or(Via::GeminiCli))
}

fn providers() -> impl TypedValueParser<Value = Api> {
    PossibleValuesParser::new(Api::ALL.map(Api::as_str)).map(|word| Api::parse(&word).unwrap_or(Api::OpenAi))
}

#[derive(Args, Debug)]
pub struct ShowArgs {
    /// The file.
    pub path: String,
    /// Which view [default: full, or masked with --mask].
    #[arg(long, value_name = "MODE")]
    pub view: Option<View>,
    /// Show a symbol whole, by its signature, or not at all: SYMBOL=def|sig|hide. May be repeated.
    #[arg(long, value_name = "SYMBOL=MODE")]
    pub mask: Vec<String>,
    /// Revision the `diff` view compares with.
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub base: String,
    /// Number the lines.
    #[arg(long, short = 'n')]
    pub line_numbers: bool,
    /// Leave out a summary that a model wrote.
    #[arg(long)]
    pub no_written: bool,
    #[command(flatten)]
    pub safety: SafetyArgs,
}

#[derive(Args, Debug)]
pub struct SymbolsArgs {
    /// The file.
    pub path: String,
}

#[derive(Args, Debug)]
pub struct RelatedArgs {
    /// Files of the composition.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<String>,
    /// Look among the files of this preset.
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// How many at most.
    #[arg(long, value_name = "N", default_value_t = 24)]
    pub limit: usize,
}

#[derive(Args, Debug)]
pub struct TokensArgs {
    #[command(flatten)]
    pub paths: Paths,
    #[command(flatten)]
    pub which: WhichArgs,
    /// Folders as a tree, largest first.
    #[arg(long)]
    pub tree: bool,
}

#[derive(Args, Debug)]
pub struct ScanArgs {
    #[command(flatten)]
    pub paths: Paths,
    /// Take the composition of this preset.
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// Only files that match; as in .gitignore. May be repeated.
    #[arg(long, value_name = "GLOB")]
    pub include: Vec<String>,
    /// No files that match; as in .gitignore. May be repeated.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
}

#[derive(Args, Debug)]
pub struct WhyArgs {
    /// The file or folder to ask about.
    pub path: String,
    #[command(flatten)]
    pub select: SelectArgs,
}

#[derive(Args, Debug)]
pub struct StatsArgs {
    #[command(flatten)]
    pub paths: Paths,
    #[command(flatten)]
    pub which: WhichArgs,
}

#[derive(Subcommand, Debug)]
pub enum SliceVerb {
    /// Mark lines of a file and print the slice, to be put into custom_slices of its entry.
    Make {
        /// The file.
        path: String,
        /// First and last line, counted from 1: 10-20, or 10 alone.
        #[arg(value_name = "A-B")]
        lines: String,
        /// A name for it.
        #[arg(long, value_name = "T")]
        tag: Option<String>,
        /// What it is for.
        #[arg(long, value_name = "C")]
        comment: Option<String>,
    },
    /// Say where a slice is now.
    Resolve {
        /// The file.
        path: String,
        /// The slice, or a list of them, as `make` printed it; `-` is standard input.
        #[arg(long, value_name = "FILE")]
        slice: PathBuf,
    },
    /// Store the slices of the composition as they are now; what is lost or ambiguous stays.
    Refresh {
        /// Only slices of these files.
        #[arg(value_name = "PATH")]
        paths: Vec<String>,
    },
}

#[derive(Subcommand, Debug)]
pub enum PresetVerb {
    /// Save the composition (or PATHs) under a name.
    Save {
        name: String,
        /// Entries to save instead of the current composition.
        paths: Vec<String>,
        #[arg(long, default_value = "")]
        description: String,
        /// Read the entries from a TOML or JSON file; `-` is standard input.
        #[arg(long, value_name = "FILE", conflicts_with = "paths")]
        from: Option<PathBuf>,
        /// Save for all projects of this user.
        #[arg(long)]
        global: bool,
    },
    /// List presets; those of the project win over global ones.
    List,
    /// Print a preset and what of it is missing.
    Show { name: String },
    /// Make a preset the project's composition.
    Apply { name: String },
    /// What differs between two presets, or between a preset and the composition.
    Diff { a: String, b: Option<String> },
    /// Remove a preset.
    Rm {
        name: String,
        #[arg(long)]
        global: bool,
    },
}

#[derive(Args, Debug)]
pub struct AgentArgs {
    /// The current message; `-` reads it from standard input. Without it, the session's end is answered.
    #[arg(long, short, value_name = "TEXT")]
    pub message: Option<String>,
    /// The workspace: SOUL.md, AGENTS.md, TOOLS.md, memory/MEMORY.md, skills/NAME/SKILL.md [default: agent.workspace, or a
    /// folder in the user's data folder].
    #[arg(long, value_name = "DIR")]
    pub workspace: Option<PathBuf>,
    /// The conversation so far: a file of any known format, or the name of a session in the workspace.
    #[arg(long, value_name = "FILE")]
    pub session: Option<PathBuf>,
    #[command(flatten)]
    pub import: ImportArgs,
    /// The most tokens the context may have [default: 4000].
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u64>,
    /// The limit is the window of this model, less room for its answer; `--max-tokens` beats it.
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// What memories may take together [default: 2000].
    #[arg(long, value_name = "N")]
    pub memory_tokens: Option<u64>,
    /// At most so many memories [default: agent.max_memory_entries].
    #[arg(long, value_name = "N")]
    pub max_memories: Option<usize>,
    /// At most so many of the newest messages [default: agent.max_history_messages].
    #[arg(long, value_name = "N")]
    pub max_messages: Option<usize>,
    /// Put memories, and skills that the message names, next to the message: what stands before them stays in a cache.
    #[arg(long)]
    pub near_message: bool,
    /// Schemas of tools as JSON, in the shape of any provider.
    #[arg(long, value_name = "FILE")]
    pub tools: Option<PathBuf>,
    /// Also read AGENTS.md as coding agents do: from the repository of this folder down to the folder.
    #[arg(long, value_name = "DIR")]
    pub agents_from: Option<PathBuf>,
    /// What is written: messages, the body of a request, or a document to read.
    #[arg(long, value_name = "F", default_value = "messages", value_parser = formats(TALK))]
    pub format: Format,
    /// Count with this tokenizer; those of `claude` and `gemini` are estimates.
    #[arg(long, value_name = "T", value_parser = ["o200k_base", "cl100k_base", "estimate", "claude", "gemini"])]
    pub tokenizer: Option<String>,
    /// Write here instead of to standard output.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Leave no manifest: `runs` will not know of this context.
    #[arg(long)]
    pub no_manifest: bool,
    #[command(flatten)]
    pub safety: SafetyArgs,
}

/// Which conversation of a file, and how much of it.
#[derive(Args, Debug, Clone, Default)]
pub struct ImportArgs {
    /// Of a conversation with branches: the id of the message to end with.
    #[arg(long, value_name = "ID")]
    pub leaf: Option<String>,
    /// Of a file with several conversations: an id or a title [default: the newest].
    #[arg(long, value_name = "NAME")]
    pub conversation: Option<String>,
    /// What was said before a compaction instead of its summary.
    #[arg(long)]
    pub full_log: bool,
}

#[derive(Subcommand, Debug)]
pub enum SessionVerb {
    /// Read a conversation of another program and print it in our format. Known: OpenAI, Anthropic, Claude Code, Codex, pi and
    /// OpenClaw, nanobot, miniclaw, ChatGPT and Claude exports.
    Import {
        /// The file; its format is seen from what is in it.
        file: PathBuf,
        #[command(flatten)]
        import: ImportArgs,
        /// Write here instead of to standard output.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Add a message to a session file of ours; it is on disk for good when this returns.
    Append {
        /// The session file; made if it is missing.
        file: PathBuf,
        /// Who says it.
        #[arg(long, value_name = "ROLE")]
        role: String,
        /// What is said; `-` reads it from standard input.
        #[arg(long, value_name = "TEXT")]
        content: String,
        /// Of a tool's result: the id of the call it answers.
        #[arg(long, value_name = "ID")]
        tool_call_id: Option<String>,
        /// Of an assistant: calls as JSON, [{"id": …, "name": …, "arguments": …}].
        #[arg(long, value_name = "JSON")]
        tool_calls: Option<String>,
    },
}

#[derive(Args, Debug)]
pub struct PruneArgs {
    /// Keep the newest N [default: output.keep].
    #[arg(long, value_name = "N", conflicts_with = "days")]
    pub keep: Option<u64>,
    /// Keep those of the last D days.
    #[arg(long, value_name = "D")]
    pub days: Option<u64>,
}

#[derive(Args, Debug)]
pub struct ConfigArgs {
    #[command(subcommand)]
    pub verb: Option<ConfigVerb>,
    /// Say for each setting who set it.
    #[arg(long)]
    pub origins: bool,
}

#[derive(Subcommand, Debug)]
pub enum ConfigVerb {
    /// Print one setting.
    Get { key: String },
    /// Change one setting in contexture.toml; comments stay.
    Set {
        key: String,
        value: String,
        /// Change the settings of this user instead.
        #[arg(long)]
        global: bool,
    },
    /// Print a JSON Schema of contexture.toml.
    Schema,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum View {
    Full,
    Summary,
    Skeleton,
    Outline,
    Masked,
    Custom,
    Diff,
    Name,
    None,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum Tree {
    None,
    Selected,
    Full,
}
