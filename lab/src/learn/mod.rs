//! `cargo xtask learn features`: what the ranking sees of public commits, as numbers to learn from.
//!
//! Takes git histories; makes tasks of their commits as `quality` does, ranks the tree before each commit for its message,
//! and writes for the first candidates of each task their parts, their costs and whether the commit changed them. Trees are
//! read from git's objects, nothing is checked out. Nothing of the histories is kept but numbers, and none of it is committed.

mod blobs;
mod features;
mod issues;
mod past;

use crate::quality::{History, choose_tasks};
use rayon::prelude::*;
use std::path::PathBuf;

/// Those whose functions are learned from, as `quality` calls them.
const LANGUAGES: &str = "python rust typescript javascript go java c cpp kotlin csharp ruby php swift scala";

/// What the words after `learn features` ask for.
struct Request {
    histories: Vec<String>,
    /// At most this many for each language of a history.
    tasks: usize,
    /// How many of the last commits are looked at: neighbors in time share most of their files.
    recent: usize,
    /// Tasks to use instead of commits.
    issues: Option<PathBuf>,
    out: PathBuf,
}

pub fn run(args: &[String]) -> Result<(), String> {
    let request = parse(args)?;
    std::fs::create_dir_all(&request.out)
        .map_err(|error| format!("cannot make `{}`: {error}", request.out.display()))?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    let pool = pool.map_err(|error| format!("cannot start threads: {error}"))?;
    pool.install(|| {
        request.histories.par_iter().with_max_len(1).for_each(|place| {
            if let Err(cause) = one(place, &request) {
                eprintln!("{place}: {cause}");
            }
        });
    });
    Ok(())
}

/// All tasks of one history. One that was done before is passed over, so that a run can go on where another ended.
fn one(place: &str, request: &Request) -> Result<(), String> {
    let mut history = History::open(place)?;
    history.recent = Some(request.recent);
    let file = request.out.join(format!("{}.rows", history.name.replace('/', "+")));
    if file.exists() {
        return Ok(());
    }
    let languages: Vec<String> = LANGUAGES.split(' ').map(str::to_owned).collect();
    let tasks = match &request.issues {
        Some(file) => issues::tasks(file, &history)?,
        None => choose_tasks(&history, 0, &languages, request.tasks)?,
    };
    let past = past::read(&history)?;
    let mut tasks: Vec<_> = tasks.into_iter().map(|task| (past.position(&task.commit), task)).collect();
    // Neighbours in time share most of their files.
    tasks.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.commit.cmp(&b.1.commit)));
    let rows = features::write(&history, &tasks, &past, &file)?;
    eprintln!("{}: {} tasks, {rows} rows", history.name, tasks.len());
    Ok(())
}

fn parse(args: &[String]) -> Result<Request, String> {
    let mut request = Request { histories: Vec::new(), tasks: 60, recent: 4000, issues: None, out: PathBuf::new() };
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().cloned().ok_or_else(|| format!("value missing after `{word}`"));
        match word.as_str() {
            "features" => {}
            "--history" => request.histories.push(value()?),
            "--tasks" => request.tasks = value()?.parse().map_err(|_| "not a number".to_owned())?,
            "--recent" => request.recent = value()?.parse().map_err(|_| "not a number".to_owned())?,
            "--issues" => request.issues = Some(value()?.into()),
            "--out" => request.out = value()?.into(),
            other => return Err(format!("unknown argument of `learn`: `{other}`; see `cargo xtask help`")),
        }
    }
    if request.histories.is_empty() || request.out.as_os_str().is_empty() {
        return Err("`learn features` needs `--history DIR` and `--out DIR`".to_owned());
    }
    Ok(request)
}

#[cfg(test)]
mod tests {
    use super::features::HEAD;
    use contexture_core::rank::{ROW as SEEN, TRAITS};
    use contexture_testkit::TestEnv;

    const ROW: usize = HEAD + SEEN;

    #[test]
    fn a_commit_gives_rows_in_which_what_it_changed_is_marked() {
        let env = TestEnv::new("none");
        let before = "fn walk(a: u32) -> u32 {\n    a\n}\n\nfn other(b: u32) -> u32 {\n    b\n}\n";
        let after = before.replace("    a\n", "    a + 1\n");
        env.git(&["init", "--quiet"]);
        for (text, message) in [
            (before, "Begin with two functions that do not do very much"),
            (&after, "The walk counts every step that it takes one by one"),
        ] {
            env.write("src/a.rs", text);
            env.git(&["add", "--all"]);
            env.git(&["commit", "--quiet", "--message", message]);
        }
        let out = env.temp().join("rows");
        let history = env.root().display().to_string();
        super::run(&["features".into(), "--history".into(), history, "--out".into(), out.display().to_string()])
            .unwrap();
        let file = std::fs::read_dir(&out).unwrap().filter_map(Result::ok).map(|entry| entry.path());
        let file = file.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "rows")).unwrap();
        let bytes = std::fs::read(file).unwrap();
        let numbers: Vec<f32> =
            bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect();
        assert_eq!(numbers.len(), 2 * ROW);
        // The function that was changed comes first, and only it is marked.
        let gold: Vec<f32> = numbers.chunks_exact(ROW).map(|row| row[1]).collect();
        assert_eq!(gold, [1.0, 0.0]);
        assert!(numbers[HEAD + TRAITS.len()] > 0.0, "words of the message are in it");
    }
}
