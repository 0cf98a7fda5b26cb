//! The messages between this program and servers, as they were sent: requests, answers,
//! notifications, and what a process writes beside them.
//!
//! Secrets are hidden before a message is kept. A trace that is off costs nothing.

mod exchange;
mod file;
mod hide;
mod ring;
mod tap;

use std::fmt;
use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub(crate) use exchange::Exchange;
use file::Lines;
pub use file::{Unreadable, read};
pub use hide::{HIDDEN, has_hidden};
pub use ring::Kept;
use ring::Ring;
pub(crate) use tap::Tap;

/// Where messages are kept: in a file, in memory, in both, or nowhere. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    file: Option<Arc<Lines>>,
    ring: Option<Arc<Ring>>,
}

/// Who sent a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// This program.
    Sent,
    /// The server.
    Received,
}

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It wants an answer.
    Request,
    /// A result.
    Answer,
    /// An error in place of a result.
    Error,
    /// It wants no answer.
    Notification,
    /// A line of a process that is no message, from stderr or stdout.
    Line,
    /// There is no answer: the connection failed, or the status is no success.
    Failure,
    /// An HTTP request beside the messages, with its answer: of a sign-in, a stream, the end of a session, or a refusal.
    Exchange,
}

/// A message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// When it was seen.
    pub at: Timestamp,
    /// The name of the server.
    pub server: Arc<str>,
    /// Who sent it.
    pub direction: Direction,
    /// What it is.
    pub kind: Kind,
    /// Its method, or that of the request that it answers.
    pub method: Option<String>,
    /// Its id, or that of the request that it answers, as JSON.
    pub id: Option<String>,
    /// The time since the request.
    pub took: Option<Duration>,
    /// Its size as sent.
    pub bytes: usize,
    /// Its text, without secrets.
    pub text: String,
    /// Whether the text is only the beginning.
    pub is_cut: bool,
}

impl Trace {
    /// Writes each message as a line of JSON to this file, which only its owner can read.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn to_file(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.create(true).write(true).truncate(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        let lines = Lines::new(options.open(path)?);
        Ok(Trace {
            file: Some(Arc::new(lines)),
            ring: None,
        })
    }

    /// A trace to the same file, with messages in memory of its own.
    #[must_use]
    pub fn kept(&self) -> Self {
        Trace {
            file: self.file.clone(),
            ring: Some(Arc::default()),
        }
    }

    /// The messages in memory.
    pub fn memory(&self) -> Option<Kept> {
        self.ring.clone().map(Kept)
    }

    fn is_off(&self) -> bool {
        self.file.is_none() && self.ring.is_none()
    }

    fn note(&self, message: Message) {
        if let Some(file) = &self.file {
            file.write(&message);
        }
        if let Some(ring) = &self.ring {
            ring.push(message);
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::Sent => "sent",
            Direction::Received => "received",
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Request => "request",
            Kind::Answer => "answer",
            Kind::Error => "error",
            Kind::Notification => "notification",
            Kind::Line => "line",
            Kind::Failure => "failure",
            Kind::Exchange => "exchange",
        })
    }
}
