//! The events host.

mod event;
mod expense;
mod following;
mod guest;
mod movement;
mod photo;
mod place;
mod session;
mod task;

use crate::call::Route;

/// The routes by resource, in the order of their declarations.
pub const ROUTES: &[&[Route]] = &[
    event::ROUTES,
    session::ROUTES,
    guest::ROUTES,
    task::ROUTES,
    expense::ROUTES,
    photo::ROUTES,
    place::ROUTES,
    movement::ROUTES,
];
