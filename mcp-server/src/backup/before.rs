//! A backup before an older schema is migrated: migrations only go forward.

use std::fs::DirBuilder;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::dump::write_new;
use super::{BackupError, TIME};
use crate::database::{Database, Location, Raw, needed};

/// Opens the database as [`Database::open`]. One with an older schema than this program is first backed up into a new file
/// of the directory, which is returned, too; [`super::keep`] leaves such a file alone. Without a directory there is no backup.
///
/// # Errors
/// [`BackupError::Open`] if the database cannot be opened, [`BackupError::Before`] if it was not migrated, since its backup
/// failed.
pub async fn open_backed_up(
    location: &Location,
    connections: usize,
    directory: Option<&Path>,
    at: Timestamp,
) -> Result<(Database, Option<PathBuf>), BackupError> {
    let mut file = None;
    let database = Database::open_after(location, connections, async |raw: &Raw| {
        if let Some(directory) = directory
            && let Some(made) = back_up(raw, directory, at)
                .await
                .map_err(|error| BackupError::Before(Box::new(error)))?
        {
            file = Some(made);
        }
        Ok::<_, BackupError>(())
    })
    .await?;
    Ok((database, file))
}

async fn back_up(
    raw: &Raw,
    directory: &Path,
    at: Timestamp,
) -> Result<Option<PathBuf>, BackupError> {
    if !raw.is_prepared().await? {
        return Ok(None);
    }
    raw.become_owner().await?;
    let missing = raw.missing().await?;
    let is_older = !missing.is_new && !missing.names.is_empty();
    let file = match is_older {
        true => {
            let mut builder = DirBuilder::new();
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            let created = builder.recursive(true).create(directory);
            created.map_err(|error| BackupError::at(directory, error))?;
            let name = format!("before-schema-{}-{}.gz", needed(), at.strftime(TIME));
            let file = directory.join(name);
            raw.client().batch_execute("reset role").await?;
            write_new(raw, &file).await?;
            Some(file)
        }
        false => None,
    };
    raw.client().batch_execute("reset role; reset all").await?;
    Ok(file)
}
