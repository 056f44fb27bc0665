//! The pace of a body: so much of it in so much time, however long it is.
//!
//! Takes a request; gives it with a body that breaks off when it comes too slowly. One that makes progress may take as long as it likes.
//! `tower-http` limits the time between two pieces of a body, which a sender of one byte at a time never exceeds.

use axum::body::{Body, Bytes};
use axum::extract::Request;
use futures_util::StreamExt;
use std::io;
use std::time::Duration;
use tokio::time::Instant;

/// A line of a thousand bytes in a few seconds: no connection is as slow as that.
pub const PIECE: usize = 1_000;

pub fn timed(request: Request, time: Duration) -> Request {
    request.map(|body| {
        let stream = Timed { body: body.into_data_stream(), time, end: Instant::now() + time, left: PIECE };
        Body::from_stream(futures_util::stream::unfold(stream, next))
    })
}

struct Timed {
    body: axum::body::BodyDataStream,
    time: Duration,
    /// When the rest of a piece is due.
    end: Instant,
    left: usize,
}

async fn next(mut timed: Timed) -> Option<(Result<Bytes, axum::Error>, Timed)> {
    let Ok(bytes) = tokio::time::timeout_at(timed.end, timed.body.next()).await else {
        return Some((Err(axum::Error::new(io::Error::from(io::ErrorKind::TimedOut))), timed));
    };
    let bytes = bytes?;
    let come = bytes.as_ref().map_or(0, Bytes::len);
    match timed.left.checked_sub(come) {
        Some(left) if left > 0 => timed.left = left,
        _ => (timed.left, timed.end) = (PIECE, Instant::now() + timed.time),
    }
    Some((bytes, timed))
}
