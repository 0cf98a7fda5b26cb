//! The handlers of the engineering host.

mod document;
mod pull_request;
mod run;
mod task;

use super::Routes;

/// The routes of the host, by resource, as they are declared.
pub(super) const ROUTES: Routes = &[
    run::ROUTES,
    task::ROUTES,
    document::ROUTES,
    pull_request::ROUTES,
];
