//! `agent` and `session`: contexts and the conversations they are made of.

use super::build::{room_line, timings};
use super::{stdin, stdin_text};
use crate::args::{AgentArgs, SessionVerb};
use crate::failure::{ErrorKind, Failure};
use crate::ui::{Ui, count, counted, path};
use contexture::answers::{AgentAnswer, AppendedAnswer, SessionAnswer};
use contexture::ops::{self, AgentContext, Door};
use contexture_core::LayerSize;
use contexture_gather::outputs;
use std::io::Write;
use std::path::{Path, PathBuf};

pub fn run(door: Door, args: AgentArgs, ui: &Ui) -> Result<(), Failure> {
    let AgentArgs { mut request, output: target } = args;
    let is_piped = request.session.as_deref() == Some(Path::new("-"));
    if is_piped && request.message.as_deref() == Some("-") {
        let failure = Failure::new(ErrorKind::Usage, "standard input cannot be the message and the session");
        return Err(failure.hint("write one of them into a file"));
    }
    let door = &with_input(door, is_piped)?;
    if request.message.as_deref().is_some_and(|message| message.trim().is_empty()) {
        return Err(
            Failure::new(ErrorKind::Usage, "the message is empty").hint("leave it out to answer the session's end")
        );
    }
    request.message = request.message.as_deref().map(text).transpose()?;
    let made = ops::agent(door, &request)?;
    let output = &made.compiled.output;
    if let Some(file) = to_file(&target) {
        outputs::write_atomic(&door.env.cwd.join(file), |out| output.write_to(out)).map_err(ops::OpError::from)?;
    }
    if ui.json {
        return Ok(ui.print_answer(AgentAnswer::new(&made, to_file(&target).and_then(Path::to_str)))?);
    }
    if to_file(&target).is_none() {
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
    if is_piped { Ok(Door { input: Some(stdin()?), ..door }) } else { Ok(door) }
}

/// Where to write, unless that is standard output.
pub fn to_file(output: &Option<PathBuf>) -> Option<&Path> {
    output.as_deref().filter(|file| *file != Path::new("-"))
}

/// A line for people: what each layer takes.
fn summary(made: &AgentContext) -> String {
    let layer = |size: &LayerSize| format!("{} {}", size.layer.as_str(), count(size.tokens.0));
    let layers: Vec<String> = made.compiled.layers.iter().filter(|size| size.tokens.0 > 0).map(layer).collect();
    let how = if made.exact { "exact" } else { "estimated" };
    let from = made.room.as_ref().filter(|room| room.budget == made.limit.0).map(room_line);
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
        SessionVerb::Import { file, choice, output } => {
            let door = &with_input(door, file == Path::new("-"))?;
            let read = ops::session_import(door, &file, &choice)?;
            if let Some(file) = to_file(&output) {
                let write = |out: &mut dyn Write| out.write_all(read.json.as_bytes());
                outputs::write_atomic(&door.env.cwd.join(file), write).map_err(ops::OpError::from)?;
            }
            if ui.json {
                return Ok(ui.print_answer(SessionAnswer::from(&read))?);
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
        SessionVerb::Append(mut request) => {
            request.content = text(&request.content)?;
            let done = ops::session_append(&door, &request)?;
            let file = request.file;
            if ui.json {
                return Ok(ui.print_answer(AppendedAnswer::new(&file, &done))?);
            }
            ui.notes(&done.notes);
            ui.say(&format!("{} in {}", counted(done.messages as u64, "message"), path(&file.to_string_lossy())));
            Ok(())
        }
    }
}

/// A text from the command line, or from standard input.
pub fn text(word: &str) -> Result<String, Failure> {
    if word != "-" {
        return Ok(word.to_owned());
    }
    let text = stdin_text()?;
    Ok(text.strip_suffix('\n').map(str::to_owned).unwrap_or(text))
}
