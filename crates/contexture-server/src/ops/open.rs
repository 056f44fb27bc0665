//! Resolves a request: roots, settings, who decides the strategy, what gather is asked for.

use super::OpError;
use super::budget::{self, BudgetFrom};
use super::safety;
use super::whom;
use contexture_core::rank::Query;
use contexture_core::safety::{Report, Safety, Secrets};
use contexture_core::{
    AgentOptions, Api, Format, History, Level, Mode, Note, Options, RETRIEVE, RequestOptions, Source, Strategy,
    SymbolMode, Tokenizer, Tokens, Topic, Tree,
};
use contexture_gather::cache::Cache;
use contexture_gather::config::{self, Config, DefaultMode, Embed, Entry, Origin, Persona, StrategyName};
use contexture_gather::{Ask, Env, Progress, Roots};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a door knows before any request.
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
}

/// A document that is asked for. Everything has a default.
#[derive(Clone, Debug, Default)]
pub struct Request {
    pub paths: Vec<String>,
    /// Paths from standard input.
    pub listed: Vec<String>,
    pub preset: Option<String>,
    /// Entries in place of the project's own composition, and of a preset's.
    pub composition: Option<Vec<Entry>>,
    pub persona: Option<String>,
    pub tier: Option<u8>,
    pub strategy: Option<StrategyName>,
    pub view: Option<Level>,
    pub focus: Vec<String>,
    /// `--mask` of `show`.
    pub mask: BTreeMap<String, SymbolMode>,
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    pub budget: Option<u64>,
    /// Whose window is the budget when there is none.
    pub model: Option<String>,
    pub query: Option<String>,
    /// Tokens for passages from outside the composition.
    pub retrieve: Option<u64>,
    /// The file that `why` asks about.
    pub explain: Option<String>,
    pub tokenizer: Option<String>,
    pub format: Option<Format>,
    pub history: Option<History>,
    pub tree: Option<Tree>,
    pub line_numbers: bool,
    pub diff: Option<String>,
    pub log: Option<usize>,
    pub base: Option<String>,
    pub embed: Option<bool>,
    /// In a request: what is asked of the document; without it, the query is.
    pub message: Option<String>,
    /// In a request: the longest answer, in tokens.
    pub max_answer: Option<u64>,
    pub temperature: Option<f64>,
    /// In a request: without marks for the provider's cache.
    pub no_marks: bool,
    pub strict: bool,
    /// What happens to secrets, in place of what the settings say.
    pub secrets: Option<Secrets>,
    /// Leave out what models wrote: summaries are made from the files alone.
    pub no_written: bool,
    /// The file the document goes to: an earlier one does not enter the next.
    pub target: Option<PathBuf>,
    /// Leave nothing behind but the document.
    pub no_manifest: bool,
    /// Who asked, where it was a program: its manifest says so.
    pub caller: Option<String>,
}

/// Where a document goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    Numbered,
    File(PathBuf),
    /// Nowhere: the door does something with it.
    Caller,
}

/// A request after everyone with a say was heard.
pub struct Opened {
    pub roots: Roots,
    pub config: Config,
    pub options: Options,
    pub ask: Ask,
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
    pub fn root_paths(&self) -> Vec<PathBuf> {
        match self.roots.as_slice() {
            [] => vec![self.env.cwd.clone()],
            roots => roots.iter().map(|root| self.env.cwd.join(root)).collect(),
        }
    }

    pub fn open_roots(&self) -> Result<Roots, OpError> {
        Roots::open(&self.root_paths()).map_err(|(path, error)| {
            let shown = path.strip_prefix(&self.env.cwd).unwrap_or(&path);
            OpError::usage(format!("cannot open the root `{}`: {}", shown.display(), error.kind()))
                .hint("`--root` takes a folder")
        })
    }

    pub fn load_config(&self, roots: &Roots) -> Result<Config, OpError> {
        let file = self.config_file.as_ref().map(|file| self.env.cwd.join(file));
        Ok(config::load(roots.project(), &self.env, &[], file.as_deref())?)
    }

    /// The cache of counts, unless it is switched off. A project's own file cannot say where: a cache that came with a
    /// project is not trusted, and nothing is written elsewhere on its word.
    pub fn open_cache(&self, roots: &Roots, config: &Config) -> Option<Result<Cache, Note>> {
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
    pub fn cache_note(config: &Config) -> Option<Note> {
        match config.origin("aggregation.cache_dir") {
            Origin::Project { file, line } => {
                let text = format!(
                    "{file}:{line}: `aggregation.cache_dir` of a project is not used: its cache would not be trusted"
                );
                Some(
                    Note::new(Topic::Setting, text)
                        .hint("`contexture config set --global aggregation.cache_dir DIR` sets it for this user"),
                )
            }
            _ => None,
        }
    }

    pub fn open(&self, request: &Request) -> Result<Opened, OpError> {
        let roots = self.open_roots()?;
        let config = self.load_config(&roots)?;
        self.resolve(roots, config, request)
    }

    /// The same with settings that are known.
    pub(super) fn resolve(&self, roots: Roots, config: Config, request: &Request) -> Result<Opened, OpError> {
        let persona_name = request.persona.clone().or_else(|| config.project.persona.clone());
        let persona = persona_name.as_deref().map(|name| config.persona(name)).transpose()?;
        let (safety, policy_notes) = safety::policy(&config, request.secrets);
        let (request, mut found) = safety::request(&safety, request);
        let request = &request;
        let persona = persona.map(|persona| safety::persona(&safety, persona, &mut found));
        let persona = persona.as_ref();
        let preset_name = request.preset.clone().or_else(|| persona.and_then(|persona| persona.context_preset.clone()));
        let preset = preset_name.as_deref().map(|name| config.preset(name)).transpose()?;
        let budget::Decided { budget, tokenizer, mut notes } = budget::decide(request, &config.budget, persona)?;
        let (budget, budget_from) = budget.unzip();
        let format = request.format.unwrap_or(Format::Markdown);
        let strategy = strategy(request, &config, persona);
        let wanted = wanted(request, persona);
        let namespace = namespace(&config, &roots);
        let options = Options {
            strategy,
            view: request.view,
            focused: !request.focus.is_empty(),
            history: request.history.unwrap_or(History::With),
            format,
            tree: request.tree.unwrap_or(Tree::None),
            line_numbers: request.line_numbers,
            budget: budget.map(Tokens),
            explain: request.explain.clone(),
            query: request.query.clone().filter(|query| !query.trim().is_empty()),
            retrieve: request.retrieve.map_or(RETRIEVE, Tokens),
            agent: AgentOptions::default(),
            request: match format {
                Format::Messages | Format::Request(_) => wanted.clone(),
                Format::Markdown | Format::Xml | Format::Json | Format::Text => RequestOptions::default(),
            },
            loom: None,
        };
        let chosen = preset.is_some() || request.composition.is_some() || config.files.paths.is_some();
        let chosen = chosen || !request.paths.is_empty() || !request.listed.is_empty();
        let ask = Ask {
            named: request.paths.clone(),
            listed: request.listed.clone(),
            composition: request.composition.clone().or_else(|| Some(preset?.files.clone())),
            screenshots: preset.map(|preset| preset.screenshots.clone()),
            include: request.include.clone(),
            exclude: request.exclude.clone(),
            threads: self.threads,
            full_tree: options.tree == Tree::Full,
            diff: request.diff.clone(),
            log: request.log,
            base: request.base.clone().unwrap_or_else(|| "HEAD".into()),
            view: request.view,
            focus: request.focus.clone(),
            around: chosen && options.query.is_some() && options.retrieve > Tokens(0),
            history_only: options.history == History::Only,
            files_only: false,
            // A request shows pictures as pictures.
            embed: request.embed.unwrap_or(config.screenshots.embed == Embed::Base64 || shows_pictures(format)),
            namespace: namespace.clone(),
            target: request.target.as_ref().map(|target| self.env.cwd.join(target)),
        };
        notes.extend(policy_notes);
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

/// What a request says beside the document: the command line first, then the persona.
fn wanted(request: &Request, persona: Option<&Persona>) -> RequestOptions {
    // The settings of a persona are each for its own model.
    let own = persona.and_then(|persona| {
        whom::own(persona, request.format.and_then(|format| format.api()), request.model.as_deref())
    });
    let said =
        |text: &Option<String>| text.as_ref().filter(|text| !text.trim().is_empty()).map(|text| text.as_str().into());
    RequestOptions {
        model: request.model.clone().or_else(|| Some(own?.model.clone())),
        max_answer: request.max_answer.or_else(|| own?.max_output_tokens),
        temperature: request.temperature.or_else(|| own?.temperature),
        top_p: own.and_then(|own| own.top_p),
        system: persona.and_then(|persona| said(&persona.system_prompt)),
        message: said(&request.message).or_else(|| said(&request.query)),
        marks: !request.no_marks,
    }
}

/// Settings that an API has no member for are told, not sent.
fn taste_note(options: &Options) -> Option<Note> {
    let is_set = options.request.temperature.is_some() || options.request.top_p.is_some();
    let is_taken = options.format != Format::Request(Api::Anthropic);
    let text = "`temperature` and `top_p` are left out: Anthropic's API has given them up";
    (is_set && !is_taken).then(|| Note::new(Topic::Setting, text))
}

pub(super) fn shows_pictures(format: Format) -> bool {
    match format {
        Format::Request(api) => !api.pictures().is_empty(),
        Format::Messages => true,
        Format::Markdown | Format::Xml | Format::Json | Format::Text => false,
    }
}

/// What is to be said of a query that does less than it seems to.
fn query_note(request: &Request, options: &Options, ask: &Ask) -> Option<Note> {
    let given = request.query.as_ref()?;
    let note = |text: &str| Note::new(Topic::Setting, text);
    let Some(query) = &options.query else { return Some(note("the query is empty: nothing is ranked for it")) };
    if options.budget.is_none() && !ask.around {
        let text = "the query has no effect: everything is shown";
        return Some(
            note(text).hint("`--budget N` shows what the query needs; named paths bring passages from outside"),
        );
    }
    if Query::parse(query).terms.is_empty() {
        return Some(note("the query has no words: nothing is ranked for it"));
    }
    Query::is_long(given).then(|| note("the query is long: its first 48 KiB and its last 16 KiB are read"))
}

/// Who decides (F5): the command line, a persona, a tier, the project, the default of the project's aggregation.
fn strategy(request: &Request, config: &Config, persona: Option<&Persona>) -> Strategy {
    let named = |name: StrategyName, source: Source| {
        let mode = match name {
            StrategyName::Summarize => Mode::Summarize,
            StrategyName::Auto if config.project.summary_only => Mode::Summarize,
            StrategyName::Full | StrategyName::Auto => Mode::OwnView,
        };
        Strategy { mode, name: name.as_str(), source }
    };
    if let Some(name) = request.strategy {
        return named(name, Source::Flag);
    }
    if let Some(persona) = persona
        && let Some(name) = persona.aggregation_strategy
    {
        return named(name, Source::Persona(persona.name.clone()));
    }
    if let Some(tier) = request.tier.or_else(|| persona?.tier) {
        let (mode, name) = match tier {
            1 => (Mode::OwnView, "full"),
            2 => (Mode::Summarize, "summarize"),
            _ => (Mode::Skeleton, "skeleton"),
        };
        return Strategy { mode, name, source: Source::Tier(tier) };
    }
    let was_set = |key: &str| *config.origin(key) != Origin::Default;
    if was_set("project.strategy") || was_set("project.summary_only") {
        return named(config.project.strategy, Source::Project);
    }
    let source = if was_set("aggregation.default_mode") { Source::Aggregation } else { Source::Default };
    match config.aggregation.default_mode {
        DefaultMode::Summarize => Strategy { mode: Mode::Summarize, name: "summarize", source },
        DefaultMode::Outline => Strategy { mode: Mode::Outline, name: "outline", source },
        DefaultMode::Full if source == Source::Default => Strategy { mode: Mode::OwnView, name: "auto", source },
        DefaultMode::Full => Strategy { mode: Mode::OwnView, name: "full", source },
    }
}

/// What numbered documents are called: the setting, else the project's or the folder's name as far as it can be a file's.
fn namespace(config: &Config, roots: &Roots) -> String {
    if let Some(namespace) = &config.output.namespace {
        return namespace.clone();
    }
    let name =
        config.project.name.clone().or_else(|| Some(roots.project().file_name()?.to_string_lossy().into_owned()));
    let clean: String = name
        .unwrap_or_default()
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+') { c } else { '-' })
        .take(64)
        .collect();
    let clean = clean.trim_start_matches(['.', '-']);
    if clean.is_empty() { "context".into() } else { clean.to_owned() }
}

/// A file whose name is near to this one, if that may be told.
pub(super) fn near(roots: &Roots, path: &str) -> Option<String> {
    roots.near(path).filter(|near| safety::is_tellable(near))
}

/// An unknown name, with the nearest known one.
pub fn unknown(what: &str, name: &str, known: impl IntoIterator<Item = impl AsRef<str>>) -> OpError {
    let known = known.into_iter().map(|name| name.as_ref().to_owned());
    let known: Vec<String> = known.filter(|name| safety::is_tellable(name)).collect();
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
