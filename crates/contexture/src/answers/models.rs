//! Requests to models: what is sent, what comes back event by event, and what a provider would refuse.

use super::record::{Show, answers};
use super::{DocumentAnswer, NoteAnswer, Versioned, versioned};
use crate::ops::send::{self, PreparedSend};
use crate::requests::{Via, Word};
use contexture_core::Api;
use contexture_core::check::Violation;
use contexture_core::reuse::Reuse;
use contexture_providers::{Event, Usage, Wait};
use schemars::JsonSchema;
use serde::Serialize;

answers! {
    /// Tokens as a server counts them; null where it does not report them.
    pub struct UsageAnswer of Usage {
        input: Option<u64>,
        output: Option<u64>,
        /// Input tokens read from the cache
        cached: Option<u64>,
        /// Input tokens written to the cache
        written: Option<u64>,
        /// Output tokens that are reasoning
        thinking: Option<u64>,
    }

    /// What the provider's cache is expected to reuse.
    pub struct ExpectedReuse of Reuse {
        reused_tokens: u64 = |reuse| reuse.tokens,
        written_tokens: u64 = |reuse| reuse.written,
        tokens: u64 = |reuse| reuse.of,
    }
}

/// What would be sent.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SendPlanAnswer {
    pub request: OutgoingRequest,
}

/// A request that is ready to be sent.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OutgoingRequest {
    pub provider: Word<Via>,
    pub model: Option<String>,
    /// Number of its run
    pub run: Option<u64>,
    pub bytes: usize,
    /// Tokens as the provider is expected to count them
    pub tokens: u64,
    /// Number of answers from which that was learned
    pub learnt_from: usize,
    /// US dollars without the answer
    pub cost: Option<f64>,
    pub cache: Option<ExpectedReuse>,
    pub document: Versioned<DocumentAnswer>,
}

impl OutgoingRequest {
    /// A request before it is sent; `run` is the number it was recorded under.
    pub fn new(ready: &PreparedSend, run: Option<u64>) -> Self {
        Self {
            provider: ready.via.into(),
            model: ready.model.clone(),
            run,
            bytes: ready.document.compiled.output.bytes(),
            tokens: ready.expected,
            learnt_from: ready.learnt,
            cost: ready.cost(),
            cache: ready.reuse.show(),
            document: versioned(DocumentAnswer::new(&ready.document, None)),
        }
    }
}

/// A line of `send`: the request, then the answer as it comes, then `done`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum SendEvent {
    /// The request is sent, or would be
    Request { request: Box<OutgoingRequest> },
    /// Another attempt follows after a pause
    Waiting { error: String, seconds: f64 },
    /// Text of the answer
    Text { text: String },
    /// Reasoning of the model
    Thought { text: String },
    /// The model calls a tool; `call` is the index of the call
    Call { call: usize, id: String, name: String },
    /// A piece of the arguments of a call, as JSON
    Arguments { call: usize, piece: String },
    /// Tokens so far; later ones replace them
    Usage { usage: UsageAnswer },
    /// The answer is complete
    End { stop: String },
    /// There is no answer
    Failed {
        error: String,
        usage: Option<UsageAnswer>,
        /// Usage of the attempts before the last
        before: Vec<UsageAnswer>,
        /// US dollars for all attempts
        cost: Option<f64>,
        /// Number of the run
        run: Option<u64>,
    },
    /// Another model is called instead
    Instead { model: String, because: String },
    /// The whole answer
    Done(Box<SentMessage>),
}

/// The answer of a model.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SentMessage {
    pub answer: String,
    pub provider: Word<Via>,
    pub model: Option<String>,
    pub stop: String,
    pub usage: UsageAnswer,
    /// Usage of the attempts before the last
    pub before: Vec<UsageAnswer>,
    /// US dollars for all attempts
    pub cost: Option<f64>,
    pub latency_ms: u64,
    /// Number of the run
    pub run: Option<u64>,
    pub notes: Vec<NoteAnswer>,
}

impl From<&send::SendStep<'_>> for SendEvent {
    fn from(step: &send::SendStep<'_>) -> Self {
        use send::SendStep;
        match step {
            SendStep::Leaving { ready, run } => Self::request(ready, *run),
            SendStep::Event(event) => event.into(),
            SendStep::Failed { because, usage, before, cost, run } => Self::Failed {
                error: because.to_string(),
                usage: usage.show(),
                before: before.show(),
                cost: *cost,
                run: *run,
            },
            SendStep::Instead { model, because } => {
                Self::Instead { model: (*model).to_owned(), because: because.to_string() }
            }
        }
    }
}

impl SendEvent {
    /// The event for a request that is sent now.
    pub fn request(ready: &PreparedSend, run: Option<u64>) -> Self {
        Self::Request { request: Box::new(OutgoingRequest::new(ready, run)) }
    }
}

impl From<&Wait<'_>> for SendEvent {
    fn from(wait: &Wait<'_>) -> Self {
        Self::Waiting { error: wait.error.to_string(), seconds: wait.delay.as_secs_f64() }
    }
}

impl From<&Event> for SendEvent {
    fn from(event: &Event) -> Self {
        match event.clone() {
            Event::Text(text) => Self::Text { text },
            Event::Thought(text) => Self::Thought { text },
            Event::Call { call, id, name } => Self::Call { call, id, name },
            Event::Arguments { call, piece } => Self::Arguments { call, piece },
            Event::Usage(usage) => Self::Usage { usage: usage.show() },
            Event::End(stop) => Self::End { stop: stop.as_str().to_owned() },
        }
    }
}

impl From<&send::SendResult> for SendEvent {
    fn from(done: &send::SendResult) -> Self {
        let answer = &done.answer;
        Self::Done(Box::new(SentMessage {
            answer: answer.message.text().to_string(),
            provider: done.ready.via.into(),
            model: answer.model.as_ref().or(done.ready.model.as_ref()).cloned(),
            stop: answer.stop.as_str().to_owned(),
            usage: answer.usage.show(),
            before: answer.before.show(),
            cost: done.cost,
            latency_ms: answer.latency.as_millis() as u64,
            run: done.run,
            notes: done.notes.show(),
        }))
    }
}

answers! {
    /// A rule that a request breaks.
    pub struct ViolationRow of Violation {
        /// Such as `messages[2].content[0]`; empty for the whole request
        at: String,
        text: String,
        /// One thing to do about it
        hint: &'static str,
    }
}

/// Whether a provider would accept a request.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckAnswer {
    pub provider: Word<Api>,
    pub valid: bool,
    pub violations: Vec<ViolationRow>,
}

impl CheckAnswer {
    /// The answer of a check: every violation that the provider would refuse.
    pub fn new(provider: Api, found: &[Violation]) -> Self {
        Self { provider: provider.into(), valid: found.is_empty(), violations: found.show() }
    }
}
