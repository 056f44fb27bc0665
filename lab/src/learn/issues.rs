//! Tasks from issues: a text, the commit it was solved on, and the patch that solved it.
//!
//! Takes a file of JSON lines `{"repo", "commit", "query", "patch"}`; gives the tasks of one history, with the functions that
//! the patch touched as gold. Lines whose commit or files the history lacks are left out.

use crate::quality::{GoldFile, History, Task, Touch, touched};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Issue {
    repo: String,
    commit: String,
    query: String,
    patch: String,
}

pub fn tasks(file: &Path, history: &History) -> Result<Vec<Task>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read `{}`: {error}", file.display()))?;
    let mut tasks = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let issue: Issue = serde_json::from_str(line)
            .map_err(|error| format!("`{}`, line {}: {error}", file.display(), number + 1))?;
        if issue.repo == history.name {
            tasks.extend(task(history, issue));
        }
    }
    Ok(tasks)
}

fn task(history: &History, issue: Issue) -> Option<Task> {
    let mut gold = Vec::new();
    for (path, touches) in touches(&issue.patch) {
        let text = history.ask(&["cat-file", "blob", &format!("{}:{path}", issue.commit)]).ok()?;
        let (functions, values) =
            touched(&path, &text, &touches).map(|touched| (touched.functions, touched.values)).unwrap_or_default();
        gold.push(GoldFile { path, functions, values, lines: Vec::new() });
    }
    let language = contexture_syntax::language_of(&gold.first()?.path, "")?.fence.to_owned();
    let Issue { commit, query, .. } = issue;
    Some(Task { language, history: 0, parent: commit.clone(), commit, query, gold, named: false })
}

/// Touched places of each changed file, from a patch with or without context lines. Added files have none.
fn touches(patch: &str) -> Vec<(String, Vec<Touch>)> {
    let mut files: Vec<(String, Vec<Touch>)> = Vec::new();
    let (mut at, mut left) = (0, 0);
    for line in patch.lines() {
        if left == 0 {
            if let Some(path) = line.strip_prefix("--- a/") {
                files.push((path.to_owned(), Vec::new()));
            } else if line.starts_with("--- /dev/null") {
                files.push((String::new(), Vec::new()));
            } else if let Some((first, old, new)) = line.strip_prefix("@@ -").and_then(hunk) {
                // A hunk without old lines names the line it comes after.
                (at, left) = (first + usize::from(old == 0), old + new);
            }
            continue;
        }
        let Some((_, found)) = files.last_mut() else { break };
        match line.bytes().next() {
            Some(b'-') => {
                match found.last_mut() {
                    Some(Touch::Lines { last, .. }) if *last + 1 == at => *last = at,
                    _ => found.push(Touch::Lines { first: at, last: at }),
                }
                (at, left) = (at + 1, left - 1);
            }
            Some(b'+') => {
                // Lines that replace others are at the place of those.
                let replaces = matches!(found.last(), Some(Touch::Lines { last, .. }) if *last + 1 == at);
                if !replaces && found.last() != Some(&Touch::After(at - 1)) {
                    found.push(Touch::After(at - 1));
                }
                left -= 1;
            }
            Some(b'\\') => {}
            _ => (at, left) = (at + 1, left.saturating_sub(2)),
        }
    }
    files.retain(|(path, touches)| !path.is_empty() && !touches.is_empty());
    files
}

/// `12,3 +14,5 @@`: the first old line, and how many old and new lines the hunk has.
fn hunk(head: &str) -> Option<(usize, usize, usize)> {
    let mut words = head.split(' ');
    let count = |range: &str| range.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok());
    let (old, new) = (words.next()?, words.next()?.strip_prefix('+')?);
    let first = old.split(',').next()?.parse().ok()?;
    Some((first, count(old)?, count(new)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_a_patch_with_context_are_those_of_the_old_file() {
        let patch = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,5 +1,6 @@ class A\n one\n-two\n+2\n three\n+more\n four\n five\n\
                     @@ -9,2 +10 @@\n-nine\n-ten\n+10\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+new\n";
        let lines = |first, last| Touch::Lines { first, last };
        assert_eq!(touches(patch), [("a.py".to_owned(), vec![lines(2, 2), Touch::After(3), lines(9, 10)])]);
    }

    #[test]
    fn an_insertion_without_context_is_after_its_line() {
        let patch = "--- a/a.py\n+++ b/a.py\n@@ -7,0 +8,2 @@\n+x\n+y\n";
        assert_eq!(touches(patch), [("a.py".to_owned(), vec![Touch::After(7)])]);
        assert_eq!(touches("@@ -x +y @@\n-- a/\n+z"), []);
    }
}
