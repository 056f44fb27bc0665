//! `runs list|show|diff|replay`.

use super::build::{plain_stdout, shown_path};
use super::send::dollars;
use crate::args::{RunsArgs, RunsVerb};
use crate::failure::{ErrorKind, Failure};
use crate::ui::{Ui, count, counted, harmless, path};
use contexture::answers::{ReplayAnswer, RunAnswer, RunsAnswer, RunsDiffAnswer};
use contexture::ops::runs::{
    self, AlteredOption, Difference, DifferenceStart, ItemChange, PredictedReuse, ReplayedRun, RunsDiff,
};
use contexture::ops::{Door, OpError};
use contexture::requests::{ReplayRequest, RunName, RunsDiffRequest, RunsListRequest};
use contexture_core::render::visible;
use contexture_core::reuse;
use contexture_gather::runs::{ItemRecord, KeptBody, Manifest, SentRequest, Summary};
use contexture_gather::{names, outputs};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::path::Path;

/// How many items of one sort are listed before the rest is only counted.
const LISTED: usize = 40;

pub fn run(door: &Door, args: RunsArgs, ui: &Ui) -> Result<(), Failure> {
    match args.verb.unwrap_or(RunsVerb::List(RunsListRequest::default())) {
        RunsVerb::List(request) => list(door, &request, ui),
        RunsVerb::Show { run, request: true, .. } => kept(door, &run.run, KeptBody::Request, ui),
        RunsVerb::Show { run, response: true, .. } => kept(door, &run.run, KeptBody::Response, ui),
        RunsVerb::Show { run, .. } => show(&runs::runs_show(door, &run.run)?, ui),
        RunsVerb::Diff(request) => diff(door, &request, ui),
        RunsVerb::Replay { replay: request, output } => replay(door, &request, &output, ui),
    }
}

fn list(door: &Door, request: &RunsListRequest, ui: &Ui) -> Result<(), Failure> {
    let runs = runs::runs_list(door, request)?;
    if ui.json {
        return Ok(ui.print_answer(RunsAnswer { runs })?);
    }
    if runs.is_empty() {
        ui.say("there is no run of this project yet; `contexture build` makes one");
    }
    Ok(ui.print(&runs.iter().map(|run| line(door, run)).collect::<String>())?)
}

fn line(door: &Door, run: &Summary) -> String {
    let to = match (&run.sent, &run.output.path) {
        (Some(sent), _) => format!("  {}{}", recipient(sent), sent_outcome(sent)),
        (None, Some(to)) => format!("  {}", path(&shown_path(door, &names::original_path(to)))),
        (None, None) => String::new(),
    };
    let budget = run.tokens.budget.map(|budget| format!(" of {}", count(budget))).unwrap_or_default();
    format!(
        "{:>5}  {}  {:<8}  {}, {} tokens{budget}, {} bytes, {}{to}\n",
        run.number,
        run.created,
        run.kind.as_str(),
        counted(run.items, "item"),
        count(run.tokens.count),
        count(run.output.bytes),
        run.options.format,
    )
}

/// The bytes as they are; in JSON as a text, and on a terminal so that they do nothing to it.
fn kept(door: &Door, run: &RunName, what: KeptBody, ui: &Ui) -> Result<(), Failure> {
    let bytes = runs::runs_kept(door, run, what)?;
    if ui.json {
        return Ok(ui.print_answer(BTreeMap::from([(what.as_str(), String::from_utf8_lossy(&bytes))]))?);
    }
    if std::io::stdout().is_terminal() {
        return Ok(ui.print(&harmless(&String::from_utf8_lossy(&bytes)))?);
    }
    Ok(plain_stdout()?.write_all(&bytes)?)
}

fn show(run: &Manifest, ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        return Ok(ui.print_answer(RunAnswer::from(run))?);
    }
    let how = if run.tokens.exact { "exact" } else { "estimated" };
    let mut out = String::new();
    let mut put = |name: &str, value: &str| out.push_str(&format!("{name:<10} {value}\n"));
    put("run", &format!("{} ({}, {}, version {})", run.number, run.kind.as_str(), run.created, run.version));
    put("strategy", &format!("{}, set by {}", run.options.strategy, run.options.strategy_from));
    put("format", &run.options.format);
    put("tokens", &format!("{} ({how}, {})", count(run.tokens.count), run.tokens.tokenizer));
    if let Some(budget) = run.options.budget {
        let from = run.options.budget_from.as_ref().map(|from| format!(" ({from})")).unwrap_or_default();
        put("budget", &format!("{}{from}", count(budget)));
    }
    put("output", &format!("{} bytes, SHA-256 {}", count(run.output.bytes), run.output.hash));
    if let Some(to) = &run.output.path {
        put("written", &path(to));
    }
    put("prefix", &format!("{} bytes, {} tokens", count(run.prefix.bytes), count(run.prefix.tokens)));
    for (key, value) in &run.settings {
        put("setting", &format!("{key} = {}", visible(value)));
    }
    if let Some(sent) = &run.sent {
        put("sent", &sent_lines(sent));
    }
    for item in &run.items {
        let _ = writeln!(out, "{:>9}  {:<8}  {}  {}", count(item.tokens), item.view, path(&item.path), item.reason);
    }
    for left in &run.left_out {
        let _ = writeln!(out, "{:>9}  {:<8}  {}  {}", "-", "left out", path(&left.path), left.reason);
    }
    Ok(ui.print(&harmless(&out))?)
}

fn sent_lines(sent: &SentRequest) -> String {
    let mut out = recipient(sent);
    if let Some(usage) = &sent.usage {
        let (input, output) = (count(usage.input), count(usage.output));
        let (cached, written) = (count(usage.cached), count(usage.written));
        let _ = write!(out, ", {input} tokens in ({cached} from the cache, {written} to it), {output} out");
    }
    let _ = sent.latency_ms.map(|latency| write!(out, ", {} ms", count(latency)));
    out + &sent_outcome(sent)
}

fn recipient(sent: &SentRequest) -> String {
    format!("{} {}", path(&sent.provider), path(&sent.model))
}

/// What it cost, and that it failed.
fn sent_outcome(sent: &SentRequest) -> String {
    let cost = sent.cost.map(|cost| format!(", {}", dollars(cost)));
    let error = sent.error.as_ref().map(|error| format!(", failed: {}", visible(error)));
    cost.unwrap_or_default() + &error.unwrap_or_default()
}

fn diff(door: &Door, request: &RunsDiffRequest, ui: &Ui) -> Result<(), Failure> {
    let diff = ui.with_progress(&door.progress, || runs::runs_diff(door, request))?;
    if ui.json {
        return Ok(ui.print_answer(RunsDiffAnswer::from(&diff))?);
    }
    let RunsDiff { old, new, difference, found } = &diff;
    let mut out = format!("run {} -> run {}\n", old.number, new.number);
    out.push_str(&changes(difference));
    match &difference.first {
        None => out.push_str(&format!("the outputs are the same: {} bytes\n", count(new.output.bytes))),
        Some(first) => {
            let _ =
                writeln!(out, "first difference: {}", difference_place(first, runs::is_quoted(&new.options.format)));
            let common = &difference.common;
            let least = if first.until.is_none() { "" } else { "at least " };
            let about = if common.exact { "" } else { "about " };
            let _ = writeln!(
                out,
                "in common: {least}the first {} of {} bytes, {about}{} of {} tokens",
                count(common.bytes),
                count(old.output.bytes),
                count(common.tokens),
                count(old.tokens.count),
            );
        }
    }
    out.push_str(&found.as_ref().map(reuse_line).unwrap_or_default());
    Ok(ui.print(&harmless(&out))?)
}

/// What a provider's cache finds again.
fn reuse_line(found: &PredictedReuse) -> String {
    let PredictedReuse { rule, reuse: again, item, cause } = found;
    let mut out =
        format!("cache of {}: about {} of {} tokens are found again", rule.api, count(again.tokens), count(again.of));
    if let Some(first) = &again.difference {
        let whose = item.as_ref().map(|item| format!(", {}", path(item))).unwrap_or_default();
        let why = match first.change {
            reuse::Change::Changed => cause.as_ref().map(|cause| format!(": {cause}")).unwrap_or_default(),
            reuse::Change::GoesOn => ": the earlier request ended here".into(),
            reuse::Change::Ends => ": the earlier request went on here".into(),
            reuse::Change::Model => ": another model".into(),
        };
        let _ = write!(out, "; they part at byte {} ({}{whose}){why}", count(first.byte as u64), first.place);
    }
    let _ = writeln!(out, "\n  by the rule of {} ({})", rule.checked, rule.source);
    out
}

/// Items and settings, a line each.
fn changes(difference: &Difference) -> String {
    let mut out = String::new();
    let items = |sign: char| {
        move |item: &ItemRecord| format!("{sign} {}  {}, {} tokens\n", path(&item.path), item.view, count(item.tokens))
    };
    listed(&mut out, &difference.removed, items('-'));
    listed(&mut out, &difference.added, items('+'));
    listed(&mut out, &difference.changed, change);
    listed(&mut out, &difference.altered, altered);
    out
}

fn listed<T>(out: &mut String, list: &[T], line: impl Fn(&T) -> String) {
    out.extend(list.iter().take(LISTED).map(line));
    if list.len() > LISTED {
        let _ = writeln!(out, "  and {} more; `--json` has them all", count((list.len() - LISTED) as u64));
    }
}

fn change(change: &ItemChange) -> String {
    let ItemChange { old, new, content } = change;
    let mut parts = Vec::new();
    if *content {
        parts.push("content changed".to_owned());
    }
    if old.written != new.written && !*content {
        let what = match (old.written, new.written) {
            (Some(_), None) => "gone",
            (None, _) => "new",
            (Some(_), Some(_)) => "another",
        };
        parts.push(format!("written summary {what}"));
    }
    if old.view != new.view {
        parts.push(format!("{} ({}) -> {} ({})", old.view, old.reason, new.view, new.reason));
    }
    if old.tokens != new.tokens {
        parts.push(format!("{} -> {} tokens", count(old.tokens), count(new.tokens)));
    }
    if parts.is_empty() {
        parts.push("shown otherwise".to_owned());
    }
    format!("~ {}  {}\n", path(&new.path), parts.join(", "))
}

fn altered(altered: &AlteredOption) -> String {
    let value =
        |value: &Option<String>| value.as_deref().map_or_else(|| "unset".to_owned(), |value| visible(value).into());
    format!("* {} {}: {} -> {}\n", altered.what.get(), altered.name, value(&altered.old), value(&altered.new))
}

/// `is_request`: what stands in no item of a request is no heading.
fn difference_place(first: &DifferenceStart, is_request: bool) -> String {
    let byte = match first.until {
        None => format!("byte {}", count(first.byte)),
        Some(until) => format!("between byte {} and {}", count(first.byte), count(until)),
    };
    let whose = match (&first.old, &first.new) {
        (Some(old), Some(new)) if old != new => format!(", in {} before and {} now", path(old), path(new)),
        (Some(item), _) | (None, Some(item)) => format!(", in {}", path(item)),
        (None, None) if !is_request => ", in a heading".into(),
        (None, None) => first.place.as_ref().map(|place| format!(", in {place}")).unwrap_or_default(),
    };
    format!("{byte}{whose}: {}", first.cause)
}

fn replay(door: &Door, request: &ReplayRequest, output: &Path, ui: &Ui) -> Result<(), Failure> {
    let anyway = request.anyway;
    let to_stdout = output == Path::new("-");
    let target = (!to_stdout).then_some(output);
    let replayed = ui.with_progress(&door.progress, || runs::runs_replay(door, &request.run, target))?;
    let number = replayed.manifest.number;
    let is_same = replayed.difference.is_none();
    let bytes = &replayed.document.compiled.output;
    if (is_same || anyway) && !to_stdout {
        outputs::write_atomic(&door.env.cwd.join(output), |out| bytes.write_to(out)).map_err(OpError::from)?;
    }
    if ui.json {
        let written = (is_same || anyway).then_some(target).flatten().map(|target| shown_path(door, target));
        ui.print_answer(ReplayAnswer::new(&replayed, written.as_deref(), (is_same || anyway) && to_stdout))?;
    } else if (is_same || anyway) && to_stdout {
        bytes.write_to(&mut plain_stdout()?)?;
    }
    match &replayed.difference {
        None => {
            ui.say(&format!("run {number} again, byte for byte: {} bytes", count(replayed.manifest.output.bytes)));
            Ok(())
        }
        Some(difference) => Err(replay_failure(&replayed, difference, anyway).said_already(ui)),
    }
}

/// What stands in the way of the same bytes.
fn replay_failure(replayed: &ReplayedRun, difference: &Difference, anyway: bool) -> Failure {
    let number = replayed.manifest.number;
    let mut message = format!("run {number} gives other bytes now");
    let told = changes(difference);
    message.push('\n');
    match difference.first.as_ref().filter(|_| told.is_empty()) {
        Some(first) => {
            let is_request = runs::is_quoted(&replayed.manifest.options.format);
            message.push_str(&difference_place(first, is_request));
        }
        None => message.push_str(told.trim_end()),
    }
    let failure = Failure::new(ErrorKind::Verification, message);
    if anyway { failure } else { failure.hint("nothing was written; `--anyway` writes what it gives now") }
}
