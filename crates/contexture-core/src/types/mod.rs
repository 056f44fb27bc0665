//! The nouns that the other modules pass to each other, and the text helpers that several of them need.
//!
//! Plain data: gather fills a [`Snapshot`], [`Options`] say what to make of it, shape makes [`View`]s, fit chooses for a [`Plan`],
//! render gives an [`Output`]. Nothing here reads, chooses or writes, and nothing here imports another module of this crate.

mod api;
mod cancel;
mod escape;
mod fit;
mod item;
mod keyword;
mod layer;
mod loom;
mod message;
mod note;
mod options;
mod output;
mod past;
mod picture;
mod plan;
mod search;
mod slice;
mod text;
mod view;

pub use api::Api;
pub use cancel::Cancel;
pub use escape::{grouped, is_hidden, printable, visible};
pub use fit::{Explained, ExplainedSymbol, Fit, FitMove};
pub use item::{Base, Body, Failure, Item, ItemId, ItemKind, SelectedBy, Snapshot, SymbolMode, Wish, WrittenSummary};
pub use keyword::Keyword;
pub(crate) use layer::{CUT, LayerContent, LayerView};
pub use layer::{Layer, Memory, Skill, ToolSchema};
pub use loom::{
    Action, AuthorType, Bundle, EdgeSource, EdgeType, LoomAgent, LoomEdge, LoomNode, LoomPath, LoomTree, PathChoice,
    Permissions, Preferences, RawResponse, SourceRole, Stash, TreeMode, Truncation,
};
pub use message::{Call, Image, ImageSource, Message, MessagePart, Role, Thought, is_base64};
pub use note::{Note, Topic};
pub use options::{
    AgentOptions, DocumentFrame, FileOrder, Format, History, LoomOptions, Options, RETRIEVE, RequestOptions, Strategy,
    StrategyMode, Tree,
};
pub use output::{Block, Output, Piece, Section};
pub use past::{Commit, Past};
pub use picture::Pixels;
pub use plan::{LayerSize, LeftOut, Pick, Plan, StrategySource, Truncated, Why};
pub use search::{FileHit, PassageHit, SearchHits, SymbolHit};
pub use slice::{Outcome, Resolved, Slice};
pub use text::{ContentHash, Text, Tokens, lines};
pub use view::{Level, View};
