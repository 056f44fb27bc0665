//! A document within a budget, from texts that are in memory: what is in it, what is not, and why.
//!
//! `cargo run -p contexture-core --example document`

use contexture_core::safety::{Safety, Unknown, screen};
use contexture_core::{Forgetful, InProcess, Item, Meter, Options, Snapshot, Tokenizer, Tokens, Tools, compile};
use std::error::Error;
use std::io::Write;

const PARSE: &str = r#"/// A text without the mark that some editors put before it.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The lines of a text, each with its end.
pub fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The words of a line, in small letters.
pub fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_lowercase).collect()
}
"#;

const NOTES: &str = "# Notes\n\nThe parser drops the last line of a file that has no line end.\n";

const ORDERS: &str = "id,day,amount\n1,2026-11-02,12.50\n2,2026-11-03,7.00\n3,2026-11-05,31.20\n";

pub fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    // Sorted by path: the order of items is the order of the document.
    let items =
        vec![Item::file("docs/notes.md", NOTES), Item::file("orders.csv", ORDERS), Item::file("src/parse.rs", PARSE)];
    // The gate: what looks like a secret is masked before anything is made of it.
    let snapshot = screen(Snapshot { items, ..Snapshot::default() }, &Safety::default(), &Unknown);
    let options = Options {
        budget: Some(Tokens(110)),
        query: Some("the last line of a text is dropped".into()),
        ..Options::default()
    };
    let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
    let compiled = compile(&snapshot, &options, &tools)?;

    compiled.output.write_to(out)?;
    writeln!(out, "\n{} tokens of 110", compiled.measured)?;
    for pick in &compiled.plan.picks {
        writeln!(out, "{} as {}, {} tokens: {}", pick.path, pick.level, pick.tokens, pick.reason())?;
    }
    for left in &compiled.plan.left_out {
        writeln!(out, "{} left out: {}", left.path, left.why)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout().lock())
}
