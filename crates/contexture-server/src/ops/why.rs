//! Why a path is shown the way it is, or not at all.

use super::OpError;
use super::document::plan;
use super::open::{Door, Opened, Request};
use contexture_core::render::{grouped, printable};
use contexture_core::{Level, Note, Topic};
use contexture_gather::{Place, config, ignored, names};
use std::path::{Path, PathBuf};

/// The answer, in one screen.
pub struct Reason {
    pub path: String,
    pub shown: bool,
    pub view: Option<Level>,
    pub tokens: Option<u64>,
    pub why: String,
    pub details: Vec<String>,
    pub hint: Option<String>,
}

pub fn why(door: &Door, request: &Request, path: &str) -> Result<Reason, OpError> {
    let made = plan(door, request)?;
    let opened = door.open(request)?;
    let project = Place { root: 0, rel: PathBuf::new() };
    let wanted = opened.roots.place(&project, Path::new(path)).map(|place| (opened.roots.shown(&place), place));
    let shown = wanted.as_ref().map_or_else(|_| path.to_owned(), |(shown, _)| shown.clone());
    if let Some(pick) = made.compiled.plan.picks.iter().find(|pick| pick.path == shown) {
        let total = made.compiled.measured.0.max(1);
        let mut details = vec![format!(
            "{} of {} tokens ({:.1}%)",
            grouped(pick.tokens.0),
            grouped(total),
            pick.tokens.0 as f64 * 100.0 / total as f64
        )];
        details.extend(pick.error.clone());
        details.extend(
            made.compiled
                .notes
                .iter()
                .filter(|note| note.path.as_deref() == Some(&shown) && note.text != pick.why.to_string())
                .map(|note| note.text.clone()),
        );
        return Ok(Reason {
            path: shown,
            shown: true,
            view: Some(pick.level),
            tokens: Some(pick.tokens.0),
            why: pick.why.to_string(),
            details,
            hint: None,
        });
    }
    let out = |why: String, hint: Option<String>| Reason {
        path: shown.clone(),
        shown: false,
        view: None,
        tokens: None,
        why,
        details: Vec::new(),
        hint,
    };
    if let Some(left) = made.compiled.plan.left_out.iter().find(|left| left.path.trim_end_matches('/') == shown) {
        return Ok(out(left.why.to_string(), None));
    }
    let place = match wanted {
        Ok((_, place)) => place,
        Err(failure) => return Ok(out(failure.to_string(), Some("add its folder with `--root DIR`".into()))),
    };
    if !opened.roots.absolute(&place).exists() {
        let hint = opened.roots.near(path).map(|near| format!("did you mean `{near}`?"));
        return Ok(out("there is no such file".into(), hint));
    }
    let inside = made.compiled.plan.picks.iter().filter(|pick| pick.path.starts_with(&format!("{shown}/")));
    let (files, tokens) = inside.fold((0u64, 0u64), |(files, tokens), pick| (files + 1, tokens + pick.tokens.0));
    if files > 0 {
        let mut reason =
            out(format!("a folder: {} of its files are shown", grouped(files)), Some("ask about a file".into()));
        (reason.shown, reason.tokens) = (true, Some(tokens));
        return Ok(reason);
    }
    Ok(out(
        absent(&opened, &place, request),
        Some(format!("`contexture build {}` names it by hand", printable(&shown))),
    ))
}

/// Why a file that is there was not even found.
fn absent(opened: &Opened, place: &Place, request: &Request) -> String {
    if opened.roots.absolute(place).starts_with(opened.roots.project().join(&opened.config.output.dir)) {
        return "written by contexture itself".into();
    }
    if let Some(rule) = ignored::rule_for(&opened.roots, place) {
        let through = if rule.matched == opened.roots.shown(place) {
            String::new()
        } else {
            format!(", which leaves out `{}`", rule.matched)
        };
        return format!("ignored by `{}` in {}:{}{through}", rule.pattern, rule.file, rule.line);
    }
    let parts: Vec<String> = place.rel.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if let Some(folder) = parts.iter().find(|part| names::is_version_control(part)) {
        return format!("`{folder}` belongs to version control");
    }
    if let Some((folder, what)) = parts.iter().find_map(|part| Some((part, names::dependency_folder(part)?))) {
        return format!("`{folder}` holds {what}");
    }
    let patterns = !request.include.is_empty() || !request.exclude.is_empty();
    if patterns || !opened.config.files.include.is_empty() || !opened.config.files.exclude.is_empty() {
        return "`include` and `exclude` do not let it through, or the composition does not name it".into();
    }
    "no entry of the composition names it".into()
}

/// A configuration further up is not used, but perhaps it was meant.
pub(super) fn config_above(opened: &Opened) -> Option<Note> {
    let root = opened.roots.project();
    if root.join(config::PROJECT_FILE).exists() {
        return None;
    }
    let mut up = PathBuf::new();
    for folder in root.ancestors().skip(1).take(8) {
        up.push("..");
        if folder.join(config::PROJECT_FILE).is_file() {
            let text = format!("`{}` is not used: this folder is the root", up.join(config::PROJECT_FILE).display());
            return Some(Note::new(Topic::Setting, text).hint(format!("`--root {}` uses it", up.display())));
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}
