//! Backups in a directory, of which the newest are kept.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::{BackupError, TIME};

const PREFIX: &str = "frontdesk-";
const SUFFIX: &str = ".gz";

/// The name of a backup that is made at this time.
pub fn name(at: Timestamp) -> String {
    format!("{PREFIX}{}{SUFFIX}", at.strftime(TIME))
}

/// Removes all but this many of the newest backups in the directory, and returns their paths. Files with other names stay.
///
/// # Errors
/// [`BackupError::Path`] if the directory cannot be read, or a file cannot be removed.
pub fn keep(directory: &Path, most: usize) -> Result<Vec<PathBuf>, BackupError> {
    let at = |error| BackupError::at(directory, error);
    let mut backups = Vec::new();
    for entry in fs::read_dir(directory).map_err(at)? {
        let entry = entry.map_err(at)?;
        if is_name(&entry.file_name().to_string_lossy()) && entry.file_type().map_err(at)?.is_file()
        {
            backups.push(entry.path());
        }
    }
    backups.sort_unstable();
    backups.truncate(backups.len().saturating_sub(most));
    for backup in &backups {
        fs::remove_file(backup).map_err(|error| BackupError::at(backup, error))?;
    }
    Ok(backups)
}

/// Whether a file has a name as [`name`] gives it.
fn is_name(text: &str) -> bool {
    let time = text
        .strip_prefix(PREFIX)
        .and_then(|rest| rest.strip_suffix(SUFFIX));
    time.is_some_and(|time| jiff::civil::DateTime::strptime(TIME, time).is_ok())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_kept_and_nothing_else_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let hours = |hour: i64| name(Timestamp::from_second(1_800_000_000 + hour * 3600).unwrap());
        for at in [3, 1, 2, 4] {
            fs::write(place.path().join(hours(at)), "").unwrap();
        }
        for other in [
            "frontdesk-2026-11-23.gz",
            "frontdesk-before the move.gz",
            "notes",
        ] {
            fs::write(place.path().join(other), "").unwrap();
        }
        let removed = keep(place.path(), 2).unwrap();
        assert_eq!(removed, [1, 2].map(|at| place.path().join(hours(at))));
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 5);
        assert!(keep(place.path(), 2).unwrap().is_empty());
    }
}
