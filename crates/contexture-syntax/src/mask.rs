//! Masks: chosen symbols, whole, by signature, or not at all.
//!
//! Takes modes by symbol name; gives the text of what is shown and the names that no symbol has.

use crate::cuts::{behind_line, stands_alone};
use crate::language::{Language, Place};
use crate::structure::{Def, Span, Structure};
use crate::symbols::{Lines, qualified_names, with_doc};
use crate::text::trimmed;
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mask {
    /// The whole definition.
    Def,
    /// The signature only.
    Sig,
    /// Nothing.
    Hide,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Masked {
    pub text: String,
    /// Names that no symbol has, each with the nearest ones that symbols have.
    pub unknown: Vec<(String, Vec<String>)>,
}

/// The chosen symbols in the order of the file, a blank line between them. What stands in a shown symbol follows the mode of
/// the innermost chosen symbol around it.
///
/// `others` is the mode of symbols that no name chooses; with [`Mask::Def`] only outermost definitions are chosen by it,
/// what stands in them follows.
pub fn masked(
    language: &Language,
    structure: &Structure,
    text: &str,
    masks: &BTreeMap<String, Mask>,
    others: Mask,
) -> Masked {
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
            if is_named(name, wanted) {
                *mode = Some(*mask);
                any = true;
            }
        }
        if !any {
            unknown.push((wanted.clone(), nearest(wanted, &names)));
        }
    }
    Masked { text: shown(language, structure, text, &modes), unknown }
}

/// `A::f` is also found as `A.f`, whichever way the language writes it.
fn is_named(name: &str, wanted: &str) -> bool {
    name == wanted || (wanted.contains(['.', ':', '#', '/']) && plain(name) == plain(wanted))
}

fn plain(name: &str) -> String {
    name.replace("::", ".").replace([':', '#', '/'], ".")
}

fn shown(language: &Language, structure: &Structure, text: &str, modes: &[Option<Mask>]) -> String {
    let lines = Lines::of(text);
    let mut out = String::new();
    // What is printed already ends here; symbols of one declaration share their text.
    let mut done = 0;
    let all = structure.defs.iter().zip(modes).enumerate();
    let mut all: Vec<_> = all.map(|(index, (def, mode))| (with_doc(def, text, &lines), index, def, mode)).collect();
    all.sort_by_key(|(part, ..)| (part.start, std::cmp::Reverse(part.end)));
    for (part, index, def, mode) in all {
        // In broken code one definition may end in the middle of another: then both are shown as one.
        let goes_on = def.whole.start < done;
        if goes_on && (part.end <= done || *mode != Some(Mask::Def)) {
            continue;
        }
        let part = if goes_on { Span { start: done, ..part } } else { part };
        let mut edits = match mode {
            Some(Mask::Def) => {
                done = part.end;
                inner_edits(language, structure, text, modes, index, &lines)
            }
            Some(Mask::Sig) => {
                let edit = body_of(language, def, text);
                done = edit.as_ref().map_or(part.end, |edit| edit.0.start);
                edit.into_iter().collect()
            }
            Some(Mask::Hide) | None => continue,
        };
        edits.retain(|(span, _)| span.start >= part.start);
        if !goes_on && !out.is_empty() {
            out.push_str(if out.ends_with('\n') { "\n" } else { "\n\n" });
        }
        out.push_str(&edited(text, part, &edits));
    }
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

/// A span and what stands there instead.
type Edit = (Span, &'static str);

/// What the modes of inner symbols change in a definition that is shown whole.
fn inner_edits(
    language: &Language,
    structure: &Structure,
    text: &str,
    modes: &[Option<Mask>],
    outer: usize,
    lines: &Lines,
) -> Vec<Edit> {
    let Some(around) = structure.defs.get(outer).map(|def| def.whole) else { return Vec::new() };
    let inner = structure.defs.iter().zip(modes).skip(outer + 1).take_while(|(def, _)| def.whole.start < around.end);
    let mut edits: Vec<Edit> = Vec::new();
    let mut done = 0;
    for (def, mode) in inner.filter(|(def, _)| def.whole != around) {
        if def.whole.start < done {
            continue;
        }
        let edit = match mode {
            Some(Mask::Hide) => Some((whole_lines(with_doc(def, text, lines), text), "")),
            Some(Mask::Sig) => body_of(language, def, text),
            Some(Mask::Def) | None => None,
        };
        if let Some((span, instead)) = edit {
            // The line break behind the last one belongs to what comes after.
            let span = Span { start: span.start.max(around.start), end: span.end.min(around.end) };
            if span.start >= done && span.start < span.end {
                done = span.end;
                edits.push((span, instead));
            }
        }
    }
    edits
}

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
    let fits = marks.place == Place::Anywhere || stands_alone(text, span);
    (fits && span.len() > mark.len()).then_some((span, mark))
}

fn edited(text: &str, part: Span, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(part.len());
    let mut at = part.start;
    for (span, instead) in edits {
        out.push_str(Span { start: at, end: span.start }.of(text));
        out.push_str(instead);
        at = span.end;
    }
    out.push_str(Span { start: at, end: part.end }.of(text));
    out
}

/// How many names are offered for one that is not there, and among how many they are looked for.
const OFFERED: usize = 3;
const LOOKED_AT: usize = 5_000;

fn nearest(wanted: &str, names: &[String]) -> Vec<String> {
    let last = |name: &str| name.rsplit(['.', ':']).next().unwrap_or("").to_lowercase();
    let (wanted_plain, wanted_last) = (plain(wanted).to_lowercase(), last(wanted));
    let mut scored: Vec<(f64, &String)> = names
        .iter()
        .take(LOOKED_AT)
        .map(|name| {
            let whole = strsim::jaro_winkler(&plain(name).to_lowercase(), &wanted_plain);
            let end = if last(name) == wanted_last { 0.95 } else { 0.0 };
            (whole.max(end), name)
        })
        .filter(|(score, _)| *score > 0.8)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(OFFERED).map(|(_, name)| name.clone()).collect()
}
