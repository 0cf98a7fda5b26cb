//! A backup before an older schema is migrated: migrations only go forward.

use std::fs::DirBuilder;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::dump::write_file;
use super::{BackupError, TIME};
use crate::database::{Database, Location, needed, versions};

/// Backs the database up into a new file of the directory if it has an older schema than this program; otherwise returns
/// `None`. [`super::keep`] leaves such a file alone. `stop` interrupts it.
///
/// # Errors
/// [`BackupError`]; if the database cannot be opened, that is left to the start, which says why.
pub async fn before_migrating(
    location: &Location,
    directory: &Path,
    at: Timestamp,
    stop: impl Future<Output = ()>,
) -> Result<Option<PathBuf>, BackupError> {
    let missing = match location {
        Location::Memory => return Ok(None),
        Location::Directory(_) | Location::Server { .. } => Database::missing(location).await,
    };
    let Ok(missing) = missing else {
        return Ok(None);
    };
    if missing.is_empty() || missing.len() == versions().len() {
        return Ok(None);
    }
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let created = builder.recursive(true).create(directory);
    created.map_err(|error| BackupError::at(directory, error))?;
    let name = format!("before-schema-{}-{}.gz", needed(), at.strftime(TIME));
    let file = directory.join(name);
    write_file(location, &file, stop).await?;
    Ok(Some(file))
}
