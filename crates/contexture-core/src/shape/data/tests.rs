//! Notebooks, tables and records.

use super::*;
use proptest::prelude::*;

const NOTEBOOK: &str = r##"{"cells": [
 {"cell_type": "markdown", "metadata": {}, "source": ["# Title\n", "\n", "Some text."]},
 {"cell_type": "code", "execution_count": 1, "source": ["import numpy as np\n", "np.zeros(3)"],
  "outputs": [{"data": {"image/png": "iVBORw0KGgo="}}]},
 {"cell_type": "code", "source": "print(1)\n", "outputs": []},
 {"cell_type": "raw", "source": []}
], "nbformat": 4}"##;

#[test]
fn a_notebook_is_its_cells() {
    insta::assert_snapshot!(notebook_cells(NOTEBOOK).unwrap(), @"
    # %% [markdown]
    # # Title
    #
    # Some text.

    # %%
    import numpy as np
    np.zeros(3)

    # %%
    print(1)

    # %% [raw]
    ");
}

#[test]
fn an_old_notebook_is_read_too() {
    let text = r#"{"worksheets": [{"cells": [{"cell_type": "code", "input": ["a = 1"]}]}], "nbformat": 3}"#;
    assert_eq!(notebook_cells(text).unwrap(), "# %%\na = 1\n");
}

#[test]
fn what_is_no_notebook_is_an_error() {
    insta::assert_snapshot!(notebook_cells("{\"cells\": [").unwrap_err(), @"not a notebook: EOF while parsing a list at line 1 column 11");
    insta::assert_snapshot!(notebook_cells("[]").unwrap_err(), @"not a notebook: no `cells`");
    let deep = "[".repeat(100_000);
    assert!(notebook_cells(&deep).is_err());
}

/// What a summary is made from, on one page.
fn shown(path: &str, text: &str, whole: bool) -> Option<String> {
    if whole && !is_long_data(path, text) {
        return None;
    }
    let shape = shape_of(kind_of(path, ""), text, whole)?;
    Some(format!("{}: {}\n{}\n", shape.title, shape.columns.join(", "), shape.head.join("\n")))
}

#[test]
fn a_long_table_is_shown_by_its_head() {
    let mut text = String::from("id,name,\"a, quoted\"\n");
    for id in 0..100 {
        text.push_str(&format!("{id},\"line\nbreak \"\"{id}\"\"\",x\n"));
    }
    let page = shown("a/b.csv", &text, true).unwrap();
    insta::assert_snapshot!(page.lines().take(6).collect::<Vec<_>>().join("\n"), @r#"
    100 rows × 3 columns: id, name, a, quoted
    0,"line break ""0""",x
    1,"line break ""1""",x
    2,"line break ""2""",x
    3,"line break ""3""",x
    4,"line break ""4""",x
    "#);
    assert!(shown("b.csv", &text, false).unwrap().starts_with("at least 100 rows"));
}

#[test]
fn a_stray_quote_does_not_swallow_the_rest() {
    let text = format!("size\tnote\n\"open\t1\n{}", "2\tb\n".repeat(50));
    insta::assert_snapshot!(shown("b.tsv", &text, true).unwrap().lines().next().unwrap(), @"51 rows × 2 columns: size, note");
}

#[test]
fn records_are_shown_by_their_keys() {
    let text: String = (0..60).map(|id| format!("{{\"id\": {id}, \"tags\": [], \"who\": \"ü\"}}\n")).collect();
    let page = shown("log.jsonl", &text, true).unwrap();
    insta::assert_snapshot!(page.lines().take(3).collect::<Vec<_>>().join("\n"), @r#"
    60 records: id (number), tags (array), who (string)
    {"id": 0, "tags": [], "who": "ü"}
    {"id": 1, "tags": [], "who": "ü"}
    "#);
}

#[test]
fn small_tables_and_other_files_stay() {
    assert_eq!(shown("a.csv", "a,b\n1,2\n", true), None);
    assert_eq!(shown("a.txt", &"a,b\n".repeat(100), true), None);
    assert_eq!(shown("a.csv", &"\n".repeat(100), true), None);
}

proptest! {
    #[test]
    fn any_text_is_read(text in "(?s)[\",;\n\r\t{}:a1ü]{0,200}", whole: bool) {
        let long = text.repeat(20);
        for path in ["a.csv", "a.tsv", "a.jsonl"] {
            shown(path, &long, whole);
        }
        let _ = notebook_cells(&text);
    }
}
