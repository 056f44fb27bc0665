//! From a request to what answers it.
//!
//! One guard before everything, then a short list of routes. The body of an operation is read here, as far as it may go, and checked
//! against the operation's own table of fields before anything is done.

use super::operations::{self, Handler};
use super::{Call, Served, assets, events, openapi};
use crate::mcp::{Mcp, Writes, http as mcp};
use crate::transport::answer::{self, HttpError};
use crate::transport::body_timeout::timed;
use crate::transport::guard::{ClientKind, is_of_this_site};
use crate::transport::shutdown::ShutdownHold;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue, SET_COOKIE};
use axum::http::{HeaderMap, Response, StatusCode};
use axum::middleware::{self, Next};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use contexture::answers::{ErrorAnswer, to_value, versioned};
use contexture::ops::OpError;
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
    let agents = Mcp::new(served.door.clone(), Writes::Refused).until(&served.shutdown);
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
        .fallback(async || HttpError::NotFound)
        .method_not_allowed_fallback(async || {
            HttpError::Status(StatusCode::METHOD_NOT_ALLOWED, "this route takes another method")
        })
        .layer(DefaultBodyLimit::max(BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&served), guard))
        .with_state(served)
}

async fn guard(State(served): State<Arc<Served>>, request: Request, next: Next) -> Response<Body> {
    let known = served.guard.check(request.method(), request.uri(), request.headers());
    let response = match known {
        Ok(ClientKind::Newcomer) => {
            let mut page = if is_of_this_site(request.headers()) { assets::welcome() } else { assets::arrival() };
            if let Some(Ok(cookie)) = served.guard.cookie().as_deref().map(HeaderValue::from_str) {
                page.headers_mut().insert(SET_COOKIE, cookie);
            }
            page
        }
        Ok(ClientKind::Program | ClientKind::Browser) => next.run(timed(request, served.limits.body)).await,
        Err(refusal) if request.uri().path() == "/" => assets::stranger(refusal),
        Err(refusal) => HttpError::Refused(refusal).into_response(),
    };
    answer::guarded(response)
}

/// What answers a call, or why nothing does.
type Answered = Result<Response<Body>, HttpError>;

async fn project(State(served): State<Arc<Served>>) -> Answered {
    answered(served, "project", Value::Object(serde_json::Map::new())).await
}

async fn operation(
    State(served): State<Arc<Served>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Answered {
    posted(served, &name, &headers, body, "the body is too large: 16 MiB at most").await
}

/// The one operation that takes a large body.
async fn import(
    State(served): State<Arc<Served>>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Answered {
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
) -> Answered {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().map(str::trim).is_none_or(|kind| !kind.eq_ignore_ascii_case("application/json")) {
        let told = "the body is to be JSON, and to say so (`content-type: application/json`)";
        return Err(HttpError::Status(StatusCode::UNSUPPORTED_MEDIA_TYPE, told));
    }
    let body = match body {
        Ok(body) => body,
        Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            return Err(HttpError::Status(StatusCode::PAYLOAD_TOO_LARGE, too_large));
        }
        Err(_) => return Ok(answer::body_timeout_response()),
    };
    let body =
        serde_json::from_slice(&body).map_err(|error| OpError::usage(format!("the body is no JSON: {error}")))?;
    answered(served, name, body).await
}

async fn answered(served: Arc<Served>, name: &str, body: Value) -> Answered {
    let operation = operations::find(name).ok_or(HttpError::NotFound)?;
    let (read, is_looking) = match &operation.run {
        Handler::Answer(read) => (read, false),
        Handler::Look(read) => (read, true),
        Handler::Stream(read) => return Ok(streamed(served, read(body)?)),
    };
    let run = read(body)?;
    let held = served.shutdown.hold();
    let turn = Arc::clone(&served.turns).acquire_owned().await.map_err(|_| HttpError::NotFound)?;
    let door = served.door();
    // Who goes away before the answer drops this future, and with it what holds the work to be wanted.
    let _abandon = is_looking.then(|| Abandon(Arc::clone(&door.progress)));
    let work = tokio::task::spawn_blocking(move || {
        let done = run(&Call { served: &served, door });
        // The turn is the work's own: it ends with it, not with whoever waited.
        drop((turn, held));
        done
    });
    // A mistake of ours. It is not in the list of statuses: whoever checks that list is to stumble over it.
    let broken = |_| HttpError::Status(StatusCode::INTERNAL_SERVER_ERROR, "the operation broke off");
    Ok(answer::typed(StatusCode::OK, "application/json", work.await.map_err(broken)??.into()))
}

/// Lines of JSON while they come. Whoever goes away stops the work, also while it has nothing to say.
fn streamed(served: Arc<Served>, run: operations::Stream) -> Response<Body> {
    let (sender, receiver) = mpsc::channel::<String>(64);
    let door = served.door();
    let listener = Listener { receiver, _abandon: Abandon(Arc::clone(&door.progress)), _held: served.shutdown.hold() };
    let held = served.shutdown.hold();
    tokio::task::spawn_blocking(move || {
        let call = Call { served: &served, door };
        // One that cannot be told has gone, and has cancelled.
        let mut tell = |line: String| drop(sender.blocking_send(line + "\n"));
        if let Err(error) = run(&call, &mut tell) {
            tell(to_value(versioned(ErrorAnswer::from(&error))).to_string());
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
    /// Ends the work with the listening.
    _abandon: Abandon,
    /// The server ends when all was told.
    _held: ShutdownHold,
}
