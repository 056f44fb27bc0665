//! The MCP door over streamable HTTP: a service to be mounted, and a small server of its own around it.
//!
//! Takes the names under which it may be called and a token; gives a service that answers nobody else. Which hosts and origins
//! are ours is always said, never guessed: a page of somebody else must not reach this through a name that leads here.

use super::Mcp;
use crate::http::Secret;
use crate::ops::OpError;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

/// Where the protocol is spoken.
pub const PATH: &str = "/mcp";

/// A message of a client; one that is longer is none.
const LARGEST: usize = 8 * 1024 * 1024;

pub type Service = StreamableHttpService<Mcp, LocalSessionManager>;

/// Names under which a server may be called. Others are refused, whoever asks.
#[derive(Clone, Debug)]
pub struct Allowed {
    /// With their port: `127.0.0.1:7777`.
    pub hosts: Vec<String>,
    /// Pages that may ask: `http://127.0.0.1:7777`.
    pub origins: Vec<String>,
}

impl Allowed {
    /// The names that this machine has for itself.
    pub fn loopback(port: u16) -> Self {
        let hosts: Vec<String> = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}")).into();
        let origins = hosts.iter().map(|host| format!("http://{host}")).collect();
        Self { hosts, origins }
    }
}

/// The protocol as a service for a router. It checks hosts and origins; who may ask at all is the router's matter.
pub fn service(mcp: &Mcp, allowed: &Allowed) -> Service {
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(allowed.hosts.clone())
        .with_allowed_origins(allowed.origins.clone())
        .enforce_origin_validation()
        .with_max_request_body_bytes(LARGEST);
    let mcp = mcp.clone();
    StreamableHttpService::new(move || Ok(mcp.for_another()), Arc::default(), config)
}

async fn guard(State(token): State<Secret>, request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if given.and_then(|given| given.strip_prefix("Bearer ")).is_some_and(|given| token.is(given)) {
        return next.run(request).await;
    }
    (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")], "a token is needed\n").into_response()
}

pub fn router(mcp: &Mcp, allowed: &Allowed, token: Secret) -> Router {
    Router::new().route_service(PATH, service(mcp, allowed)).layer(middleware::from_fn_with_state(token, guard))
}

/// Serves until the process ends. `ready` is told where, once it can be reached.
pub fn serve_http(mcp: &Mcp, listen: SocketAddr, token: Secret, ready: impl FnOnce(SocketAddr)) -> Result<(), OpError> {
    if !listen.ip().is_loopback() {
        return Err(OpError::usage(format!("`{listen}` can be reached from other machines"))
            .hint("`--listen 127.0.0.1:PORT` is for this one"));
    }
    runtime()?.block_on(async {
        let cannot = |error: std::io::Error| {
            OpError::failed(format!("cannot listen on `{listen}`: {}", error.kind()))
                .hint("port 0 takes any that is free")
        };
        let listener = TcpListener::bind(listen).await.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        ready(address);
        let served = axum::serve(listener, router(mcp, &Allowed::loopback(address.port()), token)).await;
        served.map_err(|error| OpError::failed(format!("the server broke off: {error}")))
    })
}

/// Two threads carry messages; operations have their own.
pub(super) fn runtime() -> Result<Runtime, OpError> {
    Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| OpError::failed(format!("cannot start threads: {error}")))
}
