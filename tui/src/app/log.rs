//! What servers write into their logs, as far as it is kept.

use std::collections::VecDeque;

use jiff::Timestamp;
use serde_json::Value;

use super::mark::Mark;
use super::text::clean;

/// Lines that are kept. A server that talks without end takes no more memory than that.
const KEPT: usize = 1_000;
/// Letters of a line that are kept.
const LONGEST: usize = 2_000;

/// What servers wrote, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Log {
    lines: VecDeque<LogLine>,
    written: usize,
}

/// A line of a server's log, safe to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogLine {
    pub(crate) at: Timestamp,
    pub(crate) server: String,
    /// `debug` to `emergency`.
    pub(crate) level: String,
    pub(crate) text: String,
}

impl Log {
    /// Keeps a line; where there are too many, the oldest goes.
    pub(crate) fn push(&mut self, line: LogLine) {
        if self.lines.len() == KEPT {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
        self.written += 1;
    }

    /// How many lines are kept.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// How many lines were written since the start.
    pub(crate) fn written(&self) -> usize {
        self.written
    }

    /// A line, counted from the newest.
    pub(crate) fn newest(&self, at: usize) -> Option<&LogLine> {
        self.lines.iter().nth_back(at)
    }
}

impl LogLine {
    /// What a server said.
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

    /// How grave it is.
    pub(crate) fn mark(&self) -> Mark {
        match self.level.as_str() {
            "error" | "critical" | "alert" | "emergency" => Mark::Bad,
            "warning" => Mark::Warn,
            _ => Mark::Info,
        }
    }
}
