//! How much of what a task needs a document shows.
//!
//! Takes a document, the task and the project as it was; gives shares between 0 and 1. Nothing counts unless the path of the
//! file is shown, and a document over its budget shows nothing.

use super::document::Document;
use super::gold::{Function, squash};
use super::project::Project;
use super::tasks::Task;
use contexture_core::{Counter, Tokenizer};
use std::collections::BTreeSet;

/// The shares of one document, and what went wrong.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Score {
    /// Files whose path occurs.
    pub file: f64,
    /// Functions whose head occurs.
    pub sig: f64,
    /// Functions that are there whole.
    pub body: f64,
    /// Changed lines that are there together with the line before or after them.
    pub line: f64,
    /// How far down the first changed line or function is, as a share of the document; 1 where none is shown.
    pub first: f64,
    /// The share of the text in signatures without their bodies.
    pub bare: f64,
    pub tokens: u64,
    pub over: bool,
    pub failed: bool,
}

/// Two lines with fewer letters and digits must be in the part of their own file.
const TELLING: usize = 16;

/// A task with what must be known of its project to judge documents.
pub struct Judge<'a> {
    task: &'a Task,
    project: &'a Project,
    /// For each function of the gold in its order, whether its head and its body stand elsewhere too.
    twins: Vec<(bool, bool)>,
}

impl<'a> Judge<'a> {
    pub fn new(task: &'a Task, project: &'a Project) -> Self {
        let functions = task.gold.iter().flat_map(|file| file.functions.iter().map(|one| (file.path.as_str(), one)));
        let twins = functions.map(|(path, one)| (repeats(project, &one.head), copied(project, path, one))).collect();
        Self { task, project, twins }
    }

    pub fn score(&self, text: &str, budget: u64) -> Score {
        let tokens = Tokenizer::O200k.count(text);
        if tokens > budget {
            return Score { tokens, over: true, ..Score::default() };
        }
        let document = Document::read(text, &self.project.paths);
        let (mut files, mut heads, mut bodies) = (Share::default(), Share::default(), Share::default());
        let (mut lines, mut first) = (Share::default(), 1.0_f64);
        let mut twins = self.twins.iter();
        for file in &self.task.gold {
            let path = file.path.as_str();
            let seen = document.names(path);
            files.add(seen);
            for (function, (head, body)) in file.functions.iter().zip(twins.by_ref()) {
                // What stands in several places must stand in the part of its own file.
                let place = document.place(&function.lines, body.then_some(path)).filter(|_| seen);
                first = first.min(place.unwrap_or(1.0));
                let body = place.is_some();
                heads.add(body || seen && document.declares(&function.head, head.then_some(path)));
                bodies.add(body);
            }
            for line in &file.lines {
                let with = |pair: [Option<&String>; 2]| -> Option<f64> {
                    let pair: Vec<String> = pair.into_iter().map(|line| line.cloned()).collect::<Option<_>>()?;
                    // A few signs may be anywhere.
                    let letters =
                        pair.iter().flat_map(|line| line.chars()).filter(|sign| sign.is_alphanumeric()).count();
                    document.place(&pair, (letters < TELLING).then_some(path))
                };
                let place = with([line.before.as_ref(), Some(&line.text)])
                    .or_else(|| with([Some(&line.text), line.after.as_ref()]))
                    .filter(|_| seen);
                first = first.min(place.unwrap_or(1.0));
                lines.add(place.is_some());
            }
        }
        Score {
            file: files.value(),
            sig: heads.value(),
            body: bodies.value(),
            line: lines.value(),
            first,
            bare: document.bare(),
            tokens,
            ..Score::default()
        }
    }
}

/// Whether a head stands in more than one line of the sources.
fn repeats(project: &Project, head: &str) -> bool {
    // The first word finds the candidates without normalising every line.
    let first = head.split(' ').next().unwrap_or(head);
    let lines = project.sources.iter().flat_map(|(_, text)| text.lines());
    lines.filter(|line| line.contains(first) && squash(line).contains(head)).nth(1).is_some()
}

/// Whether another file has the same function word for word.
fn copied(project: &Project, path: &str, function: &Function) -> bool {
    let longest = function.lines.iter().max_by_key(|line| line.len()).map_or("", String::as_str);
    let others = project.sources.iter().filter(|(other, text)| other != path && text.contains(longest));
    let none = BTreeSet::new();
    others.map(|(_, text)| Document::read(text, &none)).any(|other| other.shows(&function.lines, None))
}

#[derive(Default)]
struct Share {
    hits: u32,
    all: u32,
}

impl Share {
    fn add(&mut self, hit: bool) {
        self.hits += u32::from(hit);
        self.all += 1;
    }

    fn value(&self) -> f64 {
        f64::from(self.hits) / f64::from(self.all.max(1))
    }
}
