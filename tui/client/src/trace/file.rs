//! A trace as a file: a message is a line of JSON.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::{Direction, Kind, Message};

/// The open file.
#[derive(Debug)]
pub(super) struct Lines(Mutex<Option<File>>);

/// A message as written.
#[derive(Serialize, Deserialize)]
struct Line {
    at: Timestamp,
    server: String,
    direction: Direction,
    kind: Kind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<Box<RawValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    took_ms: Option<f64>,
    bytes: usize,
    /// The message, or a text that is not JSON.
    message: Box<RawValue>,
}

/// Why a trace cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] io::Error),
    /// A line is no message of a trace.
    #[error("line {0} is no message of a trace: {1}")]
    Line(usize, serde_json::Error),
}

impl Lines {
    pub(super) fn new(file: File) -> Self {
        Lines(Mutex::new(Some(file)))
    }

    /// Writes a message. After a failure, such as a full disk, no more is written.
    pub(super) fn write(&self, message: &Message) {
        let Ok(mut line) = serde_json::to_vec(&line(message)) else {
            return;
        };
        line.push(b'\n');
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let written = file.as_mut().map(|file| file.write_all(&line));
        if let Some(Err(error)) = written {
            tracing::warn!(%error, "the trace ends here");
            *file = None;
        }
    }
}

fn line(message: &Message) -> Line {
    let id = message.id.as_deref().and_then(|id| raw(id).ok());
    let is_line = message.kind == Kind::Line;
    let json = (!is_line).then(|| raw(&message.text).ok()).flatten();
    let text = || to_raw_value(&message.text).unwrap_or_default();
    Line {
        at: message.at,
        server: message.server.to_string(),
        direction: message.direction,
        kind: message.kind,
        method: message.method.clone(),
        id,
        took_ms: message.took.map(millis),
        bytes: message.bytes,
        message: json.unwrap_or_else(text),
    }
}

/// JSON on one line: a line break is white space between its tokens.
fn raw(text: &str) -> serde_json::Result<Box<RawValue>> {
    RawValue::from_string(text.trim().replace(['\n', '\r'], " "))
}

fn millis(took: Duration) -> f64 {
    (took.as_secs_f64() * 1e6).round() / 1e3
}

/// The messages of a trace.
///
/// # Errors
/// Why it cannot be read.
pub fn read(path: &Path) -> Result<Vec<Message>, Unreadable> {
    let lines = BufReader::new(File::open(path)?).lines();
    let mut messages = Vec::new();
    for (line, number) in lines.zip(1..) {
        let line = line?;
        if !line.trim().is_empty() {
            let line = serde_json::from_str(&line);
            messages.push(message(
                line.map_err(|error| Unreadable::Line(number, error))?,
            ));
        }
    }
    Ok(messages)
}

fn message(line: Line) -> Message {
    let text = match line.message.get() {
        text if text.starts_with('"') => serde_json::from_str(text).unwrap_or_default(),
        text => text.to_owned(),
    };
    Message {
        at: line.at,
        server: line.server.into(),
        direction: line.direction,
        kind: line.kind,
        method: line.method,
        id: line.id.map(|id| id.get().to_owned()),
        took: line
            .took_ms
            .and_then(|ms| Duration::try_from_secs_f64(ms / 1e3).ok()),
        bytes: line.bytes,
        text,
        is_cut: false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Trace;
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("trace");
        let trace = Trace::to_file(&path).expect("it is created");
        let answer = Message {
            at: "2026-11-28T09:00:00Z".parse().expect("a time"),
            server: "notes".into(),
            direction: Direction::Received,
            kind: Kind::Answer,
            method: Some("tools/list".to_owned()),
            id: Some("7".to_owned()),
            took: Some(Duration::from_micros(1_500)),
            bytes: 40,
            text: "{\"id\":7,\"result\":{\"n\":12345678901234567890.10}}".to_owned(),
            is_cut: false,
        };
        let line = Message {
            kind: Kind::Line,
            method: None,
            id: None,
            took: None,
            text: "{\"level\": 30}".to_owned(),
            ..answer.clone()
        };
        let sent = vec![answer.clone(), line];
        sent.iter().for_each(|it| trace.note(it.clone()));
        assert_eq!(read(&path).expect("it is read"), sent);
        // An answer over several lines is one line of the trace.
        trace.note(Message {
            text: answer.text.replace(',', ",\r\n"),
            ..answer
        });
        let written = std::fs::read_to_string(&path).expect("it is read");
        assert_eq!(written.lines().count(), 3);
        assert!(
            written.contains("\"n\":12345678901234567890.10"),
            "{written}"
        );
        std::fs::write(&path, format!("{written}not a message\n")).expect("it is written");
        let error = read(&path).expect_err("it is no trace").to_string();
        assert!(
            error.starts_with("line 4 is no message of a trace"),
            "{error}"
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let about = std::fs::metadata(&path).expect("it is there");
            assert_eq!(about.permissions().mode() & 0o777, 0o600);
        }
    }
}
