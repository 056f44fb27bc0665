//! A stream whose other end must take what is written to it.
//!
//! Passes everything on. When nothing of what is written has been taken for so long, writing fails, which ends the connection.

use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

pub struct Taken<S> {
    stream: S,
    time: Duration,
    /// Runs while a write waits.
    due: Pin<Box<Sleep>>,
    is_waiting: bool,
}

impl<S> Taken<S> {
    pub fn new(stream: S, time: Duration) -> Self {
        Self { stream, time, due: Box::pin(tokio::time::sleep(time)), is_waiting: false }
    }

    /// What came of a write; one that has waited for too long has failed.
    fn kept<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.is_waiting = false;
            return written;
        }
        if !self.is_waiting {
            self.is_waiting = true;
            self.due.as_mut().reset(Instant::now() + self.time);
        }
        ready!(self.due.as_mut().poll(context));
        Poll::Ready(Err(ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Taken<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Taken<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.kept(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.kept(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.kept(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::Taken;
    use std::io::ErrorKind;
    use std::time::Duration;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    #[tokio::test]
    async fn who_does_not_read_is_left_and_who_reads_slowly_is_not() {
        let (here, mut there) = duplex(8);
        let mut taken = Taken::new(here, Duration::from_millis(5));
        let reading = tokio::spawn(async move {
            let mut all = [0; 64];
            there.read_exact(&mut all).await.unwrap();
            (there, all)
        });
        taken.write_all(&[7; 64]).await.unwrap();
        let (_there, all) = reading.await.unwrap();
        assert_eq!(all, [7; 64]);
        let error = taken.write_all(&[7; 64]).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }
}
