//! Secrets in a text: found, masked, allowed by their fingerprint, or a reason to make nothing at all.
//!
//! `cargo run -p contexture-core --example secrets`

use contexture_core::safety::{Safety, Secrets, TextKind, Unknown, redact, scan, screen};
use contexture_core::{Forgetful, InProcess, Item, Meter, Options, Snapshot, Tokenizer, Tools, compile};
use std::error::Error;
use std::io::Write;

pub fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    // Put together here, so that this file has nothing in it that looks like a key.
    let key = ["ghp_", "x7Kd92LmQpR4", "vT8wYz3NbH6c", "JfGs1AeUoI5B"].concat();
    let text = format!("[remote]\nurl = \"https://example.org\"\ntoken = \"{key}\"\n");

    let kind = TextKind::of_file("settings.toml", &text);
    for finding in scan(&text, kind) {
        writeln!(
            out,
            "line {}: {} ({}), known as {}",
            finding.line,
            finding.rule,
            finding.severity.as_str(),
            finding.fingerprint
        )?;
    }
    if let Some(redacted) = redact(&text, kind, &|_| false) {
        write!(out, "{}", redacted.text)?;
    }

    // A snapshot passes the same before it is compiled; there is no way around it.
    let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
    let snapshot = || Snapshot { items: vec![Item::file("settings.toml", &text)], ..Snapshot::default() };
    let masked = compile(&screen(snapshot(), &Safety::default(), &Unknown), &Options::default(), &tools)?;
    for note in &masked.notes {
        writeln!(out, "note: {note}")?;
    }
    let strict = Safety { secrets: Secrets::Deny, ..Safety::default() };
    if let Err(error) = compile(&screen(snapshot(), &strict, &Unknown), &Options::default(), &tools) {
        writeln!(out, "denied: {error}")?;
    }
    let allow = scan(&text, kind).into_iter().map(|finding| finding.fingerprint).collect();
    let allowed = screen(snapshot(), &Safety { allow, ..strict }, &Unknown);
    writeln!(out, "allowed: {}", compile(&allowed, &Options::default(), &tools)?.output.text().contains(&key))?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout().lock())
}
