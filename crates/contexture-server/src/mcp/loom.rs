//! The tools for trees of conversations.

use super::answers::{Answer, note_lines};
use super::arguments::{with_default, with_help};
use super::page::{self, PAGE, Totals};
use contexture::answers::{AddedNodeAnswer, AssembledPathAnswer, versioned};
use contexture::ops::loom::{self, Missing};
use contexture::ops::{Door, OpError};
use contexture::requests::{AddNodeRequest, AssembleRequest, InTree, PathFormat, PathOptions, TokenCount, Word};
use contexture_core::{AuthorType, Format};
use schemars::JsonSchema;
use serde::Deserialize;

const TREE: &str = "Id or title of a tree [default: the tree in use]";

/// A path through a tree, in pages.
#[derive(Deserialize, JsonSchema)]
#[schemars(
    transform = with_help(&[
        ("tree", TREE),
        ("node", "Where the path ends [default: its active node]"),
        ("max_tokens", "Cut the path to this many tokens"),
    ]),
    transform = with_default("max_tokens", PAGE)
)]
pub struct PathArguments {
    #[serde(flatten)]
    path: InTree<PathOptions>,
    /// `next_offset` of the page before
    #[serde(default)]
    offset: usize,
}

/// The messages of a path where they fit on a page; else its text as a document, in pages.
pub fn path(door: &Door, arguments: PathArguments, _: &str) -> Result<Answer, OpError> {
    let PathArguments { path: InTree { which, request: mut path }, offset } = arguments;
    path.max_tokens.get_or_insert(TokenCount(PAGE));
    let request =
        AssembleRequest { path, format: Some(Word(PathFormat(Format::Markdown))), ..AssembleRequest::default() };
    let made = loom::trees(door, &which, Missing::Refuse)?.assemble(&request)?;
    let page = page::text(made.compiled.output.pieces(), offset)?;
    // The text is in the page, not in the answer.
    let mut answer = AssembledPathAnswer { request: None, ..AssembledPathAnswer::new(&made, None) };
    let totals = Totals::default()
        .shorten("items_total", &mut answer.compiled.items, PAGE / 20)
        .shorten("left_out_total", &mut answer.compiled.left_out, PAGE / 20)
        .shorten("notes_total", &mut answer.compiled.notes, PAGE / 20);
    let is_short = answer.messages.as_ref().is_some_and(|all| page::tokens(all) <= PAGE);
    if !(offset == 0 && page.next.is_none() && is_short) {
        answer.messages = None;
        answer.compiled.document = Some(page.text.clone());
    }
    let notes = note_lines(&made.compiled.notes);
    let mut answer = Answer::paged(versioned(answer), totals, page.text, page.next);
    if !notes.is_empty() {
        answer.text.push_str(&format!("\n---\n{notes}"));
    }
    Ok(answer)
}

/// A node to add to a tree.
#[derive(Deserialize, JsonSchema)]
#[schemars(transform = with_help(&[
    ("text", "Text of the node"),
    ("tree", TREE),
    ("author_type", "Who wrote it [default: model]"),
]))]
pub struct AppendArguments {
    #[serde(flatten)]
    node: InTree<AddNodeRequest>,
    /// Id of the node before it
    parent: Option<String>,
}

pub fn append(door: &Door, arguments: AppendArguments, _: &str) -> Result<Answer, OpError> {
    let AppendArguments { node: InTree { which, mut request }, parent } = arguments;
    request.parents.extend(parent);
    request.by.author_type.get_or_insert(Word(AuthorType::Model));
    let added = loom::trees(door, &which, Missing::Refuse)?.add(&request)?;
    let text = format!("added `{}` to `{}`\n", added.node.local, added.tree.title);
    Ok(Answer::new(versioned(AddedNodeAnswer::from(&added)), Totals::default(), text))
}
