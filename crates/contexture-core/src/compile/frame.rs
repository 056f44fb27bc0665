//! The header and the task of a document, within their share of the budget.
//!
//! Takes the options of a compilation; gives them without a frame where the budget is tiny, and with the start of a task that is
//! too long for its share and a note that says so.

use crate::shape::Tools;
use crate::types::{DocumentFrame, Note, Options, Text, Tokens, Topic, grouped, lines};

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
    let task = shortened(task, room.0.saturating_sub(MARK), &|text| count(text).0);
    let note = format!(
        "the task takes {} tokens, more than an eighth of the budget: {}",
        grouped(all.0),
        if task.is_some() { "its beginning and its end are shown" } else { "it is not shown" }
    );
    let note = Note::new(Topic::Reduced, note).hint("raise `--budget`, or send the task as the message");
    let frame = DocumentFrame { task, ..options.frame.clone() };
    (Options { frame, ..options }, Some(note))
}

/// The beginning and the end of a task, with a line that says how much is missing between them: a report begins with what is wrong
/// and often ends with the error.
fn shortened(task: &str, room: u64, count: &dyn Fn(&str) -> u64) -> Option<Text> {
    let all: Vec<&str> = lines(task).collect();
    let fitting = |lines: &mut dyn Iterator<Item = &&str>, room: u64| {
        let mut taken = 0;
        lines
            .take_while(|line| {
                taken += count(line);
                taken <= room
            })
            .count()
    };
    let head = fitting(&mut all.iter(), room * 3 / 5);
    let spent: u64 = all[..head].iter().map(|line| count(line)).sum();
    let tail = fitting(&mut all[head..].iter().rev(), room - spent.min(room));
    let (start, end) = (all[..head].concat(), all[all.len() - tail..].concat());
    let left = all.len() - head - tail;
    if start.trim().is_empty() && end.trim().is_empty() {
        // One long line: about three bytes are a token at least.
        let cut = task.trim_start();
        let start = cut.get(..cut.floor_char_boundary(usize::try_from(room * 2).unwrap_or(usize::MAX)))?;
        return (!start.is_empty()).then(|| format!("{start}\n[the rest of the task is not shown]").into());
    }
    Some(
        format!("{}\n[{left} more lines of the task are not shown]\n{}", start.trim_end(), end.trim_end())
            .trim()
            .into(),
    )
}

/// Tokens of the line that says how much is missing.
const MARK: u64 = 12;

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn a_long_task_keeps_its_beginning_and_its_end() {
        let words = |text: &str| text.split_whitespace().count() as u64;
        let task =
            "it fails\nfirst do this\nthen do that\nand that again\nmany more words here\nError: no such thing\n";
        let shown = shortened(task, 10, &words).expect("there is room");
        assert_eq!(&*shown, "it fails\nfirst do this\n[3 more lines of the task are not shown]\nError: no such thing");
        let shown = shortened(&"word ".repeat(400), 10, &words).expect("a part of a line");
        assert_eq!(&*shown, "word word word word \n[the rest of the task is not shown]");
    }
}
