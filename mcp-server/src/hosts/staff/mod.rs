//! The handlers of the staff-management host.

mod invitation;
mod invoice;
mod student;
mod user;

use super::Routes;

/// The routes of the host, by resource, as they are declared.
pub(super) const ROUTES: Routes = &[
    student::ROUTES,
    user::ROUTES,
    invitation::ROUTES,
    invoice::ROUTES,
];
