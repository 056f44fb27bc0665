//! `agent` and `session`: contexts and the conversations they are made of.

use super::build::{divided, timings};
use crate::args::{AgentArgs, ImportArgs, SessionVerb};
use crate::failure::{Failure, Kind};
use crate::ui::{Ui, count, counted, path};
use contexture_core::LayerSize;
use contexture_gather::outputs;
use contexture_gather::sessions::ImportOptions;
use contexture_server::ops::{self, AgentMade, AgentRequest, Door};
use contexture_server::wire;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

pub fn run(door: Door, args: &AgentArgs, ui: &Ui) -> Result<(), Failure> {
    let is_piped = args.session.as_deref() == Some(Path::new("-"));
    if is_piped && args.message.as_deref() == Some("-") {
        let failure = Failure::new(Kind::Usage, "standard input cannot be the message and the session");
        return Err(failure.hint("write one of them into a file"));
    }
    let door = &with_input(door, is_piped)?;
    let message = match &args.message {
        Some(message) if message.trim().is_empty() => {
            return Err(
                Failure::new(Kind::Usage, "the message is empty").hint("leave it out to answer the session's end")
            );
        }
        Some(message) => text(message)?,
        None => String::new(),
    };
    let request = AgentRequest {
        message,
        workspace: args.workspace.clone(),
        session: args.session.clone(),
        import: import(&args.import),
        max_tokens: args.max_tokens,
        model: args.model.clone(),
        tokenizer: args.tokenizer.clone(),
        secrets: args.safety.secrets,
        memory_tokens: args.memory_tokens,
        max_messages: args.max_messages,
        max_memories: args.max_memories,
        near: args.near_message,
        format: Some(args.format),
        tools: args.tools.clone(),
        schemas: None,
        agents_from: args.agents_from.clone(),
        no_manifest: args.no_manifest,
    };
    let made = ops::agent(door, &request)?;
    let output = &made.compiled.output;
    if let Some(file) = to_file(&args.output) {
        outputs::write_atomic(&door.env.cwd.join(file), |out| output.write_to(out)).map_err(ops::OpError::from)?;
    }
    if ui.json {
        return Ok(ui.print_json(&wire::agent(&made, to_file(&args.output).and_then(Path::to_str)))?);
    }
    if to_file(&args.output).is_none() {
        let mut out = std::io::stdout().lock();
        output.write_to(&mut out)?;
        out.flush()?;
    }
    ui.notes(&made.compiled.notes);
    ui.say(&summary(&made));
    timings(&made.timings, ui);
    Ok(())
}

/// The door with standard input, where a flag takes it for a file.
fn with_input(door: Door, is_piped: bool) -> Result<Door, Failure> {
    if !is_piped {
        return Ok(door);
    }
    let mut input = Vec::new();
    std::io::stdin().lock().read_to_end(&mut input)?;
    Ok(Door { input: Some(input), ..door })
}

/// Where to write, unless that is standard output.
pub fn to_file(output: &Option<PathBuf>) -> Option<&Path> {
    output.as_deref().filter(|file| *file != Path::new("-"))
}

/// A line for people: what each layer takes.
fn summary(made: &AgentMade) -> String {
    let layer = |size: &LayerSize| format!("{} {}", size.layer.as_str(), count(size.tokens.0));
    let layers: Vec<String> = made.compiled.layers.iter().filter(|size| size.tokens.0 > 0).map(layer).collect();
    let how = if made.exact { "exact" } else { "estimated" };
    let from = made.room.as_ref().filter(|room| room.budget == made.limit.0).map(divided);
    format!(
        "{}, {} tokens ({how}, {}) of {} ({}): {}",
        counted(made.compiled.messages.len() as u64, "message"),
        count(made.compiled.measured.0),
        made.tokenizer,
        count(made.limit.0),
        from.unwrap_or_else(|| made.limit_from.clone()),
        layers.join(", "),
    )
}

pub fn session(door: Door, verb: SessionVerb, ui: &Ui) -> Result<(), Failure> {
    match verb {
        SessionVerb::Import { file, import: wanted, output } => {
            let door = &with_input(door, file == Path::new("-"))?;
            let read = ops::session_import(door, &file, &import(&wanted))?;
            if let Some(file) = to_file(&output) {
                let write = |out: &mut dyn Write| out.write_all(read.json.as_bytes());
                outputs::write_atomic(&door.env.cwd.join(file), write).map_err(ops::OpError::from)?;
            }
            if ui.json {
                return Ok(ui.print_json(&wire::session(&read))?);
            }
            if to_file(&output).is_none() {
                std::io::stdout().lock().write_all(read.json.as_bytes())?;
            }
            ui.notes(&read.imported.notes);
            let messages = counted(read.imported.session.messages.len() as u64, "message");
            let skipped: Vec<String> =
                read.imported.skipped.iter().map(|(what, many)| format!("{what} ({many})")).collect();
            let skipped =
                if skipped.is_empty() { String::new() } else { format!("; not part of it: {}", skipped.join(", ")) };
            ui.say(&format!("{messages} ({}){skipped}", read.imported.format));
            Ok(())
        }
        SessionVerb::Append { file, role, content, tool_call_id, tool_calls } => {
            let message = ops::spoken(&role, text(&content)?, tool_call_id, tool_calls.as_deref())?;
            let done = ops::session_append(&door, &file, message)?;
            if ui.json {
                return Ok(ui.print_json(&wire::appended(&file.to_string_lossy(), &done))?);
            }
            ui.notes(&done.notes);
            ui.say(&format!("{} in {}", counted(done.messages as u64, "message"), path(&file.to_string_lossy())));
            Ok(())
        }
    }
}

fn import(args: &ImportArgs) -> ImportOptions {
    ImportOptions { leaf: args.leaf.clone(), full_log: args.full_log, conversation: args.conversation.clone() }
}

/// A text from the command line, or from standard input.
pub fn text(word: &str) -> Result<String, Failure> {
    if word != "-" {
        return Ok(word.to_owned());
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::new(Kind::Usage, "standard input is not UTF-8").hint("convert it first, for example with iconv")
    })?;
    Ok(text.strip_suffix('\n').map(str::to_owned).unwrap_or(text))
}
