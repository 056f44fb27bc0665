//! The verbs of `loom`. Their options are the requests of the library; what only a terminal has is added here.

use clap::{Args, Subcommand};
use contexture::requests::{
    AddNodeRequest, AgentSettings, AssembleRequest, BookmarkRequest, ExportTreeRequest, ForkRequest, GenerateRequest,
    NewTreeRequest, NodeTextRequest, OutlineRequest, SetTreeRequest, TreeImportOptions, VerifyTreesRequest,
    WalkPathRequest, WhichTree,
};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct LoomArgs {
    #[command(flatten)]
    pub which: WhichTree,
    #[command(subcommand)]
    pub verb: LoomVerb,
}

#[derive(Subcommand, Debug)]
pub enum LoomVerb {
    /// Make a tree and use it from now on; `--system -` reads standard input
    New(NewTreeRequest),
    /// List the trees of the store
    List,
    /// Show or change the settings of a tree, or use another; `--system -` reads standard input
    Set(SetTreeRequest),
    /// List agents, or show, make or change one; `--system -` reads standard input
    Agent {
        /// Name of the agent
        name: Option<String>,
        #[command(flatten)]
        settings: AgentSettings,
    },
    /// Add a node at the end of the path, or after another node; `-` reads standard input
    Add(AddNodeRequest),
    /// Write a new version of a node, beside the old one; `-` reads standard input
    Edit(NodeTextRequest),
    /// Begin a new path at a node; the next node added is another branch there
    Fork(ForkRequest),
    /// Print the path from the root to its end, or move its end to a node
    Path {
        #[command(flatten)]
        walk: WalkPathRequest,
        /// List the paths of the tree and where they end
        #[arg(long, conflicts_with_all = ["node", "choose", "in_use"])]
        list: bool,
    },
    /// Draw the tree, or print a node with its connections
    Show {
        /// Node, by id or short id
        node: Option<String>,
        #[command(flatten)]
        outline: OutlineRequest,
    },
    /// Leave nodes out of every context
    Exclude(MarkArgs),
    /// Hide a node and everything after it; `restore` brings it back
    Prune(NodesArgs),
    /// Bring back what was pruned with a node
    Restore(NodesArgs),
    /// Keep nodes in the operational memory of agents that know of the tree
    Pin(MarkArgs),
    /// Bookmark a node
    Bookmark(BookmarkRequest),
    /// Add a remark to a node, outside of the conversation; `-` reads standard input
    Annotate(NodeTextRequest),
    /// Keep a text under a label for agents that know of the tree; without a label, list all
    Stash(StashArgs),
    /// Compile a path into messages, a request or a text; `--working -` reads standard input
    Assemble(Box<AssembleArgs>),
    /// Ask a server with OpenAI's API to continue a path; `--working -` reads standard input
    Generate(Box<GenerateArgs>),
    /// Write the tree to a file
    Export {
        #[command(flatten)]
        export: ExportTreeRequest,
        /// Write here instead of to standard output; a folder for loom-engine
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Import trees of contexture, pyloom, loomsidian, loom-engine, pi or ChatGPT
    Import {
        /// File or folder, whose format is detected; `-` is standard input
        file: PathBuf,
        #[command(flatten)]
        options: TreeImportOptions,
    },
    /// Check the store: its bytes, its references, and every rule of trees
    Verify(VerifyTreesRequest),
}

#[derive(Args, Debug)]
pub struct NodesArgs {
    /// Nodes, by id or short id
    #[arg(value_name = "NODE", required = true)]
    pub nodes: Vec<String>,
}

#[derive(Args, Debug)]
pub struct MarkArgs {
    #[command(flatten)]
    pub nodes: NodesArgs,
    /// Remove the mark
    #[arg(long)]
    pub undo: bool,
}

#[derive(Args, Debug)]
pub struct StashArgs {
    /// Label of the stash
    pub label: Option<String>,
    /// Text to keep; `-` reads it from standard input
    #[arg(allow_hyphen_values = true)]
    pub text: Option<String>,
    /// Show the text in contexts
    #[arg(long, conflicts_with_all = ["put_away", "drop"])]
    pub recall: bool,
    /// Show only the label in contexts
    #[arg(long, conflicts_with = "drop")]
    pub put_away: bool,
    /// Delete the stash
    #[arg(long)]
    pub drop: bool,
}

#[derive(Args, Debug)]
pub struct AssembleArgs {
    #[command(flatten)]
    pub request: AssembleRequest,
    /// Write here instead of to standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct GenerateArgs {
    #[command(flatten)]
    pub request: GenerateRequest,
    /// Variable that holds the key [default: CONTEXTURE_API_KEY]
    #[arg(long, value_name = "VARIABLE")]
    pub key_env: Option<String>,
}
