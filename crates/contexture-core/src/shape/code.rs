//! Views that follow from syntax: skeleton, outline, masked.
//!
//! Takes an item's text and a [`CodeReader`]; gives the text of the view, or why there is none. What a text defines is found
//! by `contexture-syntax`; this room only chooses what to cut for what a person wished.

use super::TextForm;
use crate::count::Meter;
use crate::rank::Digest;
use crate::types::{Body, ContentHash, Item, Level, Options, SymbolMode, View};
use contexture_syntax::{
    self as syntax, Language, Mask, OutlineLine, ShownSymbols, Structure, SymbolExtent, SymbolKind, Visibility,
};
use std::sync::Arc;

/// Finds out what a text defines. Behind it may be a memory, or a process of its own that may die.
pub trait CodeReader: Sync {
    /// `hash` is that of the bytes the text was decoded from. An error is the cause, in words for people.
    fn structure(
        &self,
        language: &'static Language,
        text: &str,
        hash: Option<&ContentHash>,
    ) -> Result<Arc<Structure>, String>;

    /// The words of a text and of its symbols, and what they cost in the form they are shown in.
    fn digest(
        &self,
        language: Option<&'static Language>,
        text: &str,
        form: TextForm,
        hash: Option<&ContentHash>,
    ) -> Arc<Digest> {
        let structure = language.and_then(|language| self.structure(language, text, hash).ok());
        Arc::new(form.digest(text, language.zip(structure.as_deref())))
    }
}

/// Parses right here. A grammar that crashes takes the process with it, so this is for texts one trusts.
pub struct InProcess;

impl CodeReader for InProcess {
    fn structure(
        &self,
        language: &'static Language,
        text: &str,
        _: Option<&ContentHash>,
    ) -> Result<Arc<Structure>, String> {
        syntax::read(language, text).map(Arc::new).map_err(|refusal| refusal.to_string())
    }
}

/// What the stages are lent for a run: a way to count, and a way to find out what code defines.
#[derive(Clone, Copy)]
pub struct Tools<'a> {
    /// Counts what is written, and remembers it.
    pub meter: Meter<'a>,
    /// [`InProcess`](crate::InProcess), or something that asks parsers in processes of their own.
    pub code: &'a dyn CodeReader,
}

/// Why a view from syntax cannot be shown.
pub enum NoView {
    /// There is no such view of this kind of file, or nothing was asked to be in it.
    Lacking(String),
    /// It should be there, but could not be made.
    Failed(String),
}

/// The language of an item, when views from syntax can be made of it.
pub fn language_of(item: &Item, text: &str) -> Option<&'static Language> {
    syntax::language_of(&item.path, text)
}

/// Whether views from syntax can be made of an item.
pub fn has_syntax(item: &Item) -> bool {
    match &item.body {
        Body::Text { text, .. } => language_of(item, text).is_some(),
        _ => false,
    }
}

/// `skeleton`, `outline` or `masked` of a text.
pub fn view(item: &Item, level: Level, text: &str, code: &dyn CodeReader, blank: View) -> Result<View, NoView> {
    let Some(language) = language_of(item, text) else {
        return Err(NoView::Lacking(format!("there is no `{level}` view of this kind of file")));
    };
    if level == Level::Masked && !has_mask(item) {
        return Err(NoView::Lacking("no symbols are chosen: `ast_mask` is not set".into()));
    }
    let structure = code.structure(language, text, item.hash.as_ref()).map_err(NoView::Failed)?;
    let mut view = View { level, fenced: true, label: Some(level.as_str().into()), ..blank };
    match level {
        Level::Skeleton => {
            view.text = syntax::skeleton(language, &structure, text).into();
            view.language = Some(crate::kind::fence_word(&item.path, text));
        }
        Level::Outline => {
            let lines = syntax::outline(language, &structure, text);
            if lines.is_empty() {
                let cause =
                    if structure.errors { "the parser could not read what it defines" } else { "it defines nothing" };
                return Err(NoView::Lacking(cause.into()));
            }
            view.text = lines.into();
            view.language = Some("text");
        }
        _ => {
            view.language = Some(crate::kind::fence_word(&item.path, text));
            let masked = syntax::masked_view(language, &structure, text, &masks(item), others(item));
            view.remarks = masked.unknown.iter().map(|(wanted, near)| unknown(wanted, near)).collect();
            if masked.text.is_empty() {
                return Err(match view.remarks.as_slice() {
                    [] => NoView::Lacking("the mask leaves nothing to show".into()),
                    causes => NoView::Failed(causes.join("; ")),
                });
            }
            view.text = masked.text.into();
        }
    }
    Ok(view)
}

/// Chosen symbols of a text, or its skeleton with the bodies of chosen ones; `None` where it cannot be parsed after all. What
/// ends as a skeleton shows no symbols before that a skeleton cuts: in functions without a name there may be some.
pub fn extent(
    item: &Item,
    (level, top): (Level, Level),
    shown: ShownSymbols<'_>,
    text: &str,
    options: &Options,
    code: &dyn CodeReader,
    blank: View,
) -> Option<View> {
    let language = language_of(item, text)?;
    let structure = code.structure(language, text, item.hash.as_ref()).ok()?;
    let (cut, label) = match level {
        Level::Masked => {
            let extents =
                if top == Level::Skeleton { uncut(&structure, shown.extents) } else { shown.extents.to_vec() };
            let shown = ShownSymbols { extents: &extents, ..shown };
            let parts = syntax::parts(language, &structure, text, &shown, options.line_numbers);
            let gaps =
                if parts.mark.chars().count() > 1 { format!(", gaps marked {}", parts.mark) } else { String::new() };
            let label = format!("parts: {} of {} lines{gaps}", parts.shown, parts.lines);
            (parts.text, label)
        }
        _ => (syntax::skeleton_with(language, &structure, text, shown.extents), level.as_str().into()),
    };
    let word = Some(crate::kind::fence_word(&item.path, text));
    (!cut.is_empty()).then(|| View {
        level,
        text: cut.into(),
        fenced: true,
        label: Some(label),
        language: word,
        ..blank
    })
}

/// Without what a skeleton cuts some of, and what stands in it.
fn uncut(structure: &Structure, shown: &[SymbolExtent]) -> Vec<SymbolExtent> {
    let mut is_cut: Vec<bool> = Vec::with_capacity(structure.defs.len());
    for def in &structure.defs {
        let above = def.parent.and_then(|parent| is_cut.get(parent as usize)).copied();
        is_cut.push(above == Some(true) || structure.is_cut(def.head));
    }
    shown.iter().zip(is_cut).map(|(shown, is_cut)| if is_cut { SymbolExtent::Hidden } else { *shown }).collect()
}

/// What a text offers to others, a line each with the rank it has in a summary: types and functions, then what is in the
/// types, then values. Nothing where it could not be parsed.
pub fn public_lines(item: &Item, text: &str, code: &dyn CodeReader) -> Vec<(u8, String)> {
    let Some(language) = language_of(item, text) else { return Vec::new() };
    let Ok(structure) = code.structure(language, text, item.hash.as_ref()) else { return Vec::new() };
    let mut ranked = Vec::new();
    // What stands in something that is not offered, or in a function, is not offered either.
    let mut closed = usize::MAX;
    for OutlineLine { symbol, depth } in syntax::outline_lines(language, &structure, text) {
        if depth > closed {
            continue;
        }
        closed = if symbol.visibility != Visibility::Public || symbol.kind.is_callable() { depth } else { usize::MAX };
        if symbol.visibility != Visibility::Public {
            continue;
        }
        let rank = match symbol.kind {
            kind if kind.is_value() || kind == SymbolKind::Variant => 4,
            _ if depth == 0 => 1,
            _ if depth == 1 => 3,
            _ => 5,
        };
        let indent = "  ".repeat(depth.min(4));
        ranked.push((rank, format!("{indent}{} {}", symbol.kind.as_str(), syntax::symbol_label(language, &symbol))));
    }
    ranked
}

/// Whether anything says which symbols a `masked` view has.
pub fn has_mask(item: &Item) -> bool {
    !item.wish.mask.is_empty() || item.wish.signatures || item.wish.definitions
}

fn masks(item: &Item) -> std::collections::BTreeMap<String, Mask> {
    let mode = |mode: &SymbolMode| match mode {
        SymbolMode::Def => Mask::Def,
        SymbolMode::Sig => Mask::Sig,
        SymbolMode::Hide => Mask::Hide,
    };
    item.wish.mask.iter().map(|(symbol, wished)| (symbol.clone(), mode(wished))).collect()
}

/// What becomes of symbols that the mask does not name.
fn others(item: &Item) -> Mask {
    match (item.wish.definitions, item.wish.signatures) {
        (true, _) => Mask::Def,
        (_, true) => Mask::Sig,
        _ => Mask::Hide,
    }
}

fn unknown(wanted: &str, near: &[String]) -> String {
    let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    match near.as_slice() {
        [] => format!("no symbol is called `{wanted}`"),
        near => format!("no symbol is called `{wanted}`; there is {}", near.join(", ")),
    }
}
