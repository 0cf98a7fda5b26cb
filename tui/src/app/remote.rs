//! Remote data: the known value and the state of the request.

use frontdesk_client::CallError;
use jiff::Timestamp;

use crate::app::owner::RequestId;

/// A value, and the time of the answer.
#[derive(Debug, Clone)]
pub(crate) struct Seen<T> {
    pub(crate) value: T,
    pub(crate) at: Timestamp,
}

/// Remote data. A refresh keeps the previous value.
#[derive(Debug, Clone, Default)]
pub(crate) enum Remote<T> {
    /// Not requested yet.
    #[default]
    Idle,
    /// Requested. Answers to other requests are stale.
    Loading {
        request: RequestId,
        previous: Option<Seen<T>>,
    },
    /// Answered.
    Ready(Seen<T>),
    /// The request failed.
    Failed {
        error: CallError,
        previous: Option<Seen<T>>,
    },
}

impl<T> Remote<T> {
    /// A value known from elsewhere, as of this time.
    pub(crate) fn known(value: T, at: Timestamp) -> Self {
        Remote::Ready(Seen { value, at })
    }

    /// Uses a stored value, unless one is known.
    pub(crate) fn recall(&mut self, value: T, at: Timestamp) {
        if let Remote::Loading {
            previous: previous @ None,
            ..
        }
        | Remote::Failed {
            previous: previous @ None,
            ..
        } = self
        {
            *previous = Some(Seen { value, at });
        }
    }

    /// Starts a request and replaces an earlier one.
    pub(crate) fn begin(&mut self, request: RequestId) {
        let previous = match std::mem::take(self) {
            Remote::Idle => None,
            Remote::Loading { previous, .. } | Remote::Failed { previous, .. } => previous,
            Remote::Ready(seen) => Some(seen),
        };
        *self = Remote::Loading { request, previous };
    }

    /// Takes the answer, if it belongs to the current request. Returns whether it does.
    pub(crate) fn finish(
        &mut self,
        request: RequestId,
        now: Timestamp,
        result: Result<T, CallError>,
    ) -> bool {
        if !self.waits_for(request) {
            return false;
        }
        *self = match (result, std::mem::take(self)) {
            (Ok(value), _) => Remote::Ready(Seen { value, at: now }),
            (Err(error), Remote::Loading { previous, .. }) => Remote::Failed { error, previous },
            (Err(error), _) => Remote::Failed {
                error,
                previous: None,
            },
        };
        true
    }

    /// Whether this is the current request.
    pub(crate) fn waits_for(&self, request: RequestId) -> bool {
        matches!(self, Remote::Loading { request: current, .. } if *current == request)
    }

    /// The current request.
    pub(crate) fn request(&self) -> Option<RequestId> {
        match self {
            Remote::Loading { request, .. } => Some(*request),
            _ => None,
        }
    }

    /// The known value with its time, however old.
    pub(crate) fn seen(&self) -> Option<&Seen<T>> {
        match self {
            Remote::Idle => None,
            Remote::Loading { previous, .. } | Remote::Failed { previous, .. } => previous.as_ref(),
            Remote::Ready(seen) => Some(seen),
        }
    }

    /// The known value, however old.
    pub(crate) fn value(&self) -> Option<&T> {
        self.seen().map(|seen| &seen.value)
    }

    /// The known value, mutable.
    pub(crate) fn value_mut(&mut self) -> Option<&mut T> {
        match self {
            Remote::Idle => None,
            Remote::Loading { previous, .. } | Remote::Failed { previous, .. } => {
                previous.as_mut().map(|seen| &mut seen.value)
            }
            Remote::Ready(seen) => Some(&mut seen.value),
        }
    }

    /// Why the last request failed.
    pub(crate) fn error(&self) -> Option<&CallError> {
        match self {
            Remote::Failed { error, .. } => Some(error),
            _ => None,
        }
    }

    /// Whether a request is in progress.
    pub(crate) fn is_loading(&self) -> bool {
        matches!(self, Remote::Loading { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error() -> CallError {
        CallError::no_answer("timed out")
    }

    #[test]
    fn a_refresh_keeps_what_was_there() {
        let now = Timestamp::UNIX_EPOCH;
        let mut remote = Remote::Idle;
        remote.begin(RequestId(1));
        assert!(remote.finish(RequestId(1), now, Ok(7)));
        remote.begin(RequestId(2));
        assert_eq!(remote.value(), Some(&7));
        assert!(remote.finish(RequestId(2), now, Err(error())));
        assert_eq!(remote.value(), Some(&7));
        assert_eq!(remote.error(), Some(&error()));
    }

    #[test]
    fn a_stale_answer_is_dropped() {
        let now = Timestamp::UNIX_EPOCH;
        let mut remote = Remote::Idle;
        remote.begin(RequestId(1));
        remote.begin(RequestId(2));
        assert!(!remote.finish(RequestId(1), now, Ok(1)));
        assert!(remote.finish(RequestId(2), now, Ok(2)));
        assert!(!remote.finish(RequestId(2), now, Ok(3)));
        assert_eq!(remote.value(), Some(&2));
    }
}
