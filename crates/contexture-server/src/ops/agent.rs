//! An agent's context from the command line, and the sessions it is made of.

use super::OpError;
use super::budget::{TalkAsk, TalkLimit, talk_limit};
use super::document::{Memory, tokenizer_name};
use super::open::{Door, is_inside};
use super::runs::{self, Draft, Print};
use super::safety;
use crate::agent::{Assembled, ContextError, MAX_TOKENS, Now, WorkspaceContext, tool_schemas};
use contexture_core::models::Room;
use contexture_core::render::printable;
use contexture_core::safety::{Safety, Screened, Secrets};
use contexture_core::{AgentOptions, Compiled, Counter, Format, Note, OverBudget, Tokens, Topic, Why};
use contexture_gather::config::{Config, Origin};
use contexture_gather::layers::Workspace;
use contexture_gather::runs::{Effective, RunKind, RunTokens};
use contexture_gather::sessions::import::read;
use contexture_gather::sessions::{
    Appended, Fault, ImportOptions, Imported, Session, SessionError, Spoken, append, import_file, to_json,
};
use contexture_gather::{Roots, names};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A context that is asked for. Everything but the message has a default.
#[derive(Clone, Debug, Default)]
pub struct AgentRequest {
    /// Empty: the session ends with what is to be answered.
    pub message: String,
    pub workspace: Option<PathBuf>,
    pub session: Option<PathBuf>,
    pub import: ImportOptions,
    pub max_tokens: Option<u64>,
    pub model: Option<String>,
    pub tokenizer: Option<String>,
    pub memory_tokens: Option<u64>,
    pub max_messages: Option<usize>,
    pub max_memories: Option<usize>,
    pub near: bool,
    pub format: Option<Format>,
    /// A file with schemas of tools.
    pub tools: Option<PathBuf>,
    /// The same as JSON, from whoever has no file.
    pub schemas: Option<String>,
    /// The folder that `AGENTS.md` is read down to, as coding agents do.
    pub agents_from: Option<PathBuf>,
    /// What happens to secrets, in place of what the settings say.
    pub secrets: Option<Secrets>,
    pub no_manifest: bool,
}

pub struct AgentMade {
    pub compiled: Compiled,
    pub snapshot: Screened,
    pub workspace: Arc<Workspace>,
    pub tokenizer: &'static str,
    pub exact: bool,
    pub limit: Tokens,
    pub limit_from: String,
    /// How a model's window was divided, where there is one.
    pub room: Option<Room>,
    pub format: Format,
    /// The number of its manifest.
    pub run: Option<u64>,
    /// How long each room took, for `--timings`.
    pub timings: Vec<(&'static str, Duration)>,
}

pub fn agent(door: &Door, request: &AgentRequest) -> Result<AgentMade, OpError> {
    let roots = door.open_roots()?;
    let config = door.load_config(&roots)?;
    let (folder, mut notes) = workspace_folder(door, request, &config, roots.project())?;
    let ask = TalkAsk {
        max_tokens: request.max_tokens,
        model: request.model.as_deref(),
        tokenizer: request.tokenizer.as_deref(),
        format: request.format,
        buffer: config.budget.token_buffer,
    };
    let TalkLimit { tokenizer, room, limit } = talk_limit(&ask, &config.budget)?;
    let (limit, limit_from) = limit.unwrap_or_else(|| (MAX_TOKENS, "the default".to_owned()));
    let started = Instant::now();
    let memory = Memory::for_counts(door, &roots, &config, tokenizer);
    notes.extend(memory.note.clone());
    let (safety, policy_notes) = safety::policy(&config, request.secrets);
    notes.extend(policy_notes);

    let (seconds, zone) = (door.env.now, door.env.zone.clone());
    let max_messages = request.max_messages.unwrap_or(config.agent.max_history_messages as usize);
    let max_memories = request.max_memories.unwrap_or(config.agent.max_memory_entries as usize);
    let mut context = WorkspaceContext::new(&folder)
        .project(roots.project())
        .max_tokens(limit)
        .tokenizer(tokenizer)
        .max_messages(max_messages)
        .memories(max_memories, request.memory_tokens.unwrap_or(AgentOptions::default().memory_tokens.0))
        .near_message(request.near)
        .safety(safety.clone())
        .format(request.format.unwrap_or(Format::Messages))
        .clock(move || Now::at(seconds, &zone));
    if let Some(folder) = &request.agents_from {
        context = context.agents_from(door.env.cwd.join(folder));
    }
    if let Some(name) = &request.model {
        context = context.model(name);
    }
    if let Some(room) = &room {
        context = context.max_answer(room.answer);
    }
    let tools = match (&request.tools, &request.schemas) {
        (Some(file), _) => Some((file.to_string_lossy().into_owned(), read_text(door, file)?)),
        (None, Some(text)) => Some(("tools".to_owned(), text.clone())),
        (None, None) => None,
    };
    if let Some((name, text)) = tools {
        let schemas = tool_schemas(&text).map_err(|error| {
            OpError::usage(format!("{}: {error}", printable(&name)))
                .hint("`[{\"name\": …, \"description\": …, \"parameters\": {…}}]`")
        })?;
        context = context.tools(schemas);
    }
    let session = read_session(door, request, &folder, &mut notes)?;
    let name = request.session.as_ref().map_or_else(|| "session".into(), |file| file.display().to_string());
    let workspace = context.workspace();
    let mut timings = vec![("gather", started.elapsed())];
    let started = Instant::now();
    let message = Some(request.message.as_str());
    let Assembled { snapshot, mut compiled } = context
        .assemble(&workspace, &session, &name, message, (memory.memo(), &memory.clean))
        .map_err(|error| refused(error, request))?;
    timings.push(("compile", started.elapsed()));
    let started = Instant::now();
    memory.save();
    timings.push(("remember", started.elapsed()));
    tracing::info!(items = snapshot.items.len(), tokens = compiled.measured.0, "assembled");
    if request.agents_from.is_some() && workspace.agents.len() == 1 {
        notes.push(Note::new(Topic::Empty, "`--agents-from`: no AGENTS.md from the repository down to that folder"));
    }
    if let Some(memory) = workspace.memory.as_ref().filter(|memory| memory.entries.is_empty()) {
        notes.push(
            Note::new(Topic::Empty, "there is nothing to remember in it: headings only").at(&memory.document.path),
        );
    }
    notes.extend(cut_notes(&compiled, &limit_from));
    safety.notes(&mut notes);
    compiled.notes.extend(notes);
    compiled.notes.sort();
    compiled.notes.dedup();
    let mut made = AgentMade {
        compiled,
        snapshot,
        workspace,
        tokenizer: tokenizer_name(tokenizer),
        exact: tokenizer.exact(),
        limit: Tokens(limit),
        limit_from,
        room,
        format: request.format.unwrap_or(Format::Messages),
        run: None,
        timings,
    };
    if !request.no_manifest {
        let started = Instant::now();
        match leave_manifest(door, &roots, &config, request, &made, &safety) {
            Ok(run) => made.run = run,
            Err(note) => made.compiled.notes.push(note),
        }
        made.timings.push(("record", started.elapsed()));
    }
    Ok(made)
}

/// With the bytes themselves: a session goes on, so the same context cannot be made again from its files.
fn leave_manifest(
    door: &Door,
    roots: &Roots,
    config: &Config,
    request: &AgentRequest,
    made: &AgentMade,
    safety: &Safety,
) -> Result<Option<u64>, Note> {
    let budget = Some(made.limit.0);
    let draft = Draft {
        kind: RunKind::Agent,
        request: request_json(request),
        options: Effective {
            strategy: "agent".to_owned(),
            strategy_from: "the command".to_owned(),
            format: made.format.as_str().to_owned(),
            tokenizer: made.tokenizer.to_owned(),
            budget,
            budget_from: Some(made.limit_from.clone()),
        },
        tokens: RunTokens {
            count: made.compiled.measured.0,
            exact: made.exact,
            tokenizer: made.tokenizer.to_owned(),
            budget,
        },
        compiled: &made.compiled,
        print: Print::of(&made.compiled.output, &made.snapshot.items),
        path: None,
        sent: None,
        safety,
    };
    runs::record(door, roots, config, draft, Some(made.compiled.output.text().as_bytes()))
}

/// What was asked for, for people and for `runs diff`; its format stands among the options.
fn request_json(request: &AgentRequest) -> Value {
    let AgentRequest {
        message,
        workspace,
        session,
        import: ImportOptions { leaf, full_log, conversation },
        max_tokens,
        model,
        tokenizer: _,
        memory_tokens,
        max_messages,
        max_memories,
        near,
        format: _,
        tools,
        schemas: _,
        agents_from,
        secrets,
        no_manifest: _,
    } = request;
    let shown = |path: &Option<PathBuf>| path.as_deref().map(names::shown);
    json!({
        "message": message,
        "workspace": shown(workspace),
        "session": shown(session),
        "leaf": leaf,
        "full_log": full_log,
        "conversation": conversation,
        "max_tokens": max_tokens,
        "model": model,
        "memory_tokens": memory_tokens,
        "max_messages": max_messages,
        "max_memories": max_memories,
        "near_message": near,
        "tools": shown(tools),
        "agents_from": shown(agents_from),
        "secrets": secrets.map(Secrets::as_str),
    })
}

/// From the strongest: the flag, the settings, a folder in the user's data folder. A project cannot make its user's agents read
/// another place than the project itself.
fn workspace_folder(
    door: &Door,
    request: &AgentRequest,
    config: &Config,
    project: &Path,
) -> Result<(PathBuf, Vec<Note>), OpError> {
    if let Some(folder) = &request.workspace {
        return Ok((door.env.cwd.join(folder), Vec::new()));
    }
    let mut notes = Vec::new();
    if let Some(set) = &config.agent.workspace {
        let folder = project.join(set);
        let by_project = matches!(config.origin("agent.workspace"), Origin::Project { .. });
        if !by_project || is_inside(&folder, project) {
            return Ok((folder, notes));
        }
        let text = format!("`agent.workspace` of a project may not lead out of it: `{set}` is not used");
        notes.push(Note::new(Topic::Setting, text).hint("`--workspace DIR` names any folder"));
    }
    match &door.env.data_dir {
        Some(data) => Ok((data.join("workspace"), notes)),
        None => {
            Err(OpError::usage("there is no workspace: this user has no data folder")
                .hint("`--workspace DIR` names one"))
        }
    }
}

/// A file, or the name of a session of the workspace. One that is not there yet is empty: an agent's first call.
fn read_session(
    door: &Door,
    request: &AgentRequest,
    workspace: &Path,
    notes: &mut Vec<Note>,
) -> Result<Session, OpError> {
    let Some(file) = &request.session else { return Ok(Session::default()) };
    if file == Path::new("-") {
        let imported = import(door, file, &request.import)?;
        notes.extend(skipped_note(&imported, file));
        notes.extend(imported.notes);
        return Ok(imported.session);
    }
    let mut path = door.env.cwd.join(file);
    if let (Some(name), false) = (file.to_str(), path.exists())
        && !name.contains(['/', '\\'])
    {
        let named = workspace.join("sessions").join(format!("{}.json", name.strip_suffix(".json").unwrap_or(name)));
        path = if named.exists() { named } else { path };
    }
    if !path.try_exists().unwrap_or(true) {
        let note =
            Note::new(Topic::Empty, "there is no such session yet: the history is empty").at(file.to_string_lossy());
        notes.push(note);
        return Ok(Session::default());
    }
    // A file that was made and never written to is an empty session, too.
    if path.metadata().is_ok_and(|data| data.is_file() && data.len() == 0) {
        notes.push(Note::new(Topic::Empty, "the session is empty").at(file.to_string_lossy()));
        return Ok(Session::default());
    }
    let imported = import_at(&path, file, &request.import)?;
    notes.extend(skipped_note(&imported, file));
    notes.extend(imported.notes);
    Ok(imported.session)
}

/// A conversation from a file, or from standard input, which the door has read.
fn import(door: &Door, file: &Path, options: &ImportOptions) -> Result<Imported, OpError> {
    if file == Path::new("-") {
        let input = door.input.as_deref().unwrap_or_default();
        return read(input, options).map_err(|error| refused_session(&error));
    }
    import_at(&door.env.cwd.join(file), file, options)
}

fn import_at(path: &Path, shown: &Path, options: &ImportOptions) -> Result<Imported, OpError> {
    let mut imported = import_file(path, options).map_err(|mut error| {
        error.path = Some(shown.to_path_buf());
        refused_session(&error)
    })?;
    imported.notes.iter_mut().for_each(|note| note.path = Some(shown.to_string_lossy().into_owned()));
    Ok(imported)
}

/// A text file that was named by hand; not a pipe, which could keep us waiting.
fn read_text(door: &Door, file: &Path) -> Result<String, OpError> {
    let path = door.env.cwd.join(file);
    let told = |error: std::io::Error| OpError::io("cannot read", file, &error).hint("check the path with `ls`");
    if !std::fs::metadata(&path).map_err(told)?.is_file() {
        return Err(OpError::usage(format!("not a regular file: `{}`", printable(&file.to_string_lossy()))));
    }
    std::fs::read_to_string(&path).map_err(told)
}

fn refused_session(error: &SessionError) -> OpError {
    match error.fault {
        Fault::Foreign => OpError::Conflict { message: error.to_string(), hints: vec![error.hint()] },
        _ => OpError::failed(error.to_string()).hint(error.hint()),
    }
}

/// What was left out and has no note of its own.
fn skipped_note(imported: &Imported, file: &Path) -> Option<Note> {
    let is_told = |what: &str| imported.notes.iter().any(|note| note.text.contains(what));
    let rest = imported.skipped.iter().filter(|(what, _)| !is_told(what));
    let list: Vec<String> = rest.map(|(what, count)| format!("{what} ({count})")).collect();
    let text = format!("not part of the conversation: {}", list.join(", "));
    (!list.is_empty()).then(|| Note::new(Topic::Reduced, text).at(file.to_string_lossy()))
}

fn refused(error: ContextError, request: &AgentRequest) -> OpError {
    match error {
        ContextError::OverLimit(over) => OpError::OverLimit(over),
        ContextError::Refused(refused) => refused.into(),
        ContextError::Denied(denied) => denied.into(),
        ContextError::NothingToAnswer if request.session.is_some() => {
            OpError::usage("nothing to answer: the session does not end with a message of a user or a tool")
                .hint("`--message TEXT` says something new")
        }
        ContextError::NothingToAnswer => OpError::usage("nothing to answer").hint("`--message TEXT` says what"),
        ContextError::GivenUp => OpError::failed(error.to_string()),
    }
}

/// What a person should know of what is not shown.
fn cut_notes(compiled: &Compiled, limit_from: &str) -> Vec<Note> {
    let count = |why: Why| compiled.plan.left_out.iter().filter(|left| left.why == why).count();
    let note = |count: usize, what: &str| {
        let hint = format!("a larger limit shows more; this one is from {limit_from}");
        (count > 0).then(|| Note::new(Topic::Reduced, format!("{count} {what} have no room")).hint(hint))
    };
    let older = note(count(Why::OlderTurn), "older messages");
    older.into_iter().chain(note(count(Why::NoPlace), "memories, skills or tools")).collect()
}

pub struct SessionRead {
    pub imported: Imported,
    /// In our own format.
    pub json: String,
}

/// Reads a conversation of any known format into ours.
pub fn session_import(door: &Door, file: &Path, options: &ImportOptions) -> Result<SessionRead, OpError> {
    let imported = import(door, file, options)?;
    // The time of its last message, so that the same file always gives the same bytes.
    let said = imported.session.messages.iter().rev().find_map(|spoken| spoken.at.clone());
    let time = said.unwrap_or_else(|| imported.session.created_at.clone());
    let json = to_json(&imported.session, if time.is_empty() { "1970-01-01T00:00:00Z" } else { &time });
    Ok(SessionRead { imported, json })
}

/// Adds a message to a session of ours; it is on disk for good when this returns.
pub fn session_append(door: &Door, file: &Path, message: contexture_core::Message) -> Result<Appended, OpError> {
    append(&door.env.cwd.join(file), &[Spoken::from(message)], &door.env.timestamp())
        .map_err(|error| refused_session(&error))
}

impl OpError {
    /// The limit of a context, which has a flag of its own.
    pub(super) fn limit_hints(over: &OverBudget) -> Vec<String> {
        let list: Vec<String> = over.largest.iter().map(|(path, tokens)| format!("`{path}` {tokens}")).collect();
        vec![format!("the largest are {}", list.join(", ")), format!("`--max-tokens {}` would do", over.needed)]
    }
}
