//! What would be masked: every possible secret and every invisible character of the files, with its place. Writes and masks nothing.

use super::document::Memory;
use super::open::{Door, Request};
use super::{OpError, config_of, config_set};
use contexture_core::safety::{Fingerprint, HiddenText, Report, Safety, Secrets, screen};
use contexture_core::{Body, Item, Note};
use contexture_gather::config::Scope;
use contexture_gather::snapshot;
use std::path::PathBuf;

pub struct Scanned {
    /// What was found and is not allowed.
    pub report: Report,
    /// How many of what was found the settings let through.
    pub allowed: usize,
    pub files: usize,
    pub bytes: u64,
    pub notes: Vec<Note>,
}

/// Looks whatever the policy is: a policy of `off` is a reason to ask, not to be silent.
pub fn scan(door: &Door, request: &Request) -> Result<Scanned, OpError> {
    let opened = door.open(request)?;
    let memory = Memory::for_counts(door, &opened.roots, &opened.config, opened.tokenizer);
    let mut ask = opened.ask.clone();
    ask.files_only = !request.paths.is_empty() || !request.listed.is_empty();
    let snapshot = snapshot(&opened.roots, &opened.config, &ask, &door.progress)?;
    if let [Item { path, body: Body::Failed(failure), .. }] = snapshot.items.as_slice()
        && !request.paths.is_empty()
    {
        return Err(OpError::failed(format!("`{path}`: {failure}")));
    }
    let safety = Safety { secrets: Secrets::Redact, hidden: HiddenText::Warn, ..Safety::default() };
    let texts = snapshot.items.iter().filter(|item| !matches!(item.body, Body::Unread | Body::Failed(_)));
    let (files, bytes) = texts.fold((0, 0), |(files, bytes), item| (files + 1, bytes + item.size));
    let mut notes = snapshot.notes.clone();
    notes.extend(opened.notes.iter().cloned());
    notes.extend(memory.note.clone());
    let screened = screen(snapshot, &safety, &memory.clean);
    memory.save();
    let (_, mut report) = screened.into_parts();
    report.secrets_policy = opened.safety.secrets;
    report.hidden_policy = opened.safety.hidden;
    let all = report.secrets.len();
    report.secrets.retain(|found| !opened.config.safety.allow.contains(&found.fingerprint));
    Ok(Scanned { allowed: all - report.secrets.len(), report, files, bytes, notes })
}

/// Lets one secret through wherever it stands, by its fingerprint, for this project. Gives the file that says so.
pub fn scan_allow(door: &Door, fingerprint: &str) -> Result<PathBuf, OpError> {
    let wanted = Fingerprint::parse(fingerprint).ok_or_else(|| {
        OpError::usage("this is no fingerprint").hint("`contexture scan` tells those of what it found")
    })?;
    let config = config_of(door)?;
    let mut all: Vec<String> = config.safety.allow.iter().map(ToString::to_string).collect();
    if !all.contains(&wanted.to_string()) {
        all.push(wanted.to_string());
    }
    config_set(door, "safety.allow", &serde_json::json!(all).to_string(), Scope::Project)
}
