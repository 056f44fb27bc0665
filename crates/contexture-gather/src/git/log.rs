//! The newest commits as a few lines each.
//!
//! Takes a number; gives stable text: one line for the commit, one for each file it touched below the root. Names and
//! subjects are other people's text and are kept to their line.

use super::child::PLAIN_LOG;
use super::{GitError, Repo, objects};
use contexture_core::render::printable;
use std::ffi::OsString;

/// A commit that touches more shows this many and says how many it does not: past that it is an import or a move.
const PATHS: usize = 20;

/// No commit and no path can hold the zero byte that ends a field. Merges list no files, as in git's own log.
const OPTIONS: [&str; 3] = ["--diff-merges=off", "--ignore-submodules=none", "--format=tformat:%H%x00%aI%x00%an%x00%s"];

impl Repo {
    /// The newest `count` commits that touch the root, newest first. Each is
    /// `hash date author: subject` with 12 digits of the hash, then the files as `  M path`.
    pub fn log(&self, count: usize) -> Result<String, GitError> {
        if count == 0 {
            return Ok(String::new());
        }
        let head = self.resolve("HEAD")?;
        let with_files = self.run_log(&head, count, true);
        // A partial clone may lack the trees that tell which files changed; the commits themselves are there.
        let listing = with_files.or_else(|_| self.run_log(&head, count, false))?;
        Ok(self.write_log(&listing))
    }

    fn run_log(&self, head: &str, count: usize, files: bool) -> Result<Vec<u8>, GitError> {
        let mut args: Vec<OsString> = PLAIN_LOG.iter().chain(&OPTIONS).map(OsString::from).collect();
        args.push(if files { "--name-status" } else { "--no-patch" }.into());
        args.extend([format!("--max-count={count}").into(), "--end-of-options".into(), head.into(), "--".into()]);
        if !self.prefix.is_empty() {
            args.push(self.prefix.clone());
        }
        self.git.run("log", args, Vec::new())?.or_fail("log")
    }

    fn write_log(&self, listing: &[u8]) -> String {
        let mut out = String::new();
        let mut fields = listing.split(|byte| *byte == 0);
        let mut paths = 0;
        // Where a commit or a status stands, a commit is known by its full id; a status has one letter.
        while let Some(field) = fields.next() {
            let word = String::from_utf8_lossy(field.trim_ascii_start());
            if objects::is_oid(&word) {
                push_rest(&mut out, paths);
                paths = 0;
                let mut next = || one_line(&String::from_utf8_lossy(fields.next().unwrap_or_default()));
                let (date, author, subject) = (utc(next()), next(), next());
                let short = word.get(..12).unwrap_or_default();
                out.push_str(&format!("{short} {date} {author}: {subject}\n"));
            } else if let Some(path) =
                (!word.is_empty()).then(|| fields.next()).flatten().and_then(|path| self.below_root(path))
            {
                paths += 1;
                if paths <= PATHS {
                    out.push_str(&format!("  {} {}\n", one_line(&word), printable(&path)));
                }
            }
        }
        push_rest(&mut out, paths);
        out
    }
}

fn push_rest(out: &mut String, paths: usize) {
    if paths > PATHS {
        out.push_str(&format!("  and {} more\n", paths - PATHS));
    }
}

/// Versions of git differ in how they write a zone of zero.
fn utc(date: String) -> String {
    date.strip_suffix("+00:00").map_or(date.clone(), |local| format!("{local}Z"))
}

fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}
