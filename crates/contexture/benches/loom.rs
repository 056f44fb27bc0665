//! Times of trees, for `cargo xtask bench loom`: one line of JSON for each case.
//!
//! Everything is measured through the operations that the command line calls, from opening the store on, in this process and
//! after the vocabulary is loaded.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use contexture::ops::Door;
use contexture::ops::loom::{Missing, trees};
use contexture::requests::{AssembleRequest, OutlineRequest, PathOptions, TokenCount, WhichTree};
use contexture_conversations::loom::{Loom, NewNode, fresh};
use contexture_core::{
    AuthorType, Bundle, Counter, EdgeSource, EdgeType, LoomAgent, LoomEdge, LoomNode, LoomPath, LoomTree, Message,
    Permissions, Preferences, SourceRole, Tokenizer, TreeMode,
};
use contexture_gather::{Env, Progress};
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    Tokenizer::O200k.load();
    let folder = tempfile::tempdir().unwrap();
    for mode in [TreeMode::Dialogue, TreeMode::Buffer] {
        for nodes in [250_000, 1_000_000] {
            assembled(folder.path(), mode, nodes);
        }
    }
    listed(folder.path());
    for nodes in [1_000, 1_000_000] {
        added(folder.path(), nodes);
    }
    synced(folder.path());
}

fn said(nth: usize) -> String {
    format!("This is node {nth} of the path, and it says a few words about {}. ", nth % 97)
}

/// A tree of so many nodes; `parent` gives what each continues.
fn bundle(mode: TreeMode, nodes: usize, parent: impl Fn(usize) -> usize) -> Bundle {
    let agent = |kind: AuthorType| LoomAgent {
        id: fresh().unwrap(),
        name: kind.as_str().into(),
        kind,
        system_prompt: None,
        model: None,
        permissions: Permissions::default(),
    };
    let agents = vec![agent(AuthorType::Human), agent(AuthorType::Model)];
    let authors: Vec<Arc<str>> = agents.iter().map(|agent| agent.id.as_str().into()).collect();
    let ids: Vec<String> = (0..nodes).map(|_| fresh().unwrap()).collect();
    let node = |nth: usize| LoomNode {
        id: ids[nth].clone(),
        local: String::new(),
        message: Arc::new(Message::new(LoomNode::role(AuthorType::ALL[nth % 2]), said(nth))),
        author: authors[nth % 2].clone(),
        author_type: AuthorType::ALL[nth % 2],
        edited_from: None,
        created: 1_700_000_000_000 + nth as i64,
        excluded: false,
        pruned: None,
        bookmark: None,
        origin: None,
    };
    let edge = |nth: usize| LoomEdge {
        id: fresh().unwrap(),
        sources: vec![EdgeSource { node: ids[parent(nth)].clone(), role: SourceRole::Primary }],
        target: ids[nth].clone(),
        kind: EdgeType::Continuation,
        created: 1_700_000_000_000,
    };
    Bundle {
        tree: LoomTree {
            id: fresh().unwrap(),
            local: String::new(),
            title: format!("{nodes} nodes"),
            mode,
            system_context: None,
            buffer_mode_system_context: false,
            preferences: Preferences::default(),
            created: 1_700_000_000_000,
        },
        nodes: (0..nodes).map(node).collect(),
        edges: (1..nodes).map(edge).collect(),
        paths: vec![LoomPath {
            id: fresh().unwrap(),
            name: "main".into(),
            active: ids.last().cloned(),
            choices: Vec::new(),
        }],
        path: Some("main".into()),
        agents,
        pins: Vec::new(),
        stashes: Vec::new(),
        actions: Vec::new(),
        responses: Vec::new(),
    }
}

fn door(folder: &Path) -> Door {
    Door {
        env: Env { cwd: folder.into(), now: 1_800_000_000, ..Env::default() },
        roots: Vec::new(),
        config_file: None,
        no_cache: true,
        threads: 2,
        progress: Arc::new(Progress::default()),
        input: None,
        shared: None,
    }
}

fn which(store: &Path) -> WhichTree {
    WhichTree { store: Some(store.into()), tree: None }
}

/// The middle of some runs, in milliseconds.
fn measure<T>(runs: usize, mut run: impl FnMut() -> T) -> f64 {
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            let made = black_box(run());
            let time = start.elapsed().as_secs_f64() * 1e3;
            drop(made);
            time
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn report(case: &str, ms: f64) {
    println!("{{\"case\":\"{case}\",\"ms\":{ms:.3}}}");
}

fn stored(folder: &Path, name: &str, bundle: &Bundle) -> PathBuf {
    let store = folder.join(name);
    let start = Instant::now();
    Loom::open(&store, 1_800_000_000_000).unwrap().insert(bundle, false).unwrap();
    report(&format!("{name}: taken in"), start.elapsed().as_secs_f64() * 1e3);
    store
}

fn assembled(folder: &Path, mode: TreeMode, nodes: usize) {
    let name = format!("{mode} of {nodes}");
    let store = stored(folder, &name, &bundle(mode, nodes, |nth| nth - 1));
    let door = door(folder);
    let make = || {
        let mut trees = trees(&door, &which(&store), Missing::Refuse).unwrap();
        trees.assemble(&AssembleRequest::default()).unwrap()
    };
    report(&format!("{name}: assembled"), measure(3, make));
    let cut = || {
        let mut trees = trees(&door, &which(&store), Missing::Refuse).unwrap();
        let path = PathOptions { max_tokens: Some(TokenCount(100_000)), ..PathOptions::default() };
        trees.assemble(&AssembleRequest { path, ..AssembleRequest::default() }).unwrap()
    };
    report(&format!("{name}: cut to 100,000 tokens"), measure(3, cut));
    // The least any such program must do: read the file, count each text, and write it all once.
    let limit = || {
        use rayon::prelude::*;
        let bytes = std::fs::read(&store).unwrap().len();
        let texts: Vec<String> = (0..nodes).map(said).collect();
        let tokens: u64 = texts.par_iter().with_min_len(256).map(|text| Tokenizer::O200k.count(text)).sum();
        (bytes, tokens, texts.concat().len())
    };
    report(&format!("{name}: limit"), measure(3, limit));
    std::fs::remove_file(store).unwrap();
}

fn listed(folder: &Path) {
    let name = "tree of 100000";
    // Branches of some length from random places.
    let parent = |nth: usize| if nth.is_multiple_of(50) { (nth / 7 * 2_654_435_761) % nth } else { nth - 1 };
    let store = stored(folder, name, &bundle(TreeMode::Dialogue, 100_000, parent));
    let door = door(folder);
    let outline = || {
        let mut loom = Loom::open(&store, 1_800_000_000_000).unwrap();
        let tree = loom.tree(None).unwrap().id;
        loom.outline(&tree).unwrap()
    };
    report(&format!("{name}: listed"), measure(11, outline));
    let outline = || {
        let mut trees = trees(&door, &which(&store), Missing::Refuse).unwrap();
        trees.outline(&OutlineRequest::default()).unwrap()
    };
    report(&format!("{name}: drawn"), measure(11, outline));
    let mut loom = Loom::open(&store, 1_800_000_000_000).unwrap();
    let tree = loom.tree(None).unwrap().id;
    let rows = loom.outline(&tree).unwrap();
    let seqs: Vec<_> = rows.iter().step_by(997).map(|row| row.seq).collect();
    let nodes = loom.nodes(&tree, &seqs).unwrap();
    let mut next = nodes.iter().cycle();
    let moved =
        || trees(&door, &which(&store), Missing::Refuse).unwrap().go(&next.next().unwrap().local, None).unwrap();
    report(&format!("{name}: moved"), measure(51, moved));
    std::fs::remove_file(store).unwrap();
}

/// One node more, on disk for good.
fn added(folder: &Path, nodes: usize) {
    let name = format!("store of {nodes}");
    let store = stored(folder, &name, &bundle(TreeMode::Dialogue, nodes, |nth| nth - 1));
    let mut loom = Loom::open(&store, 1_800_000_000_000).unwrap();
    let tree = loom.tree(None).unwrap().id;
    let new = || NewNode {
        message: Message::new(LoomNode::role(AuthorType::Human), "one more"),
        author: "human".into(),
        author_type: AuthorType::Human,
        primaries: Vec::new(),
        contexts: Vec::new(),
        instructions: Vec::new(),
        path: None,
        move_path: true,
    };
    report(&format!("{name}: one added"), measure(401, || loom.add(&tree, vec![new()]).unwrap()));
    std::fs::remove_file(store).unwrap();
}

/// What the disk takes to keep a page for good.
fn synced(folder: &Path) {
    let mut file = std::fs::File::create(folder.join("page")).unwrap();
    let page = [7u8; 4096];
    let sync = || {
        file.write_all(&page).unwrap();
        file.sync_data().unwrap();
    };
    report("a page on disk", measure(401, sync));
}
