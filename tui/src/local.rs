//! Hosts inside the app, over an embedded database in a directory.

use std::path::Path;

#[cfg(feature = "demo")]
pub use served::Local;

#[cfg(not(feature = "demo"))]
pub use absent::Local;

/// Why the hosts of this machine do not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LocalError(String);

impl Local {
    /// Serves the hosts of the configuration, unless there are none or they already answer.
    ///
    /// # Errors
    /// They cannot be served.
    pub async fn of(config: &frontdesk_client::Config) -> Result<Option<Local>, LocalError> {
        let (Some(local), Some(url)) = (&config.local, &config.url) else {
            return Ok(None);
        };
        match is_served(url).await {
            true => Ok(None),
            false => Local::start(&local.database, url).await.map(Some),
        }
    }
}

/// Whether hosts answer at this address.
async fn is_served(url: &str) -> bool {
    use frontdesk_client::{Addresses, Client, CredentialStore};
    let client = Addresses::new(url)
        .ok()
        .and_then(|addresses| Client::new(addresses, CredentialStore::memory()).ok());
    match client {
        Some(client) => client
            .health(frontdesk_protocol::Host::Events)
            .await
            .is_ok(),
        None => false,
    }
}

/// Whether a database was created in this directory.
pub(crate) fn has_database(directory: &Path) -> bool {
    std::fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_some())
}

#[cfg(feature = "demo")]
mod served {
    use std::net::SocketAddr;
    use std::path::Path;

    use frontdesk_server::accounts::{self, Setup};
    use frontdesk_server::database::Location;
    use frontdesk_server::server::{Server, Settings};

    use super::LocalError;
    use crate::app::effects::starting::FirstOwner;

    /// Running hosts. They end with [`Local::stop`].
    #[derive(Debug)]
    pub struct Local {
        server: Server,
    }

    impl Local {
        /// Whether this build can serve hosts.
        pub(crate) const IS_POSSIBLE: bool = true;

        /// Serves the hosts at this address, over the database in this directory.
        ///
        /// # Errors
        /// The database cannot be opened, or the address is taken.
        pub async fn start(database: &Path, url: &str) -> Result<Local, LocalError> {
            let listen = url
                .strip_prefix("http://")
                .and_then(|address| address.parse::<SocketAddr>().ok())
                .filter(|address| address.ip().is_loopback())
                .ok_or_else(|| {
                    LocalError(format!(
                        "[local] serves only this machine: url must look like \
                         http://127.0.0.1:4700, not {url}"
                    ))
                })?;
            let settings = Settings {
                listen,
                ..Settings::local(Location::Directory(database.to_owned()))
            };
            let server = Server::start(settings).await.map_err(failed)?;
            Ok(Local { server })
        }

        /// The base address of the hosts.
        pub fn url(&self) -> String {
            self.server.url()
        }

        /// Whether the database has an organisation.
        ///
        /// # Errors
        /// The database failed.
        pub(crate) async fn is_set_up(&self) -> Result<bool, LocalError> {
            let owner = self.server.database().owner().await.map_err(failed)?;
            let organizations = accounts::organizations(&owner).await.map_err(failed)?;
            Ok(!organizations.is_empty())
        }

        /// Creates the organisation with its owner.
        ///
        /// # Errors
        /// The address is invalid, or the database failed. Nothing is created then.
        pub(crate) async fn set_up(&self, first: &FirstOwner) -> Result<(), LocalError> {
            let setup = Setup {
                organization: first.organization.clone(),
                slug: String::new(),
                name: first.name.clone(),
                email: first.email.clone(),
                password: first.password.expose().to_owned(),
            };
            let mut owner = self.server.database().owner().await.map_err(failed)?;
            accounts::set_up(&mut owner, &setup).await.map_err(failed)?;
            Ok(())
        }

        /// Finishes running calls and closes the database.
        ///
        /// # Errors
        /// The database could not be closed cleanly.
        pub async fn stop(self) -> Result<(), LocalError> {
            self.server.stop().await.map_err(failed)
        }
    }

    fn failed(error: impl std::fmt::Display) -> LocalError {
        LocalError(error.to_string())
    }
}

#[cfg(not(feature = "demo"))]
mod absent {
    use std::path::Path;

    use super::LocalError;
    use crate::app::effects::starting::FirstOwner;

    /// Running hosts, which this build does not have.
    #[derive(Debug)]
    pub enum Local {}

    impl Local {
        /// Whether this build can serve hosts.
        pub(crate) const IS_POSSIBLE: bool = false;

        /// Fails.
        ///
        /// # Errors
        /// Always.
        pub async fn start(_: &Path, _: &str) -> Result<Local, LocalError> {
            Err(LocalError(
                "this build of frontdesk has no hosts; start `frontdesk-server serve`".to_owned(),
            ))
        }

        /// The base address of the hosts.
        pub fn url(&self) -> String {
            match *self {}
        }

        pub(crate) async fn is_set_up(&self) -> Result<bool, LocalError> {
            match *self {}
        }

        pub(crate) async fn set_up(&self, _: &FirstOwner) -> Result<(), LocalError> {
            match *self {}
        }

        /// Ends the hosts.
        ///
        /// # Errors
        /// Never.
        pub async fn stop(self) -> Result<(), LocalError> {
            match self {}
        }
    }
}
