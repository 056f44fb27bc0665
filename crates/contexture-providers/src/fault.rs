//! What the errors of servers mean.
//!
//! Takes a status, or an error in the middle of an answer; gives the error, whether the same request may do better soon, and when.

use super::delay::delay;
use super::key::printable;
use super::{Key, ProviderError};
use reqwest::header::HeaderMap;
use serde_json::Value;
use std::time::Duration;

/// An attempt that gave no answer.
#[derive(Debug)]
pub(super) struct Failure {
    pub error: ProviderError,
    /// The same request may do better soon.
    pub passing: bool,
    /// The server's wish.
    pub delay: Option<Duration>,
}

impl From<ProviderError> for Failure {
    /// For errors that stay.
    fn from(error: ProviderError) -> Self {
        Self { error, passing: false, delay: None }
    }
}

/// What a status other than success means.
pub(super) fn of_status(status: u16, headers: &HeaderMap, body: &str, key: Option<&Key>) -> Failure {
    let value: Value = serde_json::from_str(without_bom(body).trim()).unwrap_or_default();
    // Google answers with a list where a stream was asked for.
    let value = value.get(0).unwrap_or(&value);
    let error = value.get("error").unwrap_or(value);
    let mut failed = failure(status, error, delay(status, headers, value), complaint(body, key));
    match headers.get("x-should-retry").map(|value| value.as_bytes()) {
        Some(b"true") => failed.passing = true,
        Some(b"false") => failed.passing = false,
        Some(_) | None => {}
    }
    failed
}

/// What an error inside of an answer means: an event of a stream, or a body that came with success.
pub(super) fn of_answer(error: &Value, key: Option<&Key>) -> Failure {
    let status = status_of(error);
    let wish = delay(status, &HeaderMap::new(), &serde_json::json!({ "error": error }));
    failure(status, error, wish, printable(&message_of(error), key))
}

/// What the body of an error says, as it may be shown. Pages for browsers say nothing that the status does not.
pub(super) fn complaint(body: &str, key: Option<&Key>) -> String {
    let body = without_bom(body).trim();
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    let value = value.get(0).unwrap_or(&value);
    if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
        return printable(&message_of(error), key);
    }
    let named = value.get("message").or(value.get("detail")).and_then(Value::as_str);
    printable(named.unwrap_or(if body.starts_with('<') { "" } else { body }), key)
}

/// Without the mark that some programs of Windows put before UTF-8.
pub(super) fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn failure(status: u16, error: &Value, delay: Option<Duration>, message: String) -> Failure {
    let error = match status {
        401 | 403 => ProviderError::KeyRejected { status, message },
        // Google says so.
        400 if says(error, &["API_KEY_INVALID"]) => ProviderError::KeyRejected { status, message },
        402 => ProviderError::Spent { status, message },
        429 if says(error, &["insufficient_quota", "billing_not_active"]) => ProviderError::Spent { status, message },
        429 => ProviderError::TooManyRequests { delay, message },
        500.. => ProviderError::Server { status, message },
        _ => ProviderError::Refused { status, message },
    };
    let passing = matches!(status, 408 | 429 | 500 | 502 | 503 | 504 | 529);
    let is_spent = matches!(error, ProviderError::Spent { .. });
    Failure { error, passing: passing && !is_spent, delay }
}

/// The status that an error in an answer would have had by itself. 200 where nobody knows.
fn status_of(error: &Value) -> u16 {
    let number = error.get("code").or(error.get("status")).and_then(Value::as_u64);
    if let Some(status) = number.and_then(|number| u16::try_from(number).ok()).filter(|number| *number >= 400) {
        return status;
    }
    let words: [(&[&str], u16); 10] = [
        (&["overloaded_error"], 529),
        (&["rate_limit_error", "rate_limit_exceeded", "RESOURCE_EXHAUSTED", "insufficient_quota"], 429),
        (&["authentication_error", "invalid_api_key", "UNAUTHENTICATED"], 401),
        (&["permission_error", "PERMISSION_DENIED"], 403),
        (&["billing_error"], 402),
        (&["not_found_error", "model_not_found", "NOT_FOUND"], 404),
        (&["request_too_large"], 413),
        (&["timeout_error", "DEADLINE_EXCEEDED"], 504),
        (&["UNAVAILABLE", "engine_overloaded"], 503),
        (&["api_error", "server_error", "INTERNAL"], 500),
    ];
    words.into_iter().find(|(words, _)| says(error, words)).map_or(200, |(_, status)| status)
}

/// Whether a field that names the kind of an error has one of the words.
fn says(error: &Value, words: &[&str]) -> bool {
    let fields = ["type", "code", "status"].into_iter().filter_map(|name| error.get(name));
    let details = error.get("details").and_then(Value::as_array).into_iter().flatten();
    let reasons = details.filter_map(|detail| detail.get("reason"));
    fields.chain(reasons).filter_map(Value::as_str).any(|word| words.contains(&word))
}

fn message_of(error: &Value) -> String {
    let text = error.get("message").filter(|message| !message.is_null()).unwrap_or(error);
    text.as_str().map_or_else(|| text.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn complaints_come_in_forms() {
        let forms = [
            (r#"{"error":{"message":"a"}}"#, "a"),
            (r#"[{"error":{"message":"a","code":429}}]"#, "a"),
            (r#"{"error":"a"}"#, "a"),
            (r#"{"type":"error","error":{"type":"x","message":"a\nb"}}"#, "a b"),
            (r#"{"object":"error","message":"a"}"#, "a"),
            (r#"{"detail":"a"}"#, "a"),
            (r#"{"detail":[1]}"#, r#"{"detail":[1]}"#),
            ("\u{feff}a\nb", "a b"),
            ("<html>a</html>", ""),
            ("", ""),
        ];
        for (body, wanted) in forms {
            assert_eq!(complaint(body, None), wanted, "{body}");
        }
    }

    #[test]
    fn errors_in_answers_are_those_of_a_status() {
        let of = |error: Value| {
            let failed = of_answer(&error, None);
            (failed.error.to_string(), failed.passing)
        };
        let told = |text: &str, passing| (text.to_owned(), passing);
        let overloaded = json!({"type": "overloaded_error", "message": "Overloaded"});
        assert_eq!(of(overloaded), told("the server failed (529): Overloaded", true));
        assert_eq!(of(json!({"code": 503, "message": "m"})), told("the server failed (503): m", true));
        assert_eq!(of(json!({"status": "UNAVAILABLE", "message": "m"})), told("the server failed (503): m", true));
        assert_eq!(of(json!({"code": "rate_limit_exceeded", "message": "m"})), told("too many requests: m", true));
        assert_eq!(
            of(json!({"code": "insufficient_quota", "message": "m"})),
            told("the account has nothing left (429): m", false)
        );
        assert_eq!(
            of(json!({"type": "authentication_error"})).0,
            r#"the server rejects the key (401): {"type":"authentication_error"}"#
        );
        assert_eq!(of(json!("why not")), told("the server refuses the request (200): why not", false));
        assert_eq!(of(json!({"code": 7, "message": 8})), told("the server refuses the request (200): 8", false));
    }

    #[test]
    fn servers_say_whether_to_come_back() {
        let of = |status, wish: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.extend(wish.map(|wish| {
                let value = reqwest::header::HeaderValue::from_static(wish);
                (reqwest::header::HeaderName::from_static("x-should-retry"), value)
            }));
            of_status(status, &headers, "", None).passing
        };
        for status in [408, 429, 500, 502, 503, 504, 529] {
            assert!(of(status, None) && !of(status, Some("false")) && of(status, Some("maybe")), "{status}");
        }
        for status in [400, 401, 403, 404, 409, 413, 422, 501, 505, 599] {
            assert!(!of(status, None) && of(status, Some("true")), "{status}");
        }
    }

    #[test]
    fn google_rejects_keys_with_another_status() {
        let body = r#"{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT",
            "details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}"#;
        let failed = of_status(400, &HeaderMap::new(), body, None);
        assert_eq!(failed.error.to_string(), "the server rejects the key (400): API key not valid.");
    }
}
