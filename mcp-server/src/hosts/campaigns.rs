//! The handlers of the campaigns host.

mod metric;
mod post;

use super::Routes;

/// The routes by resource, in the order of their declarations.
pub(super) const ROUTES: Routes = &[post::ROUTES, metric::ROUTES];
