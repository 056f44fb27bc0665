//! An agent's context from the command line, and the sessions it is made of.

use super::OpError;
use super::budget::{ConversationLimit, LimitRequest, conversation_limit};
use super::driver::{Driver, Timings, record_run};
use super::open::{Door, is_inside};
use super::runs::{OutputHashes, RunDraft};
use super::safety;
use crate::agent::{ContextError, MAX_TOKENS, Now, WorkspaceContext, tool_schemas};
use crate::requests::{AgentRequest, ConversationChoice, SessionAppendRequest, Word};
use contexture_conversations::sessions::import::read;
use contexture_conversations::sessions::{Appended, Imported, Session, Spoken, append, import_file, to_json};
use contexture_core::models::WindowShares;
use contexture_core::render::printable;
use contexture_core::safety::{Safety, Screened};
use contexture_core::{AgentOptions, Call, Compiled, Counter, Format, Message, Note, Role, Tokens, Topic, Why};
use contexture_gather::config::{Config, Origin};
use contexture_gather::layers::Workspace;
use contexture_gather::runs::{EffectiveOptions, RunKind};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An agent's context that was compiled, with everything known about it.
pub struct AgentContext {
    pub compiled: Compiled,
    pub snapshot: Screened,
    pub workspace: Arc<Workspace>,
    pub tokenizer: &'static str,
    pub exact: bool,
    pub limit: Tokens,
    pub limit_from: String,
    /// How a model's window was divided, where there is one.
    pub room: Option<WindowShares>,
    pub format: Format,
    /// The number of its manifest.
    pub run: Option<u64>,
    /// How long each room took, for `--timings`.
    pub timings: Timings,
}

/// Compiles the context of an agent's next request from its workspace, a session and a message.
pub fn agent(door: &Door, request: &AgentRequest) -> Result<AgentContext, OpError> {
    let (roots, config) = door.open_project()?;
    let (folder, mut notes) = workspace_folder(door, request, &config, roots.project())?;
    let format = request.format.map(|word| word.get().0);
    let ask = LimitRequest {
        max_tokens: request.max_tokens.map(u64::from),
        model: request.model.as_deref(),
        tokenizer: request.tokenizer.map(|word| word.get().as_str()),
        format,
        buffer: config.budget.token_buffer,
    };
    let ConversationLimit { tokenizer, room, limit } = conversation_limit(&ask, &config.budget)?;
    let (limit, limit_from) = limit.unwrap_or_else(|| (MAX_TOKENS, "the default".to_owned()));
    let mut driver = Driver::for_messages(door, &roots, &config, tokenizer);
    notes.extend(driver.memory.note.clone());
    let safety = safety::policy(&config, request.secrets.map(Word::get));
    notes.extend(config.notes.iter().cloned());

    let (seconds, zone) = (door.env.now, door.env.zone.clone());
    let max_messages = request.max_messages.unwrap_or(config.agent.max_history_messages as usize);
    let max_memories = request.max_memories.unwrap_or(config.agent.max_memory_entries as usize);
    let mut builder = WorkspaceContext::new(&folder)
        .project(roots.project())
        .max_tokens(limit)
        .tokenizer(tokenizer)
        .max_messages(max_messages)
        .memories(max_memories, request.memory_tokens.map_or(AgentOptions::default().memory_tokens.0, u64::from))
        .near_message(request.near)
        .safety(safety.clone())
        .format(format.unwrap_or(Format::Messages))
        .clock(move || Now::at(seconds, &zone));
    if let Some(folder) = &request.agents_from {
        builder = builder.agents_from(door.env.cwd.join(folder));
    }
    if let Some(name) = &request.model {
        builder = builder.model(name);
    }
    if let Some(room) = &room {
        builder = builder.max_answer(room.answer);
    }
    let tools = match (&request.tools_file, &request.tools) {
        (Some(file), _) => Some((file.to_string_lossy().into_owned(), read_text(door, file)?)),
        (None, Some(list)) => Some(("tools".to_owned(), list.0.clone())),
        (None, None) => None,
    };
    if let Some((name, text)) = tools {
        let schemas = tool_schemas(&text).map_err(|error| {
            OpError::usage(format!("{}: {error}", printable(&name)))
                .hint("`[{\"name\": …, \"description\": …, \"parameters\": {…}}]`")
        })?;
        builder = builder.tools(schemas);
    }
    let session = read_session(door, request, &folder, &mut notes)?;
    let name = request.session.as_ref().map_or_else(|| "session".into(), |file| file.display().to_string());
    let workspace = builder.workspace();
    let message = Some(request.message.as_deref().unwrap_or_default());
    let snapshot =
        builder.snapshot(&workspace, &session, &name, message).map_err(|error| context_error(error, request))?;
    driver.end("gather");
    let snapshot = driver.screen(snapshot, &safety)?;
    let mut compiled = driver.compile(&snapshot, builder.options()).map_err(OpError::over_limit)?;
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
    let mut context = AgentContext {
        compiled,
        snapshot,
        workspace,
        tokenizer: tokenizer.as_str(),
        exact: tokenizer.exact(),
        limit: Tokens(limit),
        limit_from,
        room,
        format: format.unwrap_or(Format::Messages),
        run: None,
        timings: Timings::new(),
    };
    if !request.no_manifest {
        let mut notes = Vec::new();
        // With the bytes themselves: a session goes on, so the same context cannot be made again from its files.
        let bytes = context.compiled.output.text();
        let draft = run_draft(&context, request, &safety);
        context.run = record_run(door, (&roots, &config), draft, Some(bytes.as_bytes()), &mut notes);
        context.compiled.notes.extend(notes);
        driver.end("record");
    }
    context.timings = driver.timings;
    Ok(context)
}

fn run_draft<'a>(context: &'a AgentContext, request: &AgentRequest, safety: &'a Safety) -> RunDraft<'a> {
    RunDraft {
        kind: RunKind::Agent,
        // Its format is among the options.
        request: serde_json::to_value(request).unwrap_or_default(),
        options: EffectiveOptions {
            strategy: "agent".to_owned(),
            strategy_from: "the command".to_owned(),
            format: context.format.as_str().to_owned(),
            tokenizer: context.tokenizer.to_owned(),
            budget: Some(context.limit.0),
            budget_from: Some(context.limit_from.clone()),
        },
        exact: context.exact,
        compiled: &context.compiled,
        hashes: OutputHashes::of(&context.compiled.output, &context.snapshot.items),
        path: None,
        sent: None,
        safety,
    }
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
        return Ok(noted(import(door, file, &request.conversation)?, file, notes));
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
    Ok(noted(import_at(&path, file, &request.conversation)?, file, notes))
}

fn noted(imported: Imported, file: &Path, notes: &mut Vec<Note>) -> Session {
    notes.extend(skipped_note(&imported, file));
    notes.extend(imported.notes);
    imported.session
}

/// A conversation from a file, or from standard input, which the door has read.
fn import(door: &Door, file: &Path, choice: &ConversationChoice) -> Result<Imported, OpError> {
    if file == Path::new("-") {
        let input = door.input.as_deref().unwrap_or_default();
        return Ok(read(input, &choice.into())?);
    }
    import_at(&door.env.cwd.join(file), file, choice)
}

fn import_at(path: &Path, shown: &Path, choice: &ConversationChoice) -> Result<Imported, OpError> {
    let mut imported = import_file(path, &choice.into()).map_err(|mut error| {
        error.path = Some(shown.to_path_buf());
        error
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

/// What was left out and has no note of its own.
fn skipped_note(imported: &Imported, file: &Path) -> Option<Note> {
    let is_told = |what: &str| imported.notes.iter().any(|note| note.text.contains(what));
    let rest = imported.skipped.iter().filter(|(what, _)| !is_told(what));
    let list: Vec<String> = rest.map(|(what, count)| format!("{what} ({count})")).collect();
    let text = format!("not part of the conversation: {}", list.join(", "));
    (!list.is_empty()).then(|| Note::new(Topic::Reduced, text).at(file.to_string_lossy()))
}

fn context_error(error: ContextError, request: &AgentRequest) -> OpError {
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

/// A conversation of another format, read as a session.
pub struct ImportedSession {
    pub imported: Imported,
    /// In our own format.
    pub json: String,
}

/// Reads a conversation of any known format into ours.
pub fn session_import(door: &Door, file: &Path, choice: &ConversationChoice) -> Result<ImportedSession, OpError> {
    let imported = import(door, file, choice)?;
    // The time of its last message, so that the same file always gives the same bytes.
    let said = imported.session.messages.iter().rev().find_map(|spoken| spoken.at.clone());
    let time = said.unwrap_or_else(|| imported.session.created_at.clone());
    let json = to_json(&imported.session, if time.is_empty() { "1970-01-01T00:00:00Z" } else { &time });
    Ok(ImportedSession { imported, json })
}

/// Adds a message to a session of ours; it is on disk for good when this returns.
pub fn session_append(door: &Door, request: &SessionAppendRequest) -> Result<Appended, OpError> {
    append_at(door, &door.env.cwd.join(&request.file), spoken(request)?)
}

/// Calls are JSON, as OpenAI has it or as we store it.
fn spoken(request: &SessionAppendRequest) -> Result<Message, OpError> {
    let role = request.role.as_str();
    let role = Role::parse(role).ok_or_else(|| {
        OpError::usage(format!("unknown role: `{role}`")).hint("one of user, assistant, tool, system")
    })?;
    let mut message = Message::new(role, request.content.clone());
    message.answers = request.tool_call_id.clone();
    message.calls = request.tool_calls.as_ref().map(|calls| calls_of(&calls.0)).transpose()?.unwrap_or_default();
    if role == Role::Tool && message.answers.is_none() {
        return Err(OpError::usage("a tool's message answers a call").hint("`--tool-call-id ID` names it"));
    }
    if role != Role::Assistant && !message.calls.is_empty() {
        let told = format!("`--tool-calls` of a message whose role is `{role}`");
        return Err(OpError::usage(told).hint("only an assistant calls tools"));
    }
    if message.parts.is_empty() && message.calls.is_empty() && role != Role::Tool {
        return Err(OpError::usage("the message is empty").hint("`--content TEXT` says something"));
    }
    Ok(message)
}

/// The same for a door that must not write anywhere else: the session lies inside the roots.
pub fn session_append_inside(door: &Door, request: &SessionAppendRequest) -> Result<Appended, OpError> {
    let message = spoken(request)?;
    let file = printable(request.file.to_str().unwrap_or_default());
    let roots = door.open_roots()?;
    let path = roots.project().join(&request.file);
    if !roots.iter().any(|(_, root)| is_inside(&path, &root.path)) {
        return Err(OpError::usage(format!("`{file}` lies outside of the roots"))
            .hint("`contexture session append FILE` writes anywhere"));
    }
    if path.extension().is_none_or(|extension| extension != "json") {
        return Err(OpError::usage(format!("`{file}` is no name of a session")).hint("it ends in `.json`"));
    }
    append_at(door, &path, message)
}

fn calls_of(text: &str) -> Result<Vec<Call>, OpError> {
    let wrong = |why: String| {
        OpError::usage(format!("`--tool-calls` {why}")).hint("[{\"id\": \"1\", \"name\": \"read\", \"arguments\": {}}]")
    };
    let value: Value = serde_json::from_str(text).map_err(|error| wrong(format!("is no JSON: {error}")))?;
    let list = value.as_array().ok_or_else(|| wrong("is no list".into()))?;
    list.iter()
        .map(|call| {
            let (id, call) = (&call["id"], call.get("function").unwrap_or(call));
            let word = |key: &str| {
                call[key].as_str().map(str::to_owned).ok_or_else(|| wrong(format!("has a call without `{key}`")))
            };
            let arguments = match &call["arguments"] {
                Value::String(text) => text.clone(),
                Value::Null => "{}".into(),
                other => other.to_string(),
            };
            let id = id.as_str().ok_or_else(|| wrong("has a call without `id`".into()))?.to_owned();
            Ok(Call { id, name: word("name")?, arguments: arguments.into() })
        })
        .collect()
}

fn append_at(door: &Door, path: &Path, message: Message) -> Result<Appended, OpError> {
    Ok(append(path, &[Spoken::from(message)], &door.env.timestamp())?)
}
