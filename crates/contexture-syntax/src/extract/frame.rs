//! What the walk remembers of the nodes it is in.

use crate::structure::{Span, Visibility};

/// A node that is being looked into.
#[derive(Default)]
pub struct Frame {
    pub span: Span,
    /// The kind of the node.
    pub kind: u16,
    /// Where it begins with the comment and the attributes above it, which stay with it.
    pub from: u32,
    /// The innermost definition here.
    pub def: Option<u32>,
    /// Whether that one began in the midst of this node and holds for the rest of it.
    pub rest: bool,
    /// Whether its definition is none when nothing is defined in it.
    pub filled: bool,
    /// Whether more is a member of its definition than in others of its kind.
    pub members: bool,
    pub role: FrameRole,
    /// Whether this is code that a skeleton may leave out.
    pub in_body: bool,
    /// Whether it has no word that begins a definition, so that its children need no visit.
    pub barren: bool,
    /// Whether a definition stands in it.
    pub holds: bool,
    /// Children that hold definitions: what a skeleton keeps of a body.
    pub kept: Vec<Span>,
    /// The comments that end just before the next node.
    pub run: Option<Span>,
    /// Where the attributes of the next definition begin.
    pub attributes: Option<u32>,
    /// The first of them that stands below those comments.
    pub below_run: Option<u32>,
    pub wrap: Option<Wrap>,
    pub section: Option<Visibility>,
    pub body: Option<Body>,
    /// What its body left when the walk was through with it.
    pub code: Option<Code>,
    /// The node that is the body of the definition here, whatever its kind.
    pub same: Option<usize>,
}

/// The body of a definition.
#[derive(Clone, Copy)]
pub struct Body {
    pub node: usize,
    pub start: u32,
    /// Where the part begins that may be left out.
    pub from: u32,
    /// Where it ends: behind the comments that follow it before the word that closes the definition.
    pub upto: u32,
    /// Whether it begins after a docstring, so that a comment above cannot move it.
    pub fixed: bool,
}

/// Code that may go but for the definitions in it.
pub struct Code {
    pub span: Span,
    pub from: u32,
    pub kept: Option<Vec<Span>>,
}

#[derive(Default)]
pub enum FrameRole {
    #[default]
    Look,
    Block {
        from: u32,
    },
    /// A function: its body may go.
    Callable {
        body: Option<Span>,
        inner: Option<Span>,
        value: Option<Span>,
    },
}

/// Something around a definition that belongs to it.
#[derive(Clone, Copy)]
pub struct Wrap {
    pub span: Span,
    pub head: Option<u32>,
    pub doc: Option<Span>,
}

impl Frame {
    pub fn new(span: Span) -> Self {
        Self { span, from: span.start, ..Self::default() }
    }
}
