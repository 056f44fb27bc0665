//! Laws of runs: a replay of what did not change gives the same bytes, and a comparison finds the byte where outputs part.
#![allow(clippy::unwrap_used)]

use contexture::ops::runs::{self, Cause};
use contexture::ops::{self, Door, Target};
use contexture::requests::{DocumentRequest, RunsDiffRequest, RunsListRequest, TokenCount, Word};
use contexture_core::{Format, Level, Tree};
use contexture_gather::Env;
use contexture_gather::config::StrategyName;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// A project with a data folder of its own.
struct Place {
    temp: TempDir,
}

impl Place {
    fn new(files: &BTreeMap<String, String>) -> Self {
        let place = Self { temp: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(place.root()).unwrap();
        files.iter().for_each(|(path, text)| place.write(path, text));
        place
    }

    fn root(&self) -> std::path::PathBuf {
        self.temp.path().join("project")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn door(&self) -> Door {
        let env = Env {
            cwd: self.root(),
            data_dir: Some(self.temp.path().join("data")),
            now: 1_767_323_045,
            zone: "UTC".into(),
            ..Env::default()
        };
        Door {
            env,
            roots: Vec::new(),
            config_file: None,
            no_cache: true,
            threads: 2,
            progress: Arc::default(),
            input: None,
            shared: None,
        }
    }

    /// Builds into a numbered file and gives its bytes.
    fn build(&self, request: &DocumentRequest) -> Option<Vec<u8>> {
        let written = ops::build(&self.door(), request, &Target::Numbered).ok()?;
        assert!(written.run.is_some(), "{:?}", written.document.compiled.notes);
        Some(std::fs::read(self.door().env.cwd.join(written.path.unwrap())).unwrap())
    }
}

fn path() -> impl Strategy<Value = String> {
    "[a-c]{1,2}(/[a-d]{1,2}){0,1}\\.(rs|py|md|txt)"
}

fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        3 => "[ -~]{0,40}",
        1 => select(vec!["```", "# Heading", "fn one() -> u32 { 1 }", "def two():", "    return 2", "漢字 👍", "## Files"])
            .prop_map(String::from),
    ];
    prop::collection::vec(line, 0..8).prop_map(|lines| lines.join("\n") + "\n")
}

fn files() -> impl Strategy<Value = BTreeMap<String, String>> {
    prop::collection::btree_map(path(), text(), 1..7).prop_map(|files| {
        let names: Vec<String> = files.keys().cloned().collect();
        let clash = |name: &str| names.iter().any(|other| other.starts_with(&format!("{name}/")));
        files.into_iter().filter(|(name, _)| !clash(name)).collect()
    })
}

prop_compose! {
    fn request()(
        view in of(select(Level::ALL.to_vec())), strategy in of(select(vec![StrategyName::Full, StrategyName::Summarize])),
        tree in of(select(vec![Tree::None, Tree::Selected, Tree::Full])), line_numbers in any::<bool>(),
        format in of(select(vec![Format::Markdown, Format::Xml, Format::Json])), budget in of(100u64..2_000),
        query in of("[a-z ]{1,20}"), exclude in of(select(vec!["*.md", "a/"])), tier in of(1u8..=4),
    ) -> DocumentRequest {
        let exclude = exclude.into_iter().map(String::from).collect();
        DocumentRequest {
            view: view.map(Word), strategy: strategy.map(Word), tree: tree.map(Word), line_numbers, format: format.map(Word),
            budget: budget.map(TokenCount), query, exclude, tier, ..DocumentRequest::default()
        }
    }
}

/// What may happen to a project between two runs.
#[derive(Clone, Debug)]
enum Edit {
    Write(String, String),
    Append(prop::sample::Index, String),
    Remove(prop::sample::Index),
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        (path(), text()).prop_map(|(path, text)| Edit::Write(path, text)),
        (any::<prop::sample::Index>(), text()).prop_map(|(at, text)| Edit::Append(at, text)),
        any::<prop::sample::Index>().prop_map(Edit::Remove),
    ]
}

fn apply(place: &Place, files: &mut BTreeMap<String, String>, edit: Edit) {
    let nth =
        |files: &BTreeMap<String, String>, at: prop::sample::Index| files.keys().nth(at.index(files.len())).cloned();
    match edit {
        Edit::Write(path, text) => {
            let clash = files
                .keys()
                .any(|other| other.starts_with(&format!("{path}/")) || path.starts_with(&format!("{other}/")));
            if !clash {
                place.write(&path, &text);
                files.insert(path, text);
            }
        }
        Edit::Append(at, more) => {
            if let Some(path) = nth(files, at) {
                let text = format!("{}{more}", files[&path]);
                place.write(&path, &text);
                files.insert(path, text);
            }
        }
        Edit::Remove(at) => {
            // The last file stays, so that there is always a document.
            if let Some(path) = nth(files, at).filter(|_| files.len() > 1) {
                std::fs::remove_file(place.root().join(&path)).unwrap();
                files.remove(&path);
            }
        }
    }
}

/// The first byte that differs, the plain way.
fn plainly(a: &[u8], b: &[u8]) -> Option<u64> {
    let common = a.iter().zip(b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
    (a != b).then_some(common as u64)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: contexture_testkit::cases(40), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_replay_of_unchanged_inputs_gives_the_same_bytes(files in files(), request in request()) {
        let place = Place::new(&files);
        if let Some(bytes) = place.build(&request) {
            let again = runs::runs_replay(&place.door(), &"last".into(), None).unwrap();
            prop_assert!(again.difference.is_none(), "{:?}", again.difference);
            prop_assert_eq!(again.document.compiled.output.text().into_bytes(), bytes);
        }
    }

    #[test]
    fn the_first_difference_is_the_one_of_a_plain_comparison(
        files in files(), edits in prop::collection::vec(edit(), 0..3), old in request(), new in of(request()),
    ) {
        let mut files = files;
        let place = Place::new(&files);
        let before = place.build(&old);
        edits.into_iter().for_each(|edit| apply(&place, &mut files, edit));
        let after = place.build(new.as_ref().unwrap_or(&old));
        if let (Some(before), Some(after)) = (before, after) {
            let door = place.door();
            let found = runs::runs_diff(&door, &RunsDiffRequest { a: None, b: None }).unwrap();
            let first = found.difference.first.clone();
            prop_assert_eq!(first.as_ref().map(|first| first.byte), plainly(&before, &after));
            prop_assert!(first.iter().all(|first| first.until.is_none()));
            let common = plainly(&before, &after).map_or(before.len() as u64, |byte| byte);
            prop_assert_eq!(found.difference.common.bytes, common);
            // Where nothing differs but the bytes, something is told to differ.
            let told = &found.difference;
            prop_assert!(first.is_none() || !told.added.is_empty() || !told.removed.is_empty() || !told.changed.is_empty() || !told.altered.is_empty());
            prop_assert!(first.as_ref().is_none_or(|first| first.cause != Cause::Unknown), "{:?}", first);

            // Blocks of one hash are the same bytes, in both outputs.
            let mut texts: BTreeMap<[u8; 32], &[u8]> = BTreeMap::new();
            for (run, bytes) in [(&found.old, &before), (&found.new, &after)] {
                let mut rest = bytes.as_slice();
                for block in &run.blocks {
                    let (text, behind) = rest.split_at(block.bytes as usize);
                    prop_assert_eq!(*texts.entry(block.hash.0).or_insert(text), text);
                    rest = behind;
                }
                prop_assert!(rest.is_empty());
            }

            // Without the first output its blocks tell in which part it is.
            let blind = runs::compare(&found.old, &found.new, None);
            let plain = plainly(&before, &after);
            prop_assert_eq!(blind.first.is_some(), plain.is_some());
            if let (Some(first), Some(plain)) = (blind.first, plain) {
                prop_assert!(first.byte <= plain, "{first:?}, plainly {plain}");
                prop_assert!(blind.common.tokens <= found.old.tokens.count);
            }
        }
    }

    #[test]
    fn a_replay_names_every_file_that_changed(files in files(), edits in prop::collection::vec(edit(), 1..4)) {
        let mut now = files.clone();
        let place = Place::new(&files);
        place.build(&DocumentRequest::default()).unwrap();
        edits.into_iter().for_each(|edit| apply(&place, &mut now, edit));
        let again = runs::runs_replay(&place.door(), &"1".into(), None).unwrap();
        let changed = |path: &String| files.get(path) != now.get(path);
        let expected: std::collections::BTreeSet<String> = files.keys().chain(now.keys()).filter(|path| changed(path)).cloned().collect();
        let told: Option<std::collections::BTreeSet<String>> = again.difference.map(|told| {
            let changed = told.changed.into_iter().map(|change| change.new.path);
            told.added.into_iter().chain(told.removed).map(|item| item.path).chain(changed).collect()
        });
        prop_assert_eq!(told.unwrap_or_default(), expected);
    }
}

#[test]
fn without_a_data_folder_a_build_succeeds_without_a_note() {
    let place = Place::new(&BTreeMap::from([("a.txt".into(), "a\n".into())]));
    let mut door = place.door();
    door.env.data_dir = None;
    let written = ops::build(&door, &DocumentRequest::default(), &Target::Caller).unwrap();
    assert_eq!(written.run, None);
    assert_eq!(written.document.compiled.notes, []);
    assert!(runs::runs_list(&door, &RunsListRequest::default()).is_err());
}

#[test]
fn a_manifest_that_cannot_be_written_is_a_note() {
    let place = Place::new(&BTreeMap::from([("a.txt".into(), "a\n".into())]));
    let door = place.door();
    let data = door.env.data_dir.clone().unwrap();
    std::fs::write(&data, "a file where the folder should be").unwrap();
    let written = ops::build(&door, &DocumentRequest::default(), &Target::File(Path::new("out.md").into())).unwrap();
    assert!(place.root().join("out.md").exists());
    let notes: Vec<String> = written.document.compiled.notes.iter().map(ToString::to_string).collect();
    assert!(matches!(notes.as_slice(), [note] if note.starts_with("the run left no manifest: ")), "{notes:?}");
}
