//! The body of a request, which arrives in its time or not at all.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use tokio::time::{Sleep, sleep};

use super::waiting::Turn;

/// How long a request's body may take to arrive, once more of it is waited for.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// Why a body did not arrive.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Missing {
    /// It took too long.
    #[error("the body did not arrive within {} s", BODY_TIMEOUT.as_secs())]
    Late,
    /// The connection broke, or what came is no body.
    #[error("the body did not arrive whole")]
    Broken(#[from] hyper::Error),
}

/// A body of which more may be waited for.
pub(super) struct Arriving {
    body: Incoming,
    turn: Arc<Turn>,
    /// Runs from when more was waited for first.
    late: Option<Pin<Box<Sleep>>>,
    waits: bool,
}

impl Arriving {
    pub(super) fn new(body: Incoming, turn: &Arc<Turn>) -> Arriving {
        Arriving {
            body,
            turn: Arc::clone(turn),
            late: None,
            waits: false,
        }
    }

    /// Nothing is waited for any more. False where that comes too late.
    fn arrives(&mut self) -> bool {
        !std::mem::take(&mut self.waits) || self.turn.works()
    }
}

impl Body for Arriving {
    type Data = Bytes;
    type Error = Missing;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Missing>>> {
        let mut frame = Pin::new(&mut self.body)
            .poll_frame(cx)
            .map_err(Missing::from);
        if frame.is_pending() {
            let late = self
                .late
                .get_or_insert_with(|| Box::pin(sleep(BODY_TIMEOUT)));
            if late.as_mut().poll(cx).is_ready() {
                frame = Poll::Ready(Some(Err(Missing::Late)));
            }
        }
        if frame.is_ready() {
            if !self.arrives() {
                // The connection ends: nothing must be begun any more.
                return Poll::Pending;
            }
        } else if !std::mem::replace(&mut self.waits, true) {
            self.turn.waits();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        self.arrives();
    }
}
