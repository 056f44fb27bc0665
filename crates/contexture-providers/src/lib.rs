//! One question to a model: a finished request goes out, what the model says comes back, at once or while it is said.
//!
//! Takes which [`Api`] a server speaks, a [`Key`] and the body of a request, as somebody else has written it; gives the answer as a
//! message that can go back, what it cost, and all of it to the byte. Waits and asks again where the server wants that, as long as
//! nothing of an answer has been handed out. Writes no requests of its own, keeps nothing, follows no redirects, and tells nobody
//! the key but the server: it is in no error, no event and no log.

mod address;
mod body;
mod cancel;
mod cli;
mod delay;
mod draft;
mod error;
mod fault;
mod key;
mod pieces;
mod read;
mod send;
mod sse;

pub use body::{streaming, unstreamed};
pub use cancel::pause;
pub use cli::{CLI_LIMIT, CLI_VARIABLE, CliRequest, cli_prompt, stream_cli};
pub use contexture_core::Cancel;
pub use error::ProviderError;
pub use key::Key;

use address::AnswerMode;
use contexture_core::providers::Home;
use contexture_core::{Api, Message};
use fault::Failure;
use send::Sender;
use std::time::{Duration, Instant};

/// The server that is an API's own.
pub fn home(api: Api) -> &'static Home {
    &api.provider().home
}

/// A question. It has no `Debug`: its body is what somebody said.
pub struct ModelRequest<'a> {
    pub api: Api,
    /// As the API names it. Only Google's address has it; the others find it in the body.
    pub model: &'a str,
    /// `http` or `https`, without name and password, with or without a slash at its end. OpenAI's and those like it with the
    /// version (`https://api.openai.com/v1`), Anthropic's and Google's with or without. `None` is the API's own.
    pub base_url: Option<&'a str>,
    pub key: Option<&'a Key>,
    /// The finished JSON, without `stream`: that is put in where the answer is to come in pieces.
    pub body: &'a str,
    pub endpoint: Endpoint,
    /// For all of it: every attempt, and the waiting between them.
    pub timeout: Duration,
}

/// Which address of a server is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endpoint {
    /// Messages, as every API has it.
    Chat,
    /// The text that goes on: `{base}/completions` of OpenAI's API.
    Text,
}

/// What comes while a model speaks. Of several answers to one question only the first is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    Text(String),
    /// What can be read of what the model thinks.
    Thought(String),
    /// A call begins. `call` is its place in the message.
    Call {
        call: usize,
        id: String,
        name: String,
    },
    /// More of the arguments of a call, as JSON.
    Arguments {
        call: usize,
        piece: String,
    },
    /// The figures up to here; later ones replace them.
    Usage(Usage),
    /// The answer is whole.
    End(Stop),
}

/// Tokens, as the server counts them. `None` is what it does not tell.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Usage {
    /// All of the request, whether from the cache or not.
    pub input: Option<u64>,
    /// All of the answer, thoughts included.
    pub output: Option<u64>,
    /// Of the input, what was read from the cache.
    pub cached: Option<u64>,
    /// Of the input, what was written to the cache.
    pub written: Option<u64>,
    /// Of the output, what was thought.
    pub thinking: Option<u64>,
}

/// A model reads and writes a thousandth of it: more in a figure is an error of the server.
const MOST_TOKENS: u64 = 1_000_000_000;

impl Usage {
    /// Without what cannot be: a part is not larger than its whole, and no answer has billions of tokens.
    fn plausible(self) -> Self {
        let known = |figure: Option<u64>| figure.filter(|tokens| *tokens <= MOST_TOKENS);
        let within = |part: Option<u64>, whole: Option<u64>| known(part).map(|part| part.min(whole.unwrap_or(part)));
        let (input, output) = (known(self.input), known(self.output));
        let cached = within(self.cached, input);
        let left = input.map(|input| input.saturating_sub(cached.unwrap_or_default()));
        Self { input, output, cached, written: within(self.written, left), thinking: within(self.thinking, output) }
    }
}

/// Why a model stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It had said what it wanted to, or came to a word at which it was to stop.
    End,
    /// There was no room for more.
    Length,
    /// It waits for the tools it called.
    Calls,
    /// In the API's own word.
    Other(String),
    /// The server does not say.
    Untold,
}

impl Stop {
    /// The word for it, as answers and manifests have it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::End => "end",
            Self::Length => "length",
            Self::Calls => "calls",
            Self::Other(word) => word,
            Self::Untold => "untold",
        }
    }
}

/// A whole answer, with its cost and everything that came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Of the assistant. Says something, to the byte, or calls tools; with the thoughts that can go back.
    pub message: Message,
    /// More answers, where more than one was asked for. Those that say nothing or refuse are left out.
    pub others: Vec<Message>,
    /// What came as it came: the body, or all events of the stream. A key that a server repeats is taken out; empty where it repeats
    /// it in pieces.
    pub raw: String,
    /// The model that answered, as the server names it.
    pub model: Option<String>,
    pub stop: Stop,
    /// Of the last attempt.
    pub usage: Usage,
    /// Of the attempts before it that the server had worked on. They are paid for as well.
    pub before: Vec<Usage>,
    /// From the last attempt to its last byte, without the attempts before it.
    pub latency: Duration,
    /// From the last attempt to the first piece of the answer, where it came in pieces.
    pub first: Option<Duration>,
}

/// Why there is no answer, and what came in its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{error}")]
pub struct Unanswered {
    pub error: ProviderError,
    /// `None`: nobody worked on the question, so there is nothing to pay for.
    pub partial: Option<Box<PartialAnswer>>,
    /// As in [`Answer::before`].
    pub before: Vec<Usage>,
}

impl From<ProviderError> for Unanswered {
    fn from(error: ProviderError) -> Self {
        Self { error, partial: None, before: Vec::new() }
    }
}

/// What came and is no answer: refused, empty, cut off, too large. It is paid for all the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartialAnswer {
    /// As far as the server told it.
    pub usage: Usage,
    /// As in [`Answer::raw`]. Empty where nothing came, and where it was more than may come.
    pub raw: String,
}

/// How often and how soon a server is asked again, and how much it may say.
pub struct Policy<'a> {
    pub retries: u32,
    /// Before the first retry where the server names no delay; doubled with each.
    pub first_delay: Duration,
    /// The most to wait before a retry, whatever the server says.
    pub longest_delay: Duration,
    /// How long a stream may say nothing.
    pub silence: Duration,
    /// Bytes of an answer.
    pub largest: usize,
    /// Bytes of an event of a stream.
    pub largest_event: usize,
    /// Waits, and says whether to ask again. Blocks, as all of this does, and not on when it is cancelled.
    pub pause: &'a dyn Fn(&Wait<'_>, &Cancel) -> bool,
}

/// Why a server is to be asked again, and when.
pub struct Wait<'a> {
    pub error: &'a ProviderError,
    pub delay: Duration,
    /// The server itself asks for this delay.
    pub is_by_server: bool,
    /// What the attempt has cost, where the server had worked on it.
    pub usage: Option<Usage>,
}

impl Default for Policy<'_> {
    /// Three retries outlast the short overloads of a server. Half a minute is as long as somebody in front of a terminal waits
    /// for nothing. Five minutes is what models that reason without a word take at most. 64 MiB is a hundred times the longest
    /// answer that a model gives; one event may be all of it, as the last of OpenAI's Responses is.
    fn default() -> Self {
        Self {
            retries: 3,
            first_delay: Duration::from_millis(500),
            longest_delay: Duration::from_secs(30),
            silence: Duration::from_secs(300),
            largest: 64 << 20,
            largest_event: 32 << 20,
            pause: &|wait, cancel| {
                cancel::pause(cancel, wait.delay);
                true
            },
        }
    }
}

/// Whether a question can be asked at all: its address, its key and the name of its model are looked at, and nobody is asked.
pub fn check(request: &ModelRequest) -> Result<(), ProviderError> {
    address::address(request, AnswerMode::Streamed)?;
    request.key.map(|key| key.header("")).transpose().map(drop)
}

/// Asks, and hands out the answer while it comes. From asynchronous code it is to be called on a thread where blocking is allowed.
///
/// An answer that does not come to its end is an error, whatever of it was handed out; what it cost is told with the error.
pub fn stream(
    request: &ModelRequest,
    policy: &Policy,
    hand: &mut dyn FnMut(Event),
    cancel: &Cancel,
) -> Result<Answer, Unanswered> {
    let answer = persist(request, policy, AnswerMode::Streamed, hand, cancel)?;
    hand(Event::End(answer.stop.clone()));
    Ok(answer)
}

/// Asks, and waits for the whole answer.
pub fn complete(request: &ModelRequest, policy: &Policy, cancel: &Cancel) -> Result<Answer, Unanswered> {
    persist(request, policy, AnswerMode::Whole, &mut |_| {}, cancel)
}

/// Asks until there is an answer, an error that stays, or no time left.
fn persist(
    request: &ModelRequest,
    policy: &Policy,
    mode: AnswerMode,
    hand: &mut dyn FnMut(Event),
    cancel: &Cancel,
) -> Result<Answer, Unanswered> {
    // Before all else: setting up TLS is part of the wait.
    let begun = Instant::now();
    let left = || request.timeout.saturating_sub(begun.elapsed());
    let sender = Sender::open(request, policy, mode)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| ProviderError::Client(error.to_string()))?;
    let (mut tries, mut is_handed, mut before) = (0, false, Vec::new());
    let result = loop {
        let mut hand = |event| {
            is_handed = true;
            hand(event);
        };
        let (failed, partial) = match runtime.block_on(attempt(&sender, left(), &mut hand, cancel)) {
            Ok(answer) => break Ok(Answer { before, ..answer }),
            Err(failed) => failed,
        };
        let usage = partial.as_ref().map(|partial| partial.usage);
        let doubled = policy.first_delay.saturating_mul(2_u32.saturating_pow(tries));
        let delay = failed.delay.unwrap_or(doubled).min(policy.longest_delay);
        // What was handed out cannot be taken back, and a wait that outlasts the time would end in a worse error than the one at
        // hand.
        let is_handed = mode == AnswerMode::Streamed && is_handed;
        if !failed.passing || is_handed || tries >= policy.retries || delay >= left() {
            break Err(Unanswered { error: failed.error, partial, before });
        }
        tries += 1;
        tracing::debug!(server = sender.server(), retry = tries, delay_ms = delay.as_millis() as u64, "asking again");
        let wait = Wait { error: &failed.error, delay, is_by_server: failed.delay.is_some(), usage };
        if !(policy.pause)(&wait, cancel) {
            break Err(Unanswered { error: failed.error, partial, before });
        }
        before.extend(usage);
    };
    // Does not wait for the lookup of a name, which nothing can interrupt.
    runtime.shutdown_background();
    result
}

/// One attempt, in the time that is left, unless it is cancelled.
async fn attempt(
    sender: &Sender<'_>,
    left: Duration,
    hand: &mut dyn FnMut(Event),
    cancel: &Cancel,
) -> Result<Answer, (Failure, Option<Box<PartialAnswer>>)> {
    let mut incoming = sender.incoming();
    let result = tokio::select! {
        // In this order: a wish that is there already comes before all else.
        biased;
        () = cancel::cancelled(cancel) => Err(ProviderError::Cancelled.into()),
        result = tokio::time::timeout(left, sender.attempt(&mut incoming, hand)) => result.unwrap_or_else(|_| Err(sender.timed_out())),
    };
    incoming.end(result)
}
