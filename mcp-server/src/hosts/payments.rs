//! The handlers of the payments host.

mod fellow_payment;
mod transaction;

use super::Routes;

/// The routes by resource, in the order of their declarations.
pub(super) const ROUTES: Routes = &[transaction::ROUTES, fellow_payment::ROUTES];
