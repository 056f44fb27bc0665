//! The figures in words: a table for the terminal, and the same in docs/quality.md.
//!
//! Takes scores; gives text. Between the markers of the document stand no places of this machine: histories are told by
//! their names and head commits.

use super::score::Score;
use super::tasks::Task;
use super::{Request, history::History};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The score of one program on one task under one budget.
pub struct Cell {
    pub program: String,
    pub budget: u64,
    /// The number of the task.
    pub task: usize,
    pub score: Score,
}

/// One row for each language, budget and program.
pub fn table(request: &Request, tasks: &[Task], cells: &[Cell], programs: &[String]) -> String {
    let mut out = String::from(
        "| language | budget | program | tasks | file | sig | body | line | first | bare | over | failed | unnamed tasks | file | sig | body | line | first | bare |\n\
         |---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for language in &request.languages {
        for budget in &request.budgets {
            for program in programs {
                let of_row = |cell: &&Cell| {
                    cell.program == *program
                        && cell.budget == *budget
                        && tasks.get(cell.task).is_some_and(|task| task.language == *language)
                };
                let rows: Vec<&Cell> = cells.iter().filter(of_row).collect();
                let unnamed = |cell: &&&Cell| tasks.get(cell.task).is_some_and(|task| !task.named);
                let all: Vec<Score> = rows.iter().map(|cell| cell.score).collect();
                let hidden: Vec<Score> = rows.iter().filter(unnamed).map(|cell| cell.score).collect();
                let count = |what: fn(&Score) -> bool| all.iter().filter(|score| what(score)).count();
                if all.is_empty() {
                    continue;
                }
                // Writing to a string cannot fail.
                let _ = writeln!(
                    out,
                    "| {language} | {budget} | {program} | {} | {} | {} | {} | {} |",
                    all.len(),
                    means(&all),
                    count(|score| score.over),
                    count(|score| score.failed),
                    if hidden.is_empty() {
                        "0 | – | – | – | – | – | –".to_owned()
                    } else {
                        format!("{} | {}", hidden.len(), means(&hidden))
                    },
                );
            }
        }
    }
    out
}

/// One task with its gold and what each program showed of it.
pub fn shown(task: &Task, history: &str, cells: &[Cell]) -> String {
    let subject = task.query.lines().next().unwrap_or("");
    let mark = if task.named { "" } else { ", unnamed" };
    let mut out = format!("{history} {:.12} {}{mark}: {subject}\n", task.commit, task.language);
    for file in &task.gold {
        let functions: Vec<String> =
            file.functions.iter().map(|one| format!("    {} ({} lines)\n", one.head, one.lines.len())).collect();
        let _ = write!(out, "  {}\n{}", file.path, functions.concat());
    }
    for Cell { program, budget, score, .. } in cells {
        let fault = if score.failed {
            ", failed"
        } else if score.over {
            ", over"
        } else {
            ""
        };
        let Score { file, sig, body, line, first, tokens, .. } = score;
        let _ = writeln!(
            out,
            "  {program} {budget}: file {file:.2} sig {sig:.2} body {body:.2} line {line:.2} first {first:.2}, {tokens} tokens{fault}"
        );
    }
    out
}

/// Puts the figures between the markers of the document.
pub fn write(
    document: &Path,
    request: &Request,
    histories: &[History],
    tasks: &[Task],
    table: &str,
) -> Result<(), String> {
    let old = fs::read_to_string(document).map_err(|error| format!("cannot read `{}`: {error}", document.display()))?;
    let mut body = format!("{table}\nHistories, up to and with the commit named:\n\n");
    let mut command = format!("cargo xtask quality --tasks {}", request.tasks);
    for (number, History { name, head, .. }) in histories.iter().enumerate() {
        let of_language = |language: &String| {
            let count = tasks.iter().filter(|task| task.history == number && task.language == *language).count();
            (count > 0).then(|| format!("{count} {language}"))
        };
        let counts: Vec<String> = request.languages.iter().filter_map(of_language).collect();
        let _ = writeln!(body, "- **{name}** `{head}`: {}", counts.join(", "));
        let _ = write!(command, " \\\n  --history ../{}@{head:.12}", name.rsplit('/').next().unwrap_or(name));
    }
    for language in &request.languages {
        let _ = write!(command, " \\\n  --language {language}");
    }
    let budgets: Vec<String> = request.budgets.iter().map(u64::to_string).collect();
    let _ = write!(command, " \\\n  --budgets {}", budgets.join(","));
    if let Some(only) = &request.only {
        let _ = write!(command, " --only '{only}'");
    }
    let _ = write!(body, "\nThe same again, with clones of these beside this repository:\n\n```\n{command}\n```\n");
    let new =
        between(&old, &body).ok_or_else(|| format!("no markers `{OPEN}` and `{CLOSE}` in `{}`", document.display()))?;
    fs::write(document, new).map_err(|error| format!("cannot write `{}`: {error}", document.display()))
}

const OPEN: &str = "<!-- quality -->";
const CLOSE: &str = "<!-- /quality -->";

pub(super) fn between(old: &str, body: &str) -> Option<String> {
    let (head, rest) = old.split_once(OPEN)?;
    let (_, tail) = rest.split_once(CLOSE)?;
    Some(format!("{head}{OPEN}\n{body}{CLOSE}{tail}"))
}

/// The means as cells; the one that matters most with the half width of its 95 % interval.
fn means(scores: &[Score]) -> String {
    let mean = |what: fn(&Score) -> f64| scores.iter().map(what).sum::<f64>() / scores.len().max(1) as f64;
    let body = mean(|score| score.body);
    let variance = scores.iter().map(|score| (score.body - body).powi(2)).sum::<f64>() / scores.len().max(2) as f64;
    let half = 1.96 * (variance / scores.len().max(1) as f64).sqrt();
    format!(
        "{:.2} | {:.2} | {body:.2} ± {half:.2} | {:.2} | {:.2} | {:.2}",
        mean(|score| score.file),
        mean(|score| score.sig),
        mean(|score| score.line),
        mean(|score| score.first),
        mean(|score| score.bare)
    )
}
