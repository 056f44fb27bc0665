//! One attempt: a request over HTTP, and the body of its response.
//!
//! Takes a question and the time that is left; gives the whole body, or why there is none and whether that may pass. Logs who is
//! asked and with what result, never a header, a path or a body.

use super::address::{Address, address};
use super::key::shown;
use super::{Ask, Key, ProviderError, read};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, DATE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::header::{RETRY_AFTER, USER_AGENT};
use reqwest::{Client, Response, Url};
use std::error::Error;
use std::io;
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
pub(super) struct Line<'a> {
    client: Client,
    address: Address,
    headers: HeaderMap,
    ask: &'a Ask<'a>,
    largest: usize,
}

/// An attempt that gave no body.
pub(super) struct Failed {
    pub error: ProviderError,
    /// The same request may do better soon.
    pub passing: bool,
    /// The server's wish.
    pub delay: Option<Duration>,
}

impl<'a> Line<'a> {
    pub fn open(ask: &'a Ask<'a>, largest: usize) -> Result<Self, ProviderError> {
        let address = address(ask.base_url, ask.endpoint)?;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        headers.insert(USER_AGENT, HeaderValue::from_static(concat!("contexture/", env!("CARGO_PKG_VERSION"))));
        if let Some(key) = ask.key {
            headers.insert(AUTHORIZATION, key.header()?);
            if address.is_plain && !address.is_local {
                tracing::warn!(server = address.server, "the key is sent without encryption");
            }
        }
        let client = client(address.is_plain).map_err(|error| ProviderError::Client(innermost(&error)))?;
        Ok(Self { client, address, headers, ask, largest })
    }

    pub fn key(&self) -> Option<&Key> {
        self.ask.key
    }

    pub fn server(&self) -> &str {
        &self.address.server
    }

    /// The body of the response, in the time that is left.
    pub async fn send(&self, left: Duration) -> Result<String, Failed> {
        let begun = Instant::now();
        let request = self.client.post(self.address.url.clone()).headers(self.headers.clone());
        tracing::debug!(server = self.server(), bytes = self.ask.body.len(), "asking");
        let sent = timeout(left, request.body(self.ask.body.clone()).send()).await;
        let response = sent.map_err(|_| self.timed_out())?.map_err(|error| self.broken(error))?;
        let status = response.status().as_u16();
        tracing::debug!(server = self.server(), status, "answered");
        let left = left.saturating_sub(begun.elapsed());
        if !response.status().is_success() {
            return Err(self.refused(response, left).await);
        }
        let too_large = || lasting(ProviderError::TooLarge { limit: self.largest });
        if response.content_length().is_some_and(|length| length > self.largest as u64) {
            return Err(too_large());
        }
        // What came before the connection broke is no answer, and it was computed: asking again would cost twice.
        let read = timeout(left, beginning(response, self.largest)).await.map_err(|_| self.timed_out())?;
        let (body, is_whole) = read.map_err(|error| Failed { passing: false, ..self.broken(error) })?;
        if !is_whole {
            return Err(too_large());
        }
        String::from_utf8(body).map_err(|_| lasting(ProviderError::NotJson("it is not UTF-8".into())))
    }

    /// What a status other than success means.
    async fn refused(&self, response: Response, left: Duration) -> Failed {
        let status = response.status().as_u16();
        let delay = delay(response.headers());
        let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let to = self.address.url.join(location).ok().filter(|_| !location.is_empty()).map(bare).unwrap_or_default();
        let body = timeout(left.min(COMPLAINT_TIME), beginning(response, COMPLAINT)).await;
        let body = body.ok().and_then(Result::ok).unwrap_or_default().0;
        let message = read::complaint(&String::from_utf8_lossy(&body), self.key());
        let error = match status {
            300..=399 => ProviderError::Redirected { status, to: shown(&to, self.key()) },
            401 | 403 => ProviderError::KeyRejected { status, message },
            429 => ProviderError::TooManyRequests { delay, message },
            500.. => ProviderError::Server { status, message },
            _ => ProviderError::Refused { status, message },
        };
        Failed { error, passing: matches!(status, 429 | 500 | 502 | 503 | 529), delay }
    }

    fn timed_out(&self) -> Failed {
        lasting(ProviderError::TimedOut { server: self.address.server.clone(), after: self.ask.timeout })
    }

    /// An error of the connection. It may pass where the server hung up.
    fn broken(&self, error: reqwest::Error) -> Failed {
        let server = self.address.server.clone();
        let cause = shown(&innermost(&error), self.key());
        let passing = hung_up(&error);
        let error = if error.is_connect() {
            ProviderError::Connect { server, cause }
        } else {
            ProviderError::Broken { server, cause }
        };
        Failed { error, passing, delay: None }
    }
}

fn lasting(error: ProviderError) -> Failed {
    Failed { error, passing: false, delay: None }
}

fn client(is_plain: bool) -> Result<Client, reqwest::Error> {
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
    builder.build()
}

/// The body up to a number of bytes, and whether that is all of it.
async fn beginning(mut response: Response, most: usize) -> Result<(Vec<u8>, bool), reqwest::Error> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        let room = chunk.len().min(most - body.len());
        body.extend_from_slice(chunk.get(..room).unwrap_or_default());
        if room < chunk.len() {
            return Ok((body, false));
        }
    }
    Ok((body, true))
}

/// How long the server wants to be left alone: seconds, or a date. A date counts from the server's own clock, if it tells it.
fn delay(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: HeaderName| headers.get(name)?.to_str().ok();
    let wish = text(RETRY_AFTER)?.trim();
    if let Ok(seconds) = wish.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let parse = |date: &str| jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(date.trim()).ok();
    let now = text(DATE).and_then(parse).unwrap_or_else(jiff::Timestamp::now);
    // A moment that has passed is no wait.
    Some(Duration::try_from(parse(wish)?.duration_since(now)).unwrap_or_default())
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
    fn servers_name_delays_in_seconds_or_dates() {
        let of = |wish: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(DATE, HeaderValue::from_static("Wed, 21 Oct 2026 07:28:00 GMT"));
            headers.insert(RETRY_AFTER, HeaderValue::from_str(wish).unwrap());
            delay(&headers).map(|delay| delay.as_secs_f64())
        };
        assert_eq!((of("7"), of(" 0.5 "), of("0"), of("-3")), (Some(7.0), Some(0.5), Some(0.0), None));
        assert_eq!(of("Wed, 21 Oct 2026 07:29:30 GMT"), Some(90.0));
        assert_eq!(of("Wed, 21 Oct 2020 07:28:00 GMT"), Some(0.0));
        assert_eq!((of("soon"), of(""), of("inf"), of("1e300"), of("NaN")), (None, None, None, None, None));
        assert_eq!(delay(&HeaderMap::new()), None);
    }

    #[test]
    fn addresses_lose_what_may_be_secret() {
        let url = Url::parse("https://name:word@host:8/v1/x?key=word#word").unwrap();
        assert_eq!(bare(url), "https://host:8/v1/x");
    }
}
