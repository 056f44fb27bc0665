//! What each tool answers: an operation, its typed answer, and the same as text.
//!
//! The structured answer and the text say the same; a client shows its model one of them. Both stay within a page.

use super::page::{self, PAGE, Totals};
use contexture::answers::{DocumentAnswer, ReasonAnswer, SearchAnswer, ShowAnswer, TokensAnswer, to_value, versioned};
use contexture::ops::{self, CompiledDocument, Door, FileView, OpError, Target};
use contexture::requests::{DocumentRequest, SearchRequest, TokenCount};
use contexture_core::render::{grouped, printable};
use contexture_core::{Level, Note};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub struct Answer {
    pub structured: Value,
    pub text: String,
}

impl Answer {
    pub(super) fn new(answer: impl Serialize, totals: Totals, text: String) -> Self {
        Self { structured: to_value(PagedAnswer { answer, totals, next_offset: None }), text }
    }

    /// An answer that may go on. `next_offset` is there in any case, so that no client has to guess.
    pub(super) fn paged(answer: impl Serialize, totals: Totals, mut text: String, next: Option<usize>) -> Self {
        if let Some(next) = next {
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&format!("[there is more: call again with offset {next}]\n"));
        }
        Self { structured: to_value(PagedAnswer { answer, totals, next_offset: Some(next) }), text }
    }
}

/// An answer whose lists may have been shortened, or a page of one.
#[derive(Serialize)]
struct PagedAnswer<A> {
    #[serde(flatten)]
    answer: A,
    #[serde(flatten)]
    totals: Totals,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<Option<usize>>,
}

/// What lists beside an answer may take.
const BESIDE: u64 = 400;

/// A document, in pages.
#[derive(Deserialize, JsonSchema)]
pub struct DocumentArguments {
    #[serde(flatten)]
    request: DocumentRequest,
    /// `next_offset` of the page before
    #[serde(default)]
    offset: usize,
    /// Also write it as the next numbered file of the project
    #[serde(default)]
    write: bool,
}

/// Paths named by an agent do not count as explicitly listed, so that files with keys stay out.
fn by_agent(request: DocumentRequest, caller: &str) -> DocumentRequest {
    DocumentRequest { listed: request.paths, paths: Vec::new(), caller: Some(caller.to_owned()), ..request }
}

pub fn plan(door: &Door, arguments: DocumentArguments, caller: &str) -> Result<Answer, OpError> {
    let made = ops::plan(door, &by_agent(arguments.request, caller))?;
    let mut answer = DocumentAnswer::new(&made, None);
    let next = page::rows(&mut answer.items, arguments.offset)?;
    let mut text = summary(&made);
    for item in &answer.items {
        let (tokens, path) = (grouped(item.tokens), printable(&item.path));
        text.push_str(&format!("{tokens} {} {path} ({})\n", item.view.get(), item.reason));
    }
    text.push_str(&note_lines(&made.compiled.notes));
    let totals = shorten_beside(&mut answer);
    Ok(Answer::paged(versioned(answer), totals, text, next))
}

pub fn build(door: &Door, arguments: DocumentArguments, caller: &str) -> Result<Answer, OpError> {
    let DocumentArguments { request, offset, write } = arguments;
    // A later page is of the document whose first page left a manifest.
    let (target, no_manifest) = match (write, offset) {
        (_, 1..) => (Target::Caller, true),
        (true, 0) => (Target::Numbered, false),
        (false, 0) => (Target::Caller, false),
    };
    let written = ops::build(door, &DocumentRequest { no_manifest, ..by_agent(request, caller) }, &target)?;
    let made = &written.document;
    let page = page::text(made.compiled.output.pieces(), offset)?;
    let path = written.path.as_ref().map(|path| door.in_project(path));
    let mut answer = DocumentAnswer {
        fit: None,
        run: Some(written.run),
        document: Some(page.text.clone()),
        ..DocumentAnswer::new(made, path.as_deref())
    };
    let totals = shorten_beside(&mut answer).shorten("items_total", &mut answer.items, BESIDE);
    let mut answer = Answer::paged(versioned(answer), totals, page.text, page.next);
    // With the notes behind it, where they cannot be taken for a part of the document.
    let notes = if offset == 0 { note_lines(&made.compiled.notes) } else { String::new() };
    answer.text.push_str(&format!("\n---\n{}{notes}", summary(made)));
    Ok(answer)
}

/// Shortens the lists that are beside the items of a document.
fn shorten_beside(answer: &mut DocumentAnswer) -> Totals {
    let totals = Totals::default().shorten("left_out_total", &mut answer.left_out, BESIDE);
    totals.shorten("notes_total", &mut answer.notes, BESIDE)
}

/// One file of a document, in pages.
#[derive(Deserialize, JsonSchema)]
pub struct FileArguments {
    /// A file; `why` also takes a folder, or PATH:SYMBOL
    path: String,
    #[serde(flatten)]
    request: DocumentRequest,
    /// Lines of the full view, such as 10-40
    #[serde(default)]
    lines: Option<String>,
    /// `next_offset` of the page before
    #[serde(default)]
    offset: usize,
}

pub fn read(door: &Door, arguments: FileArguments, caller: &str) -> Result<Answer, OpError> {
    let FileArguments { path, request, lines, offset } = arguments;
    let is_other_view = |usual: Level| request.view().is_some_and(|view| view != usual);
    if !request.mask.is_empty() && is_other_view(Level::Masked) {
        return Err(OpError::usage("`mask` has no meaning in another view than `masked`").hint("leave `view` out"));
    }
    if lines.is_some() && (!request.mask.is_empty() || is_other_view(Level::Full)) {
        return Err(OpError::usage("`lines` are those of the full view").hint("leave `view` and `mask` out"));
    }
    let shown = ops::show(door, &by_agent(request, caller), &path)?;
    let shown = if let Some(lines) = lines { some_lines(shown, &lines)? } else { shown };
    let page = page::text(std::iter::once(&*shown.text), offset)?;
    let mut answer = ShowAnswer::from(&shown);
    answer.shown.text.clone_from(&page.text);
    let totals = Totals::default().shorten("notes_total", &mut answer.notes, BESIDE);
    let mut text = page.text;
    if let Some(cause) = shown.error.as_ref().or(shown.fell_back.as_ref()) {
        text.push_str(&format!("\n---\n`{}` is shown: {cause}\n", shown.level));
    }
    text.push_str(&note_lines(&shown.notes));
    Ok(Answer::paged(versioned(answer), totals, text, page.next))
}

/// Lines `10-40` of a file, or `10` alone.
fn some_lines(shown: FileView, range: &str) -> Result<FileView, OpError> {
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
    Ok(FileView { text: text.into(), ..shown })
}

/// A longer query is left out of its own answer.
const LONGEST_ECHO: usize = 1_000;

pub fn search(door: &Door, request: SearchRequest, _: &str) -> Result<Answer, OpError> {
    // A page has no room for more.
    let max_tokens = request.max_tokens.min(TokenCount(PAGE));
    let found = ops::search(door, &SearchRequest { max_tokens, ..request })?;
    let mut text = String::new();
    for passage in &found.hits.passages {
        text.push_str(&format!("{}:{}\n{}\n\n", printable(&passage.path), passage.lines, passage.text.trim_end()));
    }
    if found.hits.passages.is_empty() {
        text = format!("nothing in {} matches\n", many(found.hits.ranked, "file"));
    }
    text.push_str(&note_lines(&found.notes));
    let mut answer = SearchAnswer::from(&found);
    answer.query = answer.query.filter(|query| query.len() <= LONGEST_ECHO);
    let totals = Totals::default().shorten("notes_total", &mut answer.notes, BESIDE);
    Ok(Answer::new(versioned(answer), totals, text))
}

pub fn tokens(door: &Door, arguments: DocumentArguments, caller: &str) -> Result<Answer, OpError> {
    let counted = ops::tokens(door, &by_agent(arguments.request, caller))?;
    let mut answer = TokensAnswer::from(&counted);
    let mut text = format!(
        "{} tokens in {} ({}, {})\n",
        grouped(counted.total),
        many(counted.files.len(), "file"),
        if counted.exact { "exact" } else { "estimated" },
        counted.tokenizer
    );
    let next = page::rows(&mut answer.files, arguments.offset)?;
    for file in &answer.files {
        text.push_str(&format!("{} {}\n", grouped(file.tokens), printable(&file.path)));
    }
    let totals = Totals::default().shorten("folders_total", &mut answer.folders, 2 * BESIDE);
    let totals = totals.shorten("notes_total", &mut answer.notes, 2 * BESIDE);
    Ok(Answer::paged(versioned(answer), totals, text, next))
}

pub fn why(door: &Door, arguments: FileArguments, caller: &str) -> Result<Answer, OpError> {
    let reason = ops::why(door, &by_agent(arguments.request, caller), &arguments.path)?;
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
    let mut answer = ReasonAnswer::from(&reason);
    if let Some(weighed) = &mut answer.weighed {
        weighed.symbols_total = page::shorten(&mut weighed.symbols, PAGE / 2);
    }
    Ok(Answer::new(versioned(answer), Totals::default(), text))
}

/// `1 file`, `2 files`.
fn many(number: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(number as u64), if number == 1 { "" } else { "s" })
}

fn summary(made: &CompiledDocument) -> String {
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

/// How many notes a text has.
const NOTES: usize = 5;

pub(super) fn note_lines(notes: &[Note]) -> String {
    let mut text: String = notes.iter().take(NOTES).map(|note| format!("note: {note}\n")).collect();
    if notes.len() > NOTES {
        text.push_str(&format!("note: and {} more\n", grouped((notes.len() - NOTES) as u64)));
    }
    text
}
