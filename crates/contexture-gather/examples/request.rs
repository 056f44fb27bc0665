//! A folder as the body of a request: what a question needs of its files, within a budget, with the question behind it.
//!
//! `cargo run -p contexture-gather --example request -- FOLDER "Where is the configuration read?"`

use contexture_core::safety::{Safety, Unknown, screen};
use contexture_core::{
    Api, Forgetful, Format, InProcess, Meter, Options, RequestOptions, Tokenizer, Tokens, Tools, compile,
};
use contexture_gather::{Env, GatherRequest, Progress, Roots, config, snapshot};
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

pub fn run(folder: &Path, question: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    // Nothing of the user is asked: no settings, no cache, no variables. `contexture.toml` of the folder holds.
    let env = Env { cwd: folder.to_owned(), ..Env::default() };
    let roots = Roots::open(&[folder.to_owned()]).map_err(|(path, error)| format!("{}: {error}", path.display()))?;
    let config = config::load(roots.project(), &env, &[], None)?;
    let snapshot = snapshot(&roots, &config, &GatherRequest::default(), &Progress::default())?;
    let snapshot = screen(snapshot, &Safety::default(), &Unknown);

    let request =
        RequestOptions { model: Some("gpt-5".into()), message: Some(question.into()), ..RequestOptions::default() };
    let options = Options {
        format: Format::Request(Api::OpenAi),
        budget: Some(Tokens(2_000)),
        query: Some(question.to_owned()),
        request,
        ..Options::default()
    };
    let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
    let compiled = compile(&snapshot, &options, &tools)?;

    compiled.output.write_to(out)?;
    writeln!(out, "\n{} of 2000 tokens", compiled.measured)?;
    for pick in &compiled.plan.picks {
        writeln!(out, "{} as {}: {}", pick.path, pick.level, pick.reason())?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args_os().skip(1);
    let folder = words.next().map_or_else(|| PathBuf::from("."), PathBuf::from);
    let question =
        words.next().map_or_else(|| "What is this about?".into(), |word| word.to_string_lossy().into_owned());
    run(&folder, &question, &mut std::io::stdout().lock())
}
