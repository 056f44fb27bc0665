//! Why a path is shown the way it is, or not at all.

use super::OpError;
use super::document::plan;
use super::open::{Door, Opened, near};
use crate::requests::DocumentRequest;
use contexture_core::render::{grouped, printable};
use contexture_core::safety::Secrets;
use contexture_core::{Explained, ExplainedSymbol, FitMove, Level, Note, Topic};

use contexture_gather::{RootedPath, config, ignored, names};
use contexture_syntax::{is_symbol_named, plain_name};
use std::path::{Path, PathBuf};

/// The answer, in one screen.
#[derive(Default)]
pub struct Reason {
    pub path: String,
    pub shown: bool,
    pub view: Option<Level>,
    pub tokens: Option<u64>,
    pub why: String,
    pub details: Vec<String>,
    pub hint: Option<String>,
    /// What the budget weighed, when there is one.
    pub explained: Option<Explained>,
}

/// Explains why a path or a symbol is shown as it is, or is left out.
pub fn why(door: &Door, request: &DocumentRequest, asked: &str) -> Result<Reason, OpError> {
    let opened = door.open(request)?;
    let project = RootedPath { root: 0, rel: PathBuf::new() };
    let place = |path: &str| opened.roots.locate(&project, Path::new(path));
    // `a.py:Class.method` asks about a symbol, unless a file is called so. Names may hold colons themselves.
    let is_there = |path: &str| place(path).is_ok_and(|place| opened.roots.absolute(&place).symlink_metadata().is_ok());
    let splits = || asked.match_indices(':').map(|(at, _)| (&asked[..at], &asked[at + 1..]));
    let symbols = || splits().filter(|(path, symbol)| !path.is_empty() && !symbol.is_empty());
    let split = symbols().find(|(path, _)| is_there(path)).or_else(|| symbols().next());
    let (path, symbol) = match split.filter(|_| !is_there(asked)) {
        Some((path, symbol)) => (path, Some(symbol)),
        None => (asked, None),
    };
    let wanted = place(path).map(|place| (opened.roots.display_path(&place), place));
    let shown = wanted.as_ref().map_or_else(|_| path.to_owned(), |(shown, _)| shown.clone());
    // Nothing leaves here, so nothing is denied.
    let secrets =
        Some(opened.safety.secrets).map(|policy| if policy == Secrets::Deny { Secrets::Redact } else { policy });
    let document = plan(
        door,
        &DocumentRequest { explain: Some(shown.clone()), secrets: secrets.map(Into::into), ..request.clone() },
    )?;
    let explained = document.compiled.fit.as_ref().and_then(|fit| fit.explained.clone());
    if let Some(symbol) = symbol {
        return about_symbol(&shown, symbol, explained);
    }
    if let Some(pick) = document.compiled.plan.picks.iter().find(|pick| pick.path == shown) {
        let total = document.compiled.measured.0.max(1);
        let mut details = vec![format!(
            "{} of {} tokens ({:.1}%)",
            grouped(pick.tokens.0),
            grouped(total),
            pick.tokens.0 as f64 * 100.0 / total as f64
        )];
        details.extend(pick.error.clone());
        details.extend(explained.iter().flat_map(explanation_lines));
        let is_about = |note: &&Note| note.path.as_deref() == Some(&shown) && note.text != pick.why.to_string();
        details.extend(document.compiled.notes.iter().filter(is_about).map(|note| note.text.clone()));
        return Ok(Reason {
            path: shown,
            shown: true,
            view: Some(pick.level),
            tokens: Some(pick.tokens.0),
            why: pick.reason(),
            details,
            explained,
            ..Reason::default()
        });
    }
    let out = |why: String, hint: Option<String>| Reason { path: shown.clone(), why, hint, ..Reason::default() };
    if let Some(left) = document.compiled.plan.left_out.iter().find(|left| left.path.trim_end_matches('/') == shown) {
        let mut reason = out(left.why.to_string(), None);
        reason.details = explained.iter().flat_map(explanation_lines).collect();
        reason.explained = explained;
        return Ok(reason);
    }
    let place = match wanted {
        Ok((_, place)) => place,
        Err(failure) => return Ok(out(failure.to_string(), Some("add its folder with `--root DIR`".into()))),
    };
    if !opened.roots.absolute(&place).exists() {
        let error = OpError::usage(format!("no such file: `{}`", printable(path)));
        return Err(match near(&opened.roots, path) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error,
        });
    }
    let below = if shown.is_empty() { String::new() } else { format!("{shown}/") };
    let inside = document.compiled.plan.picks.iter().filter(|pick| pick.path.starts_with(&below));
    let (files, tokens) = inside.fold((0u64, 0u64), |(files, tokens), pick| (files + 1, tokens + pick.tokens.0));
    if files > 0 {
        let mut reason =
            out(format!("a folder: {} of its files are shown", grouped(files)), Some("ask about a file".into()));
        (reason.shown, reason.tokens) = (true, Some(tokens));
        if shown.is_empty() {
            reason.path = ".".into();
        }
        return Ok(reason);
    }
    Ok(out(
        absence_reason(&opened, &place, request),
        Some(format!("`contexture build {}` names it by hand", printable(&shown))),
    ))
}

/// How many symbols and parts fit on a screen.
const SYMBOLS: usize = 8;
const PARTS: usize = 5;

fn explanation_lines(explained: &Explained) -> Vec<String> {
    let mut lines = vec![relevance(explained.probability, &explained.parts, explained.best.clone())];
    lines.extend(explained.up.iter().map(|up| format!("next: {}", step(up, false))));
    for symbol in explained.symbols.iter().take(SYMBOLS) {
        let up = symbol.up.as_ref().map(|up| format!("; {}", step(up, true))).unwrap_or_default();
        let caller = called_by(symbol).map(|caller| format!(", {caller}")).unwrap_or_default();
        let percent = symbol.probability * 100.0;
        lines.push(format!("{} ({}): {percent:.2} %{caller}{up}", symbol.qualified, symbol.shown));
    }
    let more = explained.symbols.len().saturating_sub(SYMBOLS);
    if more > 0 {
        lines.push(format!("and {more} more symbols; `why PATH:SYMBOL` tells about one"));
    }
    lines
}

/// Whether a name ends with whole words of another: `Context.JSON` with `JSON`, but not `Context.IndentedJSON`.
fn is_end(qualified: &str, wanted: &str) -> bool {
    let (qualified, wanted) = (plain_name(qualified), plain_name(wanted));
    qualified.strip_suffix(&*wanted).is_some_and(|before| before.ends_with('.'))
}

fn about_symbol(path: &str, wanted: &str, explained: Option<Explained>) -> Result<Reason, OpError> {
    let Some(explained) = explained else {
        return Err(OpError::usage(format!(
            "nothing was weighed for `{}`: no budget decides about it",
            printable(path)
        ))
        .hint("`--budget N` and `--query TEXT` as for `build`"));
    };
    let all: Vec<_> = explained.symbols.iter().collect();
    let Some(place) = all
        .iter()
        .position(|symbol| is_symbol_named(&symbol.qualified, wanted))
        .or_else(|| all.iter().position(|symbol| is_end(&symbol.qualified, wanted)))
    else {
        return Err(unknown_symbol(wanted, all.iter().map(|symbol| symbol.qualified.as_str()).collect()));
    };
    let symbol = all[place];
    let mut details = vec![
        relevance(symbol.probability, &symbol.parts, called_by(symbol)),
        format!(
            "rank {} of {} symbols in its file, which is rank {} of {}",
            place + 1,
            all.len(),
            explained.rank,
            explained.of
        ),
    ];
    details.extend(symbol.up.iter().map(|up| format!("next: {}", step(up, false))));
    let why = match symbol.shown {
        "hidden" => "no room in the budget".to_owned(),
        shown => format!("shown by the budget: {shown}"),
    };
    Ok(Reason {
        path: format!("{path}:{}", symbol.qualified),
        shown: symbol.shown != "hidden",
        why,
        details,
        explained: Some(Explained { symbols: vec![symbol.clone()], ..explained }),
        ..Reason::default()
    })
}

/// How many names are told when none is right.
const NAMES: usize = 5;

/// `names` begin with the most relevant.
fn unknown_symbol(wanted: &str, mut names: Vec<&str>) -> OpError {
    let error = OpError::usage(format!("no symbol is called `{}`", printable(wanted)));
    let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let mut near = Vec::new();
    while let Some(name) = config::nearest(wanted, names.iter().copied()).filter(|_| near.len() < NAMES) {
        near.push(name);
        names.retain(|other| *other != name);
    }
    if !near.is_empty() {
        return error.hint(format!("did you mean {}?", quoted(&near)));
    }
    match names.len() {
        0 => error.hint("the file has no symbols"),
        few if few <= NAMES => error.hint(format!("there are: {}", quoted(&names))),
        many => error.hint(format!(
            "of {} symbols the most relevant are: {}",
            grouped(many as u64),
            quoted(&names[..NAMES])
        )),
    }
}

/// How relevant something is, with what was added up for that and what it has from others.
fn relevance(probability: f64, parts: &[(&'static str, f64)], from_others: Option<String>) -> String {
    let parts = parts.iter().take(PARTS).map(|(name, value)| format!("{name} {value:+.2}"));
    let reasons: Vec<String> = parts.chain(from_others).collect();
    let reasons = if reasons.is_empty() { "no evidence".to_owned() } else { reasons.join(", ") };
    format!("relevance {:.2} %: {reasons}", probability * 100.0)
}

fn called_by(symbol: &ExplainedSymbol) -> Option<String> {
    symbol.called_by.as_ref().map(|caller| format!("called by `{caller}`"))
}

/// A step up, what it costs and what it lost to.
fn step(up: &FitMove, short: bool) -> String {
    let what = match &up.symbol {
        Some(symbol) if !short => format!("`{symbol}` {}", up.what),
        _ => up.what.to_owned(),
    };
    let tokens = grouped(up.tokens);
    if short {
        return format!("{what} costs about {tokens} tokens");
    }
    let lost = match up.worth {
        worth if worth >= 1.0 => "it did not fit into what was left".to_owned(),
        worth => format!("it is worth {:.0} % a token of what was taken last", worth * 100.0),
    };
    format!("{what} costs about {tokens} tokens; {lost}")
}

/// Why a file that is there was not even found.
fn absence_reason(opened: &Opened, place: &RootedPath, request: &DocumentRequest) -> String {
    if opened.roots.absolute(place).starts_with(opened.roots.project().join(&opened.config.output.dir)) {
        return "written by contexture itself".into();
    }
    if let Some(rule) = ignored::rule_for(&opened.roots, place) {
        let through = if rule.matched == opened.roots.display_path(place) {
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
