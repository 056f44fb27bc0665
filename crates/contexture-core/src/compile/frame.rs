//! The header and the task of a document, within their share of the budget.
//!
//! Takes the options of a compilation; gives them without a frame where the budget is tiny, and with the start of a task that is
//! too long for its share and a note that says so.

use crate::shape::Tools;
use crate::types::{DocumentFrame, Note, Options, Tokens, Topic, grouped, lines};

/// A task may take this part of the budget: what answers it matters more than the question.
const SHARE: u64 = 8;
/// With a smaller budget there is no header and no task: every token is for the files.
const SMALLEST: u64 = 400;

pub fn fitted_frame(options: Options, tools: &Tools<'_>) -> (Options, Option<Note>) {
    if options.budget.is_some_and(|budget| budget.0 < SMALLEST) {
        let frame = DocumentFrame { header: None, task: None, ..options.frame.clone() };
        return (Options { frame, ..options }, None);
    }
    let (Some(task), Some(budget)) = (&options.frame.task, options.budget) else { return (options, None) };
    let room = Tokens(budget.0 / SHARE);
    let count = |text: &str| tools.meter.words(text);
    let all = count(task);
    if all <= room {
        return (options, None);
    }
    let (mut start, mut taken, mut left) = (String::new(), MARK, 0_usize);
    for line in lines(task) {
        taken += count(line).0;
        if left > 0 || taken > room.0 {
            left += 1;
        } else {
            start.push_str(line);
        }
    }
    let mark = format!("[{left} more lines of the task are not shown]");
    let task = if start.trim().is_empty() { None } else { Some(format!("{}\n{mark}", start.trim_end()).into()) };
    let note = format!(
        "the task takes {} tokens, more than an eighth of the budget: {}",
        grouped(all.0),
        if task.is_some() { "its beginning is shown" } else { "it is not shown" }
    );
    let note = Note::new(Topic::Reduced, note).hint("raise `--budget`, or send the task as the message");
    let frame = DocumentFrame { task, ..options.frame.clone() };
    (Options { frame, ..options }, Some(note))
}

/// Tokens of the line that says how much is missing.
const MARK: u64 = 12;
