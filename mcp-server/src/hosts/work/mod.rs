//! The work host.

mod business_unit;
mod meeting;
mod merge;
mod occurrence;
mod plan;
mod removal;
mod rows;
mod series;

use crate::call::Route;

/// The host's routes, by resource, in the order of the declarations.
pub const ROUTES: &[&[Route]] = &[
    series::ROUTES,
    meeting::ROUTES,
    occurrence::ROUTES,
    business_unit::ROUTES,
];
