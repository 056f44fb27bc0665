//! Answers: JSON with the status that its kind has, and the headers that every answer bears.

use super::guard::Refusal;
use crate::ops::{Kind, OpError};
use crate::wire;
use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY,
    WWW_AUTHENTICATE,
};
use axum::http::{Response, StatusCode};
use serde_json::{Value, json};

/// Scripts, styles and connections of our own alone; nothing may frame us, and no text becomes markup.
pub const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html";

/// Why there is no answer of an operation.
pub enum Wrong {
    Op(OpError),
    /// The bench that was named is not there any more.
    Gone,
    Refused(Refusal),
    NotFound,
    Status(StatusCode, &'static str),
}

impl From<OpError> for Wrong {
    fn from(error: OpError) -> Self {
        Self::Op(error)
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

pub fn wrong(wrong: &Wrong) -> Response<Body> {
    let told = |kind: &str, message: &str, hints: &[&str]| json!({"v": 1, "error": {"code": 2, "kind": kind, "message": message, "hints": hints}});
    let (status, value) = match wrong {
        Wrong::Op(error) => (status(error.kind()), wire::error(error)),
        Wrong::Gone => {
            (StatusCode::CONFLICT, told("gone", "the bench is not there any more", &["`compose` makes a new one"]))
        }
        Wrong::Refused(refusal) => {
            let (message, hint) = refusal.told();
            let status = if *refusal == Refusal::Token { StatusCode::UNAUTHORIZED } else { StatusCode::FORBIDDEN };
            (status, told("refused", message, &[hint]))
        }
        Wrong::NotFound => (
            StatusCode::NOT_FOUND,
            told("not_found", "there is nothing here", &["`GET /openapi.json` lists what there is"]),
        ),
        Wrong::Status(status, message) => (*status, told("usage", message, &[])),
    };
    typed(status, "application/json", value.to_string().into())
}

/// To a body that stopped on its way. What is left of it is not waited for.
pub fn late() -> Response<Body> {
    let told = "the body stopped on its way";
    let mut response = wrong(&Wrong::Status(StatusCode::REQUEST_TIMEOUT, told));
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

fn status(kind: Kind) -> StatusCode {
    match kind {
        Kind::Usage => StatusCode::BAD_REQUEST,
        Kind::Conflict => StatusCode::CONFLICT,
        Kind::Blocked => StatusCode::FORBIDDEN,
        Kind::Provider => StatusCode::FAILED_DEPENDENCY,
        Kind::Failed | Kind::OverBudget | Kind::Unreadable | Kind::Verification | Kind::Interrupted => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
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
