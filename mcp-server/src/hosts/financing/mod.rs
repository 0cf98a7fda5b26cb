//! The handlers of the accounting ledger.

mod account;
mod balance;
mod journal;
mod statement;

use super::Routes;

/// The routes of the host, by resource, as they are declared.
pub(super) const ROUTES: Routes = &[
    account::ROUTES,
    journal::ROUTES,
    statement::ROUTES,
    balance::ROUTES,
];
