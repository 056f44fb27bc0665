//! Paths as contexts: printed or written, or sent to a server for an answer.

use super::super::agent::to_file;
use super::super::build::{room_line, timings};
use super::picture;
use crate::args::{AssembleArgs, GenerateArgs};
use crate::commands::send::key;
use crate::failure::Failure;
use crate::ui::{Ui, count, counted, path};
use contexture::answers::{AssembledPathAnswer, GeneratedNodesAnswer};
use contexture::ops::loom::KeyOf;
use contexture::ops::loom::{AssembledPath, Trees};
use contexture::ops::{Door, OpError};
use contexture_core::TreeMode;
use contexture_gather::outputs;
use std::io::Write;
use std::path::Path;

pub fn assemble(door: &Door, trees: &mut Trees<'_>, args: AssembleArgs, ui: &Ui) -> Result<(), Failure> {
    let made = trees.assemble(&args.request)?;
    let output = &made.compiled.output;
    if let Some(file) = to_file(&args.output) {
        outputs::write_atomic(&door.env.cwd.join(file), |out| output.write_to(out)).map_err(OpError::from)?;
    }
    if ui.json {
        let file = to_file(&args.output).and_then(Path::to_str);
        return Ok(ui.print_answer(AssembledPathAnswer::new(&made, file))?);
    }
    if to_file(&args.output).is_none() {
        let mut out = std::io::stdout().lock();
        output.write_to(&mut out)?;
        out.flush()?;
    }
    ui.notes(&made.compiled.notes);
    ui.say(&summary(&made));
    timings(&made.timings, ui);
    // The process ends here, and takes its memory with it sooner than piece by piece.
    std::mem::forget(made);
    Ok(())
}

pub fn generate(trees: &mut Trees<'_>, args: GenerateArgs, ui: &Ui) -> Result<(), Failure> {
    let key = key(KeyOf::NamedServer, args.key_env.as_deref())?;
    let generated = trees.generate(&args.request, key.as_ref())?;
    if ui.json {
        return Ok(ui.print_answer(GeneratedNodesAnswer::from(&generated))?);
    }
    ui.notes(&generated.context.compiled.notes);
    ui.notes(&generated.notes);
    let said: String = generated.nodes.iter().map(picture::node_text).collect();
    ui.print(&said)?;
    let used = |tokens: Option<u64>| tokens.map_or("?".into(), count);
    ui.say(&format!(
        "{} in `{}`; tokens: {} sent ({} by the server's count), {} answered",
        counted(generated.nodes.len() as u64, "answer"),
        path(&generated.context.tree.title),
        count(generated.context.compiled.measured.0),
        used(generated.input_tokens),
        used(generated.output_tokens),
    ));
    Ok(())
}

/// A line for people: what was made, and what it takes.
fn summary(made: &AssembledPath) -> String {
    let how = if made.exact { "exact" } else { "estimated" };
    let what = match made.tree.mode {
        TreeMode::Dialogue => counted(made.compiled.messages.len() as u64, "message"),
        TreeMode::Buffer => format!("{} bytes", count(made.compiled.output.bytes() as u64)),
    };
    let limit = made.limit.as_ref().map(|(limit, from)| {
        let from =
            made.room.as_ref().filter(|room| room.budget == *limit).map(room_line).unwrap_or_else(|| from.clone());
        format!(" of {} ({from})", count(*limit))
    });
    format!(
        "{what} of `{}`, {} tokens ({how}, {}){}",
        path(&made.tree.title),
        count(made.compiled.measured.0),
        made.tokenizer,
        limit.unwrap_or_default()
    )
}
