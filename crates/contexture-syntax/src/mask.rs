//! Masks: chosen symbols, whole, by signature, or not at all.
//!
//! Takes modes by symbol name; gives the text of what is shown and the names that no symbol has.

use crate::cuts::{behind_line, between, stands_alone};
use crate::language::{Language, MarkPlace};
use crate::structure::{Def, Span, Structure};
use crate::symbols::{Lines, qualified_names, with_doc};
use crate::text::trimmed;
use std::collections::BTreeMap;

/// What is shown of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mask {
    /// The whole definition.
    Def,
    /// The signature only.
    Sig,
    /// Nothing.
    Hide,
}

/// What a mask shows of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MaskedView {
    pub text: String,
    /// Names that no symbol has, each with the nearest ones that symbols have.
    pub unknown: Vec<(String, Vec<String>)>,
}

/// The chosen symbols in the order of the file, a blank line between them. What stands in a shown symbol follows the mode of
/// the innermost chosen symbol around it.
///
/// `others` is the mode of symbols that no name chooses; with [`Mask::Def`] only outermost definitions are chosen by it,
/// what stands in them follows.
pub fn masked_view(
    language: &Language,
    structure: &Structure,
    text: &str,
    masks: &BTreeMap<String, Mask>,
    others: Mask,
) -> MaskedView {
    let names = qualified_names(language, structure, text);
    let mut unknown = Vec::new();
    let rest = |def: &Def| match others {
        Mask::Def => def.parent.is_none().then_some(Mask::Def),
        Mask::Sig => Some(Mask::Sig),
        Mask::Hide => None,
    };
    let mut modes: Vec<Option<Mask>> = structure.defs.iter().map(rest).collect();
    for (wanted, mask) in masks {
        let mut any = false;
        for (name, mode) in names.iter().zip(&mut modes) {
            if is_symbol_named(name, wanted) {
                *mode = Some(*mask);
                any = true;
            }
        }
        if !any {
            unknown.push((wanted.clone(), nearest(wanted, &names)));
        }
    }
    let lines = Lines::of(text);
    let mut walk = MaskWalk { language, text, open: Vec::new(), parts: Vec::new(), edits: Vec::new() };
    // Who only hides wants to see the rest.
    let hides = !masks.is_empty() && masks.values().all(|mask| *mask == Mask::Hide) && unknown.len() < masks.len();
    if hides && others == Mask::Hide {
        let all = Span::new(0, text.len());
        walk.parts.push(all);
        walk.open.push(OpenSymbol { def: None, end: u32::MAX, view: OpenView::Whole });
    }
    let mut all: Vec<_> =
        structure.defs.iter().zip(modes).map(|(def, mode)| (with_doc(def, text, &lines), def, mode)).collect();
    all.sort_by_key(|(part, ..)| (part.start, std::cmp::Reverse(part.end)));
    for (part, def, mode) in all {
        walk.meet(def, part, mode);
    }
    MaskedView { text: walk.finish(), unknown }
}

/// Whether a person means a symbol by this name: `A::f` is also found as `A.f`, whichever way the language writes it.
pub fn is_symbol_named(name: &str, wanted: &str) -> bool {
    name == wanted || (wanted.contains(['.', ':', '#', '/']) && plain_name(name) == plain_name(wanted))
}

/// A qualified name with a dot between its words, whatever the language puts there.
pub fn plain_name(name: &str) -> String {
    name.replace("::", ".").replace([':', '#', '/'], ".")
}

/// Something that is shown, while the walk is in it.
struct OpenSymbol<'a> {
    def: Option<&'a Def>,
    end: u32,
    view: OpenView,
}

enum OpenView {
    Whole,
    /// By signature, with these of its inner parts.
    Signature(Vec<Span>),
    Hidden,
}

/// Goes through the definitions in the order of the text, and notes which parts are shown and what is left out of them.
struct MaskWalk<'a> {
    language: &'a Language,
    text: &'a str,
    open: Vec<OpenSymbol<'a>>,
    parts: Vec<Span>,
    edits: Vec<Edit>,
}

impl<'a> MaskWalk<'a> {
    fn meet(&mut self, def: &'a Def, part: Span, mode: Option<Mask>) {
        while self.open.last().is_some_and(|open| open.end <= def.whole.start) {
            self.leave();
        }
        let same = self.open.last().and_then(|open| open.def).is_some_and(|outer| outer.whole == def.whole);
        let view = match (self.open.last_mut().map(|open| &mut open.view), mode) {
            // Names of one declaration share their text.
            _ if same => return,
            (Some(OpenView::Hidden), _) | (None, None | Some(Mask::Hide)) => return,
            (Some(OpenView::Signature(_)), None | Some(Mask::Hide)) => return,
            (Some(OpenView::Whole), Some(Mask::Hide)) => {
                self.edits.push((whole_lines(part, self.text), ""));
                OpenView::Hidden
            }
            (Some(OpenView::Whole), Some(Mask::Def) | None) => {
                // In broken code one definition may end in the middle of another: then both are shown as one.
                if let Some(last) = self.parts.last_mut().filter(|last| last.end < part.end && mode.is_some()) {
                    last.end = part.end;
                }
                return;
            }
            (Some(OpenView::Whole), Some(Mask::Sig)) => OpenView::Signature(Vec::new()),
            (Some(OpenView::Signature(kept)), Some(mask)) => {
                kept.push(part);
                if mask == Mask::Sig { OpenView::Signature(Vec::new()) } else { OpenView::Whole }
            }
            (None, Some(mask)) => {
                self.parts.push(part);
                if mask == Mask::Sig { OpenView::Signature(Vec::new()) } else { OpenView::Whole }
            }
        };
        self.open.push(OpenSymbol { def: Some(def), end: part.end, view });
    }

    fn leave(&mut self) {
        let Some(OpenSymbol { def: Some(def), view: OpenView::Signature(kept), .. }) = self.open.pop() else { return };
        let Some(body) = def.body.filter(|_| !kept.is_empty()) else {
            self.edits.extend(body_of(self.language, def, self.text));
            return;
        };
        let from = def.doc.filter(|doc| body.holds(*doc)).map_or(body.start, |doc| doc.end);
        for span in between(self.language, self.text, body, from, &kept) {
            if self.language.marks.place == MarkPlace::Anywhere || stands_alone(self.text, span) {
                self.edits.push((span, self.language.marks.gap));
            }
        }
    }

    fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.leave();
        }
        self.edits.sort_by_key(|(span, _)| *span);
        let mut out = String::new();
        let mut edits = self.edits.iter().peekable();
        for part in &self.parts {
            if !out.is_empty() {
                out.push_str(if out.ends_with('\n') { "\n" } else { "\n\n" });
            }
            let mut at = part.start;
            while let Some((span, instead)) = edits.next_if(|(span, _)| span.start < part.end) {
                // A line break behind the last one belongs to what comes after.
                if span.start >= at {
                    out.push_str(Span { start: at, end: span.start }.of(self.text));
                    out.push_str(instead);
                    at = span.end.min(part.end);
                }
            }
            out.push_str(Span { start: at, end: part.end }.of(self.text));
        }
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        out
    }
}

/// A span and what stands there instead.
type Edit = (Span, &'static str);

/// With the rest of its last line, when nothing else stands there.
fn whole_lines(span: Span, text: &str) -> Span {
    let after = text.get(span.end as usize..).unwrap_or("");
    let rest = after.find('\n').map_or(after.len(), |at| at + 1);
    let line = after.get(..rest).unwrap_or("");
    if line.trim_matches([' ', '\t', '\r', '\n', ';', ',']).is_empty() {
        Span { start: span.start, end: span.end + rest as u32 }
    } else {
        span
    }
}

/// The body of a definition and its mark; `None` when there is none, or none that can go.
fn body_of(language: &Language, def: &Def, text: &str) -> Option<Edit> {
    let body = def.body?;
    let inner_doc = def.doc.filter(|doc| body.holds(*doc));
    let span = trimmed(text, Span { start: inner_doc.map_or(body.start, |doc| doc.end), end: body.end });
    let span = if inner_doc.is_some() { behind_line(text, span) } else { span };
    let marks = &language.marks;
    let braced = marks.rim == 0 || span.of(text).starts_with(['{', '(']);
    let mark = match (inner_doc, braced) {
        (Some(_), _) => marks.gap,
        (None, true) => marks.body,
        (None, false) => marks.value,
    };
    let fits = marks.place == MarkPlace::Anywhere || stands_alone(text, span);
    (fits && span.len() > mark.len()).then_some((span, mark))
}

/// How many names are offered for one that is not there, and among how many they are looked for.
const OFFERED: usize = 3;
const LOOKED_AT: usize = 5_000;

fn nearest(wanted: &str, names: &[String]) -> Vec<String> {
    let last = |name: &str| name.rsplit(['.', ':']).next().unwrap_or("").to_lowercase();
    let (wanted_plain, wanted_last) = (plain_name(wanted).to_lowercase(), last(wanted));
    let mut scored: Vec<(f64, &String)> = names
        .iter()
        .take(LOOKED_AT)
        .map(|name| {
            let whole = strsim::jaro_winkler(&plain_name(name).to_lowercase(), &wanted_plain);
            let end = if last(name) == wanted_last { 0.95 } else { 0.0 };
            (whole.max(end), name)
        })
        .filter(|(score, _)| *score > 0.8)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(OFFERED).map(|(_, name)| name.clone()).collect()
}
