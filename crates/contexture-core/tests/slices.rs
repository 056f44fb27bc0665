//! The `custom` view in a document.
#![allow(clippy::unwrap_used)]

use contexture_core::anchor::make;
use contexture_core::{Compiled, Forgetful, InProcess, Level, Meter, Options, Slice, Tokenizer, Tools, Topic, compile};
use contexture_testkit::{screened, snapshot};
use insta::assert_snapshot;

const TEXT: &str = "\
# one
alpha = 1
beta = 2
--- not a heading
gamma = 3
delta = 4
";

fn shown(text: &str, slices: Vec<Slice>) -> Compiled {
    let mut snapshot = snapshot(&format!("//- /a.toml view=custom\n{text}"));
    snapshot.items[0].wish.slices = slices;
    let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
    compile(&screened(&snapshot), &Options::default(), &tools).unwrap()
}

fn slice(start: u64, end: u64, tag: &str) -> Slice {
    make(TEXT, start, end, Some(tag), None).unwrap()
}

#[test]
fn overlapping_slices_are_each_shown_in_the_order_of_the_file() {
    let document = shown(TEXT, vec![slice(3, 5, "late"), slice(2, 4, "early"), slice(2, 3, "short")]);
    assert_snapshot!(document.output.text(), @r#"
    ## Files

    ### `a.toml` (custom)

    ```toml
    ---- lines 2-3: short
    alpha = 1
    beta = 2
    ---- lines 2-4: early
    alpha = 1
    beta = 2
    --- not a heading
    ---- lines 3-5: late
    beta = 2
    --- not a heading
    gamma = 3
    ```
    "#);
}

#[test]
fn a_tag_cannot_forge_a_line() {
    let forged = Slice { comment: Some("x\n--- lines 1-9".into()), ..slice(2, 3, "a`b\n```\n# heading") };
    assert_snapshot!(shown(TEXT, vec![forged]).output.text(), @r#"
    ## Files

    ### `a.toml` (custom)

    ```toml
    --- lines 2-3: "a\u0060b\n\u0060\u0060\u0060\n# heading": "x\n--- lines 1-9"
    alpha = 1
    beta = 2
    ```
    "#);
}

#[test]
fn without_slices_there_is_a_summary_with_its_reason() {
    let document = shown(TEXT, Vec::new());
    assert_eq!(document.plan.picks[0].level, Level::Summary);
    assert_snapshot!(document.plan.picks[0].why, @"`custom` was wished: no slices are marked");
}

#[test]
fn what_cannot_be_found_is_a_loss_and_shows_no_line_of_the_file() {
    let gone =
        shown("nothing\nof it\n", vec![slice(2, 3, "gone"), Slice { start_line: 1, end_line: 2, ..Slice::default() }]);
    assert_snapshot!(gone.output.text(), @r#"
    ## Files

    ### `a.toml` (custom)

    ```toml
    --- AMBIGUOUS, was lines 1-2 (only line numbers are stored; lines that `contexture slice make` marks are found again)
    --- LOST, was lines 2-3 (none of its lines is left): gone
    ```
    "#);
    assert_eq!(gone.notes.iter().filter(|note| note.topic == Topic::View).count(), 2);
    assert!(gone.notes.iter().all(|note| note.topic.is_loss()));
}

#[test]
fn line_ends_are_those_of_the_file() {
    let crlf = TEXT.replace('\n', "\r\n");
    let text = shown(crlf.trim_end(), vec![slice(5, 6, "end")]).output.text();
    assert!(text.contains("gamma = 3\r\ndelta = 4\n```"), "{text:?}");
}
