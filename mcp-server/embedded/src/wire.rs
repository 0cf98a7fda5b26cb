//! One connection's stream.

use std::io;
use std::pin::Pin;
use std::task::{Context, Waker};

use bytes::BytesMut;
use tokio::io::{AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream};

use crate::fatal::Fatal;

/// Why a connection ends before the client says so.
#[derive(Debug)]
pub(crate) enum End {
    /// The client has dropped its half.
    Gone,
    /// The client is told why.
    Fatal(Fatal),
}

impl From<Fatal> for End {
    fn from(fatal: Fatal) -> Self {
        Self::Fatal(fatal)
    }
}

impl From<io::Error> for End {
    fn from(_: io::Error) -> Self {
        // A stream in memory has one failure: the other half is gone.
        Self::Gone
    }
}

/// The server's half of a connection.
#[derive(Debug)]
pub(crate) struct Wire {
    stream: DuplexStream,
    /// Part of a message has been written, so that nothing else may follow.
    mid_message: bool,
}

impl Wire {
    pub(crate) fn new(stream: DuplexStream) -> Self {
        Self {
            stream,
            mid_message: false,
        }
    }

    /// Reads what there is, at least one byte.
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

    /// Tells the client why its connection ends, and waits until it has read that and left: if our
    /// half were gone while it writes, it would find a broken pipe and no reason.
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

    /// Tells the client why its connection ends if there is room for it, and goes.
    pub(crate) fn abandon(mut self, fatal: &Fatal) {
        if !self.mid_message {
            let mut context = Context::from_waker(Waker::noop());
            let _ = Pin::new(&mut self.stream).poll_write(&mut context, &fatal.encode());
        }
    }
}
