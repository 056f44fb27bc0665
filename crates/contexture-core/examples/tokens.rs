//! Tokens of a text: exact, estimated, and how many a model has room for. And what a request would cost.
//!
//! `cargo run -p contexture-core --example tokens`

use contexture_core::{Counter, Forgetful, Message, Meter, Role, Tokenizer, estimate, models};
use std::error::Error;
use std::io::Write;

const TEXT: &str = "fn greet(name: &str) -> String {\n    format!(\"hello, {name}\")\n}\n";

pub fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    for counter in Tokenizer::ALL {
        let how = if counter.exact() { "exact" } else { "estimated" };
        writeln!(out, "{counter}: {} ({how})", counter.count(TEXT))?;
    }
    // Needs no vocabulary and never allocates: for lists of many files.
    writeln!(out, "at a glance: {}", estimate::estimate(TEXT))?;

    // Messages are counted with the marks that stand around them. A meter that remembers takes a `Memo` for `Forgetful`.
    let meter = Meter::new(&Tokenizer::O200k, &Forgetful);
    writeln!(out, "as a message: {}", meter.message_tokens(&Message::new(Role::User, TEXT)))?;

    let model = models::find("gpt-5").ok_or("no such model in the table")?;
    let room = model.room(None, 0, model.tokenizer);
    writeln!(out, "{}: {} of {} tokens for a document", room.model, room.budget, room.window)?;
    if let Some(price) = models::price("gpt-5") {
        writeln!(out, "a full document costs {:.2} US dollars", room.budget as f64 * price.input / 1e6)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout().lock())
}
