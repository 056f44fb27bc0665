//! What would be masked: every possible secret and every invisible character of the files, with its place. Writes and masks nothing.

use super::driver::Driver;
use super::open::{Door, check_single_file};
use super::{OpError, config_set};
use crate::requests::{ConfigSetRequest, DocumentRequest};
use contexture_core::safety::{Fingerprint, HiddenText, Report, Safety, Secrets};
use contexture_core::{Body, Note};
use contexture_gather::GatherRequest;
use contexture_gather::config::{self, Scope};
use std::path::PathBuf;

/// The secrets and invisible characters that were found in files.
pub struct ScanResult {
    /// What was found and is not allowed.
    pub report: Report,
    /// How many of what was found the settings let through.
    pub allowed: usize,
    pub files: usize,
    pub bytes: u64,
    pub notes: Vec<Note>,
}

/// Looks whatever the policy is: a policy of `off` is a reason to ask, not to be silent.
pub fn scan(door: &Door, request: &DocumentRequest) -> Result<ScanResult, OpError> {
    let opened = door.open(request)?;
    let mut driver = Driver::for_messages(door, &opened.roots, &opened.config, opened.tokenizer);
    let files_only = !request.paths.is_empty() || !request.listed.is_empty();
    let snapshot = opened.read(door, &GatherRequest { files_only, ..opened.ask.clone() })?;
    check_single_file(&snapshot, request)?;
    let safety = Safety { secrets: Secrets::Redact, hidden: HiddenText::Warn, ..Safety::default() };
    let texts = snapshot.items.iter().filter(|item| !matches!(item.body, Body::Unread | Body::Failed(_)));
    let (files, bytes) = texts.fold((0, 0), |(files, bytes), item| (files + 1, bytes + item.size));
    let mut notes = snapshot.notes.clone();
    notes.extend(opened.notes.iter().cloned());
    notes.extend(driver.memory.note.clone());
    let screened = driver.screen(snapshot, &safety)?;
    driver.memory.save();
    let (_, mut report) = screened.into_parts();
    report.secrets_policy = opened.safety.secrets;
    report.hidden_policy = opened.safety.hidden;
    let all = report.secrets.len();
    report.secrets.retain(|found| !opened.config.safety.allow.contains(&found.fingerprint));
    Ok(ScanResult { allowed: all - report.secrets.len(), report, files, bytes, notes })
}

/// Lets one secret through wherever it stands, by its fingerprint, for this user: a project's file cannot. Gives the file that says so.
pub fn scan_allow(door: &Door, fingerprint: &str) -> Result<PathBuf, OpError> {
    let wanted = Fingerprint::parse(fingerprint).ok_or_else(|| {
        OpError::usage("this is no fingerprint").hint("`contexture scan` tells those of what it found")
    })?;
    let (roots, config) = door.open_project()?;
    let project_file = config.project_file.0;
    // The user's own list: an empty one in the project's file must not empty it.
    let file = door.config_file.as_ref().map(|file| door.env.cwd.join(file));
    let config = config::load_if(roots.project(), &door.env, &[], file.as_deref(), Some((&project_file, "")))?;
    let mut all: Vec<String> = config.safety.allow.iter().map(ToString::to_string).collect();
    if !all.contains(&wanted.to_string()) {
        all.push(wanted.to_string());
    }
    let value = serde_json::json!(all).to_string();
    config_set(door, &ConfigSetRequest { key: "safety.allow".into(), value, scope: Scope::Global.into() })
}
