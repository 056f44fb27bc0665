//! Diffs read back: applying the hunks gives the new text, and hostile input costs little.

use super::anchors::SEARCHED;
use super::*;
use insta::assert_snapshot;
use proptest::prelude::*;

#[test]
fn a_change_in_the_middle() {
    let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    assert_snapshot!(unified("src/a.rs", Some(old), Some(&old.replace('5', "five")), 2), @r"
    --- a/src/a.rs
    +++ b/src/a.rs
    @@ -3,5 +3,5 @@
     3
     4
    -5
    +five
     6
     7
    ");
}

#[test]
fn far_changes_stand_in_hunks_of_their_own() {
    let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    assert_snapshot!(unified("a", Some(old), Some("0\n1\n2\n3\n4\n5\n6\n7\n8\n"), 1), @r"
    --- a/a
    +++ b/a
    @@ -1 +1,2 @@
    +0
     1
    @@ -8,2 +9 @@
     8
    -9
    ");
}

#[test]
fn added_deleted_and_empty_files() {
    assert_snapshot!(unified("a", None, Some("x\ny\n"), 3), @r"
    --- /dev/null
    +++ b/a
    @@ -0,0 +1,2 @@
    +x
    +y
    ");
    assert_snapshot!(unified("a", Some("x\n"), None, 3), @r"
    --- a/a
    +++ /dev/null
    @@ -1 +0,0 @@
    -x
    ");
    assert_snapshot!(unified("a", None, Some(""), 3), @r"
    --- /dev/null
    +++ b/a
    ");
    assert_eq!(unified("a", None, None, 3), "");
    assert_eq!(unified("a", Some("x"), Some("x"), 3), "");
}

#[test]
fn a_missing_last_newline_is_said() {
    assert_snapshot!(unified("a", Some("x\ny"), Some("x\ny\n"), 3), @r"
    --- a/a
    +++ b/a
    @@ -1,2 +1,2 @@
     x
    -y
    \ No newline at end of file
    +y
    ");
}

#[test]
fn line_ends_of_a_checkout_are_no_change() {
    assert_eq!(unified("a", Some("x\ny\n"), Some("x\r\ny\r\n"), 3), "");
    assert_eq!(unified("a", Some("x\r\ny"), Some("x\ny"), 3), "");
    assert_snapshot!(unified("a", Some("x\ny\nz\n"), Some("x\r\nY\r\nz\r\n"), 0), @r"
    --- a/a
    +++ b/a
    @@ -2 +2 @@
    -y
    +Y
    ");
    // Mixed line ends are a change of the file itself.
    assert_ne!(unified("a", Some("x\ny\n"), Some("x\r\ny\n"), 3), "");
}

#[test]
fn odd_names_stay_on_their_line() {
    assert_snapshot!(unified("a\n+++ b/c", None, Some(""), 3), @r#"
    --- /dev/null
    +++ "b/a\n+++ b/c"
    "#);
}

/// Counts instead of a stopwatch: however large, no part above the limit reaches the search, so the answer is coarse
/// where nothing anchors it and exact where something does.
#[test]
fn large_files_are_divided_before_they_are_searched() {
    let lines: Vec<String> = (0..60_000).map(|n| format!("{n}\n")).collect();
    let mut edited = lines.clone();
    edited[1] = "first\n".to_owned();
    edited[59_998] = "last\n".to_owned();
    let diff = unified("a", Some(&lines.concat()), Some(&edited.concat()), 0);
    assert_snapshot!(diff, @r"
    --- a/a
    +++ b/a
    @@ -2 +2 @@
    -1
    +first
    @@ -59999 +59999 @@
    -59998
    +last
    ");
    // No line occurs once: nothing anchors, the whole is replaced.
    let bits = |seed: u64| -> Vec<u32> { (0..100_000).map(|n: u64| noise(n ^ seed) as u32 % 2).collect() };
    assert_eq!(anchors::changes(&bits(1), &bits(2)).len(), 1);
}

/// The worst inputs below the limit and far above it end at once; a hang here is the failure.
#[test]
fn hostile_sequences_end() {
    for size in [SEARCHED / 2, 200_000] {
        for kinds in [1, 2, 3, 50, 100_000] {
            let make = |seed: u64| -> Vec<u32> {
                (0..size as u64).map(|n| noise(n.wrapping_mul(31) ^ seed) as u32 % kinds).collect()
            };
            let (old, new) = (make(7), make(99));
            assert_eq!(rebuild(&old, &new, &anchors::changes(&old, &new)), new);
        }
        let old: Vec<u32> = (0..size as u32).collect();
        let new: Vec<u32> = old.iter().rev().copied().collect();
        assert_eq!(rebuild(&old, &new, &anchors::changes(&old, &new)), new);
    }
}

proptest! {
    #[test]
    fn applying_the_hunks_gives_the_new_text(
        old in "([a-d]{0,1}\r?\n){0,12}[a-d]{0,2}",
        new in "([a-d]{0,1}\r?\n){0,12}[a-d]{0,2}",
        context in 0usize..5,
    ) {
        let diff = unified("p", Some(&old), Some(&new), context);
        let (old, new) = same_line_ends(&old, &new);
        prop_assert_eq!(apply(&old, &diff), new.as_ref());
    }

    #[test]
    fn any_text_is_taken(path in ".*", old in proptest::option::of("\\PC*"), new in proptest::option::of(".*"), n in 0usize..9) {
        let diff = unified(&path, old.as_deref(), new.as_deref(), n);
        prop_assert!(diff.is_empty() || diff.starts_with("--- "));
    }

    #[test]
    fn divided_sequences_rebuild(
        old in proptest::collection::vec(0u32..30, 0..40),
        new in proptest::collection::vec(0u32..30, 0..40),
        limit in 0usize..20,
    ) {
        let found = anchors::divided(&old, &new, limit);
        prop_assert_eq!(rebuild(&old, &new, &found), new);
        // Changes rise, and a line lies between any two of them.
        prop_assert!(found.windows(2).all(|pair| pair[0].old.end < pair[1].old.start && pair[0].new.end < pair[1].new.start));
    }
}

fn rebuild(old: &[u32], new: &[u32], changes: &[Change]) -> Vec<u32> {
    let (mut out, mut at) = (Vec::new(), 0);
    for change in changes {
        out.extend(&old[at..change.old.start]);
        out.extend(&new[change.new.clone()]);
        at = change.old.end;
    }
    out.extend(&old[at..]);
    out
}

/// A small `patch`: strict about line numbers, context and removed lines.
fn apply(old: &str, diff: &str) -> String {
    if diff.is_empty() {
        return old.to_owned();
    }
    let source: Vec<&str> = old.split_inclusive('\n').collect();
    let (mut out, mut at) = (String::new(), 0);
    let mut lines = diff.split_inclusive('\n').skip(2).peekable();
    while let Some(line) = lines.next() {
        let body = line.get(1..).unwrap();
        let cut = lines.peek().is_some_and(|next| next.starts_with("\\ "));
        let body = if cut { body.strip_suffix('\n').unwrap() } else { body };
        match line.as_bytes()[0] {
            b'@' => {
                let place = line.split(['-', ' ']).nth(2).unwrap();
                let (start, count) = place.split_once(',').unwrap_or((place, "1"));
                let start: usize = start.parse().unwrap();
                let start = if count == "0" { start } else { start - 1 };
                out.extend(source[at..start].iter().copied());
                at = start;
            }
            b' ' | b'-' => {
                assert_eq!(source[at], body);
                at += 1;
                if line.starts_with(' ') {
                    out.push_str(body);
                }
            }
            b'+' => out.push_str(body),
            _ => assert!(line.starts_with("\\ No newline")),
        }
    }
    out.extend(source[at..].iter().copied());
    out
}

/// A fixed scramble, so that the hostile inputs are the same in every run.
fn noise(n: u64) -> u64 {
    let n = (n ^ (n >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (n ^ (n >> 29)).wrapping_mul(0xc4ce_b9fe_1a85_ec53) >> 32
}

#[test]
fn a_hunk_names_what_it_stands_in() {
    let old = "class A:\n    def f(self):\n        a = 1\n        if a:\n            b = 2\n            c = 3\n            d = 4\n            e = 5\n        return a\n";
    let shown = unified("a.py", Some(old), Some(&old.replace("e = 5", "e = 6")), 1);
    assert!(shown.contains("@@ -7,3 +7,3 @@     def f(self):\n"), "{shown}");
    // At the top of a file there is nothing to name, and a name inside the hunk is not said twice.
    let shown = unified("a.py", Some("x = 1\n"), Some("x = 2\n"), 3);
    assert!(shown.contains("@@ -1 +1 @@\n"), "{shown}");
    let shown = unified("a.py", Some(old), Some(&old.replace("a = 1", "a = 9")), 3);
    assert!(shown.contains("@@ -1,6 +1,6 @@\n"), "{shown}");
}
