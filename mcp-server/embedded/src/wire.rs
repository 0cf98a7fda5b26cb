//! The stream of one connection.

use std::io;
use std::pin::Pin;
use std::task::{Context, Waker};

use bytes::BytesMut;
use tokio::io::{AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream};

use crate::fatal::Fatal;

/// Why a connection ends before the client terminates it.
#[derive(Debug)]
pub(crate) enum End {
    /// The client has dropped its half.
    Gone,
    /// The client receives this error.
    Fatal(Fatal),
}

impl From<Fatal> for End {
    fn from(fatal: Fatal) -> Self {
        Self::Fatal(fatal)
    }
}

impl From<io::Error> for End {
    fn from(_: io::Error) -> Self {
        // A stream in memory fails only if the other half is gone.
        Self::Gone
    }
}

/// The server's half of a connection.
#[derive(Debug)]
pub(crate) struct Wire {
    stream: DuplexStream,
    /// Whether a message is partly written, so no other message can follow.
    mid_message: bool,
}

impl Wire {
    pub(crate) fn new(stream: DuplexStream) -> Self {
        Self {
            stream,
            mid_message: false,
        }
    }

    /// Reads the available bytes, at least one.
    pub(crate) async fn read(&mut self, buffer: &mut BytesMut) -> Result<(), End> {
        match self.stream.read_buf(buffer).await? {
            0 => Err(End::Gone),
            _ => Ok(()),
        }
    }

    /// Writes whole messages.
    pub(crate) async fn write(&mut self, messages: &[u8]) -> Result<(), End> {
        self.mid_message = true;
        self.stream.write_all(messages).await?;
        self.mid_message = false;
        Ok(())
    }

    /// Sends the client the reason and waits until it has read it and disconnected. If our half
    /// closed while the client writes, it would see a broken pipe instead of the reason.
    pub(crate) async fn end(mut self, fatal: &Fatal) {
        if self.mid_message
            || self.write(&fatal.encode()).await.is_err()
            || self.stream.shutdown().await.is_err()
        {
            return;
        }
        let mut rest = BytesMut::new();
        while self.read(&mut rest).await.is_ok() {
            rest.clear();
        }
    }

    /// Sends the client the reason if the buffer has room, and disconnects.
    pub(crate) fn abandon(mut self, fatal: &Fatal) {
        if !self.mid_message {
            let mut context = Context::from_waker(Waker::noop());
            let _ = Pin::new(&mut self.stream).poll_write(&mut context, &fatal.encode());
        }
    }
}
