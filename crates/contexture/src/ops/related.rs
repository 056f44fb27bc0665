//! Which files others import or speak of.
//!
//! Takes paths of files; gives further files of the composition that these refer to, the most needed first, each with a reason. What
//! becomes of them is for whoever asks: the panel shows them as skeletons.

use super::OpError;
use super::driver::Driver;
use super::notes::{NoteAnswer, note_answers};
use super::open::{Door, near};
use crate::requests::DocumentRequest;
use contexture_core::rank::{self, Digest, RankEntry, Referred};
use contexture_core::shape::{self, FileNature};
use contexture_core::{Body, CodeReader, Item, Note, Topic};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Files that the given files import or mention.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RelatedAnswer {
    pub of: Vec<String>,
    pub files: Vec<RelatedRow>,
    #[schemars(with = "Vec<NoteAnswer>")]
    #[serde(serialize_with = "note_answers")]
    pub notes: Vec<Note>,
}

// One file that others refer to. The names that say most come first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RelatedRow {
    pub path: String,
    /// Whether it is imported, not only mentioned
    pub imported: bool,
    pub names: Vec<String>,
    pub reason: String,
}

/// At most `limit` files.
pub fn related(
    door: &Door,
    request: &DocumentRequest,
    paths: &[String],
    limit: usize,
) -> Result<RelatedAnswer, OpError> {
    if paths.is_empty() {
        return Err(OpError::usage("no file is named").hint("`contexture related PATH`"));
    }
    let opened = door.open(request)?;
    let mut driver = Driver::for_document(door, &opened);
    let snapshot = driver.screen_files(opened.read_files(door)?, &opened)?;
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
    let digests: Vec<Option<Arc<Digest>>> =
        driver.work(|tools| snapshot.items.par_iter().map(|item| digest(item, tools.code)).collect())?;
    let entries: Vec<RankEntry<'_>> =
        snapshot.items.iter().zip(&digests).map(|(item, digest)| entry(item, digest)).collect();
    let told = |one: Referred| RelatedRow {
        path: snapshot.items[one.file].path.clone(),
        imported: one.is_imported,
        reason: reason(&one),
        names: one.names,
    };
    let files = rank::refers(&entries, &from).into_iter().take(limit).map(told).collect();
    let of = from.iter().map(|at| snapshot.items[*at].path.clone()).collect();
    // What there is to say of single files says nothing of what leads to them.
    let settings = snapshot.notes.iter().filter(|note| note.topic == Topic::Setting).cloned();
    Ok(RelatedAnswer { of, files, notes: settings.chain(driver.memory.note).collect() })
}

/// Why it is related, in a few words.
fn reason(file: &Referred) -> String {
    let how = if file.is_imported { "imported" } else { "used" };
    // Three names tell what it is about.
    let names: Vec<String> = file.names.iter().take(3).map(|name| format!("`{name}`")).collect();
    let more = file.names.len().saturating_sub(names.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{how}: {}{more}", names.join(", "))
}

fn digest(item: &Item, code: &dyn CodeReader) -> Option<Arc<Digest>> {
    let Body::Text { text, .. } = &item.body else { return None };
    if !matches!(shape::nature(item), FileNature::Ordinary) {
        return None;
    }
    let language = shape::language_of(item, text);
    Some(code.digest(language, text, shape::TextForm::of(item), item.hash.as_ref()))
}

fn entry<'a>(item: &'a Item, digest: &'a Option<Arc<Digest>>) -> RankEntry<'a> {
    let text = match &item.body {
        Body::Text { text, .. } => Some(&**text),
        _ => None,
    };
    RankEntry { path: &item.path, digest: digest.as_deref(), text }
}
