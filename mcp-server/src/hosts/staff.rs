//! The handlers of the staff-management host.

mod invitation;
mod invoice;
mod organization;
mod student;
pub(super) mod user;

use super::Routes;

/// The routes by resource, in the order of their declarations.
pub(super) const ROUTES: Routes = &[
    student::ROUTES,
    user::ROUTES,
    invitation::ROUTES,
    invoice::ROUTES,
    organization::ROUTES,
];
