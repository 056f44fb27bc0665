//! One question to any server that speaks OpenAI's API: a finished request goes out, what the model says comes back.
//!
//! Takes the base URL of a server, a [`Key`] and the body of a request, as somebody else has written it; gives the messages of the
//! answer, and the answer to the byte. Waits and asks again where the server wants that. Writes no requests of its own, keeps
//! nothing, follows no redirects, and tells nobody the key but the server that the base URL names: it is in no error and no log.

mod address;
mod error;
mod key;
mod read;
mod send;

pub use error::ProviderError;
pub use key::Key;

use contexture_core::Message;
use send::Line;
use std::time::{Duration, Instant};

/// A question. It has no `Debug`: its body is what somebody said.
pub struct Ask<'a> {
    /// `http` or `https`, without name and password, with or without a slash at its end: `https://api.openai.com/v1`.
    pub base_url: &'a str,
    pub key: Option<&'a Key>,
    /// The finished JSON, without `"stream": true`: an answer in pieces is not read.
    pub body: String,
    pub endpoint: Endpoint,
    /// For all of it: every attempt, and the waiting between them.
    pub timeout: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endpoint {
    /// `{base}/chat/completions`.
    Chat,
    /// `{base}/completions`.
    Text,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// At least one. Each is of the assistant and says something, to the byte, or calls tools; those that do neither are left out.
    pub choices: Vec<Message>,
    /// The body exactly as it came.
    pub raw: String,
    /// The model that answered, as the server names it.
    pub model: Option<String>,
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    /// From the last attempt to its last byte, without the attempts before it.
    pub latency: Duration,
}

/// How often and how soon a server is asked again, and how much it may say.
pub struct Policy<'a> {
    pub retries: u32,
    /// Before the first retry where the server names no delay; doubled with each.
    pub first_delay: Duration,
    /// The most to wait before a retry, whatever the server says.
    pub longest_delay: Duration,
    /// Bytes of an answer.
    pub largest: usize,
    /// Waits. Blocks, as all of this does.
    pub pause: &'a dyn Fn(Duration),
}

impl Default for Policy<'_> {
    /// Three retries outlast the short overloads of a server. Half a minute is as long as somebody in front of a terminal waits
    /// for nothing. 64 MiB is a hundred times the longest answer that a model gives.
    fn default() -> Self {
        Self {
            retries: 3,
            first_delay: Duration::from_millis(500),
            longest_delay: Duration::from_secs(30),
            largest: 64 << 20,
            pause: &std::thread::sleep,
        }
    }
}

/// Asks, and waits for the answer. From asynchronous code it is to be called on a thread where blocking is allowed.
pub fn complete(ask: &Ask) -> Result<Answer, ProviderError> {
    complete_with(ask, &Policy::default())
}

/// As [`complete`], with another policy.
pub fn complete_with(ask: &Ask, policy: &Policy) -> Result<Answer, ProviderError> {
    // Before all else: setting up TLS is part of the wait.
    let begun = Instant::now();
    let line = Line::open(ask, policy.largest)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| ProviderError::Client(error.to_string()))?;
    let result = persist(&line, &runtime, policy, || ask.timeout.saturating_sub(begun.elapsed()));
    // Does not wait for the lookup of a name, which nothing can interrupt.
    runtime.shutdown_background();
    result
}

/// Asks until there is an answer, an error that stays, or no time left.
fn persist(
    line: &Line,
    runtime: &tokio::runtime::Runtime,
    policy: &Policy,
    left: impl Fn() -> Duration,
) -> Result<Answer, ProviderError> {
    let mut tries = 0;
    loop {
        let asked = Instant::now();
        let failed = match runtime.block_on(line.send(left())) {
            Ok(raw) => return read::answer(raw, asked.elapsed(), line.key()),
            Err(failed) => failed,
        };
        let doubled = policy.first_delay.saturating_mul(2_u32.saturating_pow(tries));
        let delay = failed.delay.unwrap_or(doubled).min(policy.longest_delay);
        // A wait that outlasts the time would end in a worse error than the one at hand.
        if !failed.passing || tries >= policy.retries || delay >= left() {
            return Err(failed.error);
        }
        tries += 1;
        tracing::debug!(server = line.server(), retry = tries, delay_ms = delay.as_millis() as u64, "asking again");
        (policy.pause)(delay);
    }
}
