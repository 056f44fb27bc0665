//! The command line as data. `--help`, completions and man pages are made from it.

#[cfg(test)]
mod doors;
mod loom;

pub use loom::{AssembleArgs, GenerateArgs, LoomArgs, LoomVerb, StashArgs};

use clap::{Args, Parser, Subcommand};
use contexture::requests::{
    AgentRequest, CacheClearRequest, CacheVerifyRequest, CheckRequest, ConfigSetRequest, ConversationChoice,
    NameRequest, Only, PresetDiffRequest, PresetRemoveRequest, PresetSaveRequest, PruneRequest, RelatedRequest,
    ReplayRequest, RunRequest, RunsDiffRequest, RunsListRequest, SearchRequest, SendRequest, SessionAppendRequest,
    SettingRequest, SetupRequest, SliceRequest, SlicesRefreshRequest, SlicesRequest, SummarizeRequest, SymbolsRequest,
    verbs,
};
use std::net::SocketAddr;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Exit codes: 0 done; 1 failed; 2 usage or configuration; 3 does not fit the budget; 4 blocked by policy (secrets), or found by scan; \
5 an input could not be read, under --strict; \
6 conflict; 7 provider; 8 verification failed; 130 interrupted.
Standard output carries data, standard error carries messages. NO_COLOR is respected.";

/// Options of every verb, listed apart from the verb's own.
const GLOBAL: &str = "Global options";

/// Compile project files into the exact document a language model reads
///
/// Without a verb, show a plan of this folder: files, tokens, largest files, warnings, next commands. Nothing is written.
#[derive(Parser, Debug)]
#[command(name = "contexture", version, after_help = AFTER_HELP, infer_subcommands = false, args_conflicts_with_subcommands = false)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(flatten)]
    pub plan: PlanArgs,
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

#[derive(Args, Debug, Clone)]
pub struct Global {
    /// Project folder; repeat it to add more roots
    #[arg(long, value_name = "DIR", global = true, help_heading = GLOBAL)]
    pub root: Vec<PathBuf>,
    /// Print JSON on standard output
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub json: bool,
    /// Read this file instead of the project's contexture.toml
    #[arg(long, value_name = "FILE", global = true, help_heading = GLOBAL)]
    pub config: Option<PathBuf>,
    /// Do not use the cache
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub no_cache: bool,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", global = true, help_heading = GLOBAL, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print only errors on standard error
    #[arg(long, short, global = true, help_heading = GLOBAL)]
    pub quiet: bool,
    /// Print logs on standard error; twice for more
    #[arg(long, short, global = true, help_heading = GLOBAL, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Print the time spent in each stage on standard error
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub timings: bool,
}

/// The options of a plan, and a query that may come from a file.
#[derive(Args, Debug, Clone)]
pub struct PlanArgs {
    #[command(flatten)]
    pub document: Only<verbs::Plan>,
    #[command(flatten)]
    pub query: QueryFile,
}

#[derive(Args, Debug, Clone)]
pub struct QueryFile {
    /// Read the query from a file; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "query")]
    pub query_file: Option<PathBuf>,
}

/// Where `serve` listens if no address is given; the next free port if it is in use.
pub const PORT: u16 = 7878;

#[derive(Args, Debug)]
pub struct ServeArgs {
    #[arg(
        long,
        value_name = "ADDRESS:PORT",
        help = format!("Address to listen on [default: 127.0.0.1:{PORT}, or the next free port]")
    )]
    pub listen: Option<SocketAddr>,
    /// Open the panel in the browser
    #[arg(long)]
    pub open: bool,
}

#[derive(Args, Debug, Clone)]
pub struct Paths {
    /// Files, folders or globs; `-` reads paths from standard input, one per line
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Read paths from standard input, separated by NUL bytes
    #[arg(long)]
    pub stdin0: bool,
}

#[derive(Subcommand, Debug)]
pub enum Verb {
    /// Compile the document and write it to a numbered file
    Build(Box<BuildArgs>),
    /// Print one view of a file
    Show(ShowArgs),
    /// List the symbols that a file defines
    Symbols(SymbolsRequest),
    /// Rank files and symbols for a question, an error message or an issue
    Search(Box<SearchArgs>),
    /// List files that the given files import or mention
    Related(Box<RelatedArgs>),
    /// Count the tokens of files and folders
    Tokens(TokensArgs),
    /// Send the document with a question to a model and print the answer
    Send(Box<SendArgs>),
    /// Serve the panel and every operation over HTTP on this machine
    Serve(ServeArgs),
    /// Check whether a provider would accept a request
    Check(CheckArgs),
    /// List possible secrets and hidden characters; exit code 4 if there are any
    Scan(ScanArgs),
    /// Explain why a file is in the document, or why not
    Why(WhyArgs),
    /// Show bytes, lines, tokens and symbols by language and folder
    Stats(StatsArgs),
    /// Mark lines of a file and find them again after changes
    #[command(subcommand)]
    Slice(SliceVerb),
    /// Save and use named compositions
    #[command(subcommand)]
    Preset(PresetVerb),
    /// Show personas: named presets with a prompt, models and a budget
    #[command(subcommand)]
    Persona(PersonaVerb),
    /// List, compare and replay earlier runs
    Runs(RunsArgs),
    /// Assemble the context of an agent's next call from its workspace and session
    Agent(Box<AgentArgs>),
    /// Import conversations of other programs, and add messages to a session
    #[command(subcommand)]
    Session(SessionVerb),
    /// Work with conversations that branch: trees, paths, and contexts from paths
    Loom(Box<LoomArgs>),
    /// Have a model write summaries of files that have none
    Summarize(Box<SummarizeArgs>),
    /// Inspect and clear summaries and other results kept between runs
    #[command(subcommand)]
    Cache(CacheVerb),
    /// Serve this project to agents over the Model Context Protocol
    Mcp(McpArgs),
    /// Add the MCP server to the settings of a client, after showing the change
    Setup(SetupArgs),
    /// Import projects of other programs
    #[command(subcommand)]
    Import(ImportVerb),
    /// Delete old numbered documents
    Prune(PruneRequest),
    /// Write a commented contexture.toml
    Init,
    /// Show or change settings
    Config(ConfigArgs),
    /// Check the installation and print its paths
    Doctor,
    /// Print a completion script for a shell
    Completions {
        /// Shell to complete for
        shell: clap_complete::Shell,
    },
    /// Print the manual page; with --dir, write one per verb
    Man {
        /// Folder to write all pages to
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
}

#[derive(Args, Debug)]
pub struct BuildArgs {
    #[command(flatten)]
    pub paths: Paths,
    #[command(flatten)]
    pub document: Only<verbs::Build>,
    #[command(flatten)]
    pub query: QueryFile,
    #[command(flatten)]
    pub history: HistoryArgs,
    /// Write to this file; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Put the document on the clipboard instead of writing a file
    #[arg(long)]
    pub copy: bool,
}

/// Whether the discussion is part of the document.
#[derive(Args, Debug)]
pub struct HistoryArgs {
    /// Leave the discussion out
    #[arg(long, conflicts_with = "history_only")]
    pub no_history: bool,
    /// Show only the discussion
    #[arg(long)]
    pub history_only: bool,
}

#[derive(Args, Debug)]
pub struct SendArgs {
    #[command(flatten)]
    pub paths: Paths,
    #[command(flatten)]
    pub document: Only<verbs::Send>,
    #[command(flatten)]
    pub query: QueryFile,
    #[command(flatten)]
    pub history: HistoryArgs,
    #[command(flatten)]
    pub request: SendRequest,
    #[command(flatten)]
    pub key: KeyArgs,
}

/// Where the key of a provider comes from.
#[derive(Args, Debug)]
pub struct KeyArgs {
    /// Variable with the key [default: the provider's, such as ANTHROPIC_API_KEY]
    #[arg(long, value_name = "NAME")]
    pub key_env: Option<String>,
}

#[derive(Args, Debug)]
pub struct CheckArgs {
    /// File with the body of a request, as JSON; `-` is standard input
    pub file: PathBuf,
    #[command(flatten)]
    pub request: CheckRequest,
}

#[derive(Args, Debug)]
pub struct ShowArgs {
    /// File to show
    pub path: String,
    #[command(flatten)]
    pub document: Only<verbs::Show>,
    /// Show a symbol whole, as its signature, or not at all; may be repeated
    #[arg(long, value_name = "SYMBOL=def|sig|hide")]
    pub mask: Vec<String>,
}

#[derive(Args, Debug)]
pub struct SearchArgs {
    #[command(flatten)]
    pub search: SearchRequest,
    /// Another way to give QUERY, as in the other commands
    #[arg(long = "query", value_name = "TEXT", conflicts_with_all = ["query", "query_file"])]
    pub query_option: Option<String>,
    #[command(flatten)]
    pub query: QueryFile,
    /// Print the passages that answer the query
    #[arg(long)]
    pub code: bool,
}

#[derive(Args, Debug)]
pub struct RelatedArgs {
    #[command(flatten)]
    pub related: RelatedRequest,
    #[command(flatten)]
    pub document: Only<verbs::Related>,
}

#[derive(Args, Debug)]
pub struct TokensArgs {
    #[command(flatten)]
    pub paths: Paths,
    #[command(flatten)]
    pub document: Only<verbs::Count>,
    /// Show folders as a tree, largest first
    #[arg(long)]
    pub tree: bool,
}

#[derive(Args, Debug)]
pub struct ScanArgs {
    #[command(flatten)]
    pub paths: Paths,
    #[command(flatten)]
    pub document: Only<verbs::Scan>,
}

#[derive(Args, Debug)]
pub struct WhyArgs {
    /// File or folder to ask about, or PATH:SYMBOL
    pub path: String,
    #[command(flatten)]
    pub plan: PlanArgs,
}

#[derive(Args, Debug)]
pub struct StatsArgs {
    #[command(flatten)]
    pub paths: Paths,
    #[command(flatten)]
    pub document: Only<verbs::Count>,
}

#[derive(Subcommand, Debug)]
pub enum SliceVerb {
    /// Mark lines of a file and print the slice for `custom_slices` of its entry
    Make {
        #[command(flatten)]
        slice: SliceRequest,
        /// First and last line, counted from 1: 10-20, or 10 alone
        #[arg(value_name = "A-B")]
        lines: String,
    },
    /// Show where a slice is now
    Resolve {
        #[command(flatten)]
        slices: SlicesRequest,
        /// Slice, or list of slices, as `make` printed it; `-` is standard input
        #[arg(long, value_name = "FILE")]
        slice: PathBuf,
    },
    /// Update the stored lines of slices; lost and ambiguous ones stay as they are
    Refresh(SlicesRefreshRequest),
}

#[derive(Subcommand, Debug)]
pub enum PresetVerb {
    /// Save the composition, or PATHs, under a name
    Save {
        #[command(flatten)]
        preset: PresetSaveRequest,
        /// Entries to save instead of the current composition
        paths: Vec<String>,
        /// Read the entries from a TOML or JSON file; `-` is standard input
        #[arg(long, value_name = "FILE", conflicts_with = "paths")]
        from: Option<PathBuf>,
    },
    /// List presets; those of the project win over global ones
    List,
    /// Print a preset and its missing files
    Show(NameRequest),
    /// Make a preset the project's composition
    Apply(NameRequest),
    /// Compare two presets, or a preset with the composition
    Diff(PresetDiffRequest),
    /// Remove a preset
    Rm(PresetRemoveRequest),
}

#[derive(Args, Debug)]
pub struct AgentArgs {
    #[command(flatten)]
    pub request: AgentRequest,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

fn known_formats() -> String {
    format!("Formats, detected by content: {}", contexture_conversations::sessions::KNOWN.join(", "))
}

#[derive(Subcommand, Debug)]
pub enum SessionVerb {
    /// Convert a conversation of another program into our format
    #[command(after_help = known_formats())]
    Import {
        /// The file; its format is detected from its content
        file: PathBuf,
        #[command(flatten)]
        choice: ConversationChoice,
        /// Write to this file instead of standard output
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Add a message to a session file, durably
    Append(SessionAppendRequest),
}

#[derive(Args, Debug)]
pub struct ConfigArgs {
    #[command(subcommand)]
    pub verb: Option<ConfigVerb>,
    /// Print where each setting comes from
    #[arg(long)]
    pub origins: bool,
}

#[derive(Subcommand, Debug)]
pub enum ConfigVerb {
    /// Print one setting
    Get(SettingRequest),
    /// Change one setting in contexture.toml, keeping comments
    Set(ConfigSetRequest),
    /// Print a JSON Schema of contexture.toml
    Schema,
}

#[derive(Args, Debug)]
pub struct RunsArgs {
    #[command(subcommand)]
    pub verb: Option<RunsVerb>,
}

#[derive(Subcommand, Debug)]
pub enum RunsVerb {
    /// List the runs of this project, newest first
    List(RunsListRequest),
    /// Print what a run showed and why
    Show {
        #[command(flatten)]
        run: RunRequest,
        /// Print the exact bytes of its request instead
        #[arg(long, conflicts_with = "response")]
        request: bool,
        /// Print the raw answer instead
        #[arg(long)]
        response: bool,
    },
    /// Compare two runs: what differs, the first byte that differs, and why
    Diff(RunsDiffRequest),
    /// Compile the document of a run again: the same bytes, or what changed
    Replay {
        #[command(flatten)]
        replay: ReplayRequest,
        /// Write to this file; `-` is standard output
        #[arg(long, short, value_name = "FILE", default_value = "-")]
        output: PathBuf,
    },
}

#[derive(Subcommand, Debug)]
pub enum PersonaVerb {
    /// List personas; those of the project win over global ones
    List,
    /// Print a persona and its settings
    Show(NameRequest),
}

#[derive(Subcommand, Debug)]
pub enum ImportVerb {
    /// Convert manual_slop.toml into a contexture.toml
    ManualSlop {
        /// File of the project
        file: PathBuf,
        /// Write to this file instead of standard output
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Replace an existing file
        #[arg(long, requires = "output")]
        force: bool,
    },
}

#[derive(Args, Debug)]
pub struct SummarizeArgs {
    #[command(flatten)]
    pub paths: Paths,
    #[command(flatten)]
    pub document: Only<verbs::Summarize>,
    #[command(flatten)]
    pub request: SummarizeRequest,
    #[command(flatten)]
    pub key: KeyArgs,
    /// Fail if a summary could not be written; the others are kept
    #[arg(long)]
    pub strict: bool,
}

#[derive(Subcommand, Debug)]
pub enum CacheVerb {
    /// List which files have a summary that a model wrote, who wrote it and when
    Status {
        #[command(flatten)]
        paths: Paths,
        #[command(flatten)]
        document: Box<Only<verbs::CacheStatus>>,
    },
    /// Remove summaries
    Clear(CacheClearRequest),
    /// Remove summaries of contents that no file of this project has any more
    Gc,
    /// Read everything that is kept and list what is damaged
    Verify(CacheVerifyRequest),
}

#[derive(Args, Debug)]
pub struct McpArgs {
    /// Let agents add nodes to trees and write numbered documents
    #[arg(long)]
    pub allow_write: bool,
    /// Serve over streamable HTTP at /mcp; the token is printed on standard error
    #[arg(long)]
    pub http: bool,
    /// Address of this machine to listen on; port 0 chooses a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0", requires = "http")]
    pub listen: SocketAddr,
}

#[derive(Args, Debug)]
pub struct SetupArgs {
    #[command(flatten)]
    pub setup: SetupRequest,
    /// Write without asking
    #[arg(long, short)]
    pub yes: bool,
    /// Print the change and write nothing
    #[arg(long, conflicts_with = "yes")]
    pub dry_run: bool,
}
