//! Screens beside their stored files.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use ratatui::buffer::Buffer;
use similar::TextDiff;

use super::screen::Format;

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// As expected.
    Passed,
    /// These files were written.
    Updated(Vec<PathBuf>),
    /// Why it failed.
    Failed(String),
}

/// Lines around a difference.
const CONTEXT: usize = 2;
/// Lines of a difference, at most: a screen that is another one differs everywhere.
const LONGEST: usize = 120;

/// Compares a screen with files; with `updates`, writes those that differ.
///
/// # Errors
/// A file cannot be read or written.
pub(super) fn keep(
    screen: &Buffer,
    files: &[(PathBuf, Format)],
    updates: bool,
) -> io::Result<Outcome> {
    let mut differing = Vec::new();
    for (path, format) in files {
        let played = format.write(screen);
        let stored = read(path).map_err(|error| named(path, &error))?;
        if stored.as_deref() == Some(&played) {
            continue;
        }
        if updates {
            write(path, &played).map_err(|error| named(path, &error))?;
        }
        differing.push((path, stored, played));
    }
    let paths: Vec<PathBuf> = differing
        .iter()
        .map(|(path, ..)| path.to_path_buf())
        .collect();
    let Some((path, stored, played)) = differing.first() else {
        return Ok(Outcome::Passed);
    };
    if updates {
        return Ok(Outcome::Updated(paths));
    }
    let names: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let names = names.join(", ");
    Ok(Outcome::Failed(match stored {
        None => format!("not stored: {names}; --update stores the screen"),
        Some(stored) => format!(
            "differs from {names}; --update stores the new screen\n{}",
            difference(path, stored, played)
        ),
    }))
}

/// The file's text; `None` if it does not exist.
fn read(path: &Path) -> io::Result<Option<String>> {
    match fs::read(path) {
        // A file that is no text differs.
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The difference of two texts, as `diff -u` shows it. Escape sequences begin with `␛`.
fn difference(path: &Path, stored: &str, played: &str) -> String {
    let [stored, played] = [stored, played].map(|text| text.replace('\x1b', "␛"));
    let diff = TextDiff::from_lines(&stored, &played);
    let text = diff
        .unified_diff()
        .context_radius(CONTEXT)
        .header(&format!("{} (stored)", path.display()), "the screen played")
        .to_string();
    let mut lines: Vec<&str> = text.lines().collect();
    let more = lines.len().saturating_sub(LONGEST);
    lines.truncate(LONGEST);
    let rest = match more {
        0 => String::new(),
        1 => "\n… 1 more line".to_owned(),
        more => format!("\n… {more} more lines"),
    };
    lines.join("\n") + &rest
}
