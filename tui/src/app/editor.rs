//! The person's own editor: a text goes out in a file, and comes back changed.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, ExitStatus};

use tempfile::NamedTempFile;

/// What shells say where there is no such program.
const NOT_FOUND: i32 = 127;

/// A text that is to be edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Draft {
    pub(crate) text: String,
    /// How the file's name ends, by which editors know what it is: `.json`.
    pub(crate) suffix: &'static str,
}

/// A text was not edited. It is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EditorError {
    /// Nobody said which.
    #[error("neither $VISUAL nor $EDITOR names an editor")]
    NotSet,
    /// It does not start.
    #[error("the editor `{0}` cannot be started: {1}")]
    NotStarted(String, String),
    /// It says that it failed, or that the text is to stay as it was.
    #[error("the editor `{0}` ended with {1}; the text is as it was")]
    Failed(String, String),
    /// There is no file to edit in.
    #[error("the file for the editor: {0}")]
    File(String),
    /// What came back is no text. It is kept.
    #[error("what the editor wrote is no text; it is in {}", .0.display())]
    NotText(PathBuf),
}

/// The command of the editor that these variables name: `VISUAL`, else `EDITOR`.
pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(variable)
        .find(|command| !command.trim().is_empty())
}

/// Lets the text be edited with this command, in a file that only its owner can read and that is gone
/// afterwards. A line feed at the end that the editor added is taken away.
///
/// # Errors
/// The editor cannot be started, or failed, or what it wrote is no text.
pub(crate) async fn edit(command: Option<&str>, draft: &Draft) -> Result<String, EditorError> {
    let command = command.ok_or(EditorError::NotSet)?;
    let wrong = |error: io::Error| EditorError::File(error.to_string());
    let file = write(draft).map_err(wrong)?;
    let mut editor = started_with(command);
    editor.arg(file.path());
    // It has this process's terminal, and a thread waits for its end.
    let status = tokio::task::spawn_blocking(move || editor.status());
    let status = status
        .await
        .unwrap_or_else(|error| Err(io::Error::other(error)));
    let status =
        status.map_err(|error| EditorError::NotStarted(command.to_owned(), error.to_string()))?;
    if !status.success() {
        return Err(failed(command, status));
    }
    // By its name: editors put another file in its place.
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
    // Created with mode 0600 where there are modes.
    let mut file = tempfile::Builder::new()
        .prefix("frontdesk-")
        .suffix(draft.suffix)
        .tempfile()?;
    file.write_all(draft.text.as_bytes())?;
    file.flush()?;
    Ok(file)
}

/// The command with its own arguments; the shell reads it, as other programs do.
#[cfg(unix)]
fn started_with(command: &str) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell
        .arg("-c")
        .arg(format!("{command} \"$@\""))
        .arg(command);
    shell
}

/// The command with its own arguments, which hold no spaces.
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

    /// What an editor that is this script makes of the text.
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
        // The line feed with which editors end a file is not the person's; one that was there is.
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
        let error = edited(script, "text").await.expect_err("is no text");
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
