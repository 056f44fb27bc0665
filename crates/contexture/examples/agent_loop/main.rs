//! An agent in the terminal, with any server that speaks OpenAI's chat API:
//!
//! ```text
//! cargo run -p contexture-server --example agent_loop -- \
//!     --base-url http://127.0.0.1:8000/v1 --model NAME --workspace DIR --session FILE [--max-tokens N]
//! ```
//!
//! Each line you type is a message; an empty line asks once more, for example after the server was away. If `OPENAI_API_KEY` is
//! set, it is sent to the server, and nowhere else. The agent itself is in `turn.rs`; this file only asks and prints.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod turn;

use contexture::agent::{Session, WorkspaceContext, read_file, tool_schemas};
use std::io::{Write, stdin, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use turn::{Agent, Failure, TOOLS};

const USAGE: &str = "agent_loop --base-url URL --model NAME --workspace DIR --session FILE [--max-tokens N]";

// One thread is enough: contexts are built on threads of their own.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Err(error) = talk().await else { return ExitCode::SUCCESS };
    eprintln!("{error}");
    ExitCode::FAILURE
}

async fn talk() -> Result<(), Failure> {
    let mut agent = started(std::env::args().skip(1))?;
    loop {
        print!("> ");
        stdout().flush()?;
        let mut line = String::new();
        if stdin().read_line(&mut line)? == 0 {
            return Ok(());
        }
        match agent.turn(line.trim()).await {
            Ok(answer) => println!("{answer}"),
            // What was said is in the session, so nothing has to be typed again.
            Err(error) => eprintln!("{error}\n(an empty line tries again)"),
        }
    }
}

/// The agent that the arguments describe.
fn started(mut arguments: impl Iterator<Item = String>) -> Result<Agent, Failure> {
    let (mut base, mut model, mut workspace, mut file, mut limit) = (None, None, None, None, 16_000);
    while let Some(flag) = arguments.next() {
        let value = arguments.next().ok_or(USAGE)?;
        match flag.as_str() {
            "--base-url" => base = Some(value),
            "--model" => model = Some(value),
            "--workspace" => workspace = Some(PathBuf::from(value)),
            "--session" => file = Some(PathBuf::from(value)),
            "--max-tokens" => limit = value.parse().map_err(|_| format!("--max-tokens is no number: `{value}`"))?,
            _ => return Err(USAGE.into()),
        }
    }
    let (base, workspace, file) = (base.ok_or(USAGE)?, workspace.ok_or(USAGE)?, file.ok_or(USAGE)?);

    // A session that is not there yet begins here. One that is damaged is read as far as it can be, and the notes tell the rest.
    let read = read_file(&file)?;
    read.iter().flat_map(|read| &read.notes).for_each(|note| eprintln!("{note}"));
    let session = read.map_or_else(Session::default, |read| read.session);
    // Tells the TLS of the HTTP client which cryptography to use; it fails only where somebody has told it before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::builder().connect_timeout(Duration::from_secs(10)).build()?;
    Ok(Agent {
        // The limit is for everything that is sent, tools included; leave room for the answer in the model's window.
        context: Box::new(WorkspaceContext::new(&workspace).max_tokens(limit).tools(tool_schemas(TOOLS)?)),
        http,
        url: format!("{}/chat/completions", base.trim_end_matches('/')),
        key: std::env::var("OPENAI_API_KEY").ok().filter(|key| !key.is_empty()),
        model: model.ok_or(USAGE)?,
        workspace,
        file,
        session,
    })
}
