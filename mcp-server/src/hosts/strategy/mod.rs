//! The handlers of the strategy host.

mod canvas;
mod competitor;
mod persona;

use super::Routes;

/// The routes of the host, by resource, as they are declared.
pub(super) const ROUTES: Routes = &[canvas::ROUTES, persona::ROUTES, competitor::ROUTES];
