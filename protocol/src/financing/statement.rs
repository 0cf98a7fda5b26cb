//! Lines of bank statements, and their reconciliation with journal entries.

use jiff::civil::Date;

use super::{KEEPERS, OFFICE};
use crate::id::{JournalEntryId, LedgerAccountId, StatementLineId};
use crate::record::{One, record};
use crate::role::Role;
use crate::tool::tool;
use crate::value::{Day, Flag, LINE, Line, Name, Text, Whole};
use crate::wire::Wire;
use crate::words::words;

record! {
    /// A line of a bank statement.
    StatementLine = "statement_line", "statement_lines" (name: description) {
        id: StatementLineId,
        /// The ledger account of the bank account.
        account_id: LedgerAccountId,
        /// Booking date.
        posted_on: Date,
        /// Positive: received. Negative: paid.
        #[wire(amount)]
        amount: f64,
        /// The bank's description.
        description: String,
        /// The bank's reference.
        reference: Option<String>,
        /// The journal entry it is reconciled with.
        journal_entry_id: Option<JournalEntryId>,
    }
    other IngestStatement;
    /// Lists statement lines without a journal entry, oldest first.
    list ListUnreconciled = "list_unreconciled" on Financing for OFFICE.and(&[Role::Automation]) {
        opt {
            account_id: Option<LedgerAccountId>,
            /// Part of the description.
            search: Option<Line>,
        }
    }
    set ReconcileLine;
    other UnreconcileLine;
}

/// The result of ingesting a statement.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Ingested {
    /// True if this was a dry run: nothing was written.
    pub dry_run: bool,
    /// Number of new lines.
    pub added: u32,
    /// Number of lines that already existed.
    pub already_there: u32,
    /// Lines that may be stored ones with another text or day, or may not belong to the account. Those that are accepted are
    /// added.
    #[wire(optional)]
    pub questionable: Option<Vec<QuestionableLine>>,
    /// All lines of the file, in a dry run.
    #[wire(optional)]
    pub lines: Option<Vec<IngestedLine>>,
    /// Columns that were not read.
    #[wire(optional)]
    pub unknown_columns: Option<Vec<String>>,
}

words! {
    /// What becomes of a line.
    LineOutcome {
        Add = "add",
        /// It is stored already.
        Same = "same",
        Questionable = "questionable",
    }
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct IngestedLine {
    /// Its place in the file.
    pub line: u32,
    pub date: Date,
    /// Positive: received. Negative: paid.
    #[wire(amount)]
    pub amount: f64,
    pub description: String,
    pub outcome: LineOutcome,
}

/// A line that may be a stored one, or may not belong to the account.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct QuestionableLine {
    /// Its place in the file.
    pub line: u32,
    /// Date and description of the stored line.
    #[wire(optional)]
    pub known: Option<String>,
    /// Its status, currency or account, if they are in doubt.
    #[wire(optional)]
    pub reason: Option<String>,
}

/// A line to add, as it was read in a bank's file.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(strict, inline)]
pub struct ReadLine {
    /// Its place in the file.
    pub line: Whole<1, 1_000_000>,
    pub date: Day,
    pub description: Text<1, 500, LINE>,
    /// Positive: received. Negative: paid.
    pub amount: f64,
    #[wire(optional)]
    pub reference: Option<Name>,
    #[wire(optional)]
    pub currency: Option<Name>,
    /// Why it is questionable.
    #[wire(optional)]
    pub doubt: Option<Line>,
}

tool! {
    /// Adds the new lines of a bank statement. Ingesting a file twice adds nothing. Give content or lines.
    IngestStatement = "ingest_statement" on Financing, UPDATE, for KEEPERS.and(&[Role::Automation]) => Ingested {
        req {
            /// The ledger account of the bank account.
            account_id: LedgerAccountId,
        }
        opt {
            /// CSV with the header date,description,amount,reference. A row: 2026-03-05,Rent,-12.50,.
            content: Option<Text<1, 200_000>>,
            lines: Option<Vec<ReadLine>>,
            /// Questionable lines to add.
            accept: Option<Vec<u32>>,
            /// Write nothing, and show all lines.
            dry_run: Flag<false>,
        }
    }
}

tool! {
    /// Assigns a journal entry to an open statement line. The entry must post the line's amount to its account and
    /// must not be reversed.
    ReconcileLine = "reconcile_line" on Financing, REPLACE, for KEEPERS => One<StatementLine> {
        req {
            id: StatementLineId,
            journal_entry_id: JournalEntryId,
        }
    }
}

tool! {
    /// Opens a reconciled statement line again. get_journal_entry has the lines of an entry.
    UnreconcileLine = "unreconcile_line" on Financing, UPDATE, for KEEPERS => One<StatementLine> {
        req {
            id: StatementLineId,
        }
    }
}
