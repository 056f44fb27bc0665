//! Every file of a folder as its skeleton, in a document: what a program does that embeds the library.
//!
//! `cargo run -p contexture-gather --example skeletons -- FOLDER`

use contexture_core::safety::{Safety, Unknown, screen};
use contexture_core::{Forgetful, InProcess, Level, Meter, Options, Tokenizer, Tools, compile};
use contexture_gather::{Env, GatherRequest, Progress, Roots, config, snapshot};
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

pub fn run(folder: &Path, out: &mut dyn Write, told: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    // Nothing of the user is asked: no settings, no cache, no variables.
    let env = Env { cwd: folder.to_owned(), ..Env::default() };
    let roots = Roots::open(&[folder.to_owned()]).map_err(|(path, error)| format!("{}: {error}", path.display()))?;
    let config = config::load(roots.project(), &env, &[], None)?;
    let ask = GatherRequest { threads: 2, ..GatherRequest::default() };
    // What looks like a secret is masked before anything is made of it.
    let snapshot = screen(snapshot(&roots, &config, &ask, &Progress::default())?, &Safety::default(), &Unknown);

    let options = Options { view: Some(Level::Skeleton), ..Options::default() };
    // A program that builds often remembers counts: `contexture_gather::cache::Cache` in place of `Forgetful`.
    let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
    let compiled = compile(&snapshot, &options, &tools)?;

    compiled.output.write_to(out)?;
    for note in &compiled.notes {
        writeln!(told, "note: {note}")?;
    }
    writeln!(told, "{} tokens", compiled.measured)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    run(&folder, &mut std::io::stdout().lock(), &mut std::io::stderr())
}
