//! Data that lives on a host: what we know of it, and how we stand with asking for more.

use frontdesk_client::CallError;
use jiff::Timestamp;

use super::effect::RequestId;

/// A value, and when the host said so.
#[derive(Debug, Clone)]
pub(crate) struct Seen<T> {
    pub(crate) value: T,
    pub(crate) at: Timestamp,
}

/// Remote data. A refresh never takes away what was on screen.
#[derive(Debug, Clone, Default)]
pub(crate) enum Remote<T> {
    /// Nothing was asked yet.
    #[default]
    Idle,
    /// Asked; the answer to any other request is stale.
    Loading {
        request: RequestId,
        previous: Option<Seen<T>>,
    },
    /// Answered.
    Ready(Seen<T>),
    /// Asked in vain.
    Failed {
        error: CallError,
        previous: Option<Seen<T>>,
    },
}

impl<T> Remote<T> {
    /// What is known from elsewhere, as of a time.
    pub(crate) fn known(value: T, at: Timestamp) -> Self {
        Remote::Ready(Seen { value, at })
    }

    /// Takes what was kept from before, unless something is known.
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

    /// A request is under way; an earlier one, if any, is forgotten.
    pub(crate) fn begin(&mut self, request: RequestId) {
        let previous = match std::mem::take(self) {
            Remote::Idle => None,
            Remote::Loading { previous, .. } | Remote::Failed { previous, .. } => previous,
            Remote::Ready(seen) => Some(seen),
        };
        *self = Remote::Loading { request, previous };
    }

    /// Takes the answer if this is the request that is waited for; says whether it was.
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

    /// Whether the answer to this request is still of interest.
    pub(crate) fn waits_for(&self, request: RequestId) -> bool {
        matches!(self, Remote::Loading { request: current, .. } if *current == request)
    }

    /// The request under way, if any.
    pub(crate) fn request(&self) -> Option<RequestId> {
        match self {
            Remote::Loading { request, .. } => Some(*request),
            _ => None,
        }
    }

    /// What is known, however old.
    pub(crate) fn seen(&self) -> Option<&Seen<T>> {
        match self {
            Remote::Idle => None,
            Remote::Loading { previous, .. } | Remote::Failed { previous, .. } => previous.as_ref(),
            Remote::Ready(seen) => Some(seen),
        }
    }

    /// The value that is known, however old.
    pub(crate) fn value(&self) -> Option<&T> {
        self.seen().map(|seen| &seen.value)
    }

    /// The value that is known, to change it.
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

    /// Whether a request is under way.
    pub(crate) fn is_loading(&self) -> bool {
        matches!(self, Remote::Loading { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error() -> CallError {
        CallError::OutcomeUnknown("timed out".to_owned())
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
