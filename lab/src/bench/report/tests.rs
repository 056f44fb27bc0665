//! Tables and verdicts from figures made up for the purpose.

use super::super::ours::ON_CURVE;
use super::*;
use std::time::Duration;

fn row(name: &str, millis: &[u64], peak_kib: u64) -> Outcome {
    Outcome {
        name: name.to_owned(),
        about: "x".to_owned(),
        times: millis.iter().map(|time| Duration::from_millis(*time)).collect(),
        peak_kib: Some(peak_kib),
        output_bytes: 2_000_000,
        remark: None,
    }
}

fn corpus(files: u64, bytes: u64) -> Corpus {
    Corpus { name: "made".to_owned(), folder: "/x".into(), files, bytes, tokens: 500_000 }
}

fn lines<'text>(text: &'text str, start: &str) -> Vec<&'text str> {
    text.lines().filter(|line| line.starts_with(start)).collect()
}

#[test]
fn a_target_is_met_missed_or_not_measured() {
    let rows = [row(LIMIT, &[10, 12], 1000), row(WARM, &[19, 30], 1000), row("yek", &[18, 18], 1000)];
    let text = files(&corpus(10, 2_000_000), &rows);
    assert_eq!(
        lines(&text, "| warm"),
        [
            "| warm, to stdout | contexture warm ≤ 2 × limit | 1.90 | 2.50 | PASS |",
            "| warm, durable file | contexture warm, file ≤ 2 × limit, synced | – | – | not measured |",
            "| warm against yek | yek ≥ 1 × contexture warm | 0.95 | 0.60 | MISS |",
        ]
    );
}

#[test]
fn memory_is_judged_by_the_largest_of_ours_and_not_by_a_failed_row() {
    let text = files(&corpus(10, 2_000_000), &[row(WARM, &[1], 70_000), row(COLD, &[], 10), row("yek", &[1], 900_000)]);
    assert_eq!(
        lines(&text, "| peak"),
        ["| peak memory | all contexture rows ≤ 1.5 × text + 60 MB = 63 MB | 72 MB |  | MISS |"]
    );
}

#[test]
fn a_program_that_shows_too_little_is_named_and_meets_no_target() {
    let rows = [row(LIMIT, &[10], 1000), row(WARM, &[1], 1000), row("yek", &[18], 1000)];
    let text = files(&corpus(10, 20_000_000), &rows);
    assert!(
        text.contains("| contexture warm | x | 0.001 | 0.001 | 0.1 | 1 | 2.0 | shows 10 % of the text |"),
        "{text}"
    );
    assert!(!text.contains("PASS"), "{text}");
}

#[test]
fn start_up_does_not_bend_a_curve_but_a_square_does() {
    let point = |files: u64, millis: u64| (vec![row(WARM, &[millis], files)], corpus(files, files * 1000));
    let straight = [point(1_000, 110), point(3_000, 130), point(10_000, 200), point(30_000, 400)];
    assert_eq!(
        lines(&curve(&straight, &ON_CURVE), "| contexture warm, time"),
        ["| contexture warm, time | a MB after 10,000 files costs ≤ 1.3 × one before | 1.00 | PASS |"]
    );
    let square = [point(1_000, 1), point(3_000, 9), point(10_000, 100), point(30_000, 900)];
    assert_eq!(
        lines(&curve(&square, &ON_CURVE), "| contexture warm, time"),
        ["| contexture warm, time | a MB after 10,000 files costs ≤ 1.3 × one before | 3.64 | MISS |"]
    );
}

#[test]
fn only_the_text_between_the_markers_changes() {
    let old = "a\n<!-- bench:files -->\nold\n<!-- /bench:files -->\nb\n";
    assert_eq!(
        between(old, "files", "new").as_deref(),
        Some("a\n<!-- bench:files -->\nnew\n<!-- /bench:files -->\nb\n")
    );
    assert_eq!(between(old, "curve", "new"), None);
}
