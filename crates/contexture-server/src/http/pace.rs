//! The pace of a body: so much of it in so much time, however long it is.
//!
//! Takes a request; gives it with a body that breaks off when it comes too slowly. One that makes progress may take as long as it likes.

use axum::body::{Body, Bytes};
use axum::extract::Request;
use futures_util::StreamExt;
use std::io;
use std::time::Duration;
use tokio::time::Instant;

/// A line of a thousand bytes in a few seconds: no connection is as slow as that.
pub const PIECE: usize = 1_000;

pub fn paced(request: Request, time: Duration) -> Request {
    request.map(|body| {
        let stream = Paced { body: body.into_data_stream(), time, end: Instant::now() + time, left: PIECE };
        Body::from_stream(futures_util::stream::unfold(stream, next))
    })
}

struct Paced {
    body: axum::body::BodyDataStream,
    time: Duration,
    /// When the rest of a piece is due.
    end: Instant,
    left: usize,
}

async fn next(mut paced: Paced) -> Option<(Result<Bytes, axum::Error>, Paced)> {
    let Ok(bytes) = tokio::time::timeout_at(paced.end, paced.body.next()).await else {
        return Some((Err(axum::Error::new(io::Error::from(io::ErrorKind::TimedOut))), paced));
    };
    let bytes = bytes?;
    let come = bytes.as_ref().map_or(0, Bytes::len);
    match paced.left.checked_sub(come) {
        Some(left) if left > 0 => paced.left = left,
        _ => (paced.left, paced.end) = (PIECE, Instant::now() + paced.time),
    }
    Some((bytes, paced))
}
