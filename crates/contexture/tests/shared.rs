//! A store on a database server, in a program that reaches none.
#![allow(clippy::unwrap_used)]

use contexture::ops::Door;
use contexture::ops::loom::{Missing, trees};
use contexture::requests::WhichTree;

#[test]
fn a_server_that_the_program_cannot_reach_is_an_error_without_the_address() {
    let folder = tempfile::tempdir().unwrap();
    let mut door = Door::for_folder(folder.path());
    door.env.vars.insert("CONTEXTURE_STORE_URL".into(), "postgres://ann:hidden@db.example/team".into());
    let error = trees(&door, &WhichTree::default(), Missing::Make).err().unwrap();
    assert_eq!(error.to_string(), "`store.url` names a database server, and this program reaches none");
    assert!(error.hints().iter().all(|hint| !hint.contains("hidden")));
}
