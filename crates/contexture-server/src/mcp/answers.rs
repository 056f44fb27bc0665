//! What each tool answers: arguments into a request, an operation, its shape of `wire`, and the same as text.
//!
//! The structured answer and the text say the same; a client shows its model one of them. Both stay within a page.

use super::Writes;
use super::args::Args;
use super::page::{self, PAGE};
use crate::ops::{self, Door, FileTokens, Made, OpError, Reason, Request, SearchRequest, Shown, Target};
use crate::wire;
use contexture_core::render::{grouped, printable};
use contexture_core::{Level, Note};
use serde_json::{Map, Value, json};

pub struct Answer {
    pub structured: Value,
    pub text: String,
}

/// What lists beside an answer may take.
const BESIDE: u64 = 400;

/// What tools that compile have in common. What a program names is not named by hand, so that files with keys stay out.
fn request(args: &mut Args, caller: &str) -> Result<Request, OpError> {
    Ok(Request {
        listed: args.texts("paths")?,
        preset: args.text("preset")?,
        query: args.task()?,
        budget: args.number("budget")?,
        caller: Some(caller.to_owned()),
        ..Request::default()
    })
}

pub fn plan(door: &Door, mut args: Args, caller: &str) -> Result<Answer, OpError> {
    let request = Request { view: args.view()?, focus: args.texts("focus")?, ..request(&mut args, caller)? };
    let offset = args.offset()?;
    args.end()?;
    let made = ops::plan(door, &request)?;
    let mut object = object(wire::document(&made, None));
    let all = match object.get_mut("items") {
        Some(Value::Array(items)) => std::mem::take(items),
        _ => Vec::new(),
    };
    let (items, next) = page::rows(all, offset)?;
    let mut text = summary(&made);
    for item in &items {
        let part = |key: &str| item[key].as_str().unwrap_or_default();
        let tokens = grouped(item["tokens"].as_u64().unwrap_or_default());
        text.push_str(&format!("{tokens} {} {} ({})\n", part("view"), printable(part("path")), part("reason")));
    }
    object.insert("items".into(), items.into());
    for key in ["left_out", "notes"] {
        page::shorten(&mut object, key, BESIDE);
    }
    text.push_str(&told(&made.compiled.notes));
    Ok(paged(object, text, next))
}

pub fn build(door: &Door, mut args: Args, caller: &str, writes: Writes) -> Result<Answer, OpError> {
    let request = Request {
        view: args.view()?,
        focus: args.texts("focus")?,
        diff: args.text("diff")?,
        ..request(&mut args, caller)?
    };
    let offset = args.offset()?;
    let write = writes == Writes::Allowed && args.flag("write")?;
    args.end()?;
    // A later page is of the document whose first page left a manifest.
    let (target, no_manifest) = match (write, offset) {
        (_, 1..) => (Target::Caller, true),
        (true, 0) => (Target::Numbered, false),
        (false, 0) => (Target::Caller, false),
    };
    let written = ops::build(door, &Request { no_manifest, ..request }, &target)?;
    let made = &written.made;
    let page = page::text(made.compiled.output.pieces(), offset)?;
    let path = written.path.as_ref().map(|path| {
        let roots = door.root_paths();
        let shown = roots.first().and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
        shown.display().to_string()
    });
    let mut object = object(wire::document(made, path.as_deref()));
    for key in ["items", "left_out", "notes"] {
        page::shorten(&mut object, key, BESIDE);
    }
    object.remove("fit");
    object.insert("run".into(), json!(written.run));
    object.insert("document".into(), json!(page.text));
    // With the notes behind it, where they cannot be taken for a part of the document.
    let notes = if offset == 0 { told(&made.compiled.notes) } else { String::new() };
    let head = summary(made);
    let mut answer = paged(object, page.text, page.next);
    answer.text = format!("{}\n---\n{head}{notes}", answer.text);
    Ok(answer)
}

pub fn read(door: &Door, mut args: Args, caller: &str) -> Result<Answer, OpError> {
    let path = args.needed("path")?;
    let lines = args.text("lines")?;
    let (view, mask, offset) = (args.view()?, args.mask()?, args.offset()?);
    let line_numbers = args.flag("line_numbers")?;
    args.end()?;
    if !mask.is_empty() && view.is_some_and(|view| view != Level::Masked) {
        return Err(OpError::usage("`mask` has no meaning in another view than `masked`").hint("leave `view` out"));
    }
    if lines.is_some() && (!mask.is_empty() || view.is_some_and(|view| view != Level::Full)) {
        return Err(OpError::usage("`lines` are those of the full view").hint("leave `view` and `mask` out"));
    }
    let request = Request { view, mask, line_numbers, caller: Some(caller.to_owned()), ..Request::default() };
    let shown = ops::show(door, &request, &path)?;
    let shown = match lines {
        Some(lines) => some_lines(shown, &lines)?,
        None => shown,
    };
    let page = page::text(std::iter::once(&*shown.text), offset)?;
    let mut object = object(wire::shown(&shown));
    object.insert("text".into(), json!(page.text));
    page::shorten(&mut object, "notes", BESIDE);
    let mut text = page.text;
    if let Some(cause) = shown.error.as_ref().or(shown.fell_back.as_ref()) {
        text.push_str(&format!("\n---\n`{}` is shown: {cause}\n", shown.level));
    }
    text.push_str(&told(&shown.notes));
    Ok(paged(object, text, page.next))
}

/// Lines `10-40` of a file, or `10` alone.
fn some_lines(shown: Shown, range: &str) -> Result<Shown, OpError> {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let number = |word: &str| word.trim().parse::<usize>().ok().filter(|line| *line > 0);
    let wrong =
        || OpError::usage(format!("`{}` is no range of lines", printable(range))).hint("for example 10-40, from 1 on");
    let (first, last) = (number(first).ok_or_else(wrong)?, number(last).ok_or_else(wrong)?);
    if last < first {
        return Err(wrong());
    }
    let text: String = shown.text.split_inclusive('\n').skip(first - 1).take(last - first + 1).collect();
    if text.is_empty() {
        let many = shown.text.split_inclusive('\n').count();
        let error = OpError::usage(format!("`{}` has no line {first}", printable(&shown.path)));
        return Err(error.hint(format!("it has {}", grouped(many as u64))));
    }
    Ok(Shown { text: text.into(), ..shown })
}

/// So many bytes of a question stand in its answer as well.
const ECHOED: usize = 1_000;
/// What passages may take, where nobody says it.
const PASSAGES: u64 = 3000;

pub fn search(door: &Door, mut args: Args) -> Result<Answer, OpError> {
    let request = SearchRequest {
        query: args.task()?.map_or_else(|| args.needed("query"), Ok)?,
        include: args.texts("include")?,
        // A page has no room for more.
        max_tokens: args.number("max_tokens")?.unwrap_or(PASSAGES).min(PAGE),
        tokenizer: None,
    };
    args.end()?;
    let found = ops::search(door, &request)?;
    let mut text = String::new();
    for passage in &found.passages {
        text.push_str(&format!("{}:{}\n{}\n\n", printable(&passage.path), passage.lines, passage.text.trim_end()));
    }
    if found.passages.is_empty() {
        text = format!("nothing in {} matches\n", many(found.files, "file"));
    }
    let mut object = object(wire::found(&found));
    if found.query.len() > ECHOED {
        // Whoever asked has it.
        object.remove("query");
    }
    page::shorten(&mut object, "notes", BESIDE);
    text.push_str(&told(&found.notes));
    Ok(Answer { structured: object.into(), text })
}

pub fn tokens(door: &Door, mut args: Args, caller: &str) -> Result<Answer, OpError> {
    let request = Request { listed: args.texts("paths")?, caller: Some(caller.to_owned()), ..Request::default() };
    let offset = args.offset()?;
    args.end()?;
    let counted: FileTokens = ops::tokens(door, &request)?;
    let mut object = object(wire::tokens(&counted));
    let all = match object.get_mut("files") {
        Some(Value::Array(files)) => std::mem::take(files),
        _ => Vec::new(),
    };
    let (files, next) = page::rows(all, offset)?;
    let mut text = format!(
        "{} tokens in {} ({}, {})\n",
        grouped(counted.total),
        many(counted.files.len(), "file"),
        if counted.exact { "exact" } else { "estimated" },
        counted.tokenizer
    );
    for file in &files {
        let tokens = grouped(file["tokens"].as_u64().unwrap_or_default());
        text.push_str(&format!("{tokens} {}\n", printable(file["path"].as_str().unwrap_or_default())));
    }
    object.insert("files".into(), files.into());
    for key in ["folders", "notes"] {
        page::shorten(&mut object, key, 2 * BESIDE);
    }
    Ok(paged(object, text, next))
}

pub fn why(door: &Door, mut args: Args, caller: &str) -> Result<Answer, OpError> {
    let path = args.needed("path")?;
    let request = request(&mut args, caller)?;
    args.end()?;
    let reason: Reason = ops::why(door, &request, &path)?;
    let state = match (reason.shown, reason.view, reason.tokens) {
        (true, Some(view), Some(tokens)) => format!("shown as `{view}`, {} tokens", grouped(tokens)),
        (true, _, _) => "shown".to_owned(),
        (false, ..) => "not shown".to_owned(),
    };
    let mut text = format!("{}: {state}\nbecause: {}\n", printable(&reason.path), reason.why);
    for line in reason.details.iter().chain(&reason.hint) {
        text.push_str(line);
        text.push('\n');
    }
    let mut object = object(wire::reason(&reason));
    if let Some(Value::Object(weighed)) = object.get_mut("weighed") {
        page::shorten(weighed, "symbols", PAGE / 2);
    }
    Ok(Answer { structured: object.into(), text })
}

pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// An answer that may go on. `next_offset` is there in any case, so that no client has to guess.
pub(super) fn paged(mut object: Map<String, Value>, mut text: String, next: Option<usize>) -> Answer {
    object.insert("next_offset".into(), json!(next));
    if let Some(next) = next {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&format!("[there is more: call again with offset {next}]\n"));
    }
    Answer { structured: object.into(), text }
}

/// `1 file`, `2 files`.
fn many(number: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(number as u64), if number == 1 { "" } else { "s" })
}

fn summary(made: &Made) -> String {
    let plan = &made.compiled.plan;
    format!(
        "{}, {} left out; {} tokens{} ({}, {})\n",
        many(plan.picks.len(), "item"),
        grouped(plan.left_out.len() as u64),
        grouped(made.compiled.measured.0),
        made.budget.map(|budget| format!(" of {}", grouped(budget.0))).unwrap_or_default(),
        if made.exact { "exact" } else { "estimated" },
        made.tokenizer,
    )
}

/// How many notes stand in a text.
const NOTES: usize = 5;

pub(super) fn told(notes: &[Note]) -> String {
    let mut text: String = notes.iter().take(NOTES).map(|note| format!("note: {note}\n")).collect();
    if notes.len() > NOTES {
        text.push_str(&format!("note: and {} more\n", grouped((notes.len() - NOTES) as u64)));
    }
    text
}
