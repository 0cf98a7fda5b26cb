//! The events host.

mod event;
mod expense;
mod guest;
mod photo;
mod session;
mod task;

use crate::call::Route;

/// The host's routes, by resource, in the order of the declarations.
pub const ROUTES: &[&[Route]] = &[
    event::ROUTES,
    session::ROUTES,
    guest::ROUTES,
    task::ROUTES,
    expense::ROUTES,
    photo::ROUTES,
];
