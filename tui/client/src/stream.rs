//! Event streams, read as the HTML standard says: what is unknown or malformed is ignored.
//!
//! `sse-stream`, which rmcp uses, ends the stream at such a line instead, and the answer is lost.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::failure::LARGEST_ANSWER;

/// The wait after the first loss of a stream. It doubles with each further one.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// The longest such wait.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// The longest wait that a server can ask for.
const LONGEST_RETRY: Duration = Duration::from_secs(5 * 60);
/// A stream that lasted this long was fine: the waits begin again.
const PEACE: Duration = Duration::from_secs(60);

/// The waits between the streams of one session. rmcp opens some lost streams again at once, and
/// forgets earlier losses with each success.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pace(Arc<Mutex<Losses>>);

#[derive(Debug, Default)]
struct Losses {
    opened: Option<Instant>,
    count: u32,
    retry: Option<Duration>,
}

impl Pace {
    /// Waits as long as needed before the stream is opened again. `is_first` means that nothing was
    /// lost yet.
    pub(crate) async fn pause(&self, is_first: bool) {
        let wait = match is_first {
            true => Duration::ZERO,
            false => self.losses().wait(Instant::now()),
        };
        tokio::time::sleep(wait).await;
    }

    /// The stream is open.
    pub(crate) fn opened(&self) {
        self.losses().opened = Some(Instant::now());
    }

    /// Whether the stream was never open.
    pub(crate) fn is_new(&self) -> bool {
        self.losses().opened.is_none()
    }

    /// The server asks for this wait.
    pub(crate) fn ask(&self, retry: Option<u64>) {
        let retry = retry.map(|retry| Duration::from_millis(retry).min(LONGEST_RETRY));
        let mut losses = self.losses();
        losses.retry = retry.or(losses.retry);
    }

    fn losses(&self) -> std::sync::MutexGuard<'_, Losses> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Losses {
    /// The wait after a loss. The server decides about the first one.
    fn wait(&mut self, now: Instant) -> Duration {
        if self.opened.is_some_and(|opened| now - opened >= PEACE) {
            self.count = 0;
        }
        let retry = self.retry.unwrap_or(FIRST_WAIT);
        let wait = match self.count {
            0 => retry,
            count => retry.max(LONGEST_WAIT.min(FIRST_WAIT * (1 << count.min(5)))),
        };
        self.count += 1;
        wait
    }
}

/// An event.
#[derive(Debug, PartialEq)]
pub(crate) struct Event {
    /// The last id that the stream has given.
    pub(crate) id: Option<String>,
    /// The data of a `message`; `None` if the event is of another kind or has no data.
    pub(crate) data: Option<String>,
}

/// An event is larger than an answer may be.
#[derive(Debug, PartialEq)]
pub(crate) struct TooLarge;

/// The state of a stream.
#[derive(Debug, Default)]
pub(crate) struct Events {
    line: Vec<u8>,
    /// Whether the last line ended with CR; an LF after it belongs to the same end.
    is_after_cr: bool,
    has_begun: bool,
    name: String,
    data: Option<String>,
    id: Option<String>,
    /// The wait before a lost stream is opened again, in milliseconds.
    retry: Option<u64>,
}

impl Events {
    /// The wait that the server asked for, in milliseconds.
    pub(crate) fn retry(&self) -> Option<u64> {
        self.retry
    }

    /// Reads more of the stream, and adds the events that it completes.
    ///
    /// # Errors
    /// An event exceeds the maximum size of an answer.
    pub(crate) fn read(&mut self, bytes: &[u8], events: &mut Vec<Event>) -> Result<(), TooLarge> {
        for piece in bytes.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
            let rest_of_end = std::mem::take(&mut self.is_after_cr) && piece == b"\n";
            if rest_of_end {
                continue;
            }
            let (line, end) = match piece.split_last() {
                Some((end @ (b'\n' | b'\r'), line)) => (line, Some(*end)),
                _ => (piece, None),
            };
            self.line.extend_from_slice(line);
            if self.line.len() + self.data.as_ref().map_or(0, String::len) > LARGEST_ANSWER {
                return Err(TooLarge);
            }
            if let Some(end) = end {
                self.is_after_cr = end == b'\r';
                let line = std::mem::take(&mut self.line);
                events.extend(self.end_line(&line));
            }
        }
        Ok(())
    }

    fn end_line(&mut self, line: &[u8]) -> Option<Event> {
        let mark: &[u8] = "\u{feff}".as_bytes();
        let line = match std::mem::replace(&mut self.has_begun, true) {
            true => line,
            false => line.strip_prefix(mark).unwrap_or(line),
        };
        if line.is_empty() {
            return self.dispatch();
        }
        let line = String::from_utf8_lossy(line);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => {
                let data = self.data.get_or_insert_default();
                data.push_str(value);
                data.push('\n');
            }
            "id" if !value.contains('\0') => self.id = Some(value.to_owned()),
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                // An empty or a huge number is ignored.
                self.retry = value.parse().ok().or(self.retry);
            }
            _ => {}
        }
        None
    }

    /// The event that a blank line ends. An id alone is passed on: the stream resumes after it.
    fn dispatch(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        let mut data = self.data.take();
        if let Some(data) = &mut data {
            data.pop();
        }
        let is_message = matches!(name.as_str(), "" | "message");
        let event = Event {
            id: self.id.clone(),
            data: data.filter(|data| is_message && !data.is_empty()),
        };
        (event.id.is_some() || event.data.is_some()).then_some(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The data of the events, read in pieces of this size.
    fn data(stream: &[u8], size: usize) -> Vec<String> {
        let mut events = Vec::new();
        let mut state = Events::default();
        for piece in stream.chunks(size) {
            assert_eq!(state.read(piece, &mut events), Ok(()));
        }
        events.into_iter().filter_map(|event| event.data).collect()
    }

    #[test]
    fn legal_and_odd_lines_lose_no_event() {
        for stream in [
            "data: a\n\n",
            "data:a\n\n",
            "data: a\r\n\r\n",
            "data: a\r\r",
            "\u{feff}data: a\n\n",
            "id: 1\ndata\n\ndata: a\n\n",
            "id: 1\nid: 2\ndata: a\n\n",
            "event: ping\nevent: message\ndata: a\n\n",
            "event: ping\ndata: b\n\ndata: a\n\n",
            "retry: 3s\n\ndata: a\n\n",
            "x-trace: 17\n\nno colon at all\ndata: a\n\n",
            ": comment\n:\n\ndata: a\n\n",
            "id: a\0b\ndata: a\n\n",
        ] {
            for size in [1, 2, 1000] {
                assert_eq!(data(stream.as_bytes(), size), ["a"], "{stream:?} by {size}");
            }
        }
        assert_eq!(data(b"data: a\ndata:  b\n\n", 1), ["a\n b"]);
        assert_eq!(data(b"data: caf\xe9\n\n", 1), ["caf\u{fffd}"]);
        assert_eq!(
            data("data: a\u{2028}b\u{85}\n\n".as_bytes(), 1),
            ["a\u{2028}b\u{85}"]
        );
        assert_eq!(data(b"data: a\n", 1), [""; 0], "not ended");
    }

    #[test]
    fn the_last_id_and_wait_are_known() {
        let mut state = Events::default();
        let mut events = Vec::new();
        let stream = b"id: 7\nretry: 500\ndata: \n\nretry: soon\nretry:\n\n";
        assert_eq!(state.read(stream, &mut events), Ok(()));
        let seventh = |data| Event {
            id: Some("7".to_owned()),
            data,
        };
        assert_eq!(events, [seventh(None), seventh(None)]);
        assert_eq!(state.retry(), Some(500));
    }

    #[test]
    fn every_lost_stream_waits_longer_until_there_is_peace() {
        let begin = Instant::now();
        let mut losses = Losses::default();
        let mut waits = |retry: Option<u64>, after: u64| {
            losses.opened = Some(begin);
            losses.retry = retry.map(Duration::from_millis);
            losses.wait(begin + Duration::from_secs(after)).as_millis()
        };
        let seconds = [1, 2, 4, 8, 16, 30, 30].map(|it| it * 1000);
        assert_eq!(seconds.map(|_| waits(None, 0)), seconds);
        assert_eq!(waits(None, 60), 1000);
        assert_eq!(
            waits(Some(500), 60),
            500,
            "the server decides about the first"
        );
        assert_eq!([waits(Some(0), 59), waits(Some(9000), 59)], [2000, 9000]);
    }

    #[test]
    fn an_endless_event_is_refused() {
        let line = vec![b'a'; LARGEST_ANSWER + 1];
        let mut state = Events::default();
        assert_eq!(state.read(&line, &mut Vec::new()), Err(TooLarge));
    }
}
