//! What is shown of a project when a budget is given and no task.
#![allow(clippy::unwrap_used)]

use contexture_core::rank::{Digest, RankEntry, importance};
use contexture_core::shape::TextForm;
use contexture_core::{
    Body, CodeReader, Commit, Compiled, Forgetful, InProcess, Meter, Options, Past, Snapshot, Tokenizer, Tokens, Tools,
    Why, compile,
};
use contexture_testkit::{compiled, screened, snapshot};
use insta::assert_snapshot;
use std::fmt::Write;
use std::sync::Arc;

const PROJECT: &str = "
//- /README.md
# Ledger

Keeps accounts. Begin with `open_ledger`.
//- /Cargo.toml
[package]
name = \"ledger\"
version = \"1.0.0\"
description = \"Keeps accounts in order, whatever happens to the disk below them\"
//- /src/main.rs
use ledger::store::open_ledger;
fn main() {
    open_ledger();
}
//- /src/store.rs
pub struct LedgerStore;
pub fn open_ledger() -> LedgerStore {
    LedgerStore
}
pub fn forgotten_helper() -> u32 {
    17
}
//- /src/report.rs
use crate::store::{LedgerStore, open_ledger};
pub fn print_report(store: &LedgerStore) {
    let again = open_ledger();
}
//- /src/import.rs
use crate::store::{LedgerStore, open_ledger};
pub fn import_rows(into: &mut LedgerStore) {
    let fresh = open_ledger();
}
//- /tests/reports.rs
use ledger::store::open_ledger;
fn a_report_is_printed() {
    let store = open_ledger();
}
//- /vendor/other/lib.rs
pub fn vendored_thing() {}
";

type Ranked = Vec<(String, f32)>;

/// Files and symbols, the first first, with their probabilities.
fn ranked(snapshot: &Snapshot, backwards: bool) -> (Ranked, Ranked) {
    let mut files: Vec<(&str, &str, Arc<Digest>)> = Vec::new();
    for item in &snapshot.items {
        let Body::Text { text, .. } = &item.body else { continue };
        let language = contexture_syntax::language_of(&item.path, text);
        files.push((&item.path, text, InProcess.digest(language, text, TextForm::AsItIs, None)));
    }
    if backwards {
        files.reverse();
    }
    let entries: Vec<RankEntry<'_>> =
        files.iter().map(|(path, text, digest)| RankEntry { path, digest: Some(digest), text: Some(text) }).collect();
    let ranking = importance(&entries, &snapshot.past);
    let mut by_rank: Vec<(u32, (String, f32))> = Vec::new();
    let mut symbols = Vec::new();
    for (entry, (file, scores)) in entries.iter().zip(ranking.files.iter().zip(&ranking.symbols)) {
        by_rank.push((file.rank, (entry.path.to_owned(), file.probability)));
        for (symbol, score) in entry.digest.unwrap().symbols.iter().zip(scores) {
            let line = symbol.span.of(entry.text.unwrap()).lines().next().unwrap();
            symbols.push((line.trim_end_matches(" {").to_owned(), score.probability));
        }
    }
    by_rank.sort_by_key(|(rank, _)| *rank);
    symbols.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    (by_rank.into_iter().map(|(_, file)| file).collect(), symbols)
}

fn written(compiled: &Compiled) -> String {
    let mut bytes = Vec::new();
    compiled.output.write_to(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn listed(all: &[(String, f32)]) -> String {
    all.iter().fold(String::new(), |mut out, (name, probability)| {
        writeln!(out, "{:>3} % {name}", (probability * 100.0).round()).unwrap();
        out
    })
}

#[test]
fn what_describes_a_project_and_what_it_is_built_on_come_first() {
    let (files, symbols) = ranked(&snapshot(PROJECT), false);
    assert_snapshot!(listed(&files));
    assert_snapshot!(listed(&symbols));
    for all in [files, symbols] {
        let sum: f32 = all.iter().map(|(_, probability)| probability).sum();
        assert!((0.99..=1.01).contains(&sum), "{sum}");
    }
}

#[test]
fn the_order_of_files_does_not_matter() {
    assert_eq!(ranked(&snapshot(PROJECT), false), ranked(&snapshot(PROJECT), true));
}

#[test]
fn a_name_that_many_share_says_little() {
    let mut fixture = String::from("//- /a.rs\npub fn only_one() {}\n");
    for n in 0..20 {
        writeln!(fixture, "//- /shared{n}.rs\npub fn shared_by_all() {{}}").unwrap();
        writeln!(fixture, "//- /user{n}.rs\nfn user{n}() {{ only_one(); shared_by_all(); }}").unwrap();
    }
    let (files, symbols) = ranked(&snapshot(&fixture), false);
    assert_eq!(files[0].0, "a.rs");
    assert!(symbols[0].0.contains("only_one") && symbols[0].1 > 5.0 * symbols[1].1, "{symbols:?}");
}

#[test]
fn nothing_and_things_without_words_are_ranked_too() {
    assert_eq!(ranked(&Snapshot::default(), false), (vec![], vec![]));
    let blank =
        [RankEntry { path: "a.png", digest: None, text: None }, RankEntry { path: "b", digest: None, text: None }];
    let ranking = importance(&blank, &Past::default());
    assert_eq!(ranking.files.iter().map(|file| file.rank).collect::<Vec<_>>(), [0, 1]);
    assert!(ranking.files.iter().all(|file| (file.probability - 0.5).abs() < 1e-6));
}

#[test]
fn a_small_budget_is_a_map() {
    let options = Options { budget: Some(Tokens(160)), ..Options::default() };
    let text = written(&compiled(PROJECT, &options).unwrap());
    assert_snapshot!(text);
}

/// The places of files for a task, or without one.
fn places(fixture: &str, past: Past, query: Option<&str>) -> Vec<String> {
    let snapshot = Snapshot { past, ..snapshot(fixture) };
    let options = Options { budget: Some(Tokens(100_000)), query: query.map(str::to_owned), ..Options::default() };
    let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
    let plan = compile(&screened(&snapshot), &options, &tools).unwrap().plan;
    let mut places: Vec<(u32, String)> = plan
        .picks
        .into_iter()
        .map(|pick| match pick.why {
            Why::Fitted { rank, .. } => (rank, pick.path),
            why => panic!("{why}"),
        })
        .collect();
    places.sort();
    places.into_iter().map(|(_, path)| path).collect()
}

fn paths(all: &[&str]) -> Vec<String> {
    all.iter().map(|path| (*path).to_owned()).collect()
}

const ALIKE: &str = "
//- /account.rs
pub fn balance_of_account() -> i64 { 0 }
//- /alpha.rs
pub fn alpha_thing() -> i64 { 1 }
//- /beta.rs
pub fn beta_thing() -> i64 { 1 }
//- /gamma.rs
pub fn gamma_thing() -> i64 { 1 }
";

fn commit(message: &str, touched: &[&str]) -> Commit {
    Commit { message: message.into(), paths: paths(touched) }
}

#[test]
fn files_that_were_changed_for_something_like_the_task_come_before_others() {
    let task = Some("rounding of interest is off by a cent");
    assert_eq!(places(ALIKE, Past::default(), task), ["account.rs", "alpha.rs", "beta.rs", "gamma.rs"]);
    let commits = vec![
        commit("Release notes", &["account.rs"]),
        commit(
            "Round interest to the cent\n\nSigned-off-by: Somebody <a@example.org>",
            &["gamma.rs", "no longer there.rs"],
        ),
        commit("Sort by name\n\nReviewed-by: Rounding Interest Cent <b@example.org>", &["alpha.rs"]),
    ];
    let past = Past { commits, ..Past::default() };
    assert_eq!(places(ALIKE, past, task), ["gamma.rs", "account.rs", "alpha.rs", "beta.rs"]);
}

#[test]
fn files_that_change_together_with_the_first_come_before_others() {
    let task = Some("the balance of an account is wrong");
    assert_eq!(places(ALIKE, Past::default(), task), ["account.rs", "alpha.rs", "beta.rs", "gamma.rs"]);
    let commits = vec![
        commit("x", &["account.rs", "gamma.rs"]),
        commit("x", &["alpha.rs"]),
        commit("x", &["account.rs", "gamma.rs", "no longer there.rs"]),
        commit("x", &["account.rs", "alpha.rs", "beta.rs", "gamma.rs"]),
    ];
    let past = Past { commits, ..Past::default() };
    assert_eq!(places(ALIKE, past, task)[..2], ["account.rs", "gamma.rs"]);
}

#[test]
fn what_is_being_changed_gains_with_a_task_and_comes_first_without() {
    let past = Past {
        commits: vec![commit("x", &["beta.rs", "gamma.rs"])],
        open: paths(&["gamma.rs", "gone.rs"]),
        ..Past::default()
    };
    let task = Some("the balance of an account is wrong");
    assert_eq!(places(ALIKE, past.clone(), task)[..2], ["account.rs", "gamma.rs"]);
    assert_eq!(places(ALIKE, past, None), ["gamma.rs", "beta.rs", "account.rs", "alpha.rs"]);
    assert_eq!(places(ALIKE, Past::default(), None), ["account.rs", "alpha.rs", "beta.rs", "gamma.rs"]);
    let lately = Past { commits: vec![commit("x", &["beta.rs"])], ..Past::default() };
    assert_eq!(places(ALIKE, lately, None), ["beta.rs", "account.rs", "alpha.rs", "gamma.rs"]);
}

/// Tests inside of a source are tests, whatever their file is called.
#[test]
fn a_module_of_tests_waits_until_the_task_speaks_of_tests() {
    let fixture = "\
//- /src/total.rs
pub fn amount(value: f64) -> f64 {
    // In cents.
    value.floor()
}

mod tests {
    fn total_is_rounded_to_the_cent() {
        let total = 1.005;
        let cents = super::amount(total);
        assert_eq!(cents, 1.01);
    }
}
";
    let first = |query: Option<&str>| {
        let (query, explain) = (query.map(str::to_owned), Some("src/total.rs".to_owned()));
        let options = Options { query, explain, budget: Some(Tokens(80)), ..Options::default() };
        let fit = contexture_testkit::compiled(fixture, &options).unwrap().fit.unwrap();
        fit.explained.unwrap().symbols[0].qualified.clone()
    };
    assert_eq!(first(Some("the total is not rounded to the cent")), "amount");
    assert_eq!(first(Some("the test total_is_rounded_to_the_cent fails")), "tests::total_is_rounded_to_the_cent");
    assert_eq!(first(None), "amount");
}
