//! One thin function for each verb: arguments in, an operation, something printed.

mod agent;
mod build;
mod cache;
mod check;
mod count;
mod import;
mod loom;
mod mcp;
mod persona;
mod plan;
mod preset;
mod related;
mod runs;
mod scan;
mod send;
mod serve;
mod settings;
mod setup;
mod slice;
mod summarize;
mod symbols;
mod why;

use crate::args::{self, Cli, Paths, SelectArgs, Verb};
use crate::failure::{Failure, Kind};
use crate::ui::Ui;
use contexture_core::{Level, Tree};
use contexture_gather::config::StrategyName;
use contexture_gather::{Env, Progress, names};
use contexture_server::ops::{Door, Request};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

pub fn run(cli: Cli, ui: &Ui) -> Result<(), Failure> {
    let door = door(&cli.global)?;
    match cli.verb {
        None => plan::run(&door, &cli.select, ui),
        Some(Verb::Build(args)) => build::run(&door, &args, ui),
        Some(Verb::Show(args)) => build::show(&door, &args, ui),
        Some(Verb::Symbols(args)) => symbols::run(&door, &args, ui),
        Some(Verb::Related(args)) => related::run(&door, &args, ui),
        Some(Verb::Tokens(args)) => count::tokens(&door, &args, ui),
        Some(Verb::Send(args)) => send::run(&door, *args, ui),
        Some(Verb::Serve(args)) => serve::run(door, &args, ui),
        Some(Verb::Check(args)) => check::run(&args, ui),
        Some(Verb::Scan(args)) => scan::run(&door, &args, ui),
        Some(Verb::Why(args)) => why::run(&door, &args, ui),
        Some(Verb::Stats(args)) => count::stats(&door, &args, ui),
        Some(Verb::Slice(verb)) => slice::run(&door, verb, ui),
        Some(Verb::Preset(verb)) => preset::run(&door, verb, ui),
        Some(Verb::Persona(verb)) => persona::run(&door, verb, ui),
        Some(Verb::Runs(args)) => runs::run(&door, args, ui),
        Some(Verb::Summarize(args)) => summarize::run(&door, &args, ui),
        Some(Verb::Cache(verb)) => cache::run(&door, verb, ui),
        Some(Verb::Mcp(args)) => mcp::run(door, &args, ui),
        Some(Verb::Setup(args)) => setup::run(&door, &args, ui),
        Some(Verb::Import(verb)) => import::run(&door, verb, ui),
        Some(Verb::Agent(args)) => agent::run(door, &args, ui),
        Some(Verb::Session(verb)) => agent::session(door, verb, ui),
        Some(Verb::Loom(args)) => loom::run(door, *args, ui),
        Some(Verb::Prune(args)) => settings::prune(&door, &args, ui),
        Some(Verb::Init) => settings::init(&door, ui),
        Some(Verb::Config(args)) => settings::config(&door, args, ui),
        Some(Verb::Doctor) => settings::doctor(&door, ui),
        Some(Verb::Completions { shell }) => settings::completions(shell),
        Some(Verb::Man { dir }) => settings::man(dir, ui),
    }
}

/// The name of the system's time zone.
fn zone() -> String {
    jiff::tz::TimeZone::try_system()
        .ok()
        .and_then(|zone| Some(zone.iana_name()?.to_owned()))
        .unwrap_or_else(|| "UTC".into())
}

/// Everything the rooms may know of this process, asked once.
fn door(global: &args::Global) -> Result<Door, Failure> {
    let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cwd = std::env::current_dir()
        .map_err(|error| Failure::new(Kind::Failed, format!("the working directory is gone: {}", error.kind())))?;
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    let folder = |own: &str, xdg: &str, below: &str| {
        var(own)
            .or_else(|| var(xdg).filter(|dir| dir.is_absolute()).map(|dir| dir.join("contexture")))
            .or_else(|| Some(home.as_ref()?.join(below).join("contexture")))
    };
    let threads = match global.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    // A second pool of this process would be a fault of ours; the first one stands.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    let env = Env {
        vars: std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(name, _)| name.starts_with("CONTEXTURE_"))
            .collect(),
        cwd,
        config_dir: folder("CONTEXTURE_CONFIG_DIR", "XDG_CONFIG_HOME", ".config"),
        program: std::env::current_exe().ok(),
        config_home: var("XDG_CONFIG_HOME")
            .filter(|dir| dir.is_absolute())
            .or_else(|| Some(home.as_ref()?.join(".config"))),
        cache_dir: folder("CONTEXTURE_CACHE_DIR", "XDG_CACHE_HOME", ".cache"),
        data_dir: folder("CONTEXTURE_DATA_DIR", "XDG_DATA_HOME", ".local/share"),
        zone: zone(),
        home: home.clone(),
        now: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64),
    };
    Ok(Door {
        env,
        roots: global.root.clone(),
        config_file: global.config.clone(),
        no_cache: global.no_cache,
        threads,
        progress: Arc::new(Progress::default()),
        input: None,
    })
}

fn request(select: &SelectArgs, paths: Option<&Paths>) -> Result<Request, Failure> {
    let named = paths.map(|paths| paths.paths.iter().filter(|path| *path != "-").cloned().collect());
    if let Some(paths) = paths
        && paths.paths.iter().any(String::is_empty)
    {
        return Err(Failure::new(Kind::Usage, "a path is empty").hint("`.` is the whole folder"));
    }
    Ok(Request {
        paths: named.unwrap_or_default(),
        listed: paths.map(listed_paths).transpose()?.unwrap_or_default(),
        preset: select.which.preset.clone(),
        persona: select.which.persona.clone(),
        tier: select.tier,
        strategy: select.strategy.as_deref().and_then(StrategyName::parse),
        view: select.view.map(level),
        focus: select.focus.clone(),
        include: select.which.include.clone(),
        exclude: select.which.exclude.clone(),
        budget: select.budget,
        model: select.model.clone(),
        query: query(select, paths)?,
        retrieve: select.retrieve,
        tokenizer: select.which.tokenizer.clone(),
        no_written: select.no_written,
        secrets: select.safety.secrets,
        ..Request::default()
    })
}

/// A task of more has no end.
const LONGEST_QUERY: u64 = 64 * 1024 * 1024;

/// The task, from the command line or a file of any encoding that can be read as text.
fn query(select: &SelectArgs, paths: Option<&Paths>) -> Result<Option<String>, Failure> {
    let Some(file) = &select.query_file else { return Ok(select.query.clone()) };
    let mut bytes = Vec::new();
    let read = match file.to_str() {
        Some("-") if paths.is_some_and(from_stdin) => {
            return Err(Failure::new(Kind::Usage, "standard input cannot hold both the paths and the query")
                .hint("`--query TEXT` takes the text itself"));
        }
        Some("-") => std::io::stdin().lock().take(LONGEST_QUERY).read_to_end(&mut bytes),
        _ => std::fs::File::open(file).and_then(|file| file.take(LONGEST_QUERY).read_to_end(&mut bytes)),
    };
    read.map_err(|error| {
        Failure::new(Kind::Usage, format!("`--query-file` cannot be read: `{}`: {}", file.display(), error.kind()))
            .hint("`--query TEXT` takes the text itself")
    })?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

fn from_stdin(paths: &Paths) -> bool {
    paths.stdin0 || paths.paths.iter().any(|path| path == "-")
}

/// Paths from standard input, where `-` or `--stdin0` asks for them.
fn listed_paths(paths: &Paths) -> Result<Vec<String>, Failure> {
    if !from_stdin(paths) {
        return Ok(Vec::new());
    }
    let mut input = Vec::new();
    std::io::stdin().lock().read_to_end(&mut input)?;
    let separator = if paths.stdin0 { 0 } else { b'\n' };
    let mut listed = Vec::new();
    for path in input.split(|byte| *byte == separator) {
        let path = if paths.stdin0 { path } else { path.strip_suffix(b"\r").unwrap_or(path) };
        if path.is_empty() {
            continue;
        }
        listed.push(shown_bytes(path));
    }
    if listed.is_empty() {
        let failure = Failure::new(Kind::Usage, "standard input named no path");
        return Err(failure.hint("`git ls-files | contexture build -`"));
    }
    Ok(listed)
}

/// A path as it is shown everywhere, also when it is no UTF-8.
fn shown_bytes(path: &[u8]) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let root = if path.starts_with(b"/") { "/" } else { "" };
        let shown = names::shown(Path::new(std::ffi::OsStr::from_bytes(path)));
        if shown.starts_with('/') { shown } else { format!("{root}{shown}") }
    }
    #[cfg(not(unix))]
    String::from_utf8_lossy(path).into_owned()
}

fn level(view: args::View) -> Level {
    match view {
        args::View::Full => Level::Full,
        args::View::Summary => Level::Summary,
        args::View::Skeleton => Level::Skeleton,
        args::View::Outline => Level::Outline,
        args::View::Masked => Level::Masked,
        args::View::Custom => Level::Custom,
        args::View::Diff => Level::Diff,
        args::View::Name => Level::Name,
        args::View::None => Level::None,
    }
}

fn tree(tree: args::Tree) -> Tree {
    match tree {
        args::Tree::None => Tree::None,
        args::Tree::Selected => Tree::Selected,
        args::Tree::Full => Tree::Full,
    }
}
