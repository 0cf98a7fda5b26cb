//! A stream whose reader may be slow, but must go on.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::afterwards;
use super::waiting::Turn;

/// How long a reader may take nothing of an answer.
const STALL: Duration = Duration::from_secs(30);

/// Ends with a time-out where the other side takes nothing of what is written for a while.
pub(super) struct Patient<S> {
    stream: S,
    /// Runs while a write waits.
    stalled: Option<Pin<Box<Sleep>>>,
    turn: Arc<Turn>,
}

impl<S> Patient<S> {
    pub(super) fn new(stream: S, turn: Arc<Turn>) -> Self {
        Patient {
            stream,
            stalled: None,
            turn,
        }
    }

    /// What a write came to, unless it has waited for too long.
    fn judge<T>(&mut self, cx: &mut Context<'_>, write: Poll<Result<T>>) -> Poll<Result<T>> {
        if write.is_ready() {
            self.stalled = None;
            return write;
        }
        self.turn.written();
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(STALL)));
        ready!(stalled.as_mut().poll(cx));
        Poll::Ready(Err(Error::new(
            ErrorKind::TimedOut,
            "the client does not read its answer",
        )))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.judge(cx, write)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.judge(cx, write)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        let flush = Pin::new(&mut self.stream).poll_flush(cx);
        if flush.is_ready() {
            self.turn.written();
            afterwards::written();
        }
        self.judge(cx, flush)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    fn patient<S>(stream: S) -> Patient<S> {
        Patient::new(stream, Turn::new(&Arc::default()))
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_takes_nothing_ends_the_stream() {
        let (server, _client) = tokio::io::duplex(4);
        let error = patient(server).write_all(b"an answer").await;
        assert_eq!(error.unwrap_err().kind(), ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_reader_is_waited_for() {
        let (server, mut client) = tokio::io::duplex(1);
        let mut server = patient(server);
        let write = tokio::spawn(async move { server.write_all(b"an answer").await });
        let mut read = Vec::new();
        for _ in 0.."an answer".len() {
            tokio::time::advance(STALL - Duration::from_millis(1)).await;
            read.push(client.read_u8().await.unwrap());
        }
        assert_eq!(read, b"an answer");
        write.await.unwrap().unwrap();
    }
}
