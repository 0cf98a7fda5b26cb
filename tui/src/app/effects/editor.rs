//! Editing a text in the user's own editor, in a temporary file.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, ExitStatus};

use tempfile::NamedTempFile;

/// The exit code of shells for a missing program.
const NOT_FOUND: i32 = 127;

/// A text to edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Draft {
    pub(crate) text: String,
    /// The extension of the file, by which editors recognise its type: `.json`.
    pub(crate) suffix: &'static str,
}

/// The text was not edited and is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EditorError {
    /// No editor is configured.
    #[error("neither $VISUAL nor $EDITOR names an editor")]
    NotSet,
    /// The editor could not be started.
    #[error("the editor `{0}` cannot be started: {1}")]
    NotStarted(String, String),
    /// The editor reported an error, or that the text must stay unchanged.
    #[error("the editor `{0}` ended with {1}; the text is unchanged")]
    Failed(String, String),
    /// The temporary file could not be used.
    #[error("the file for the editor: {0}")]
    File(String),
    /// The result is not valid text. The file is kept.
    #[error("the editor's result is not text; it is in {}", .0.display())]
    NotText(PathBuf),
}

/// The editor command in the variable `VISUAL`, otherwise in `EDITOR`.
pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(variable)
        .find(|command| !command.trim().is_empty())
}

/// Edits the text with this command, in a temporary file that only its owner can read. A line feed
/// that the editor added at the end is removed.
///
/// # Errors
/// The editor cannot be started or fails, or its result is not valid text.
pub(crate) async fn edit(command: Option<&str>, draft: &Draft) -> Result<String, EditorError> {
    let command = command.ok_or(EditorError::NotSet)?;
    let wrong = |error: io::Error| EditorError::File(error.to_string());
    let file = write(draft).map_err(wrong)?;
    let mut editor = started_with(command);
    editor.arg(file.path());
    // It uses this process's terminal, and a thread waits for its end.
    let status = tokio::task::spawn_blocking(move || editor.status());
    let status = status
        .await
        .unwrap_or_else(|error| Err(io::Error::other(error)));
    let status =
        status.map_err(|error| EditorError::NotStarted(command.to_owned(), error.to_string()))?;
    if !status.success() {
        return Err(failed(command, status));
    }
    // By its name, because editors replace the file.
    let bytes = std::fs::read(file.path()).map_err(wrong)?;
    let Ok(mut text) = String::from_utf8(bytes) else {
        let (_, path) = file.keep().map_err(|error| wrong(error.error))?;
        return Err(EditorError::NotText(path));
    };
    if !draft.text.ends_with('\n') && text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    Ok(text)
}

fn write(draft: &Draft) -> io::Result<NamedTempFile> {
    // Created with mode 0600 on Unix.
    let mut file = tempfile::Builder::new()
        .prefix("frontdesk-")
        .suffix(draft.suffix)
        .tempfile()?;
    file.write_all(draft.text.as_bytes())?;
    file.flush()?;
    Ok(file)
}

/// The command with its arguments, interpreted by the shell as in other programs.
#[cfg(unix)]
fn started_with(command: &str) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell
        .arg("-c")
        .arg(format!("{command} \"$@\""))
        .arg(command);
    shell
}

/// The command with its arguments, which must not contain spaces.
#[cfg(not(unix))]
fn started_with(command: &str) -> Command {
    let mut words = command.split_whitespace();
    let mut program = Command::new(words.next().unwrap_or_default());
    program.args(words);
    program
}

fn failed(command: &str, status: ExitStatus) -> EditorError {
    match status.code() {
        Some(NOT_FOUND) => {
            EditorError::NotStarted(command.to_owned(), "there is no such program".to_owned())
        }
        Some(code) => EditorError::Failed(command.to_owned(), format!("status {code}")),
        None => EditorError::Failed(command.to_owned(), "a signal".to_owned()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn draft(text: &str) -> Draft {
        Draft {
            text: text.to_owned(),
            suffix: ".md",
        }
    }

    /// The result of an editor that runs this script.
    async fn edited(script: &str, text: &str) -> Result<String, EditorError> {
        let command = format!("sh -c '{script}' editor");
        edit(Some(&command), &draft(text)).await
    }

    #[tokio::test]
    async fn a_text_goes_out_and_comes_back() {
        let text = edited(
            "tr a-z A-Z <\"$1\" >\"$1.new\"; mv \"$1.new\" \"$1\"",
            "two\nlines",
        )
        .await;
        assert_eq!(text.as_deref(), Ok("TWO\nLINES"));
        // A final line feed added by the editor is removed; an existing one is kept.
        let added = "echo >>\"$1\"";
        assert_eq!(edited(added, "text").await.as_deref(), Ok("text"));
        assert_eq!(edited("true", "text\n").await.as_deref(), Ok("text\n"));
        assert_eq!(edited(": >\"$1\"", "text").await.as_deref(), Ok(""));
    }

    #[tokio::test]
    async fn the_file_is_the_owners_and_is_gone_afterwards() {
        let place = tempfile::tempdir().expect("a directory");
        let told = place.path().join("told");
        let script = format!("echo \"$1\" >{0}; stat -c %a \"$1\" >>{0}", told.display());
        edited(&script, "secret").await.expect("is edited");
        let told = std::fs::read_to_string(told).expect("is told");
        let (path, mode) = told.trim().split_once('\n').expect("two lines");
        assert_eq!(mode, "600");
        assert!(path.ends_with(".md"), "{path}");
        assert!(!std::path::Path::new(path).exists());
    }

    #[tokio::test]
    async fn an_editor_that_fails_says_so() {
        let failed = edited("exit 3", "text").await.expect_err("it failed");
        assert!(failed.to_string().contains("status 3"), "{failed}");
        let missing = edit(Some("no-such-editor --wait"), &draft("text")).await;
        let missing = missing.expect_err("there is none").to_string();
        assert_eq!(
            missing,
            "the editor `no-such-editor --wait` cannot be started: there is no such program"
        );
        assert_eq!(edit(None, &draft("")).await, Err(EditorError::NotSet));
    }

    #[tokio::test]
    async fn what_is_no_text_is_kept() {
        let script = "printf \"\\\\377\" >\"$1\"";
        let error = edited(script, "text").await.expect_err("is not text");
        let EditorError::NotText(path) = error else {
            panic!("{error}");
        };
        let mode = std::fs::metadata(&path).expect("is there").permissions();
        assert_eq!(mode.mode() & 0o777, 0o600);
        std::fs::remove_file(path).expect("is there");
    }

    #[test]
    fn visual_comes_before_editor_and_nothing_is_no_editor() {
        let of = |visual: &str, editor: &str| {
            let pairs = [("VISUAL", visual.to_owned()), ("EDITOR", editor.to_owned())];
            from_environment(move |name| {
                let pair = pairs.iter().find(|(one, _)| *one == name);
                pair.map(|(_, value)| value.clone())
            })
        };
        assert_eq!(of("code --wait", "vi").as_deref(), Some("code --wait"));
        assert_eq!(of(" ", "vi").as_deref(), Some("vi"));
        assert_eq!(of("", ""), None);
    }
}
