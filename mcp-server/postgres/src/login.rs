//! Logs in with `tokio_postgres`: passwords, certificates, channel binding. The library borrows the stream
//! until the login is complete.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::config::SslMode;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_postgres::{CancelToken, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::address::{Address, Duplex, Stream};
use crate::error::Error;

/// `ReadyForQuery` outside a transaction: the last message of a login.
const READY: [u8; 6] = *b"Z\0\0\0\x05I";

/// Logs in, without TLS if the server does not offer it, and returns the stream positioned right after
/// the greeting.
///
/// # Errors
/// [`Error::Connect`] if the database refuses the login.
pub(crate) async fn log_in(
    stream: Stream,
    config: &Config,
    tls: Encryption,
) -> Result<(Stream, CancelToken), Error> {
    let back = Back::default();
    let lent = Lent::new(stream, Arc::clone(&back));
    let mut config = config.clone();
    if tls.0.is_none() {
        config.ssl_mode(SslMode::Disable);
    }
    let (client, connection) = config.connect_raw(lent, tls).await?;
    let cancel = client.cancel_token();
    drop(connection);
    let returned = back.lock().unwrap_or_else(PoisonError::into_inner).take();
    match returned {
        Some((stream, READY)) => Ok((stream, cancel)),
        // The library has read beyond the greeting, and those bytes were lost with its buffer.
        _ => Err(Error::unexpected("the server sent more than a login needs")),
    }
}

/// Receives the stream and the last bytes read from it.
pub(crate) type Back = Arc<Mutex<Option<(Stream, [u8; READY.len()])>>>;

/// A stream to log in over, with or without TLS.
trait Line: Duplex {
    /// Ties the login to its TLS connection.
    fn channel_binding(&self) -> ChannelBinding;
}

impl Line for Stream {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

type Rustls = <MakeRustlsConnect as MakeTlsConnect<Box<dyn Line>>>::TlsConnect;
type RustlsStream = <MakeRustlsConnect as MakeTlsConnect<Box<dyn Line>>>::Stream;

impl Line for RustlsStream {
    fn channel_binding(&self) -> ChannelBinding {
        TlsStream::channel_binding(self)
    }
}

/// A stream that returns to its owner when dropped.
pub(crate) struct Lent {
    /// `None` once it is wrapped for TLS or returned.
    stream: Option<Box<dyn Line>>,
    last: [u8; READY.len()],
    back: Back,
}

impl Lent {
    pub(crate) fn new(stream: Stream, back: Back) -> Lent {
        Lent {
            stream: Some(Box::new(stream)),
            last: [0; READY.len()],
            back,
        }
    }

    fn stream(&mut self) -> io::Result<Pin<&mut Box<dyn Line>>> {
        match &mut self.stream {
            Some(stream) => Ok(Pin::new(stream)),
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    fn has_read(&mut self, bytes: &[u8]) {
        let kept = READY.len().min(bytes.len());
        self.last.rotate_left(kept);
        let start = self.last.len() - kept;
        self.last[start..].copy_from_slice(&bytes[bytes.len() - kept..]);
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(stream) = self.stream.take() {
            let mut back = self.back.lock().unwrap_or_else(PoisonError::into_inner);
            *back = Some((stream, self.last));
        }
    }
}

impl AsyncRead for Lent {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(self.stream()?.poll_read(context, buffer))?;
        self.has_read(&buffer.filled()[before..]);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Lent {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.stream()?.poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_shutdown(context)
    }
}

impl TlsStream for Lent {
    fn channel_binding(&self) -> ChannelBinding {
        match &self.stream {
            Some(stream) => stream.channel_binding(),
            None => ChannelBinding::none(),
        }
    }
}

/// Wraps a lent stream with TLS.
pub(crate) struct Encryption(Option<Rustls>);

impl Encryption {
    /// TLS with a server whose certificate has the name of this address.
    pub(crate) fn to(address: &Address, tls: &MakeRustlsConnect) -> Encryption {
        Encryption(address.name().map(|name| {
            let Ok(rustls) =
                MakeTlsConnect::<Box<dyn Line>>::make_tls_connect(&mut tls.clone(), name);
            rustls
        }))
    }

    /// Without TLS.
    pub(crate) fn none() -> Encryption {
        Encryption(None)
    }
}

impl TlsConnect<Lent> for Encryption {
    type Stream = Lent;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Lent>> + Send>>;

    fn connect(self, mut lent: Lent) -> Self::Future {
        Box::pin(async move {
            let (Some(stream), Some(rustls)) = (lent.stream.take(), self.0) else {
                return Err(io::ErrorKind::Unsupported.into());
            };
            lent.stream = Some(Box::new(rustls.connect(stream).await?));
            Ok(lent)
        })
    }
}
