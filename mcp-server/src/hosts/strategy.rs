//! The handlers of the strategy host.

mod canvas;
mod competitor;
mod persona;

use super::Routes;

/// The routes by resource, in the order of their declarations.
pub(super) const ROUTES: Routes = &[canvas::ROUTES, persona::ROUTES, competitor::ROUTES];
