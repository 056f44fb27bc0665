//! Who decides how a file is shown, and what stands in the document.
#![allow(clippy::unwrap_used)]

use contexture_core::{Level, Options, Strategy, StrategyMode, StrategySource};
use contexture_testkit::{check, compiled};
use insta::assert_snapshot;

fn strategy(mode: StrategyMode, name: &'static str) -> Options {
    Options { strategy: Strategy { mode, name, source: StrategySource::Flag }, ..Options::default() }
}

const WISHES: &str = "
//- /a.txt
plain words
//- /b.txt view=none
secret words
//- /c.txt force_full
forced words
//- /d.txt view=none force_full
none stays none
//- /e.txt hidden
not in the document
//- /f.txt view=name
by name
//- /g.txt missing
//- /h.png binary
//- /package-lock.json
{}
//- /yarn.lock hand
named by hand
";

#[test]
fn every_file_in_its_own_view() {
    assert_snapshot!(check(WISHES, &strategy(StrategyMode::OwnView, "full")));
}

#[test]
fn every_file_as_its_summary() {
    assert_snapshot!(check(WISHES, &strategy(StrategyMode::Summarize, "summarize")));
}

#[test]
fn a_view_by_flag_beats_the_composition_but_not_none_and_force_full() {
    assert_snapshot!(check(WISHES, &Options { view: Some(Level::Name), ..Options::default() }));
}

#[test]
fn the_document() {
    let document = "
//- /src/main.rs
fn main() {}
//- /notes.md
# Notes

```
code
```
//- /end.txt no-eol
no newline
//- /empty.txt
//- /gone.txt missing
//- /private.txt view=none
x
//- /logo.png binary
//- diff kind=diff
--- a/x
+++ b/x
//- log kind=log
abc first
//- beads kind=beads
Completed: one
//- discussion/1 kind=discussion role=User
hello
//- discussion/2 kind=discussion
# a heading in what was said
";
    let compiled = compiled(document, &strategy(StrategyMode::OwnView, "full")).expect("no budget");
    assert_snapshot!(compiled.output.text());
    assert!(compiled.output.dynamic_suffix().starts_with("## Diff"));
}

#[test]
fn the_same_in_tags_and_in_json() {
    let document = "
//- /a.html
<p>x</p></file>
//- /gone.txt missing
//- discussion/1 kind=discussion role=User
hello
";
    for format in [contexture_core::Format::Xml, contexture_core::Format::Json] {
        let options = Options { format, tree: contexture_core::Tree::Selected, ..Options::default() };
        assert_snapshot!(
            format!("{}", format.as_str()),
            compiled(document, &options).expect("no budget").output.text()
        );
    }
}
