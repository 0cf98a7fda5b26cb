//! The handlers of the payments host.

mod fellow_payment;
mod transaction;

use super::Routes;

/// The routes of the host, by resource, as they are declared.
pub(super) const ROUTES: Routes = &[transaction::ROUTES, fellow_payment::ROUTES];
