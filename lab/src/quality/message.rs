//! Commit messages as tasks: what is left when trailers and references are gone, and which of them ask for nothing.
//!
//! Takes the raw text of a message; gives the text that becomes the query, or a verdict on it. Knows nothing of files or git.

/// Fewer words than this seldom say what is to be done.
const FEWEST_WORDS: usize = 8;

/// Keys of trailers that do not end in `-by`.
const TRAILERS: [&str; 8] = ["cc", "change-id", "git-svn-id", "link", "pr-url", "reviewed-on", "cla", "signed-off"];

/// Words that stand before a reference and mean nothing without it.
const CLOSING: [&str; 19] = [
    "fix",
    "fixes",
    "fixed",
    "fixing",
    "close",
    "closes",
    "closed",
    "closing",
    "resolve",
    "resolves",
    "resolved",
    "ref",
    "refs",
    "see",
    "issue",
    "issues",
    "pr",
    "bug",
    "addresses",
];

/// Words in a subject that belong to upkeep: releases, dependencies, formatting, wording. Nobody needs code to be found for
/// these, and their changes are often made by a program.
const UPKEEP: [&str; 34] = [
    "bump",
    "bumps",
    "bumped",
    "release",
    "releases",
    "changelog",
    "dependency",
    "dependencies",
    "deps",
    "dependabot",
    "renovate",
    "rustfmt",
    "gofmt",
    "fmt",
    "prettier",
    "eslint",
    "golint",
    "lint",
    "lints",
    "linter",
    "linting",
    "clippy",
    "formatting",
    "whitespace",
    "typo",
    "typos",
    "spell",
    "spelling",
    "copyright",
    "license",
    "workflow",
    "workflows",
    "merge",
    "merged",
];

/// The message without trailers, references to issues, rules, and what forms leave behind: comments and boxes to tick.
pub fn clean(raw: &str) -> String {
    let raw = &without_comments(raw);
    let mut out = String::with_capacity(raw.len());
    let mut blank = true;
    for line in raw.lines() {
        let line =
            if is_trailer(line) || is_rule(line) || is_box(line) { String::new() } else { without_references(line) };
        // One blank line is enough where several were, or where something was taken out.
        if line.trim().is_empty() {
            if !blank {
                out.push('\n');
            }
            blank = true;
        } else {
            out.push_str(line.trim_end());
            out.push('\n');
            blank = false;
        }
    }
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Whether a message, raw and cleaned, describes a piece of work that could be asked for.
pub fn is_task(raw: &str, clean: &str) -> bool {
    let words = clean.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count();
    words >= FEWEST_WORDS && !is_revert(raw) && !is_upkeep(raw.lines().next().unwrap_or(""))
}

/// Whether `name` stands in the text as a word of its own, not inside of a longer identifier.
pub fn names(text: &str, name: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text.get(..at).and_then(|head| head.chars().next_back());
            let after = text.get(at + name.len()..).and_then(|tail| tail.chars().next());
            !before.is_some_and(inside) && !after.is_some_and(inside)
        })
}

fn is_revert(raw: &str) -> bool {
    let subject = raw.trim_start().to_lowercase();
    ["revert", "reapply", "rollback", "roll back"].iter().any(|word| subject.starts_with(word))
        || raw.contains("This reverts commit")
        || subject.lines().next().is_some_and(|line| line.contains("revert \""))
}

fn is_upkeep(subject: &str) -> bool {
    let subject = subject.to_lowercase();
    let words = || subject.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let version = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).trim_start_matches('v');
        word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit())
    };
    let mut parts = subject.split_whitespace();
    let begins_with_version = parts.next().is_some_and(version);
    let raises = words().any(|word| ["update", "upgrade", "version", "prepare", "set"].contains(&word));
    words().any(|word| UPKEEP.contains(&word)) || begins_with_version || raises && parts.any(version)
}

/// `Signed-off-by: …` and its like, also as an item of a list.
fn is_trailer(line: &str) -> bool {
    let line = line.trim_start_matches(['*', '-', ' ', '\t']).to_lowercase();
    let key = line.split_once(':').map(|(key, _)| key);
    key.is_some_and(|key| key.ends_with("-by") && !key.contains(' ') || TRAILERS.contains(&key))
        || line.starts_with("(cherry picked from")
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && line.chars().all(|c| "-=_*~".contains(c))
}

fn is_box(line: &str) -> bool {
    let item = line.trim().trim_start_matches(['-', '*']).trim_start().to_lowercase();
    item.starts_with("[ ]") || item.starts_with("[x]")
}

/// The text without `<!-- … -->`; a comment that does not end stays.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!--") {
        let Some((_, behind)) = after.split_once("-->") else { break };
        out.push_str(before);
        rest = behind;
    }
    out + rest
}

/// The line without references and the words that led to them; a line without references stays as it is.
fn without_references(line: &str) -> String {
    if !line.split_whitespace().any(is_reference) {
        return line.to_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    for word in line.split_whitespace() {
        if !is_reference(word) {
            kept.push(word);
            continue;
        }
        while kept.last().is_some_and(|last| CLOSING.contains(&&*last.trim_end_matches([':', ',']).to_lowercase())) {
            kept.pop();
        }
    }
    // What is left of a line that was a reference: `-`, `*`, `and`.
    if kept.iter().any(|word| word.len() > 3 && word.chars().any(char::is_alphabetic)) {
        kept.join(" ")
    } else {
        String::new()
    }
}

/// `#12`, `(#12)`, `GH-12`, `owner/name#12`, and addresses of issues and the like.
fn is_reference(word: &str) -> bool {
    let word = word.trim_matches(|c: char| "()[]<>.,;:!".contains(c));
    let number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let address = word.starts_with("http")
        && ["/issues/", "/issue/", "/pull/", "/pulls/", "/commit/", "/merge_requests/", "/discussions/"]
            .iter()
            .any(|part| word.contains(part));
    let plain = word.rsplit_once('#').is_some_and(|(before, after)| {
        number(after) && (before.is_empty() || before.contains('/') && !before.contains(':'))
    });
    address || plain || word.strip_prefix("GH-").or_else(|| word.strip_prefix("gh-")).is_some_and(number)
}
