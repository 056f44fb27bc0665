//! Sends a document with a question to a model, and hands out the answer while it comes (R3).
//!
//! Takes a request for a document, who is asked and a way to find keys; gives the answer with what it cost. The request passes the check of
//! its API before it leaves, its run is recorded before it leaves and completed when the answer is there, whatever it is.

use super::document::{self, Made};
use super::open::{Door, Opened, Request};
use super::runs::{self, Draft, Print};
use super::{OpError, open};
use crate::provider::{self, Answer, Ask, Cancel, CliAsk, Endpoint, Event, Key, Policy, ProviderError, Stop};
use contexture_core::check::check;
use contexture_core::models::{self, Price};
use contexture_core::reuse::{self, Reuse};
use contexture_core::{Api, Counter, Format, Note, Text, Topic};
use contexture_gather::config::Persona;
use contexture_gather::runs::{Kept, RunKind, Runs, Sent, Usage};
use std::path::PathBuf;
use std::time::Duration;

/// Who is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Via {
    Api(Api),
    /// Gemini CLI, a program that has logged in by itself.
    GeminiCli,
}

impl Via {
    pub const WORDS: &[&str] = &["anthropic", "openai", "responses", "gemini", "deepseek", "minimax", "gemini-cli"];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Api(api) => api.as_str(),
            Self::GeminiCli => "gemini-cli",
        }
    }

    /// The words of flags, and of personas and tables beside them.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "gemini-cli" | "gemini_cli" => Some(Self::GeminiCli),
            "google" => Some(Self::Api(Api::Gemini)),
            word => Api::parse(word).map(Self::Api),
        }
    }
}

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
    /// From how many answers of this model that was learnt.
    pub learnt: usize,
    pub price: Option<&'static Price>,
    /// What the provider's cache finds again of the last request to this model.
    pub reuse: Option<Reuse>,
    opened: Opened,
    document: Request,
}

impl Ready {
    /// What the request costs without its answer, in US dollars, where a price is known.
    pub fn cost(&self) -> Option<f64> {
        let (cached, written) = self.reuse.as_ref().map_or((0, 0), |reuse| (reuse.tokens, reuse.written));
        Some(self.price?.cost(self.expected, 0, cached.min(self.expected), written.min(self.expected)))
    }
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
    /// Another model is asked in place of one that could not answer.
    Instead {
        model: &'a str,
        because: &'a ProviderError,
    },
}

/// The requests for all who may be asked, the first one first. Only the first is compiled; the others wait for need.
pub fn ready(door: &Door, request: &SendRequest<'_>) -> Result<Ready, OpError> {
    let whom = whom(door, request)?;
    let first = whom.first().ok_or_else(nobody)?;
    prepare(door, request, first)
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
        let ready = prepare(door, request, who)?;
        let mut is_told = false;
        let (run, result) = attempt(door, request, &ready, tell, &mut is_told, cancel, &mut notes)?;
        let error = match result {
            Ok(answer) => return Ok(finish(ready, answer, run, notes)),
            Err(error) => error,
        };
        match whom.get(nth + 1) {
            Some(next) if !is_told && is_worth_another(&error) && is_meant_for(request, who, next) => {
                let model = next.model.as_deref().unwrap_or(next.via.as_str());
                tell(Step::Instead { model, because: &error });
                notes.push(Note::new(Topic::Setting, format!("`{model}` was asked instead: {error}")));
            }
            _ => return Err(refused(&error)),
        }
    }
    Err(nobody())
}

/// One of those who may be asked.
struct Who {
    via: Via,
    model: Option<String>,
}

fn nobody() -> OpError {
    OpError::usage("nobody is named to be asked")
        .hint("`--provider anthropic --model NAME`, or a persona with `preferred_models`")
}

/// Who is asked: the command line, else the models of the persona in their order.
fn whom(door: &Door, request: &SendRequest<'_>) -> Result<Vec<Who>, OpError> {
    let roots = door.open_roots()?;
    let config = door.load_config(&roots)?;
    let name = request.document.persona.clone().or_else(|| config.project.persona.clone());
    let persona: Option<&Persona> = name.as_deref().map(|name| config.persona(name)).transpose()?;
    let preferred = persona.map(|persona| persona.preferred_models.as_slice()).unwrap_or_default();
    let known = |word: &str| Via::parse(word).ok_or_else(|| open::unknown("provider", word, Via::WORDS.iter()));
    match (request.via, &request.document.model) {
        (None, None) => preferred
            .iter()
            .map(|model| Ok(Who { via: known(&model.provider)?, model: Some(model.model.clone()) }))
            .collect(),
        (Some(via), None) => {
            // Of the persona's models the first that this provider serves.
            let own = preferred.iter().find(|model| Via::parse(&model.provider) == Some(via));
            let model = own.map(|model| model.model.clone());
            if model.is_none() && via != Via::GeminiCli {
                return Err(OpError::usage("no model is named").hint("`--model NAME` says which one answers"));
            }
            Ok(vec![Who { via, model }])
        }
        (Some(via), model) => Ok(vec![Who { via, model: model.clone() }]),
        (None, Some(model)) => {
            let served = preferred.iter().find(|known| known.model == *model).map(|known| known.provider.as_str());
            let served = served.or_else(|| models::find(model).map(|model| model.provider));
            let via = served.and_then(Via::parse).ok_or_else(|| {
                OpError::usage(format!("nobody is known to serve `{model}`"))
                    .hint("`--provider P` says whose API it is")
            })?;
            Ok(vec![Who { via, model: Some(model.clone()) }])
        }
    }
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
    let (opened, made) = document::prepared(door, &document)?;
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
    let learnt = match (&past, &model) {
        (Some(runs), Some(model)) => runs.counted(model, made.tokenizer).unwrap_or_default(),
        _ => Vec::new(),
    };
    let reuse = past.as_ref().and_then(|runs| found_again(runs, &opened, &made, who));
    Ok(Ready {
        expected: calibrated(made.compiled.measured.0, &learnt),
        learnt: learnt.len(),
        price: model.as_deref().and_then(models::price),
        via: who.via,
        made,
        model,
        reuse,
        opened,
        document,
    })
}

/// An estimate, corrected by how far it was off: the middle one of earlier ratios. Few answers correct less than many.
pub fn calibrated(count: u64, learnt: &[(u64, u64)]) -> u64 {
    let mut ratios: Vec<f64> =
        learnt.iter().filter(|(ours, _)| *ours > 0).map(|(ours, theirs)| *theirs as f64 / *ours as f64).collect();
    ratios.sort_by(f64::total_cmp);
    match ratios.get(ratios.len() / 2) {
        Some(middle) => (count as f64 * middle).round() as u64,
        None => count,
    }
}

/// What the cache finds again of the newest request to this model that was kept.
fn found_again(runs: &Runs, opened: &Opened, made: &Made, who: &Who) -> Option<Reuse> {
    let Via::Api(api) = who.via else { return None };
    let project = opened.roots.project();
    let is_like = |sent: &Sent| {
        sent.error.is_none() && sent.provider == who.via.as_str() && Some(&sent.model) == who.model.as_ref()
    };
    // Older ones are forgotten by every cache.
    let last = runs.list(project, 20).ok()?.into_iter().find(|run| run.sent.as_ref().is_some_and(is_like))?;
    let before = String::from_utf8(runs.kept(project, last.number, Kept::Request).ok()??).ok()?;
    let body = made.compiled.output.text();
    let count = |text: &str| opened.tokenizer.count(text);
    let earlier = reuse::Request::read(api, &before, &count).ok()?;
    let later = reuse::Request::read(api, &body, &count).ok()?;
    Some(reuse::predict(reuse::rule(api, who.model.as_deref())?, &[&earlier], &later))
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
) -> Result<(Option<u64>, Result<Answer, ProviderError>), OpError> {
    let body = ready.made.compiled.output.text();
    let run = if request.document.no_manifest { None } else { record(door, ready, &body, notes) };
    tell(Step::Leaving { ready, run });
    let mut hand = |event: Event| {
        *is_told |= matches!(event, Event::Text(_) | Event::Thought(_) | Event::Call { .. });
        tell(Step::Event(event));
    };
    let model = ready.model.as_deref();
    let result = match ready.via {
        Via::Api(api) => {
            let key = (request.key)(api)?;
            let ask = Ask {
                api,
                model: model.unwrap_or_default(),
                base_url: request.base_url.as_deref(),
                key: key.as_ref(),
                body: &body,
                endpoint: Endpoint::Chat,
                timeout: request.timeout,
            };
            provider::stream(&ask, &request.policy, &mut hand, cancel)
        }
        Via::GeminiCli => {
            let wanted = &ready.opened.wanted;
            let text = |text: &Option<Text>| text.as_deref().unwrap_or_default().to_owned();
            let (system, asked) = (text(&wanted.system), text(&wanted.message));
            let prompt = format!("{body}{asked}");
            let ask = CliAsk {
                program: request.cli.as_deref(),
                model,
                key: None,
                system: &system,
                prompt: &prompt,
                timeout: request.timeout,
            };
            provider::stream_cli(&ask, &request.policy, &mut hand, cancel)
        }
    };
    if let (Some(number), Some(dir)) = (run, &door.env.data_dir) {
        let (sent, raw) = outcome(ready, &result);
        let kept = Runs::open(dir).and_then(|mut runs| {
            runs.answer(ready.opened.roots.project(), number, &sent, raw.as_deref().map(str::as_bytes))
        });
        notes.extend(kept.err().map(|error| Note::new(Topic::Runs, format!("the answer was not recorded: {error}"))));
    }
    Ok((run, result))
}

fn record(door: &Door, ready: &Ready, body: &str, notes: &mut Vec<Note>) -> Option<u64> {
    let print = Print::of(&ready.made.compiled.output, &ready.made.snapshot.items);
    let draft = runs::of_document(door, &ready.opened, &ready.document, &ready.made, print, None);
    let sent = Sent {
        provider: ready.via.as_str().to_owned(),
        model: ready.model.clone().unwrap_or_default(),
        error: Some("no answer was recorded".into()),
        ..Sent::default()
    };
    let draft = Draft { kind: RunKind::Send, sent: Some(sent), ..draft };
    match runs::record(door, &ready.opened.roots, &ready.opened.config, draft, Some(body.as_bytes())) {
        Ok(number) => number,
        Err(note) => {
            notes.push(note);
            None
        }
    }
}

fn outcome(ready: &Ready, result: &Result<Answer, ProviderError>) -> (Sent, Option<String>) {
    let sent = Sent {
        provider: ready.via.as_str().to_owned(),
        model: ready.model.clone().unwrap_or_default(),
        ..Sent::default()
    };
    match result {
        Ok(answer) => {
            let used = answer.usage;
            let usage = used.input.map(|input| Usage {
                input,
                output: used.output.unwrap_or(0),
                cached: used.cached.unwrap_or(0),
                written: used.written.unwrap_or(0),
            });
            let latency = u64::try_from(answer.latency.as_millis()).ok();
            let sent = Sent { usage, latency_ms: latency, cost: cost(ready.price, answer), ..sent };
            (sent, Some(answer.raw.clone()))
        }
        Err(error) => (Sent { error: Some(error.to_string()), ..sent }, None),
    }
}

fn cost(price: Option<&Price>, answer: &Answer) -> Option<f64> {
    let used = answer.usage;
    Some(price?.cost(used.input?, used.output?, used.cached.unwrap_or(0), used.written.unwrap_or(0)))
}

fn finish(ready: Ready, answer: Answer, run: Option<u64>, mut notes: Vec<Note>) -> Done {
    if answer.stop == Stop::Length {
        let note = Note::new(Topic::Reduced, "the answer was cut off: there was no room for more");
        notes.push(note.hint("`--max-answer N` allows more tokens"));
    }
    notes.extend(ready.made.compiled.notes.iter().cloned());
    Done { cost: cost(ready.price, &answer), ready, answer, run, notes }
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
