//! One item at one level.

use super::code::{self, NoView};
use super::summary::{self, SummarySource, summarize};
use super::{Extent, FileNature, TextForm, Tools, base64, custom, data, diff};
use crate::kind::fence_word;
use crate::types::{Base, Body, Item, ItemKind, Level, Options, Text, View, grouped, printable};
use contexture_syntax::{HunkRows, ShownSymbols};

/// Lines of context around a change in a `diff` view, as git has it.
const DIFF_CONTEXT: usize = 3;

/// As much of an item as a budget allows: its path, some of its symbols, its skeleton with some bodies, or any level. At
/// `top`, which is as far as it goes, it looks as it does without a budget.
pub fn extent(
    item: &Item,
    (extent, hunks): (&Extent, &HunkRows),
    top: Level,
    nature: &FileNature,
    options: &Options,
    tools: &Tools<'_>,
) -> View {
    let level = extent.level.unwrap_or(Level::Name);
    match (level, &item.body) {
        _ if level >= top => view(item, top, nature, options, tools),
        // A heading and nothing under it.
        (Level::Name, Body::Text { text, .. }) => {
            let label = Some(format!("not shown, {} lines", grouped(crate::types::lines(text).count() as u64)));
            View { label, ..blank(item, level) }
        }
        (Level::Masked | Level::Skeleton, Body::Text { text, .. }) => {
            let shown = ShownSymbols { extents: &extent.shown, hunks };
            match code::extent(item, (level, top), shown, text, options, tools.code, blank(item, level)) {
                Some(view) => without_data(view, TextForm::of(item)),
                None => blank(item, Level::Name),
            }
        }
        _ => view(item, level, nature, options, tools),
    }
}

/// Some lines of an item, sorted; what its full text does not show is not shown here either.
pub fn passages(item: &Item, lines: &[(u64, u64)], options: &Options) -> View {
    let Body::Text { text, .. } = &item.body else { return blank(item, Level::Name) };
    let view = custom::passages(item, text, lines, options, blank(item, Level::Custom));
    without_data(view, TextForm::Cut)
}

/// A view whose text shows no more than its form does.
fn without_data(view: View, form: TextForm) -> View {
    match form.cut(&view.text) {
        Some(cut) => View { text: cut.into(), ..view },
        None => view,
    }
}

fn blank(item: &Item, level: Level) -> View {
    View {
        item: item.id.clone(),
        level,
        text: Text::default(),
        label: None,
        language: None,
        fenced: false,
        error: None,
        fell_back: None,
        verbatim: false,
        remarks: Vec::new(),
        written: None,
    }
}

/// One item at one level. Where that view cannot be made, a poorer one comes, with its reason in [`View::fell_back`].
pub fn view(item: &Item, level: Level, nature: &FileNature, options: &Options, tools: &Tools<'_>) -> View {
    let blank = blank(item, level);
    match &item.body {
        Body::Failed(failure) => View { error: Some(format!("ERROR: {failure}: {}", printable(&item.path))), ..blank },
        _ if level == Level::None => {
            View { label: Some("excluded".into()), text: "(context excluded)".into(), ..blank }
        }
        Body::Unread => View { level: Level::Name, label: Some("name".into()), text: "(not read)".into(), ..blank },
        Body::Said { content, .. } => View { text: content.clone(), ..blank },
        Body::Image { .. } => blank,
        // What they show is laid out by `shape::layers`.
        Body::Message(_) | Body::Memory(_) | Body::Skill(_) | Body::Schemas(_) => blank,
        Body::Binary { .. } | Body::Huge { .. } | Body::Text { .. } if level == Level::Name => {
            name(item, nature, blank)
        }
        Body::Binary { .. } => name(item, nature, View { level: Level::Name, ..blank }),
        Body::Huge { head } => {
            let cause = format!("{} bytes is too large to be read whole", grouped(item.size));
            let poorer = summary(item, head, false, tools, blank);
            if level == Level::Summary { poorer } else { fall_back(poorer, cause) }
        }
        Body::Text { text, base } => match level {
            Level::Full => full(item, text, options, blank),
            Level::Diff => difference(item, text, base, tools, blank),
            Level::Summary => summary(item, text, true, tools, blank),
            Level::Skeleton | Level::Outline | Level::Masked => {
                match code::view(item, level, text, tools.code, blank.clone()) {
                    Ok(view) => view,
                    Err(NoView::Lacking(cause)) => fall_back(summary(item, text, true, tools, blank), cause),
                    Err(NoView::Failed(cause)) => failed(item, level, cause, summary(item, text, true, tools, blank)),
                }
            }
            Level::Custom => match custom::custom(item, text, options, blank.clone()) {
                Some(view) => view,
                None => fall_back(summary(item, text, true, tools, blank), "no slices are marked".into()),
            },
            Level::Name | Level::None => blank,
        },
    }
}

fn fall_back(view: View, cause: String) -> View {
    View { fell_back: Some(cause), ..view }
}

/// The poorer view with the error above it.
fn failed(item: &Item, level: Level, cause: String, poorer: View) -> View {
    let error = format!("ERROR in {level} view mode for {}: {cause}", printable(&item.path));
    View { error: Some(error), fell_back: Some(cause), ..poorer }
}

fn name(item: &Item, nature: &FileNature, blank: View) -> View {
    let bytes = format!("{} bytes", grouped(item.size));
    let text = match (nature, &item.hash) {
        (FileNature::Binary(what), Some(hash)) => format!("(binary: {what}, {bytes}, sha256 {})", hash.short()),
        (FileNature::Binary(what), None) => format!("(binary: {what}, {bytes})"),
        (FileNature::Reduced(what), _) => format!("({what}, {bytes})"),
        (FileNature::Ordinary | FileNature::Data | FileNature::Huge, _) => format!("({bytes})"),
    };
    View { level: Level::Name, label: Some("name".into()), text: text.into(), ..blank }
}

fn full(item: &Item, text: &Text, options: &Options, blank: View) -> View {
    let mut shown = View { text: text.clone(), fenced: true, verbatim: true, ..blank };
    match item.kind {
        ItemKind::File | ItemKind::Retrieved => shown.language = Some(fence_word(&item.path, text)),
        ItemKind::Diff => shown.language = Some("diff"),
        ItemKind::Log => shown.language = Some("text"),
        ItemKind::Beads | ItemKind::Screenshot | ItemKind::Discussion | ItemKind::Layer(_) => shown.fenced = false,
    }
    if item.kind != ItemKind::File {
        return shown;
    }
    match TextForm::of(item) {
        TextForm::AsItIs => {}
        TextForm::Cells => match data::notebook_cells(text) {
            Ok(cells) => {
                let label = Some("cells without outputs".into());
                shown = View { text: cells.into(), label, language: Some("python"), verbatim: false, ..shown };
            }
            Err(cause) => {
                let error = format!("ERROR in full view mode for {}: {cause}", printable(&item.path));
                shown.error = Some(error);
                shown.fell_back = Some(cause);
            }
        },
        TextForm::Cut => {
            if let Some(cut) = base64::cut_base64(text) {
                shown = View { text: cut.into(), label: Some("base64 cut".into()), verbatim: false, ..shown };
            }
        }
    }
    if options.line_numbers {
        shown =
            View { text: numbered(&shown.text).into(), label: Some("line numbers".into()), verbatim: false, ..shown };
    }
    shown
}

fn summary(item: &Item, text: &str, whole: bool, tools: &Tools<'_>, blank: View) -> View {
    let count = |text: &str| tools.meter.words(text).0;
    let blank = View { level: Level::Summary, label: Some("summary".into()), ..blank };
    // Its hash is known: what is counted is nearly always all of it.
    let known = |text: &str| match &item.written {
        Some(written) if std::ptr::eq(text, &*written.text) => tools.meter.text(&written.hash, text).0,
        Some(_) | None => count(text),
    };
    if let Some(written) = &item.written
        && let Some(text) = summary::capped(&written.text, item.size, &known)
    {
        return View { text, language: Some("text"), fenced: true, written: Some(written.clone()), ..blank };
    }
    let defines = if whole { code::public_lines(item, text, tools.code) } else { Vec::new() };
    let source = SummarySource { path: &item.path, text, size: item.size, whole, defines: &defines };
    let text = summarize(&source, &count);
    if text.is_empty() {
        // A quarter of a tiny file is nothing; its size is at least something.
        return View { text: format!("({} bytes)", grouped(item.size)).into(), ..blank };
    }
    View { text: text.into(), language: Some("text"), fenced: true, ..blank }
}

fn difference(item: &Item, text: &str, base: &Base, tools: &Tools<'_>, blank: View) -> View {
    let (old, label) = match base {
        Base::Known(old) => (Some(&**old), "diff"),
        Base::Untracked | Base::NotAsked => (None, "diff, untracked"),
        Base::Failed(cause) => {
            return failed(item, Level::Diff, cause.clone(), summary(item, text, true, tools, blank));
        }
    };
    let text = diff::unified(&item.path, old, Some(text), DIFF_CONTEXT);
    if text.is_empty() {
        return View { label: Some("diff".into()), text: "(unchanged)".into(), ..blank };
    }
    View { label: Some(label.into()), text: text.into(), language: Some("diff"), fenced: true, ..blank }
}

/// Every line with its number in front, right-aligned to the widest.
fn numbered(text: &str) -> String {
    let lines = crate::types::lines(text).count();
    let width = lines.to_string().len();
    let mut out = String::with_capacity(text.len() + lines * (width + 2));
    for (index, line) in crate::types::lines(text).enumerate() {
        out.push_str(&format!("{:>width$}  ", index + 1));
        out.push_str(line);
    }
    out
}
