//! The handlers of the campaigns host.

mod metric;
mod post;

use super::Routes;

/// The routes of the host, by resource, as they are declared.
pub(super) const ROUTES: Routes = &[post::ROUTES, metric::ROUTES];
