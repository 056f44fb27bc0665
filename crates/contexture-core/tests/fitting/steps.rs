//! What single steps show: hunks of long functions, the beginning of tables.

use contexture_core::{Compiled, DocumentFrame, FileOrder, Options, Snapshot, Tokenizer, Tokens};
use contexture_testkit::snapshot;

fn fitted(snapshot: &Snapshot, query: &str, budget: u64) -> Compiled {
    let options = Options { query: Some(query.into()), budget: Some(Tokens(budget)), ..Options::default() };
    super::Machine::new(Tokenizer::O200k).made(snapshot, &options, Some(budget)).unwrap()
}

/// A function of some hundred lines, one of which is about zebras.
fn long_function() -> String {
    let step = |n: usize| format!("    if step_{n}(items):\n        total = total + compute_{n}(items)\n");
    let before: String = (0..60).map(step).collect();
    let after: String = (60..120).map(step).collect();
    format!(
        "import json\nimport stripes\n\n\ndef parse_items(items, limit=3):\n    total = 0\n{before}    for item in items:\n        if item.ready:\n            total += stripes.zebra_width(item)\n{after}    return total\n"
    )
}

#[test]
fn a_long_function_is_shown_by_the_lines_that_the_task_mentions() {
    let fixture = format!("//- /store.py\n{}\n//- /other.py\ndef other():\n    return 1\n", long_function());
    let document = fitted(&snapshot(&fixture), "parse_items returns a wrong `zebra_width`", 400).output.text();
    let (_, file) = document.split_once("### `store.py`").unwrap();
    insta::assert_snapshot!(file.trim(), @r"
    (parts: 13 of 251 lines)

    ```python
    import json
    import stripes


    def parse_items(items, limit=3):
    ⋮ 6-124
        if step_59(items):
            total = total + compute_59(items)
        for item in items:
            if item.ready:
                total += stripes.zebra_width(item)
        if step_60(items):
            total = total + compute_60(items)
        if step_61(items):
    ⋮ 133-251
    ```
    ");
    let whole = fitted(&snapshot(&fixture), "parse_items returns a wrong `zebra_width`", 6_000).output.text();
    assert!(whole.contains("compute_119(items)") && !whole.contains('⋮'));
}

#[test]
fn a_large_table_costs_its_beginning() {
    let rows: String = (0..900).map(|n| format!("    ({n}, 0.{n}, 'zebra'),\n")).collect();
    let fixture = format!(
        "//- /store.py\nZEBRAS = [\n{rows}]\n\n\ndef width(zebra):\n    return ZEBRAS[zebra]\n\n\ndef other(zebra):\n    return width(zebra) + 1\n"
    );
    let document = fitted(&snapshot(&fixture), "`ZEBRAS` has a wrong width", 900).output.text();
    let shown = document.matches("'zebra'").count();
    assert!((2..40).contains(&shown), "{document}");
    assert!(document.contains("ZEBRAS = [\n") && document.contains("return width(zebra) + 1"), "{document}");
}

/// A file that is too large for a small budget.
fn large_file(name: &str, first: &str) -> String {
    let body: String = (0..200).map(|n| format!("    total += other_{n}\n")).collect();
    format!("//- /{name}.py\n{first}\n\n\ndef {name}(first, second=None):\n    total = 0\n{body}    return total\n")
}

#[test]
fn files_by_name_only_are_one_list_after_the_others() {
    let zoo = "//- /zoo.py\ndef zebra():\n    return 1\n";
    let snapshot = snapshot(&format!("{}{}{zoo}", large_file("legs", ""), large_file("tails", "")));
    insta::assert_snapshot!(fitted(&snapshot, "zebra", 72).output.text(), @r"
    ## Files

    ### `zoo.py`

    ```python
    def zebra():
        return 1
    ```

    - `legs.py` (not shown, 206 lines)

    - `tails.py` (not shown, 206 lines)
    ");
    let options = Options { query: Some("zebra".into()), format: contexture_core::Format::Xml, ..Options::default() };
    let xml = super::Machine::new(Tokenizer::O200k).made(&snapshot, &options, Some(80)).unwrap().output.text();
    assert!(xml.contains("<file path=\"legs.py\" view=\"not shown, 206 lines\"/>\n"), "{xml}");
}

#[test]
fn what_is_hidden_in_files_that_are_not_shown_is_counted() {
    let zoo = "//- /zoo.py\ndef zebra():\n    return '\u{202e}'\n";
    let hidden = "# The \u{202e}end.";
    let snapshot = snapshot(&format!("{}{}{zoo}", large_file("legs", hidden), large_file("tails", hidden)));
    let notes = |made: Compiled| made.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(notes(fitted(&snapshot, "zebra", 65)), @r"
    invisible characters in 2 files not shown in the document
    zoo.py: 1 invisible character shown, first on line 2: U+202E
    ");
    assert_eq!(fitted(&snapshot, "zebra", 20_000).notes.len(), 3);
}

#[test]
fn signatures_of_called_functions_come_before_other_signatures() {
    let body: String = (0..200).map(|n| format!("    total += other_{n}\n")).collect();
    let helper = |name: &str| format!("def {name}(first, second=None):\n    total = 0\n{body}    return total\n\n\n");
    let fixture = format!(
        "//- /a.py\n{}{}\n//- /b.py\nfrom a import measure_stripes\n\n\ndef zebra_width(zebra):\n    return measure_stripes(zebra, 3)\n",
        (0..8).map(|n| helper(&format!("measure_legs_{n}"))).collect::<String>(),
        helper("measure_stripes"),
    );
    let document = fitted(&snapshot(&fixture), "`zebra_width` is wrong", 110).output.text();
    assert!(document.contains("return measure_stripes(zebra, 3)"), "{document}");
    assert!(document.contains("def measure_stripes(first, second=None): ... ⋮"), "{document}");
    assert!(document.matches("measure_legs").count() <= 1, "{document}");
}

#[test]
fn called_functions_of_the_same_file_are_shown_before_others() {
    // About 250 tokens each.
    let body: String = (0..25).map(|n| format!("    total = total + other_{n}\n")).collect();
    let helper = |name: &str| format!("def {name}(first, second=None):\n    total = 0\n{body}    return total\n\n\n");
    let others = |name: &str| (0..12).map(|n| helper(&format!("{name}_{n}"))).collect::<String>();
    let fixture = format!(
        "//- /a.py\n{}{}def zebra_width(zebra):\n    return measure_stripes(zebra, 3)\n\n\n{}",
        others("first_legs"),
        helper("measure_stripes"),
        others("last_legs"),
    );
    let document = fitted(&snapshot(&fixture), "`zebra_width` is wrong", 500).output.text();
    assert!(document.contains("return measure_stripes(zebra, 3)"), "{document}");
    assert!(document.contains("def measure_stripes(first, second=None):\n    total = 0"), "{document}");
    assert!(!document.contains("legs_3(first, second=None):\n"), "{document}");
}

#[test]
fn changed_functions_are_shown_before_what_the_task_mentions() {
    let other: String = (0..30).map(|n| format!("    total += animal.leg_{n}\n")).collect();
    let changed = format!(
        "//- /legs.py\ndef count_legs(animal):\n    return animal.legs\n\n\ndef other_legs(animal):\n{other}\n"
    );
    let zebra: String =
        (0..30).map(|n| format!("def zebra_{n}(zebra):\n    return zebra.width + zebra.stripes + {n}\n\n\n")).collect();
    let mut snapshot = snapshot(&format!("{changed}//- /store.py\n{}//- /zoo.py\n{zebra}", long_function()));
    let without = fitted(&snapshot, "the `zebra` is wrong", 420).output.text();
    assert!(!without.contains("return animal.legs") && !without.contains("compute_100("), "{without}");
    snapshot.past.changed = [("legs.py".into(), vec![(2, 2)]), ("store.py".into(), vec![(212, 212)])].into();
    let document = fitted(&snapshot, "the `zebra` is wrong", 420).output.text();
    assert!(document.contains("    return animal.legs\n") && !document.contains("leg_20"), "{document}");
    assert!(document.contains("compute_100(") && !document.contains("compute_90("), "{document}");
}

#[test]
fn a_function_in_a_long_one_is_shown_below_its_signature() {
    let step = |n: usize| format!("  function step{n}(items) {{\n    return compute{n}(items, total, {n})\n  }}\n\n");
    let (before, after): (String, String) = ((0..80).map(step).collect(), (80..160).map(step).collect());
    let body: String = (0..20).map(|n| format!("    count += items[{n}].length\n")).collect();
    let inner = format!("  function zebraWidth(items) {{\n    let count = 0\n{body}    return count * stripes\n  }}\n");
    let text =
        format!("export function createSteps(total) {{\n{before}{inner}\n{after}  return {{ zebraWidth }}\n}}\n");
    let fixture = format!("//- /store.js\n{text}");
    let query = "zebraWidth is wrong";
    let document = fitted(&snapshot(&fixture), query, 400).output.text();
    assert!(document.contains("createSteps(total) {\n") && document.contains(&inner), "{document}");
    assert!(!document.contains("step40("), "{document}");
    let whole = fitted(&snapshot(&fixture), query, 8_000).output.text();
    assert!(whole.contains(&text) && !whole.contains('⋮'), "{whole}");
}

/// Many files of classes inside of modules, each with long methods that share words of the task.
fn many_classes() -> String {
    let body = |size: usize| (0..size).map(|n| format!("        check_{n}(node, array[{n}])\n")).collect::<String>();
    let method = |name: &str, size| format!("      def {name}(node)\n{}      end\n\n", body(size));
    let class = |n: usize| {
        let methods: String =
            (0..6).map(|at| method(&format!("ignore_element_{n}_{at}?"), 8 + n % 5 * 8 + at)).collect();
        format!("//- /lib/cop_{n}.rb\nmodule RuboCop\n  module Cop\n    class Cop{n}\n{methods}    end\n  end\nend\n")
    };
    (0..80).map(class).collect()
}

#[test]
fn files_are_not_shown_for_one_signature() {
    for budget in [4_000, 8_000, 16_000] {
        let document = fitted(&snapshot(&many_classes()), "ignore the last element of an array", budget).output.text();
        let sections: Vec<&str> = document.split("\n### ").skip(1).collect();
        let is_bare = |section: &&&str| section.matches("def ").count() == 1 && !section.contains("check_1(");
        let bare = sections.iter().filter(is_bare).count();
        assert!(bare * 8 <= sections.len(), "{bare} of {} sections at {budget}", sections.len());
    }
}

/// The header of the document for a task.
fn header_of(snapshot: &Snapshot, query: &str, budget: u64) -> String {
    let frame = DocumentFrame { header: Some("zoo".into()), ..DocumentFrame::default() };
    let order = FileOrder::Relevance;
    let options = Options { query: Some(query.into()), frame, order, ..Options::default() };
    let text = super::Machine::new(Tokenizer::O200k).made(snapshot, &options, Some(budget)).unwrap().output.text();
    text.split("## Files").next().unwrap().to_owned()
}

#[test]
fn the_header_lists_few_files_and_only_those_that_are_shown() {
    let snapshot = snapshot(&many_classes());
    let header = header_of(&snapshot, "ignore the last element of an array", 6_000);
    let (_, listed) = header.split_once("Most relevant first: ").unwrap();
    assert_eq!(listed.matches(".rb`").count(), 6, "{header}");
    // The first headings are in sight.
    let header = header_of(&snapshot, "ignore the last element of an array", 2_500);
    assert!(header.contains("80 files") && !header.contains("Most relevant first"), "{header}");
    // One file in parts, the others by name.
    let one: String = (0..400).map(|n| format!("def zebra_{n}(zebra):\n    return zebra.stripes[{n}]\n\n\n")).collect();
    let fixture = format!("//- /zoo.py\n{one}{}{}", large_file("legs", ""), large_file("tails", ""));
    let header = header_of(&contexture_testkit::snapshot(&fixture), "`zebra_3` is wrong", 5_000);
    assert!(!header.contains("legs.py"), "{header}");
}

#[test]
fn the_header_repeats_the_first_line_of_the_task() {
    let task = format!("\n# Zebras\u{7} are `wide`\n\nand more\n{}", "z".repeat(300));
    let frame =
        DocumentFrame { header: Some("zoo".into()), task: Some(task.as_str().into()), ..DocumentFrame::default() };
    let options = Options { query: Some(task.as_str().into()), frame, ..Options::default() };
    let snapshot = snapshot(&many_classes());
    let text = super::Machine::new(Tokenizer::O200k).made(&snapshot, &options, Some(3_000)).unwrap().output.text();
    assert!(text.starts_with("# Context from `zoo`\n\nTask: Zebras  are `wide`\n"), "{}", &text[..120]);
    let long = Options {
        frame: DocumentFrame { task: Some("z".repeat(300).as_str().into()), ..options.frame.clone() },
        ..options
    };
    let text = super::Machine::new(Tokenizer::O200k).made(&snapshot, &long, Some(3_000)).unwrap().output.text();
    assert!(text.contains(&format!("Task: {}…\n", "z".repeat(100))), "{}", &text[..200]);
}

#[test]
fn the_header_says_that_no_word_of_the_task_occurs() {
    let snapshot = snapshot(&many_classes());
    let header = header_of(&snapshot, "qwzx blorfl", 6_000);
    assert!(
        header.contains("\nNo word of the task occurs in this project: its files were chosen by importance.\n"),
        "{header}"
    );
    assert!(!header.contains("relevant"), "{header}");
    assert!(!header_of(&snapshot, "qwzx element", 6_000).contains("No word"));
}

#[test]
fn a_file_is_explained_by_its_best_symbol_and_a_called_one_by_its_caller() {
    let fixture = "//- /a.py\ndef measure_stripes(first):\n    return first * 3\n\n\ndef other_legs(first):\n    return first\n\n\n//- /b.py\nfrom a import measure_stripes\n\n\ndef zebra_width(zebra):\n    return measure_stripes(zebra, 3)\n";
    let long = large_file("legs", "");
    let options = |path: &str| Options {
        query: Some("`zebra_width` is wrong".into()),
        explain: Some(path.into()),
        ..Options::default()
    };
    let snapshot = snapshot(&format!("{fixture}{long}"));
    let explained = |path: &str| {
        let made = super::Machine::new(Tokenizer::O200k).made(&snapshot, &options(path), Some(150)).unwrap();
        made.fit.unwrap().explained.unwrap()
    };
    assert_eq!(explained("b.py").best.unwrap(), "its function `zebra_width` ranks 1st");
    let called = explained("a.py");
    assert!(called.best.is_some());
    let callers: Vec<(&str, Option<&str>)> =
        called.symbols.iter().map(|one| (one.qualified.as_str(), one.called_by.as_deref())).collect();
    assert!(callers.contains(&("measure_stripes", Some("zebra_width"))), "{callers:?}");
    assert!(callers.contains(&("other_legs", None)), "{callers:?}");
}
