//! Nodes as a file of another program has them: named by their own ids, not yet in order.

use contexture_core::{AuthorType, Message, Role, Text, TreeMode};

/// Another node, as the file names it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum NodeRef {
    #[default]
    None,
    Id(String),
    /// By its place in the list.
    At(usize),
}

#[derive(Debug)]
pub(super) struct RawNode {
    /// Empty where the file has none.
    pub id: String,
    pub parent: NodeRef,
    pub message: Message,
    pub author: Author,
    pub created: Option<i64>,
    pub excluded: bool,
    pub pruned: bool,
    pub bookmark: Option<String>,
    /// Part of the file's chain of parents, but nothing that was said.
    pub silent: bool,
    /// 0 when nobody knows.
    pub line: usize,
}

impl RawNode {
    pub fn new(id: String, parent: NodeRef, message: Message, author: Author) -> Self {
        Self {
            id,
            parent,
            message,
            author,
            created: None,
            excluded: false,
            pruned: false,
            bookmark: None,
            silent: false,
            line: 0,
        }
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Author {
    pub name: String,
    pub kind: AuthorType,
    /// `provider:model`, or a model's name alone.
    pub model: Option<String>,
}

impl Author {
    pub fn human() -> Self {
        Self::named("human", AuthorType::Human)
    }

    pub fn named(name: &str, kind: AuthorType) -> Self {
        Self { name: name.into(), kind, model: None }
    }

    /// A model by its name, where the file has it.
    pub fn model(provider: Option<&str>, name: Option<&str>) -> Self {
        let name = name.filter(|name| !name.is_empty());
        let full = name.map(|name| match provider.filter(|provider| !provider.is_empty()) {
            Some(provider) => format!("{provider}:{name}"),
            None => name.into(),
        });
        Self { name: name.unwrap_or("model").into(), kind: AuthorType::Model, model: full }
    }

    /// Who speaks in this role. Neither a tool nor a system is a person, but no model wrote what they say.
    pub fn of(role: Role) -> Self {
        match role {
            Role::Assistant => Self::model(None, None),
            Role::User => Self::human(),
            Role::Tool => Self::named("tool", AuthorType::Human),
            Role::System => Self::named("system", AuthorType::Human),
        }
    }
}

#[derive(Default)]
pub(super) struct Seed {
    pub title: String,
    pub mode: TreeMode,
    pub system_context: Option<Text>,
    pub created: Option<i64>,
    pub raws: Vec<RawNode>,
    /// Else the last node.
    pub active: NodeRef,
}
