//! Runs a grammar over a text, with a limit for its work.
//!
//! Takes a language and a text; gives a tree or a [`Refusal`]. A grammar may crash in its own C code, which nothing in this
//! process can catch: whoever reads files of strangers runs this in a process of its own.

use crate::language::{Grammar, Language};
use crate::languages::LANGUAGES;
use crate::query::Rules;
use std::cell::RefCell;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use tree_sitter::{ParseOptions, Parser, Tree};

/// Why there is no structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The build lacks the grammar, or the grammar cannot be used.
    NoGrammar(String),
    /// The parser needed more steps than a text of this size deserves.
    TooMuchWork,
    /// Definitions nested deeper than anyone writes.
    TooDeep,
    /// Longer than ranges of 32 bits reach.
    TooLong,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoGrammar(cause) => f.write_str(cause),
            Self::TooMuchWork => f.write_str("the parser did not come to an end in the steps it is given"),
            Self::TooDeep => write!(f, "nested deeper than {DEEPEST} levels"),
            Self::TooLong => f.write_str("too long to be parsed"),
        }
    }
}

impl std::error::Error for Refusal {}

/// Levels of nesting that are walked. A file of a compiler's test suite reached 17,737 levels of expressions, none of which
/// are walked; blocks and definitions of people stay below 50.
pub const DEEPEST: usize = 10_000;

/// Steps the parser may take: it reports once in a hundred steps of its own, some 25,000 times a second. Of 18,000 files of real
/// projects in five languages the mean needs 0.007 reports a byte, the worst 0.036. Steps are counted, not seconds, so
/// that the answer is the same on every machine.
const REPORTS: usize = 5_000;
const BYTES_PER_REPORT: usize = 8;

/// Grammar and rules of each row of [`LANGUAGES`], made when they are first needed.
static COMPILED: [OnceLock<Result<Grammar, String>>; LANGUAGES.len()] = [const { OnceLock::new() }; LANGUAGES.len()];

thread_local! {
    /// A parser keeps the memory of its last text for the next one.
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

pub(crate) fn parse(language: &Language, text: &str) -> Result<(&'static Grammar, Tree), Refusal> {
    let compiled = compile_language(language)?;
    if u32::try_from(text.len()).is_err() {
        return Err(Refusal::TooLong);
    }
    let tree = PARSER.with_borrow_mut(|parser| run(parser, compiled, text))?;
    Ok((compiled, tree))
}

fn compile_language(language: &Language) -> Result<&'static Grammar, Refusal> {
    let missing = || format!("this build has no grammar for {}", language.name);
    let row = LANGUAGES.iter().position(|row| row == language).and_then(|row| COMPILED.get(row));
    let compile = || {
        let grammar = language.grammar.ok_or_else(missing)?();
        let rules = Rules::new(&grammar, &language.queries.concat())
            .map_err(|cause| format!("the query file for {} is wrong: {cause}", language.name))?;
        let declarators = language.declarators.split(' ').map(|kind| grammar.id_for_node_kind(kind, true));
        let declarators = declarators.filter(|id| *id != 0).collect();
        Ok(Grammar { grammar, rules, declarators })
    };
    let compiled = row.ok_or_else(|| Refusal::NoGrammar(missing()))?.get_or_init(compile);
    compiled.as_ref().map_err(|cause| Refusal::NoGrammar(cause.clone()))
}

fn run(parser: &mut Parser, compiled: &Grammar, text: &str) -> Result<Tree, Refusal> {
    parser.set_language(&compiled.grammar).map_err(|cause| Refusal::NoGrammar(cause.to_string()))?;
    // A text that was given up would be taken up again.
    parser.reset();
    let bytes = text.as_bytes();
    let mut left = REPORTS + bytes.len() / BYTES_PER_REPORT;
    let mut count = |_: &tree_sitter::ParseState| {
        left -= 1;
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut count);
    let tree = parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or(&[]), None, Some(options));
    tree.ok_or(Refusal::TooMuchWork)
}

/// How many errors the parser finds in a text: nodes it could not read and nodes it missed.
pub fn errors(language: &Language, text: &str) -> Result<usize, Refusal> {
    let (_, tree) = parse(language, text)?;
    Ok(count_errors(&tree))
}

pub(crate) fn count_errors(tree: &Tree) -> usize {
    let mut count = 0;
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        count += usize::from(node.is_error() || node.is_missing());
        // Only branches with an error in them are worth a visit.
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
}

/// The tree as tree-sitter prints it, for whoever writes a query file.
pub fn sexp(language: &Language, text: &str) -> String {
    parse(language, text).map_or_else(|refusal| refusal.to_string(), |(_, tree)| tree.root_node().to_sexp())
}
