//! One thin function for each verb: arguments in, an operation, something printed.

mod agent;
mod build;
mod cache;
mod files;
mod import;
mod loom;
mod plan;
mod preset;
mod runs;
mod scan;
mod send;
mod serve;
mod settings;
mod setup;
mod slice;
mod summarize;

use crate::args::{self, Cli, Paths, QueryFile, Verb};
use crate::failure::{ErrorKind, Failure};
use crate::ui::Ui;
use contexture::ops::Door;
use contexture::requests::DocumentRequest;
use contexture_gather::{Env, Progress, names};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

pub fn run(cli: Cli, ui: &Ui) -> Result<(), Failure> {
    let door = door(&cli.global)?;
    match cli.verb {
        None => plan::run(&door, &cli.plan, ui),
        Some(Verb::Build(args)) => build::run(&door, &args, ui),
        Some(Verb::Show(args)) => build::show(&door, &args, ui),
        Some(Verb::Symbols(args)) => files::symbols(&door, &args, ui),
        Some(Verb::Search(args)) => files::search(&door, *args, ui),
        Some(Verb::Related(args)) => files::related(&door, &args, ui),
        Some(Verb::Tokens(args)) => files::tokens(&door, &args, ui),
        Some(Verb::Send(args)) => send::run(&door, *args, ui),
        Some(Verb::Serve(args)) => serve::run(door, &args, ui),
        Some(Verb::Check(args)) => scan::check(&args, ui),
        Some(Verb::Scan(args)) => scan::run(&door, &args, ui),
        Some(Verb::Why(args)) => files::why(&door, &args, ui),
        Some(Verb::Stats(args)) => files::stats(&door, &args, ui),
        Some(Verb::Slice(verb)) => slice::run(&door, verb, ui),
        Some(Verb::Preset(verb)) => preset::run(&door, verb, ui),
        Some(Verb::Persona(verb)) => preset::persona(&door, verb, ui),
        Some(Verb::Runs(args)) => runs::run(&door, args, ui),
        Some(Verb::Summarize(args)) => summarize::run(&door, *args, ui),
        Some(Verb::Cache(verb)) => cache::run(&door, verb, ui),
        Some(Verb::Mcp(args)) => serve::mcp(door, &args, ui),
        Some(Verb::Setup(args)) => setup::run(&door, &args, ui),
        Some(Verb::Import(verb)) => import::run(&door, verb, ui),
        Some(Verb::Agent(args)) => agent::run(door, *args, ui),
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
        .map_err(|error| Failure::new(ErrorKind::Failed, format!("the working directory is gone: {}", error.kind())))?;
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
        shared: Some(Arc::new(contexture_server::shared::Postgres)),
    })
}

/// All of standard input.
fn stdin() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// All of standard input as text, to the byte.
fn stdin_text() -> Result<String, Failure> {
    String::from_utf8(stdin()?).map_err(|_| {
        Failure::new(ErrorKind::Usage, "standard input is not UTF-8").hint("convert it first, for example with iconv")
    })
}

/// The beginning of a file, or of standard input for `-`.
fn read_beginning(file: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match file == Path::new("-") {
        true => std::io::stdin().lock().take(most).read_to_end(&mut bytes)?,
        false => std::fs::File::open(file)?.take(most).read_to_end(&mut bytes)?,
    };
    Ok(bytes)
}

/// A document with the paths and the query of the command line, which may come from standard input or a file.
fn request(
    door: &Door,
    document: &DocumentRequest,
    paths: Option<&Paths>,
    query: Option<&QueryFile>,
) -> Result<DocumentRequest, Failure> {
    let file = query.and_then(|query| query.query_file.as_deref());
    Ok(DocumentRequest {
        paths: paths.map(|paths| named_paths(door, paths)).transpose()?.unwrap_or_default(),
        listed: paths.map(listed_paths).transpose()?.unwrap_or_default(),
        query: file.map_or_else(|| Ok(document.query.clone()), |file| query_text(file, paths).map(Some))?,
        instructions: document.instructions.as_deref().map(instructions).transpose()?,
        ..document.clone()
    })
}

/// A task of more has no end.
const LONGEST_QUERY: u64 = 64 * 1024 * 1024;

/// The query in a file of any encoding that can be read as text.
fn query_text(file: &Path, paths: Option<&Paths>) -> Result<String, Failure> {
    let wrong = |message| Failure::new(ErrorKind::Usage, message).hint("`--query TEXT` takes the text itself");
    if file == Path::new("-") && paths.is_some_and(from_stdin) {
        return Err(wrong("standard input cannot hold both the paths and the query".to_owned()));
    }
    let bytes = read_beginning(file, LONGEST_QUERY)
        .map_err(|error| wrong(format!("`--query-file` cannot be read: `{}`: {}", file.display(), error.kind())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Instructions as text, or the text of the file that they name.
fn instructions(said: &str) -> Result<String, Failure> {
    if !Path::new(said).is_file() {
        let is_path =
            !said.contains(char::is_whitespace) && [".md", ".txt"].iter().any(|ending| said.ends_with(ending));
        if is_path {
            let error = Failure::new(ErrorKind::Usage, format!("`--instructions`: no such file: {said}"));
            return Err(error.hint("give the text itself, or a file that exists"));
        }
        return Ok(said.to_owned());
    }
    let bytes = read_beginning(Path::new(said), LONGEST_QUERY).map_err(|error| {
        Failure::new(ErrorKind::Usage, format!("`--instructions` cannot be read: `{said}`: {}", error.kind()))
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn from_stdin(paths: &Paths) -> bool {
    paths.stdin0 || paths.paths.iter().any(|path| path == "-")
}

/// Paths of the command line itself; each must name something.
fn named_paths(door: &Door, paths: &Paths) -> Result<Vec<String>, Failure> {
    if paths.paths.iter().any(String::is_empty) {
        return Err(Failure::new(ErrorKind::Usage, "a path is empty").hint("`.` is the whole folder"));
    }
    let named: Vec<String> = paths.paths.iter().filter(|path| *path != "-").cloned().collect();
    door.check_typed(&named)?;
    Ok(named)
}

/// Paths from standard input, where `-` or `--stdin0` asks for them.
fn listed_paths(paths: &Paths) -> Result<Vec<String>, Failure> {
    if !from_stdin(paths) {
        return Ok(Vec::new());
    }
    let input = stdin()?;
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
        let failure = Failure::new(ErrorKind::Usage, "standard input named no path");
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
        let shown = names::display_path(Path::new(std::ffi::OsStr::from_bytes(path)));
        if shown.starts_with('/') { shown } else { format!("{root}{shown}") }
    }
    #[cfg(not(unix))]
    String::from_utf8_lossy(path).into_owned()
}
