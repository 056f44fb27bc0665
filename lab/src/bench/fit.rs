//! A task and a budget: finding in a whole repository what 8,000 tokens have room for, against the view that only parses, the
//! plain walk, and the peer that does the same.
//!
//! Takes a corpus; gives the commands to run and the targets. Corpora are copied and committed, because git is asked too: which
//! files are being changed, and what earlier commits say. Everything is remembered by content, so a *first run* begins
//! without a memory and leaves one, *warm* has it, and before each run of *one file changed* a file grows that the task needs.

use super::Corpus;
use super::corpus::{make, remove};
use super::limit::{self, THREADS};
use super::measure::Contender;
use super::ours::{LIMIT, Programs};
use super::peers;
use super::report::{Bound, Target};
use crate::proc;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// The corpus of the targets: 6,890 files.
pub const CORPUS: &str = "django";

const SKELETON: &str = "contexture skeleton first run";
const FIRST: &str = "contexture fit first run";
const WARM: &str = "contexture fit warm";
const OTHER: &str = "contexture fit warm, another task";
const CHANGED: &str = "contexture fit, one file changed";
const SEARCH: &str = "contexture search warm";
const AIDER: &str = "aider repo map";
const AIDER_WARM: &str = "aider repo map warm";

/// The rows that are followed over the curve.
pub const ON_CURVE: [&str; 4] = [LIMIT, SKELETON, FIRST, WARM];

pub const TARGETS: &[Target] = &[
    Target("from nothing", FIRST, SKELETON, Bound::AtMost(1.5)),
    Target("remembered", WARM, LIMIT, Bound::AtMost(5.0)),
    Target("from nothing against the limit", FIRST, LIMIT, Bound::AtMost(8.0)),
    Target("search, remembered", SEARCH, LIMIT, Bound::AtMost(3.0)),
    Target("one file changed", CHANGED, WARM, Bound::AtMost(1.2)),
    Target("from nothing against aider", AIDER, FIRST, Bound::AtLeast(10.0)),
    Target("remembered against aider", AIDER_WARM, WARM, Bound::AtLeast(10.0)),
];

const BUDGET: &str = "8000";

/// A report as people write them: prose, names, a trace, an example.
const TASK: &str = "\
Loading only some fields of a related proxy model crashes

I tried to make a slow page faster with select_related() and only(). As long as the relation points to an ordinary model this
works. With a proxy model on the other side the query cannot be compiled any more:

Traceback (most recent call last):
  File \"/srv/shop/orders/views.py\", line 41, in index
    return render(request, 'orders.html', {'orders': list(orders)})
  File \"/usr/lib/python3/django/db/models/query.py\", line 380, in __iter__
    self._fetch_all()
  File \"/usr/lib/python3/django/db/models/sql/compiler.py\", line 1189, in get_related_selections
    related_select_mask = select_mask.get(field) or {}
FieldDoesNotExist: Order has no field named 'customer'

class Customer(Person):
    class Meta:
        proxy = True

Order.objects.select_related('customer').only('customer__name')

I think the select mask is built from the options of the proxy instead of those of its concrete model. The same with defer().
";

/// A word of the task by which the file is found that is changed.
const TELLING: &str = "select_related";

/// The commands over a corpus, and where their outputs go. `all` is for the table; without it there are only those of the curve.
pub fn contenders(
    bench: &Path,
    programs: &Programs,
    corpus: &Corpus,
    out: &Path,
    all: bool,
) -> Result<Vec<Contender>, String> {
    let name = corpus.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let fit = bench.join("fit");
    make(&fit)?;
    let root = committed(&fit.join(&name), corpus)?;
    let task = fit.join("task.txt");
    std::fs::write(&task, TASK).map_err(|error| format!("cannot write `{}`: {error}", task.display()))?;
    let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let row = |title: &str, about: &str, program: &Path, args: Vec<String>| Contender {
        name: title.to_owned(),
        about: about.to_owned(),
        program: program.to_path_buf(),
        args,
        env: Vec::new(),
        output: out.join(title.replace([' ', ','], "-")),
        from_stdout: true,
        fresh: Vec::new(),
        primed: false,
        caveat: None,
        grows: None,
    };
    let contexture = |title: &str, about: &str, root: &Path, home: &str, rest: &[&str]| {
        let (root, threads) = (root.display().to_string(), THREADS.to_string());
        let mut args = words(rest);
        args.extend(words(&["--root", &root, "--threads", &threads]));
        let mut one = row(title, about, &programs.contexture, args);
        let home = bench.join(format!("home-fit-{home}-{name}"));
        one.env = vec![("HOME", home.clone()), ("XDG_CACHE_HOME", home.join("cache"))];
        (one, home)
    };
    let task_file = task.display().to_string();
    let asked = ["build", "-o", "-", "--query-file", task_file.as_str(), "--budget", BUDGET];

    let (mut skeleton, home) =
        contexture(SKELETON, "fills an empty cache", &root, "skeleton", &["build", "-o", "-", "--view", "skeleton"]);
    skeleton.fresh.push(home);
    let (mut first, home) = contexture(FIRST, "builds the index", &root, "first", &asked);
    first.fresh.push(home);
    let (mut warm, home) = contexture(WARM, "index remembered", &root, "warm", &asked);
    warm.primed = true;
    remove(&home)?;
    let limit_args = words(&["limit", &root.display().to_string(), "--out", "-"]);
    let limit = row(LIMIT, "walk, read, concatenate all text", &programs.limit, limit_args);
    let mut rows = vec![limit, skeleton, first, warm];
    if !all {
        return Ok(rows);
    }
    let other_task = fit.join("other-task.txt");
    std::fs::write(&other_task, TASK).map_err(|error| format!("cannot write `{}`: {error}", other_task.display()))?;
    let other_file = other_task.display().to_string();
    let other = ["build", "-o", "-", "--query-file", other_file.as_str(), "--budget", BUDGET];
    let (mut other, home) = contexture(OTHER, "index remembered, a line more in the task", &root, "other", &other);
    (other.primed, other.grows) = (true, Some(other_task));
    remove(&home)?;
    let changing = committed(&fit.join(format!("{name}-changing")), corpus)?;
    let (mut changed, home) = contexture(CHANGED, "a line more in a file", &changing, "changed", &asked);
    (changed.primed, changed.grows) = (true, Some(telling_file(&changing).ok_or("no Python file in the corpus")?));
    remove(&home)?;
    let asked = ["search", "--query-file", task_file.as_str()];
    let (mut search, home) = contexture(SEARCH, "index remembered", &root, "search", &asked);
    search.primed = true;
    remove(&home)?;
    rows.extend([other, changed, search]);
    if let Some((python, version)) = peers::aider(bench) {
        let script = fit.join("repo_map.py");
        std::fs::write(&script, include_str!("repo_map.py"))
            .map_err(|error| format!("cannot write the map: {error}"))?;
        for (title, about, primed) in [(AIDER, "from nothing", false), (AIDER_WARM, "tags remembered", true)] {
            let memory = bench.join(if primed { "aider-warm" } else { "aider-cold" });
            remove(&memory)?;
            let paths = [&script, &root, &memory, &task].map(|path| path.display().to_string());
            let mut one = row(title, &format!("{version}; 8,192 tokens, {about}"), &python, paths.to_vec());
            one.primed = primed;
            if !primed {
                one.fresh.push(memory);
            }
            rows.push(one);
        }
    }
    Ok(rows)
}

/// A copy of a corpus that git knows. Times are kept, so that git's index stays right.
fn committed(copy: &Path, corpus: &Corpus) -> Result<PathBuf, String> {
    remove(copy)?;
    proc::capture(Command::new("cp").arg("-a").arg(&corpus.folder).arg(copy))?;
    let git = |words: &[&str]| proc::capture(Command::new("git").arg("-C").arg(copy).args(words));
    if git(&["rev-parse", "--verify", "--quiet", "HEAD"]).is_err() {
        git(&["add", "--all"])?;
        git(&["-c", "user.name=bench", "-c", "user.email=bench", "commit", "--quiet", "-m", "corpus"])?;
    }
    Ok(copy.to_path_buf())
}

/// The Python file that has the telling word most often: the task needs it, so that it is shown after the change as before.
fn telling_file(folder: &Path) -> Option<PathBuf> {
    let found = Mutex::new(Vec::new());
    limit::walk(folder, |path| {
        let is_test = path.strip_prefix(folder).is_ok_and(|path| path.to_string_lossy().contains("test"));
        if path.extension().is_some_and(|ending| ending == "py") && !is_test {
            let times = std::fs::read_to_string(&path).map_or(0, |text| text.matches(TELLING).count());
            if let Ok(mut found) = found.lock() {
                found.push((std::cmp::Reverse(times), path));
            }
        }
    });
    found.into_inner().ok()?.into_iter().min().map(|(_, path)| path)
}
