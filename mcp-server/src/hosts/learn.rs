//! The handlers of the learn host.

mod cohort;
mod course;
mod dependency;
mod lesson;
mod member;
mod milestone;
mod profile;
mod program;
mod progress;
mod stage;
mod tutor;
mod wiki;

use super::Routes;

/// The routes by resource, in the order of their declarations.
pub(super) const ROUTES: Routes = &[
    member::ROUTES,
    profile::ROUTES,
    cohort::ROUTES,
    course::ROUTES,
    lesson::ROUTES,
    program::ROUTES,
    stage::ROUTES,
    milestone::ROUTES,
    dependency::ROUTES,
    progress::ROUTES,
    tutor::ROUTES,
    wiki::ROUTES,
];
