//! The location of the engine's files.

use std::io;
use std::path::{Path, PathBuf};

use crate::Storage;
use crate::scratch::Scratch;

/// The engine's directory.
#[derive(Debug)]
pub(crate) struct Place {
    directory: PathBuf,
    /// Owns the directory of a temporary database and removes it when dropped.
    scratch: Option<Scratch>,
}

impl Place {
    /// Uses the given directory, or creates a private one.
    pub(crate) fn of(storage: &Storage) -> io::Result<Self> {
        Ok(match storage {
            Storage::Directory(directory) => Self {
                directory: directory.clone(),
                scratch: None,
            },
            Storage::Memory => {
                let scratch = Scratch::new(&tempfile::env::temp_dir())?;
                Self {
                    directory: scratch.path().join("data"),
                    scratch: Some(scratch),
                }
            }
        })
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Whether committed data has to outlive the process.
    pub(crate) fn is_durable(&self) -> bool {
        self.scratch.is_none()
    }
}
