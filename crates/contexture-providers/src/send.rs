//! One attempt: a request over HTTP, and the answer in its response.
//!
//! Takes a question; gives the answer, told in events while it comes, or why there is none and whether that may pass. Logs who is
//! asked and with what result, never a header, a path or a body.

use super::address::{Address, AnswerMode, address};
use super::body::streaming;
use super::delay::delay;
use super::draft::Finished;
use super::fault::{self, Failure};
use super::home;
use super::key::printable;
use super::read::AnswerReader;
use super::sse::{Frame, Sse, SseError};
use super::{Answer, Event, Key, ModelRequest, PartialAnswer, Policy, ProviderError};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, USER_AGENT};
use reqwest::{Client, Request, Response, Url};
use serde_json::Value;
use std::error::Error;
use std::io;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// A server on the other side of the world is reached in one second; ten allow for bad lines.
const CONNECT: Duration = Duration::from_secs(10);

/// What is read of an error, and for how long: messages are short, and the status says the most of it.
const COMPLAINT: usize = 64 << 10;
const COMPLAINT_TIME: Duration = Duration::from_secs(5);

/// How HTTP's library tells that a server closed the connection in place of an answer.
const CLOSED: &str = "connection closed before message completed";

/// What all attempts for one question have in common.
pub(super) struct Sender<'a> {
    client: Client,
    address: Address,
    request: Request,
    question: &'a ModelRequest<'a>,
    policy: &'a Policy<'a>,
    mode: AnswerMode,
}

/// What has come so far. It outlasts the attempt, which may be given up at any time.
pub(super) struct IncomingAnswer<'a> {
    reader: AnswerReader<'a>,
    raw: Vec<u8>,
    /// The server may have worked on it.
    is_accepted: bool,
    begun: Instant,
    first: Option<Duration>,
}

impl IncomingAnswer<'_> {
    /// The attempt is over.
    pub fn end(self, result: Result<(), Failure>) -> Result<Answer, (Failure, Option<Box<PartialAnswer>>)> {
        let (usage, latency) = (self.reader.draft.usage(), self.begun.elapsed());
        let raw = match &result {
            Err(Failure { error: ProviderError::TooLarge { .. }, .. }) => String::new(),
            _ => self.reader.draft.raw(&self.raw),
        };
        match result.and_then(|()| Ok(self.reader.finish()?)) {
            Ok(Finished { message, others, model, stop, usage }) => {
                Ok(Answer { message, others, raw, model, stop, usage, before: Vec::new(), latency, first: self.first })
            }
            Err(failed) => {
                let partial = self.is_accepted.then(|| Box::new(PartialAnswer { usage, raw }));
                Err((failed, partial))
            }
        }
    }
}

/// What can come as an answer.
enum BodyKind {
    Events,
    Json,
    /// By its media type.
    Else(String),
}

impl<'a> Sender<'a> {
    pub fn open(
        question: &'a ModelRequest<'a>,
        policy: &'a Policy<'a>,
        mode: AnswerMode,
    ) -> Result<Self, ProviderError> {
        let address = address(question, mode)?;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let accept = match mode {
            AnswerMode::Streamed => "text/event-stream",
            AnswerMode::Whole => "application/json",
        };
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        headers.insert(USER_AGENT, HeaderValue::from_static(concat!("contexture/", env!("CARGO_PKG_VERSION"))));
        let home = home(question.api);
        for (name, value) in home.headers {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        if let Some(key) = question.key {
            let (name, before) = match home.key_header {
                Some(name) => (HeaderName::from_static(name), ""),
                None => (AUTHORIZATION, "Bearer "),
            };
            headers.insert(name, key.header(before)?);
            if address.is_plain && !address.is_local {
                tracing::warn!(server = address.server, "the key is sent without encryption");
            }
        }
        let body = match mode {
            AnswerMode::Streamed => streaming(question.body, question.api)?,
            AnswerMode::Whole => question.body.to_owned(),
        };
        let failed = |error: reqwest::Error| ProviderError::Client(innermost(&error));
        let client = client(address.is_plain).map_err(failed)?;
        let request = client.post(address.url.clone()).headers(headers).body(body).build().map_err(failed)?;
        Ok(Self { client, address, request, question, policy, mode })
    }

    pub fn server(&self) -> &str {
        &self.address.server
    }

    /// For one attempt.
    pub fn incoming(&self) -> IncomingAnswer<'a> {
        IncomingAnswer {
            reader: AnswerReader::new(self.question.api, self.key()),
            raw: Vec::new(),
            is_accepted: false,
            begun: Instant::now(),
            first: None,
        }
    }

    /// The answer, however long it takes. Its events are handed out as they come.
    pub async fn attempt(&self, incoming: &mut IncomingAnswer<'_>, hand: &mut dyn FnMut(Event)) -> Result<(), Failure> {
        // The body is shared, not copied.
        let request = self.request.try_clone().ok_or(ProviderError::Request("it cannot be sent twice"))?;
        tracing::debug!(server = self.server(), bytes = self.question.body.len(), "asking");
        // Until the server says otherwise: who answers at once says nothing while it works.
        incoming.is_accepted = true;
        let sent = self.wait_for(self.client.execute(request), 0).await?;
        incoming.is_accepted = sent.as_ref().is_ok_and(|response| response.status().is_success());
        let response = sent.map_err(|error| self.connection_error(&error))?;
        let status = response.status().as_u16();
        tracing::debug!(server = self.server(), status, "answered");
        if !response.status().is_success() {
            return Err(self.read_refusal(response).await);
        }
        let limit = self.policy.largest;
        if response.content_length().is_some_and(|length| length > limit as u64) {
            return Err(ProviderError::TooLarge { limit }.into());
        }
        // An error may come inside of a success, and the delay with it before it.
        let wish = delay(status, response.headers(), &Value::Null);
        let read = match (self.mode, kind(&response)) {
            (AnswerMode::Streamed, BodyKind::Events) => self.events(response, incoming, hand).await,
            (AnswerMode::Streamed, BodyKind::Else(kind)) => Err(self.no_api(&kind, incoming)),
            // Servers that know no streams answer at once.
            (AnswerMode::Streamed, BodyKind::Json)
            | (AnswerMode::Whole, BodyKind::Events | BodyKind::Json | BodyKind::Else(_)) => {
                let read = self.whole(response, incoming).await;
                if read.is_ok() {
                    let events = incoming.reader.draft.events();
                    incoming.first = (self.mode == AnswerMode::Streamed).then(|| incoming.begun.elapsed());
                    events.into_iter().for_each(hand);
                }
                read
            }
        };
        read.map_err(|failed| Failure { delay: failed.delay.or(wish), ..failed })
    }

    pub fn timed_out(&self) -> Failure {
        ProviderError::TimedOut { server: self.address.server.clone(), after: self.question.timeout }.into()
    }

    /// A stream up to the end of its answer.
    async fn events(
        &self,
        mut response: Response,
        incoming: &mut IncomingAnswer<'_>,
        hand: &mut dyn FnMut(Event),
    ) -> Result<(), Failure> {
        let IncomingAnswer { reader, raw, begun, first, .. } = incoming;
        let mut frames = Vec::new();
        let mut sse = Sse::new(self.policy.largest_event);
        while !reader.draft.is_whole {
            let chunk = self.wait_for(response.chunk(), reader.draft.received).await?;
            let chunk = chunk.map_err(|_| self.cut_error(reader, raw))?;
            let is_end = chunk.is_none();
            let chunk = chunk.unwrap_or_default();
            let room = self.policy.largest - raw.len();
            if chunk.len() > room {
                return Err(ProviderError::TooLarge { limit: self.policy.largest }.into());
            }
            raw.extend_from_slice(&chunk);
            let fed = if is_end { sse.end(&mut frames) } else { sse.feed(&chunk, &mut frames) };
            match fed {
                Err(SseError::TooLarge) => {
                    return Err(ProviderError::TooLarge { limit: self.policy.largest_event }.into());
                }
                Err(SseError::NotUtf8) if !is_end => {
                    return Err(ProviderError::NotJson("it is not UTF-8".into()).into());
                }
                // At the end a character was cut off with the stream.
                Err(SseError::NotUtf8) | Ok(()) => {}
            }
            let read = self.read(reader, &mut frames, is_end);
            // What a server adds behind the end comes or does not, as the network has it.
            if let Ok(Some(end)) = read {
                raw.truncate(end);
            }
            if is_end || read.is_err() {
                reader.draft.release();
            }
            let events = reader.draft.events();
            if reader.draft.received > 0 {
                first.get_or_insert_with(|| begun.elapsed());
            }
            // What came before an error was said.
            events.into_iter().for_each(&mut *hand);
            read?;
            if is_end {
                reader.end();
                if !reader.draft.is_whole && is_object(raw) {
                    // Servers that know no streams answer at once, and not all of them name what they send.
                    reader.whole(&String::from_utf8_lossy(raw))?;
                    first.get_or_insert_with(|| begun.elapsed());
                }
                if !reader.draft.is_whole {
                    return Err(self.cut_error(reader, raw));
                }
            }
        }
        reader.draft.events().into_iter().for_each(hand);
        Ok(())
    }

    /// A stream that broke before anything of the answer came may do better: nobody has seen any of it.
    fn cut_error(&self, reader: &AnswerReader, raw: &[u8]) -> Failure {
        let received = reader.draft.received;
        let error = ProviderError::Cut { server: self.address.server.clone(), received };
        // A whole answer was computed: asking again would cost twice.
        Failure { error, passing: received == 0 && !is_object(raw), delay: None }
    }

    /// Reads what has come; gives where the answer ended, if it did.
    fn read(&self, reader: &mut AnswerReader, frames: &mut Vec<Frame>, is_end: bool) -> Result<Option<usize>, Failure> {
        for frame in frames.drain(..) {
            match reader.frame(&frame) {
                // The last one was cut off with the stream.
                Err(Failure { error: ProviderError::NotJson(_), .. }) if is_end => {}
                read => read?,
            }
            if reader.draft.is_whole {
                return Ok(Some(frame.end));
            }
        }
        Ok(None)
    }

    async fn whole(&self, response: Response, incoming: &mut IncomingAnswer<'_>) -> Result<(), Failure> {
        let kind = kind(&response);
        // What came before the connection broke is no answer, and it was computed: asking again would cost twice.
        let read = self.wait_for(beginning(response, self.policy.largest, &mut incoming.raw), 0).await?;
        if !read.map_err(|error| Failure { passing: false, ..self.connection_error(&error) })? {
            return Err(ProviderError::TooLarge { limit: self.policy.largest }.into());
        }
        let raw = str::from_utf8(&incoming.raw).map_err(|_| ProviderError::NotJson("it is not UTF-8".into()))?;
        match (incoming.reader.whole(raw), kind) {
            (Err(Failure { error: ProviderError::NotJson(_), .. }), BodyKind::Else(kind)) if !raw.trim().is_empty() => {
                Err(self.no_api(&kind, incoming))
            }
            (read, _) => read,
        }
    }

    /// A page for browsers, or the like: no model has worked for it.
    fn no_api(&self, kind: &str, incoming: &mut IncomingAnswer<'_>) -> Failure {
        incoming.is_accepted = false;
        ProviderError::NotApi(printable(kind, self.key())).into()
    }

    /// Waits for something to come, as long as a server may say nothing. Who answers at once says nothing until then.
    async fn wait_for<T>(&self, something: impl Future<Output = T>, received: usize) -> Result<T, Failure> {
        match self.mode {
            AnswerMode::Whole => Ok(something.await),
            AnswerMode::Streamed => timeout(self.policy.silence, something).await.map_err(|_| {
                let server = self.address.server.clone();
                ProviderError::Silent { server, after: self.policy.silence, received }.into()
            }),
        }
    }

    /// What a status other than success means.
    async fn read_refusal(&self, response: Response) -> Failure {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let location = headers.get(LOCATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut body = Vec::new();
        let read = timeout(COMPLAINT_TIME, beginning(response, COMPLAINT, &mut body)).await;
        // An error whose text does not come is still that error.
        if !matches!(read, Ok(Ok(_))) {
            body.clear();
        }
        if matches!(status, 300..=399) {
            let to = self.address.url.join(location).ok().filter(|_| !location.is_empty()).map(bare);
            return ProviderError::Redirected { status, to: printable(&to.unwrap_or_default(), self.key()) }.into();
        }
        fault::of_status(status, &headers, &String::from_utf8_lossy(&body), self.key())
    }

    /// An error of the connection. It may pass where the server hung up.
    fn connection_error(&self, error: &reqwest::Error) -> Failure {
        let server = self.address.server.clone();
        let cause = printable(&innermost(error), self.key());
        let passing = hung_up(error);
        let error = if error.is_connect() {
            ProviderError::Connect { server, cause }
        } else {
            ProviderError::Broken { server, cause }
        };
        Failure { error, passing, delay: None }
    }

    fn key(&self) -> Option<&'a Key> {
        self.question.key
    }
}

/// By the content type. Without one, or with the one of plain text, it may be what was asked for.
fn kind(response: &Response) -> BodyKind {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match &*kind {
        "" | "text/event-stream" | "text/plain" | "application/octet-stream" => BodyKind::Events,
        "application/json" => BodyKind::Json,
        _ => BodyKind::Else(kind),
    }
}

/// Whether a body begins as a whole answer does, and no stream.
fn is_object(raw: &[u8]) -> bool {
    let raw = raw.strip_prefix("\u{feff}".as_bytes()).unwrap_or(raw);
    raw.trim_ascii_start().starts_with(b"{")
}

/// No connection is kept, so one client does for all threads and their runtimes; reading the certificates takes it long to begin.
fn client(is_plain: bool) -> Result<Client, reqwest::Error> {
    static PLAIN: OnceLock<Client> = OnceLock::new();
    static SECURE: OnceLock<Client> = OnceLock::new();
    let place = if is_plain { &PLAIN } else { &SECURE };
    if let Some(client) = place.get() {
        return Ok(client.clone());
    }
    // Tells TLS which cryptography to use; it fails only where somebody has told it before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        // The key is for one server, and no other may send it on.
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT)
        // A connection that the server has closed meanwhile would fail the next attempt.
        .pool_max_idle_per_host(0);
    // Through a proxy, only what it cannot read. Without TLS no certificates are needed either; a container often has none.
    let builder = if is_plain { builder.no_proxy().tls_certs_only([]) } else { builder };
    let client = builder.build()?;
    Ok(place.get_or_init(|| client).clone())
}

/// Reads the body up to a number of bytes; gives whether that is all of it.
async fn beginning(mut response: Response, most: usize, body: &mut Vec<u8>) -> Result<bool, reqwest::Error> {
    while let Some(chunk) = response.chunk().await? {
        let room = chunk.len().min(most - body.len());
        body.extend_from_slice(chunk.get(..room).unwrap_or_default());
        if room < chunk.len() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// An address without what may be secret in it.
fn bare(mut url: Url) -> String {
    url.set_query(None);
    url.set_fragment(None);
    // These fail for addresses that cannot have them.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

/// Whether the connection was closed or reset. Before the head of a response that is no answer at all.
fn hung_up(error: &reqwest::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    causes(error).any(|cause| {
        let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        matches!(kind, Some(BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof))
            || cause.to_string() == CLOSED
    })
}

/// The last cause, which says what happened. The first would tell the address.
fn innermost(error: &reqwest::Error) -> String {
    causes(error).last().map_or_else(|| "the request failed".into(), ToString::to_string)
}

fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |&cause| cause.source())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lose_what_may_be_secret() {
        let url = Url::parse("https://name:word@host:8/v1/x?key=word#word").unwrap();
        assert_eq!(bare(url), "https://host:8/v1/x");
    }
}
