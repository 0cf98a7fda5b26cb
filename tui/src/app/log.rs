//! The stored log lines of servers.

use std::collections::VecDeque;

use jiff::Timestamp;
use serde_json::Value;

use crate::look::mark::Mark;
use crate::look::text::clean;

/// Number of stored lines, which bounds the memory.
const KEPT: usize = 1_000;
/// Maximum length of a line in letters.
const LONGEST: usize = 2_000;

/// The log lines, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Log {
    lines: VecDeque<LogLine>,
    written: usize,
}

/// A log line of a server, safe to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogLine {
    pub(crate) at: Timestamp,
    pub(crate) server: String,
    /// `debug` to `emergency`.
    pub(crate) level: String,
    pub(crate) text: String,
}

impl Log {
    /// Stores a line; if there are too many, the oldest is dropped.
    pub(crate) fn push(&mut self, line: LogLine) {
        if self.lines.len() == KEPT {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
        self.written += 1;
    }

    /// The number of stored lines.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The number of lines since the start.
    pub(crate) fn written(&self) -> usize {
        self.written
    }

    /// The lines of a server, the newest first.
    pub(crate) fn of<'a>(&'a self, server: &str) -> impl Iterator<Item = &'a LogLine> {
        let server = clean(server).into_owned();
        self.lines
            .iter()
            .rev()
            .filter(move |line| line.server == server)
    }

    /// A line, counted from the newest.
    pub(crate) fn newest(&self, at: usize) -> Option<&LogLine> {
        self.lines.iter().nth_back(at)
    }
}

impl LogLine {
    /// A line from a server's log message.
    pub(crate) fn new(
        at: Timestamp,
        server: &str,
        level: &str,
        logger: Option<&str>,
        data: &Value,
    ) -> Self {
        let said = match data {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let text = match logger {
            Some(logger) => format!("{logger}: {said}"),
            None => said,
        };
        let text: String = clean(&text).chars().take(LONGEST).collect();
        LogLine {
            at,
            server: clean(server).into_owned(),
            level: clean(level).into_owned(),
            text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }

    /// The mark for its level.
    pub(crate) fn mark(&self) -> Mark {
        match self.level.as_str() {
            "error" | "critical" | "alert" | "emergency" => Mark::Bad,
            "warning" => Mark::Warn,
            _ => Mark::Info,
        }
    }
}
