//! Hosts inside the app, over an embedded database in a directory.

use std::path::Path;

use frontdesk_client::Secret;

#[cfg(feature = "demo")]
pub use served::Local;

#[cfg(not(feature = "demo"))]
pub use absent::Local;

/// The first owner of an organisation on this machine.
#[derive(Debug, Clone)]
pub struct FirstOwner {
    /// The organisation's name.
    pub organization: String,
    /// The time zone of its days.
    pub time_zone: String,
    /// The currency of its amounts.
    pub currency: String,
    /// The owner's name.
    pub name: String,
    /// The address to sign in with.
    pub email: String,
    /// The password to sign in with.
    pub password: Secret,
}

impl FirstOwner {
    /// Characters of a password, at least.
    pub const SHORTEST: usize = 8;
}

/// Why the hosts of this machine do not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LocalError(String);

impl Local {
    /// Serves the hosts of the configuration, if there are any. If another process serves them, this one takes over
    /// when it ends.
    ///
    /// # Errors
    /// They cannot be served.
    pub async fn of(config: &frontdesk_client::Config) -> Result<Option<Local>, LocalError> {
        match (&config.local, &config.url) {
            (Some(local), Some(url)) => Local::start_or_wait(&local.database, url).await,
            _ => Ok(None),
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
    use std::fs::{File, TryLockError};
    use std::net::SocketAddr;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;
    use std::time::Duration;

    use frontdesk_server::accounts::{self, Setup};
    use frontdesk_server::database::{Database, Location};
    use frontdesk_server::server::{Listen, Server, Settings};
    use tokio::sync::{Mutex, oneshot};
    use tokio::task::JoinHandle;

    use super::FirstOwner;
    use super::{LocalError, is_served};

    /// The pause before looking again whether the hosts of another process answer.
    const STARTING: Duration = Duration::from_millis(200);
    /// How often to look: for 10 s.
    const LOOKS: usize = 50;

    /// The hosts of this machine: of this process, or of another one until that ends. They end with [`Local::stop`].
    #[derive(Debug)]
    pub struct Local {
        url: String,
        running: Arc<Mutex<Option<Running>>>,
        waiting: Option<JoinHandle<()>>,
    }

    /// Hosts of this process. Only one process at a time has the lock.
    #[derive(Debug)]
    struct Running {
        server: Server,
        _lock: File,
    }

    impl Local {
        /// Whether this build can serve hosts.
        pub(crate) const IS_POSSIBLE: bool = true;

        /// Serves the hosts at this address, over the database in this directory.
        ///
        /// # Errors
        /// The database cannot be opened, or the address is taken.
        pub async fn start(database: &Path, url: &str) -> Result<Local, LocalError> {
            match try_lock(database)? {
                Some(lock) => Local::with(database, url, lock).await,
                None => Err(LocalError(format!(
                    "another process of frontdesk serves {}",
                    database.display()
                ))),
            }
        }

        async fn with(database: &Path, url: &str, lock: File) -> Result<Local, LocalError> {
            let running = Running::start(database, url, lock).await?;
            Ok(Local {
                url: running.server.url(),
                running: Arc::new(Mutex::new(Some(running))),
                waiting: None,
            })
        }

        /// As [`Local::start`]; if another process serves them, takes over when it ends.
        pub(super) async fn start_or_wait(
            database: &Path,
            url: &str,
        ) -> Result<Option<Local>, LocalError> {
            for _ in 0..LOOKS {
                if is_served(url).await {
                    break;
                }
                if let Some(lock) = try_lock(database)? {
                    return Local::with(database, url, lock).await.map(Some);
                }
                // The other process is starting them.
                tokio::time::sleep(STARTING).await;
            }
            Ok(Some(Local::wait(database, url)))
        }

        fn wait(database: &Path, url: &str) -> Local {
            let running = Arc::default();
            let taking_over = take_over(database.to_owned(), url.to_owned(), Arc::clone(&running));
            Local {
                url: url.to_owned(),
                running,
                waiting: Some(tokio::spawn(taking_over)),
            }
        }

        /// Waits until this process has taken over, or cannot.
        pub async fn taken_over(&mut self) {
            if let Some(waiting) = self.waiting.take() {
                // It fails only at the end of the process.
                let _ = waiting.await;
            }
        }

        /// The base address of the hosts.
        pub fn url(&self) -> String {
            self.url.clone()
        }

        async fn database(&self) -> Result<Database, LocalError> {
            let running = self.running.lock().await;
            let running = running.as_ref();
            let database = running.map(|running| running.server.database().clone());
            database.ok_or_else(|| LocalError("another process serves them".to_owned()))
        }

        /// Whether the database has an organisation.
        ///
        /// # Errors
        /// The database failed.
        pub(crate) async fn is_set_up(&self) -> Result<bool, LocalError> {
            let database = self.database().await?;
            let owner = database.owner().await.map_err(failed)?;
            let organizations = accounts::organizations(&owner).await.map_err(failed)?;
            Ok(!organizations.is_empty())
        }

        /// The time zone and the currency of a new organisation, unless others are chosen.
        pub fn place() -> (String, &'static str) {
            (Setup::time_zone(), Setup::CURRENCY)
        }

        /// Creates the organisation with its owner.
        ///
        /// # Errors
        /// The address is invalid, or the database failed. Nothing is created then.
        pub(crate) async fn set_up(&self, first: &FirstOwner) -> Result<(), LocalError> {
            let setup = Setup {
                organization: first.organization.clone(),
                slug: String::new(),
                time_zone: first.time_zone.clone(),
                currency: first.currency.clone(),
                name: first.name.clone(),
                email: first.email.clone(),
                password: first.password.expose().to_owned(),
            };
            let database = self.database().await?;
            let mut owner = database.owner().await.map_err(failed)?;
            accounts::set_up(&mut owner, &setup).await.map_err(failed)?;
            Ok(())
        }

        /// Finishes running calls and closes the database.
        ///
        /// # Errors
        /// The database could not be closed cleanly.
        pub async fn stop(self) -> Result<(), LocalError> {
            if let Some(waiting) = self.waiting {
                waiting.abort();
            }
            let running = self.running.lock().await.take();
            match running {
                Some(running) => running.server.stop().await.map_err(failed),
                None => Ok(()),
            }
        }
    }

    impl Running {
        async fn start(database: &Path, url: &str, lock: File) -> Result<Running, LocalError> {
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
                listen: Listen::Address(listen),
                ..Settings::local(Location::Directory(database.to_owned()))
            };
            let server = Server::start(settings).await.map_err(failed)?;
            Ok(Running {
                server,
                _lock: lock,
            })
        }
    }

    /// Waits for the lock, then serves the hosts, unless another program does.
    async fn take_over(database: PathBuf, url: String, running: Arc<Mutex<Option<Running>>>) {
        let (found, lock) = oneshot::channel();
        let path = database.clone();
        // The process can end while this thread still waits.
        std::thread::spawn(move || {
            let locked =
                lock_file(&path).and_then(|file| file.lock().map(|()| file).map_err(failed));
            // If nobody waits any more, the lock is released.
            let _ = found.send(locked);
        });
        let Ok(lock) = lock.await else { return };
        let taken = async {
            let lock = lock?;
            if !is_served(&url).await {
                *running.lock().await = Some(Running::start(&database, &url, lock).await?);
                tracing::info!(url, "took over the hosts of this machine");
            }
            Ok::<(), LocalError>(())
        };
        if let Err(error) = taken.await {
            tracing::warn!(%error, "cannot take over the hosts of this machine");
        }
    }

    /// The lock, unless another process has it.
    fn try_lock(database: &Path) -> Result<Option<File>, LocalError> {
        let file = lock_file(database)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// The file of the lock, beside the directory.
    fn lock_file(database: &Path) -> Result<File, LocalError> {
        let path = database.with_extension("app.lock");
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(failed)?;
        }
        File::create(path).map_err(failed)
    }

    fn failed(error: impl std::fmt::Display) -> LocalError {
        LocalError(error.to_string())
    }
}

#[cfg(not(feature = "demo"))]
mod absent {
    use std::path::Path;

    use super::FirstOwner;
    use super::LocalError;

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

        pub(super) async fn start_or_wait(
            database: &Path,
            url: &str,
        ) -> Result<Option<Local>, LocalError> {
            match super::is_served(url).await {
                true => Ok(None),
                false => Local::start(database, url).await.map(Some),
            }
        }

        /// The base address of the hosts.
        pub fn url(&self) -> String {
            match *self {}
        }

        pub(crate) async fn is_set_up(&self) -> Result<bool, LocalError> {
            match *self {}
        }

        /// Nothing: no organisation is created here.
        pub fn place() -> (String, &'static str) {
            (String::new(), "")
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
