//! The verbs of `loom`.

use super::{PATH, SafetyArgs, formats};
use clap::{Args, Subcommand};
use contexture_core::Format;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct LoomArgs {
    /// The store of trees [default: store.url, or a file in the user's data folder].
    #[arg(long, value_name = "FILE", global = true, help_heading = "Store and tree")]
    pub store: Option<PathBuf>,
    /// The tree: its id, short id or title [default: the one that was used last].
    #[arg(long, value_name = "TREE", global = true, help_heading = "Store and tree")]
    pub tree: Option<String>,
    #[command(subcommand)]
    pub verb: LoomVerb,
}

#[derive(Subcommand, Debug)]
pub enum LoomVerb {
    /// Make a tree; it is the one in use from then on.
    New {
        /// What it is called.
        title: String,
        /// Messages of people and models, or one continuous text.
        #[arg(long, value_name = "MODE", default_value = "dialogue", value_parser = ["dialogue", "buffer"])]
        mode: String,
        #[command(flatten)]
        settings: TreeArgs,
    },
    /// List the trees of the store.
    List,
    /// Show or change the settings of the tree, or use another tree.
    Set {
        /// Make this the tree in use.
        #[arg(long = "use")]
        in_use: bool,
        /// Another title.
        #[arg(long, value_name = "TEXT")]
        title: Option<String>,
        #[command(flatten)]
        settings: TreeArgs,
        /// What the tree is to leave to the settings again. May be repeated.
        #[arg(long, value_name = "KEY", value_parser = ["strategy", "minimum-recent-nodes", "token-buffer"])]
        unset: Vec<String>,
    },
    /// List agents, look at one, or make and change one: who writes nodes, its system prompt, model and permissions.
    Agent {
        /// Its name.
        name: Option<String>,
        /// A person or a model; a new one needs it.
        #[arg(long, value_name = "KIND", value_parser = ["human", "model"])]
        kind: Option<String>,
        /// Stands first in the system context; empty for none.
        #[arg(long, value_name = "TEXT")]
        system: Option<String>,
        /// The model that answers for it; empty for none.
        #[arg(long, value_name = "NAME")]
        model: Option<String>,
        /// What it may do: loom_aware, loom_write, loom_generate, doc_read, doc_write, separated by commas; empty for nothing.
        #[arg(long, value_name = "LIST")]
        allow: Option<String>,
    },
    /// Add a node where the path ends, or below another node.
    Add {
        /// What is said, to the byte; `-` reads it from standard input.
        #[arg(allow_hyphen_values = true)]
        text: String,
        /// The node it continues; several are joined in order.
        #[arg(long, short, value_name = "NODE")]
        parent: Vec<String>,
        #[command(flatten)]
        who: WhoArgs,
        /// A node that stands before the one it continues, as reference.
        #[arg(long, value_name = "NODE")]
        context: Vec<String>,
        /// A node that is added to the system context.
        #[arg(long, value_name = "NODE")]
        instruction: Vec<String>,
        /// A picture that belongs to the text.
        #[arg(long, value_name = "FILE")]
        image: Vec<PathBuf>,
        /// Leave the path where it is.
        #[arg(long)]
        stay: bool,
    },
    /// Write a new version of a node; the old one stays.
    Edit {
        /// The node, by its short id.
        node: String,
        /// What it says instead, to the byte; `-` reads it from standard input. Pictures and calls stay.
        #[arg(allow_hyphen_values = true)]
        text: String,
        #[command(flatten)]
        who: WhoArgs,
    },
    /// Begin a new path at a node; the next node added is another branch there.
    Fork {
        /// The node, by its short id.
        node: String,
        /// What the path is called [default: the short id of the node, with a number where there is one already].
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
    },
    /// Print the path from the root to its end, or move its end to a node.
    Path {
        /// Go there.
        node: Option<String>,
        /// Another path than the one in use.
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        /// Where a node continues several, or has several versions: take this one.
        #[arg(long, value_name = "NODE")]
        choose: Vec<String>,
        /// Use the path that `--name` names from now on.
        #[arg(long = "use", requires = "name", conflicts_with = "node")]
        in_use: bool,
        /// List the paths of the tree and where they end.
        #[arg(long, conflicts_with_all = ["node", "choose", "in_use"])]
        list: bool,
    },
    /// Draw the tree, or print a node with all that belongs to it.
    Show {
        /// A node, by its short id.
        node: Option<String>,
        /// Draw every node, however many there are.
        #[arg(long)]
        all: bool,
        /// Count tokens with this tokenizer.
        #[arg(long, value_name = "T", value_parser = ["o200k_base", "cl100k_base", "estimate", "claude", "gemini"])]
        tokenizer: Option<String>,
    },
    /// Leave nodes out of every context.
    Exclude {
        /// Nodes, by their short ids.
        #[arg(required = true)]
        node: Vec<String>,
        /// Take them in again.
        #[arg(long)]
        undo: bool,
    },
    /// Put a node and all that follows from it away; `restore` brings it back.
    Prune {
        /// Nodes, by their short ids.
        #[arg(required = true)]
        node: Vec<String>,
    },
    /// Bring back what was pruned with a node.
    Restore {
        /// Nodes, by their short ids.
        #[arg(required = true)]
        node: Vec<String>,
    },
    /// Keep nodes in the operational memory of agents that know of the tree.
    Pin {
        /// Nodes, by their short ids.
        #[arg(required = true)]
        node: Vec<String>,
        /// Let go of them.
        #[arg(long)]
        undo: bool,
    },
    /// Mark a node for people.
    Bookmark {
        /// The node, by its short id.
        node: String,
        /// What the mark says.
        #[arg(long, value_name = "TEXT", default_value = "")]
        label: String,
        /// Take the mark away.
        #[arg(long)]
        undo: bool,
    },
    /// Remark on a node, outside of the conversation.
    Annotate {
        /// The node, by its short id.
        node: String,
        /// The remark; `-` reads it from standard input.
        #[arg(allow_hyphen_values = true)]
        text: String,
        #[command(flatten)]
        who: WhoArgs,
    },
    /// Put a text away under a label for agents that know of the tree; without one, list what there is.
    Stash {
        /// What it is called.
        label: Option<String>,
        /// The text; `-` reads it from standard input.
        #[arg(allow_hyphen_values = true)]
        text: Option<String>,
        /// Show its text in contexts.
        #[arg(long, conflicts_with_all = ["put_away", "drop"])]
        recall: bool,
        /// Show its label alone.
        #[arg(long, conflicts_with = "drop")]
        put_away: bool,
        /// Throw it away.
        #[arg(long)]
        drop: bool,
    },
    /// Compile a path into messages, a request, or one continuous text.
    Assemble(Box<AssembleArgs>),
    /// Ask a server that speaks OpenAI's API to continue a path, and keep its answers as nodes.
    Generate(Box<GenerateArgs>),
    /// Write the tree to a file.
    Export {
        #[arg(long, value_name = "F", default_value = "contexture", value_parser = ["contexture", "pyloom", "loomsidian", "loom-engine", "pi", "chatgpt"])]
        format: String,
        /// Write here instead of to standard output; a folder for loom-engine.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Read trees that we or other programs wrote: contexture, pyloom, loomsidian, loom-engine, pi, ChatGPT.
    Import {
        /// The file or folder; its format is seen from what is in it. `-` is standard input.
        file: PathBuf,
        /// Give everything new ids, so that a tree can be in the store twice.
        #[arg(long)]
        copy: bool,
        /// Of a file with several conversations: an id or a title [default: all of them].
        #[arg(long, value_name = "NAME")]
        conversation: Option<String>,
    },
    /// Check the store: its bytes, its references, and every rule of trees.
    Verify {
        /// Copy a damaged store aside and save everything that can be read.
        #[arg(long)]
        repair: bool,
    },
}

#[derive(Args, Debug, Clone, Default)]
pub struct TreeArgs {
    /// What the tree adds to the system context; empty for none, `-` reads it from standard input.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub system: Option<String>,
    /// Whether the system context stands before continuous text.
    #[arg(long, value_name = "BOOL")]
    pub buffer_system: Option<bool>,
    #[command(flatten)]
    pub cut: CutArgs,
}

/// What becomes of a path that does not fit.
#[derive(Args, Debug, Clone, Default)]
pub struct CutArgs {
    /// truncateMiddle, rollingWindow or stopAtLimit [default: the tree's, or budget.truncation_strategy].
    #[arg(long, value_name = "S", value_parser = ["truncateMiddle", "rollingWindow", "stopAtLimit"])]
    pub strategy: Option<String>,
    /// Of the newest nodes so many are kept if they fit [default: the tree's, or budget.minimum_recent_nodes].
    #[arg(long, value_name = "N", alias = "minimum-recent")]
    pub minimum_recent_nodes: Option<u64>,
    /// Tokens of a model's window that are kept free besides its answer [default: the tree's, or budget.token_buffer].
    #[arg(long, value_name = "N")]
    pub token_buffer: Option<u64>,
}

/// Who writes a node.
#[derive(Args, Debug, Clone, Default)]
pub struct WhoArgs {
    /// A person or a model [default: what the author is, else human].
    #[arg(long = "as", value_name = "KIND", value_parser = ["human", "model"])]
    pub kind: Option<String>,
    /// The name of an agent.
    #[arg(long, value_name = "NAME")]
    pub author: Option<String>,
}

#[derive(Args, Debug)]
pub struct AssembleArgs {
    #[command(flatten)]
    pub walk: WalkArgs,
    /// What is written [default: messages, or text of a tree in buffer mode].
    #[arg(long, value_name = "F", value_parser = formats(PATH))]
    pub format: Option<Format>,
    /// Write here instead of to standard output.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Which path, for whom, and how much of it.
#[derive(Args, Debug)]
pub struct WalkArgs {
    /// Where the path ends [default: the end of the path in use].
    pub node: Option<String>,
    /// Another path than the one in use.
    #[arg(long, value_name = "NAME")]
    pub path: Option<String>,
    /// Where a node continues several, or has several versions: take this one.
    #[arg(long, value_name = "NODE")]
    pub choose: Vec<String>,
    /// For this agent: its system prompt, its model, and what it may know of the tree.
    #[arg(long, value_name = "NAME")]
    pub agent: Option<String>,
    /// Tell of the tree: ids and times of nodes, operational memory, where the path is.
    #[arg(long)]
    pub loom_aware: bool,
    /// Take annotations of the path in, too.
    #[arg(long)]
    pub with_annotations: bool,
    /// What is written now and not yet a node: it stands last. `-` reads it from standard input.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub working: Option<String>,
    /// The most tokens the context may have [default: budget.max_tokens, or no limit].
    #[arg(long, value_name = "N", alias = "budget")]
    pub max_tokens: Option<u64>,
    /// The limit is the window of this model, less room for its answer; `--max-tokens` beats it.
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    #[command(flatten)]
    pub cut: CutArgs,
    /// Count with this tokenizer; those of `claude` and `gemini` are estimates.
    #[arg(long, value_name = "T", value_parser = ["o200k_base", "cl100k_base", "estimate", "claude", "gemini"])]
    pub tokenizer: Option<String>,
    #[command(flatten)]
    pub safety: SafetyArgs,
}

#[derive(Args, Debug)]
pub struct GenerateArgs {
    #[command(flatten)]
    pub walk: WalkArgs,
    /// Where the server is, e.g. http://127.0.0.1:8080/v1.
    #[arg(long, value_name = "URL")]
    pub base_url: String,
    /// The variable with the key [default: CONTEXTURE_API_KEY, if it is set].
    #[arg(long, value_name = "VARIABLE")]
    pub key_env: Option<String>,
    /// How many answers.
    #[arg(long, short, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub n: u32,
    /// The most tokens of an answer.
    #[arg(long, value_name = "N", default_value = "1024")]
    pub max_answer: u64,
    /// How freely it chooses its words.
    #[arg(long, value_name = "X")]
    pub temperature: Option<f64>,
    /// Give up after so many seconds.
    #[arg(long, value_name = "S", default_value = "300")]
    pub timeout: u64,
}
