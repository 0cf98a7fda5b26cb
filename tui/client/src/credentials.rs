//! Tokens on disk.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::account::Account;
use crate::lock;
use crate::secret::Secret;

/// A token is replaced when less than this is left of it, or less than a tenth of its lifetime.
pub(crate) const MARGIN: SignedDuration = SignedDuration::from_secs(60);

/// What a sign-in brought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Credentials {
    /// The bearer token of every call.
    pub access_token: Secret,
    /// Brings the next access token, once.
    pub refresh_token: Secret,
    /// When the access token ends, by this machine's clock; in the file as Unix seconds.
    #[serde(with = "jiff::fmt::serde::timestamp::second::required")]
    pub expires_at: Timestamp,
    /// How long the access token was to live when it was issued, in seconds.
    pub lifetime: u32,
    /// The base address that issued the tokens; they go nowhere else.
    pub url: String,
    /// Who signed in.
    pub email: String,
    /// The public key of the project, for the identity provider.
    pub api_key: String,
    /// Who that is, as was told last. So the app knows it while no host can be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<Account>,
}

impl Credentials {
    /// Whether the access token has enough time left for a call.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        let tenth = SignedDuration::from_secs(i64::from(self.lifetime)) / 10;
        self.expires_at.duration_since(now) > MARGIN.min(tenth)
    }

    /// Whether the access token still counts at all.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.expires_at > now
    }
}

/// Where credentials are kept.
#[derive(Debug)]
pub struct CredentialStore(Kind);

#[derive(Debug)]
enum Kind {
    File(PathBuf),
    Memory(Mutex<Option<Credentials>>),
}

/// Held while credentials are being replaced.
#[derive(Debug)]
pub(crate) struct StoreLock {
    _file: Option<std::fs::File>,
}

impl CredentialStore {
    /// In this file, readable by its owner only; [`crate::paths`] knows the usual place.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        CredentialStore(Kind::File(path.into()))
    }

    /// Nowhere: they end with the process.
    pub fn memory() -> Self {
        CredentialStore(Kind::Memory(Mutex::new(None)))
    }

    /// What is kept, if anything.
    ///
    /// # Errors
    /// The file is there but cannot be read, or does not hold credentials.
    pub fn load(&self) -> io::Result<Option<Credentials>> {
        match &self.0 {
            Kind::File(path) => match std::fs::read(path) {
                // The parser's message would show what it read.
                Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|_| {
                    io::Error::new(
                        io::ErrorKind::InvalidData,
                        format!("{} does not hold credentials", path.display()),
                    )
                }),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            },
            Kind::Memory(kept) => Ok(kept.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        }
    }

    /// Keeps these instead of what was kept, in one step.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, credentials: &Credentials) -> io::Result<()> {
        match &self.0 {
            Kind::File(path) => lock::replace(path, &serde_json::to_vec_pretty(credentials)?),
            Kind::Memory(kept) => {
                *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(credentials.clone());
                Ok(())
            }
        }
    }

    /// Forgets what is kept.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn clear(&self) -> io::Result<()> {
        match &self.0 {
            Kind::File(path) => match std::fs::remove_file(path) {
                Ok(()) => lock::sync_directory(lock::parent(path)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                Err(error) => Err(error),
            },
            Kind::Memory(kept) => {
                *kept.lock().unwrap_or_else(PoisonError::into_inner) = None;
                Ok(())
            }
        }
    }

    /// The cookie by which a service knows this machine for an account. A sign-out leaves it.
    ///
    /// # Errors
    /// The file is there but cannot be read.
    pub(crate) fn device(&self, account: &str) -> io::Result<Option<Secret>> {
        Ok(self.devices()?.remove(account))
    }

    /// Keeps the cookie by which a service knows this machine for an account.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn keep_device(&self, account: &str, cookie: Secret) -> io::Result<()> {
        let Kind::File(path) = &self.0 else {
            return Ok(());
        };
        let mut devices = self.devices().unwrap_or_default();
        devices.insert(account.to_owned(), cookie);
        lock::replace(
            &path.with_extension("devices.json"),
            &serde_json::to_vec_pretty(&devices)?,
        )
    }

    fn devices(&self) -> io::Result<BTreeMap<String, Secret>> {
        let Kind::File(path) = &self.0 else {
            return Ok(BTreeMap::new());
        };
        match std::fs::read(path.with_extension("devices.json")) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeMap::new()),
            Err(error) => Err(error),
        }
    }

    /// Keeps other processes from replacing what is kept. Waits at most this long.
    pub(crate) async fn lock(&self, limit: Duration) -> io::Result<StoreLock> {
        let file = match &self.0 {
            Kind::File(path) => Some(lock::lock_within(&lock::beside(path), limit).await?),
            Kind::Memory(_) => None,
        };
        Ok(StoreLock { _file: file })
    }
}
