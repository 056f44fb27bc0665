//! The MCP door over streamable HTTP: a service for a router, and a server for it alone. And over standard input and output.
//!
//! Takes the names under which it may be called and a token; answers nobody else. Who is let in and how connections are held is decided where the
//! panel's server decides it: in `transport`.

use super::Mcp;
use crate::transport::answer::{self, HttpError};
use crate::transport::connection::{self, Limits};
use crate::transport::guard::{Guard, Names};
use crate::transport::token::Secret;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;
use axum::middleware::{self, Next};
use axum::response::IntoResponse;
use contexture::ops::OpError;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::io::stdio_pipes;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

/// Where the protocol is spoken.
pub const PATH: &str = "/mcp";

/// A message of a client; one that is longer is none.
const LARGEST: usize = 8 * 1024 * 1024;

/// For an answer to get from the work to the stream it goes out by.
const LAST_WORD: Duration = Duration::from_millis(100);

pub type Service = StreamableHttpService<Mcp, LocalSessionManager>;

/// The protocol as a service for a router. It checks hosts and origins; who may ask at all is the router's matter.
pub fn service(mcp: &Mcp, names: &Names) -> Service {
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(names.hosts.clone())
        .with_allowed_origins(names.origins.clone())
        .enforce_origin_validation()
        .with_max_request_body_bytes(LARGEST);
    // Its streams have no end of their own.
    let (token, shutdown) = (config.cancellation_token.clone(), mcp.shutdown.clone());
    tokio::spawn(async move {
        shutdown.clone().near().await;
        shutdown.done().await;
        tokio::time::sleep(LAST_WORD).await;
        token.cancel();
    });
    let mcp = mcp.clone();
    StreamableHttpService::new(move || Ok(mcp.for_another()), Arc::default(), config)
}

/// Serves until `stop` is done. `ready` is told where, once it can be reached.
pub fn serve_http(
    mcp: &Mcp,
    listen: SocketAddr,
    token: Secret,
    ready: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()>,
) -> Result<(), OpError> {
    if !listen.ip().is_loopback() {
        return Err(OpError::usage(format!("`{listen}` can be reached from other machines"))
            .hint("`--listen 127.0.0.1:PORT` is for this one"));
    }
    let cannot = |error: io::Error| {
        OpError::failed(format!("cannot listen on `{listen}`: {}", error.kind())).hint("port 0 takes any that is free")
    };
    runtime()?.block_on(async {
        let listener = TcpListener::bind(listen).await.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        let guard = Guard::for_programs(address, token);
        let router = Router::new()
            .route_service(PATH, service(mcp, guard.names()))
            .fallback(async || HttpError::NotFound)
            .layer(middleware::from_fn_with_state(Arc::new(guard), guarded));
        ready(address);
        let served = connection::accept(listener, router, Limits::default(), &mcp.shutdown, stop).await;
        served.map_err(|error| OpError::failed(format!("the server broke off: {error}")))
    })
}

async fn guarded(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response<Body> {
    let response = match guard.check(request.method(), request.uri(), request.headers()) {
        Ok(_) => next.run(request).await,
        Err(refusal) => HttpError::Refused(refusal).into_response(),
    };
    answer::guarded(response)
}

/// Two threads carry messages; operations have their own.
fn runtime() -> Result<Runtime, OpError> {
    Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| OpError::failed(format!("cannot start threads: {error}")))
}

/// Serves one client over standard input and output. Blocks until the client closes its end. What is still going on then is given a few seconds and dropped.
pub fn serve_stdio(mcp: Mcp) -> Result<(), OpError> {
    let runtime = runtime()?;
    let served = runtime.block_on(async {
        match mcp.serve(stdio_pipes()).await {
            Ok(running) => running.waiting().await.map(drop).map_err(|error| failed(&error.to_string())),
            // It went away before it said anything.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(failed(&error.to_string())),
        }
    });
    // An operation that nobody waits for must not keep the process.
    runtime.shutdown_background();
    served
}

fn failed(cause: &str) -> OpError {
    OpError::failed(format!("the client does not speak the protocol: {cause}"))
        .hint("`contexture mcp` is started by a client; `contexture setup` enters it there")
}
