//! Query files: which nodes of a grammar are definitions, where their names and bodies are, and where to look for more.
//!
//! Takes the text of `queries/LANGUAGE.scm` and a grammar; gives [`Rules`], a table from node kind to what is to be
//! done with it. The files are written in a part of tree-sitter's query language: `(kind field: (kind) @capture)`, `_`,
//! `[a b]` alternatives, `?`, `+` (each that fits), a `.` anchor before a first, between two that follow each other and
//! behind a last child, `!field` and `!"word"` for what must not be there, `"word"` for a child without a name of its
//! own, and `(identifier =word)` for a node with exactly this text. A pattern is tried where its node stands, so that
//! the walk touches only what the file names; tree-sitter's own engine visits every node, which takes half as long as
//! parsing.
//!
//! The capture on a whole pattern says what it is: a [`SymbolKind`] in lower case for a definition, or one of `inside` (look
//! into it), `block` (a list of statements that a skeleton may empty), `comment`, `attribute` (belongs to the next
//! definition), `wrapper` (belongs to the definition in it and begins its head), `decorated` (the same, but before the
//! head), `anonymous` (a function without a name: only its body matters), `section` (a word such as `private` that
//! holds for what follows), `export` (the file exports what is named or defined in it; the patterns that follow are
//! tried too). Captures inside a pattern: `name`, `body`, `inner` (the statements of a body whose braces belong to the
//! node around it), `value` (an expression that is a body), `scope`, `doc`, `lead` (what begins a name of two words:
//! the `operator` of `operator +`), `end` (the head ends before it, where no body says so), `open` (what stands in the
//! definition is public), `closed` (what stands in it is private), `members` (patterns with `.member` are tried in it).
//!
//! `end` before a body says that what lies between goes with the body. `@said` tells by the word in `scope` who may use what
//! is named in it; the patterns that follow are tried too. Words behind the capture are told at [`Flag`]: `@type.beside`.
//!
//! Two things are said of a language as a whole: `@constant.everywhere` is a symbol in functions too, where other values are
//! locals; and `["fn" "type"] @word` lists tokens one of which is in every definition that code can hold, so that code
//! without them is not looked into; `@inside.everywhere` is looked into nevertheless. `(ERROR)` is what the grammar could
//! not read: definitions in it may be whole. `@preface` stays where it begins a body, because it is for the function.
//! A field with several children means the first, unless a name is captured in it: then each of them.
//! A kind on a child instead of the whole, as in `(enum_body (identifier) @variant)`, defines that child by its own text
//! where it stands in such a parent, and only there; `anonymous` on a child says that it is itself the body.

mod reader;

use crate::structure::SymbolKind;
use reader::QueryReader;
use tree_sitter::{Language, Node};

/// What a pattern means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Define(SymbolKind),
    Inside,
    Block,
    Comment,
    Attribute,
    Wrapper,
    Decorated,
    Anonymous,
    Section,
    Export,
    Said,
    Word,
    Preface,
}

/// What a word behind the capture of a pattern adds to it. Several stand in the order of this list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flag {
    /// A value is a symbol in a function too, and code is looked into whatever its words.
    Everywhere,
    /// It defines without being entered: what stands in the node is no part of the definition, and the patterns that
    /// follow are tried too.
    Beside,
    /// What follows it in the same node stands in it, up to the next such definition.
    Rest,
    /// It is a symbol only where another one stands in it.
    Filled,
    /// The section around it and `@members` say nothing of it.
    Apart,
    /// It is tried only in a definition with something captured as `@members`.
    Member,
    /// It belongs to what the definition around it stands in, as a parameter that makes a field does.
    Up,
}

const FLAGS: [(&str, Flag); 7] = [
    (".everywhere", Flag::Everywhere),
    (".beside", Flag::Beside),
    (".rest", Flag::Rest),
    (".filled", Flag::Filled),
    (".apart", Flag::Apart),
    (".member", Flag::Member),
    (".up", Flag::Up),
];

macro_rules! captures {
    ($($field:ident $capture:ident),* $(,)?) => {
        /// What a part of a pattern is to the whole.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Capture { $($capture),* }

        impl Capture {
            fn from_word(word: &str) -> Option<Self> {
                match word {
                    $(stringify!($field) => Some(Self::$capture),)*
                    _ => None,
                }
            }
        }

        /// The nodes a pattern found.
        #[derive(Clone, Copy, Default, Debug)]
        pub struct Captures<'t> { $(pub $field: Option<Node<'t>>),* }

        impl<'t> Captures<'t> {
            fn set(&mut self, capture: Capture, node: Node<'t>) {
                match capture { $(Capture::$capture => self.$field = Some(node)),* }
            }
        }
    };
}

captures! {
    name Name,
    body Body,
    inner Inner,
    value Value,
    scope Scope,
    doc Doc,
    lead Lead,
    end End,
    open Open,
    closed Closed,
    members Members,
}

/// What is to be done with the nodes of a grammar.
#[derive(Debug)]
pub struct Rules {
    /// By kind id; the patterns of a kind in the order of the file.
    by_kind: Vec<Vec<Pattern>>,
    /// For the nodes that the grammar could not read; their kind is the largest number there is.
    errors: Vec<Pattern>,
    pub has_preface: bool,
    /// Tokens without which code holds no definition; none: any code may hold one.
    pub words: Vec<String>,
}

#[derive(Debug)]
pub struct Pattern {
    pub role: Role,
    /// Bits of [`Flag`]s.
    flags: u8,
    /// Kinds of the parent it must stand in; empty: anywhere.
    under: Vec<u16>,
    root: Shape,
}

#[derive(Clone, Default, Debug)]
struct Shape {
    /// Empty: any named node.
    kinds: Vec<u16>,
    children: Vec<Child>,
    /// Fields that must not be there.
    without: Vec<u16>,
    /// Words of the grammar that must not be there.
    lacks: Vec<u16>,
    /// The texts it may have; empty: any.
    texts: Vec<String>,
    capture: Option<Capture>,
    /// What it is by itself, where the whole pattern defines nothing.
    defines: Option<Role>,
}

#[derive(Clone, Debug)]
struct Child {
    field: Option<u16>,
    optional: bool,
    /// Only the first named child that is no comment will do.
    first: bool,
    /// Only the last one will do.
    last: bool,
    /// Only one right behind one of these will do; empty: any.
    after: Vec<Shape>,
    /// Whether every one that fits is meant, not only the first; needed only below the children of the whole pattern.
    every: bool,
    /// Whether it is a word of the grammar rather than a node with a name.
    token: bool,
    shapes: Vec<Shape>,
    /// Whether a name is captured in it: then every child that fits gives a match of its own.
    names: bool,
}

impl Rules {
    /// Reads a query file. An error names the line and is a fault of the file, not of any input.
    pub fn new(grammar: &Language, query: &str) -> Result<Self, String> {
        let mut reader = QueryReader { rest: query, query, grammar };
        let mut by_kind: Vec<Vec<Pattern>> = Vec::new();
        by_kind.resize_with(grammar.node_kind_count(), Vec::new);
        let mut words = Vec::new();
        let mut errors = Vec::new();
        while reader.skip() {
            let shapes = reader.shapes(0)?;
            let mut add = |role: Role, flags: u8, under: &[u16], shape: &Shape| {
                for kind in &shape.kinds {
                    let patterns = by_kind.get_mut(usize::from(*kind)).unwrap_or(&mut errors);
                    patterns.push(Pattern { role, flags, under: under.to_vec(), root: shape.clone() });
                }
            };
            let inner =
                |shape: &Shape| shape.children.iter().flat_map(|child| child.shapes.clone()).collect::<Vec<_>>();
            if shapes.iter().flat_map(inner).any(|child| child.defines.is_some()) {
                for (parent, child) in shapes.iter().flat_map(|shape| inner(shape).into_iter().map(move |c| (shape, c)))
                {
                    if let Some(role) = child.defines {
                        add(role, 0, &parent.kinds, &child);
                    }
                }
                continue;
            }
            let role = reader.role()?;
            if role == Role::Word {
                words.extend(shapes.iter().flat_map(|shape| shape.texts.clone()));
                let kinds = shapes.iter().filter(|shape| shape.texts.is_empty()).flat_map(|shape| &shape.kinds);
                let texts = kinds.filter_map(|kind| grammar.node_kind_for_id(*kind));
                words.extend(texts.map(|text| match text.trim_matches(|c: char| !c.is_alphanumeric()) {
                    "" => text.to_owned(),
                    word => word.to_owned(),
                }));
                continue;
            }
            let mut flags = 0;
            for (word, flag) in FLAGS {
                if let Some(rest) = reader.rest.strip_prefix(word) {
                    reader.rest = rest;
                    flags |= 1 << flag as u8;
                }
            }
            for shape in &shapes {
                add(role, flags, &[], shape);
            }
        }
        let has_preface = by_kind.iter().flatten().any(|pattern| pattern.role == Role::Preface);
        Ok(Self { by_kind, errors, has_preface, words })
    }

    pub fn of(&self, kind: u16) -> &[Pattern] {
        self.by_kind.get(usize::from(kind)).unwrap_or(&self.errors)
    }
}

impl Pattern {
    pub fn is(&self, flag: Flag) -> bool {
        self.flags & (1 << flag as u8) != 0
    }

    /// Whether it may match a child of such a node.
    pub fn stands_in(&self, parent: u16) -> bool {
        self.under.is_empty() || self.under.contains(&parent)
    }

    /// Calls `found` for every match at this node: one for each name.
    pub fn matches<'t>(&self, node: Node<'t>, text: &str, mut found: impl FnMut(Captures<'t>)) -> bool {
        if !self.root.says(node, text) {
            return false;
        }
        if self.root.is_bare() {
            let mut only = Captures::default();
            if let Some(capture) = self.root.capture {
                only.set(capture, node);
            }
            found(only);
            return true;
        }
        if self.root.is_spoilt(node) {
            return false;
        }
        let mut base = Captures::default();
        for child in self.root.children.iter().filter(|child| !child.names) {
            if !child.first_match(node, text, &mut base) {
                return false;
            }
        }
        let mut any = false;
        let mut named = self.root.children.iter().filter(|child| child.names).peekable();
        if named.peek().is_none() {
            found(base);
            return true;
        }
        for child in named {
            child.candidates(node, text, |candidate| {
                any |= child.shapes.iter().any(|shape| shape.each(candidate, text, base, &mut found));
                false
            });
        }
        any
    }
}

impl Child {
    fn first_match<'t>(&self, node: Node<'t>, text: &str, found: &mut Captures<'t>) -> bool {
        let mut any = false;
        // Without anchors the child is found at once, which is where most of the time would go.
        if let Some(field) = self.field.filter(|_| !self.last && self.after.is_empty()) {
            if let Some(child) = node.child_by_field_id(field) {
                any = self.shapes.iter().any(|shape| shape.fits(child, text, found));
            }
            return any || self.optional;
        }
        self.candidates(node, text, |candidate| {
            any = self.shapes.iter().any(|shape| shape.fits(candidate, text, found));
            any
        });
        any || self.optional
    }

    /// The children that could be it, until the callback says that it is done.
    fn candidates<'t>(&self, node: Node<'t>, text: &str, mut is_done: impl FnMut(Node<'t>) -> bool) {
        let mut cursor = node.walk();
        if !cursor.goto_first_child() {
            return;
        }
        let mut previous: Option<Node<'t>> = None;
        loop {
            let child = cursor.node();
            let right_place = self.after.is_empty()
                || previous.is_some_and(|before| {
                    self.after.iter().any(|shape| shape.fits(before, text, &mut Captures::default()))
                });
            if !child.is_extra() {
                previous = Some(child);
            }
            let right_field = match self.field {
                Some(field) => cursor.field_id().is_some_and(|id| id.get() == field),
                None => child.is_named() || self.token,
            };
            let mut more = cursor.goto_next_sibling();
            if right_field && right_place && (!self.first || !child.is_extra()) {
                while self.last && more && (!cursor.node().is_named() || cursor.node().is_extra()) {
                    more = cursor.goto_next_sibling();
                }
                if (!(self.last && more) && is_done(child)) || self.first {
                    return;
                }
            }
            if !more {
                return;
            }
        }
    }
}

impl Shape {
    /// Depth is that of the pattern, which the query file bounds.
    fn fits<'t>(&self, node: Node<'t>, text: &str, found: &mut Captures<'t>) -> bool {
        let is_kind = if self.kinds.is_empty() { node.is_named() } else { self.kinds.contains(&node.kind_id()) };
        if !is_kind || !self.says(node, text) || self.is_spoilt(node) {
            return false;
        }
        if !self.children.is_empty() {
            // What a part found counts only when all parts fit.
            let mut inner = *found;
            if !self.children.iter().all(|child| child.first_match(node, text, &mut inner)) {
                return false;
            }
            *found = inner;
        }
        if let Some(capture) = self.capture {
            found.set(capture, node);
        }
        true
    }

    /// Calls `found` for each of the children that are marked to be all meant, else once.
    fn each<'t, F: FnMut(Captures<'t>)>(&self, node: Node<'t>, text: &str, base: Captures<'t>, found: &mut F) -> bool {
        let mut one = base;
        if !self.fits(node, text, &mut one) {
            return false;
        }
        match self.children.iter().find(|child| child.every) {
            Some(child) => child.candidates(node, text, |candidate| {
                child.shapes.iter().any(|shape| shape.each(candidate, text, one, found));
                false
            }),
            None => found(one),
        }
        true
    }

    fn says(&self, node: Node<'_>, text: &str) -> bool {
        let said = || text.get(node.byte_range()).unwrap_or("");
        self.texts.is_empty() || self.texts.iter().any(|text| text == said())
    }

    fn is_bare(&self) -> bool {
        self.children.is_empty() && self.without.is_empty() && self.lacks.is_empty()
    }

    /// Whether something is there that must not be.
    fn is_spoilt(&self, node: Node<'_>) -> bool {
        let has_word = || node.children(&mut node.walk()).any(|child| self.lacks.contains(&child.kind_id()));
        self.without.iter().any(|field| node.child_by_field_id(*field).is_some())
            || (!self.lacks.is_empty() && has_word())
    }

    fn captures_name(&self) -> bool {
        self.capture == Some(Capture::Name) || self.children.iter().any(|child| child.names)
    }
}
