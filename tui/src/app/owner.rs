//! Who asked for work or set a timer, and receives the answer.

/// The id of a request. Ids increase, so they also serve as generations: after a new request, the
/// answers to older ones are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RequestId(pub(crate) u64);

/// The id of an open screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ScreenId(pub(crate) u64);

/// The owner of a request, who receives the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// The app itself: the session, toasts, the spinner.
    App,
    /// The service with this name.
    Service(&'static str),
    /// A screen, while it is open.
    Screen(ScreenId),
}
