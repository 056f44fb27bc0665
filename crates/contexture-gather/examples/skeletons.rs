//! Every file of a folder as its skeleton, in a document: what a program does that embeds the library.
//!
//! `cargo run -p contexture-gather --example skeletons -- FOLDER`

use contexture_core::safety::{Safety, Unknown, screen};
use contexture_core::{Forgetful, InProcess, Level, Meter, Options, Tokenizer, Tools, compile};
use contexture_gather::{Ask, Env, Progress, Roots, config, snapshot};
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    // Nothing of the user is asked: no settings, no cache, no variables.
    let env = Env { cwd: folder.clone(), ..Env::default() };
    let roots = Roots::open(&[folder]).map_err(|(path, error)| format!("{}: {error}", path.display()))?;
    let config = config::load(roots.project(), &env, &[], None)?;
    let ask = Ask { threads: 2, ..Ask::default() };
    // What looks like a secret is masked before anything is made of it.
    let snapshot = screen(snapshot(&roots, &config, &ask, &Progress::default())?, &Safety::default(), &Unknown);

    let options = Options { view: Some(Level::Skeleton), ..Options::default() };
    // A program that builds often remembers counts: `contexture_gather::cache::Cache` in place of `Forgetful`.
    let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
    let compiled = compile(&snapshot, &options, &tools)?;

    let mut out = std::io::stdout().lock();
    compiled.output.write_to(&mut out)?;
    for note in &compiled.notes {
        writeln!(std::io::stderr(), "note: {note}")?;
    }
    writeln!(std::io::stderr(), "{} tokens", compiled.measured)?;
    Ok(())
}
