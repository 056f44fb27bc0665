//! The laws of views and slices, over fixtures of every language that were cut up, mixed and damaged.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use contexture_syntax::{LANGUAGES, language_of};
use contexture_testkit::{cases, laws};
use proptest::collection::vec;
use proptest::prelude::*;
use std::path::Path;
use std::sync::LazyLock;

/// For each language that has one, its number and its fixture.
static SAMPLES: LazyLock<Vec<(u8, String)>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contexture-syntax/fixtures");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let sample = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let language = language_of(path.to_str().unwrap(), &text).unwrap();
        (LANGUAGES.iter().position(|one| one == language).unwrap() as u8, text)
    };
    paths.into_iter().map(sample).collect()
});

/// What happens to a text, at a place that is a share of its length.
#[derive(Clone, Debug)]
enum Damage {
    Cut(u16, u8),
    Repeat(u16, u8, u16),
    Put(u16, &'static str),
}

const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "\"",
    "'",
    "`",
    "\\",
    "\n",
    "\r\n",
    "\t",
    ";",
    ":",
    ",",
    "=",
    "=>",
    "#",
    "//",
    "/*",
    "*/",
    "--",
    "\0",
    "\u{feff}",
    "é",
    "🦀",
    "...",
    "def f():\n",
    "class A",
    "fn f() {",
    "function f() {",
    "end\n",
    "#if 0\n",
    "#endif\n",
    "\n    ",
    "<?php\n",
    "?>",
    "<<EOF\n",
    "case 1:\n",
    "@a\n",
    "[HOT]",
    "\"\"\"",
    "r#\"",
    "$(",
    "${",
];

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        (any::<u16>(), any::<u8>()).prop_map(|(at, long)| Damage::Cut(at, long)),
        (any::<u16>(), any::<u8>(), any::<u16>()).prop_map(|(at, long, to)| Damage::Repeat(at, long, to)),
        (any::<u16>(), 0..PIECES.len()).prop_map(|(at, piece)| Damage::Put(at, PIECES[piece])),
    ]
}

fn place(text: &str, share: u16) -> usize {
    text.floor_char_boundary(usize::from(share) * text.len() / 65_536)
}

fn damaged(mut text: String, all: &[Damage]) -> String {
    for one in all {
        match one {
            Damage::Cut(at, long) => {
                let from = place(&text, *at);
                let upto = text.floor_char_boundary(from + usize::from(*long)).max(from);
                text.replace_range(from..upto.min(text.len()), "");
            }
            Damage::Repeat(at, long, to) => {
                let from = place(&text, *at);
                let upto = text.floor_char_boundary(from + usize::from(*long)).max(from).min(text.len());
                let part = text[from..upto].to_owned();
                text.insert_str(place(&text, *to), &part);
            }
            Damage::Put(at, piece) => text.insert_str(place(&text, *at), piece),
        }
    }
    text
}

fn input() -> impl Strategy<Value = Vec<u8>> {
    (any::<prop::sample::Index>(), vec(damage(), 0..8)).prop_map(|(which, all)| {
        let (number, text) = which.get(&SAMPLES);
        let mut bytes = vec![*number];
        bytes.extend(damaged(text.clone(), &all).bytes());
        bytes
    })
}

#[test]
fn every_language_has_a_fixture() {
    for (number, language) in LANGUAGES.iter().enumerate() {
        assert!(SAMPLES.iter().any(|(one, _)| usize::from(*one) == number), "{}", language.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(128)))]

    #[test]
    fn symbols_hold(input in input()) {
        laws::symbols_hold(&input);
    }

    #[test]
    fn skeletons_hold(input in input()) {
        laws::skeletons_hold(&input);
    }

    #[test]
    fn slices_hold(numbers in any::<[u8; 3]>(), input in input(), edits in vec(damage(), 0..8)) {
        let old = String::from_utf8(input[1..].to_vec()).unwrap();
        let new = damaged(old.clone(), &edits);
        let share = (256 * old.len() / (old.len() + new.len()).max(1)) as u8;
        laws::slices_hold(&[&[numbers[0], numbers[1], share], old.as_bytes(), new.as_bytes()].concat());
    }
}
