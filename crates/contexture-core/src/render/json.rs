//! The document as one JSON object, a line for each item.

use super::entry_text;
use crate::types::{Body, Item, ItemKind, Piece, View};
use serde_json::json;

pub fn block(item: &Item, view: &View, position: usize) -> Vec<Piece> {
    let mut value = match item.kind {
        ItemKind::File => json!({"path": item.path, "view": view.level.as_str(), "text": &*view.text}),
        ItemKind::Retrieved => json!({"path": item.path, "lines": view.label, "text": &*view.text}),
        ItemKind::Screenshot => match &item.body {
            Body::Image { media_type, data, .. } => {
                json!({"path": item.path, "media_type": media_type, "data": data.as_deref()})
            }
            _ => json!({"path": item.path}),
        },
        ItemKind::Diff | ItemKind::Log | ItemKind::Beads => json!({"text": &*view.text}),
        ItemKind::Discussion => {
            let (role, content) = entry_text(item);
            json!({"n": position + 1, "role": role, "content": content})
        }
        ItemKind::Layer(_) => json!({"text": &*view.text}),
    };
    if let (Some(error), Some(object)) = (&view.error, value.as_object_mut()) {
        object.insert("error".into(), json!(error));
    }
    vec![Piece::Frame(format!("{value}\n"))]
}
