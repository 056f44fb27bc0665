//! Files of a commit, read from git's objects and digested once.

use crate::quality::History;
use contexture_core::rank::Digest;
use contexture_core::shape::{FileNature, TextForm, language_of, nature};
use contexture_core::{CodeReader, InProcess, Item};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Child, ChildStdout, Stdio};
use std::sync::Arc;

/// Larger files are data.
const LARGEST: u64 = 1 << 20;

pub struct Blobs {
    git: Child,
    answers: BufReader<ChildStdout>,
    known: BTreeMap<String, Known>,
}

pub type Known = Option<(Arc<str>, Arc<Digest>)>;

impl Blobs {
    pub fn open(history: &History) -> Result<Self, String> {
        let mut git = history.git(&["cat-file", "--batch"]);
        let mut git = git.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
        let answers = BufReader::new(git.stdout.take().ok_or("no output")?);
        Ok(Self { git, answers, known: BTreeMap::new() })
    }

    /// The files of a commit by path; those of other commits are forgotten.
    pub fn tree(&mut self, history: &History, commit: &str) -> Result<Vec<(String, Known)>, String> {
        let listed = history.ask(&["ls-tree", "-r", "-z", "-l", "--full-tree", commit])?;
        let mut wanted = Vec::new();
        for line in listed.split('\0') {
            let Some((about, path)) = line.split_once('\t') else { continue };
            let mut words = about.split_whitespace();
            let (Some(mode), Some("blob"), Some(id), Some(size)) =
                (words.next(), words.next(), words.next(), words.next())
            else {
                continue;
            };
            if mode == "120000" || size.parse::<u64>().is_ok_and(|size| size > LARGEST) {
                continue;
            }
            wanted.push((path.to_owned(), id.to_owned()));
        }
        let mut texts = Vec::new();
        for (path, id) in &wanted {
            if !self.known.contains_key(id) {
                texts.push((path, id, self.read(id)?));
            }
        }
        let made: Vec<(String, Known)> = texts
            .into_par_iter()
            .map(|(path, id, text)| (id.clone(), text.and_then(|text| digest(path, &text))))
            .collect();
        self.known.extend(made);
        let mut old = std::mem::take(&mut self.known);
        let mut tree = Vec::with_capacity(wanted.len());
        for (path, id) in wanted {
            let known = match self.known.get(&id) {
                Some(known) => known.clone(),
                None => old.remove(&id).flatten(),
            };
            self.known.insert(id, known.clone());
            tree.push((path, known));
        }
        tree.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(tree)
    }

    fn read(&mut self, id: &str) -> Result<Option<String>, String> {
        let fail = |error: std::io::Error| error.to_string();
        let stdin = self.git.stdin.as_mut().ok_or("no input")?;
        writeln!(stdin, "{id}").and_then(|()| stdin.flush()).map_err(fail)?;
        let mut head = String::new();
        self.answers.read_line(&mut head).map_err(fail)?;
        let Some(size) = head.split_whitespace().nth(2).and_then(|size| size.parse::<usize>().ok()) else {
            return Ok(None);
        };
        let mut bytes = vec![0; size + 1];
        self.answers.read_exact(&mut bytes).map_err(fail)?;
        bytes.pop();
        Ok(String::from_utf8(bytes).ok().filter(|text| !text.contains('\0')))
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        drop(self.git.stdin.take());
        let _ = self.git.wait();
    }
}

/// `None` for what has no words: binary, generated, data.
fn digest(path: &str, text: &str) -> Known {
    let item = Item::file(path, text);
    if nature(&item) != FileNature::Ordinary {
        return None;
    }
    let read = || InProcess.digest(language_of(&item, text), text, TextForm::of(&item), None);
    let digest = catch_unwind(AssertUnwindSafe(read)).ok()?;
    Some((text.into(), digest))
}
