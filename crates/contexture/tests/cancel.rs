//! Work that no one waits for ends without a result, and leaves nothing behind.
#![allow(clippy::unwrap_used)]

use contexture::ops::loom::{Missing, trees};
use contexture::ops::send::Sender;
use contexture::ops::workbench::Workbench;
use contexture::ops::{self, Door, OpError, Target};
use contexture::requests::{AddNodeRequest, AgentRequest, AssembleRequest, DocumentRequest, WhichTree, read};
use contexture_gather::Env;
use contexture_providers::Policy;
use serde_json::json;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

fn door(folder: &Path) -> Door {
    let env = Env {
        cwd: folder.join("project"),
        data_dir: Some(folder.join("data")),
        cache_dir: Some(folder.join("cache")),
        ..Env::default()
    };
    Door { env, no_cache: false, ..Door::for_folder(folder) }
}

fn is_interrupted<T>(result: Result<T, OpError>) -> bool {
    matches!(result, Err(OpError::Interrupted))
}

#[test]
fn every_operation_stops_when_no_one_waits() {
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path();
    std::fs::create_dir(folder.join("project")).unwrap();
    std::fs::write(folder.join("project/a.rs"), "fn a() {}\n").unwrap();
    let document = DocumentRequest::default();
    let agent = AgentRequest { message: Some("hello".into()), ..AgentRequest::default() };
    let which = WhichTree::default();
    let waiting = door(folder);
    {
        let mut trees = trees(&waiting, &which, Missing::Make).unwrap();
        trees.make(&read(json!({"title": "Tea"})).unwrap()).unwrap();
        trees.add(&AddNodeRequest { text: "Which tea?".into(), ..AddNodeRequest::default() }).unwrap();
        trees.assemble(&AssembleRequest::default()).unwrap();
    }

    let stopped = door(folder);
    stopped.progress.stop();
    assert!(is_interrupted(ops::plan(&stopped, &document)));
    assert!(is_interrupted(ops::build(&stopped, &document, &Target::Numbered)));
    assert!(is_interrupted(ops::tokens(&stopped, &document)));
    assert!(is_interrupted(ops::stats(&stopped, &document)));
    assert!(is_interrupted(ops::scan(&stopped, &document)));
    assert!(is_interrupted(ops::related(&stopped, &document, &["a.rs".into()], 1)));
    assert!(is_interrupted(ops::summarize::summarize_plan(&stopped, &read(json!({"model": "gpt-5"})).unwrap())));
    assert!(is_interrupted(Workbench::open(&stopped, &document)));
    assert!(is_interrupted(ops::agent(&stopped, &agent)));
    assert!(is_interrupted(trees(&stopped, &which, Missing::Refuse).unwrap().assemble(&AssembleRequest::default())));
    let sender = Sender { key: &|_| Ok(None), is_own_key: false, cli: None, policy: Policy::default() };
    // Nobody listens at this address: what was stopped must not get as far as asking.
    let server = json!({"model": "gpt-5", "base_url": "http://127.0.0.1:9/v1", "request": {"message": "hello"}});
    assert!(is_interrupted(ops::send::send(&stopped, &read(server).unwrap(), &sender, &mut |_| {})));
    assert!(!folder.join("project/.contexture").exists(), "a document was written");
    assert_eq!(ops::runs::runs_list(&waiting, &read(json!({})).unwrap()).unwrap().len(), 0, "a run was recorded");

    assert!(ops::plan(&waiting, &document).is_ok());
    assert!(ops::agent(&waiting, &agent).is_ok());
}

#[test]
fn a_scan_stops_after_everything_was_read() {
    let temp = tempfile::tempdir().unwrap();
    std::fs::create_dir(temp.path().join("project")).unwrap();
    for file in 0..400 {
        let text = format!("let value_{file} = compute({file}, \"other words\");\n").repeat(1_500);
        std::fs::write(temp.path().join(format!("project/{file}.rs")), text).unwrap();
    }
    let door = Door { no_cache: true, ..door(temp.path()) };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while door.progress.read.load(Relaxed) < 400 {
                std::thread::yield_now();
            }
            door.progress.stop();
        });
        assert!(is_interrupted(ops::scan(&door, &DocumentRequest::default())));
    });
}
