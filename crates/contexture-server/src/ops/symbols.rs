//! What a file defines.

use super::document::Memory;
use super::open::{Door, Request};
use super::{OpError, document};
use contexture_core::render::grouped;
use contexture_core::{Body, CodeReader, Note, shape};
use contexture_syntax::Symbol;

pub struct Symbols {
    pub path: String,
    pub language: &'static str,
    /// In the order of the file.
    pub symbols: Vec<Symbol>,
    pub notes: Vec<Note>,
}

pub fn symbols(door: &Door, path: &str) -> Result<Symbols, OpError> {
    let one = document::open_one(door, &Request::default(), path)?;
    let memory = Memory::open(door, &one.opened);
    let (one, _) = one.screened(&memory)?;
    let text = match &one.item.body {
        Body::Text { text, .. } => text,
        Body::Huge { .. } => {
            let bytes = grouped(one.item.size);
            return Err(OpError::failed(format!("`{path}`: {bytes} bytes is too large to be parsed")));
        }
        _ => return Err(OpError::failed(format!("`{path}` is no text that could be parsed"))),
    };
    let Some(language) = shape::language_of(&one.item, text) else {
        let known: Vec<&str> = contexture_syntax::LANGUAGES.iter().map(|language| language.name).collect();
        return Err(OpError::failed(format!("`{path}` is in no language whose symbols are known"))
            .hint(format!("there are: {}", known.join(", "))));
    };
    let structure = memory
        .code(door)
        .structure(language, text, one.item.hash.as_ref())
        .map_err(|cause| OpError::failed(format!("`{path}`: {cause}")))?;
    memory.save();
    let symbols = contexture_syntax::symbols(language, &structure, text);
    Ok(Symbols { path: one.item.path.clone(), language: language.name, symbols, notes: one.notes })
}
