//! One request to one model: its run is recorded, it is sent, and the answer is recorded.

use super::super::OpError;
use super::super::driver::record_run;
use super::super::open::{Door, Opened};
use super::super::runs::RunDraft;
use super::{PreparedSend, SendResult, SendStep, Sender, total_cost};
use crate::requests::{DAY, SendRequest, Via};
use contexture_core::{Api, Note, Text, Topic};
use contexture_gather::runs::{RunKind, Runs, SentRequest, Usage};
use contexture_providers::{Answer, CliRequest, Endpoint, Event, Key, ModelRequest, Stop, Unanswered};
use std::time::Duration;

/// Records the run, asks, and records what came.
pub(super) fn attempt(
    door: &Door,
    (request, sender): (&SendRequest, &Sender<'_>),
    ready: &PreparedSend,
    tell: &mut dyn FnMut(SendStep<'_>),
    is_told: &mut bool,
    notes: &mut Vec<Note>,
) -> Result<(Option<u64>, Result<Answer, Unanswered>), OpError> {
    let cancel = &door.progress.cancel;
    let body = ready.document.compiled.output.text();
    let model = ready.model.as_deref();
    // What cannot be asked leaves no run.
    let key = match ready.via {
        Via::Api(api) => (sender.key)(api)?,
        Via::GeminiCli => None,
    };
    if let Via::Api(api) = ready.via {
        check_sendable(&model_request(request, api, model, key.as_ref(), &body))?;
    }
    let (system, prompt) = program_texts(&ready.opened, &body);
    let program = CliRequest {
        program: sender.cli.as_deref(),
        model,
        key: None,
        system: &system,
        prompt: &prompt,
        timeout: timeout(request),
    };
    let leaving = match ready.via {
        Via::Api(api) => contexture_providers::streaming(&body, api)?,
        Via::GeminiCli => program.input(),
    };
    let run = if request.request.no_manifest { None } else { record(door, ready, &leaving, notes) };
    tell(SendStep::Leaving { ready, run });
    let mut hand = |event: Event| {
        *is_told |= matches!(event, Event::Text(_) | Event::Thought(_) | Event::Call { .. });
        tell(SendStep::Event(event));
    };
    let result = match ready.via {
        Via::Api(api) => contexture_providers::stream(
            &model_request(request, api, model, key.as_ref(), &body),
            &sender.policy,
            &mut hand,
            cancel,
        ),
        Via::GeminiCli => contexture_providers::stream_cli(&program, &sender.policy, &mut hand, cancel),
    };
    if let (Some(number), Some(dir)) = (run, &door.env.data_dir) {
        let (sent, raw) = outcome(ready, &result);
        let kept = Runs::open(dir)
            .and_then(|mut runs| runs.answer(ready.opened.roots.project(), number, &sent, raw.map(str::as_bytes)));
        notes.extend(kept.err().map(|error| Note::new(Topic::Runs, format!("the answer was not recorded: {error}"))));
    }
    Ok((run, result))
}

/// What a program is told: the system text, and the document with the question behind it.
pub(super) fn program_texts(opened: &Opened, document: &str) -> (String, String) {
    let text = |text: &Option<Text>| text.as_deref().unwrap_or_default().to_owned();
    (text(&opened.wanted.system), format!("{document}{}", text(&opened.wanted.message)))
}

pub(super) fn model_request<'a>(
    request: &'a SendRequest,
    api: Api,
    model: Option<&'a str>,
    key: Option<&'a Key>,
    body: &'a str,
) -> ModelRequest<'a> {
    let (base_url, timeout) = (request.base_url.as_deref(), timeout(request));
    ModelRequest { api, model: model.unwrap_or_default(), base_url, key, body, endpoint: Endpoint::Chat, timeout }
}

fn timeout(request: &SendRequest) -> Duration {
    Duration::from_secs(request.timeout.clamp(1, DAY))
}

pub(super) fn check_sendable(ask: &ModelRequest<'_>) -> Result<(), OpError> {
    contexture_providers::check(ask).map_err(|error| OpError::usage(error.to_string()).hint(error.hint()))
}

fn record(door: &Door, ready: &PreparedSend, body: &str, notes: &mut Vec<Note>) -> Option<u64> {
    let PreparedSend { opened, document, document_request, .. } = ready;
    let draft = RunDraft::of_document(door, opened, document_request, document, None);
    let sent = SentRequest { error: Some("no answer was recorded".into()), ..sent_request(ready) };
    let draft = RunDraft { kind: RunKind::Send, sent: Some(sent), ..draft };
    record_run(door, (&opened.roots, &opened.config), draft, Some(body.as_bytes()), notes)
}

/// Where the request goes; nothing of the answer.
fn sent_request(ready: &PreparedSend) -> SentRequest {
    SentRequest {
        provider: ready.via.as_str().to_owned(),
        model: ready.model.clone().unwrap_or_default(),
        server: ready.server.clone(),
        ..SentRequest::default()
    }
}

/// What came of it, and the bytes of that. An answer that is none was counted and came all the same.
fn outcome<'a>(ready: &PreparedSend, result: &'a Result<Answer, Unanswered>) -> (SentRequest, Option<&'a str>) {
    let (used, raw, before) = match result {
        Ok(answer) => (Some(answer.usage), &*answer.raw, &answer.before),
        Err(Unanswered { partial: Some(partial), before, .. }) => (Some(partial.usage), &*partial.raw, before),
        Err(Unanswered { partial: None, before, .. }) => (None, "", before),
    };
    let cost = total_cost(ready.rates, before, used);
    // The last attempt's alone: what one request counts is learnt from it.
    let used = used.unwrap_or_default();
    let usage = used.input.map(|input| Usage {
        input,
        output: used.output.unwrap_or(0),
        cached: used.cached.unwrap_or(0),
        written: used.written.unwrap_or(0),
    });
    let latency = result.as_ref().ok().map(|answer| answer.latency.as_millis());
    let sent = SentRequest {
        usage,
        latency_ms: latency.and_then(|latency| u64::try_from(latency).ok()),
        cost,
        error: result.as_ref().err().map(ToString::to_string),
        ..sent_request(ready)
    };
    (sent, Some(raw).filter(|raw| !raw.is_empty()))
}

pub(super) fn finish(ready: PreparedSend, answer: Answer, run: Option<u64>, mut notes: Vec<Note>) -> SendResult {
    if answer.stop == Stop::Length {
        let note = Note::new(Topic::Reduced, "the answer was cut off: there was no room for more");
        notes.push(note.hint("`--max-answer N` allows more tokens"));
    }
    match &answer.stop {
        Stop::Other(word) => {
            notes
                .push(Note::new(Topic::Reduced, format!("the model did not end the answer: it stopped with `{word}`")));
        }
        Stop::Untold => {
            notes.push(Note::new(Topic::Reduced, "the server does not say why the answer ends: it may not be whole"));
        }
        Stop::End | Stop::Calls | Stop::Length => {}
    }
    if run.is_some() && answer.raw.is_empty() {
        notes.push(Note::new(Topic::Runs, "the raw answer was not kept: the server repeats the key in it, in pieces"));
    }
    notes.extend(ready.document.compiled.notes.iter().cloned());
    if !answer.before.is_empty() {
        let text = format!("the server began {} before it answered; the cost has them too", times(answer.before.len()));
        notes.push(Note::new(Topic::Setting, text));
    }
    let cost = total_cost(ready.rates, &answer.before, Some(answer.usage));
    SendResult { ready, answer, cost, run, notes }
}

fn times(count: usize) -> String {
    if count == 1 { "once".into() } else { format!("{count} times") }
}
