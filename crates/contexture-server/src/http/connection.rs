//! Connections: at most so many, each with a time to say what it wants.
//!
//! Takes a listener and a router; gives every connection to the router until it is told to stop, and then waits for those that are
//! under way. One that sends its head drop by drop is closed; those above the number wait until another one ends.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// A browser opens six connections for a page; ten pages and their events are more than anybody has open.
const MOST: usize = 256;
const HEAD_TIME: Duration = Duration::from_secs(30);
/// What is under way when the server stops has this long.
const LAST: Duration = Duration::from_secs(5);

pub async fn accept(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) -> io::Result<()> {
    let room = Arc::new(Semaphore::new(MOST));
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let place = tokio::select! {
            () = &mut stop => break,
            place = Arc::clone(&room).acquire_owned() => place.map_err(io::Error::other)?,
        };
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => accepted,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            // A connection that broke before it was taken, or no descriptor left for it: others may do better.
            Err(error) => {
                tracing::debug!(error = %error.kind(), "a connection was not taken");
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIME)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(place);
        });
    }
    drop(listener);
    // Streams of events have no end of their own.
    let _ = tokio::time::timeout(LAST, graceful.shutdown()).await;
    Ok(())
}
