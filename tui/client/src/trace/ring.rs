//! The newest messages in memory, within bounds.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Message;

/// The maximum number of messages.
const MOST: usize = 100_000;
/// The maximum size of all messages in bytes.
const MOST_BYTES: usize = 32 * 1024 * 1024;
/// The longest text of a message in bytes; of longer ones the beginning is kept.
const LONGEST: usize = 256 * 1024;

/// What a message takes beside itself and its texts in bytes: its counters, its place, and their rounding.
const BESIDE: usize = 64;

#[derive(Default)]
pub(super) struct Ring(Mutex<Inside>);

/// Without the messages, which can be personal.
impl fmt::Debug for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ring({} messages)", self.inside().messages.len())
    }
}

#[derive(Debug, Default)]
struct Inside {
    messages: VecDeque<Arc<Message>>,
    bytes: usize,
    /// The number of dropped messages, which is the number of the first one.
    dropped: usize,
}

/// Access to the messages in memory. Each has a number, which it keeps.
#[derive(Debug, Clone)]
pub struct Kept(pub(super) Arc<Ring>);

impl Ring {
    pub(super) fn push(&self, mut message: Message) {
        if message.text.len() > LONGEST {
            let end = message.text.floor_char_boundary(LONGEST);
            message.text.truncate(end);
            message.is_cut = true;
        }
        message.text.shrink_to_fit();
        let mut inside = self.inside();
        inside.bytes += size(&message);
        inside.messages.push_back(Arc::new(message));
        while inside.messages.len() > MOST || inside.bytes > MOST_BYTES {
            inside.drop_first();
        }
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inside {
    fn drop_first(&mut self) {
        if let Some(first) = self.messages.pop_front() {
            self.bytes -= size(&first);
            self.dropped += 1;
        }
    }
}

/// What a message takes in memory.
fn size(message: &Message) -> usize {
    let names = [&message.method, &message.id].into_iter().flatten();
    let names: usize = names.map(String::len).sum();
    size_of::<Message>() + BESIDE + names + message.text.len()
}

impl Kept {
    /// The numbers of the messages in memory.
    pub fn numbers(&self) -> std::ops::Range<usize> {
        let inside = self.0.inside();
        inside.dropped..inside.dropped + inside.messages.len()
    }

    /// The message with this number, if it was not dropped.
    pub fn get(&self, number: usize) -> Option<Arc<Message>> {
        let inside = self.0.inside();
        let at = number.checked_sub(inside.dropped)?;
        inside.messages.get(at).cloned()
    }

    /// The messages from this number on, at most so many, with their numbers.
    pub fn since(&self, number: usize, most: usize) -> Vec<(usize, Arc<Message>)> {
        let inside = self.0.inside();
        let from = number.saturating_sub(inside.dropped);
        let messages = inside.messages.iter().cloned().enumerate().skip(from);
        messages
            .take(most)
            .map(|(at, message)| (inside.dropped + at, message))
            .collect()
    }

    /// Forgets all messages.
    pub fn clear(&self) {
        let mut inside = self.0.inside();
        inside.dropped += inside.messages.len();
        inside.messages.clear();
        inside.bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::super::{Direction, Kind, Trace};
    use super::*;

    fn message(text: String) -> Message {
        Message {
            at: Timestamp::UNIX_EPOCH,
            server: "notes".into(),
            direction: Direction::Received,
            kind: Kind::Line,
            method: None,
            id: None,
            took: None,
            bytes: text.len(),
            text,
            is_cut: false,
        }
    }

    #[test]
    fn memory_is_bounded_in_messages_and_bytes_and_numbers_stay() {
        let trace = Trace::default().kept();
        let kept = trace.memory().expect("it is kept");
        for at in 0..MOST + 10 {
            trace.note(message(at.to_string()));
        }
        assert_eq!(kept.numbers(), 10..MOST + 10);
        assert_eq!(kept.get(9), None);
        assert_eq!(kept.get(10).expect("the first").text, "10");
        let some = kept.since(0, 2).into_iter();
        assert_eq!(some.map(|(number, _)| number).collect::<Vec<_>>(), [10, 11]);
        assert_eq!(kept.since(MOST + 9, 2).len(), 1);
        let long = message("é".repeat(LONGEST));
        for _ in 0..200 {
            trace.note(long.clone());
        }
        let numbers = kept.numbers();
        assert_eq!(numbers.end, MOST + 210);
        assert!(numbers.len() < MOST_BYTES / LONGEST, "{numbers:?}");
        let last = kept.get(numbers.end - 1).expect("the last");
        assert_eq!((last.text.len(), last.is_cut), (LONGEST, true));
        kept.clear();
        assert!(kept.numbers().is_empty());
    }
}
