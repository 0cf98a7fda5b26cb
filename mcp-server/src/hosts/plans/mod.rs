//! The plans host.

mod adr;
mod plan;
mod question;

use super::Routes;

/// The routes of the host, by resource, as they are declared.
pub(super) const ROUTES: Routes = &[plan::ROUTES, adr::ROUTES, question::ROUTES];
