//! What gather found: items with their bytes, and what the person wished for each.

use super::{
    ContentHash, Layer, LeftOut, Level, Memory, Message, Note, Past, Pixels, Resolved, Skill, Slice, Text, ToolSchema,
};
use crate::keywords;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A stable name: the section and the key inside it. It decides order and identity, never the text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ItemId(pub Arc<str>);

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which section of the document an item belongs to, in the order of the document.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ItemKind {
    File,
    Screenshot,
    Diff,
    Log,
    Beads,
    /// A file outside the composition, for passages that answer the task.
    Retrieved,
    Discussion,
    /// A part of an agent's context.
    Layer(Layer),
}

impl ItemKind {
    /// Every word of [`Self::as_str`].
    #[rustfmt::skip]
    pub const WORDS: &'static [&'static str] = &[
        "file", "screenshot", "diff", "log", "beads", "retrieved", "discussion",
        "system", "bootstrap", "memory", "skills", "tools", "history", "current",
    ];

    /// The word that plans, manifests and answers have for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Screenshot => "screenshot",
            Self::Diff => "diff",
            Self::Log => "log",
            Self::Beads => "beads",
            Self::Retrieved => "retrieved",
            Self::Discussion => "discussion",
            Self::Layer(layer) => layer.as_str(),
        }
    }
}

/// How an item came into the snapshot. What is listed explicitly is shown as it is, also when its name says lock file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SelectedBy {
    /// Its own path: it is listed explicitly.
    Path,
    /// A pattern, or a list that a program made.
    Pattern,
    /// A walk of a folder that it is in.
    Walk,
}

/// Why there are no bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    NotFound,
    OutsideRoots,
    PermissionDenied,
    /// A FIFO, a socket, a device, a folder where a file should be.
    NotAFile(&'static str),
    /// What the system said.
    Unreadable(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("file not found"),
            Self::OutsideRoots => f.write_str("outside the roots"),
            Self::PermissionDenied => f.write_str("permission denied"),
            Self::NotAFile(what) => write!(f, "not a regular file ({what})"),
            Self::Unreadable(cause) => write!(f, "unreadable ({cause})"),
        }
    }
}

/// The earlier text of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Base {
    /// Nobody asked for a `diff` view.
    #[default]
    NotAsked,
    /// The revision does not know the file.
    Untracked,
    Known(Text),
    /// Why it could not be had.
    Failed(String),
}

/// What gather found in the place of an item.
#[derive(Clone, Debug)]
pub enum Body {
    /// Decoded text, and what a `diff` view compares it with.
    Text {
        text: Text,
        base: Base,
    },
    /// Bytes that are no text: what they seem to be.
    Binary {
        what: &'static str,
    },
    /// Too large to be read whole: its beginning.
    Huge {
        head: Text,
    },
    /// A picture: media type, size, and base64 data when it is to be embedded.
    Image {
        media_type: &'static str,
        pixels: Pixels,
        data: Option<Text>,
    },
    /// One entry of a discussion.
    Said {
        role: Option<String>,
        content: Text,
    },
    /// A message of a conversation.
    Message(Arc<Message>),
    Memory(Arc<Memory>),
    Skill(Arc<Skill>),
    /// Tools that a caller describes.
    Schemas(Arc<[ToolSchema]>),
    /// Known, but not read: `none`, or `auto_aggregate = false`.
    Unread,
    Failed(Failure),
}

/// What a mask makes of a symbol: the whole definition, its signature alone, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolMode {
    Def,
    Sig,
    Hide,
}

keywords!(SymbolMode { Def = "def", Sig = "sig", Hide = "hide" });

/// What a person set for an item by hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wish {
    /// `None`: not set by hand, so the strategy and the kind of file decide.
    pub view: Option<Level>,
    /// Whether it is shown at all; `true` when nobody said otherwise.
    pub auto_aggregate: bool,
    /// In full, whatever the strategy, the view and the kind of file say.
    pub force_full: bool,
    /// `--focus` names it.
    pub focus: bool,
    /// From 1 to 4.
    pub tier: Option<u8>,
    /// The signatures of all symbols that the mask does not name.
    pub signatures: bool,
    /// The whole definitions of all symbols that the mask does not name.
    pub definitions: bool,
    /// By the names of symbols.
    pub mask: BTreeMap<String, SymbolMode>,
    /// Marked lines, for the view `custom`.
    pub slices: Vec<Slice>,
}

impl Default for Wish {
    fn default() -> Self {
        Self {
            view: None,
            auto_aggregate: true,
            force_full: false,
            focus: false,
            tier: None,
            signatures: false,
            definitions: false,
            mask: BTreeMap::new(),
            slices: Vec::new(),
        }
    }
}

/// What a model wrote about a text, to be shown as its summary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenSummary {
    pub text: Text,
    /// `provider/model`.
    pub by: String,
    /// How much detail it was asked for.
    pub tier: u8,
    /// Of `text`.
    pub hash: ContentHash,
}

/// One thing that could be shown.
#[derive(Clone, Debug)]
pub struct Item {
    /// Unique in a snapshot.
    pub id: ItemId,
    pub kind: ItemKind,
    /// As shown to people and models: relative, with `/`. Not yet escaped.
    pub path: String,
    pub selected_by: SelectedBy,
    pub body: Body,
    /// Of the bytes on disk, or of the text that is left of them when something was masked; `None` when they were not read whole.
    pub hash: Option<ContentHash>,
    /// Bytes on disk.
    pub size: u64,
    /// Seconds since the epoch; 0 when unknown.
    pub modified: i64,
    pub wish: Wish,
    /// Set by whoever keeps summaries, after reading; it must be about these very bytes.
    pub written: Option<Arc<WrittenSummary>>,
    /// Where the slices of the wish are, when that was found out before the text was masked; in the same order.
    pub located: Option<Arc<[Resolved]>>,
}

impl Body {
    /// A text that is compared with nothing.
    pub fn text(text: impl Into<Text>) -> Self {
        Self::Text { text: text.into(), base: Base::NotAsked }
    }
}

impl Item {
    /// An item named by hand, for which nothing is wished and of which nothing else is known.
    pub fn new(id: impl Into<Arc<str>>, kind: ItemKind, path: impl Into<String>, body: Body) -> Self {
        Self {
            id: ItemId(id.into()),
            kind,
            path: path.into(),
            selected_by: SelectedBy::Path,
            body,
            hash: None,
            size: 0,
            modified: 0,
            wish: Wish::default(),
            written: None,
            located: None,
        }
    }

    /// A file with this text.
    pub fn file(path: &str, text: &str) -> Self {
        Self::section(ItemKind::File, path, text)
    }

    /// A section of a document that is one text, or a file.
    pub fn section(kind: ItemKind, path: &str, text: impl Into<Text>) -> Self {
        let text = text.into();
        let (hash, size) = (Some(ContentHash::of(&*text)), text.len() as u64);
        Self { hash, size, ..Self::new(path, kind, path, Body::text(text)) }
    }

    /// The hash of an entry of a discussion: who said it, and what.
    pub fn said_hash(role: Option<&str>, content: &str) -> ContentHash {
        ContentHash::of_parts([role.unwrap_or_default().as_bytes(), content.as_bytes()])
    }

    /// A part of an agent's context: a text, a message, a memory, a skill or schemas. No two items of a layer may have
    /// one path, nor may a skill's line and its text.
    pub fn layer(layer: Layer, path: impl Into<String>, body: Body) -> Self {
        let path = path.into();
        let size = match &body {
            Body::Text { text, .. } => text.len() as u64,
            Body::Message(message) => message.bytes(),
            Body::Memory(memory) => memory.text.len() as u64,
            Body::Skill(skill) => skill.body.len() as u64,
            Body::Schemas(schemas) => schemas.iter().map(|schema| schema.parameters.len() as u64).sum(),
            Body::Binary { .. } | Body::Huge { .. } | Body::Image { .. } | Body::Said { .. } => 0,
            Body::Unread | Body::Failed(_) => 0,
        };
        Self { size, ..Self::new(format!("{}/{path}", layer.as_str()), ItemKind::Layer(layer), path, body) }
    }

    /// Whether it changes only when its file does, by its kind. Such items stand first in a document, so that a provider's
    /// prefix cache holds; others change in the course of a conversation, or are chosen for the current message.
    pub fn is_static(&self) -> bool {
        match self.kind {
            ItemKind::File | ItemKind::Screenshot => true,
            ItemKind::Layer(Layer::System | Layer::Bootstrap | Layer::Skill | Layer::Tools) => true,
            ItemKind::Log | ItemKind::Beads | ItemKind::Diff | ItemKind::Retrieved | ItemKind::Discussion => false,
            ItemKind::Layer(Layer::History | Layer::Memory | Layer::SkillBody | Layer::Current) => false,
        }
    }
}

/// Everything a run knows about the outside. After this, no disk contact.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Sorted by kind, then by path bytes; ids are unique.
    pub items: Vec<Item>,
    /// Found, but never an item: links, doubles, denied names.
    pub left_out: Vec<LeftOut>,
    /// Every path of the walk, for a full tree.
    pub paths: Vec<String>,
    pub notes: Vec<Note>,
    /// Known only where something is to be ranked.
    pub past: Past,
}
