//! The body of a request, with a time limit.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::time::{Sleep, sleep};

/// The time limit for a body, from the first wait for more of it.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// The body took too long to arrive.
#[derive(Debug, thiserror::Error)]
#[error("the body did not arrive within {} s", BODY_TIMEOUT.as_secs())]
pub(crate) struct LateBody;

/// A body with a time limit. It records whether it was read to its end.
pub(super) struct TimedBody {
    body: Body,
    limit: Option<Pin<Box<Sleep>>>,
    read: Arc<AtomicBool>,
}

impl TimedBody {
    /// The body, and a flag that is set when it has been read to its end.
    pub(super) fn new(body: Body) -> (TimedBody, Arc<AtomicBool>) {
        let read = Arc::new(AtomicBool::new(body.is_end_stream()));
        let timed = TimedBody {
            body,
            limit: None,
            read: Arc::clone(&read),
        };
        (timed, read)
    }
}

impl HttpBody for TimedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        if frame.is_pending() {
            let limit = self
                .limit
                .get_or_insert_with(|| Box::pin(sleep(BODY_TIMEOUT)));
            return match limit.as_mut().poll(cx) {
                Poll::Ready(()) => Poll::Ready(Some(Err(LateBody.into()))),
                Poll::Pending => Poll::Pending,
            };
        }
        if matches!(frame, Poll::Ready(None)) || self.body.is_end_stream() {
            self.read.store(true, Ordering::Relaxed);
        }
        frame.map_err(BoxError::from)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
