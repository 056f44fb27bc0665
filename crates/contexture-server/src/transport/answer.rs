//! Answers: JSON with the status that its kind has, and the headers that every answer bears.

use super::guard::Refusal;
use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY,
    WWW_AUTHENTICATE,
};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse;
use contexture::answers::{ErrorAnswer, to_value, versioned};
use contexture::ops::{ErrorKind, OpError};
use serde_json::Value;

/// Scripts, styles and connections of our own alone; nothing may frame us, and no text becomes markup.
pub const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html";

/// Why there is no answer of an operation.
pub enum HttpError {
    Op(OpError),
    /// The workbench that was named is not there any more.
    Gone,
    Refused(Refusal),
    NotFound,
    Status(StatusCode, &'static str),
}

impl From<OpError> for HttpError {
    fn from(error: OpError) -> Self {
        Self::Op(error)
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response<Body> {
        error_response(&self)
    }
}

pub fn json(value: &Value) -> Response<Body> {
    typed(StatusCode::OK, "application/json", value.to_string().into())
}

pub fn typed(status: StatusCode, kind: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

pub fn error_response(wrong: &HttpError) -> Response<Body> {
    let error_body = |kind: &str, message: &str, hints: &[&str]| {
        let hints = hints.iter().map(|hint| (*hint).to_owned()).collect();
        ErrorAnswer::of_door(ErrorKind::Usage, kind, message, hints)
    };
    let (status, answer) = match wrong {
        HttpError::Op(error) => (status(error.kind()), ErrorAnswer::from(error)),
        HttpError::Gone => (
            StatusCode::CONFLICT,
            error_body("gone", "the workbench is not there any more", &["`compose` makes a new one"]),
        ),
        HttpError::Refused(refusal) => {
            let (message, hint) = refusal.message();
            let status = if *refusal == Refusal::Token { StatusCode::UNAUTHORIZED } else { StatusCode::FORBIDDEN };
            (status, error_body("refused", message, &[hint]))
        }
        HttpError::NotFound => (
            StatusCode::NOT_FOUND,
            error_body("not_found", "there is nothing here", &["`GET /openapi.json` lists what there is"]),
        ),
        HttpError::Status(status, message) => (*status, error_body("usage", message, &[])),
    };
    typed(status, "application/json", to_value(versioned(answer)).to_string().into())
}

/// To a body that stopped on its way. What is left of it is not waited for.
pub fn body_timeout_response() -> Response<Body> {
    let error_body = "the body stopped on its way";
    let mut response = error_response(&HttpError::Status(StatusCode::REQUEST_TIMEOUT, error_body));
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

fn status(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::Usage => StatusCode::BAD_REQUEST,
        ErrorKind::Conflict => StatusCode::CONFLICT,
        ErrorKind::Blocked => StatusCode::FORBIDDEN,
        ErrorKind::Provider => StatusCode::FAILED_DEPENDENCY,
        ErrorKind::Failed
        | ErrorKind::OverBudget
        | ErrorKind::Unreadable
        | ErrorKind::Verification
        | ErrorKind::Interrupted => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

/// What every answer bears, whatever it is.
pub fn guarded(mut response: Response<Body>) -> Response<Body> {
    let is_unknown = response.status() == StatusCode::UNAUTHORIZED;
    let headers = response.headers_mut();
    let mut put = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    put(CONTENT_SECURITY_POLICY, CONTENT_POLICY);
    put(CACHE_CONTROL, "no-store");
    put(REFERRER_POLICY, "no-referrer");
    if is_unknown {
        put(WWW_AUTHENTICATE, "Bearer");
    }
    put(HeaderName::from_static("x-content-type-options"), "nosniff");
    put(HeaderName::from_static("x-frame-options"), "DENY");
    put(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    put(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    response
}
