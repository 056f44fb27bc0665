//! Passages from outside the composition, from a snapshot to the document.
#![allow(clippy::unwrap_used)]

use contexture_core::{Format, Options, Tokens};
use contexture_testkit::{check, compiled};
use insta::assert_snapshot;

const PROJECT: &str = "\
//- /chosen.py
def balance(account):
    return account.total
//- /docs/guide.md kind=retrieved
# Guide

How to install it.

## Interest

Interest is paid monthly.
It is rounded down to the cent.

## Licence

Free for all.
//- /docs/logo.svg kind=retrieved binary
x
//- /money.py kind=retrieved
import decimal


@memoised
def round_interest(amount):
    \"\"\"Rounds interest to the cent.\"\"\"
    return amount.quantize(decimal.Decimal(\"0.01\"))


def open_window(size):
    return size


class Rates:
    def interest_of(self, account):
        return round_interest(account.total * self.rate)
//- /window.py kind=retrieved
def close_window(size):
    return size
";

fn options() -> Options {
    Options { query: Some("interest is not rounded to the cent".into()), ..Options::default() }
}

fn document(options: &Options) -> String {
    compiled(PROJECT, options).unwrap().output.text()
}

#[test]
fn passages_with_path_and_lines_stand_behind_the_files() {
    assert_snapshot!(document(&options()));
    assert_snapshot!(check(PROJECT, &options()));
    for format in [Format::Xml, Format::Json] {
        assert_snapshot!(document(&Options { format, ..options() }));
    }
    assert_snapshot!(document(&Options { line_numbers: true, ..options() }));
}

#[test]
fn of_prose_the_sections_that_match() {
    let options = Options { query: Some("how do I install the guide, and what is the licence?".into()), ..options() };
    let text = document(&options);
    assert!(text.contains("### `docs/guide.md` (lines 1-3, 10-12)\n"), "{text}");
    assert!(text.contains("How to install it.") && !text.contains("Interest is paid"), "{text}");
}

#[test]
fn a_passage_of_one_line_says_so() {
    let fixture = "\
//- /chosen.py
x = 1
//- /rates.py kind=retrieved
import decimal

INTEREST_RATE = decimal.Decimal(\"0.01\")
";
    let text = |format| {
        let options = Options { query: Some("`INTEREST_RATE` is wrong".into()), format, ..options() };
        compiled(fixture, &options).unwrap().output.text()
    };
    assert!(text(Format::Markdown).contains("### `rates.py` (line 3)\n"), "{}", text(Format::Markdown));
    assert!(text(Format::Xml).contains("path=\"rates.py\" lines=\"3\""), "{}", text(Format::Xml));
    assert!(text(Format::Json).contains("\"lines\":\"3\""), "{}", text(Format::Json));
}

#[test]
fn without_a_task_or_without_room_there_are_none() {
    let plain = "## Files\n\n### `chosen.py`\n\n```python\ndef balance(account):\n    return account.total\n```\n\n";
    assert_eq!(document(&Options { query: None, ..options() }), plain);
    assert_eq!(document(&Options { query: Some("zebra quux".into()), ..options() }), plain);
    assert_eq!(document(&Options { retrieve: Tokens(0), ..options() }), plain);
    // Room for the best passage only.
    let small = document(&Options { retrieve: Tokens(60), ..options() });
    assert!(small.contains("(lines 4-7)") && !small.contains("interest_of"), "{small}");
}

/// What was shown before is shown still. Headings name more lines when there are more.
fn assert_nested(room: u64, before: &str, text: &str) {
    for line in before.lines().filter(|line| !line.starts_with("###") && !line.starts_with("---")) {
        assert!(text.contains(line), "{room}: {line:?} is gone from {text}");
    }
}

#[test]
fn a_budget_shows_what_fits_of_files_and_passages() {
    let whole = compiled(PROJECT, &options()).unwrap().measured;
    let (mut before, mut gain) = (String::new(), 0.0);
    for budget in 20..=whole.0 {
        let Ok(made) = compiled(PROJECT, &Options { budget: Some(Tokens(budget)), ..options() }) else { continue };
        assert!(made.measured <= Tokens(budget));
        before = made.output.text();
        let value = made.fit.unwrap().value;
        assert!(value >= gain, "{budget}: {gain} became {value}");
        gain = value;
    }
    assert_eq!(before, document(&options()));
}

/// Passages have one order for all sizes of the room, and their real tokens count.
#[test]
fn with_more_room_no_passage_goes_and_the_room_is_kept() {
    let heading = compiled(PROJECT, &Options { retrieve: Tokens(0), ..options() }).unwrap().measured.0 + 5;
    let mut before = String::new();
    for room in 0..200 {
        let made = compiled(PROJECT, &Options { retrieve: Tokens(room), ..options() }).unwrap();
        assert!(made.measured.0 <= heading + room, "{room}: {}", made.measured);
        let text = made.output.text();
        assert_nested(room, &before, &text);
        before = text;
    }
    assert_eq!(before, document(&options()));
}

/// What is shown of a notebook is not its text: its outputs are no passages.
#[test]
fn notebooks_are_no_source_of_passages() {
    let fixture = "\
//- /chosen.py
x = 1
//- /n.ipynb kind=retrieved
{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"interest\"], \"outputs\": [{\"text\": [\"interest rounded cent\"]}]}]}
";
    let text = compiled(fixture, &options()).unwrap().output.text();
    assert!(!text.contains("Retrieved"), "{text}");
}
