//! `tokens`, `stats`, `symbols`, `search`, `related` and `why`: what there is to know of files.

use super::{query_text, request};
use crate::args::{RelatedArgs, SearchArgs, StatsArgs, TokensArgs, WhyArgs};
use crate::failure::Failure;
use crate::ui::{Ui, count, counted, path};
use contexture::answers::{ReasonAnswer, SearchAnswer, StatsAnswer, TokensAnswer, symbol_rows};
use contexture::ops::{self, Door, FileTokens, StatsRow};
use contexture::requests::{SearchRequest, SymbolsRequest};
use contexture_syntax::Symbol;
use std::collections::BTreeMap;

pub fn tokens(door: &Door, args: &TokensArgs, ui: &Ui) -> Result<(), Failure> {
    let request = request(door, &args.document.0, Some(&args.paths), None)?;
    let found = ui.with_progress(&door.progress, || ops::tokens(door, &request))?;
    if ui.json {
        return Ok(ui.print_answer(TokensAnswer::from(&found))?);
    }
    let mut out = String::new();
    if args.tree {
        tree(&found, &mut out);
    } else {
        for file in &found.files {
            out.push_str(&format!("{:>12}  {}\n", count(file.tokens), path(&file.path)));
        }
    }
    let how = if found.exact { "exact" } else { "estimated" };
    out.push_str(&format!(
        "{:>12}  total of {} ({how}, {})\n",
        count(found.total),
        counted(found.files.len() as u64, "file"),
        found.tokenizer
    ));
    ui.print(&out)?;
    ui.notes(&found.notes);
    Ok(())
}

/// A line of the tree: a folder or a file.
#[derive(Clone, Copy)]
struct Branch<'a> {
    tokens: u64,
    path: &'a str,
    folder: bool,
}

/// Folders and files, nested, the largest first among the children of one folder.
fn tree(counted: &FileTokens, out: &mut String) {
    let parent = |path: &str| path.rfind('/').unwrap_or(0);
    let mut children: BTreeMap<&str, Vec<Branch<'_>>> = BTreeMap::new();
    for (path, tokens) in counted.folders.iter().filter(|(path, _)| *path != ".") {
        children.entry(&path[..parent(path)]).or_default().push(Branch { tokens: *tokens, path, folder: true });
    }
    for file in &counted.files {
        let path = file.path.as_str();
        children.entry(&path[..parent(path)]).or_default().push(Branch { tokens: file.tokens, path, folder: false });
    }
    // Smallest first, because the list is worked off from its end.
    for list in children.values_mut() {
        list.sort_by(|a, b| a.tokens.cmp(&b.tokens).then_with(|| b.path.cmp(a.path)));
    }
    let mut due: Vec<(Branch<'_>, usize)> =
        children.remove("").unwrap_or_default().into_iter().map(|branch| (branch, 0)).collect();
    while let Some((branch, depth)) = due.pop() {
        let name = branch.path.rsplit('/').next().unwrap_or(branch.path);
        let end = if branch.folder { "/" } else { "" };
        out.push_str(&format!("{:>12}  {}{}{end}\n", count(branch.tokens), "  ".repeat(depth.min(40)), path(name)));
        if branch.folder {
            due.extend(children.remove(branch.path).unwrap_or_default().into_iter().map(|below| (below, depth + 1)));
        }
    }
}

pub fn search(door: &Door, args: SearchArgs, ui: &Ui) -> Result<(), Failure> {
    let query = match &args.query.query_file {
        Some(file) => query_text(file, None)?,
        None => args.query_option.unwrap_or_else(|| args.search.query.clone()),
    };
    let request = SearchRequest { query, ..args.search };
    let found = ui.with_progress(&door.progress, || ops::search(door, &request))?;
    if ui.json {
        return Ok(ui.print_answer(SearchAnswer::from(&found))?);
    }
    let mut out = String::new();
    if args.code {
        for passage in &found.hits.passages {
            out.push_str(&format!("{}:{}\n{}\n\n", path(&passage.path), passage.lines, passage.text.trim_end()));
        }
    } else {
        out.push_str("files\n");
        for hit in &found.hits.files {
            out.push_str(&format!("{:>8.4}  {}{}\n", hit.score, path(&hit.path), because(&hit.reasons)));
        }
        out.push_str("symbols\n");
        for hit in &found.hits.symbols {
            let (start, end) = hit.lines;
            let place = format!("{}:{start}-{end}", path(&hit.path));
            let what = format!("{} {}", hit.kind.as_str(), path(&hit.qualified));
            out.push_str(&format!("{:>8.4}  {place}  {what}{}\n", hit.score, because(&hit.reasons)));
        }
    }
    ui.print(&out)?;
    ui.notes(&found.notes);
    Ok(())
}

/// The evidence for a hit, in brackets.
fn because(reasons: &[&str]) -> String {
    if reasons.is_empty() { String::new() } else { format!("  ({})", reasons.join("; ")) }
}

/// The folders that hold the most; the rest is only counted.
const FOLDERS_SHOWN: usize = 20;

pub fn stats(door: &Door, args: &StatsArgs, ui: &Ui) -> Result<(), Failure> {
    let request = request(door, &args.document.0, Some(&args.paths), None)?;
    let stats = ui.with_progress(&door.progress, || ops::stats(door, &request))?;
    if ui.json {
        return Ok(ui.print_answer(StatsAnswer::from(&stats))?);
    }
    let mut folders: Vec<&StatsRow> = stats.folders.iter().collect();
    folders.sort_by(|a, b| b.tokens.cmp(&a.tokens).then_with(|| a.name.cmp(&b.name)));
    let names = folders.iter().take(FOLDERS_SHOWN).map(|row| path(&row.name).chars().count());
    let wide = names.max().unwrap_or(0).clamp(24, 60);
    let mut out = format!("{:<wide$} {:>8} {:>12} {:>10} {:>12}\n", "language", "files", "bytes", "lines", "tokens");
    let row = |row: &StatsRow, out: &mut String| {
        out.push_str(&format!(
            "{:<wide$} {:>8} {:>12} {:>10} {:>12}\n",
            path(&row.name),
            count(row.files),
            count(row.bytes),
            count(row.lines),
            count(row.tokens)
        ));
    };
    row(&stats.total, &mut out);
    out.push('\n');
    stats.languages.iter().for_each(|line| row(line, &mut out));
    if !stats.total.symbols.is_empty() {
        let mut kinds: Vec<_> = stats.total.symbols.iter().collect();
        kinds.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
        out.push_str("\nsymbols\n");
        for (kind, number) in kinds {
            out.push_str(&format!("{:<wide$} {:>8}\n", kind.as_str(), count(*number)));
        }
    }
    out.push_str("\nfolder\n");
    folders.iter().take(FOLDERS_SHOWN).for_each(|line| row(line, &mut out));
    if folders.len() > FOLDERS_SHOWN {
        let more = count((folders.len() - FOLDERS_SHOWN) as u64);
        out.push_str(&format!("and {more} more; `--json` has them all\n"));
    }
    ui.print(&out)?;
    ui.notes(&stats.notes);
    Ok(())
}

pub fn symbols(door: &Door, args: &SymbolsRequest, ui: &Ui) -> Result<(), Failure> {
    door.check_typed(std::slice::from_ref(&args.path))?;
    let found = ops::symbols(door, &args.path)?;
    ui.notes(&found.notes);
    if ui.json {
        return Ok(ui.print_json(&symbol_rows(&found))?);
    }
    let lines = |symbol: &Symbol| match symbol.end_line {
        end if end == symbol.start_line => end.to_string(),
        end => format!("{}-{end}", symbol.start_line),
    };
    let width = found.symbols.iter().map(|symbol| lines(symbol).len()).max().unwrap_or(0);
    let mut out = String::new();
    for symbol in &found.symbols {
        let name = path(&symbol.qualified);
        out.push_str(&format!("{:>width$}  {:<9}  {name}\n", lines(symbol), symbol.kind.as_str()));
    }
    ui.print(&out)?;
    ui.say(&format!("{} in {}, {}", counted(found.symbols.len() as u64, "symbol"), found.path, found.language));
    Ok(())
}

pub fn related(door: &Door, args: &RelatedArgs, ui: &Ui) -> Result<(), Failure> {
    let asked = &args.related;
    door.check_typed(&asked.paths)?;
    let related = || ops::related(door, &args.document.0, &asked.paths, asked.limit);
    let found = ui.with_progress(&door.progress, related)?;
    ui.notes(&found.notes);
    if ui.json {
        return Ok(ui.print_answer(found)?);
    }
    let lines: String = found.files.iter().map(|file| format!("{}\n", path(&file.path))).collect();
    ui.print(&lines)?;
    for file in &found.files {
        ui.say(&format!("{}: {}", path(&file.path), file.reason));
    }
    ui.say(&format!("{} referred to", counted(found.files.len() as u64, "file")));
    Ok(())
}

pub fn why(door: &Door, args: &WhyArgs, ui: &Ui) -> Result<(), Failure> {
    let request = request(door, &args.plan.document.0, None, Some(&args.plan.query))?;
    let reason = ui.with_progress(&door.progress, || ops::why(door, &request, &args.path))?;
    if ui.json {
        return Ok(ui.print_answer(ReasonAnswer::from(&reason))?);
    }
    let state = match (reason.shown, reason.view, reason.tokens) {
        (true, Some(view), Some(tokens)) => format!("shown as `{view}`, {} tokens", count(tokens)),
        (true, _, Some(tokens)) => format!("shown, {} tokens", count(tokens)),
        (true, _, None) => "shown".to_owned(),
        (false, ..) => "not shown".to_owned(),
    };
    let mut out = format!("{}: {state}\n  because: {}\n", path(&reason.path), reason.why);
    for detail in &reason.details {
        out.push_str(&format!("  {detail}\n"));
    }
    if let Some(hint) = &reason.hint {
        out.push_str(&format!("  hint: {hint}\n"));
    }
    Ok(ui.print(&out)?)
}
