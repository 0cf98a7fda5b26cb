//! The handlers of the quiz host.

mod attempt;
mod dispatch;
mod form;
mod questions;
mod response;

use super::Routes;

/// The routes by resource, in the order of their declarations.
pub(super) const ROUTES: Routes = &[
    form::ROUTES,
    questions::ROUTES,
    attempt::ROUTES,
    dispatch::ROUTES,
    response::ROUTES,
];
