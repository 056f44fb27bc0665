//! What is known of a script while it is read.

/// What may come next in a list of commands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pos {
    /// A command, or a word of the language.
    Command,
    /// The same behind `|`, `&&` and `||`, where line breaks do not count.
    Joined,
    /// A command or more, behind `A=1`.
    Assigned,
    /// Words of a command.
    Args,
    /// Words of `export` and its kin, which may be settings.
    Declaring,
    /// Redirections or the end, behind a command of many words.
    Closed,
    /// The name behind `function`.
    FunctionName,
    /// The body behind `f()`.
    Head,
    /// The words between `for` and `do`, and how many there were.
    Header(usize),
    /// The word behind `case`.
    CaseWord,
    /// The `in` behind it.
    CaseIn,
    /// A pattern, or `esac`.
    Pattern,
}

/// A list of commands that is being read: the file, or what a substitution runs.
pub(super) struct List {
    pub pos: Pos,
    /// Where the word begins that is being read.
    pub word: Option<usize>,
    /// A redirection whose word is awaited: where it begins, and for a here-document whether it is `<<-`.
    pub redirect: Option<(usize, Option<bool>)>,
    /// Where its here-documents begin among those whose lines are still to come.
    pub pending: usize,
    /// Behind a function: where its body or its last redirection ends, and whether it is a redirection.
    pub tail: Option<(usize, bool)>,
    /// A body in which here-documents were opened whose lines are still to come.
    pub late: Option<(usize, usize)>,
}

impl List {
    pub fn new(pos: Pos, pending: usize) -> Self {
        Self { pos, word: None, redirect: None, pending, tail: None, late: None }
    }
}

/// What was opened and awaits its end.
pub(super) struct Open {
    pub kind: OpenKind,
    pub start: usize,
    /// Set when it is the body of a function.
    pub function: Option<Function>,
}

pub(super) struct Function {
    /// Whether lines of a here-document that was opened before it are still to come.
    pub below: bool,
    /// How many here-documents were read before it.
    pub read: usize,
}

pub(super) enum OpenKind {
    /// `{ … }` and `( … )`, by the byte that closes it.
    Group(u8),
    If,
    /// With the end of the `for` when it is one; `body` once there was a `do`.
    Loop {
        header: Option<usize>,
        body: bool,
    },
    /// With the beginning of the pattern that is being read.
    Case {
        pattern: Option<usize>,
    },
    /// `[[ … ]]`
    Test,
    /// `$( … )` and its kin, with the list it stands in.
    Commands(Box<List>),
    /// `" … "`
    Quote,
    /// `${ … }`
    Parameter,
    /// `(( … ))`, whether a `$` stands before it, and how many here-documents were to come before it.
    Arithmetic {
        depth: usize,
        dollar: bool,
        pending: usize,
    },
    /// Up to a closing byte, with as many of them in it as opening ones: subscripts, patterns, lists of values.
    Balanced {
        depth: usize,
        open: u8,
        close: u8,
    },
}

impl OpenKind {
    pub fn balanced(open: u8, close: u8) -> Self {
        Self::Balanced { depth: 1, open, close }
    }
}
