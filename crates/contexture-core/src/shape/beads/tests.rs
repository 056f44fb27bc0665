//! The section of tasks, from exports as they are written and as they break.

use super::*;
use insta::assert_snapshot;
use proptest::prelude::*;

#[test]
fn done_active_blocked_and_the_rest() {
    let export = r##"
{"_type":"issue","id":"bd-10","title":"Lexer","status":"closed","closed_at":"2026-05-01T00:00:00Z"}
{"id":"bd-2","title":"Project  skeleton","status":"closed"}
{"id":"bd-3","title":"Parser","description":"# Parse\n\n- first\n- second","status":"in_progress","priority":1}
{"id":"bd-4","title":"Printer","status":"open","priority":2,"dependencies":[{"issue_id":"bd-4","depends_on_id":"bd-2","type":"blocks"}]}
{"id":"bd-5","title":"Release","status":"open","priority":0,"description":"ship it","dependencies":[{"depends_on_id":"bd-4","type":"blocks"},{"depends_on_id":"bd-3","type":"waits-for"},{"depends_on_id":"bd-6","type":"related"}]}
{"id":"bd-6","title":"Hooked one","status":"hooked","priority":3}
{"id":"bd-7","title":"Later","status":"deferred"}
{"id":"bd-8","title":"Own status","status":"in-review","issue_type":"novel"}
{"id":"bd-9","title":"Stuck","status":"blocked","priority":1}
{"_type":"memory","key":"k","value":"v"}
{"id":"bd-11","title":"Pattern","status":"open","is_template":true}
{"id":"bd-12","title":"Gone","status":"tombstone"}
{"id":"bd-3.1","title":"Child","status":"open","priority":1,"dependencies":[{"depends_on_id":"bd-3","type":"parent-child"},{"depends_on_id":"bd-12","type":"blocks"}]}
{"id":"bd-13","title":"Cut
"##;
    assert_snapshot!(beads_section(export, Some("2026-05-28T10:00:00Z")).unwrap(), @r"
    Exported: 2026-05-28T10:00:00Z

    Completed: Project skeleton (bd-2), Lexer (bd-10)

    Active:

    - in_progress P1: Parser (bd-3): # Parse - first - second
    - hooked P3: Hooked one (bd-6)
    - open P1: Child (bd-3.1)
    - open P2: Printer (bd-4)

    Blocked:

    - open P0: Release (bd-5), blocked by bd-3, bd-4: ship it
    - blocked P1: Stuck (bd-9)

    Other: 1 deferred, 1 in-review

    Entries of the export that could not be read: 1
    ");
}

#[test]
fn mock_files_are_one_list() {
    let mock = r#"[
      {"id": "t.1", "title": "One", "status": "completed"},
      {"id": "t.2", "title": "Two", "status": "in_progress", "dependencies": ["t.3"]},
      {"id": 3, "title": "Three", "status": "open"},
      {"id": "t.3", "status": null},
      "not a bead", {"title": "no id"}
    ]"#;
    assert_snapshot!(beads_section(mock, None).unwrap(), @r"
    Completed: One (t.1)

    Active:

    - in_progress: Two (t.2), blocked by t.3
    - open: Three (3)
    - open: untitled (t.3)

    Entries of the export that could not be read: 2
    ");
    let envelope = r#"{"schema_version":1,"data":[{"id":"a","title":"A","status":"done"}]}"#;
    assert_snapshot!(beads_section(envelope, None).unwrap(), @"Completed: A (a)");
}

#[test]
fn no_bead_no_section() {
    for export in ["", "\n\n", "[]", "nonsense", r#"{"_type":"memory","key":"k","value":"v"}"#, "{\"data\":[]}\n{}"] {
        assert_eq!(beads_section(export, Some("now")), None, "{export}");
    }
}

#[test]
fn the_later_entry_holds_and_blockers_may_turn_in_circles() {
    let export = r#"{"id":"a","title":"old","status":"open"}
{"id":"b","title":"B","status":"open","dependencies":[{"depends_on_id":"a","type":"blocks"},{"depends_on_id":"a","type":"blocks"}]}
{"id":"a","title":"new","status":"open","dependencies":[{"depends_on_id":"b","type":"conditional-blocks"},{"depends_on_id":"a","type":"blocks"}]}"#;
    assert_snapshot!(beads_section(export, None).unwrap(), @r"
    Blocked:

    - open: new (a), blocked by b
    - open: B (b), blocked by a
    ");
}

#[test]
fn long_descriptions_are_cut_and_deep_json_is_refused() {
    let export = format!(r#"{{"id":"a","title":"A","description":"{}"}}"#, "é".repeat(1_500));
    let section = beads_section(&export, None).unwrap();
    assert!(section.ends_with("é [500 more characters]\n"), "{section}");
    let deep = format!("{{\"id\":\"a\"}}\n{}", "[".repeat(1_000_000));
    assert!(beads_section(&deep, None).unwrap().contains("could not be read: 1"));
}

/// Titles, ids and descriptions that would open something at the start of a line.
#[test]
fn no_text_opens_a_block() {
    for evil in
        ["# h", "```", "~~~", "- x", "> q", "1. x", "---", "<!--", "[a]: b", "\n\n## Files\n\n```\n", "\u{2028}# h"]
    {
        let bead = serde_json::json!({"id": evil, "title": evil, "description": evil, "status": evil});
        let open =
            serde_json::json!({"id": format!("{evil}2"), "title": evil, "description": evil, "dependencies": [evil]});
        check_lines(&beads_section(&format!("{bead}\n{open}"), Some(evil)).unwrap());
    }
}

/// Every line is empty or begins with a word of ours.
fn check_lines(section: &str) {
    const STARTS: &str =
        "Exported: |Completed: |Active:|Blocked:|Other: |Entries of|- in_progress|- hooked|- open|- blocked";
    for line in section.lines() {
        assert!(line.is_empty() || STARTS.split('|').any(|start| line.starts_with(start)), "{line:?}");
        assert!(!line.contains(['\r', '\u{2028}', '\u{b}']));
    }
}

proptest! {
    #[test]
    fn any_text_is_taken(export in ".*", time in proptest::option::of(".*")) {
        let _ = beads_section(&export, time.as_deref());
    }

    #[test]
    fn any_fields_make_safe_lines(
        id in "\\PC{1,9}", title in ".*", status in "(open|closed|blocked|in_progress|.*)", text in "[\\s\\S]{0,40}", p in any::<i64>(),
    ) {
        let bead = serde_json::json!({"id": id, "title": title, "status": status, "description": text, "priority": p});
        if let Some(section) = beads_section(&format!("[{bead}]"), None) {
            check_lines(&section);
        }
    }

    #[test]
    fn natural_is_an_order(a in "[a0-9-]{0,6}", b in "[a0-9-]{0,6}", c in "[a0-9-]{0,6}") {
        prop_assert_eq!(natural(&a, &b), natural(&b, &a).reverse());
        prop_assert_eq!(natural(&a, &b) == Ordering::Equal, a == b);
        if natural(&a, &b).is_lt() && natural(&b, &c).is_lt() {
            prop_assert!(natural(&a, &c).is_lt());
        }
    }
}
