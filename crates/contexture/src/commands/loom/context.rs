//! Paths as contexts: printed or written, or sent to a server for an answer.

use super::super::agent::to_file;
use super::super::build::{divided, timings};
use super::super::send::unset;
use super::{picture, text};
use crate::args::{AssembleArgs, GenerateArgs, WalkArgs};
use crate::failure::{Failure, Kind};
use crate::ui::{Ui, count, counted, path};
use contexture_core::{TreeMode, Truncation};
use contexture_gather::outputs;
use contexture_server::ops::loom::{AssembleRequest, GenerateRequest, PathMade, Trees};
use contexture_server::ops::{Door, OpError};
use contexture_server::provider::Key;
use contexture_server::wire;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

pub fn assemble(door: &Door, trees: &mut Trees<'_>, args: &AssembleArgs, ui: &Ui) -> Result<(), Failure> {
    let format = args.format;
    let made = trees.assemble(&AssembleRequest { format, ..request(&args.walk)? })?;
    let output = &made.compiled.output;
    if let Some(file) = to_file(&args.output) {
        outputs::write_atomic(&door.env.cwd.join(file), |out| output.write_to(out)).map_err(OpError::from)?;
    }
    if ui.json {
        return Ok(ui.print_json(&wire::loom::assembled(&made, to_file(&args.output).and_then(Path::to_str)))?);
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
    let key = match &args.key_env {
        Some(name) => Some(std::env::var(name).map_err(|_| {
            Failure::new(Kind::Usage, unset(name))
                .hint("`--key-env` names the variable that holds the key, never the key")
        })?),
        None => std::env::var("CONTEXTURE_API_KEY").ok(),
    };
    let key = key.filter(|key| !key.trim().is_empty()).map(|key| Key::new(&key)).transpose();
    let key = key.map_err(|error| Failure::new(Kind::Usage, error.to_string()).hint(error.hint()))?;
    let request = GenerateRequest {
        assemble: AssembleRequest { max_answer: Some(args.max_answer), ..request(&args.walk)? },
        base_url: args.base_url,
        key,
        n: args.n,
        temperature: args.temperature,
        timeout: Duration::from_secs(args.timeout),
    };
    let generated = trees.generate(&request)?;
    if ui.json {
        return Ok(ui.print_json(&wire::loom::generated(&generated))?);
    }
    ui.notes(&generated.made.compiled.notes);
    ui.notes(&generated.notes);
    let said: String = generated.nodes.iter().map(picture::said).collect();
    ui.print(&said)?;
    let used = |tokens: Option<u64>| tokens.map_or("?".into(), count);
    ui.say(&format!(
        "{} in `{}`; tokens: {} sent ({} by the server's count), {} answered",
        counted(generated.nodes.len() as u64, "answer"),
        path(&generated.made.tree.title),
        count(generated.made.compiled.measured.0),
        used(generated.input_tokens),
        used(generated.output_tokens),
    ));
    Ok(())
}

fn request(args: &WalkArgs) -> Result<AssembleRequest, Failure> {
    Ok(AssembleRequest {
        node: args.node.clone(),
        path: args.path.clone(),
        choose: args.choose.clone(),
        agent: args.agent.clone(),
        is_aware: args.loom_aware,
        annotations: args.with_annotations,
        working: args.working.as_deref().map(text).transpose()?,
        max_tokens: args.max_tokens,
        model: args.model.clone(),
        tokenizer: args.tokenizer.clone(),
        secrets: args.safety.secrets,
        truncation: args.cut.strategy.as_deref().and_then(Truncation::parse),
        minimum_recent_nodes: args.cut.minimum_recent_nodes,
        token_buffer: args.cut.token_buffer,
        format: None,
        max_answer: None,
    })
}

/// A line for people: what was made, and what it takes.
fn summary(made: &PathMade) -> String {
    let how = if made.exact { "exact" } else { "estimated" };
    let what = match made.tree.mode {
        TreeMode::Dialogue => counted(made.compiled.messages.len() as u64, "message"),
        TreeMode::Buffer => format!("{} bytes", count(made.compiled.output.bytes() as u64)),
    };
    let limit = made.limit.as_ref().map(|(limit, from)| {
        let from = made.room.as_ref().filter(|room| room.budget == *limit).map(divided).unwrap_or_else(|| from.clone());
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
