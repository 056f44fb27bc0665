//! `cargo xtask bench`: speed and memory of a build, against the limit and the peers, in one run.
//!
//! Takes what to measure; prints Markdown tables with a verdict for each target, and with `--write` puts them into
//! docs/benchmarks.md. Corpora, peers, caches and outputs live in `target/bench` and are never committed. Ratios count, not
//! seconds: everything in one table was measured in the same run, in turns, with a warm page cache and two threads.

mod agent;
mod corpus;
mod fit;
mod instructions;
pub mod limit;
mod loom;
mod measure;
mod ours;
mod peers;
mod report;
mod requests;
mod serve;
mod summaries;
mod views;

use crate::proc;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the words after `bench` ask for.
struct Request {
    part: Part,
    corpora: Vec<String>,
    /// Whether the corpus was named.
    own: bool,
    only: Option<String>,
    runs: usize,
    peers: bool,
    /// Also the program as packages have it.
    dist: bool,
    write: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    All,
    Files,
    Views,
    Fit,
    Agent,
    Loom,
    Curve,
    Summaries,
    Requests,
    Serve,
    Setup,
    Instructions,
}

/// What is known of a corpus before anything is measured.
pub struct Corpus {
    pub name: String,
    pub folder: PathBuf,
    pub files: u64,
    pub bytes: u64,
    pub tokens: u64,
}

pub fn run(args: &[String]) -> Result<(), String> {
    let request = parse(args)?;
    let bench = proc::root().join("target/bench");
    corpus::make(&bench)?;
    let conditions = format!("{} rounds; load by other programs before it began: {}", request.runs, load());
    if request.part == Part::Agent {
        let conditions = format!("medians of 3 to 51 builds; load by other programs before it began: {}", load());
        return tell(&[("agent", agent::run()?)], &request, &conditions);
    }
    if request.part == Part::Loom {
        let conditions = format!("medians of 3 to 401 runs; load by other programs before it began: {}", load());
        return tell(&[("loom", loom::run()?)], &request, &conditions);
    }
    if request.part == Part::Requests {
        let conditions = format!("best and median of 41 rounds; load by other programs before it began: {}", load());
        return tell(&[("requests", requests::run()?)], &request, &conditions);
    }
    let programs = ours::build(request.dist)?;
    if request.part == Part::Instructions {
        return instructions::run(&bench, &programs);
    }
    if request.part == Part::Summaries {
        return tell(&[("summaries", summaries::run(&bench, &programs, request.runs)?)], &request, &conditions);
    }
    if request.part == Part::Serve {
        return tell(&[("serve", serve::run(&bench, &programs, request.runs)?)], &request, &conditions);
    }
    let missing = if request.peers && request.part != Part::Curve {
        peers::install(&bench, if request.part == Part::Fit { Some(peers::AIDER) } else { request.only.as_deref() })
    } else {
        Vec::new()
    };
    for line in &missing {
        println!("{line}");
    }
    let mut sections = Vec::new();
    if matches!(request.part, Part::All | Part::Files | Part::Setup) {
        let corpora =
            request.corpora.iter().map(|name| open(&bench, &programs, name)).collect::<Result<Vec<_>, _>>()?;
        if request.part != Part::Setup {
            let tables = corpora.iter().map(|corpus| files(&request, &bench, &programs, corpus));
            let mut text = tables.collect::<Result<Vec<_>, _>>()?.join("\n");
            for line in &missing {
                text.push_str(&format!("\n{line}\n"));
            }
            sections.push(("files", text));
        }
    }
    if matches!(request.part, Part::All | Part::Views) {
        let names = request.corpora.iter().filter(|name| !name.starts_with("mixed-"));
        let mut tables = Vec::new();
        for name in names {
            let corpus = open(&bench, &programs, name)?;
            eprintln!("views of {}", corpus.name);
            let out = bench.join("out");
            corpus::make(&out)?;
            let mut rows = views::contenders(&bench, &programs, &corpus, &out)?;
            if let Some(only) = &request.only {
                rows.retain(|row| row.name.contains(only.as_str()));
            }
            let outcomes = measure::rounds(&rows, request.runs, &bench.join("scratch"))?;
            tables.push(report::table(&corpus, &outcomes, views::TARGETS));
        }
        sections.push(("views", tables.join("\n")));
    }
    if matches!(request.part, Part::All | Part::Fit) {
        sections.push(("fit", fitted(&request, &bench, &programs)?));
    }
    if matches!(request.part, Part::All | Part::Curve) {
        sections.push(("curve", curve(&request, &bench, &programs)?));
    }
    if request.part == Part::All {
        sections.push(("agent", agent::run()?));
        sections.push(("loom", loom::run()?));
        sections.push(("requests", requests::run()?));
        sections.push(("summaries", summaries::run(&bench, &programs, request.runs)?));
        sections.push(("serve", serve::run(&bench, &programs, request.runs)?));
    }
    tell(&sections, &request, &conditions)
}

/// Prints what was measured, and writes it down where that was asked for.
fn tell(sections: &[(&str, String)], request: &Request, conditions: &str) -> Result<(), String> {
    for (name, text) in sections {
        println!("{text}");
        if request.write {
            report::write(&proc::root().join("docs/benchmarks.md"), name, conditions, text)?;
        }
    }
    Ok(())
}

/// One corpus, all programs.
fn files(request: &Request, bench: &Path, programs: &ours::Programs, corpus: &Corpus) -> Result<String, String> {
    eprintln!("corpus {}: {} files, {} bytes", corpus.name, corpus.files, corpus.bytes);
    let out = bench.join("out");
    corpus::make(&out)?;
    let mut rows = ours::contenders(bench, programs, &corpus.folder, &out)?;
    if request.peers {
        rows.extend(peers::contenders(bench, &corpus.folder, &out));
    }
    if let Some(only) = &request.only {
        rows.retain(|row| row.name.contains(only.as_str()));
    }
    let outcomes = measure::rounds(&rows, request.runs, &bench.join("scratch"))?;
    Ok(report::files(corpus, &outcomes))
}

/// The same programs over samples of growing size. All points are measured in the same rounds, so that a busy minute does not
/// fall on one of them alone and bend the curve.
fn curve(request: &Request, bench: &Path, programs: &ours::Programs) -> Result<String, String> {
    let out = bench.join("out");
    corpus::make(&out)?;
    let mut corpora = Vec::new();
    let mut rows = Vec::new();
    for size in corpus::SIZES {
        let corpus = open(bench, programs, &format!("mixed-{size}"))?;
        let all = ours::contenders(bench, programs, &corpus.folder, &out)?;
        rows.extend(all.into_iter().filter(|row| ours::ON_CURVE.contains(&row.name.as_str())));
        corpora.push(corpus);
    }
    eprintln!("curve over {} samples", corpora.len());
    let mut outcomes = measure::rounds(&rows, request.runs, &bench.join("scratch"))?.into_iter();
    let points = corpora.into_iter().map(|corpus| (outcomes.by_ref().take(ours::ON_CURVE.len()).collect(), corpus));
    Ok(report::curve(&points.collect::<Vec<_>>(), &ours::ON_CURVE))
}

/// A task and a budget, over one corpus with the peer, and over samples of growing size.
fn fitted(request: &Request, bench: &Path, programs: &ours::Programs) -> Result<String, String> {
    let (out, scratch) = (bench.join("out"), bench.join("scratch"));
    corpus::make(&out)?;
    let name = if request.own { request.corpora.first().map_or(fit::CORPUS, String::as_str) } else { fit::CORPUS };
    let corpus = open(bench, programs, name)?;
    eprintln!("a task in {}", corpus.name);
    let mut rows = fit::contenders(bench, programs, &corpus, &out, true)?;
    rows.retain(|row| request.peers || !row.name.starts_with("aider"));
    rows.retain(|row| request.only.as_ref().is_none_or(|only| row.name.contains(only.as_str())));
    let outcomes = measure::rounds(&rows, request.runs, &scratch)?;
    let mut text = report::table(&corpus, &outcomes, fit::TARGETS);
    if !request.own {
        let (mut corpora, mut rows) = (Vec::new(), Vec::new());
        for size in corpus::SIZES {
            let corpus = open(bench, programs, &format!("mixed-{size}"))?;
            rows.extend(fit::contenders(bench, programs, &corpus, &out, false)?);
            corpora.push(corpus);
        }
        eprintln!("a task in {} samples", corpora.len());
        let mut outcomes = measure::rounds(&rows, request.runs, &scratch)?.into_iter();
        let points = corpora.into_iter().map(|corpus| (outcomes.by_ref().take(fit::ON_CURVE.len()).collect(), corpus));
        text.push('\n');
        text.push_str(&report::curve(&points.collect::<Vec<_>>(), &fit::ON_CURVE));
    }
    Ok(text)
}

/// A corpus by the name of a package, as `mixed-N`, or a folder of one's own; with its size as the limit sees it.
fn open(bench: &Path, programs: &ours::Programs, name: &str) -> Result<Corpus, String> {
    let folder = match name.strip_prefix("mixed-").map(str::parse) {
        Some(Ok(size)) => corpus::sample(bench, size)?,
        _ if Path::new(name).is_dir() => std::path::absolute(name).map_err(|error| format!("`{name}`: {error}"))?,
        _ => corpus::package(bench, name)?,
    };
    let facts = proc::capture(Command::new(&programs.limit).arg("limit").arg(&folder).arg("--count"))?;
    let mut numbers = facts.split_whitespace().map_while(|word| word.parse::<u64>().ok());
    let mut next = || numbers.next().ok_or_else(|| format!("the limit gave no figures for `{name}`: {facts}"));
    Ok(Corpus { name: name.to_owned(), files: next()?, bytes: next()?, tokens: next()?, folder })
}

/// How busy the machine was before we began: the mean number of processes that wanted to run in the last minute.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}

fn parse(args: &[String]) -> Result<Request, String> {
    let mut request = Request {
        part: Part::All,
        corpora: ["numpy", "django", "mixed-30000"].map(str::to_owned).to_vec(),
        own: false,
        only: None,
        // Five rounds, so that one disturbed run moves neither the smallest nor the median.
        runs: 5,
        peers: true,
        dist: false,
        write: false,
    };
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().cloned().ok_or_else(|| format!("value missing after `{word}`"));
        match word.as_str() {
            "files" => request.part = Part::Files,
            "views" => request.part = Part::Views,
            "fit" => request.part = Part::Fit,
            "agent" => request.part = Part::Agent,
            "loom" => request.part = Part::Loom,
            "curve" => request.part = Part::Curve,
            "summaries" => request.part = Part::Summaries,
            "requests" => request.part = Part::Requests,
            "serve" => request.part = Part::Serve,
            "setup" => request.part = Part::Setup,
            "instructions" => request.part = Part::Instructions,
            "--corpus" => (request.corpora, request.own) = (vec![value()?], true),
            "--only" => request.only = Some(value()?),
            "--runs" => {
                let text = value()?;
                request.runs =
                    text.parse().ok().filter(|runs| *runs > 0).ok_or(format!("not a number of runs: `{text}`"))?;
            }
            "--no-peers" => request.peers = false,
            "--dist" => request.dist = true,
            "--write" => request.write = true,
            other => return Err(format!("unknown argument of `bench`: `{other}`; see `cargo xtask help`")),
        }
    }
    let partial = request.own || request.only.is_some() || !request.peers;
    if request.write && partial && request.part != Part::Curve {
        return Err(
            "`--write` needs all corpora and programs: run it without `--corpus`, `--only`, `--no-peers`".to_owned()
        );
    }
    Ok(request)
}
