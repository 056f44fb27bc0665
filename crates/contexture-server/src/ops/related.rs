//! Which files others import or speak of.
//!
//! Takes paths of files; gives further files of the composition that these refer to, the most needed first, each with a reason. What
//! becomes of them is for whoever asks: the panel shows them as skeletons.

use super::OpError;
use super::document::Memory;
use super::hasty::Hasty;
use super::open::{Door, Request, near};
use contexture_core::rank::{self, Digest, Entry, Referred};
use contexture_core::safety::screen;
use contexture_core::shape::{self, Nature};
use contexture_core::{Body, CodeReader, Item, Note};
use contexture_gather::snapshot;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

pub struct Related {
    /// Those that were asked about, as the project calls them.
    pub of: Vec<String>,
    pub files: Vec<RelatedFile>,
    pub notes: Vec<Note>,
}

pub struct RelatedFile {
    pub path: String,
    pub is_imported: bool,
    /// That lead to it, those that say most first.
    pub names: Vec<String>,
}

impl RelatedFile {
    pub fn reason(&self) -> String {
        let how = if self.is_imported { "imported" } else { "used" };
        // Three names tell what it is about.
        let names: Vec<String> = self.names.iter().take(3).map(|name| format!("`{name}`")).collect();
        let more = self.names.len().saturating_sub(names.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{how}: {}{more}", names.join(", "))
    }
}

/// At most `limit` files.
pub fn related(door: &Door, request: &Request, paths: &[String], limit: usize) -> Result<Related, OpError> {
    if paths.is_empty() {
        return Err(OpError::usage("no file is named").hint("`contexture related PATH`"));
    }
    let opened = door.open(request)?;
    let memory = Memory::open(door, &opened);
    let mut ask = opened.ask.clone();
    ask.files_only = true;
    let read = snapshot(&opened.roots, &opened.config, &ask, &door.progress)?;
    let snapshot = screen(read, &opened.safety, &memory.clean);
    let places: BTreeMap<&str, usize> =
        snapshot.items.iter().enumerate().map(|(at, item)| (item.path.as_str(), at)).collect();
    let mut from = Vec::new();
    for path in paths {
        let shown = path.strip_prefix("./").unwrap_or(path);
        let missing = || {
            let error = OpError::failed(format!("`{path}` is no file of the composition"));
            match near(&opened.roots, path) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error.hint("`contexture why PATH` tells why"),
            }
        };
        from.push(*places.get(shown).ok_or_else(missing)?);
    }
    let code = memory.code(door);
    let code = Hasty { inner: &code, progress: &door.progress };
    let digests: Vec<Option<Arc<Digest>>> = snapshot.items.par_iter().map(|item| digest(item, &code)).collect();
    if door.progress.is_stopped() {
        return Err(OpError::Interrupted);
    }
    let entries: Vec<Entry<'_>> =
        snapshot.items.iter().zip(&digests).map(|(item, digest)| entry(item, digest)).collect();
    let told = |one: Referred| RelatedFile {
        path: snapshot.items[one.file].path.clone(),
        is_imported: one.is_imported,
        names: one.names,
    };
    let files = rank::refers(&entries, &from).into_iter().take(limit).map(told).collect();
    memory.save();
    let of = from.iter().map(|at| snapshot.items[*at].path.clone()).collect();
    Ok(Related { of, files, notes: memory.note.clone().into_iter().collect() })
}

fn digest(item: &Item, code: &dyn CodeReader) -> Option<Arc<Digest>> {
    let Body::Text { text, .. } = &item.body else { return None };
    if !matches!(shape::nature(item), Nature::Ordinary) {
        return None;
    }
    let language = shape::language_of(item, text);
    Some(code.digest(language, text, shape::Form::of(item), item.hash.as_ref()))
}

fn entry<'a>(item: &'a Item, digest: &'a Option<Arc<Digest>>) -> Entry<'a> {
    let text = match &item.body {
        Body::Text { text, .. } => Some(&**text),
        _ => None,
    };
    Entry { path: &item.path, digest: digest.as_deref(), text }
}
