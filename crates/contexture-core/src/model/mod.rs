//! The nouns that cross the walls between the rooms.
//!
//! Plain data: gather fills a [`Snapshot`], shape makes [`View`]s, fit sees [`Offer`]s and gives a [`Plan`], render gives
//! an [`Output`]. Nothing here reads, chooses or writes.

mod api;
mod fit;
mod item;
mod layer;
mod loom;
mod message;
mod note;
mod output;
mod past;
mod picture;
mod plan;
mod slice;
mod text;
mod view;

pub use api::Api;
pub use fit::{Explained, ExplainedSymbol, Fit, Move};
pub use item::{
    Base, Body, Failure, Item, ItemId, ItemKind, Named, Snapshot, SymbolMode, Volatility, Wish, WrittenSummary,
};
pub use layer::{Layer, Memory, Skill, ToolSchema};
pub use loom::{
    Action, AuthorType, Bundle, EdgeSource, EdgeType, LoomAgent, LoomEdge, LoomNode, LoomPath, LoomTree, PathChoice,
    Permissions, Preferences, RawResponse, SourceRole, Stash, TreeMode, Truncation,
};
pub use message::{Call, Image, ImageSource, Message, Part, Role, Thought, is_base64};
pub use note::{Note, Topic};
pub use output::{Block, Output, Piece, Section};
pub use past::{Commit, Past};
pub use picture::Pixels;
pub use plan::{Compiled, LayerSize, LeftOut, Pick, Plan, Source, Truncated, Why};
pub use slice::Slice;
pub use text::{ContentHash, Text, Tokens};
pub use view::{Level, View};
