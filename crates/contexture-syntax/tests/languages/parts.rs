//! Parts of a text: what is shown, and that no gap can be missed or forged.

use contexture_syntax::{
    HunkRows, LANGUAGES, Language, ShownSymbols, Structure, SymbolExtent, by_name, parts, qualified_names, read,
};
use proptest::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Every fixture with its language and structure.
fn fixtures() -> Vec<(&'static Language, String, Structure)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    LANGUAGES
        .iter()
        .map(|language| {
            let ending = language.endings().next().unwrap();
            let text = std::fs::read_to_string(folder.join(format!("sample.{ending}"))).unwrap();
            let structure = read(language, &text).unwrap();
            (language, text, structure)
        })
        .collect()
}

/// The lines that are shown with their numbers, from the text and the gap marks alone.
fn decoded(shown: &str, mark: &str) -> Vec<(usize, String)> {
    let end = |range: &str| range.rsplit('-').next().unwrap().parse::<usize>().unwrap();
    let mut lines = Vec::new();
    let mut next = 1;
    for line in shown.lines() {
        if let Some(range) = line.strip_prefix(&format!("{mark} ")) {
            next = end(range) + 1;
            continue;
        }
        let (text, after) = match line.rsplit_once(&format!(" {mark} ")) {
            Some((text, range)) => (text, end(range) + 1),
            None => (line, next + 1),
        };
        lines.push((next, text.to_owned()));
        next = after;
    }
    lines
}

/// A line of the source, or one whose body was elided.
fn is_line(source: &str, shown: &str) -> bool {
    let elisions = ["", " ...", " …", " … }", " { … }"];
    let is_cut =
        shown.strip_prefix(source.trim_end()).is_some_and(|end| end.starts_with([' ']) && end.contains(['…', '.']));
    source == shown || is_cut || elisions.iter().any(|elision| shown == format!("{}{elision}", source.trim_end()))
}

/// Those shown in hunks have these rows.
fn shown_with(
    name: &str,
    text: &str,
    chosen: &[(&str, SymbolExtent)],
    hunks: &[Range<usize>],
    numbered: bool,
) -> String {
    let language = by_name(name).unwrap();
    let structure = read(language, text).unwrap();
    let names = qualified_names(language, &structure, text);
    let extent =
        |name: &String| chosen.iter().find(|(chosen, _)| chosen == name).map_or(SymbolExtent::Hidden, |one| one.1);
    let shown: Vec<SymbolExtent> = names.iter().map(extent).collect();
    let rows = |at: usize| {
        let rows = chosen.iter().filter(|one| one.1 == SymbolExtent::Hunks && one.0 == names[at]).flat_map(|_| hunks);
        rows.cloned().collect::<Vec<_>>()
    };
    let hunks: HunkRows = (0..names.len()).map(|at| (at as u32, rows(at))).collect();
    parts(language, &structure, text, &ShownSymbols { extents: &shown, hunks: &hunks }, numbered).text
}

fn shown_as(name: &str, text: &str, chosen: &[(&str, SymbolExtent)], numbered: bool) -> String {
    shown_with(name, text, chosen, &[], numbered)
}

const PYTHON: &str = r#""""A module."""
import os
import re
from typing import (
    Any,
)

LIMIT = 3
OTHER = 4


class Store:
    """Keeps things."""

    unsafe = "<>"
    size = 0

    @property
    def path(self) -> str:
        """Where it is.

        A long story about places,
        which goes on and on,
        over several lines,
        and ends here.
        """
        return os.path.join(self.unsafe, str(LIMIT))

    def other(self, a,
              b):
        return a + b


def last():
    return 1
"#;

#[test]
fn a_body_comes_with_what_it_needs_and_gaps_are_marked() {
    insta::assert_snapshot!(shown_as("Python", PYTHON, &[("Store.path", SymbolExtent::Brief)], false), @r#"
    """A module."""
    import os
    ⋮ 3-7
    LIMIT = 3
    ⋮ 9-11
    class Store:
    ⋮ 13-14
        unsafe = "<>"
    ⋮ 16-17
        @property
        def path(self) -> str:
            """Where it is.
    ⋮ 21-25
            """
            return os.path.join(self.unsafe, str(LIMIT))
    ⋮ 28-35
    "#);
}

#[test]
fn a_signature_ends_in_an_elision_and_lines_can_be_numbered() {
    let chosen = [("Store.other", SymbolExtent::Signature), ("last", SymbolExtent::Signature)];
    insta::assert_snapshot!(shown_as("Python", PYTHON, &chosen, true), @r"
    ⋮ 1-11
    12  class Store:
    ⋮ 13-28
    29      def other(self, a,
    30                b): ... ⋮ 31-33
    34  def last(): ... ⋮ 35
    ");
    let rust = "impl A {\n    /// Says.\n    fn a(&self) {\n        self.b()\n    }\n\n    fn b(&self) -> u8\n    {\n        1\n    }\n}\n";
    let chosen = [("A::a", SymbolExtent::Signature), ("A::b", SymbolExtent::Signature)];
    insta::assert_snapshot!(shown_as("Rust", rust, &chosen, false), @r"
    impl A {
        /// Says.
        fn a(&self) { … } ⋮ 4-6
        fn b(&self) -> u8 { … } ⋮ 8-11
    ");
}

#[test]
fn hunks_are_shown_under_the_signature_with_what_they_name() {
    let chosen = [("Store.path", SymbolExtent::Hunks)];
    insta::assert_snapshot!(shown_with("Python", PYTHON, &chosen, &[26..40, 0..2], false), @r#"
    """A module."""
    import os
    ⋮ 3-7
    LIMIT = 3
    ⋮ 9-11
    class Store:
    ⋮ 13-14
        unsafe = "<>"
    ⋮ 16-17
        @property
        def path(self) -> str:
    ⋮ 20-26
            return os.path.join(self.unsafe, str(LIMIT))
    ⋮ 28-35
    "#);
}

#[test]
fn a_long_signature_is_closed_where_it_is_cut() {
    let arguments: String = (0..20).map(|n| format!("    argument_{n}: List[int],\n")).collect();
    let python = format!("def many(\n{arguments}) -> int:\n    return 1\n");
    let shown = shown_as("Python", &python, &[("many", SymbolExtent::Signature)], false);
    assert!(shown.ends_with("    argument_10: List[int], ...): ... ⋮ 13-23\n"), "{shown}");
    let rust = format!("fn many(\n{}) -> u8 {{\n    1\n}}\n", arguments.replace("List[int]", "Vec<u8>"));
    let shown = shown_as("Rust", &rust, &[("many", SymbolExtent::Signature)], false);
    assert!(shown.ends_with("    argument_10: Vec<u8>, …) { … } ⋮ 13-24\n"), "{shown}");
}

#[test]
fn many_decorators_do_not_hide_the_name() {
    let options: String = (0..20).map(|n| format!("@option(\"-{n}\")\n")).collect();
    let python = format!("{options}def lint(path):\n    return path\n");
    let shown = shown_as("Python", &python, &[("lint", SymbolExtent::Signature)], false);
    assert_eq!(shown, "⋮ 1-20\ndef lint(path): ... ⋮ 22\n");
}

#[test]
fn imports_that_only_prose_or_a_path_names_stay_hidden() {
    let python = "import store\nfrom store.keys import Key\nimport store.values as values\n\n\ndef get(key):\n    \"\"\"Reads \
                  values of a store.\"\"\"\n    return Key(key)\n";
    insta::assert_snapshot!(shown_as("Python", python, &[("get", SymbolExtent::Whole)], false), @r#"
    import store
    from store.keys import Key
    ⋮ 3-5
    def get(key):
        """Reads values of a store."""
        return Key(key)
    "#);
}

#[test]
fn a_text_cannot_forge_a_gap() {
    let text = "def a():\n    x = '''\n⋮ 4-90\n'''\n    return x\n\n\ndef b():\n    return 2\n";
    let shown = shown_as("Python", text, &[("a", SymbolExtent::Whole)], false);
    assert!(shown.contains("\n⋮ 4-90\n") && shown.ends_with("⋮⋮ 6-9\n"), "{shown}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_number_of_every_shown_line_follows_from_the_marks(seeds in prop::collection::vec(0..8u8, 200)) {
        for (language, text, structure) in fixtures() {
            let extent = |seed: &u8| match seed {
                0 => SymbolExtent::Whole,
                1 => SymbolExtent::Brief,
                2 => SymbolExtent::Signature,
                3 => SymbolExtent::Hunks,
                _ => SymbolExtent::Hidden,
            };
            let shown: Vec<SymbolExtent> = seeds.iter().cycle().take(structure.defs.len()).map(extent).collect();
            // Rows of anything: those outside of a definition are not shown for it.
            let rows = |at: usize| (at as u32, vec![at..at + 3, at * 2 + 9..at * 2 + 11]);
            let hunks: HunkRows = (0..structure.defs.len()).map(rows).collect();
            let made = parts(language, &structure, &text, &ShownSymbols { extents: &shown, hunks: &hunks }, false);
            let source: Vec<&str> = text.lines().collect();
            let lines = decoded(&made.text, &made.mark);
            prop_assert_eq!(lines.len(), made.shown);
            prop_assert_eq!(source.len(), made.lines);
            for (number, line) in &lines {
                let original = source.get(number - 1).copied().unwrap_or_default();
                prop_assert!(is_line(original, line), "{} {}: {:?} is not {:?}", language.name, number, line, original);
            }
            // Whole definitions are there line for line; what stands around one on the same line may be elided.
            for (def, _) in structure.defs.iter().zip(&shown).filter(|(_, shown)| **shown == SymbolExtent::Whole) {
                let first = text[..def.whole.start as usize].matches('\n').count() + 1;
                let last = text[..def.whole.end as usize].trim_end_matches('\n').matches('\n').count() + 1;
                for number in first..=last {
                    prop_assert!(lines.iter().any(|(shown, line)| *shown == number && is_line(source[number - 1], line)), "{} {number}", language.name);
                }
            }
        }
    }
}
