//! What a handler returns, and what the operations of a call return to it.

use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use frontdesk_protocol::ToolError;
use frontdesk_protocol::record::{Maybe, One, Record};
use frontdesk_protocol::wire::Wire;
use futures::future::BoxFuture;
use serde_json::Value;
use uuid::Uuid;

use crate::database::internal;

/// A handler's result: JSON of the tool's output type, or a refusal.
pub type Outcome<T> = Result<Answer<T>, ToolError>;

/// JSON text of a `T`, written from rows and passed through; the contract tests compare it with the type.
#[derive(Debug)]
pub struct Answer<T> {
    json: String,
    of: PhantomData<fn() -> T>,
}

impl<T: Wire> Answer<T> {
    /// Writes an answer that does not come from rows. Never fails.
    pub fn of(value: &T) -> Outcome<T> {
        Ok(Answer::new(value.write().to_string()))
    }
}

impl<T> Answer<T> {
    /// JSON text that is known to be a `T`.
    pub(crate) fn new(json: String) -> Self {
        Answer {
            json,
            of: PhantomData,
        }
    }

    /// The JSON text.
    pub fn into_json(self) -> String {
        self.json
    }

    /// The id at this place of the answer, as a JSON pointer.
    ///
    /// # Errors
    /// `internal` if there is none.
    pub(crate) fn read(&self, pointer: &str) -> Result<Uuid, ToolError> {
        let answer: Value = serde_json::from_str(&self.json).unwrap_or_default();
        let id = answer.pointer(pointer).and_then(Value::as_str);
        id.and_then(|id| id.parse().ok())
            .ok_or_else(|| internal("an answer has no id"))
    }
}

impl<T: Record> Answer<Maybe<T>> {
    /// The answer for a record that has just been written, so it exists.
    pub fn one(self) -> Answer<One<T>> {
        Answer::new(self.json)
    }
}

/// JSON text as the operations of a call return it. They work on data, and exist once for all types.
pub(super) type Running<'a> = BoxFuture<'a, Result<String, ToolError>>;

/// An operation of a call, with the type of its answer.
#[must_use = "an operation does nothing until it is awaited"]
pub struct Operation<'a, T> {
    running: Running<'a>,
    of: PhantomData<fn() -> T>,
}

impl<'a, T> From<Running<'a>> for Operation<'a, T> {
    fn from(running: Running<'a>) -> Self {
        Operation {
            running,
            of: PhantomData,
        }
    }
}

impl<T> std::fmt::Debug for Operation<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Operation")
    }
}

impl<T> Future for Operation<'_, T> {
    type Output = Outcome<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let polled = self.running.as_mut().poll(context);
        polled.map(|json| json.map(Answer::new))
    }
}
