//! How long a server wants to be left alone.
//!
//! Takes the headers and the body of a refusal; gives the wait it asks for, if any. The most exact word wins: milliseconds, then
//! seconds or a date, then the moments when limits are lifted, then what Google puts into the body. A date counts from the server's
//! own clock where it tells it.

use jiff::Timestamp;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;
use std::time::Duration;

pub(super) fn delay(status: u16, headers: &HeaderMap, body: &Value) -> Option<Duration> {
    let text = |name: &str| Some(headers.get(name)?.to_str().ok()?.trim());
    let now = text(DATE.as_str()).and_then(date).unwrap_or_else(Timestamp::now);
    let exact = text("retry-after-ms").and_then(|wish| seconds(wish.parse::<f64>().ok()? / 1000.0));
    exact
        .or_else(|| {
            let wish = text(RETRY_AFTER.as_str())?;
            number(wish).or_else(|| Some(until(date(wish)?, now)))
        })
        // With other answers the limits are told too, and are not the reason.
        .or_else(|| limit_reset(headers, now).filter(|_| status == 429))
        .or_else(|| retry_info(body))
}

/// The moment when all limits that are used up are lifted: `x-ratelimit-reset`, `x-ratelimit-reset-tokens`,
/// `anthropic-ratelimit-requests-reset` and their like. Those that have something left are no reason to wait.
fn limit_reset(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let waits = headers.iter().filter_map(|(name, value)| {
        let name = name.as_str();
        if !name.contains("ratelimit") || !name.contains("reset") {
            return None;
        }
        let left = headers.get(name.replace("reset", "remaining")).and_then(|left| left.to_str().ok());
        if left.and_then(|left| left.trim().parse::<f64>().ok()).is_some_and(|left| left > 0.0) {
            return None;
        }
        moment(value.to_str().ok()?.trim(), now)
    });
    waits.max()
}

/// A wait (`6m0s`, `20ms`, `7`), a date, or a moment as seconds or milliseconds since 1970.
fn moment(text: &str, now: Timestamp) -> Option<Duration> {
    // Seconds since 1970 have had ten digits since 2001, and no wait has.
    if let Ok(number) = text.parse::<f64>()
        && number >= 1e9
    {
        let milliseconds = if number >= 1e12 { number } else { number * 1000.0 };
        return Some(until(Timestamp::from_millisecond(milliseconds as i64).ok()?, now));
    }
    number(text).or_else(|| span(text)).or_else(|| Some(until(date(text)?, now)))
}

/// `google.rpc.RetryInfo` among the details of an error.
fn retry_info(body: &Value) -> Option<Duration> {
    let details = body.pointer("/error/details")?.as_array()?;
    let info = details.iter().find(|detail| {
        detail.get("@type").and_then(Value::as_str).is_some_and(|kind| kind.ends_with("google.rpc.RetryInfo"))
    })?;
    span(info.get("retryDelay")?.as_str()?)
}

fn number(text: &str) -> Option<Duration> {
    seconds(text.parse::<f64>().ok()?)
}

fn seconds(number: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(number).ok()
}

/// Numbers with units, the largest first: `1h2m3.5s`, `20ms`.
fn span(text: &str) -> Option<Duration> {
    let (mut rest, mut sum) = (text, 0.0);
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, tail) = rest.split_at(end);
        let number: f64 = number.parse().ok()?;
        let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("d", 86_400.0)];
        let (unit, length) = units.into_iter().find(|(unit, _)| tail.starts_with(unit))?;
        sum += number * length;
        rest = tail.strip_prefix(unit)?;
    }
    if text.is_empty() { None } else { seconds(sum) }
}

/// As mail writes it, or as Anthropic does.
fn date(text: &str) -> Option<Timestamp> {
    jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok().or_else(|| text.parse().ok())
}

/// A moment that has passed is no wait.
fn until(moment: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(moment.duration_since(now)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    fn of(headers: &[(&str, &str)], body: &str) -> Option<f64> {
        let mut map = HeaderMap::new();
        map.insert(DATE, HeaderValue::from_static("Wed, 21 Oct 2026 07:28:00 GMT"));
        for (name, value) in headers {
            let name: HeaderName = name.parse().unwrap();
            map.insert(name, HeaderValue::from_str(value).unwrap());
        }
        let body = serde_json::from_str(body).unwrap_or_default();
        delay(429, &map, &body).map(|delay| delay.as_secs_f64())
    }

    #[test]
    fn seconds_dates_and_milliseconds() {
        let after = |wish: &str| of(&[("retry-after", wish)], "");
        assert_eq!((after("7"), after(" 0.5 "), after("0"), after("-3")), (Some(7.0), Some(0.5), Some(0.0), None));
        assert_eq!(after("Wed, 21 Oct 2026 07:29:30 GMT"), Some(90.0));
        assert_eq!(after("Wed, 21 Oct 2020 07:28:00 GMT"), Some(0.0));
        assert_eq!(
            (after("soon"), after(""), after("inf"), after("1e300"), after("NaN")),
            (None, None, None, None, None)
        );
        assert_eq!(of(&[("retry-after", "7"), ("retry-after-ms", "1250")], ""), Some(1.25));
        assert_eq!(of(&[("retry-after", "7"), ("retry-after-ms", "x")], ""), Some(7.0));
        assert_eq!(delay(429, &HeaderMap::new(), &Value::Null), None);
    }

    #[test]
    fn limits_are_lifted_at_moments() {
        let reset = |wish: &str| of(&[("x-ratelimit-reset-tokens", wish)], "");
        assert_eq!(
            (reset("6m0s"), reset("1h2m3.5s"), reset("20ms"), reset("7")),
            (Some(360.0), Some(3723.5), Some(0.02), Some(7.0))
        );
        // 07:28:10 on that day.
        assert_eq!((reset("1792567690"), reset("1792567690500")), (Some(10.0), Some(10.5)));
        assert_eq!(of(&[("anthropic-ratelimit-tokens-reset", "2026-10-21T07:28:12Z")], ""), Some(12.0));
        for wrong in ["", "s", "5x", "1.2.3s", "9e9h", "m5", "99999999999999999999d9"] {
            assert_eq!(reset(wrong), None, "{wrong}");
        }
        // The one that is used up counts, and `retry-after` counts more.
        let both = [
            ("x-ratelimit-reset-requests", "1h"),
            ("x-ratelimit-remaining-requests", "9"),
            ("x-ratelimit-reset-tokens", "2s"),
            ("x-ratelimit-remaining-tokens", "0"),
        ];
        assert_eq!(of(&both, ""), Some(2.0));
        assert_eq!(of(&[both[0], ("x-ratelimit-reset", "3")], ""), Some(3600.0));
        assert_eq!(of(&[both[0], ("retry-after", "4")], ""), Some(4.0));
        let mut headers = HeaderMap::new();
        headers.insert("x-ratelimit-reset", HeaderValue::from_static("3"));
        assert_eq!(delay(500, &headers, &Value::Null), None);
    }

    #[test]
    fn google_tells_it_in_the_body() {
        let body = |delay: &str| {
            format!(
                r#"{{"error":{{"code":429,"details":[{{"@type":"type.googleapis.com/google.rpc.QuotaFailure"}},
                {{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":{delay}}}]}}}}"#
            )
        };
        assert_eq!(
            (of(&[], &body("\"34.5s\"")), of(&[], &body("\"-1s\"")), of(&[], &body("7"))),
            (Some(34.5), None, None)
        );
        assert_eq!(of(&[("retry-after", "2")], &body("\"34s\"")), Some(2.0));
    }
}
