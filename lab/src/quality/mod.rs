//! `cargo xtask quality`: does a document show the code that a change needed? Measured on public histories.
//!
//! Takes git histories; makes tasks of their commits (the message is the query, the functions that the commit changed are
//! what should be shown), lets the programs write documents for the tree before the commit, and prints how much of it they
//! show under each budget. With `--write` the figures go into docs/quality.md. Nothing of the histories is kept or committed.

mod bm25;
mod diff;
mod document;
mod gold;
mod history;
mod message;
mod programs;
mod project;
mod report;
mod score;
mod tasks;
#[cfg(test)]
mod tests;

use crate::proc;
pub use diff::Touch;
pub use gold::touched;
pub use history::History;
use programs::{Place, Program};
use rayon::prelude::*;
use report::Cell;
use score::{Judge, Score};
use std::fs;
use std::path::{Path, PathBuf};
pub use tasks::{File as GoldFile, Task, choose as choose_tasks};

/// What the words after `quality` ask for.
pub struct Request {
    histories: Vec<String>,
    languages: Vec<String>,
    /// At most so many for each language of a history.
    tasks: usize,
    budgets: Vec<u64>,
    commands: Vec<String>,
    /// Only programs whose name contains this.
    only: Option<String>,
    keep: Option<PathBuf>,
    show: bool,
    write: bool,
}

pub fn run(args: &[String]) -> Result<(), String> {
    let request = parse(args)?;
    let histories = request.histories.iter().map(|place| History::open(place)).collect::<Result<Vec<_>, _>>()?;
    let mut tasks = Vec::new();
    for (number, history) in histories.iter().enumerate() {
        let found = tasks::choose(history, number, &request.languages, request.tasks)?;
        eprintln!("{}: {} tasks", history.name, found.len());
        tasks.extend(found);
    }
    let programs = programs(&request)?;
    let names: Vec<String> = programs.iter().map(|program| program.name.clone()).collect();
    let home = proc::root().join("target/quality");
    fs::create_dir_all(&home).map_err(|error| format!("cannot make `{}`: {error}", home.display()))?;
    // Two threads, as the machine of the figures has two cores.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    let pool = pool.map_err(|error| format!("cannot start threads: {error}"))?;
    let one = |(number, task): (usize, &Task)| {
        let history = histories.get(task.history).ok_or("a task without a history")?;
        one(&request, &programs, history, task, number, &home)
    };
    let cells = pool.install(|| tasks.par_iter().enumerate().map(one).collect::<Result<Vec<_>, String>>())?;
    for (task, cells) in tasks.iter().zip(&cells).filter(|_| request.show) {
        let history = histories.get(task.history).map_or("", |history| history.name.as_str());
        println!("{}", report::shown(task, history, cells));
    }
    let cells: Vec<Cell> = cells.into_iter().flatten().collect();
    let table = report::table(&request, &tasks, &cells, &names);
    println!("{table}");
    if request.write {
        report::write(&proc::root().join("docs/quality.md"), &request, &histories, &tasks, &table)?;
    }
    Ok(())
}

/// One task: its tree in a folder of its own, all programs, all budgets.
fn one(
    request: &Request,
    programs: &[Program],
    history: &History,
    task: &Task,
    number: usize,
    home: &Path,
) -> Result<Vec<Cell>, String> {
    let folder = tempfile::Builder::new().prefix("task-").tempdir_in(home);
    let folder = folder.map_err(|error| format!("no temporary folder in `{}`: {error}", home.display()))?;
    let (root, query) = (folder.path().join("project"), folder.path().join("query.md"));
    history.export(&task.parent, &root)?;
    write(&query, &task.query)?;
    let project = project::Project::read(&root)?;
    let place = Place { task, project: &project, root: &root, query: &query, home: &home.join("home") };
    let judge = Judge::new(task, &project);
    let mut cells = Vec::new();
    for program in programs {
        let documents = program.documents(&place, &request.budgets);
        for (budget, document) in request.budgets.iter().zip(documents) {
            let score = match &document {
                Ok(text) => judge.score(text, *budget),
                Err(cause) => {
                    eprintln!("{} {:.12} {budget}: {cause}", program.name, task.commit);
                    Score { failed: true, ..Score::default() }
                }
            };
            if let (Some(keep), Ok(text)) = (&request.keep, &document) {
                let place =
                    keep.join(format!("{}-{:.12}-{}", history.name.replace('/', "+"), task.commit, task.language));
                fs::create_dir_all(&place).map_err(|error| format!("cannot make `{}`: {error}", place.display()))?;
                write(&place.join("query.md"), &task.query)?;
                write(&place.join(format!("{}-{budget}.md", program.name.replace(' ', "-"))), text)?;
            }
            cells.push(Cell { program: program.name.clone(), budget: *budget, task: number, score });
        }
    }
    Ok(cells)
}

fn programs(request: &Request) -> Result<Vec<Program>, String> {
    let wanted = |name: &str| request.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    let mut programs = Vec::new();
    if wanted("contexture") {
        programs.push(programs::contexture()?);
    }
    for line in &request.commands {
        programs.push(programs::command(line)?);
    }
    if wanted(programs::BASELINE) {
        programs.push(programs::baseline());
    }
    Ok(programs)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

fn parse(args: &[String]) -> Result<Request, String> {
    let mut request = Request {
        histories: Vec::new(),
        languages: Vec::new(),
        // Over three histories the mean of a column is then known to about 0.08, and a run takes minutes.
        tasks: 40,
        // The budgets of the other measurements: a short answer, a usual one, a generous one.
        budgets: vec![2_000, 8_000, 32_000],
        commands: Vec::new(),
        only: None,
        keep: None,
        show: false,
        write: false,
    };
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().cloned().ok_or_else(|| format!("value missing after `{word}`"));
        let number =
            |text: &str| text.parse().ok().filter(|number| *number > 0).ok_or(format!("not a number: `{text}`"));
        match word.as_str() {
            "--history" => request.histories.push(value()?),
            "--language" => request.languages.push(value()?),
            "--tasks" => request.tasks = number(&value()?)? as usize,
            "--budgets" => request.budgets = value()?.split(',').map(number).collect::<Result<_, _>>()?,
            "--command" => request.commands.push(value()?),
            "--only" => request.only = Some(value()?),
            "--keep" => request.keep = Some(value()?.into()),
            "--show" => request.show = true,
            "--write" => request.write = true,
            other => return Err(format!("unknown argument of `quality`: `{other}`; see `cargo xtask help`")),
        }
    }
    if request.histories.is_empty() {
        return Err("no history: name a git directory or a work tree by `--history DIR`".to_owned());
    }
    if request.languages.is_empty() {
        request.languages = ["rust", "typescript", "go"].map(str::to_owned).to_vec();
    }
    let known = |key: &String| contexture_syntax::LANGUAGES.iter().any(|language| gold::key(language) == *key);
    if let Some(unknown) = request.languages.iter().find(|key| !known(key)) {
        return Err(format!("unknown language: `{unknown}`"));
    }
    if request.write && !request.commands.is_empty() {
        return Err(
            "`--write` keeps programs of this machine out of the document: run it without `--command`".to_owned()
        );
    }
    Ok(request)
}
