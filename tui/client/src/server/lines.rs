//! The output of a process: messages, each on a line, or printed over several.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use rmcp::model::ServerJsonRpcMessage;

use crate::answers::Answers;
use crate::lenient;

/// After this time without a further line, the beginning of a message is all that comes.
const REST_WITHIN: Duration = Duration::from_secs(2);

/// What a process wrote.
#[derive(Debug)]
pub(super) enum Output {
    Message(Box<ServerJsonRpcMessage>),
    /// Anything else: a greeting, a log line.
    Words(Vec<u8>),
}

/// Reads lines until their end. `say` returns whether anybody listens.
pub(super) fn read(
    lines: &Receiver<Vec<u8>>,
    answers: &Answers,
    mut say: impl FnMut(Output) -> bool,
) {
    let mut begun = Begun::default();
    let mut hear = |text: Vec<u8>| match answers.hear(&text, None) {
        Ok(messages) => {
            (messages.into_iter()).all(|message| say(Output::Message(Box::new(message))))
        }
        Err(_) => say(Output::Words(text)),
    };
    loop {
        let line = match begun.text.is_empty() {
            true => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => lines.recv_timeout(REST_WITHIN),
        };
        let whole = match line {
            Ok(line) if begun.text.is_empty() || !is_message(&line) => begun.add(&line),
            Ok(line) => Some(begun.take())
                .filter(|begun| hear(begun.clone()))
                .map(|_| line),
            Err(RecvTimeoutError::Timeout) => Some(begun.take()),
            Err(RecvTimeoutError::Disconnected) => {
                hear(begun.take());
                return;
            }
        };
        if whole.is_some_and(|text| !hear(text)) {
            return;
        }
    }
}

/// Whether a line is a message by itself, so that what began before it is not continued.
fn is_message(line: &[u8]) -> bool {
    let is_named = line.windows(9).any(|part| part == b"\"jsonrpc\"");
    is_named && lenient::read(line).is_ok()
}

/// The beginning of a message of several lines.
#[derive(Debug, Default)]
struct Begun {
    text: Vec<u8>,
    depth: usize,
    is_string: bool,
}

impl Begun {
    /// Adds a line; returns the text if it is complete.
    fn add(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        let mut bytes = line.iter();
        while let Some(byte) = bytes.next() {
            match (self.is_string, byte) {
                (true, b'\\') => drop(bytes.next()),
                (_, b'"') => self.is_string = !self.is_string,
                (false, b'{' | b'[') => self.depth += 1,
                (false, b'}' | b']') => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        self.text.extend_from_slice(line);
        let is_begun = self.text.trim_ascii_start().starts_with(b"{")
            || self.text.trim_ascii_start().starts_with(b"[");
        match is_begun && self.depth > 0 && self.text.len() <= crate::failure::LARGEST_ANSWER {
            true => None,
            false => Some(self.take()),
        }
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(self).text
    }
}
