//! A conversation that another program stored, whichever it was: who said what, and how many tokens it has.
//!
//! `cargo run -p contexture-conversations --example session -- ~/.claude/projects/NAME/ID.jsonl`

use contexture_conversations::sessions::{ImportOptions, import_file};
use contexture_core::{Forgetful, Meter, Tokenizer};
use std::error::Error;
use std::io::Write;
use std::path::Path;

pub fn run(file: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    // The format is told by what is in the file, never by its name.
    let imported =
        import_file(file, &ImportOptions::default()).map_err(|error| format!("{error}\nhint: {}", error.hint()))?;
    let session = &imported.session;
    let title = session.title.as_deref().unwrap_or("without a title");
    writeln!(out, "{}: {title}, {} messages", imported.format, session.messages.len())?;

    let meter = Meter::new(&Tokenizer::O200k, &Forgetful);
    for spoken in &session.messages {
        let message = &spoken.message;
        let first: String = message.text().lines().next().unwrap_or_default().chars().take(60).collect();
        let calls: Vec<&str> = message.calls.iter().map(|call| call.name.as_str()).collect();
        let calls = if calls.is_empty() { String::new() } else { format!(" [calls {}]", calls.join(", ")) };
        writeln!(out, "{:>6} {}: {first}{calls}", meter.message_tokens(message), message.role)?;
    }
    for (kind, count) in &imported.skipped {
        writeln!(out, "left out: {count} {kind}")?;
    }
    for note in &imported.notes {
        writeln!(out, "note: {note}")?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("name the file of a session")?;
    run(Path::new(&file), &mut std::io::stdout().lock())
}
