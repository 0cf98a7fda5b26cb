//! The location of the engine's files.

use std::io;
use std::path::{Path, PathBuf};

use crate::Storage;
use crate::scratch::Scratch;

/// The engine's directory.
#[derive(Debug)]
pub(crate) struct EngineDirectory {
    path: PathBuf,
    /// Owns the directory of a temporary database and removes it when dropped.
    scratch: Option<Scratch>,
}

impl EngineDirectory {
    /// Uses the given directory, or creates a private one.
    pub(crate) fn of(storage: &Storage) -> io::Result<Self> {
        Ok(match storage {
            Storage::Directory(directory) => Self {
                path: directory.clone(),
                scratch: None,
            },
            Storage::Memory => {
                let scratch = Scratch::new(&tempfile::env::temp_dir())?;
                Self {
                    path: scratch.path().join("data"),
                    scratch: Some(scratch),
                }
            }
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether committed data has to outlive the process.
    pub(crate) fn is_durable(&self) -> bool {
        self.scratch.is_none()
    }
}
