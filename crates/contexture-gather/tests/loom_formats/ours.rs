//! Our own JSON: how it looks, and how it fails.

use super::random::small;
use super::{fails, import};
use contexture_gather::loom::formats::{TreeFormat, export};

fn text() -> String {
    export(&small(), TreeFormat::Contexture).files.remove(0).1
}

#[test]
fn one_record_a_line() {
    insta::assert_snapshot!(text(), @"");
}

#[test]
fn all_comes_back_with_its_lines() {
    let imported = import(text());
    assert_eq!(imported.bundles, [small()]);
    assert_eq!(imported.notes, []);
    assert_eq!(text().lines().nth(imported.lines["n2"] - 1).unwrap().get(..11), Some("{\"id\":\"n2\","));
    assert!(imported.lines.contains_key("e1") && imported.lines.contains_key("p1"));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let changed = |from: &str, to: &str| {
        assert!(text().contains(from), "{from}");
        fails(text().replacen(from, to, 1))
    };
    insta::assert_snapshot!(changed("\"role\":\"primary\"", "\"role\":\"wizard\""), @"");
    insta::assert_snapshot!(changed("\"author_type\":\"model\"", "\"author_type\":\"robot\""), @"");
    insta::assert_snapshot!(changed("\"mode\":\"dialogue\"", "\"mode\":\"song\""), @"");
    insta::assert_snapshot!(changed("\"kind\":\"annotation\"", "\"kind\":\"rumour\""), @"");
    insta::assert_snapshot!(changed("\"type\":\"mixed\"", "\"type\":\"film\""), @"");
    insta::assert_snapshot!(changed("Hello", "Hullo"), @"");
    insta::assert_snapshot!(changed("\"target\":\"n2\"", "\"target\":2"), @"");
    insta::assert_snapshot!(changed("\"author\":\"a1\",", ""), @"");
    insta::assert_snapshot!(changed("\"contexture_loom\": 1", "\"contexture_loom\": 2"), @"");
    insta::assert_snapshot!(changed("\"path\": \"main\"", "\"path\": [1]"), @"");
    insta::assert_snapshot!(changed("\"edges\": [", "\"nodes\": ["), @"");
    insta::assert_snapshot!(changed("\"n1\",\"local\"", "\"n1\" \"local\""), @"");
    insta::assert_snapshot!(fails(&text()[..text().len() / 2]), @"");
    insta::assert_snapshot!(changed("\"text\":\"Hello", "\"text\":\"\\ud800Hello"), @"");
    // What is not known is told, and the rest is read.
    let imported = import(text().replacen("\"author\":\"a1\"", "\"mood\":\"good\",\"author\":\"a1\"", 1));
    assert_eq!(imported.bundles, [small()]);
    insta::assert_snapshot!(imported.notes[0], @"");
}
