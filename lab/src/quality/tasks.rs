//! Which commits become tasks.
//!
//! Takes a history and languages; gives tasks: the cleaned message as the query, and what the commit changed as the gold.
//! The rule is fixed: the same history gives the same tasks, in the order of commit ids, and a smaller number gives the first of them.

use super::history::{Change, Commit, History};
use super::{diff, gold, message};
use contexture_syntax as syntax;
use std::collections::BTreeSet;

/// A piece of work that was done in public.
pub struct Task {
    pub language: String,
    /// The number of its history on the command line.
    pub history: usize,
    pub commit: String,
    pub parent: String,
    pub query: String,
    pub gold: Vec<File>,
    /// Whether the query names a file or a function of the gold, so that little is left to find.
    pub named: bool,
}

/// A file that the commit changed, with the functions it changed there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    pub path: String,
    pub functions: Vec<gold::Function>,
    /// Places of values that it changed outside of functions.
    pub values: Vec<usize>,
    /// Lines that it removed, replaced or put something after.
    pub lines: Vec<gold::Line>,
}

/// More files than this are a mass change, whatever the message says.
const MOST_FILES: usize = 20;
/// Source files and functions of one language, and touched lines in them: more is no longer one thing to look for.
const MOST_SOURCES: usize = 4;
const MOST_FUNCTIONS: usize = 8;
const MOST_LINES: usize = 400;

/// At most `count` tasks for each language.
pub fn choose(history: &History, number: usize, languages: &[String], count: usize) -> Result<Vec<Task>, String> {
    let mut tasks: Vec<Task> = Vec::new();
    let mut seen = BTreeSet::new();
    for commit in history.commits()? {
        let taken = |language: &String| tasks.iter().filter(|task| task.language == **language).count();
        let open: Vec<&String> = languages.iter().filter(|language| taken(language) < count).collect();
        if open.is_empty() {
            break;
        }
        let query = message::clean(&commit.message);
        // The same work may be there twice: picked onto another branch, or done again after it was taken back.
        if !message::is_task(&commit.message, &query) || seen.contains(&query) {
            continue;
        }
        let changes = history.changes(&commit)?;
        if changes.len() > MOST_FILES {
            continue;
        }
        for language in open {
            let Some(gold) = gold_of(history, &commit, &changes, language) else { continue };
            let named = gold.iter().any(|file| {
                let name = file.path.rsplit('/').next().unwrap_or(&file.path);
                message::names(&query, name) || file.functions.iter().any(|one| message::names(&query, &one.name))
            });
            seen.insert(query.clone());
            let (commit, parent) = (commit.id.clone(), commit.parent.clone());
            let language = language.clone();
            tasks.push(Task { language, history: number, commit, parent, query: query.clone(), gold, named });
        }
    }
    Ok(tasks)
}

/// The gold of a commit in one language; `None` when it is no task.
fn gold_of(history: &History, commit: &Commit, changes: &[Change], language: &str) -> Option<Vec<File>> {
    let of_language = |change: &&Change| {
        syntax::language_of(&change.path, "").is_some_and(|found| gold::key(found) == language)
            && !gold::is_test_path(&change.path)
            && !gold::is_foreign(&change.path, "")
    };
    let sources: Vec<&Change> = changes.iter().filter(of_language).filter(|change| change.status != 'A').collect();
    // Files that were moved or removed have no functions that were worked on.
    if sources.is_empty() || sources.len() > MOST_SOURCES || sources.iter().any(|change| change.status != 'M') {
        return None;
    }
    let mut files = Vec::new();
    let mut lines = 0;
    for Change { path, .. } in sources {
        // A text that the git directory lacks or that is not UTF-8 cannot be looked for.
        let text = history.before(commit, path).ok().filter(|text| !text.contains(['\u{fffd}', '\0']))?;
        if gold::is_foreign(path, &text) {
            continue;
        }
        let touches = diff::touches(&history.patch(commit, path).ok()?);
        lines += diff::size(&touches);
        if lines > MOST_LINES {
            return None;
        }
        let touched = gold::touched(path, &text, &touches)?;
        if !touched.only_tests {
            let lines = gold::lines(&text, &touches);
            files.push(File { path: path.clone(), functions: touched.functions, values: touched.values, lines });
        }
    }
    let functions: usize = files.iter().map(|file| file.functions.len()).sum();
    (1..=MOST_FUNCTIONS).contains(&functions).then_some(files)
}
