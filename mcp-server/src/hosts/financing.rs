//! The handlers of the accounting ledger.

mod account;
mod balance;
mod journal;
mod statement;
pub(super) mod told;

use super::Routes;

/// The routes by resource, in the order of their declarations.
pub(super) const ROUTES: Routes = &[
    account::ROUTES,
    journal::ROUTES,
    statement::ROUTES,
    balance::ROUTES,
];
