//! Operations on files, settings and what is kept, and those that ask models: each row is an operation of [`contexture::ops`] with its
//! request and its answer.

use super::super::Call;
use super::{Operation, answers, gives, looks, streams};
use crate::transport::answer::HttpError;
use contexture::answers::{
    AgentAnswer, AppendedAnswer, CacheStatusAnswer, ChangedColumns, CheckAnswer, ComposeAnswer, ComposeRefreshAnswer,
    ComposeRequestAnswer, DoctorAnswer, DocumentAnswer, FileWritten, ImportedProjectAnswer, PersonaAnswer,
    PersonasAnswer, PresetAnswer, PresetApplied, PresetDiffAnswer, PresetRemoved, PresetSaved, PresetsAnswer,
    PreviewAnswer, ProjectAnswer, PruneAnswer, ReasonAnswer, ReplayAnswer, RunAnswer, RunTextAnswer, RunsAnswer,
    RunsDiffAnswer, ScanAnswer, SearchAnswer, SendEvent, SessionAnswer, SettingChanged, SettingsAnswer, SettingsSchema,
    ShowAnswer, SlicesAnswer, SlicesRefreshedAnswer, StatsAnswer, SummarizeEvent, Table, TokensAnswer, VerifiedAnswer,
    ViewsAnswer, symbol_rows,
};
use contexture::ops::loom::KeyOf;
use contexture::ops::send::{self, Sender};
use contexture::ops::summarize::{summarize as write_summaries, summarize_plan};
use contexture::ops::workbench::Workbench;
use contexture::ops::{self, Door, OpError, Target, runs};
use contexture::requests::{
    AgentRequest, AllowRequest, CacheClearRequest, CacheVerifyRequest, CheckRequest, ComposeRefreshRequest,
    ComposeSetRequest, ConfigSetRequest, DocumentBody, EmptyRequest, ImportProjectRequest, NameRequest,
    PresetDiffRequest, PresetRemoveRequest, PresetSaveRequest, PruneRequest, RelatedRequest, ReplayRequest, RunRequest,
    RunTextRequest, RunsDiffRequest, RunsListRequest, SearchRequest, SendRequest, SessionAppendRequest,
    SessionImportRequest, ShowRequest, SliceRequest, SlicesRefreshRequest, SlicesRequest, StoredSlice,
    SummarizeRequest, SymbolsRequest, ViewsRequest, WhyRequest, WorkbenchRequest,
};
use contexture_core::Api;
use contexture_core::check::check;
use contexture_gather::config;
use contexture_providers::Policy;
use std::path::Path;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

pub fn operations() -> Vec<Operation> {
    [documents(), settings(), kept(), models()].into_iter().flatten().collect()
}

/// Documents and the files in them.
fn documents() -> Vec<Operation> {
    vec![
        looks("project", "Describe the project: views, models, presets, settings", |call, _: EmptyRequest| {
            let has_key = |api| (call.served.keys)(KeyOf::Provider(api)).is_ok_and(|key| key.is_some());
            Ok(ProjectAnswer::new(&ops::project(&call.door)?, has_key))
        }),
        looks("compose", "Open a workbench: the files of a document and their tokens", compose),
        answers("compose/set", "Change how a workbench shows files", |call, asked: ComposeSetRequest| {
            let changes: Vec<_> = asked.set.into_iter().map(Into::into).collect();
            with_workbench(call, asked.bench, |workbench| {
                let changed = workbench.set(&call.door, &changes)?;
                Ok(Table::<ChangedColumns>::changed(workbench, &changed, &call.door))
            })
        }),
        answers("compose/refresh", "Read files of a workbench again", |call, asked: ComposeRefreshRequest| {
            let generation = call.served.generation.load(Ordering::Relaxed);
            with_workbench(call, asked.bench, |workbench| {
                let fresh = workbench.refresh(&call.door, &asked.paths)?;
                Ok(ComposeRefreshAnswer::new(workbench, &fresh, &call.door, generation))
            })
        }),
        answers(
            "compose/request",
            "Return the request for what a workbench shows",
            |call, WorkbenchRequest { bench }: WorkbenchRequest| {
                with_workbench(call, bench, |workbench| Ok(ComposeRequestAnswer { request: workbench.request() }))
            },
        ),
        looks("plan", "Plan a document: what it would show, and why", |call, body: DocumentBody| {
            Ok(DocumentAnswer::new(&ops::plan(&call.door, &body.request)?, None))
        }),
        looks("preview", "Compile a document without writing it", |call, body: DocumentBody| {
            Ok(PreviewAnswer::from(&ops::preview(&call.door, &body.request)?))
        }),
        answers("build", "Compile the document and write it to a numbered file", |call, body: DocumentBody| {
            let written = ops::build(&call.door, &body.request, &Target::Numbered)?;
            let path = written.path.as_ref().map(|path| call.door.in_project(path));
            Ok(DocumentAnswer { run: Some(written.run), ..DocumentAnswer::new(&written.document, path.as_deref()) })
        }),
        looks("views", "Show one file in all of its views", |call, asked: ViewsRequest| {
            Ok(ViewsAnswer::from(&ops::views(&call.door, &asked.request.viewed(None, asked.mask), &asked.path)?))
        }),
        looks("show", "Show one view of a file", |call, asked: ShowRequest| {
            let request = asked.request.viewed(asked.view, asked.mask);
            Ok(ShowAnswer::from(&ops::show(&call.door, &request, &asked.path)?))
        }),
        gives("symbols", "List the symbols that a file defines", |call, asked: SymbolsRequest| {
            Ok(symbol_rows(&ops::symbols(&call.door, &asked.path)?))
        }),
        looks("related", "List files that the given files import or mention", |call, asked: RelatedRequest| {
            Ok(ops::related(&call.door, &asked.request, &asked.paths, asked.limit)?)
        }),
        looks("search", "Find passages that answer a query", |call, request: SearchRequest| {
            Ok(SearchAnswer::from(&ops::search(&call.door, &request)?))
        }),
        looks("why", "Explain why a file is in the document, or why not", |call, asked: WhyRequest| {
            Ok(ReasonAnswer::from(&ops::why(&call.door, &asked.request, &asked.path)?))
        }),
        looks("tokens", "Count the tokens of files and folders", |call, body: DocumentBody| {
            Ok(TokensAnswer::from(&ops::tokens(&call.door, &body.request)?))
        }),
        looks("stats", "Show bytes, lines, tokens and symbols by language and folder", |call, body: DocumentBody| {
            Ok(StatsAnswer::from(&ops::stats(&call.door, &body.request)?))
        }),
        gives("slice/make", "Mark lines of a file", |call, request: SliceRequest| {
            Ok(StoredSlice(ops::slice_make(&call.door, &request)?.slice))
        }),
        answers("slice/refresh", "Update the stored lines of slices", |call, request: SlicesRefreshRequest| {
            Ok(SlicesRefreshedAnswer::from(&ops::slice_refresh(&call.door, &request.paths)?))
        }),
        answers("slice/resolve", "Show where slices are now", |call, request: SlicesRequest| {
            Ok(SlicesAnswer::from(&ops::slice_resolve(&call.door, request)?))
        }),
        looks("scan", "List possible secrets and hidden characters", |call, body: DocumentBody| {
            Ok(ScanAnswer::from(&ops::scan(&call.door, &body.request)?))
        }),
        answers("scan/allow", "Allow a finding of `scan` in the user's settings", |call, request: AllowRequest| {
            Ok(SettingChanged::new("safety.allow", &ops::scan_allow(&call.door, &request.fingerprint)?))
        }),
    ]
}

/// Presets, personas, settings, and the files of the project that we write.
fn settings() -> Vec<Operation> {
    vec![
        answers("preset/list", "List presets", |call, _: EmptyRequest| {
            Ok(PresetsAnswer::from(&*ops::preset_list(&call.door)?))
        }),
        answers("preset/show", "Show a preset", |call, request: NameRequest| {
            Ok(PresetAnswer::from(&ops::preset_show(&call.door, &request.name)?))
        }),
        answers("preset/save", "Save files, or the composition, under a name", |call, request: PresetSaveRequest| {
            let name = request.name.clone();
            let (file, notes) = ops::preset_save(&call.door, request)?;
            Ok(PresetSaved::new(&name, &file, &notes))
        }),
        answers("preset/apply", "Make a preset the composition", |call, request: NameRequest| {
            Ok(PresetApplied { applied: (&ops::preset_apply(&call.door, &request.name)?).into() })
        }),
        answers(
            "preset/diff",
            "Compare two presets, or a preset with the composition",
            |call, request: PresetDiffRequest| Ok(PresetDiffAnswer::from(&ops::preset_diff(&call.door, &request)?)),
        ),
        answers("preset/remove", "Remove a preset", |call, request: PresetRemoveRequest| {
            Ok(PresetRemoved::new(&request.name, &ops::preset_remove(&call.door, &request)?))
        }),
        answers("persona/list", "List personas", |call, _: EmptyRequest| {
            Ok(PersonasAnswer::from(&*ops::persona_list(&call.door)?))
        }),
        answers("persona/show", "Show a persona", |call, request: NameRequest| {
            Ok(PersonaAnswer::from(&ops::persona_show(&call.door, &request.name)?))
        }),
        answers("config/get", "List all settings with their origins", |call, _: EmptyRequest| {
            Ok(SettingsAnswer::from(&ops::config_of(&call.door)?))
        }),
        answers("config/set", "Change one setting", |call, request: ConfigSetRequest| {
            Ok(SettingChanged::new(&request.key, &ops::config_set(&call.door, &request)?))
        }),
        gives("config/schema", "Return a JSON Schema of contexture.toml", |_, _: EmptyRequest| {
            Ok(SettingsSchema(config::schema()))
        }),
        answers("init", "Write a commented contexture.toml unless there is one", |call, _: EmptyRequest| {
            Ok(FileWritten { path: call.door.in_project(&ops::init(&call.door)?) })
        }),
        answers(
            "import/manual-slop",
            "Convert a Manual Slop project into a contexture.toml",
            |_, request: ImportProjectRequest| {
                Ok(ImportedProjectAnswer::new(&ops::import_manual_slop_text(&request)?, None))
            },
        ),
        answers("prune", "Delete old numbered documents", |call, request: PruneRequest| {
            let pruned = ops::prune(&call.door, &request)?;
            let removed = pruned.removed.iter().map(|path| call.door.in_project(path)).collect();
            Ok(PruneAnswer { removed, kept: pruned.kept })
        }),
        answers("doctor", "Check the installation", |call, _: EmptyRequest| {
            Ok(DoctorAnswer::from(ops::doctor(&call.door)))
        }),
    ]
}

/// What is kept between runs: their manifests, and summaries that models wrote.
fn kept() -> Vec<Operation> {
    vec![
        answers("runs/list", "List the newest runs", |call, request: RunsListRequest| {
            Ok(RunsAnswer { runs: runs::runs_list(&call.door, &request)? })
        }),
        answers("runs/show", "Show everything about a run", |call, request: RunRequest| {
            Ok(RunAnswer::from(&runs::runs_show(&call.door, &request.run)?))
        }),
        looks("runs/diff", "Compare two runs", |call, request: RunsDiffRequest| {
            Ok(RunsDiffAnswer::from(&runs::runs_diff(&call.door, &request)?))
        }),
        answers("runs/kept", "Return the exact text of a request or its answer", |call, request: RunTextRequest| {
            let what = request.what.get();
            Ok(RunTextAnswer::new(what, &runs::runs_kept(&call.door, &request.run, what)?))
        }),
        looks("runs/replay", "Compile a run again and compare the bytes", |call, request: ReplayRequest| {
            let replayed = runs::runs_replay(&call.door, &request.run, None)?;
            Ok(ReplayAnswer::new(&replayed, None, replayed.difference.is_none() || request.anyway))
        }),
        looks(
            "cache/status",
            "List files with and without a summary that a model wrote",
            |call, body: DocumentBody| Ok(CacheStatusAnswer::from(&ops::cache_status(&call.door, &body.request)?)),
        ),
        answers("cache/clear", "Remove summaries", |call, request: CacheClearRequest| {
            Ok(ops::cache_clear(&call.door, &request)?)
        }),
        answers("cache/gc", "Remove summaries of contents that no file has any more", |call, _: EmptyRequest| {
            Ok(ops::cache_gc(&call.door)?)
        }),
        answers("cache/verify", "Check stored summaries and results", |call, request: CacheVerifyRequest| {
            Ok(VerifiedAnswer::from(&ops::cache_verify(&call.door, &request)?))
        }),
    ]
}

/// What goes to models: an agent's context, a document with a question, files to summarize.
fn models() -> Vec<Operation> {
    vec![
        looks("agent", "Assemble the context of an agent's next call", |call, request: AgentRequest| {
            Ok(AgentAnswer::new(&ops::agent(&call.door, &request)?, None))
        }),
        answers("check", "Check whether a provider would accept a request", |_, request: CheckRequest| {
            let api = request.provider.get();
            Ok(CheckAnswer::new(api, &check(api, &request.body)))
        }),
        // The conversation comes with the call: a server reads no file because a page names it.
        answers(
            "session/import",
            "Convert a conversation of another program into our format",
            |call, request: SessionImportRequest| {
                let door = Door { input: Some(request.text.into_bytes()), ..call.door.clone() };
                Ok(SessionAnswer::from(&ops::session_import(&door, Path::new("-"), &request.choice)?))
            },
        ),
        answers(
            "session/append",
            "Add a message to a session file of the project",
            |call, request: SessionAppendRequest| {
                Ok(AppendedAnswer::new(&request.file, &ops::session_append_inside(&call.door, &request)?))
            },
        ),
        streams("send", "Send a document to a model and stream the answer", send),
        streams("summarize", "Have a model write summaries and stream the progress", summarize),
    ]
}

fn compose(call: &Call<'_>, body: DocumentBody) -> Result<ComposeAnswer, HttpError> {
    let generation = call.served.generation.load(Ordering::Relaxed);
    // Before they are read: what changes later is told.
    call.served.events.name(ops::named_files(&call.door, &body.request)?);
    let workbench = Workbench::open(&call.door, &body.request)?;
    let answer = ComposeAnswer::new(&workbench, &call.door, generation);
    // One that nobody waited for would push out one that somebody works on.
    if call.door.progress.is_stopped() {
        return Err(OpError::Interrupted.into());
    }
    Ok(ComposeAnswer { bench: call.served.workbenches.put(workbench), ..answer })
}

fn with_workbench<A>(
    call: &Call<'_>,
    number: u64,
    work: impl FnOnce(&mut Workbench) -> Result<A, OpError>,
) -> Result<A, HttpError> {
    let shared = call.served.workbenches.get(number).ok_or(HttpError::Gone)?;
    let mut workbench = shared.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(work(&mut workbench)?)
}

fn send(call: &Call<'_>, request: SendRequest, tell: &mut dyn FnMut(SendEvent)) -> Result<(), OpError> {
    let key = |api: Api| (call.served.keys)(KeyOf::Provider(api));
    let sender = Sender { key: &key, is_own_key: false, cli: None, policy: Policy::default() };
    if request.dry_run {
        tell(SendEvent::request(&send::prepare(&call.door, &request, &sender)?, None));
        return Ok(());
    }
    let done = send::send(&call.door, &request, &sender, &mut |step| tell((&step).into()))?;
    tell((&done).into());
    Ok(())
}

fn summarize(call: &Call<'_>, request: SummarizeRequest, tell: &mut dyn FnMut(SummarizeEvent)) -> Result<(), OpError> {
    if request.dry_run {
        tell((&summarize_plan(&call.door, &request)?).into());
        return Ok(());
    }
    let key = |api: Api| (call.served.keys)(KeyOf::Provider(api));
    let done = write_summaries(&call.door, &request, &key, &mut |step| tell((&step).into()))?;
    tell((&done).into());
    Ok(())
}
