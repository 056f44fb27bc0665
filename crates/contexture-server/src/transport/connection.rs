//! Connections: at most so many, each with a time to say what it wants.
//!
//! Takes a listener and a router; gives every connection to the router until it is told to stop, and then waits for the work that is
//! under way. One that sends its head drop by drop is closed. Where all places are taken, a newcomer sends away those that only wait for
//! another question; one that is at work keeps its place. Who does not take what is written to it is left.
//!
//! `axum::serve` has none of this: it sets no limit on the time of a head or on the number of connections, and it waits without
//! an end for those that are open when it is to stop. The connections themselves are hyper's.

use super::shutdown::Shutdown;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWrite;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_io_timeout::TimeoutWriter;

/// What a connection may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub connections: usize,
    /// For a head to arrive, from the end of the one before.
    pub head: Duration,
    /// For every thousand bytes of a body.
    pub body: Duration,
    /// For some of an answer to be taken: who does not read must not keep a place.
    pub taking: Duration,
    /// For answers to be taken when the server stops and nothing is under way any more.
    pub last: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // A browser opens six connections for a page; ten pages and their events are more than anybody has open.
            connections: 256,
            head: Duration::from_secs(10),
            body: Duration::from_secs(10),
            taking: Duration::from_secs(30),
            last: Duration::from_secs(5),
        }
    }
}

pub async fn accept(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    shutdown: &Shutdown,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let room = Arc::new(Semaphore::new(limits.connections));
    // Asks all that are open to end after the answer they are at, if any. Each holds a receiver as long as it is open.
    let (part, _) = watch::channel(());
    let mut stop = std::pin::pin!(stop);
    loop {
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
        if room.available_permits() == 0 {
            part.send_replace(());
        }
        let place = tokio::select! {
            () = &mut stop => break,
            place = Arc::clone(&room).acquire_owned() => place.map_err(io::Error::other)?,
        };
        tokio::spawn(serve(stream, router.clone(), limits, part.subscribe(), place));
    }
    drop(listener);
    shutdown.begin();
    part.send_replace(());
    let last = async {
        loop {
            shutdown.done().await;
            tokio::time::sleep(limits.last).await;
            // A question that was half told may have come to work meanwhile.
            if shutdown.is_done() {
                break;
            }
        }
    };
    tokio::select! {
        () = part.closed() => {}
        () = last => {}
    }
    Ok(())
}

async fn serve(
    stream: TcpStream,
    router: Router,
    limits: Limits,
    mut part: watch::Receiver<()>,
    _place: OwnedSemaphorePermit,
) {
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .serve_connection(TokioIo::new(writes_within(limits.taking, stream)), TowerToHyperService::new(router));
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = &mut connection => ended,
        _ = part.changed() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// The stream, whose writing fails when nothing of what is written has been taken for so long.
fn writes_within<S: AsyncWrite>(time: Duration, stream: S) -> Pin<Box<TimeoutWriter<S>>> {
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(time));
    Box::pin(stream)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::ErrorKind;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    #[tokio::test]
    async fn who_does_not_read_is_left_and_who_reads_slowly_is_not() {
        let (here, mut there) = duplex(8);
        let mut writer = writes_within(Duration::from_millis(5), here);
        let reading = tokio::spawn(async move {
            let mut all = [0; 64];
            there.read_exact(&mut all).await.unwrap();
            (there, all)
        });
        writer.write_all(&[7; 64]).await.unwrap();
        let (_there, all) = reading.await.unwrap();
        assert_eq!(all, [7; 64]);
        let error = writer.write_all(&[7; 64]).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }
}
