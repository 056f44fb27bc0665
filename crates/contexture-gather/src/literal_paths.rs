//! What a composition names literally: files and folders that are shown whatever ignore files say of them.
//!
//! Takes the settings and what was asked for; gives absolute paths inside the roots, there or not. Patterns are not among them.

use crate::config::{Config, ExecutionMode};
use crate::names;
use crate::request::GatherRequest;
use crate::roots::{RootedPath, Roots};
use crate::select::is_glob;
use std::path::{Path, PathBuf};

/// Where beads leaves its export, the newest name first.
pub(crate) const BEADS: [&str; 3] = [".beads/issues.jsonl", ".beads/beads.jsonl", ".beads_mock/beads.json"];

/// Absolute paths of all that is named by its own path: files, folders, pictures, histories, tasks.
pub fn literal_paths(roots: &Roots, config: &Config, request: &GatherRequest) -> Vec<PathBuf> {
    let project = || RootedPath { root: 0, rel: PathBuf::new() };
    // A folder that leads outside is refused where it is used.
    let base = |dir: &str| roots.locate(&project(), Path::new(dir)).unwrap_or_else(|_| project());
    let files = base(&config.files.base_dir);
    let pictures = base(&config.screenshots.base_dir);
    let entries = request.composition.as_deref().or(config.files.paths.as_deref()).unwrap_or_default();
    let shots = request.screenshots.as_deref().unwrap_or(&config.screenshots.paths);
    let beads: &[&str] = if config.project.execution_mode == ExecutionMode::Beads { &BEADS } else { &[] };
    let all = entries
        .iter()
        .map(|entry| (&files, entry.path.as_str()))
        .chain(shots.iter().map(|path| (&pictures, path.as_str())));
    let own = request.named.iter().chain(&request.listed).chain(&config.discussion.history_file);
    let own = own.map(String::as_str).chain(beads.iter().copied());
    let place = |base: &RootedPath, path: &str| {
        let place = roots.locate(base, &names::original_path(path)).ok()?;
        let path_of = roots.absolute(&place);
        // A file may be called like a pattern.
        (!is_glob(path) || path_of.symlink_metadata().is_ok()).then_some(path_of)
    };
    let origin = project();
    all.filter_map(|(base, path)| place(base, path)).chain(own.filter_map(|path| place(&origin, path))).collect()
}
