//! `tokens` and `stats`.

use super::request;
use crate::args::{SelectArgs, StatsArgs, TokensArgs, WhichArgs};
use crate::failure::Failure;
use crate::ui::{self, Ui, count, path};
use contexture_server::ops::{self, Door, FileTokens, StatsRow};
use contexture_server::wire;
use std::collections::BTreeMap;

pub fn tokens(door: &Door, args: &TokensArgs, ui: &Ui) -> Result<(), Failure> {
    let request = request(&whole_files(&args.which), Some(&args.paths))?;
    let counted = ui.with_progress(&door.progress, || ops::tokens(door, &request))?;
    if ui.json {
        ui.print_json(&wire::tokens(&counted))?;
        return Ok(());
    }
    let mut out = String::new();
    if args.tree {
        tree(&counted, &mut out);
    } else {
        for file in &counted.files {
            out.push_str(&format!("{:>12}  {}\n", count(file.tokens), path(&file.path)));
        }
    }
    let how = if counted.exact { "exact" } else { "estimated" };
    out.push_str(&format!(
        "{:>12}  total of {} ({how}, {})\n",
        count(counted.total),
        ui::counted(counted.files.len() as u64, "file"),
        counted.tokenizer
    ));
    ui.print(&out)?;
    ui.notes(&counted.notes);
    Ok(())
}

/// Files are counted whole, however a document would show them.
fn whole_files(which: &WhichArgs) -> SelectArgs {
    SelectArgs { which: which.clone(), ..SelectArgs::default() }
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

/// The folders that hold the most; the rest is only counted.
const FOLDERS_SHOWN: usize = 20;

pub fn stats(door: &Door, args: &StatsArgs, ui: &Ui) -> Result<(), Failure> {
    let request = request(&whole_files(&args.which), Some(&args.paths))?;
    let stats = ui.with_progress(&door.progress, || ops::stats(door, &request))?;
    if ui.json {
        ui.print_json(&wire::stats(&stats))?;
        return Ok(());
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
