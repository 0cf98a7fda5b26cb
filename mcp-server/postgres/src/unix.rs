//! A socket of this machine, of which only what arrives is waited for.

use std::io::{self, ErrorKind, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::unix::pipe;

/// A stream over a Unix socket. `tokio`'s own waits for both directions, and a Unix socket says that it
/// can be written to each time that the other side has read: whoever waits for the answer of PostgreSQL
/// would be woken once when it begins, for nothing.
#[derive(Debug)]
pub(crate) struct Unix {
    /// To be written to.
    stream: UnixStream,
    /// The same socket, to be read from. It is no pipe, but only of a pipe's end is one direction waited for.
    incoming: pipe::Receiver,
    /// The same again, in both directions, while more is to be written than it takes.
    full: Option<tokio::net::UnixStream>,
}

impl Unix {
    /// A line to who listens there.
    pub(crate) async fn connect(path: &Path) -> io::Result<Unix> {
        let stream = tokio::net::UnixStream::connect(path).await?.into_std()?;
        Ok(Unix {
            incoming: pipe::Receiver::from_owned_fd_unchecked(stream.try_clone()?.into())?,
            stream,
            full: None,
        })
    }
}

impl AsyncRead for Unix {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.incoming).poll_read(context, buffer)
    }
}

impl AsyncWrite for Unix {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.full.is_none() {
            match self.stream.write(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
        let mut full = match self.full.take() {
            Some(full) => full,
            None => tokio::net::UnixStream::from_std(self.stream.try_clone()?)?,
        };
        let written = Pin::new(&mut full).poll_write(context, bytes);
        if written.is_pending() {
            self.full = Some(full);
        }
        written
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.stream.shutdown(Shutdown::Write))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{UnixListener, UnixStream};
    use tokio::time::timeout;

    use super::*;

    /// What takes longer than this does not happen.
    const PATIENCE: Duration = Duration::from_secs(10);

    async fn pair() -> (Unix, UnixStream) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("socket");
        let listener = UnixListener::bind(&path).unwrap();
        let near = Unix::connect(&path).await.unwrap();
        (near, listener.accept().await.unwrap().0)
    }

    #[tokio::test]
    async fn what_arrives_is_read_and_then_the_end() {
        let (mut near, mut far) = pair().await;
        let mut read = [0; 5];
        for said in ["first", "again"] {
            let (written, heard) =
                tokio::join!(far.write_all(said.as_bytes()), near.read_exact(&mut read));
            written.unwrap();
            heard.unwrap();
            assert_eq!(read, said.as_bytes());
        }
        drop(far);
        assert_eq!(near.read(&mut read).await.unwrap(), 0);
    }

    #[tokio::test]
    async fn more_than_the_reader_takes_for_now_is_waited_for() {
        let (mut near, mut far) = pair().await;
        for _ in 0..2 {
            let sent: Vec<u8> = (0..5_000_000_u32).map(|number| number as u8).collect();
            let mut read = vec![0; sent.len()];
            let both = async { tokio::join!(near.write_all(&sent), far.read_exact(&mut read)) };
            let (written, heard) = timeout(PATIENCE, both).await.unwrap();
            written.unwrap();
            heard.unwrap();
            assert!(read == sent, "it arrives as it was sent");
        }
    }

    #[tokio::test]
    async fn the_other_side_hears_of_the_end() {
        let (mut near, mut far) = pair().await;
        near.shutdown().await.unwrap();
        let read = timeout(PATIENCE, far.read(&mut [0])).await.unwrap();
        assert_eq!(read.unwrap(), 0);
        far.write_all(b"yes").await.unwrap();
        let mut read = [0; 3];
        near.read_exact(&mut read).await.unwrap();
        assert_eq!(&read, b"yes");
    }
}
