//! Services: a module's work that continues regardless of the open screen.

use super::cx::Cx;
use super::shared::Shared;
use crate::app::effects::job::Outcome;
use crate::app::owner::RequestId;

/// A service. Its state is in [`Shared`], by type; its work has the owner
/// [`crate::app::owner::Owner::Service`] with its name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Service {
    pub(crate) name: &'static str,
    /// Called at the start.
    pub(crate) begin: fn(&mut Cx),
    /// Handles the outcome of its work.
    pub(crate) answered: fn(&mut Cx, RequestId, Outcome),
    /// Handles its timer.
    pub(crate) fired: fn(&mut Cx, RequestId),
    /// A host answered, possibly after an outage.
    pub(crate) host_answered: fn(&mut Cx),
    /// Resumes deliveries: after a sign-in, after read-only mode, or on request.
    pub(crate) resume: fn(&mut Cx),
    /// Writes data to disk that is only in memory, before the app ends.
    pub(crate) save: fn(&mut Cx),
    /// Drops data of the previous account after a different one signed in.
    pub(crate) forget: fn(&mut Shared),
    /// Whether the user waits for it.
    pub(crate) is_busy: fn(&Shared) -> bool,
    /// The number of undelivered items.
    pub(crate) waiting: fn(&Shared) -> usize,
}
