//! A document in a request: shown with its pictures before what is asked about it.
//!
//! What a request says around the document takes its part of the budget before anything else does.

use super::{CompileError, Run, items::Items};
use crate::count::IMAGE;
use crate::fit::OverBudget;
use crate::providers::check::Refused;
use crate::render::talk::{self, Talk};
use crate::types::{Image, ItemKind, Note, Options, Output, Tokens, Topic, Why};
use std::collections::BTreeSet;

/// The request, its tokens and those of its prefix.
pub fn write(items: &mut Items<'_>, run: &Run<'_>) -> Result<(Output, Tokens, Tokens), CompileError> {
    let Run { options, tools, .. } = *run;
    let pictures = pictures(items, run);
    let around = talk::around(pictures.len(), options, &tools.meter);
    let left = |budget: Tokens| Tokens(budget.0.saturating_sub(around.0));
    let rest = Options { budget: options.budget.map(left), ..options.clone() };
    items.fit(&Run { options: &rest, ..*run }).map_err(|over| with_pictures(over, &pictures, around, options))?;
    let (document, measured, prefix) = run.document(items);
    let is_asking = options.request.message.as_ref().is_some_and(|message| !message.trim().is_empty());
    if pictures.is_empty() && !is_asking && document.pieces().all(|piece| piece.trim().is_empty()) {
        return Err(Refused::empty(options.format.api()).into());
    }
    let sent: BTreeSet<&str> = pictures.iter().map(|(path, _)| path.as_str()).collect();
    for (_, shown) in &mut items.shown {
        // A picture is more than the line that names it.
        if shown.pick.kind == ItemKind::Screenshot && sent.contains(shown.pick.path.as_str()) {
            shown.pick.tokens = shown.pick.tokens + Tokens(IMAGE);
        }
    }
    let images = pictures.into_iter().map(|(_, image)| image).collect();
    let talk = Talk::about(&document, (prefix, measured), images, options);
    Ok((run.request(&talk)?, measured + around, prefix))
}

/// The pictures that the provider can show, each with its path; the others stay in the document by their path alone.
fn pictures(items: &mut Items<'_>, run: &Run<'_>) -> Vec<(String, Image)> {
    let shown = items.shown.iter().filter_map(|(index, _)| Some((*index, run.snapshot.items.get(*index)?)));
    let pictures = talk::pictures(shown, run.options.format);
    for talk::RefusedPicture { index, why, hint } in pictures.refused {
        let Some((_, shown)) = items.shown.iter_mut().find(|(shown, _)| *shown == index) else { continue };
        let note = Note::new(Topic::Reduced, format!("the picture is not sent: {why}")).at(&shown.pick.path);
        items.notes.push(note.hint(hint));
        shown.pick.why = Why::Kind(format!("shown by its path: {why}"));
    }
    pictures.shown
}

/// Pictures take their room before anything else does, so they are named where there is none.
fn with_pictures(over: OverBudget, pictures: &[(String, Image)], around: Tokens, options: &Options) -> OverBudget {
    let is_picture = |path: &str| pictures.iter().any(|(picture, _)| picture == path);
    let others = over.largest.into_iter().filter(|(path, _)| !is_picture(path));
    let costs = others.chain(pictures.iter().map(|(path, _)| (path.clone(), Tokens(IMAGE))));
    OverBudget::new(costs, over.needed + around, options.budget.unwrap_or(over.budget))
}
