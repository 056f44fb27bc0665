//! Sends a document with a question to a model, and hands out the answer while it comes.
//!
//! Takes a request for a document, who is asked and a way to find keys; gives the answer with what it cost. The request passes the check of
//! its API before it leaves, its run is recorded before it leaves and completed when the answer is there, whatever it is.

mod attempt;
mod prepare;

use super::OpError;
use super::document::CompiledDocument;
use super::model_choice::{self, KeySource, ModelChoice, Rates};
use super::open::{Door, Opened};
use crate::requests::{DocumentRequest, SendRequest, Via};
use attempt::{attempt, check_sendable, finish, model_request};
use contexture_core::reuse::Reuse;
use contexture_core::{Note, Topic};
use contexture_providers::{Answer, Event, Policy, ProviderError, Unanswered, Usage};
use prepare::{allowed_models, prepare_for};
use std::path::PathBuf;

/// What only a door knows of a request that it sends.
pub struct Sender<'a> {
    pub key: KeySource<'a>,
    /// The key is one that somebody named, not the provider's own.
    pub is_own_key: bool,
    /// The program of Gemini CLI, where it is not on the search path.
    pub cli: Option<PathBuf>,
    pub policy: Policy<'a>,
}

/// A request that is ready to leave.
pub struct PreparedSend {
    pub document: CompiledDocument,
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
    document_request: DocumentRequest,
    /// The address that was named.
    server: Option<String>,
}

impl PreparedSend {
    /// What the request costs without its answer, in US dollars, where a price is known.
    pub fn cost(&self) -> Option<f64> {
        let usage = Usage {
            input: Some(self.expected),
            output: Some(0),
            cached: self.reuse.as_ref().map(|reuse| reuse.tokens),
            written: self.reuse.as_ref().map(|reuse| reuse.written),
            ..Usage::default()
        };
        self.rates?.cost(&usage)
    }
}

/// What all attempts together have cost, as far as they were counted.
fn total_cost(rates: Option<Rates>, before: &[Usage], last: Option<Usage>) -> Option<f64> {
    let rates = rates?;
    let costs = before.iter().chain(&last).filter_map(|usage| rates.cost(usage));
    costs.fold(None, |sum, cost| Some(sum.unwrap_or(0.0) + cost))
}

/// The answer of a model, with its cost and its run.
pub struct SendResult {
    pub ready: PreparedSend,
    pub answer: Answer,
    pub cost: Option<f64>,
    pub run: Option<u64>,
    pub notes: Vec<Note>,
}

/// What happens while it is sent.
pub enum SendStep<'a> {
    /// It leaves now.
    Leaving {
        ready: &'a PreparedSend,
        run: Option<u64>,
    },
    Event(Event),
    /// There is no answer. What came in its place was counted all the same.
    Failed {
        because: &'a ProviderError,
        usage: Option<Usage>,
        /// Of the attempts before the last.
        before: &'a [Usage],
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
pub fn prepare(door: &Door, request: &SendRequest, sender: &Sender<'_>) -> Result<PreparedSend, OpError> {
    let all = allowed_models(door, request, sender)?;
    let choice = all.first().ok_or_else(model_choice::no_model_named)?;
    has_address(request, choice)?;
    prepare_for(door, request, choice)
}

/// Sends the request to the first model that answers; `tell` receives every step.
pub fn send(
    door: &Door,
    request: &SendRequest,
    sender: &Sender<'_>,
    tell: &mut dyn FnMut(SendStep<'_>),
) -> Result<SendResult, OpError> {
    let models = allowed_models(door, request, sender)?;
    let mut notes = Vec::new();
    for (nth, choice) in models.iter().enumerate() {
        let next = models.get(nth + 1).filter(|next| is_meant_for(request, sender, choice, next));
        has_address(request, choice)?;
        if let Err(error) = has_key(request, sender, choice) {
            // Whoever has no key cannot answer; the next one may.
            let Some(next) = next else { return Err(error) };
            notes.push(Note::new(Topic::Setting, format!("`{}` was asked instead: {error}", next.name())));
            continue;
        }
        let ready = prepare_for(door, request, choice)?;
        let mut is_told = false;
        let (run, result) = attempt(door, (request, sender), &ready, tell, &mut is_told, &mut notes)?;
        let Unanswered { error, partial, before } = match result {
            Ok(answer) => return Ok(finish(ready, answer, run, notes)),
            Err(unanswered) => unanswered,
        };
        let usage = partial.map(|partial| partial.usage);
        let cost = total_cost(ready.rates, &before, usage);
        tell(SendStep::Failed { because: &error, usage, before: &before, cost, run });
        match next {
            Some(next) if !is_told && is_worth_another(&error) => {
                let model = next.name();
                tell(SendStep::Instead { model, because: &error });
                notes.push(Note::new(Topic::Setting, format!("`{model}` was asked instead: {error}")));
            }
            _ => return Err(error.into()),
        }
    }
    Err(model_choice::no_model_named())
}

/// A model that cannot be named or a server that cannot be reached is told before a missing key is: a key would not mend it.
fn has_address(request: &SendRequest, choice: &ModelChoice) -> Result<(), OpError> {
    match choice.via {
        Via::Api(api) => check_sendable(&model_request(request, api, choice.model.as_deref(), None, "")),
        Via::GeminiCli => Ok(()),
    }
}

fn has_key(request: &SendRequest, sender: &Sender<'_>, choice: &ModelChoice) -> Result<(), OpError> {
    match choice.via {
        Via::Api(api) => model_choice::require_key(api, request.base_url.as_deref(), (sender.key)(api)?.as_ref()),
        Via::GeminiCli => Ok(()),
    }
}

/// A server and a key that were named are for one API: no key goes to the server of another.
fn is_meant_for(request: &SendRequest, sender: &Sender<'_>, choice: &ModelChoice, next: &ModelChoice) -> bool {
    choice.via == next.via || (request.base_url.is_none() && !sender.is_own_key)
}

/// Whether another model may do better: what is wrong with the request or the will of the person stays wrong.
fn is_worth_another(error: &ProviderError) -> bool {
    !matches!(
        error,
        ProviderError::Cancelled | ProviderError::BaseUrl(_) | ProviderError::Key(_) | ProviderError::Client(_)
    )
}
