//! The trial balance.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::OFFICE;
use super::account::AccountKind;
use crate::id::LedgerAccountId;
use crate::tool::{tool, tools};
use crate::value::Day;

/// What was posted on an account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AccountBalance {
    /// The account.
    pub account_id: LedgerAccountId,
    /// Its number.
    pub code: String,
    /// Its name.
    pub name: String,
    /// What it counts.
    pub kind: AccountKind,
    /// All debits.
    pub debit: f64,
    /// All credits.
    pub credit: f64,
    /// Debits less credits.
    pub balance: f64,
}

/// What was posted until a day, by account; debits equal credits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrialBalance {
    /// The last day that counts; null for all.
    pub until: Option<Date>,
    /// Accounts that have lines, by code; at most 1,000.
    pub balances: Vec<AccountBalance>,
    /// All debits.
    pub debit: f64,
    /// All credits.
    pub credit: f64,
}

tool! {
    /// Adds up what was posted on each account.
    GetTrialBalance = "get_trial_balance" on Financing, READ, for OFFICE => TrialBalance {
        opt {
            /// The last day that counts.
            until: Option<Day>,
        }
    }
}

tools![GetTrialBalance];
