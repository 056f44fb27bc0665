//! A conversation that branches: kept in a store, edited without losing what was said, and one path of it as a request.
//!
//! `cargo run -p contexture-conversations --example loom -- trees.sqlite`

use contexture_conversations::loom::{Around, Loom, NewNode, NewTree, PathQuery, snapshot};
use contexture_core::safety::{Safety, Unknown, screen};
use contexture_core::{
    Api, AuthorType, Forgetful, Format, InProcess, LoomOptions, Message, Meter, Options, RequestOptions, Role,
    Tokenizer, Tokens, Tools, Truncation, compile,
};
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a person or a model says, behind what was said last on the path.
fn said(author_type: AuthorType, text: &str) -> NewNode {
    let (role, author) = match author_type {
        AuthorType::Human => (Role::User, "human"),
        AuthorType::Model => (Role::Assistant, "model"),
    };
    NewNode {
        message: Message::new(role, text),
        author: author.into(),
        author_type,
        primaries: Vec::new(),
        contexts: Vec::new(),
        instructions: Vec::new(),
        path: None,
        move_path: true,
    }
}

pub fn run(store: &Path, now: i64, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut loom = Loom::open(store, now)?;
    let title = "Tea".into();
    let tree = loom.new_tree(NewTree { title, system_context: Some("Be brief.".into()), ..NewTree::default() })?;
    let talk = vec![
        said(AuthorType::Human, "Which tea keeps me awake?"),
        said(AuthorType::Model, "Green tea, gently."),
        said(AuthorType::Human, "And in the evening?"),
    ];
    let nodes = loom.add(&tree.id, talk)?;
    // An edit is a new node beside the old one; the path goes there, and what followed the old one stays behind it.
    let answer = nodes.get(1).ok_or("no answer")?;
    loom.edit(&answer.id, Message::new(Role::Assistant, "Black tea."), "model", AuthorType::Model)?;
    loom.add(&tree.id, vec![said(AuthorType::Human, "How long does it brew?")])?;

    let walked = loom.walk(&tree.id, &PathQuery::default())?;
    writeln!(
        out,
        "{}: {} nodes on the path, {} in the tree",
        tree.title,
        walked.steps.len(),
        loom.outline(&tree.id)?.len()
    )?;
    let system = tree.system_context.iter().map(|text| ("tree", text.clone())).collect();
    let around = Around { has_system: true, system, ..Around::default() };
    let snapshot = screen(snapshot(walked, around), &Safety::default(), &Unknown);
    let how = LoomOptions { mode: tree.mode, truncation: Truncation::Middle, minimum_recent: 2 };
    let options = Options {
        format: Format::Request(Api::Gemini),
        budget: Some(Tokens(1_000)),
        loom: Some(how),
        request: RequestOptions { model: Some("gemini-2.5-pro".into()), ..RequestOptions::default() },
        ..Options::default()
    };
    let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
    let compiled = compile(&snapshot, &options, &tools)?;
    compiled.output.write_to(out)?;
    writeln!(out, "\n{} tokens", compiled.measured)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let store = std::env::args_os().nth(1).ok_or("name a file for the store")?;
    let now = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis())?;
    run(Path::new(&store), now, &mut std::io::stdout().lock())
}
