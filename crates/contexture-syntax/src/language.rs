//! What a language is to this crate: one row of data. The rows are in `languages`.

use crate::query::Rules;
use crate::structure::Visibility;

/// A language: how its files are called, what its comments and imports look like, its grammar and query file, and what its skeletons put in place
/// of a body. Lists of words that hold no space are one string, with spaces between them (see [`has_word`](crate::has_word)).
pub struct Language {
    /// As people write it; unique.
    pub name: &'static str,
    /// The word after a Markdown fence; unique.
    pub fence: &'static str,
    /// Which files are written in it: `*.ending` in lower case, a whole name, or `#!program` for what a `#!` line may
    /// name, without version digits.
    pub files: &'static str,
    /// Files that have its comments and imports but are not parsed: `*.ending` or `#!program`.
    pub unparsed: &'static str,
    /// Files with another word after a fence, by `*.ending`.
    pub fences: &'static [(&'static str, &'static str)],
    /// What begins a comment line: longer marks first, so that `//!` is not read as `//` and `!`; the usual one last.
    pub line_comments: &'static [&'static str],
    pub block_comments: &'static [(&'static str, &'static str)],
    /// Beginnings of import lines where the name follows: `use `, `#include`.
    pub imports: &'static [&'static str],
    /// Beginnings of import lines where the name is in quotes: `require `.
    pub quoted_imports: &'static [&'static str],
    /// What makes a line an import wherever it appears, with the name in quotes: `require(`.
    pub inner_imports: &'static [&'static str],
    /// Beginnings of lines in a class that bring methods from elsewhere: `include `.
    pub mixins: &'static [&'static str],
    /// Which files an import means.
    pub import_rule: ImportRule,
    /// Endings of files that a program may begin in: `main.c`, not `main.h`.
    pub entry_endings: &'static str,
    /// `None`: left out of this build by its feature.
    pub grammar: Option<fn() -> tree_sitter::Language>,
    /// The query file; TypeScript's follows JavaScript's.
    pub queries: &'static [&'static str],
    /// Between the parts of a qualified name.
    pub separator: &'static str,
    pub marks: Marks,
    pub doc: DocPlace,
    pub visibility: VisibilityRule,
    /// Words before a name that an outline need not repeat, because the kind says them; a space between them.
    pub keywords: &'static str,
    /// Whether a body keeps the definitions in it. Where functions are made in functions, they are what a reader looks for.
    pub nested: Nested,
    /// Nodes that stand between a declaration and the name it declares: followed by the field `declarator`, else by the
    /// first named child. A space between them.
    pub declarators: &'static str,
    /// Makes a text of the same length in which what the grammar cannot read is blank.
    pub prepare: Option<fn(&str) -> Option<String>>,
}

/// How the name in an import leads to files of the project.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImportRule {
    /// It does not: a name is only a name.
    Name,
    /// Modules of a crate.
    Rust,
    /// Modules and packages, relative or from a root.
    Python,
    /// Paths of JavaScript and TypeScript, with endings left out.
    Script,
    /// Folders of a module.
    Go,
    /// Classes of Java and the languages that share its packages.
    Jvm,
    /// Files that are included.
    Header,
    /// Namespaces.
    CSharp,
}

/// A grammar with the rules of its query file.
pub(crate) struct Grammar {
    pub grammar: tree_sitter::Language,
    pub rules: Rules,
    pub declarators: Vec<u16>,
}

/// What stands in a skeleton where something was left out.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    /// For a whole body.
    pub body: &'static str,
    /// For some statements of a body.
    pub gap: &'static str,
    /// For an expression.
    pub value: &'static str,
    /// The bytes at both ends of a body that belong to it: 1 for braces.
    pub rim: usize,
    pub place: MarkPlace,
}

/// Where a mark may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkPlace {
    Anywhere,
    /// It ends with its line, so what it replaces must do so too.
    OwnLine,
}

/// Where documentation stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DocPlace {
    /// Comments above, nothing but attributes between.
    Above,
    /// The first statement of a body, when it is a string.
    String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nested {
    Keep,
    Drop,
}

/// How a language says who may use a definition.
#[derive(Clone, Copy, Debug)]
pub enum VisibilityRule {
    /// A name that begins with `_` is private; `__both__` is not.
    Underscore,
    /// A name that begins with a capital letter is public.
    Capital,
    /// By the section of a class that it stands in, which begins private in a class and public elsewhere; outside of types
    /// one of these words makes it private.
    Sections { words: &'static [&'static str] },
    /// By a word before the name, or with `#` before it a word in the attributes, or `_` for names that begin with it; the
    /// first that is there. Else `members` for what stands in a type, `rest` for the rest.
    Words { words: &'static [(&'static str, Visibility)], members: Visibility, rest: Visibility },
}

impl Language {
    /// The endings of its files, in lower case and without the dot.
    pub fn endings(&self) -> impl Iterator<Item = &'static str> {
        self.files.split_ascii_whitespace().filter_map(|file| file.strip_prefix("*."))
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Language {}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}
