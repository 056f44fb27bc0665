//! The panel: its files as they were built into this program, or a page that says how to build them.

use crate::transport::answer::{self, HttpError};
use crate::transport::guard::Refusal;
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
pub async fn asset(name: Name) -> Result<Response<Body>, HttpError> {
    let found = name.ok().and_then(|Path(name)| file(&format!("assets/{name}")));
    let (kind, bytes) = found.ok_or(HttpError::NotFound)?;
    let mut response = answer::typed(StatusCode::OK, kind, Body::from(bytes));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable"));
    Ok(response)
}

/// What stands beside the front page, such as its icon.
pub async fn beside(name: Name) -> Result<Response<Body>, HttpError> {
    let (kind, bytes) = name.ok().and_then(|Path(name)| file(&name)).ok_or(HttpError::NotFound)?;
    Ok(answer::typed(StatusCode::OK, kind, Body::from(bytes)))
}

/// For a browser that was just given its cookie: the address without the token, which then stands in no history.
pub fn welcome() -> Response<Body> {
    let mut response = answer::typed(StatusCode::SEE_OTHER, HTML, Body::empty());
    response.headers_mut().insert(LOCATION, HeaderValue::from_static("/"));
    response
}

/// The same for a browser that was sent here by another site: it would not send the new cookie along a redirect, but does so from a page
/// of our own. A refresh without delay takes the place of this page in the history.
pub fn arrival() -> Response<Body> {
    let page = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0;url=/\">\
                <title>Contexture</title><p><a href=\"/\">Open the panel</a></p></html>\n";
    answer::typed(StatusCode::OK, HTML, page.into())
}

/// For somebody who is not let in and may be a person.
pub fn stranger(refusal: Refusal) -> Response<Body> {
    let (what, hint) = refusal.message();
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
