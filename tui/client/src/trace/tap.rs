//! What one server sends and gets, on its way into a trace.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rmcp::model::RequestId;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::{Direction, Kind, Message, Trace, hide};
use crate::failure::Failure;
use crate::lenient::mend;
use crate::secret::Secret;

/// The maximum number of requests without an answer that are known.
const MOST_OPEN: usize = 4_096;

/// The trace of one server. Clones share it. If it is off, nothing is done.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tap(pub(super) Option<Arc<Inside>>);

#[derive(Debug)]
pub(super) struct Inside {
    pub(super) trace: Trace,
    server: Arc<str>,
    known: Mutex<Vec<String>>,
    /// The requests without an answer: who sent them, and their ids.
    open: Mutex<HashMap<(Direction, String), (String, Instant)>>,
}

/// The parts of a message that say what it is.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    error: Option<IgnoredAny>,
}

impl Tap {
    /// The trace of the server with this name, where these texts are hidden.
    pub(crate) fn new(trace: &Trace, server: &str, known: Vec<String>) -> Self {
        let inside = || Inside {
            trace: trace.clone(),
            server: server.into(),
            known: Mutex::new(known),
            open: Mutex::default(),
        };
        Tap((!trace.is_off()).then(|| Arc::new(inside())))
    }

    /// A message that is about to be sent.
    pub(crate) fn sent(&self, bytes: &[u8]) {
        self.pass(Direction::Sent, bytes);
    }

    /// A message that came.
    pub(crate) fn heard(&self, bytes: &[u8]) {
        self.pass(Direction::Received, bytes);
    }

    fn pass(&self, direction: Direction, bytes: &[u8]) {
        if let Some(inside) = &self.0 {
            let text = hide::text(bytes);
            if text.trim().is_empty() {
                return;
            }
            match serde_json::from_str::<Vec<&RawValue>>(&text) {
                Ok(batch) => (batch.iter()).for_each(|it| inside.message(direction, it.get())),
                Err(_) => inside.message(direction, &text),
            }
        }
    }

    /// A line of a process that is no message.
    pub(crate) fn line(&self, bytes: &[u8]) {
        let Some(inside) = &self.0 else { return };
        let text = hide::text(bytes);
        let text = text.trim_end();
        if !text.is_empty() {
            let text = hide::in_line(text, &inside.known());
            inside.note(Direction::Received, Kind::Line, bytes.len(), text);
        }
    }

    /// A request, or a message without an id, has no answer, or another one than a message.
    pub(crate) fn failed(&self, id: Option<&RequestId>, why: &Failure) {
        let Some(inside) = &self.0 else { return };
        let text = hide::in_line(&why.details(), &inside.known());
        let id = id.and_then(|id| serde_json::to_string(id).ok());
        let (method, took) = inside.settled(Direction::Sent, id.as_deref());
        inside.trace.note(Message {
            method,
            id,
            took,
            ..inside.blank(Direction::Received, Kind::Failure, 0, text)
        });
    }

    /// From now on this is hidden, too.
    pub(crate) fn know(&self, secret: &Secret) {
        if let Some(inside) = &self.0 {
            inside.know(secret.expose().to_owned());
        }
    }
}

impl Inside {
    fn message(&self, direction: Direction, raw: &str) {
        let text = hide::in_json(raw.trim(), &self.known());
        let mended = mend(raw);
        let envelope = serde_json::from_str::<Envelope<'_>>(raw);
        let Ok(envelope) = envelope.or_else(|_| serde_json::from_str(&mended)) else {
            let text = hide::in_line(&text, &[]);
            return self.note(direction, Kind::Line, raw.len(), text);
        };
        let id = envelope.id.map(|id| id.get().to_owned());
        let id = id.filter(|id| id != "null");
        let (kind, method, took) = match envelope.method {
            Some(method) => {
                let kind = self.asked(direction, id.as_deref(), &method);
                (kind, Some(method.into_owned()), None)
            }
            None => {
                let kind = match envelope.error {
                    Some(_) => Kind::Error,
                    None => Kind::Answer,
                };
                let (method, took) = self.settled(direction.other(), id.as_deref());
                (kind, method, took)
            }
        };
        self.trace.note(Message {
            method,
            id,
            took,
            ..self.blank(direction, kind, raw.len(), text)
        });
    }

    /// Notes a request, which will be answered.
    fn asked(&self, direction: Direction, id: Option<&str>, method: &str) -> Kind {
        let Some(id) = id else {
            return Kind::Notification;
        };
        let mut open = self.open();
        if open.len() >= MOST_OPEN {
            open.clear();
        }
        open.insert(
            (direction, id.to_owned()),
            (method.to_owned(), Instant::now()),
        );
        Kind::Request
    }

    /// The method of a request that is answered, and the time that it took. Some servers send a
    /// number as a text.
    fn settled(&self, asker: Direction, id: Option<&str>) -> (Option<String>, Option<Duration>) {
        let mut open = self.open();
        let take = |id: &str| open.remove(&(asker, id.to_owned()));
        let ids = id.into_iter().flat_map(|id| [id, id.trim_matches('"')]);
        let asked = ids.map(take).find_map(|asked| asked);
        asked.map_or((None, None), |(method, at)| {
            (Some(method), Some(at.elapsed()))
        })
    }

    fn note(&self, direction: Direction, kind: Kind, bytes: usize, text: String) {
        self.trace.note(self.blank(direction, kind, bytes, text));
    }

    pub(super) fn know(&self, secret: String) {
        let mut known = self.known();
        if !known.contains(&secret) {
            known.push(secret);
        }
    }

    pub(super) fn blank(
        &self,
        direction: Direction,
        kind: Kind,
        bytes: usize,
        text: String,
    ) -> Message {
        Message {
            at: Timestamp::now(),
            server: Arc::clone(&self.server),
            direction,
            kind,
            method: None,
            id: None,
            took: None,
            bytes,
            text,
            is_cut: false,
        }
    }

    pub(super) fn known(&self) -> MutexGuard<'_, Vec<String>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self) -> MutexGuard<'_, HashMap<(Direction, String), (String, Instant)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Direction {
    fn other(self) -> Self {
        match self {
            Direction::Sent => Direction::Received,
            Direction::Received => Direction::Sent,
        }
    }
}
