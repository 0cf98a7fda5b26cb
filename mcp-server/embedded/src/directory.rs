//! The location of the engine's files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use crate::scratch::Scratch;
use crate::{Error, Storage, place};

/// The engine's directory.
#[derive(Debug)]
pub(crate) struct EngineDirectory {
    path: PathBuf,
    /// The directory that was asked for.
    requested: PathBuf,
    /// Owns the directory of a temporary database and removes it when dropped.
    scratch: Option<Scratch>,
}

impl EngineDirectory {
    /// Uses the given directory, or creates a private one.
    pub(crate) fn of(storage: &Storage) -> Result<Self, Error> {
        let private = || Self::private().map_err(|error| Error::Directory(Arc::new(error)));
        Ok(match storage {
            Storage::Directory(directory) => Self {
                path: place::prepare(directory).map_err(|error| match error {
                    Error::InUse { .. } => Error::in_use(directory),
                    error => error,
                })?,
                requested: directory.clone(),
                scratch: None,
            },
            Storage::Memory => private()?,
            Storage::CopyOf(directory) => {
                let private = private()?;
                copy(&place::root(directory), &private.path, &|| false)
                    .map_err(|error| Error::Copy(Arc::new(error)))?;
                private
            }
        })
    }

    fn private() -> io::Result<Self> {
        let scratch = Scratch::new(&tempfile::env::temp_dir())?;
        let path = scratch.path().join("data");
        Ok(Self {
            requested: path.clone(),
            path,
            scratch: Some(scratch),
        })
    }

    /// The directory that was asked for: the engine's can be one below it.
    pub(crate) fn requested(&self) -> &Path {
        &self.requested
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Copies the files to a directory that does not exist, until nobody wants them.
    pub(crate) fn copy_to(&self, to: &Path, is_unwanted: &dyn Fn() -> bool) -> io::Result<()> {
        copy(&self.path, to, is_unwanted)
    }

    /// Whether committed data has to outlive the process.
    pub(crate) fn is_durable(&self) -> bool {
        self.scratch.is_none()
    }
}

fn copy(from: &Path, to: &Path, is_unwanted: &dyn Fn() -> bool) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if is_unwanted() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &target, is_unwanted)?,
            false => fs::copy(entry.path(), target).map(drop)?,
        }
    }
    Ok(())
}
