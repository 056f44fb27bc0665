//! The store of runs: what is written is read, numbers are given once, old things go, and nothing acknowledged is lost.
#![allow(clippy::unwrap_used)]

mod laws;
mod processes;
mod rules;

use contexture_core::ContentHash;
use contexture_gather::runs::{
    BlockRecord, EffectiveOptions, ItemRecord, LeftRecord, Manifest, NoteRecord, RunKind, RunOutput, RunPrefix,
    RunTokens,
};
use contexture_testkit::cases;
use serde_json::json;
use std::collections::BTreeMap;

/// A document of files, each with a heading before it now and then.
fn manifest(files: &[(&str, &str)]) -> Manifest {
    let item = |(path, text): &(&str, &str)| ItemRecord {
        path: (*path).to_owned(),
        kind: "file".into(),
        view: "full".into(),
        hash: Some(ContentHash::of(text)),
        tokens: text.len() as u64,
        reason: "strategy `auto`, set by the default".into(),
        error: None,
        written: None,
    };
    let block = |(index, (_, text)): (usize, &(&str, &str))| BlockRecord {
        item: Some(index),
        bytes: text.len() as u64,
        tokens: 1,
        hash: ContentHash::of(text),
    };
    let whole: String = files.iter().map(|(_, text)| *text).collect();
    Manifest {
        number: 0,
        kind: RunKind::Build,
        created: "2026-01-02T03:04:05Z".into(),
        version: "0.1.0".into(),
        request: json!({"document": {"paths": ["."]}}),
        options: EffectiveOptions { strategy: "auto".into(), format: "md".into(), ..EffectiveOptions::default() },
        tokens: RunTokens { count: 7, exact: true, tokenizer: "o200k_base".into(), budget: None },
        output: RunOutput { hash: ContentHash::of(&whole), bytes: whole.len() as u64, path: None },
        prefix: RunPrefix { bytes: 3, tokens: 1 },
        config: ContentHash::of("config"),
        settings: BTreeMap::from([("project.name".into(), "\"x\"".into())]),
        items: files.iter().map(item).collect(),
        left_out: vec![LeftRecord { path: "b".into(), reason: "`exclude` has `b`".into() }],
        notes: vec![NoteRecord { topic: "view".into(), path: None, text: "a note".into(), hint: Some("do".into()) }],
        blocks: files.iter().enumerate().map(block).collect(),
        sent: None,
    }
}
