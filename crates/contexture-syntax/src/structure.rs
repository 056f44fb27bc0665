//! What a source file is made of: definitions as ranges of its bytes, and what a skeleton leaves out.
//!
//! Holds numbers only, never text: with the source it gives symbols, skeleton, outline and masks, and it is small enough to
//! be remembered for every file. What was remembered may be damaged, so [`Structure::from_bytes`] checks every range
//! against the text it is to be used with.

/// A range of bytes, always at character boundaries of its text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// From one byte to before another. An end before the start gives an empty span; beyond 4 GiB both are the last that fits.
    pub fn new(start: usize, end: usize) -> Self {
        let small = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { start: small(start), end: small(end.max(start)) }
    }

    /// How many bytes it has.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether it has no bytes.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether no byte of the other is outside of it.
    pub fn holds(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The bytes of a text; empty where the span does not fit it.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// A closed list that is written as words to people and as numbers to disk.
macro_rules! named {
    ($(#[$attribute:meta])* $list:ident { $($(#[$doc:meta])* $name:ident $word:literal),* $(,)? }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum $list { $($(#[$doc])* $name),* }

        impl $list {
            /// Every one of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The words of [`Self::ALL`], in the same order.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word for it in outlines, lists of symbols and query files.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word),* }
            }
        }
    };
}

named! {
    /// What a definition defines. A closed list; each language maps its own words onto it.
    SymbolKind {
        Function "function",
        Method "method",
        Class "class",
        Struct "struct",
        Enum "enum",
        Union "union",
        Trait "trait",
        Interface "interface",
        Protocol "protocol",
        Impl "impl",
        Extension "extension",
        Object "object",
        Type "type",
        Constant "constant",
        Variable "variable",
        Field "field",
        Variant "variant",
        Macro "macro",
        Module "module",
        Namespace "namespace",
    }
}

named! {
    /// From where a symbol can be used.
    Visibility {
        Public "public",
        /// For subclasses, the package or the crate.
        Internal "internal",
        Private "private",
    }
}

impl SymbolKind {
    /// The kind with this word; the opposite of [`SymbolKind::as_str`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == word)
    }

    /// Whether its body is code that runs.
    pub fn is_callable(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Macro)
    }

    /// Whether a function in it is a method.
    pub fn has_methods(self) -> bool {
        use SymbolKind::*;
        matches!(self, Class | Struct | Enum | Union | Trait | Interface | Protocol | Impl | Extension | Object)
    }

    /// Whether it is a value rather than code or a type: inside a function it is a local, not a symbol.
    pub fn is_value(self) -> bool {
        matches!(self, Self::Constant | Self::Variable | Self::Field)
    }
}

/// One definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Def {
    pub kind: SymbolKind,
    pub visibility: Visibility,
    /// The definition it stands in, always earlier in the list.
    pub parent: Option<u32>,
    pub name: Span,
    /// A scope that stands elsewhere than around it: the `T` of `void T::f()`, the receiver of a method in Go.
    pub scope: Option<Span>,
    /// With decorators and attributes, without the comment above.
    pub whole: Span,
    /// From the first word of the definition to its body.
    pub head: Span,
    pub body: Option<Span>,
    /// The comment above, or the docstring in the body.
    pub doc: Option<Span>,
}

/// What a skeleton replaces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    pub span: Span,
    pub mark: Mark,
}

/// What a cut leaves out, which decides how it is marked in the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Mark {
    /// A whole body.
    Body,
    /// A part of a body; the rest of it is kept.
    Gap,
    /// An expression that is the body of a function.
    Value,
}

impl Mark {
    const ALL: &'static [Self] = &[Self::Body, Self::Gap, Self::Value];
}

/// All of it, in the order of the file. Cuts do not overlap.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Structure {
    pub defs: Vec<Def>,
    pub cuts: Vec<Cut>,
    /// Whether the parser found errors, so that something may be missing.
    pub errors: bool,
}

impl Structure {
    /// Whether a skeleton leaves out some of a span.
    pub fn is_cut(&self, span: Span) -> bool {
        let next = self.cuts.partition_point(|cut| cut.span.end <= span.start);
        self.cuts.get(next).is_some_and(|cut| cut.span.start < span.end)
    }

    /// A compact form: numbers of variable length, ranges relative to what came before.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(16 + self.defs.len() * 16 + self.cuts.len() * 4);
        put(&mut out, u64::from(self.errors));
        put(&mut out, self.defs.len() as u64);
        for def in &self.defs {
            out.push(def.kind as u8);
            out.push(def.visibility as u8);
            put(&mut out, def.parent.map_or(0, |parent| u64::from(parent) + 1));
            for span in [def.whole, def.head, def.name] {
                put_span(&mut out, span);
            }
            for span in [def.scope, def.body, def.doc] {
                put(&mut out, u64::from(span.is_some()));
                if let Some(span) = span {
                    put_span(&mut out, span);
                }
            }
        }
        put(&mut out, self.cuts.len() as u64);
        for cut in &self.cuts {
            out.push(cut.mark as u8);
            put_span(&mut out, cut.span);
        }
        out
    }

    /// `None` when the bytes are not whole or do not belong to this text.
    pub fn from_bytes(bytes: &[u8], text: &str) -> Option<Self> {
        let mut rest = Bytes { bytes, text };
        let errors = rest.number()? != 0;
        let count = rest.number()?;
        // Every definition takes more than one byte, so a wrong count cannot ask for much memory.
        if count > bytes.len() as u64 {
            return None;
        }
        let mut defs = Vec::with_capacity(count as usize);
        for index in 0..count {
            let kind = *SymbolKind::ALL.get(usize::from(rest.byte()?))?;
            let visibility = *Visibility::ALL.get(usize::from(rest.byte()?))?;
            let parent = match rest.number()? {
                0 => None,
                above if above <= index => Some(u32::try_from(above - 1).ok()?),
                _ => return None,
            };
            let (whole, head, name) = (rest.span()?, rest.span()?, rest.span()?);
            let (scope, body, doc) = (rest.perhaps()?, rest.perhaps()?, rest.perhaps()?);
            defs.push(Def { kind, visibility, parent, name, scope, whole, head, body, doc });
        }
        let count = rest.number()?;
        if count > bytes.len() as u64 {
            return None;
        }
        let mut cuts = Vec::with_capacity(count as usize);
        let mut from = 0;
        for _ in 0..count {
            let mark = *Mark::ALL.get(usize::from(rest.byte()?))?;
            let span = rest.span()?;
            if span.start < from {
                return None;
            }
            from = span.end;
            cuts.push(Cut { span, mark });
        }
        rest.bytes.is_empty().then_some(Self { defs, cuts, errors })
    }
}

fn put_span(out: &mut Vec<u8>, span: Span) {
    put(out, u64::from(span.start));
    put(out, span.len() as u64);
}

/// Seven bits a byte, the lowest first.
fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

struct Bytes<'a> {
    bytes: &'a [u8],
    text: &'a str,
}

impl Bytes<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn span(&mut self) -> Option<Span> {
        let start = usize::try_from(self.number()?).ok()?;
        let end = start.checked_add(usize::try_from(self.number()?).ok()?)?;
        self.text.get(start..end)?;
        Some(Span::new(start, end))
    }

    fn perhaps(&mut self) -> Option<Option<Span>> {
        match self.number()? {
            0 => Some(None),
            _ => self.span().map(Some),
        }
    }
}
