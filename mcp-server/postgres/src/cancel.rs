//! Cancels a session's running statement.

use std::sync::Arc;

use tokio_postgres::{CancelToken, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::address::Address;
use crate::error::Error;
use crate::login::{Back, Encryption, Lent};

/// Cancels whatever statement the session is running.
pub(crate) struct Cancel {
    pub(crate) token: CancelToken,
    pub(crate) address: Address,
    pub(crate) config: Arc<Config>,
    pub(crate) tls: MakeRustlsConnect,
}

impl Cancel {
    /// Requests the cancellation over a separate connection. Success means only that the request was sent:
    /// the statement may have ended before.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub(crate) async fn send(&self) -> Result<(), Error> {
        let stream = self.address.dial(&self.config).await?;
        let encryption = Encryption::to(&self.address, &self.tls);
        self.token
            .cancel_query_raw(Lent::new(stream, Back::default()), encryption)
            .await?;
        Ok(())
    }
}
