//! The builder that agents keep.

use super::memory::BuilderMemory;
use super::{ContextBuilder, ContextError, LlmMessage, Pending, Session};
use contexture_core::safety::{Report, Safety, screen};
use contexture_core::shape::bootstrap::Bootstrap;
use contexture_core::shape::history::{Group, repair};
use contexture_core::{
    Compiled, Format, InProcess, LayerSize, Message, Meter, Note, Options, Output, Plan, Role, Snapshot, Tokenizer,
    Tokens, ToolSchema, Tools, compile,
};
use contexture_gather::layers::{State, TurnRequest, Workspace, WorkspaceReader, snapshot};
use futures_channel::oneshot;
use std::path::PathBuf;
use std::sync::Arc;

/// The day, and where it is that day.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Now {
    /// `2026-11-16`.
    pub day: String,
    /// `Europe/Berlin`.
    pub zone: String,
}

impl Now {
    /// As the system has it.
    pub fn system() -> Self {
        Self::of(&jiff::Zoned::now())
    }

    /// At so many seconds since the epoch, in a zone that the system knows by this name; else in UTC.
    pub fn at(seconds: i64, zone: &str) -> Self {
        let time = jiff::Timestamp::from_second(seconds).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        let zone = jiff::tz::TimeZone::get(zone).unwrap_or(jiff::tz::TimeZone::UTC);
        Self::of(&time.to_zoned(zone))
    }

    fn of(time: &jiff::Zoned) -> Self {
        let zone = time.time_zone().iana_name().unwrap_or("UTC").to_owned();
        Self { day: time.date().to_string(), zone }
    }
}

/// The time of the system as RFC 3339 in UTC, to the second: when something was said, as [`append`](super::append) takes it.
pub fn timestamp() -> String {
    let now = jiff::Timestamp::now();
    jiff::Timestamp::from_second(now.as_second()).unwrap_or(now).to_string()
}

/// The limit if none is set.
pub const MAX_TOKENS: u64 = 4_000;

/// Everything about a context that was built.
#[derive(Clone, Debug)]
pub struct Context {
    /// In the order a model reads them.
    pub messages: Vec<LlmMessage>,
    /// Every layer, memory, skill and message once: shown or left out, with a reason.
    pub plan: Plan,
    /// What a person should know: files that are missing, broken or cut, and what had no room.
    pub notes: Vec<Note>,
    /// Of all that is sent, never above the limit.
    pub tokens: Tokens,
    /// What each layer takes, in order.
    pub layers: Vec<LayerSize>,
    /// The bytes of the format that was asked for.
    pub output: Output,
    /// Secrets and invisible characters that were found, and what became of them.
    pub safety: Report,
}

/// Builds contexts from a workspace: `SOUL.md`, `AGENTS.md`, `TOOLS.md`, `memory/MEMORY.md`, `skills/*/SKILL.md`.
///
/// Everything has a default; what is missing in the workspace has one too, or is left out with a note. Keep one for each workspace
/// and use it for all of its sessions: it remembers files and counts. Clones share what they remember.
///
/// ```
/// use contexture::agent::{LlmMessage, LlmRole, Session, Tokenizer, WorkspaceContext, tool_schemas};
///
/// let tools = tool_schemas(r#"[{"name": "now", "description": "Tells the day."}]"#)?;
/// let context = WorkspaceContext::new("no-such-folder").max_tokens(8_000).tokenizer(Tokenizer::O200k).tools(tools);
/// let built = context.build(&Session::default(), Some("Which day is it?"))?;
/// assert_eq!(built.messages.last(), Some(&LlmMessage::new(LlmRole::User, "Which day is it?")));
/// assert!(built.tokens.0 < 8_000);
/// for note in &built.notes {
///     println!("{note}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct WorkspaceContext {
    folder: PathBuf,
    reader: Arc<WorkspaceReader>,
    memory: Arc<BuilderMemory>,
    options: Options,
    tokenizer: Tokenizer,
    schemas: Arc<[ToolSchema]>,
    now: Arc<dyn Fn() -> Now + Send + Sync>,
    project: Option<PathBuf>,
    chain: Option<PathBuf>,
    safety: Safety,
}

impl WorkspaceContext {
    /// For the workspace in this folder, which need not be there yet. Nothing is read before a context is built.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        let options = Options { budget: Some(Tokens(MAX_TOKENS)), format: Format::Messages, ..Options::default() };
        Self {
            reader: Arc::new(WorkspaceReader::new(&folder)),
            folder,
            memory: Arc::default(),
            options,
            tokenizer: Tokenizer::O200k,
            schemas: Arc::new([]),
            now: Arc::new(Now::system),
            project: None,
            chain: None,
            safety: Safety::default(),
        }
    }

    /// What happens to secrets and invisible characters in anything that is sent. Unless set, secrets are masked and invisible
    /// characters are told.
    pub fn safety(mut self, safety: Safety) -> Self {
        self.safety = safety;
        self
    }

    /// Takes in the skills in `.agents/skills` and `.claude/skills` of this folder.
    pub fn project(mut self, folder: impl Into<PathBuf>) -> Self {
        self.project = Some(folder.into());
        self.with_reader()
    }

    /// Takes in `AGENTS.md` as coding agents read it: from the repository of this folder down to the folder.
    pub fn agents_from(mut self, folder: impl Into<PathBuf>) -> Self {
        self.chain = Some(folder.into());
        self.with_reader()
    }

    /// The most tokens the context may have; 4,000 unless set.
    pub fn max_tokens(mut self, tokens: u64) -> Self {
        self.options.budget = Some(Tokens(tokens));
        self
    }

    /// What tokens are counted with: that of the model. `O200k` unless set.
    pub fn tokenizer(mut self, tokenizer: Tokenizer) -> Self {
        self.tokenizer = tokenizer;
        self
    }

    /// Tools of the caller. They are counted, and are sent in the request's own field: they are part of [`Context::output`], but of
    /// no message.
    pub fn tools(mut self, schemas: Vec<ToolSchema>) -> Self {
        self.schemas = schemas.into();
        self
    }

    /// The newest so many messages of a session at most; 50 unless set. Often some fewer: what is left out grows in steps, so that
    /// a conversation that grows keeps its beginning for some turns.
    pub fn max_messages(mut self, messages: usize) -> Self {
        self.options.agent.max_messages = Some(messages);
        self
    }

    /// At most so many memories, 20 unless set, in so many tokens, 2,000 unless set.
    pub fn memories(mut self, most: usize, tokens: u64) -> Self {
        self.options.agent.max_memories = most;
        self.options.agent.memory_tokens = Tokens(tokens);
        self
    }

    /// Puts what is chosen for each message next to it, so that all before it stays in a provider's cache. It stands there in messages
    /// of the system behind the history, which not every server takes.
    pub fn near_message(mut self, near: bool) -> Self {
        self.options.agent.near = near;
        self
    }

    /// The format of [`Context::output`]; the list of messages unless set.
    pub fn format(mut self, format: Format) -> Self {
        self.options.format = format;
        self
    }

    /// The name of the model, for the body of a request.
    pub fn model(mut self, name: impl Into<String>) -> Self {
        self.options.request.model = Some(name.into());
        self
    }

    /// How long an answer may be. Where a request must say so and this does not, 4,096 tokens.
    pub fn max_answer(mut self, tokens: u64) -> Self {
        self.options.request.max_answer = Some(tokens);
        self
    }

    /// Where the day comes from, instead of the clock of the system.
    pub fn clock(mut self, now: impl Fn() -> Now + Send + Sync + 'static) -> Self {
        self.now = Arc::new(now);
        self
    }

    /// The context for a message, or for the end of the session where there is none. Reads files and counts; in async code, call
    /// [`build_context`](ContextBuilder::build_context) instead.
    pub fn build(&self, session: &Session, message: Option<&str>) -> Result<Context, ContextError> {
        let workspace = self.reader.read();
        let snapshot = screen(self.snapshot(&workspace, session, "session", message)?, &self.safety, &*self.memory);
        let tools = Tools { meter: Meter::new(&self.tokenizer, &*self.memory), code: &InProcess };
        let compiled = compile(&snapshot, &self.options, &tools)?;
        self.memory.forget();
        let Compiled { output, plan, measured, notes, messages, layers, safety, .. } = compiled;
        let messages = messages.into_iter().map(Arc::unwrap_or_clone).collect();
        Ok(Context { messages, plan, notes, tokens: measured, layers, output, safety })
    }

    /// How many files the last reading opened: none, as long as nothing changed.
    pub fn files_read(&self) -> usize {
        self.reader.reads()
    }

    pub(crate) fn workspace(&self) -> Arc<Workspace> {
        self.reader.read()
    }

    /// All layers of a turn, before anything is masked or chosen.
    pub(crate) fn snapshot(
        &self,
        workspace: &Workspace,
        session: &Session,
        session_name: &str,
        message: Option<&str>,
    ) -> Result<Snapshot, ContextError> {
        let message = message.filter(|message| !message.trim().is_empty());
        if message.is_none() && !can_be_answered(session) {
            return Err(ContextError::NothingToAnswer);
        }
        let counted = self.options.agent.max_messages.map_or(usize::MAX, |most| most.saturating_mul(4));
        let first = session.messages.len().saturating_sub(counted);
        let near_end: Vec<&Arc<Message>> = session.messages[first..].iter().map(|spoken| &spoken.message).collect();
        let hashes: std::collections::HashMap<usize, _> =
            near_end.into_iter().map(|message| (Arc::as_ptr(message) as usize, self.memory.hash(message))).collect();
        let hash = |message: &Arc<Message>| hashes.get(&(Arc::as_ptr(message) as usize)).copied();
        let ask = TurnRequest {
            messages: session.messages.iter().map(|spoken| spoken.message.clone()).collect(),
            session_name,
            message,
            bootstrap: self.bootstrap(workspace),
            schemas: self.schemas.clone(),
            hash: &hash,
        };
        Ok(snapshot(workspace, &ask))
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    fn bootstrap(&self, workspace: &Workspace) -> String {
        let now = (self.now)();
        let tools = if self.schemas.is_empty() { described(workspace) } else { self.schemas.len() };
        let workspace =
            self.folder.file_name().map_or_else(|| "workspace".into(), |name| name.to_string_lossy().into_owned());
        Bootstrap {
            day: now.day,
            zone: now.zone,
            version: env!("CARGO_PKG_VERSION"),
            tools,
            workspace,
            platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
        .text()
    }

    fn with_reader(mut self) -> Self {
        let mut reader = WorkspaceReader::new(&self.folder);
        if let Some(project) = &self.project {
            reader = reader.project(project);
        }
        if let Some(chain) = &self.chain {
            reader = reader.chain(chain);
        }
        self.reader = Arc::new(reader);
        self
    }
}

/// How many tools `TOOLS.md` describes: one for each heading below the first level, else one for each item of a list.
fn described(workspace: &Workspace) -> usize {
    if workspace.tools.state == State::Default {
        return 0;
    }
    let count = |starts: &[&str]| {
        let is_one = |line: &&str| starts.iter().any(|start| line.starts_with(start));
        workspace.tools.text.lines().filter(is_one).count()
    };
    match count(&["## ", "### "]) {
        0 => count(&["- ", "* "]),
        headings => headings,
    }
}

/// Somebody waits for an answer: what is sent of the session ends with a person's message or with results of tools.
fn can_be_answered(session: &Session) -> bool {
    let messages: Vec<Arc<Message>> = session.messages.iter().map(|spoken| spoken.message.clone()).collect();
    let groups = repair(&messages, None).groups;
    let waits =
        |group: &Group| group.messages.last().is_some_and(|(_, last)| matches!(last.role, Role::User | Role::Tool));
    groups.last().is_some_and(waits) && groups.iter().any(|group| group.opens_turn)
}

impl ContextBuilder for WorkspaceContext {
    fn build_context<'a>(
        &'a self,
        session: &'a Session,
        message: &'a str,
    ) -> Pending<'a, Result<Vec<LlmMessage>, ContextError>> {
        let (builder, session, message) = (self.clone(), session.clone(), message.to_owned());
        let (send, receive) = oneshot::channel();
        Box::pin(async move {
            // A thread of its own: one that waits for files must not be one of those that others compute on.
            let work = std::thread::Builder::new().name("contexture".into()).spawn(move || {
                // Whoever asked may be gone by now.
                let _ = send.send(builder.build(&session, Some(&message)));
            });
            match (work, receive.await) {
                (Ok(_), Ok(built)) => built.map(|context| context.messages),
                _ => Err(ContextError::GivenUp),
            }
        })
    }
}
