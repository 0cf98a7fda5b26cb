//! The handlers of the engineering host.

pub(super) mod content;
mod document;
mod pull_request;
mod run;
mod task;

use super::Routes;

/// The routes by resource, in the order of their declarations.
pub(super) const ROUTES: Routes = &[
    run::ROUTES,
    task::ROUTES,
    document::ROUTES,
    pull_request::ROUTES,
];
