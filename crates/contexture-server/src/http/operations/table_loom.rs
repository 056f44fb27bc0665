//! Operations on trees of conversations.

use super::super::calls::{Field, Kind};
use super::{Operation, answers, may, must, store, trees};
use contexture_core::safety::Secrets;

const NODE: Field = must("node", Kind::Text, "the id of a node");
const TREE: Field = may("tree", Kind::Text, "the tree, by id or title; else the one in use");
const UNDO: Field = may("undo", Kind::Flag, "take it back");
const TEXT: Field = must("text", Kind::Text, "what is said");
const AUTHOR_TYPE: Field = may("author_type", Kind::Word(&["human", "model"]), "who speaks");
const AUTHOR: Field = may("author", Kind::Text, "the name of an agent");
const TITLE: Field = may("title", Kind::Text, "what it is called");
const SYSTEM: Field = may("system", Kind::Text, "its system context; empty for none");
const BUFFER_SYSTEM: Field = may("buffer_system", Kind::Flag, "the system context stands before continuous text");
const STRATEGY: Field =
    may("strategy", Kind::Word(&["truncateMiddle", "rollingWindow", "stopAtLimit"]), "how what is too long is cut");
const RECENT: Field = may("minimum_recent_nodes", Kind::Number, "so many of the newest are kept if they fit");
const BUFFER: Field = may("token_buffer", Kind::Number, "tokens of a window that are kept free");
const LABEL: Field = must("label", Kind::Text, "what it is called");

pub static OPERATIONS: &[Operation] = &[
    answers("loom/trees", "All trees", &[], trees::list),
    answers(
        "loom/new",
        "Makes a tree",
        &[
            must("title", Kind::Text, "what it is called"),
            may("mode", Kind::Word(&["dialogue", "buffer"]), "messages, or continuous text"),
            SYSTEM,
            BUFFER_SYSTEM,
            STRATEGY,
            RECENT,
            BUFFER,
        ],
        trees::make,
    ),
    answers("loom/use", "Makes a tree the one in use", &[must("tree", Kind::Text, "by id or title")], trees::in_use),
    answers(
        "loom/set",
        "Shows or changes the settings of a tree",
        &[
            TREE,
            TITLE,
            SYSTEM,
            BUFFER_SYSTEM,
            STRATEGY,
            RECENT,
            BUFFER,
            may("unset", Kind::Texts, "strategy, minimum_recent_nodes, token_buffer: left to the settings again"),
            may("use", Kind::Flag, "make it the tree in use"),
        ],
        store::set,
    ),
    answers("loom/agents", "Who writes nodes", &[], store::agents),
    answers(
        "loom/agent",
        "One agent; makes or changes it where something is said of it",
        &[
            must("name", Kind::Text, "its name"),
            may("kind", Kind::Word(&["human", "model"]), "a new one needs it"),
            may("system", Kind::Text, "stands first in the system context; empty for none"),
            may("model", Kind::Text, "that answers for it; empty for none"),
            may("allow", Kind::Texts, "all that it may do: loom_aware, loom_write and others"),
        ],
        store::agent,
    ),
    answers("loom/paths", "The paths of a tree and where they end", &[TREE], store::paths),
    answers(
        "loom/path",
        "A path from its root to its end; moves it first where that is asked",
        &[
            TREE,
            may("node", Kind::Text, "go there"),
            may("name", Kind::Text, "another path than the one in use"),
            may("choose", Kind::Texts, "at forks take these"),
            may("use", Kind::Flag, "use the path that is named from now on"),
        ],
        store::path,
    ),
    answers("loom/memory", "What agents that know of the tree have at hand", &[TREE], store::memory),
    answers(
        "loom/stash",
        "Puts a text away under a label",
        &[TREE, LABEL, TEXT, may("recall", Kind::Flag, "and shows it in contexts")],
        store::stash,
    ),
    answers("loom/recall", "Shows what was put away in contexts", &[TREE, LABEL, UNDO], store::recall),
    answers("loom/drop", "Throws away what was put away", &[TREE, LABEL], store::drop_stash),
    answers(
        "loom/verify",
        "Checks the store of trees",
        &[may("repair", Kind::Flag, "copy a damaged one aside and save what can be read")],
        store::verify,
    ),
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
];

const ASSEMBLE: &[Field] = &[
    TREE,
    may("node", Kind::Text, "where the path ends"),
    may("path", Kind::Text, "which path"),
    may("choose", Kind::Texts, "at forks take these"),
    may("agent", Kind::Text, "for whom"),
    may("loom_aware", Kind::Flag, "tell of the tree"),
    may("annotations", Kind::Flag, "with annotations"),
    may("working", Kind::Text, "what is written now and not yet a node"),
    may("max_tokens", Kind::Number, "the limit"),
    may("model", Kind::Text, "whose window is the limit"),
    STRATEGY,
    RECENT,
    BUFFER,
    may("tokenizer", Kind::Text, "who counts"),
    may("secrets", Kind::Word(Secrets::WORDS), "what becomes of secrets"),
    may("format", Kind::Text, "of messages or of a request"),
];

const GENERATE: &[Field] = &[
    TREE,
    may("node", Kind::Text, "where the path ends"),
    may("path", Kind::Text, "which path"),
    may("choose", Kind::Texts, "at forks take these"),
    may("agent", Kind::Text, "who answers"),
    may("loom_aware", Kind::Flag, "tell of the tree"),
    may("annotations", Kind::Flag, "with annotations"),
    may("working", Kind::Text, "what is written now and not yet a node"),
    may("max_tokens", Kind::Number, "the limit"),
    may("model", Kind::Text, "which model"),
    STRATEGY,
    RECENT,
    BUFFER,
    may("tokenizer", Kind::Text, "who counts"),
    may("secrets", Kind::Word(Secrets::WORDS), "what becomes of secrets"),
    must("base_url", Kind::Text, "a server that speaks OpenAI's API"),
    may("n", Kind::Number, "how many answers, 100 at most"),
    may("max_answer", Kind::Number, "tokens of each"),
    may("temperature", Kind::Real, "from 0 to 2"),
    may("timeout", Kind::Number, "seconds; else 600"),
];
