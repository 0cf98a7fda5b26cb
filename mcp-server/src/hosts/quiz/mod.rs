//! The handlers of the quiz host.

mod attempt;
mod dispatch;
mod form;
mod questions;

use super::Routes;

/// The routes of the host, by resource, as they are declared.
pub(super) const ROUTES: Routes = &[
    form::ROUTES,
    questions::ROUTES,
    attempt::ROUTES,
    dispatch::ROUTES,
];
