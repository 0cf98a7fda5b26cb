//! Ending what a session is at, from outside.

use std::sync::Arc;

use tokio_postgres::{CancelToken, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::address::Address;
use crate::error::Error;
use crate::login::{Back, Encryption, Lent};

/// The means to end whatever statement a session is at.
pub(crate) struct Cancel {
    pub(crate) token: CancelToken,
    pub(crate) address: Address,
    pub(crate) config: Arc<Config>,
    pub(crate) tls: MakeRustlsConnect,
}

impl Cancel {
    /// Asks the server to end it, over a connection of its own. That it was asked does not mean that it
    /// did: the statement may have been over.
    ///
    /// # Errors
    /// Where the server cannot be reached.
    pub(crate) async fn send(&self) -> Result<(), Error> {
        let stream = self.address.dial(&self.config).await?;
        let encryption = Encryption::to(&self.address, &self.tls);
        self.token
            .cancel_query_raw(Lent::new(stream, Back::default()), encryption)
            .await?;
        Ok(())
    }
}
