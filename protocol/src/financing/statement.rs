//! Lines of bank statements, and the journal entries that account for them.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{KEEPERS, OFFICE};
use crate::id::{JournalEntryId, LedgerAccountId, StatementLineId};
use crate::record::{List, One, record};
use crate::role::Role;
use crate::tool::{tool, tools};
use crate::value::{Limit, Line, Offset, Text};

/// A line of a bank statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StatementLine {
    /// Identifies the line.
    pub id: StatementLineId,
    /// The ledger's account of the bank account.
    pub account_id: LedgerAccountId,
    /// The bank's day.
    pub posted_on: Date,
    /// Above 0 came in, below went out.
    pub amount: f64,
    /// The bank's words.
    pub description: String,
    /// The bank's reference.
    pub reference: Option<String>,
    /// The entry that accounts for it.
    pub journal_entry_id: Option<JournalEntryId>,
}
record!(StatementLine, "statement_line", "statement_lines");

/// What a statement brought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ingested {
    /// Lines that are new.
    pub added: u32,
    /// Lines that were there.
    pub already_there: u32,
}

tool! {
    /// Adds the lines of a bank statement that are not there yet: the same file twice adds nothing.
    IngestStatement = "ingest_statement" on Financing, UPDATE, for KEEPERS.and(&[Role::Automation]) => Ingested {
        req {
            /// The ledger's account of the bank account.
            account_id: LedgerAccountId,
            /// CSV: first the line date,description,amount or date,description,amount,reference, then 2026-03-05,Rent,-12.50.
            content: Text<1, 200_000>,
        }
    }
}

tool! {
    /// Lists statement lines that no journal entry accounts for, the oldest first.
    ListUnreconciled = "list_unreconciled" on Financing, READ,
        for OFFICE.and(&[Role::Automation]) => List<StatementLine> {
        opt {
            /// Only lines of this account.
            account_id: Option<LedgerAccountId>,
            /// Part of the description.
            search: Option<Line>,
            /// Most lines to return.
            limit: Limit,
            /// Lines to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Says which journal entry accounts for a line: one that moves its amount on its account and is not reversed. Once.
    ReconcileLine = "reconcile_line" on Financing, UPDATE, for KEEPERS => One<StatementLine> {
        req {
            /// The line.
            id: StatementLineId,
            /// The entry.
            journal_entry_id: JournalEntryId,
        }
    }
}

tools![IngestStatement, ListUnreconciled, ReconcileLine];
