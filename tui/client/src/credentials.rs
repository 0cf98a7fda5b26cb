//! Stored tokens.

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

/// A token is refreshed if less than this, or less than a tenth of its lifetime, is left.
pub(crate) const MARGIN: SignedDuration = SignedDuration::from_secs(60);

/// The result of a sign-in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Credentials {
    /// The bearer token for calls.
    pub access_token: Secret,
    /// Refreshes the access token. It works once.
    pub refresh_token: Secret,
    /// Expiry of the access token by this machine's clock; stored as Unix seconds.
    #[serde(with = "jiff::fmt::serde::timestamp::second::required")]
    pub expires_at: Timestamp,
    /// Lifetime of the access token at issue, in seconds.
    pub lifetime: u32,
    /// The base address of the issuer. The tokens are only sent there.
    pub url: String,
    /// The e-mail address used to sign in.
    pub email: String,
    /// The public key of the project, for the identity provider.
    pub api_key: String,
    /// The account as last fetched, so it is known while no host can be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<Account>,
}

impl Credentials {
    /// Whether the access token lasts long enough for a call.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        let tenth = SignedDuration::from_secs(i64::from(self.lifetime)) / 10;
        self.expires_at.duration_since(now) > MARGIN.min(tenth)
    }

    /// Whether the access token has not expired.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.expires_at > now
    }
}

/// The storage of credentials.
#[derive(Debug)]
pub struct CredentialStore(Kind);

#[derive(Debug)]
enum Kind {
    File(PathBuf),
    Memory(Box<Mutex<Option<Credentials>>>),
}

/// Held while credentials are replaced.
#[derive(Debug)]
pub(crate) struct StoreLock {
    _file: Option<std::fs::File>,
}

impl CredentialStore {
    /// In this file, readable only by its owner; [`crate::paths`] has the default path.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        CredentialStore(Kind::File(path.into()))
    }

    /// In memory: the credentials end with the process.
    pub fn memory() -> Self {
        CredentialStore(Kind::Memory(Box::new(Mutex::new(None))))
    }

    /// The stored credentials, if any.
    ///
    /// # Errors
    /// The file exists but cannot be read, or is invalid.
    pub fn load(&self) -> io::Result<Option<Credentials>> {
        match &self.0 {
            Kind::File(path) => match std::fs::read(path) {
                // The parser's message would contain parts of the tokens.
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

    /// Replaces the stored credentials atomically.
    ///
    /// # Errors
    /// The file could not be written.
    pub fn save(&self, credentials: &Credentials) -> io::Result<()> {
        match &self.0 {
            Kind::File(path) => lock::replace(path, &serde_json::to_vec_pretty(credentials)?),
            Kind::Memory(kept) => {
                *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(credentials.clone());
                Ok(())
            }
        }
    }

    /// Deletes the stored credentials.
    ///
    /// # Errors
    /// The file could not be removed.
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

    /// The cookie that identifies this machine for an account. It survives a sign-out.
    ///
    /// # Errors
    /// The file exists but cannot be read.
    pub(crate) fn device(&self, account: &str) -> io::Result<Option<Secret>> {
        Ok(self.devices()?.remove(account))
    }

    /// Stores the cookie that identifies this machine for an account.
    ///
    /// # Errors
    /// The file could not be written.
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

    /// Locks the store against other processes. Waits at most `limit`.
    pub(crate) async fn lock(&self, limit: Duration) -> io::Result<StoreLock> {
        let file = match &self.0 {
            Kind::File(path) => Some(lock::lock_within(&lock::beside(path), limit).await?),
            Kind::Memory(_) => None,
        };
        Ok(StoreLock { _file: file })
    }
}
