//! Sends a document with a question to a model, and hands out the answer while it comes (R3).
//!
//! Takes a request for a document, who is asked and a way to find keys; gives the answer with what it cost. The request passes the check of
//! its API before it leaves, its run is recorded before it leaves and completed when the answer is there, whatever it is.

use super::OpError;
use super::document::{self, Made};
use super::open::{Door, Opened, Request};
use super::runs::{self, Draft, Print};
use super::whom::{self, Rates, Via, Who};
use crate::provider::{
    self, Answer, Ask, Cancel, CliAsk, Endpoint, Event, Key, Policy, ProviderError, Stop, Unanswered,
};
use contexture_core::check::check;
use contexture_core::models;
use contexture_core::reuse::{self, Reuse};
use contexture_core::{Api, Counter, Format, Note, Text, Topic};
use contexture_gather::config::Persona;
use contexture_gather::runs::{Kept, RunKind, Runs, Sent, Usage};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub struct SendRequest<'a> {
    /// The document. Its format follows from who is asked.
    pub document: Request,
    pub via: Option<Via>,
    pub base_url: Option<String>,
    pub timeout: Duration,
    /// The key of an API, where there is one.
    pub key: &'a dyn Fn(Api) -> Result<Option<Key>, OpError>,
    /// The key is one that somebody named, not the provider's own.
    pub is_own_key: bool,
    /// The program of Gemini CLI, where it is not on the search path.
    pub cli: Option<PathBuf>,
    pub policy: Policy<'a>,
}

/// A request that is ready to leave.
pub struct Ready {
    pub made: Made,
    pub via: Via,
    pub model: Option<String>,
    /// Tokens of the request as the provider will count them, by what it counted before.
    pub expected: u64,
    /// From how many answers of this model that was learnt; 0 where it is our own count.
    pub learnt: usize,
    pub rates: Option<Rates>,
    /// What the provider's cache finds again of the last request to this model, as parts of what is expected.
    pub reuse: Option<Reuse>,
    opened: Opened,
    document: Request,
    /// The address that was named.
    server: Option<String>,
}

impl Ready {
    /// What the request costs without its answer, in US dollars, where a price is known.
    pub fn cost(&self) -> Option<f64> {
        let usage = provider::Usage {
            input: Some(self.expected),
            output: Some(0),
            cached: self.reuse.as_ref().map(|reuse| reuse.tokens),
            written: self.reuse.as_ref().map(|reuse| reuse.written),
            ..provider::Usage::default()
        };
        self.rates?.cost(&usage)
    }
}

/// What all attempts together have cost, as far as they were counted.
fn paid(rates: Option<Rates>, before: &[provider::Usage], last: Option<provider::Usage>) -> Option<f64> {
    let rates = rates?;
    let costs = before.iter().chain(&last).filter_map(|usage| rates.cost(usage));
    costs.fold(None, |sum, cost| Some(sum.unwrap_or(0.0) + cost))
}

pub struct Done {
    pub ready: Ready,
    pub answer: Answer,
    pub cost: Option<f64>,
    pub run: Option<u64>,
    pub notes: Vec<Note>,
}

/// What happens while it is sent.
pub enum Step<'a> {
    /// It leaves now.
    Leaving {
        ready: &'a Ready,
        run: Option<u64>,
    },
    Event(Event),
    /// There is no answer. What came in its place was counted all the same.
    Failed {
        because: &'a ProviderError,
        usage: Option<provider::Usage>,
        /// Of the attempts before the last.
        before: &'a [provider::Usage],
        /// Of all attempts.
        cost: Option<f64>,
        run: Option<u64>,
    },
    /// Another model is asked in place of one that could not answer.
    Instead {
        model: &'a str,
        because: &'a ProviderError,
    },
}

/// The request for the first who may be asked.
pub fn ready(door: &Door, request: &SendRequest<'_>) -> Result<Ready, OpError> {
    let all = whom(door, request)?;
    let who = all.first().ok_or_else(whom::nobody)?;
    has_address(request, who)?;
    prepare(door, request, who)
}

pub fn send(
    door: &Door,
    request: &SendRequest<'_>,
    tell: &mut dyn FnMut(Step<'_>),
    cancel: &Cancel,
) -> Result<Done, OpError> {
    let whom = whom(door, request)?;
    let mut notes = Vec::new();
    for (nth, who) in whom.iter().enumerate() {
        let next = whom.get(nth + 1).filter(|next| is_meant_for(request, who, next));
        has_address(request, who)?;
        if let Err(error) = has_key(request, who) {
            // Whoever has no key cannot answer; the next one may.
            let Some(next) = next else { return Err(error) };
            notes.push(Note::new(Topic::Setting, format!("`{}` was asked instead: {error}", next.name())));
            continue;
        }
        let ready = prepare(door, request, who)?;
        let mut is_told = false;
        let (run, result) = attempt(door, request, &ready, tell, &mut is_told, cancel, &mut notes)?;
        let Unanswered { error, came, before } = match result {
            Ok(answer) => return Ok(finish(ready, answer, run, notes)),
            Err(unanswered) => unanswered,
        };
        let usage = came.map(|came| came.usage);
        let cost = paid(ready.rates, &before, usage);
        tell(Step::Failed { because: &error, usage, before: &before, cost, run });
        match next {
            Some(next) if !is_told && is_worth_another(&error) => {
                let model = next.name();
                tell(Step::Instead { model, because: &error });
                notes.push(Note::new(Topic::Setting, format!("`{model}` was asked instead: {error}")));
            }
            _ => return Err(refused(&error)),
        }
    }
    Err(whom::nobody())
}

/// A model that cannot be named or a server that cannot be reached is told before a missing key is: a key would not mend it.
fn has_address(request: &SendRequest<'_>, who: &Who) -> Result<(), OpError> {
    match who.via {
        Via::Api(api) => able(&ask(request, api, who.model.as_deref(), None, "")),
        Via::GeminiCli => Ok(()),
    }
}

fn has_key(request: &SendRequest<'_>, who: &Who) -> Result<(), OpError> {
    match who.via {
        Via::Api(api) => whom::require_key(api, request.base_url.as_deref(), (request.key)(api)?.as_ref()),
        Via::GeminiCli => Ok(()),
    }
}

/// Who is asked, as this request and its persona have it.
fn whom(door: &Door, request: &SendRequest<'_>) -> Result<Vec<Who>, OpError> {
    let roots = door.open_roots()?;
    let config = door.load_config(&roots)?;
    let name = request.document.persona.clone().or_else(|| config.project.persona.clone());
    let persona: Option<&Persona> = name.as_deref().map(|name| config.persona(name)).transpose()?;
    let preferred = persona.map(|persona| persona.preferred_models.as_slice()).unwrap_or_default();
    let whom = whom::whom(request.via, request.document.model.as_deref(), preferred)?;
    let is_program = whom.first().is_some_and(|who| who.via == Via::GeminiCli);
    if is_program && (request.base_url.is_some() || request.is_own_key) {
        return Err(OpError::usage(
            "`gemini-cli` takes neither `--base-url` nor `--key-env`: it has its own server and key",
        )
        .hint("`--provider gemini` asks Google's API in place of the program"));
    }
    Ok(whom)
}

/// Compiles the request for one of them, and looks at it as its API would.
fn prepare(door: &Door, request: &SendRequest<'_>, who: &Who) -> Result<Ready, OpError> {
    let format = match who.via {
        Via::Api(api) => Format::Request(api),
        Via::GeminiCli => Format::Markdown,
    };
    let document = Request { format: Some(format), model: who.model.clone(), ..request.document.clone() };
    // A program is told the model as a word; its window is not ours to fill unless it is known.
    let document = match who.via {
        Via::GeminiCli if who.model.as_deref().is_none_or(|name| models::find(name).is_none()) => {
            Request { model: None, ..document }
        }
        _ => document,
    };
    let (opened, mut made) = document::prepared(door, &document)?;
    if request.via.is_none() && request.document.model.is_none() {
        let name = document.persona.as_ref().or(opened.config.project.persona.as_ref());
        let persona = name.map(|name| opened.config.persona(name)).transpose()?;
        made.compiled.notes.extend(persona.and_then(|persona| whom::strangers(&persona.preferred_models)));
    }
    if let Via::Api(api) = who.via {
        let found = check(api, &made.compiled.output.text());
        if let Some(first) = found.first() {
            return Err(OpError::Verification {
                message: format!("`{api}` would refuse the request: {first}"),
                hints: vec![first.hint.to_owned()],
            });
        }
    }
    let model = who.model.clone();
    let past = door.env.data_dir.as_deref().and_then(|dir| Runs::look(dir).ok().flatten());
    let server = request.base_url.as_deref();
    let learnt = match (&past, &model) {
        (Some(runs), Some(model)) => runs.counted(who.via.as_str(), server, model, made.tokenizer).unwrap_or_default(),
        _ => Vec::new(),
    };
    let measured = match who.via {
        Via::Api(_) => made.compiled.measured.0,
        // The question and the system text go in beside the document.
        Via::GeminiCli => {
            let (system, prompt) = program_texts(&opened, &made.compiled.output.text());
            opened.tokenizer.count(&system) + opened.tokenizer.count(&prompt)
        }
    };
    let (expected, learnt) = calibrated(measured, &learnt);
    let reuse = found_again(past.as_ref(), &opened, &made, who, server);
    Ok(Ready {
        reuse: reuse.map(|reuse| within(reuse, measured, expected)),
        expected,
        learnt,
        rates: model.as_deref().and_then(Rates::of),
        via: who.via,
        made,
        model,
        opened,
        document,
        server: request.base_url.clone(),
    })
}

/// Fewer answers may be chance.
const ANSWERS: usize = 3;
/// What a server counts otherwise than we do by more than this is no count of the same text.
const BELIEVABLE: std::ops::RangeInclusive<f64> = 0.5..=2.0;

/// A count, times the middle one of the ratios between what the server counted and what we did, and from how many answers that was
/// learnt. The middle one, so that an odd figure among others decides nothing.
fn calibrated(count: u64, learnt: &[(u64, u64)]) -> (u64, usize) {
    let ratios = learnt.iter().filter(|(ours, _)| *ours > 0).map(|(ours, theirs)| *theirs as f64 / *ours as f64);
    let mut ratios: Vec<f64> = ratios.filter(|ratio| BELIEVABLE.contains(ratio)).collect();
    ratios.sort_by(f64::total_cmp);
    match ratios.get(ratios.len() / 2) {
        Some(middle) if ratios.len() >= ANSWERS => ((count as f64 * middle).round() as u64, ratios.len()),
        Some(_) | None => (count, 0),
    }
}

/// Parts of what we count, as parts of what is expected: all figures of one request are of one counter.
fn within(reuse: Reuse, measured: u64, expected: u64) -> Reuse {
    let ratio = expected as f64 / measured.max(1) as f64;
    let part = |tokens: u64, most: u64| ((tokens as f64 * ratio).round() as u64).min(most);
    let tokens = part(reuse.tokens, expected);
    Reuse { tokens, written: part(reuse.written, expected - tokens), of: expected, ..reuse }
}

/// What the cache finds again of the newest request to this model that was kept, and what it keeps anew: all, where there was none.
fn found_again(past: Option<&Runs>, opened: &Opened, made: &Made, who: &Who, server: Option<&str>) -> Option<Reuse> {
    let Via::Api(api) = who.via else { return None };
    let before = past.and_then(|runs| last_like(runs, opened.roots.project(), who, server));
    let body = made.compiled.output.text();
    let count = |text: &str| opened.tokenizer.count(text);
    let read = |body| reuse::Request::read(api, body, &count).ok();
    let earlier = before.as_deref().and_then(read);
    let earlier: Vec<&reuse::Request<'_>> = earlier.iter().collect();
    Some(reuse::predict(reuse::rule(api, who.model.as_deref())?, &earlier, &read(&body)?))
}

/// The newest request to this model of this server. Older ones than these are forgotten by every cache.
fn last_like(runs: &Runs, project: &Path, who: &Who, server: Option<&str>) -> Option<String> {
    let is_like = |sent: &Sent| {
        sent.error.is_none()
            && sent.provider == who.via.as_str()
            && sent.server.as_deref() == server
            && Some(&sent.model) == who.model.as_ref()
    };
    let last = runs.list(project, 20).ok()?.into_iter().find(|run| run.sent.as_ref().is_some_and(is_like))?;
    String::from_utf8(runs.kept(project, last.number, Kept::Request).ok()??).ok()
}

/// Records the run, asks, and records what came.
fn attempt(
    door: &Door,
    request: &SendRequest<'_>,
    ready: &Ready,
    tell: &mut dyn FnMut(Step<'_>),
    is_told: &mut bool,
    cancel: &Cancel,
    notes: &mut Vec<Note>,
) -> Result<(Option<u64>, Result<Answer, Unanswered>), OpError> {
    let body = ready.made.compiled.output.text();
    let model = ready.model.as_deref();
    // What cannot be asked leaves no run.
    let key = match ready.via {
        Via::Api(api) => (request.key)(api)?,
        Via::GeminiCli => None,
    };
    if let Via::Api(api) = ready.via {
        able(&ask(request, api, model, key.as_ref(), &body))?;
    }
    let (system, prompt) = program_texts(&ready.opened, &body);
    let program = CliAsk {
        program: request.cli.as_deref(),
        model,
        key: None,
        system: &system,
        prompt: &prompt,
        timeout: request.timeout,
    };
    let leaving = match ready.via {
        Via::Api(api) => provider::streaming(&body, api).map_err(|error| refused(&error))?,
        Via::GeminiCli => program.input(),
    };
    let run = if request.document.no_manifest { None } else { record(door, ready, &leaving, notes) };
    tell(Step::Leaving { ready, run });
    let mut hand = |event: Event| {
        *is_told |= matches!(event, Event::Text(_) | Event::Thought(_) | Event::Call { .. });
        tell(Step::Event(event));
    };
    let result = match ready.via {
        Via::Api(api) => {
            provider::stream(&ask(request, api, model, key.as_ref(), &body), &request.policy, &mut hand, cancel)
        }
        Via::GeminiCli => provider::stream_cli(&program, &request.policy, &mut hand, cancel),
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
fn program_texts(opened: &Opened, document: &str) -> (String, String) {
    let text = |text: &Option<Text>| text.as_deref().unwrap_or_default().to_owned();
    (text(&opened.wanted.system), format!("{document}{}", text(&opened.wanted.message)))
}

fn ask<'a>(
    request: &'a SendRequest<'_>,
    api: Api,
    model: Option<&'a str>,
    key: Option<&'a Key>,
    body: &'a str,
) -> Ask<'a> {
    let (base_url, timeout) = (request.base_url.as_deref(), request.timeout);
    Ask { api, model: model.unwrap_or_default(), base_url, key, body, endpoint: Endpoint::Chat, timeout }
}

fn able(ask: &Ask<'_>) -> Result<(), OpError> {
    provider::check(ask).map_err(|error| OpError::usage(error.to_string()).hint(error.hint()))
}

fn record(door: &Door, ready: &Ready, leaving: &str, notes: &mut Vec<Note>) -> Option<u64> {
    let print = Print::of(&ready.made.compiled.output, &ready.made.snapshot.items);
    let draft = runs::of_document(door, &ready.opened, &ready.document, &ready.made, print, None);
    let sent = Sent {
        provider: ready.via.as_str().to_owned(),
        model: ready.model.clone().unwrap_or_default(),
        server: ready.server.clone(),
        error: Some("no answer was recorded".into()),
        ..Sent::default()
    };
    let draft = Draft { kind: RunKind::Send, sent: Some(sent), ..draft };
    match runs::record(door, &ready.opened.roots, &ready.opened.config, draft, Some(leaving.as_bytes())) {
        Ok(number) => number,
        Err(note) => {
            notes.push(note);
            None
        }
    }
}

/// What came of it, and the bytes of that. An answer that is none was counted and came all the same.
fn outcome<'a>(ready: &Ready, result: &'a Result<Answer, Unanswered>) -> (Sent, Option<&'a str>) {
    let (used, raw, before) = match result {
        Ok(answer) => (Some(answer.usage), &*answer.raw, &answer.before),
        Err(Unanswered { came: Some(came), before, .. }) => (Some(came.usage), &*came.raw, before),
        Err(Unanswered { came: None, before, .. }) => (None, "", before),
    };
    let cost = paid(ready.rates, before, used);
    // The last attempt's alone: what one request counts is learnt from it.
    let used = used.unwrap_or_default();
    let usage = used.input.map(|input| Usage {
        input,
        output: used.output.unwrap_or(0),
        cached: used.cached.unwrap_or(0),
        written: used.written.unwrap_or(0),
    });
    let latency = result.as_ref().ok().map(|answer| answer.latency.as_millis());
    let sent = Sent {
        provider: ready.via.as_str().to_owned(),
        model: ready.model.clone().unwrap_or_default(),
        server: ready.server.clone(),
        usage,
        latency_ms: latency.and_then(|latency| u64::try_from(latency).ok()),
        cost,
        error: result.as_ref().err().map(ToString::to_string),
    };
    (sent, Some(raw).filter(|raw| !raw.is_empty()))
}

fn finish(ready: Ready, answer: Answer, run: Option<u64>, mut notes: Vec<Note>) -> Done {
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
    notes.extend(ready.made.compiled.notes.iter().cloned());
    if !answer.before.is_empty() {
        let text = format!("the server began {} before it answered; the cost has them too", times(answer.before.len()));
        notes.push(Note::new(Topic::Setting, text));
    }
    let cost = paid(ready.rates, &answer.before, Some(answer.usage));
    Done { ready, answer, cost, run, notes }
}

fn times(count: usize) -> String {
    if count == 1 { "once".into() } else { format!("{count} times") }
}

/// A server and a key that were named are for one API: no key goes to the server of another.
fn is_meant_for(request: &SendRequest<'_>, who: &Who, next: &Who) -> bool {
    who.via == next.via || (request.base_url.is_none() && !request.is_own_key)
}

/// Whether another model may do better: what is wrong with the request or the will of the person stays wrong.
fn is_worth_another(error: &ProviderError) -> bool {
    !matches!(
        error,
        ProviderError::Cancelled | ProviderError::BaseUrl(_) | ProviderError::Key(_) | ProviderError::Client(_)
    )
}

fn refused(error: &ProviderError) -> OpError {
    match error {
        ProviderError::Cancelled => OpError::Interrupted,
        error => OpError::Provider { message: error.to_string(), hints: vec![error.hint()] },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_answer_or_an_odd_one_teaches_nothing() {
        assert_eq!(calibrated(1000, &[]), (1000, 0));
        assert_eq!(calibrated(1000, &[(100, 120), (100, 120)]), (1000, 0));
        assert_eq!(calibrated(1000, &[(100, 120), (100, 110), (100, 130)]), (1200, 3));
        assert_eq!(calibrated(1000, &[(100, 120), (100, 110), (8000, 100), (0, 5), (1, 90)]), (1000, 0));
        assert_eq!(calibrated(1000, &[(100, 120), (8000, 100), (100, 110), (8000, 100), (100, 130)]), (1200, 3));
    }

    #[test]
    fn a_part_is_never_more_than_the_whole() {
        let part = |tokens, written, measured, expected| {
            let reuse = Reuse { tokens, of: measured, written, difference: None };
            let Reuse { tokens, of, written, .. } = within(reuse, measured, expected);
            (tokens, written, of)
        };
        assert_eq!(part(800, 200, 1000, 1000), (800, 200, 1000));
        assert_eq!(part(800, 200, 1000, 600), (480, 120, 600));
        assert_eq!(part(800, 0, 1000, 1500), (1200, 0, 1500));
        assert_eq!(part(1100, 50, 1000, 1000), (1000, 0, 1000));
        assert_eq!(part(5, 5, 0, 0), (0, 0, 0));
    }
}
