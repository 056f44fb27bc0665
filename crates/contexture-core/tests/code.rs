//! Views from syntax in a document: what is shown, what is said where it cannot be.
#![allow(clippy::unwrap_used)]

use contexture_core::{
    CodeReader, ContentHash, Forgetful, Level, Meter, Options, Strategy, StrategyMode, StrategySource, Tokenizer,
    Tools, compile,
};
use contexture_syntax::{Language, Structure};
use contexture_testkit::{check, compiled, screened, snapshot};
use std::sync::Arc;

const PYTHON: &str = "\
//- /shapes.py WORDS
\"\"\"Shapes and their areas.\"\"\"
import math

class Circle:
    \"\"\"Round.\"\"\"
    def area(self, scale: float = 1.0) -> float:
        \"\"\"In squares.\"\"\"
        return math.pi * self.radius ** 2 * scale

    def _cached(self):
        return self.cache['a long key of the cache']

def unit():
    return Circle()
";

fn document(words: &str, options: &Options) -> String {
    let compiled = compiled(&PYTHON.replace("WORDS", words), options).unwrap();
    let notes: Vec<String> = compiled.notes.iter().map(|note| format!("note: {note}\n")).collect();
    format!("{}{}", compiled.output.text(), notes.concat())
}

fn shown(words: &str) -> String {
    document(words, &Options::default())
}

#[test]
fn a_skeleton_is_the_file_without_bodies() {
    insta::assert_snapshot!(shown("view=skeleton"));
}

#[test]
fn an_outline_is_a_line_for_each_symbol() {
    insta::assert_snapshot!(shown("view=outline"));
}

#[test]
fn a_mask_chooses_symbols() {
    insta::assert_snapshot!(shown("view=masked mask=Circle.area=def mask=unit=sig mask=Circle._cached=hide"));
}

#[test]
fn a_mask_inside_a_shown_class_holds() {
    insta::assert_snapshot!(shown("mask=Circle=def mask=Circle._cached=hide mask=Circle.area=sig"));
}

#[test]
fn signatures_and_definitions() {
    insta::assert_snapshot!(shown("signatures"));
    insta::assert_snapshot!(shown("definitions mask=Circle._cached=hide"));
}

#[test]
fn an_unknown_symbol_is_noted_with_the_nearest() {
    insta::assert_snapshot!(shown("mask=Circle.aera=def mask=unit=def"));
}

#[test]
fn a_mask_of_nothing_but_unknown_symbols_fails_in_place() {
    insta::assert_snapshot!(shown("mask=Square=def"));
}

#[test]
fn masked_without_a_mask_is_a_summary() {
    insta::assert_snapshot!(shown("view=masked"));
}

#[test]
fn a_summary_of_code_tells_its_public_symbols() {
    let text = format!("{}{}", PYTHON.replace("WORDS", "view=summary"), "# ballast\n".repeat(200));
    insta::assert_snapshot!(compiled(&text, &Options::default()).unwrap().output.text());
}

#[test]
fn a_focus_shows_less_of_the_rest() {
    let options = Options { focused: true, ..Options::default() };
    let fixture = "
//- /data.py focus
x = 1
//- /forced.py force_full view=summary
x = 1
//- /inside.py tier=3
x = 1
//- /masked.py view=full mask=f=sig
def f(): return 'a long text to be cut'
//- /code.py view=full
def f(): return 'a long text to be cut'
//- /notes.md
# Notes
//- /gone.py view=none
x = 1
";
    insta::assert_snapshot!(check(fixture, &options));
    insta::assert_snapshot!(compiled(fixture, &options).unwrap().output.text().lines().next().unwrap_or(""), @"## Files (Tier 3 - Focused)");
}

#[test]
fn files_without_syntax_are_summarised_where_others_are_cut() {
    let strategy = |mode, name| Strategy { mode, name, source: StrategySource::Tier(3) };
    let fixture = "
//- /a.py
def f(): return 'a long text to be cut'
//- /b.md
# Title

Some words about it.
//- /c.toml view=skeleton
a = 1
";
    let options = Options { strategy: strategy(StrategyMode::Skeleton, "skeleton"), ..Options::default() };
    insta::assert_snapshot!(check(fixture, &options));
    let options = Options { strategy: strategy(StrategyMode::Outline, "outline"), ..Options::default() };
    insta::assert_snapshot!(check(fixture, &options));
    // A flag for all is no wish for one: only what was set by hand is remarked on.
    let options = Options { view: Some(Level::Skeleton), ..Options::default() };
    let notes = compiled(fixture, &options).unwrap().notes;
    insta::assert_snapshot!(notes.iter().map(|note| note.to_string()).collect::<String>(), @"c.toml: `skeleton` was wished, `summary` is shown: there is no `skeleton` view of this kind of file");
}

/// A parser that crashes on every file.
struct Crashing;

impl CodeReader for Crashing {
    fn structure(&self, _: &'static Language, _: &str, _: Option<&ContentHash>) -> Result<Arc<Structure>, String> {
        Err("the parser crashed on this file".into())
    }
}

#[test]
fn a_parser_that_crashes_costs_the_view_not_the_run() {
    let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &Crashing };
    let fixture = PYTHON.replace("WORDS", "view=skeleton");
    let made = compile(&screened(&snapshot(&fixture)), &Options::default(), &tools).unwrap();
    let notes: Vec<String> = made.notes.iter().map(|note| format!("note: {note}\n")).collect();
    insta::assert_snapshot!(format!("{}{}", made.output.text(), notes.concat()));
}
