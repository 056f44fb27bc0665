//! From a request to what answers it.
//!
//! One guard before everything, then a short list of routes. The body of an operation is read here, as far as it may go, and checked
//! against the operation's own table of fields before anything is done.

use super::answer::{self, Wrong};
use super::calls::{self, Call};
use super::ending::Held;
use super::guard::Known;
use super::operations::{self, Run};
use super::pace::paced;
use super::{Served, assets, events, openapi};
use crate::mcp::{Mcp, Writes, http as mcp};
use crate::ops::OpError;
use crate::provider::Cancel;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue, SET_COOKIE};
use axum::http::{HeaderMap, Response, StatusCode};
use axum::middleware::{self, Next};
use axum::routing::{get, post};
use contexture_gather::Abandon;
use serde_json::Value;
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::mpsc;

/// A composition of a hundred thousand files, each named by hand, has half of it.
const BODY: usize = 16 << 20;
/// All conversations of some years in one file. More would be held three times before it is in the store.
const IMPORT: usize = 128 << 20;

pub fn router(served: Arc<Served>) -> Router {
    // Agents look and do not write here, as `contexture mcp` does without its flag.
    let agents = Mcp::new(served.door.clone(), Writes::Refused).until(&served.ending);
    Router::new()
        .route_service(mcp::PATH, mcp::service(&agents, served.guard.names()))
        .route("/", get(assets::front))
        .route("/{name}", get(assets::beside))
        .route("/assets/{*name}", get(assets::asset))
        .route("/openapi.json", get(async || answer::json(openapi::document())))
        .route("/api/events", get(events::stream))
        .route("/api/project", get(project))
        .route("/api/loom/import", post(import).layer(DefaultBodyLimit::max(IMPORT)))
        .route("/api/{*name}", post(operation))
        .fallback(async || answer::wrong(&Wrong::NotFound))
        .method_not_allowed_fallback(async || {
            answer::wrong(&Wrong::Status(StatusCode::METHOD_NOT_ALLOWED, "this route takes another method"))
        })
        .layer(DefaultBodyLimit::max(BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&served), guard))
        .with_state(served)
}

async fn guard(State(served): State<Arc<Served>>, request: Request, next: Next) -> Response<Body> {
    let known = served.guard.check(request.method(), request.uri(), request.headers());
    let response = match known {
        Ok(Known::Newcomer) => {
            let mut page = assets::welcome();
            if let Some(Ok(cookie)) = served.guard.cookie().as_deref().map(HeaderValue::from_str) {
                page.headers_mut().insert(SET_COOKIE, cookie);
            }
            page
        }
        Ok(Known::Program | Known::Browser) => next.run(paced(request, served.limits.body)).await,
        Err(refusal) if request.uri().path() == "/" => assets::stranger(refusal),
        Err(refusal) => answer::wrong(&Wrong::Refused(refusal)),
    };
    answer::guarded(response)
}

async fn project(State(served): State<Arc<Served>>) -> Response<Body> {
    answered(served, "project", Value::Object(serde_json::Map::new())).await
}

async fn operation(
    State(served): State<Arc<Served>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response<Body> {
    posted(served, &name, &headers, body, "the body is too large: 16 MiB at most").await
}

/// The one operation that takes a large body.
async fn import(
    State(served): State<Arc<Served>>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response<Body> {
    let told =
        "the file is too large for a browser, which may send 128 MiB; `contexture loom import FILE` takes it from disk";
    posted(served, "loom/import", &headers, body, told).await
}

async fn posted(
    served: Arc<Served>,
    name: &str,
    headers: &HeaderMap,
    body: Result<Bytes, BytesRejection>,
    too_large: &'static str,
) -> Response<Body> {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().map(str::trim).is_none_or(|kind| !kind.eq_ignore_ascii_case("application/json")) {
        let told = "the body is to be JSON, and to say so (`content-type: application/json`)";
        return answer::wrong(&Wrong::Status(StatusCode::UNSUPPORTED_MEDIA_TYPE, told));
    }
    let body = match body {
        Ok(body) => body,
        Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            return answer::wrong(&Wrong::Status(StatusCode::PAYLOAD_TOO_LARGE, too_large));
        }
        Err(_) => return answer::late(),
    };
    match serde_json::from_slice(&body) {
        Ok(body) => answered(served, name, body).await,
        Err(error) => answer::wrong(&Wrong::Op(OpError::usage(format!("the body is no JSON: {error}")))),
    }
}

async fn answered(served: Arc<Served>, name: &str, body: Value) -> Response<Body> {
    let Some(operation) = operations::find(name) else { return answer::wrong(&Wrong::NotFound) };
    if let Err(cause) = calls::check(operation, &body) {
        return answer::wrong(&Wrong::Op(cause));
    }
    let (run, is_looking) = match operation.run {
        Run::Answer(run) => (run, false),
        Run::Look(run) => (run, true),
        Run::Stream(run) => return streamed(served, run, body),
    };
    let held = served.ending.hold();
    let Ok(turn) = Arc::clone(&served.turns).acquire_owned().await else { return answer::wrong(&Wrong::NotFound) };
    let door = served.door();
    // Who goes away before the answer drops this future, and with it what holds the work to be wanted.
    let _abandon = is_looking.then(|| Abandon(Arc::clone(&door.progress)));
    let work = tokio::task::spawn_blocking(move || {
        let done = run(&Call { served: &served, door, body: &body });
        // The turn is the work's own: it ends with it, not with whoever waited.
        drop((turn, held));
        done
    });
    match work.await {
        Ok(Ok(value)) => answer::json(&value),
        Ok(Err(wrong)) => answer::wrong(&wrong),
        // A mistake of ours. It is not in the list of statuses: whoever checks that list is to stumble over it.
        Err(_) => answer::wrong(&Wrong::Status(StatusCode::INTERNAL_SERVER_ERROR, "the operation broke off")),
    }
}

/// Lines of JSON while they come. Whoever goes away stops the work, also while it has nothing to say.
fn streamed(served: Arc<Served>, run: operations::Streaming, body: Value) -> Response<Body> {
    let (sender, receiver) = mpsc::channel::<String>(64);
    let cancel = Cancel::new();
    let listener = Listener { receiver, cancel: cancel.clone(), _held: served.ending.hold() };
    let held = served.ending.hold();
    tokio::task::spawn_blocking(move || {
        let call = Call { served: &served, door: served.door(), body: &body };
        // One that cannot be told has gone, and has cancelled.
        let mut tell = |line: Value| drop(sender.blocking_send(format!("{line}\n")));
        if let Err(error) = run(&call, &mut tell, &cancel) {
            tell(crate::wire::error(&error));
        }
        drop(held);
    });
    let lines = futures_util::stream::unfold(listener, async |mut listener| {
        let line = listener.receiver.recv().await?;
        Some((Ok::<_, Infallible>(line), listener))
    });
    answer::typed(StatusCode::OK, "application/x-ndjson", Body::from_stream(lines))
}

/// Whoever listens to a stream.
struct Listener {
    receiver: mpsc::Receiver<String>,
    cancel: Cancel,
    /// The server ends when all was told.
    _held: Held,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
