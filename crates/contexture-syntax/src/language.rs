//! What a language is to this crate: one row of data. The rows are in `languages`.

use crate::query::Rules;
use crate::structure::Visibility;
use std::sync::OnceLock;

/// A language: how its files are called, its grammar and query file, and what its skeletons put in place of a body.
pub struct Language {
    /// As people write it; unique.
    pub name: &'static str,
    /// File endings in lower case, without the dot.
    pub endings: &'static [&'static str],
    /// Whole file names.
    pub names: &'static [&'static str],
    /// Programs that a `#!` line may name, without version digits.
    pub interpreters: &'static [&'static str],
    /// `None`: left out of this build by its feature.
    pub grammar: Option<fn() -> tree_sitter::Language>,
    /// The query file; TypeScript's follows JavaScript's.
    pub queries: &'static [&'static str],
    /// Between the parts of a qualified name.
    pub separator: &'static str,
    pub marks: Marks,
    /// What begins a comment that ends with its line. Where it is `//`, there are also those in `/* */`.
    pub comment: &'static str,
    pub doc: Doc,
    pub visibility: VisibilityRule,
    /// Words before a name that an outline need not repeat, because the kind says them.
    pub keywords: &'static [&'static str],
    /// Whether a body keeps the definitions in it. Where functions are made in functions, they are what a reader looks for.
    pub nested: Nested,
    /// Nodes that stand between a declaration and the name it declares: followed by the field `declarator`, else by the
    /// first named child.
    pub declarators: &'static [&'static str],
    /// Makes a text of the same length in which what the grammar cannot read is blank.
    pub prepare: Option<fn(&str) -> Option<String>>,
    pub(crate) rules: OnceLock<Result<Compiled, String>>,
}

pub(crate) struct Compiled {
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
    pub place: Place,
}

/// Where a mark may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Anywhere,
    /// It ends with its line, so what it replaces must do so too.
    OwnLine,
}

/// Where documentation stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doc {
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
    pub(crate) fn compiled(&self) -> Result<&Compiled, &str> {
        let made = self.rules.get_or_init(|| {
            let Some(grammar) = self.grammar else {
                return Err(format!("this build has no grammar for {}", self.name));
            };
            let grammar = grammar();
            let query = self.queries.concat();
            let rules = Rules::new(&grammar, &query)
                .map_err(|cause| format!("the query file for {} is wrong: {cause}", self.name))?;
            let declarators = self.declarators.iter().map(|kind| grammar.id_for_node_kind(kind, true)).collect();
            Ok(Compiled { grammar, rules, declarators })
        });
        made.as_ref().map_err(String::as_str)
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
