//! Saved filters: named arguments of list tools, one file for each account.

use std::io;
use std::path::PathBuf;

use frontdesk_protocol::id::UserId;

use crate::presets::{Kept, Preset, Presets};

/// The saved filters in one directory. All methods are short but access the disk: call them where blocking is allowed.
#[derive(Debug, Clone)]
pub struct SavedFilters {
    directory: PathBuf,
}

impl SavedFilters {
    /// The filters in this directory, which is created on demand; [`crate::paths`] has the default path.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        SavedFilters {
            directory: directory.into(),
        }
    }

    /// All filters of an account, sorted by name.
    ///
    /// # Errors
    /// The file or its directory cannot be read.
    pub fn of(&self, account: UserId) -> io::Result<Kept> {
        self.file(account).all()
    }

    /// Saves a filter, replacing one of the same list with the same name. Returns all filters.
    ///
    /// # Errors
    /// The file could not be written; it is unchanged.
    pub fn save(&self, account: UserId, filter: &Preset) -> io::Result<Kept> {
        let file = self.file(account);
        let aside = file.save(filter)?.aside;
        let all = file.all()?;
        Ok(Kept { aside, ..all })
    }

    /// Removes a filter. Returns those that are left.
    ///
    /// # Errors
    /// The file could not be written; it is unchanged.
    pub fn remove(&self, account: UserId, filter: &Preset) -> io::Result<Kept> {
        let file = self.file(account);
        file.remove(&filter.peer, &filter.tool, &filter.name)?;
        file.all()
    }

    fn file(&self, account: UserId) -> Presets {
        Presets::new(self.directory.join(format!("{}.json", account.0)))
    }
}
