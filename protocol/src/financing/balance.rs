//! The trial balance.

use jiff::civil::Date;

use super::OFFICE;
use super::account::AccountKind;
use crate::id::LedgerAccountId;
use crate::tool::{tool, tools};
use crate::value::Day;
use crate::wire::Wire;

/// The balance of an account.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct AccountBalance {
    pub account_id: LedgerAccountId,
    /// Account number.
    pub code: String,
    /// Its name.
    pub name: String,
    pub kind: AccountKind,
    /// All debits.
    #[wire(amount)]
    pub debit: f64,
    /// All credits.
    #[wire(amount)]
    pub credit: f64,
    /// Debits minus credits.
    #[wire(amount)]
    pub balance: f64,
}

/// The balances of all accounts on a day; debits equal credits.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct TrialBalance {
    /// The last day included; null: all days.
    pub until: Option<Date>,
    /// Accounts with journal lines, by code; at most 1,000.
    pub balances: Vec<AccountBalance>,
    /// All debits.
    #[wire(amount)]
    pub debit: f64,
    /// All credits.
    #[wire(amount)]
    pub credit: f64,
}

tool! {
    /// Gets the sum of debits and credits of each account.
    GetTrialBalance = "get_trial_balance" on Financing, READ, for OFFICE => TrialBalance {
        opt {
            /// Inclusive. Default: all days.
            until: Option<Day>,
        }
    }
}

tools![GetTrialBalance];
