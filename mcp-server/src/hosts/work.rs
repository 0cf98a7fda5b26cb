//! The work host.

mod alias;
mod business_unit;
pub(super) mod calendar;
mod clock;
mod days;
mod delivery;
mod epic;
mod meeting;
mod merge;
mod occurrence;
mod placement;
mod plan;
mod project;
mod removal;
mod rows;
mod schedule;
mod scheduling;
mod series;
mod task;
mod weekly;

use crate::call::Route;

/// The routes by resource, in the order of their declarations.
pub const ROUTES: &[&[Route]] = &[
    project::ROUTES,
    epic::ROUTES,
    delivery::ROUTES,
    task::ROUTES,
    series::ROUTES,
    meeting::ROUTES,
    occurrence::ROUTES,
    business_unit::ROUTES,
    placement::ROUTES,
    alias::ROUTES,
    weekly::ROUTES,
];
