//! A context in layers: an agent's next request, or a path through a tree.
//!
//! Files beside the layers are fitted first, as in any document; only Markdown shows both.

use super::{CompileError, Compiled, Run, items::Items};
use crate::fit::{layers, path};
use crate::render::Draft;
use crate::render::buffer::{self, is_buffer};
use crate::render::talk::{Talk, layer_sizes};
use crate::types::{Format, LayerView, LoomOptions, Tokens};
use rayon::prelude::*;

/// An agent's context, or that of a path where `how` says how to put it together.
pub fn compile(mut items: Items<'_>, how: Option<LoomOptions>, run: &Run<'_>) -> Result<Compiled, CompileError> {
    let Run { snapshot, options, tools } = *run;
    items.fit(run)?;
    let draft = Draft { items: &items.shown, ..run.draft() };
    let (fitted, mut truncation) = match how {
        Some(how) => path::fit(snapshot, how, options, tools, &draft).map(|(fitted, cut)| (fitted, Some(cut)))?,
        None => (layers::fit(snapshot, options, tools, &draft)?, None),
    };
    items.left_out.extend(fitted.left_out);
    let shown = fitted.shown;
    let talk = if is_buffer(options) { Talk::default() } else { Talk::of(&shown, options) };
    let sizes = if how.is_none() { layer_sizes(snapshot, &shown, &talk, &tools.meter) } else { Vec::new() };
    let (output, measured, prefix) = if is_buffer(options) {
        let measured = buffer::measure(&shown, &tools.meter);
        let prefix = buffer::prefix(&shown, measured, &tools.meter);
        (buffer::output(snapshot, &shown, options), measured, prefix)
    } else if options.format == Format::Markdown {
        items.shown.extend(shown.iter().map(|layer| (layer.index, Box::new(run.draft().layer(layer)))));
        run.document(&items)
    } else {
        let measured = talk.measure(&shown, &tools.meter);
        (run.request(&talk)?, measured, talk.prefix(&shown, measured, &tools.meter))
    };
    if let (Some(cut), None) = (&mut truncation, options.budget) {
        (cut.before, cut.after) = (measured, measured);
    }
    let mut compiled = run.compiled(items, (output, measured, prefix));
    if options.format != Format::Markdown {
        let pick = |layer: &LayerView| run.draft().layer_pick(layer, Tokens(layer.tokens));
        compiled.plan.picks.par_extend(shown.par_iter().with_min_len(256).map(pick));
    }
    // Dropping a million views takes a while; all threads share it.
    shown.into_par_iter().with_min_len(4096).for_each(drop);
    Ok(Compiled { messages: talk.into_messages(), layers: sizes, truncation, ..compiled })
}
