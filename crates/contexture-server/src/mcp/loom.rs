//! The tools for trees of conversations.

use super::answers::{Answer, note_lines};
use super::page::{self, PAGE, Totals};
use contexture::answers::{AssembledPathAnswer, NodeAnswer, to_value, versioned};
use contexture::ops::loom::{self, Missing};
use contexture::ops::{Door, OpError};
use contexture::requests::{
    AddNodeRequest, AssembleRequest, NodeAuthor, PathFormat, PathOptions, TokenCount, WhichTree, Word,
};
use contexture_core::{AuthorType, Format};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// A path through a tree, in pages.
#[derive(Deserialize, JsonSchema)]
pub struct PathArguments {
    /// Id or title of a tree [default: the tree in use]
    tree: Option<String>,
    /// Where the path ends [default: its active node]
    node: Option<String>,
    /// Cut the path to this many tokens
    #[serde(default = "page_tokens")]
    max_tokens: TokenCount,
    /// `next_offset` of the page before
    #[serde(default)]
    offset: usize,
}

fn page_tokens() -> TokenCount {
    TokenCount(PAGE)
}

/// The messages of a path where they fit on a page; else its text as a document, in pages.
pub fn path(door: &Door, arguments: PathArguments, _: &str) -> Result<Answer, OpError> {
    let PathArguments { tree, node, max_tokens, offset } = arguments;
    let path = PathOptions { node, max_tokens: Some(max_tokens), ..PathOptions::default() };
    let request =
        AssembleRequest { path, format: Some(Word(PathFormat(Format::Markdown))), ..AssembleRequest::default() };
    let made = loom::trees(door, &WhichTree { store: None, tree }, Missing::Refuse)?.assemble(&request)?;
    let page = page::text(made.compiled.output.pieces(), offset)?;
    let mut answer = to_value(versioned(AssembledPathAnswer::new(&made, None)));
    let mut totals = Totals::default();
    if let Some(fields) = answer.as_object_mut() {
        fields.remove("request");
        for (key, total) in [("items", "items_total"), ("left_out", "left_out_total"), ("notes", "notes_total")] {
            if let Some(Value::Array(list)) = fields.get_mut(key) {
                totals = totals.shorten(total, list, PAGE / 20);
            }
        }
        let is_short = fields.get("messages").is_some_and(|all| page::tokens(all) <= PAGE);
        if !(offset == 0 && page.next.is_none() && is_short) {
            fields.remove("messages");
            fields.insert("document".into(), json!(page.text));
        }
    }
    let notes = note_lines(&made.compiled.notes);
    let mut answer = Answer::paged(answer, totals, page.text, page.next);
    if !notes.is_empty() {
        answer.text.push_str(&format!("\n---\n{notes}"));
    }
    Ok(answer)
}

/// A node to add to a tree.
#[derive(Deserialize, JsonSchema)]
pub struct AppendArguments {
    /// Text of the node
    text: String,
    /// Id or title of a tree [default: the tree in use]
    tree: Option<String>,
    /// Id of the node before it
    parent: Option<String>,
    /// Name of an agent
    author: Option<String>,
    /// Who wrote it [default: model]
    author_type: Option<Word<AuthorType>>,
}

pub fn append(door: &Door, arguments: AppendArguments, _: &str) -> Result<Answer, OpError> {
    let AppendArguments { text, tree, parent, author, author_type } = arguments;
    let by = NodeAuthor { author_type: Some(author_type.unwrap_or(Word(AuthorType::Model))), author };
    let mut trees = loom::trees(door, &WhichTree { store: None, tree }, Missing::Refuse)?;
    let found =
        trees.add(&AddNodeRequest { text, by, parents: Vec::from_iter(parent), ..AddNodeRequest::default() })?;
    let mut answer = to_value(versioned(NodeAnswer::from(&found)));
    // It was sent a moment ago.
    if let Some(node) = answer["node"].as_object_mut() {
        node.remove("text");
        node.remove("message");
    }
    let text = format!("added `{}` to `{}`\n", found.node.local, found.tree.title);
    Ok(Answer::new(answer, Totals::default(), text))
}
