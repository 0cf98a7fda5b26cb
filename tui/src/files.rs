//! Files that are written for people: never over another file unless they say so, through a link, or into a device.

use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// The most files of one name.
const MOST_NAMES: usize = 1_000;

/// Whether a file can be written here; an existing one only if `overwrite`.
///
/// # Errors
/// The file exists, or is a link, a directory, a device or a pipe.
pub fn check(path: &Path, overwrite: bool) -> Result<()> {
    match std::fs::symlink_metadata(path) {
        Err(_) => Ok(()),
        Ok(found) if !found.is_file() => Err(Error::other("it is not a regular file")),
        Ok(_) if overwrite => Ok(()),
        Ok(_) => Err(Error::new(
            ErrorKind::AlreadyExists,
            "it exists; give another name, or --overwrite",
        )),
    }
}

/// A file beside the path, so that nothing half-written is ever there. Only its owner can read it.
///
/// # Errors
/// The directory accepts no file.
pub fn temporary(path: &Path) -> Result<NamedTempFile> {
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    let above = above.unwrap_or(Path::new("."));
    // The other error names the temporary file.
    std::fs::metadata(above)?;
    NamedTempFile::new_in(above).map_err(|error| Error::from(error.kind()))
}

/// Gives the file its name. Another file of this name leaves its permissions.
///
/// # Errors
/// As [`check`], or the file could not be renamed.
pub fn keep(file: NamedTempFile, path: &Path, overwrite: bool) -> Result<()> {
    check(path, overwrite)?;
    if !overwrite {
        return file
            .persist_noclobber(path)
            .map(drop)
            .map_err(|error| error.error);
    }
    if let Ok(before) = std::fs::metadata(path) {
        file.as_file().set_permissions(before.permissions())?;
    }
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Writes a file.
///
/// # Errors
/// As [`keep`].
pub fn write(path: &Path, contents: &[u8], overwrite: bool) -> Result<()> {
    let mut file = temporary(path)?;
    file.write_all(contents)?;
    file.as_file().sync_all()?;
    keep(file, path, overwrite)
}

/// Writes a file beside those of its name: `guests-2.csv`. One with the same contents is left. Returns its path.
///
/// # Errors
/// As [`keep`].
pub fn write_beside(path: &Path, contents: &[u8]) -> Result<PathBuf> {
    let part =
        |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, ending) = (part(path.file_stem()), part(path.extension()));
    for number in 1..=MOST_NAMES {
        let path = match (number, ending.as_str()) {
            (1, _) => path.to_owned(),
            (number, "") => path.with_file_name(format!("{stem}-{number}")),
            (number, ending) => path.with_file_name(format!("{stem}-{number}.{ending}")),
        };
        match std::fs::symlink_metadata(&path) {
            Ok(found)
                if found.is_file() && std::fs::read(&path).is_ok_and(|there| there == contents) =>
            {
                return Ok(path);
            }
            Ok(_) => {}
            Err(_) => match write(&path, contents, false) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                written => return written.map(|()| path),
            },
        }
    }
    Err(Error::new(
        ErrorKind::AlreadyExists,
        "there are too many files of this name",
    ))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn what_is_there_stays() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = |name: &str| directory.path().join(name);
        let text = |name: &str| std::fs::read_to_string(path(name)).expect(name);
        let mode = |name: &str| {
            let found = std::fs::metadata(path(name)).expect(name);
            found.permissions().mode() & 0o777
        };
        write(&path("new"), b"1", false).expect("written");
        assert_eq!((text("new"), mode("new")), ("1".to_owned(), 0o600));
        let there = write(&path("new"), b"2", false).expect_err("it exists");
        assert_eq!(
            there.to_string(),
            "it exists; give another name, or --overwrite"
        );
        std::fs::set_permissions(path("new"), PermissionsExt::from_mode(0o640)).expect("a mode");
        write(&path("new"), b"2", true).expect("written");
        assert_eq!((text("new"), mode("new")), ("2".to_owned(), 0o640));
        symlink(path("new"), path("link")).expect("a link");
        for other in [
            path("link"),
            PathBuf::from("/dev/full"),
            directory.path().to_owned(),
        ] {
            let refused = write(&other, b"3", true).expect_err("no file");
            assert_eq!(refused.to_string(), "it is not a regular file", "{other:?}");
        }
        assert_eq!(text("new"), "2");
        for (contents, name) in [("2", "new"), ("3", "new-2"), ("4", "new-3"), ("3", "new-2")] {
            let written = write_beside(&path("new"), contents.as_bytes()).expect("written");
            assert_eq!((written, text(name)), (path(name), contents.to_owned()));
        }
    }
}
