//! The plans host.

mod adr;
mod plan;
mod question;

use super::Routes;

/// The routes by resource, in the order of their declarations.
pub(super) const ROUTES: Routes = &[plan::ROUTES, adr::ROUTES, question::ROUTES];
