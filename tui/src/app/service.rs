//! What goes on whatever screen is open: work of a module's own that must not be lost with a screen.

use super::cx::Cx;
use super::effect::{Outcome, RequestId};
use super::shared::Shared;

/// A service, as the machine knows it. Its state lies in [`Shared`], by its type; its work is asked
/// for as [`super::effect::Owner::Service`] of its name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Service {
    pub(crate) name: &'static str,
    /// The app starts.
    pub(crate) begin: fn(&mut Cx),
    /// Work ended that it had begun.
    pub(crate) answered: fn(&mut Cx, RequestId, Outcome),
    /// A timer of its own fired.
    pub(crate) fired: fn(&mut Cx, RequestId),
    /// A host answered a call: it is back, if it was away.
    pub(crate) host_answered: fn(&mut Cx),
    /// Somebody signed in, may write again, or asks: what waits goes on.
    pub(crate) resume: fn(&mut Cx),
    /// The app is about to end: what is only in memory is written down.
    pub(crate) save: fn(&mut Cx),
    /// Another person works here now: what is done was the other's.
    pub(crate) forget: fn(&mut Shared),
    /// Whether the person waits for something of it.
    pub(crate) is_busy: fn(&Shared) -> bool,
    /// How much waits to reach a host.
    pub(crate) waiting: fn(&Shared) -> usize,
}
