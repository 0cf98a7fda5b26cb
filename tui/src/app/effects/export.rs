//! Exported files: always new, never replacing an existing one.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::job::{Failure, Job, Lost};
use super::platform::Platform;
use crate::app::reporter::Reporter;
use crate::look::text::fold;

/// Maximum length of a slug in letters.
const LONGEST_NAME: usize = 40;

/// The words as a part of a file name: lower-case letters and digits, separated by dashes.
pub(crate) fn slug(words: &str) -> String {
    let mut name = String::new();
    for char in fold(words).chars() {
        match char {
            char if char.is_ascii_alphanumeric() => name.push(char),
            _ if name.is_empty() || name.ends_with('-') => {}
            _ => name.push('-'),
        }
        if name.len() == LONGEST_NAME {
            break;
        }
    }
    name.trim_matches('-').to_owned()
}

/// A file could not be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub(crate) struct ExportError {
    /// The path of the file.
    pub(crate) path: PathBuf,
    /// The error of the system.
    pub(crate) reason: String,
}

impl From<Lost> for ExportError {
    fn from(lost: Lost) -> Self {
        ExportError {
            path: PathBuf::from("."),
            reason: lost.to_string(),
        }
    }
}

impl Failure for ExportError {}

/// Writes a new file with this name, or a similar unused one, and returns its path.
#[derive(Debug)]
pub(crate) struct Export {
    pub(crate) name: String,
    pub(crate) contents: Vec<u8>,
}

impl Job for Export {
    type Value = PathBuf;
    type Error = ExportError;
    const WRITES: bool = true;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<PathBuf, ExportError> {
        let (name, contents) = (self.name.clone(), self.contents.clone());
        export(platform.exports, name, contents).await
    }
}

/// Writes a new file with this name, or a similar unused one, to the first of these directories
/// that accepts it. Returns its path.
///
/// # Errors
/// No directory accepts it; the error of the first.
pub(crate) async fn export(
    directories: Vec<PathBuf>,
    name: String,
    contents: Vec<u8>,
) -> Result<PathBuf, ExportError> {
    let first = directories.first().cloned().unwrap_or_default();
    let failed = |reason: String| ExportError {
        path: first.join(&name),
        reason,
    };
    let (file, written) = (name.clone(), contents);
    let work = move || {
        let mut error = None;
        for directory in &directories {
            match write_new(directory, &file, &written) {
                Ok(path) => return Ok(path),
                Err(why) => drop(error.get_or_insert(why)),
            }
        }
        Err(error.unwrap_or_else(|| io::Error::other("there is no directory for it")))
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result.map_err(|error| failed(error.to_string())),
        Err(error) => Err(failed(error.to_string())),
    }
}

fn write_new(directory: &Path, name: &str, contents: &[u8]) -> io::Result<PathBuf> {
    std::fs::create_dir_all(directory)?;
    crate::files::write_beside(&directory.join(name), contents)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn export_to(directories: &[&Path], text: &str) -> Result<PathBuf, ExportError> {
        let directories = directories.iter().map(|path| path.to_path_buf()).collect();
        export(directories, "plan.json".to_owned(), text.into()).await
    }

    #[tokio::test]
    async fn nothing_is_written_over() {
        let here = tempfile::tempdir().expect("a directory");
        let one = export_to(&[here.path()], "one").await.expect("is written");
        let two = export_to(&[here.path()], "two").await.expect("is written");
        assert_eq!(one, here.path().join("plan.json"));
        assert_eq!(two, here.path().join("plan-2.json"));
        let read = |path: &Path| std::fs::read_to_string(path).expect("is there");
        assert_eq!((read(&one), read(&two)), ("one".into(), "two".into()));
    }

    #[tokio::test]
    async fn where_one_directory_takes_nothing_another_may() {
        let here = tempfile::tempdir().expect("a directory");
        let file = here.path().join("file");
        std::fs::write(&file, "").expect("is written");
        let there = here.path().join("data");
        let path = export_to(&[&file, &there], "text")
            .await
            .expect("is written");
        assert_eq!(path, there.join("plan.json"));
        let error = export_to(&[&file], "text")
            .await
            .expect_err("is no directory");
        assert_eq!(error.path, file.join("plan.json"));
    }
}
