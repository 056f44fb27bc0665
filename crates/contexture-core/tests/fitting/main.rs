//! The law of fitting, over random projects, wishes, budgets, formats and counters.
//!
//! Measured is at most the budget and is the count of the bytes; a larger budget never has a lower gain; what was set by hand stays
//! as it is; every item is in the plan once; nothing but the inputs decides; a budget that is large enough changes nothing.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

mod machines;
mod project;
mod steps;

use contexture_core::rank::{Digest, Query};
use contexture_core::shape::TextForm;
use contexture_core::{
    Block, Body, Compiled, Counter, Forgetful, Format, InProcess, Item, ItemId, ItemKind, Level, Meter, Options,
    OverBudget, Piece, SelectedBy, Snapshot, Tokenizer, Tokens, Tools, Tree, Why, compile,
};
use contexture_testkit::{cases, item, recover, screened};
use machines::{CountMemory, ReadMemory, on_threads};
use project::{encoded, options, project, tokenizer};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Compiles with a memory, as runs of the program do; that it changes nothing is a law of its own.
struct Machine {
    tokenizer: Tokenizer,
    code: ReadMemory,
    memo: CountMemory,
}

impl Machine {
    fn new(tokenizer: Tokenizer) -> Self {
        Self { tokenizer, code: ReadMemory::default(), memo: CountMemory::default() }
    }

    fn made(&self, snapshot: &Snapshot, options: &Options, budget: Option<u64>) -> Result<Compiled, OverBudget> {
        let options = Options { budget: budget.map(Tokens), ..options.clone() };
        compile(
            &screened(snapshot),
            &options,
            &Tools { meter: Meter::new(&self.tokenizer, &self.memo), code: &self.code },
        )
        .map_err(|error| error.over_budget().unwrap())
    }
}

/// A share of what the whole document takes; small ones more often.
fn budget_of(whole: u64, share: f64) -> u64 {
    (share * share * 1.2 * whole as f64) as u64
}

fn block_text(block: &Block) -> String {
    block.pieces.iter().map(Piece::as_str).collect()
}

fn blocks(compiled: &Compiled) -> BTreeMap<ItemId, String> {
    compiled.output.blocks.iter().filter_map(|block| Some((block.item.clone()?, block_text(block)))).collect()
}

/// Whether a person set how an item is shown.
fn is_by_hand(why: &Why) -> bool {
    !matches!(why, Why::Fitted { .. } | Why::Retrieved { .. } | Why::Strategy { .. } | Why::Kind(_) | Why::OutOfFocus)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(96)))]

    #[test]
    fn a_budget_is_kept(snapshot in project(), options in options(), tokenizer in tokenizer(), share in 0.0..1.0f64) {
        let machine = Machine::new(tokenizer);
        let whole = machine.made(&snapshot, &options, None).unwrap();
        let mut budget = budget_of(whole.measured.0, share);
        let fitted = match machine.made(&snapshot, &options, Some(budget)) {
            Ok(fitted) => fitted,
            Err(over) => {
                prop_assert_eq!(over.budget.0, budget);
                prop_assert!(over.needed.0 > budget);
                let less = machine.made(&snapshot, &options, Some(over.needed.0 - 1)).map(|less| less.output.text());
                prop_assert_eq!(less.unwrap_err().needed, over.needed);
                budget = over.needed.0;
                machine.made(&snapshot, &options, Some(budget)).map_err(|again| TestCaseError::fail(format!("{over}, then {again}")))?
            }
        };
        let document = fitted.output.text();
        prop_assert!(fitted.measured.0 <= budget);
        prop_assert_eq!(fitted.measured.0, tokenizer.count(&document));
        prop_assert_eq!(fitted.prefix.0, tokenizer.count(&fitted.output.static_prefix()));
        prop_assert_eq!(fitted.output.static_prefix() + &fitted.output.dynamic_suffix(), document);

        // Every item once, with a reason.
        let mut seen: Vec<&str> = fitted.plan.picks.iter().map(|pick| pick.path.as_str()).chain(fitted.plan.left_out.iter().map(|left| left.path.as_str())).collect();
        let mut all: Vec<&str> = snapshot.items.iter().map(|item| item.path.as_str()).collect();
        seen.sort_unstable();
        all.sort_unstable();
        prop_assert_eq!(seen, all);
        prop_assert!(fitted.plan.picks.iter().all(|pick| !pick.why.to_string().is_empty()));
        prop_assert!(fitted.plan.left_out.iter().all(|left| !left.why.to_string().is_empty()));

        // What was set by hand stays as it is, and so does every other section.
        let (before, after) = (blocks(&whole), blocks(&fitted));
        for pick in whole.plan.picks.iter().filter(|pick| is_by_hand(&pick.why) && !matches!(pick.why, Why::FellBack { .. })) {
            prop_assert_eq!(Some(&before[&pick.item]), after.get(&pick.item));
        }
        // What was named by hand is there at least by name.
        for item in snapshot.items.iter().filter(|item| item.selected_by == SelectedBy::Path && item.wish.auto_aggregate) {
            prop_assert!(after.contains_key(&item.id));
        }
    }

    #[test]
    fn a_larger_budget_never_has_a_lower_gain(snapshot in project(), options in options(), tokenizer in tokenizer(), shares in prop::collection::vec(0.0..1.0f64, 2..5), by in 1..9u64) {
        let machine = Machine::new(tokenizer);
        let whole = machine.made(&snapshot, &options, None).unwrap();
        let mut budgets: Vec<u64> = shares.iter().map(|share| budget_of(whole.measured.0, *share)).collect();
        // Neighbors, where a step more or less is decided.
        budgets.push(budgets[0] + by);
        budgets.sort_unstable();
        let gains: Vec<f64> = budgets
            .iter()
            .filter_map(|budget| Some(machine.made(&snapshot, &options, Some(*budget)).ok()?.fit?.value))
            .collect();
        for pair in gains.windows(2) {
            prop_assert!(pair[0] <= pair[1] + 1e-9, "{} became {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn enough_is_the_document_without_a_budget(snapshot in project(), options in options(), tokenizer in tokenizer(), more in 0..50u64) {
        let machine = Machine::new(tokenizer);
        let whole = machine.made(&snapshot, &options, None).unwrap();
        let none = |compiled: &Compiled| compiled.plan.picks.is_empty();
        for budget in [whole.measured.0, whole.measured.0 + more, 1 << 40, u64::MAX] {
            match machine.made(&snapshot, &options, Some(budget)) {
                Ok(fitted) => {
                    prop_assert_eq!(fitted.output.text(), whole.output.text());
                    prop_assert_eq!(fitted.measured, whole.measured);
                    let levels = |compiled: &Compiled| compiled.plan.picks.iter().map(|pick| (pick.item.clone(), pick.level)).collect::<Vec<_>>();
                    prop_assert_eq!(levels(&fitted), levels(&whole));
                }
                Err(over) => return Err(TestCaseError::fail(format!("{over} {}", none(&whole)))),
            }
        }
    }

    #[test]
    fn nothing_but_the_inputs_decides(snapshot in project(), options in options(), tokenizer in tokenizer(), share in 0.1..1.0f64) {
        let machine = Machine::new(tokenizer);
        let whole = machine.made(&snapshot, &options, None).unwrap();
        let options = Options { budget: Some(Tokens(budget_of(whole.measured.0, share))), ..options };
        let told = |code: &dyn contexture_core::CodeReader, memo: &dyn contexture_core::Memo| {
            compile(&screened(&snapshot), &options, &Tools { meter: Meter::new(&tokenizer, memo), code })
                .map(|compiled| format!("{}\n{:?}\n{:?}\n{}", compiled.output.text(), compiled.plan, compiled.fit, compiled.measured))
                .map_err(|over| format!("{over:?}"))
        };
        let first = told(&InProcess, &Forgetful);
        prop_assert_eq!(&first, &on_threads(1, || told(&InProcess, &Forgetful)));
        prop_assert_eq!(&first, &on_threads(4, || told(&InProcess, &Forgetful)));
        let (code, memo) = (ReadMemory::default(), CountMemory::default());
        prop_assert_eq!(&first, &told(&code, &memo), "while it is remembered");
        prop_assert_eq!(&first, &told(&code, &memo), "from memory");
        prop_assert_eq!(&first, &on_threads(4, || told(&code, &Forgetful)), "half from memory");
    }

    #[test]
    fn a_reader_finds_what_was_picked(snapshot in project(), options in options(), share in 0.2..1.0f64) {
        let machine = Machine::new(Tokenizer::O200k);
        let whole = machine.made(&snapshot, &options, None).unwrap();
        let Ok(fitted) = machine.made(&snapshot, &options, Some(budget_of(whole.measured.0, share))) else { return Ok(()) };
        let document = fitted.output.text();
        let picked: Vec<&str> = fitted.plan.picks.iter().filter(|pick| pick.kind == ItemKind::File).map(|pick| pick.path.as_str()).collect();
        match options.format {
            Format::Markdown => {
                let recovered = recover(&document);
                prop_assert_eq!(recovered.iter().map(|one| one.path.as_str()).collect::<Vec<_>>(), picked);
            }
            Format::Json => {
                let value: serde_json::Value = serde_json::from_str(&document).unwrap();
                let paths: Vec<&str> = value["files"].as_array().into_iter().flatten().map(|file| file["path"].as_str().unwrap()).collect();
                prop_assert_eq!(paths, picked);
            }
            _ => {
                for block in &fitted.output.blocks {
                    let [Piece::Frame(_), Piece::Body(text), Piece::Frame(tail)] = block.pieces.as_slice() else { continue };
                    prop_assert!(!text.contains(tail.trim()));
                }
            }
        }
    }

    #[test]
    fn bytes_of_a_digest_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), text in "\\PC{0,40}", word in "[a-z]{1,8}") {
        if let Some(digest) = Digest::from_bytes(bytes, &text) {
            ask(&digest, &word);
        }
    }

    #[test]
    fn a_digest_survives_being_remembered(snapshot in project(), damage in any::<prop::sample::Index>(), by in 1..256u16) {
        for item in &snapshot.items {
            let Body::Text { text, .. } = &item.body else { continue };
            let language = contexture_syntax::language_of(&item.path, text);
            let structure = language.and_then(|language| contexture_syntax::read(language, text).ok());
            let digest = TextForm::of(item).digest(text, language.zip(structure.as_ref()));
            let again = Digest::from_bytes(digest.as_bytes().to_vec(), text);
            prop_assert_eq!(format!("{:?}", again.as_ref()), format!("{:?}", Some(&digest)));
            let mut bytes = digest.as_bytes().to_vec();
            let at = damage.index(bytes.len());
            bytes[at] = bytes[at].wrapping_add(by as u8);
            if let Some(damaged) = Digest::from_bytes(bytes, text) {
                ask(&damaged, "parse");
            }
        }
    }

    #[test]
    fn any_text_is_a_query(text in prop_oneof!["\\PC{0,300}", "[`#<>!\\-\\./:\"\n (){}a-z]{0,300}"]) {
        Query::parse(&text);
    }
}

/// A ranking that reads all of a digest.
fn ask(digest: &Digest, word: &str) {
    use contexture_core::rank::{RankEntry, rank};
    let entry = RankEntry { path: "a.py", digest: Some(digest), text: None };
    let ranking = rank(&Query::parse(word), &[entry], &contexture_core::Past::default());
    assert_eq!(ranking.files.len(), 1);
}

/// One file, named by hand or found.
fn alone(path: &str, text: &str, selected_by: SelectedBy) -> Snapshot {
    let items = vec![Item { selected_by, ..item(ItemKind::File, path, text) }];
    Snapshot { items, ..Snapshot::default() }
}

/// A law of cost is told by a clock; what it allows is far more than it takes, and far less than a square would.
fn in_time<T>(limit: u64, what: &str, work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let made = work();
    assert!(started.elapsed() < Duration::from_secs(limit), "{what}: {:?}", started.elapsed());
    made
}

#[test]
fn five_megabytes_on_one_line_block_nothing() {
    let machine = Machine::new(Tokenizer::O200k);
    let digits = |ending: &str, open: &str, close: &str| {
        let all: Vec<String> = (0..)
            .map(|n: u32| (n * 7919).to_string())
            .scan(0, |size, n| {
                *size += n.len() + 1;
                (*size < 5 << 20).then_some(n)
            })
            .collect();
        (ending.to_owned(), format!("{open}{}{close}", all.join(",")))
    };
    for (ending, text) in [digits("json", "[", "]"), digits("py", "x = [", "]"), digits("txt", "", "")] {
        for selected_by in [SelectedBy::Path, SelectedBy::Walk] {
            let mut snapshot = alone(&format!("huge.{ending}"), &text, selected_by);
            snapshot
                .items
                .extend(contexture_testkit::snapshot("//- /small.py\ndef parse(text):\n    return text\n").items);
            let fitted = in_time(60, &ending, || machine.made(&snapshot, &Options::default(), Some(4_000)).unwrap());
            assert!(fitted.measured.0 <= 4_000);
            let small = fitted.plan.picks.iter().find(|pick| pick.path == "small.py").unwrap();
            assert_eq!(small.level, Level::Full, "{ending}");
        }
    }
}

/// Texts that cost next to nothing when they are shown, though there is much of them: a certificate, a constant in code,
/// a picture in a notebook.
fn cut_when_shown() -> [(&'static str, String); 3] {
    let lines: Vec<String> =
        encoded(6_000 * 76).as_bytes().chunks(76).map(|line| String::from_utf8_lossy(line).into_owned()).collect();
    let said = "the zebra certificate";
    [
        ("zebra.txt", format!("This is {said}.\n\n{}\n", lines.join("\n"))),
        (
            "zebra.py",
            format!(
                "def zebra():\n    \"\"\"Gives {said}.\"\"\"\n    return ZEBRA\n\n\nZEBRA = \"\"\"\n{}\n\"\"\"\n",
                lines.join("\n")
            ),
        ),
        (
            "zebra.ipynb",
            format!(
                "{{\"cells\": [{{\"cell_type\": \"code\", \"source\": [\"# {said}\"], \"outputs\": [\"{}\"]}}]}}",
                lines.concat()
            ),
        ),
    ]
}

#[test]
fn what_is_cut_when_shown_costs_what_is_shown() {
    let machine = Machine::new(Tokenizer::O200k);
    let other: String =
        (0..2_000).map(|n| format!("def other_{n}(argument):\n    return argument + {n}\n\n")).collect();
    let options = Options { query: Some("where is the zebra certificate?".into()), ..Options::default() };
    for (path, text) in cut_when_shown() {
        assert!(text.len() > 400_000);
        let mut snapshot = alone(path, &text, SelectedBy::Walk);
        // Alone, to the token.
        let whole = machine.made(&snapshot, &options, None).unwrap();
        assert!(whole.measured.0 < 150, "{path}: {}", whole.measured);
        let fitted = machine.made(&snapshot, &options, Some(whole.measured.0)).unwrap();
        assert_eq!(fitted.output.text(), whole.output.text());
        // Where there is no room for all else.
        snapshot.items.extend(alone("other.py", &other, SelectedBy::Walk).items);
        snapshot.items.sort_by(|a, b| a.path.cmp(&b.path));
        let fitted = machine.made(&snapshot, &options, Some(1_000)).unwrap();
        let pick = fitted.plan.picks.iter().find(|pick| pick.path == path).unwrap();
        assert_eq!(pick.level, Level::Full, "{path}");
        // Named by hand it is not cut, and must not be in the way of what fits.
        let by_hand = |item: &mut Item| item.selected_by = SelectedBy::Path;
        snapshot.items.iter_mut().filter(|item| item.path == path).for_each(by_hand);
        let fitted = machine.made(&snapshot, &options, Some(1_000)).unwrap();
        assert!(fitted.plan.picks.iter().all(|pick| pick.level < Level::Full));
        assert!(fitted.measured.0 > 900, "{path}: {}", fitted.measured);
    }
}

#[test]
fn queries_of_any_length_are_read_in_linear_time() {
    for text in [
        "(".repeat(1 << 20),
        "word ".repeat(200_000),
        "w".repeat(1 << 20),
        "`".repeat(1 << 20),
        "a.b/".repeat(1 << 18),
        "at f(".repeat(1 << 18),
        "\n".repeat(1 << 20),
        "File \"".repeat(1 << 18),
        "a.rs:3:1: in `f' at #0 panicked at ".repeat(1 << 14),
        "#0 f (a.c:3:1): ".repeat(100).replace(' ', "\n").repeat(1 << 8),
    ] {
        in_time(1, &text[..4], || Query::parse(&text));
    }
}

#[test]
fn many_symbols_cost_no_square() {
    let machine = Machine::new(Tokenizer::O200k);
    // Twenty thousand functions in one file: a walk over all for each of them would take minutes.
    let text: String =
        (0..20_000).map(|n| format!("def function_{n}(argument):\n    return argument + {n}\n\n")).collect();
    let snapshot = alone("many.py", &text, SelectedBy::Walk);
    let options = Options { query: Some("function_77 fails".into()), ..Options::default() };
    for budget in [2_000, 200_000] {
        let fitted = in_time(60, "many symbols", || machine.made(&snapshot, &options, Some(budget)).unwrap());
        assert!(fitted.measured.0 <= budget && fitted.measured.0 > budget * 9 / 10, "{}", fitted.measured);
    }
}

#[test]
fn the_tree_is_paid_for() {
    let machine = Machine::new(Tokenizer::O200k);
    let snapshot = contexture_testkit::snapshot("//- /a.py\ndef f(): pass\n//- /b.py\ndef g(): pass\n//- /c.md\n# C\n");
    for tree in [Tree::None, Tree::Selected, Tree::Full] {
        let options = Options { tree, ..Options::default() };
        let mut seen = BTreeSet::new();
        for budget in 0..120 {
            if let Ok(fitted) = machine.made(&snapshot, &options, Some(budget)) {
                assert!(fitted.measured.0 <= budget);
                seen.insert(fitted.output.text());
            }
        }
        assert!(seen.len() > 3);
    }
}

/// A long function that a task is about, among hundreds of short ones that share its words.
fn one_needed_among_many() -> Snapshot {
    let line =
        |n| format!("    if field_{n} is not None:\n        value_{n} = display_for(field_{n}, result, empty_{n})\n");
    let lines: String = (0..60).map(line).collect();
    let other = |n| {
        format!(
            "def result_items_{n}(changes, result, field_{n}=None, empty_{n}=None):\n    value_{n} = lookup(result)\n    return value_{n}\n\n\n"
        )
    };
    let others: String = (0..120).map(other).collect();
    let needed = format!("def items_for_result(changes, result):\n{lines}    return result\n\n\n{others}");
    let mut snapshot = alone("admin.py", &needed, SelectedBy::Walk);
    snapshot.items.extend(alone("other.py", &others.replace("result_", "results_"), SelectedBy::Walk).items);
    snapshot
}

#[test]
fn a_needed_body_comes_before_the_signatures_of_other_functions() {
    let machine = Machine::new(Tokenizer::O200k);
    let query = "empty value of a field is displayed wrong";
    let options = Options { query: Some(query.into()), ..Options::default() };
    let document = machine.made(&one_needed_among_many(), &options, Some(8_000)).unwrap().output.text();
    assert!(document.contains("        value_59 = display_for(field_59, result, empty_59)\n    return result\n"));
    // There was no room for both.
    assert!(document.matches("def ").count() < 241, "{document}");
}

#[test]
fn every_budget_is_used() {
    let machine = Machine::new(Tokenizer::O200k);
    let options = Options { query: Some("empty value of a field is displayed wrong".into()), ..Options::default() };
    for budget in [1_000, 1_200, 1_500, 2_000, 3_000, 4_500, 6_000, 8_000] {
        let fitted = machine.made(&one_needed_among_many(), &options, Some(budget)).unwrap();
        assert!(
            // Signatures take less than their price and hunks do not: where hunks take the place of signatures, some is left.
            fitted.measured.0 <= budget && fitted.measured.0 * 100 >= budget * 97,
            "{} of {budget}",
            fitted.measured
        );
    }
}
