//! `contexture` without a verb: what a document of this folder would be.

use super::{build, request, scan};
use crate::args::PlanArgs;
use crate::failure::Failure;
use crate::ui::{Ui, count, counted, path};
use contexture::answers::DocumentAnswer;
use contexture::ops::{self, CompiledDocument, Door};
use contexture_core::{FitMove, ItemKind, Level};
use std::collections::BTreeMap;

/// How many folders and files are named.
const NAMED: usize = 8;

pub fn run(door: &Door, args: &PlanArgs, ui: &Ui) -> Result<(), Failure> {
    let request = request(door, &args.document.0, None, Some(&args.query))?;
    let made = ui.with_progress(&door.progress, || ops::plan(door, &request))?;
    if ui.json {
        ui.print_answer(DocumentAnswer::new(&made, None))?;
    } else {
        // What was asked with flags is had again with them.
        let next = if std::env::args_os().len() > 1 { "next, with the same flags" } else { "next" };
        ui.print(&screen(&made, next))?;
        ui.notes(&made.compiled.notes);
    }
    build::timings(&made.timings, ui);
    Ok(())
}

fn screen(made: &CompiledDocument, next: &str) -> String {
    let plan = &made.compiled.plan;
    let files: Vec<_> = plan.picks.iter().filter(|pick| pick.kind == ItemKind::File).collect();
    if plan.picks.is_empty() {
        return format!(
            "nothing to show in this folder\n\n{next}:\n  contexture why PATH      why a file is not in\n  contexture build PATH    name what you want\n"
        );
    }
    let mut views: BTreeMap<std::cmp::Reverse<Level>, usize> = BTreeMap::new();
    for pick in &files {
        *views.entry(std::cmp::Reverse(pick.level)).or_default() += 1;
    }
    let views: Vec<String> =
        views.iter().map(|(level, number)| format!("{} {}", count(*number as u64), level.0)).collect();
    let how = if made.exact { "exact" } else { "estimated" };
    let budget = match made.budget {
        Some(budget) => {
            let share = made.compiled.measured.0 * 100 / budget.0.max(1);
            format!(" of {}{}, {share} %", count(budget.0), build::source(made))
        }
        None => String::new(),
    };
    let mut out = format!(
        "{}: {}; {} left out\n",
        counted(files.len() as u64, "file"),
        views.join(", "),
        count(plan.left_out.len() as u64)
    );
    let outside: Vec<_> = plan.picks.iter().filter(|pick| pick.kind == ItemKind::Retrieved).collect();
    if !outside.is_empty() {
        let tokens = outside.iter().map(|pick| pick.tokens.0).sum();
        let files = counted(outside.len() as u64, "file");
        out.push_str(&format!("passages from {files} outside the composition: {} tokens\n", count(tokens)));
    }
    let near = made.compiled.fit.as_ref().map(|fit| format!("; {}", build::near(fit))).unwrap_or_default();
    out.push_str(&format!("{} tokens{budget}, {how}, {}{near}\n", count(made.compiled.measured.0), made.tokenizer));
    let mut folders: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for pick in &files {
        let folder = pick.path.split_once('/').map_or(".", |(folder, _)| folder);
        let sum = folders.entry(folder).or_default();
        sum.0 += pick.tokens.0;
        sum.1 += 1;
    }
    let mut folders: Vec<_> = folders.into_iter().collect();
    folders.sort_by(|a, b| b.1.0.cmp(&a.1.0).then_with(|| a.0.cmp(b.0)));
    out.push_str("\nlargest folders:\n");
    for (folder, (tokens, number)) in folders.iter().take(NAMED) {
        out.push_str(&format!("  {:>12}  {}/ ({})\n", count(*tokens), path(folder), counted(*number, "file")));
    }
    let mut largest = files.clone();
    largest.sort_by(|a, b| b.tokens.cmp(&a.tokens).then_with(|| a.path.cmp(&b.path)));
    out.push_str("\nlargest files:\n");
    for pick in largest.iter().take(NAMED) {
        out.push_str(&format!("  {:>12}  {} ({})\n", count(pick.tokens.0), path(&pick.path), pick.level));
    }
    if let Some(fit) = &made.compiled.fit {
        out.push_str(&border("first to go with less budget", &fit.last));
        out.push_str(&border("first to come with more", &fit.next));
    }
    let report = &made.compiled.safety;
    if !report.is_empty() {
        out.push_str(&format!("\n{}\n", scan::found(report.secrets.len() as u64, report.hidden_count())));
    }
    out.push_str(&format!("\n{next}:\n  contexture build                      write the document\n  contexture build --copy               put it on the clipboard\n"));
    out.push_str("  contexture build --strategy summarize summaries instead of files\n  contexture why PATH                   why a file is in, or not\n");
    if !report.is_empty() {
        out.push_str("  contexture scan                       where secrets and hidden characters are\n");
    }
    out
}

/// Steps on one side of what fits.
fn border(title: &str, moves: &[FitMove]) -> String {
    if moves.is_empty() {
        return String::new();
    }
    let mut out = format!("\n{title}:\n");
    for step in moves {
        let symbol = step.symbol.as_ref().map(|symbol| format!(": {symbol}")).unwrap_or_default();
        out.push_str(&format!("  {:>12}  {}{symbol} ({})\n", count(step.tokens), path(&step.path), step.what));
    }
    out
}
