//! The tools for trees of conversations.

use super::answers::{Answer, object, paged, told};
use super::args::Args;
use super::page::{self, PAGE};
use crate::ops::loom::{self, AssembleRequest, Missing, WhichTree, Writing};
use crate::ops::{Door, OpError};
use crate::wire;
use contexture_core::{AuthorType, Counter, Format, Tokenizer};
use serde_json::{Value, json};

/// The messages of a path where they fit on a page; else its text as a document, in pages.
pub fn path(door: &Door, mut args: Args) -> Result<Answer, OpError> {
    let which = WhichTree { store: None, tree: args.text("tree")? };
    let request = AssembleRequest {
        node: args.text("node")?,
        max_tokens: Some(args.number("max_tokens")?.unwrap_or(PAGE)),
        format: Some(Format::Markdown),
        ..AssembleRequest::default()
    };
    let offset = args.offset()?;
    args.end()?;
    let made = loom::trees(door, &which, Missing::Refuse)?.assemble(&request)?;
    let page = page::text(made.compiled.output.pieces(), offset)?;
    let mut object = object(wire::loom::assembled(&made, None));
    object.remove("request");
    for key in ["items", "left_out", "notes"] {
        page::shorten(&mut object, key, PAGE / 20);
    }
    let cost = |value: &Value| Tokenizer::O200k.count(&value.to_string());
    let fits = offset == 0 && page.next.is_none() && object.get("messages").is_some_and(|all| cost(all) <= PAGE);
    if !fits {
        object.remove("messages");
        object.insert("document".into(), json!(page.text));
    }
    let notes = told(&made.compiled.notes);
    let mut answer = paged(object, page.text, page.next);
    if !notes.is_empty() {
        answer.text = format!("{}\n---\n{notes}", answer.text);
    }
    Ok(answer)
}

pub fn append(door: &Door, mut args: Args) -> Result<Answer, OpError> {
    let text = args.needed("text")?;
    let which = WhichTree { store: None, tree: args.text("tree")? };
    let kind = match args.text("author_type")?.as_deref() {
        Some("human") => AuthorType::Human,
        Some("model") | None => AuthorType::Model,
        Some(other) => {
            let error = OpError::usage(format!("no kind of author is called `{other}`"));
            return Err(error.hint("there are: human, model"));
        }
    };
    let author = args.text("author")?;
    let parents = args.text("parent")?.into_iter().collect();
    args.end()?;
    let mut trees = loom::trees(door, &which, Missing::Refuse)?;
    let found = trees.add(&Writing { text, kind: Some(kind), author, parents, ..Writing::default() })?;
    let said = format!("added `{}` to `{}`\n", found.node.local, found.tree.title);
    let mut object = object(wire::loom::found(&found));
    // It was sent a moment ago.
    if let Some(Value::Object(node)) = object.get_mut("node") {
        node.remove("text");
        node.remove("message");
    }
    Ok(Answer { structured: object.into(), text: said })
}
