//! Docstrings: the string at the beginning of a body.

use super::span;
use crate::structure::Span;
use tree_sitter::Node;

/// The statement at the beginning of a body that is nothing but a string.
pub(super) fn docstring(body: Node<'_>, text: &str) -> Option<Span> {
    let mut cursor = body.walk();
    let first = body.named_children(&mut cursor).find(|child| !child.is_extra())?;
    if first.kind() != "expression_statement" || first.named_child_count() != 1 {
        return None;
    }
    let mut inner = first.named_child(0)?;
    // `("text")` is a docstring too; nobody nests deeper.
    for _ in 0..8 {
        if inner.kind() == "parenthesized_expression" && inner.named_child_count() == 1 {
            inner = inner.named_child(0)?;
        }
    }
    let plain = |node: Node<'_>| {
        let quoted = span(node, text).of(text);
        let prefix = quoted.split(['"', '\'']).next().unwrap_or("");
        !prefix.contains(['b', 'B', 'f', 'F', 't', 'T'])
    };
    let is_doc = match inner.kind() {
        "string" => plain(inner),
        "concatenated_string" => {
            let mut cursor = inner.walk();
            inner.named_children(&mut cursor).filter(|child| child.kind() == "string").all(plain)
        }
        _ => false,
    };
    is_doc.then(|| span(first, text))
}
