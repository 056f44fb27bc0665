//! The panel: its files as they were built into this program, or a page that says how to build them.

use super::answer::{self, Wrong};
use super::guard::Refusal;
use axum::body::Body;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::header::{CACHE_CONTROL, HeaderValue, LOCATION};
use axum::http::{Response, StatusCode};

// `FILES`: names, types and bytes, sorted by name. Empty where the panel was not built.
include!(concat!(env!("OUT_DIR"), "/panel.rs"));

/// A name that is no text is the name of nothing.
type Name = Result<Path<String>, PathRejection>;

const HTML: &str = "text/html; charset=utf-8";

pub async fn front() -> Response<Body> {
    match file("index.html") {
        Some((kind, bytes)) => answer::typed(StatusCode::OK, kind, Body::from(bytes)),
        None => page(
            StatusCode::OK,
            "The panel is not part of this program",
            "It was built where npm was missing. Install Node.js with npm, then build again: cargo build --release. Everything else works: GET /openapi.json lists the operations.",
        ),
    }
}

/// Names of these files have a hash of their content in them.
pub async fn asset(name: Name) -> Response<Body> {
    let Some((kind, bytes)) = name.ok().and_then(|Path(name)| file(&format!("assets/{name}"))) else {
        return answer::wrong(&Wrong::NotFound);
    };
    let mut response = answer::typed(StatusCode::OK, kind, Body::from(bytes));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable"));
    response
}

/// What stands beside the front page, such as its icon.
pub async fn beside(name: Name) -> Response<Body> {
    match name.ok().and_then(|Path(name)| file(&name)) {
        Some((kind, bytes)) => answer::typed(StatusCode::OK, kind, Body::from(bytes)),
        None => answer::wrong(&Wrong::NotFound),
    }
}

/// For a browser that was just given its cookie: the address without the token, which then stands in no history.
pub fn welcome() -> Response<Body> {
    let mut response = answer::typed(StatusCode::SEE_OTHER, HTML, Body::empty());
    response.headers_mut().insert(LOCATION, HeaderValue::from_static("/"));
    response
}

/// For somebody who is not let in and may be a person.
pub fn stranger(refusal: Refusal) -> Response<Body> {
    let (what, hint) = refusal.told();
    let status = if refusal == Refusal::Token { StatusCode::UNAUTHORIZED } else { StatusCode::FORBIDDEN };
    page(status, what, hint)
}

fn page(status: StatusCode, title: &str, text: &str) -> Response<Body> {
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Contexture</title><h1>{title}</h1><p>{text}</p></html>\n"
    );
    answer::typed(status, HTML, page.into())
}

fn file(name: &str) -> Option<(&'static str, &'static [u8])> {
    let at = FILES.binary_search_by(|(known, ..)| (*known).cmp(name)).ok()?;
    FILES.get(at).map(|(_, kind, bytes)| (*kind, *bytes))
}
