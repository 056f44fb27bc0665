//! Resolves a request: roots, settings, who decides the strategy, what gather is asked for.

mod options;

use super::OpError;
use super::budget::{self, BudgetFrom};
use super::driver::Memory;
use super::model_choice;
use super::safety;
use crate::requests::{DocumentRequest, Word};
use crate::shared::SharedStores;
use contexture_core::render::printable;
use contexture_core::safety::{Report, Safety, Screened, screen};
use contexture_core::{Body, Format, Item, Note, Options, RequestOptions, Snapshot, Tokenizer, Tokens, Topic};
use contexture_gather::cache::Cache;
use contexture_gather::config::{self, Config, Embed, Origin};
use contexture_gather::{Env, GatherRequest, Progress, RootedPath, Roots, is_glob, names, snapshot};
use options::{namespace, query_note, strategy, taste_note, wanted};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a program knows before any request: the environment, the folders, the settings file, and how to cancel.
#[derive(Clone)]
pub struct Door {
    pub env: Env,
    /// The first is the project; none: the working directory.
    pub roots: Vec<PathBuf>,
    pub config_file: Option<PathBuf>,
    pub no_cache: bool,
    pub threads: usize,
    pub progress: Arc<Progress>,
    /// Standard input, where an operation takes `-` for a file.
    pub input: Option<Vec<u8>>,
    /// What opens stores on database servers, where the program has it.
    pub shared: Option<Arc<dyn SharedStores>>,
}

/// Where a document goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    Numbered,
    File(PathBuf),
    /// Nowhere: the door does something with it.
    Caller,
}

/// A request after settings, preset, persona and budget were resolved.
pub(crate) struct Opened {
    pub roots: Roots,
    pub config: Config,
    pub options: Options,
    pub ask: GatherRequest,
    pub tokenizer: Tokenizer,
    pub namespace: String,
    pub budget_from: Option<BudgetFrom>,
    /// What is to be said of the budget.
    pub notes: Vec<Note>,
    /// How detailed the summaries are that models wrote and that are shown; `None` shows none of them.
    pub written_tier: Option<u8>,
    /// What a request says beside the document, whether one is written or not.
    pub wanted: RequestOptions,
    pub safety: Safety,
    /// What was found in the words of the request itself.
    pub found: Report,
}

impl Door {
    /// A door to one folder that ignores the user's own settings, caches, runs and keys. The clock stays at 1970, so the same folder
    /// gives the same bytes.
    pub fn for_folder(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        let cwd = std::path::absolute(&folder).unwrap_or(folder);
        Self {
            env: Env { cwd, ..Env::default() },
            roots: Vec::new(),
            config_file: None,
            no_cache: true,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            progress: Arc::default(),
            input: None,
            shared: None,
        }
    }

    /// The absolute paths of the roots; the working directory where none is named.
    pub fn root_paths(&self) -> Vec<PathBuf> {
        match self.roots.as_slice() {
            [] => vec![self.env.cwd.clone()],
            roots => roots.iter().map(|root| self.env.cwd.join(root)).collect(),
        }
    }

    /// A path of the project as its people write it: relative to the first root, also where that is reached by a link.
    pub fn in_project(&self, path: &Path) -> String {
        let project = self.root_paths().into_iter().next().unwrap_or_default();
        let real = project.canonicalize().unwrap_or_else(|_| project.clone());
        let inner = path.strip_prefix(real).or_else(|_| path.strip_prefix(project));
        inner.unwrap_or(path).display().to_string()
    }

    /// Opens the folders that may be read.
    pub fn open_roots(&self) -> Result<Roots, OpError> {
        Roots::open(&self.root_paths()).map_err(|(path, error)| {
            let shown = path.strip_prefix(&self.env.cwd).unwrap_or(&path);
            OpError::usage(format!("cannot open the root `{}`: {}", shown.display(), error.kind()))
                .hint("`--root` takes a folder")
        })
    }

    /// The folders that may be read, and the settings of the project among them.
    pub(crate) fn open_project(&self) -> Result<(Roots, Config), OpError> {
        let roots = self.open_roots()?;
        let config = self.load_config(&roots)?;
        Ok((roots, config))
    }

    /// Loads the settings for the first root.
    pub(crate) fn load_config(&self, roots: &Roots) -> Result<Config, OpError> {
        let file = self.config_file.as_ref().map(|file| self.env.cwd.join(file));
        Ok(config::load(roots.project(), &self.env, &[], file.as_deref())?)
    }

    /// The cache of counts, unless it is switched off. A project's own file cannot say where: a cache that came with a
    /// project is not trusted, and nothing is written elsewhere on its word.
    pub(crate) fn open_cache(&self, roots: &Roots, config: &Config) -> Option<Result<Cache, Note>> {
        if self.no_cache || !config.aggregation.cache_enabled {
            return None;
        }
        Some(Cache::open(&self.cache_folder(roots, config)?))
    }

    /// Where results and summaries are kept: the folder that the user set, else the user's cache folder.
    pub(super) fn cache_folder(&self, roots: &Roots, config: &Config) -> Option<PathBuf> {
        let wanted = config.aggregation.cache_dir.as_ref().map(|dir| self.env.cwd.join(dir));
        let by_project = matches!(config.origin("aggregation.cache_dir"), Origin::Project { .. });
        let inside = |dir: &PathBuf| roots.iter().any(|(_, root)| dir.starts_with(&root.path));
        wanted.filter(|dir| !by_project && !inside(dir)).or_else(|| self.env.cache_dir.clone())
    }

    /// What is said when a project's setting of the cache is not followed.
    pub(crate) fn cache_note(config: &Config) -> Option<Note> {
        let Origin::Project { file, line } = config.origin("aggregation.cache_dir") else { return None };
        let text =
            format!("{file}:{line}: `aggregation.cache_dir` of a project is not used: its cache would not be trusted");
        let hint = "`contexture config set --global aggregation.cache_dir DIR` sets it for this user";
        Some(Note::new(Topic::Setting, text).hint(hint))
    }

    /// Refuses a path that a person typed and that does not exist, before anything is written. Patterns may match nothing, and entries
    /// of a composition and paths that a program listed become errors in their place in the document.
    pub fn check_typed(&self, paths: &[String]) -> Result<(), OpError> {
        let roots = self.open_roots()?;
        let project = RootedPath { root: 0, rel: PathBuf::new() };
        for path in paths {
            let place = roots.locate(&project, &names::original_path(path));
            let is_there = |place: &RootedPath| roots.absolute(place).symlink_metadata().is_ok();
            match place {
                Ok(place) if is_there(&place) => {}
                _ if is_glob(path) => {}
                Ok(_) => return Err(no_such_file(&roots, path)),
                Err(_) => {
                    return Err(OpError::usage(format!("outside the project: {}", printable(path)))
                        .hint("add its folder with `--root DIR`"));
                }
            }
        }
        Ok(())
    }

    /// Resolves a request: settings, preset, persona, budget and tokenizer.
    pub(crate) fn open(&self, request: &DocumentRequest) -> Result<Opened, OpError> {
        let (roots, config) = self.open_project()?;
        self.resolve(roots, config, request)
    }

    /// The same with settings that are known.
    pub(super) fn resolve(&self, roots: Roots, config: Config, request: &DocumentRequest) -> Result<Opened, OpError> {
        let persona = model_choice::persona(&config, request)?;
        let safety = safety::policy(&config, request.secrets.map(Word::get));
        let (request, mut found) = safety::mask_request(&safety, request);
        let request = &request;
        let persona = persona.map(|persona| safety::mask_persona(&safety, persona, &mut found));
        let persona = persona.as_ref();
        let preset_name = request.preset.clone().or_else(|| persona.and_then(|persona| persona.context_preset.clone()));
        let preset = preset_name.as_deref().map(|name| config.preset(name)).transpose()?;
        let budget::BudgetDecision { budget, tokenizer, mut notes } = budget::decide(request, &config.budget, persona)?;
        let (budget, budget_from) = budget.unzip();
        let format = request.options().format;
        let strategy = strategy(request, &config, persona);
        let wanted = wanted(request, persona);
        let namespace = namespace(&config, &roots);
        let options = Options {
            strategy,
            frame: request.frame(&namespace),
            order: request.order.map(Word::get).or(config.output.order).unwrap_or(request.options().order),
            budget: budget.map(Tokens),
            request: match format {
                Format::Messages | Format::Request(_) => wanted.clone(),
                Format::Markdown | Format::Xml | Format::Json | Format::Text => RequestOptions::default(),
            },
            ..request.options()
        };
        let chosen = preset.is_some() || request.composition.is_some() || config.files.paths.is_some();
        let chosen = chosen || !request.paths.is_empty() || !request.listed.is_empty();
        let gathering = request.gathering();
        let ask = GatherRequest {
            composition: gathering.composition.or_else(|| preset.map(|preset| preset.files.clone())),
            screenshots: preset.map(|preset| preset.screenshots.clone()),
            threads: self.threads,
            around: chosen && options.query.is_some() && options.retrieve > Tokens(0),
            // A request shows pictures as pictures.
            embed: request.embed.unwrap_or(config.screenshots.embed == Embed::Base64 || shows_pictures(format)),
            namespace: namespace.clone(),
            target: request.target.as_ref().map(|target| self.env.cwd.join(target)),
            ..gathering
        };
        notes.extend(query_note(request, &options, &ask));
        notes.extend(taste_note(&options));
        let tier = request.tier.or_else(|| persona?.tier);
        let written_tier = (!request.no_written).then(|| tier.unwrap_or(2));
        Ok(Opened {
            roots,
            config,
            options,
            ask,
            tokenizer,
            namespace,
            budget_from,
            notes,
            written_tier,
            wanted,
            safety,
            found,
        })
    }
}

impl Opened {
    /// Reads what is asked for.
    pub fn read(&self, door: &Door, ask: &GatherRequest) -> Result<Snapshot, OpError> {
        Ok(snapshot(&self.roots, &self.config, ask, &door.progress)?)
    }

    /// Reads the files of the request and no other section of a document.
    pub fn read_files(&self, door: &Door) -> Result<Snapshot, OpError> {
        self.read(door, &GatherRequest { files_only: true, ..self.ask.clone() })
    }

    /// Masks a snapshot, and adds what was found in the request itself.
    pub fn screen(&self, snapshot: Snapshot, memory: &Memory) -> Screened {
        screen(snapshot, &self.safety, &memory.clean).with(self.found.clone())
    }

    /// Where numbered documents go. A project's own file cannot send them out of the project, by name or by a link.
    pub fn output_dir(&self) -> Result<PathBuf, OpError> {
        let project = self.roots.project();
        let dir = project.join(&self.config.output.dir);
        if !matches!(self.config.origin("output.dir"), Origin::Project { .. } | Origin::Default) {
            return Ok(dir);
        }
        let there = dir.ancestors().find(|above| above.symlink_metadata().is_ok());
        let inside = there.and_then(|above| above.canonicalize().ok()).is_some_and(|real| real.starts_with(project));
        let climbs = dir.components().any(|part| part == std::path::Component::ParentDir);
        if inside && !climbs {
            return Ok(dir);
        }
        Err(OpError::usage(format!("`output.dir` leads out of the project: `{}`", self.config.output.dir))
            .hint("`-o FILE` writes anywhere; `contexture config set --global output.dir DIR` sets it for this user"))
    }
}

pub(super) fn shows_pictures(format: Format) -> bool {
    match format {
        Format::Request(api) => !api.provider().pictures.types.is_empty(),
        Format::Messages => true,
        Format::Markdown | Format::Xml | Format::Json | Format::Text => false,
    }
}

/// One file that was named and cannot be read is an error; one of many is a row.
pub(super) fn check_single_file(snapshot: &Snapshot, request: &DocumentRequest) -> Result<(), OpError> {
    match snapshot.items.as_slice() {
        [Item { path, body: Body::Failed(failure), .. }] if !request.paths.is_empty() => {
            Err(OpError::failed(format!("`{path}`: {failure}")))
        }
        _ => Ok(()),
    }
}

fn no_such_file(roots: &Roots, path: &str) -> OpError {
    if path.contains("://") {
        return OpError::usage(format!("not a path: {}", printable(path)))
            .hint("download it and name the file: no address is fetched");
    }
    let near = near(roots, path).map(|near| format!("did you mean {}?", printable(&near)));
    OpError::usage(format!("no such file: {}", printable(path))).with_hints(near)
}

/// A file whose name is near to this one, if that may be told.
pub(super) fn near(roots: &Roots, path: &str) -> Option<String> {
    roots.near(path).filter(|near| safety::has_no_secret(near))
}

/// An unknown name, with the nearest known one.
pub fn unknown(what: &str, name: &str, known: impl IntoIterator<Item = impl AsRef<str>>) -> OpError {
    let known = known.into_iter().map(|name| name.as_ref().to_owned());
    let known: Vec<String> = known.filter(|name| safety::has_no_secret(name)).collect();
    let error = OpError::usage(format!("no {what} is called `{name}`"));
    match config::nearest(name, known.iter().map(String::as_str)) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None if known.is_empty() => error.hint(format!("there is no {what} yet")),
        None => error.hint(format!("there are: {}", known.join(", "))),
    }
}

/// Whether a path stays below a folder, links and all. Of what is not there yet, the folders above it are looked at.
pub(super) fn is_inside(path: &Path, folder: &Path) -> bool {
    if path.components().any(|part| part == std::path::Component::ParentDir) {
        return false;
    }
    let Ok(folder) = folder.canonicalize() else { return false };
    // A link that leads nowhere would be followed when the file is made.
    let there = path.ancestors().find(|part| part.symlink_metadata().is_ok());
    there.and_then(|part| part.canonicalize().ok()).is_some_and(|real| real.starts_with(&folder))
}
