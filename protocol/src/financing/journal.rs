//! The journal: entries whose debits equal their credits. Posted entries never change.

use jiff::Timestamp;

use super::{KEEPERS, OFFICE};
use crate::id::{JournalEntryId, LedgerAccountId, StatementLineId, UserId};
use crate::record::{One, record};
use crate::tool::tool;
use crate::value::{Amount, Day, LINE, Line, Text, UpTo};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// A side of an account.
    Side {
        Debit = "debit",
        Credit = "credit",
    }
}

/// A line of an entry.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct JournalLine {
    pub account_id: LedgerAccountId,
    /// Debit or credit.
    pub side: Side,
    /// Amount.
    #[wire(amount)]
    pub amount: f64,
    pub memo: Option<String>,
}

/// A line to post.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(strict, inline)]
pub struct NewLine {
    pub account_id: LedgerAccountId,
    /// Debit or credit.
    pub side: Side,
    /// More than 0.
    pub amount: Amount,
    #[wire(optional)]
    pub memo: Option<Line>,
}

record! {
    /// An entry of the journal.
    JournalEntry = "journal_entry", "journal_entries" (name: description)
        lasting "a posted journal entry is reversed, not undone: use reverse_journal_entry" {
        id: JournalEntryId,
        /// Accounting date.
        entry_on: Day [create],
        description: Text<1, 500, LINE> [create],
        /// The sum of its debits.
        #[wire(amount)]
        amount: f64,
        /// The entry it reverses.
        reverses_id: Option<JournalEntryId>,
        /// The entry that reverses it.
        reversed_by_id: Option<JournalEntryId>,
        /// The account that posted it.
        posted_by: UserId [unlisted],
        posted_by_name: Option<String> [unlisted],
        /// When it was posted.
        posted_at: Timestamp [unlisted],
        /// Its lines.
        lines: Vec<JournalLine> [unlisted],
        /// The statement lines that are reconciled with it.
        statement_line_ids: Vec<StatementLineId> [unlisted],
    }
    /// An entry without its lines.
    summary EntrySummary;
    /// Lists journal entries without their lines, latest first.
    list ListJournalEntries = "list_journal_entries" on Financing for OFFICE {
        opt {
            /// Only entries with a line on this account.
            account_id: Option<LedgerAccountId>,
            /// Inclusive.
            since: Option<Day>,
            /// Inclusive.
            until: Option<Day>,
            /// Part of the description.
            search: Option<Line>,
        }
    }
    /// Gets a journal entry with its lines.
    get GetJournalEntry = "get_journal_entry" on Financing for OFFICE;
    /// Posts a journal entry. Debits must equal credits. Posted entries cannot be changed, only reversed.
    create PostJournalEntry = "post_journal_entry" on Financing for KEEPERS {
        req {
            /// Two lines or more.
            lines: UpTo<NewLine, 100>,
        }
    }
    other ReverseJournalEntry;
}

tool! {
    /// Reverses an entry: posts one with debits and credits swapped. An entry can be reversed only once.
    ReverseJournalEntry = "reverse_journal_entry" on Financing, CREATE, for KEEPERS => One<JournalEntry> {
        req {
            id: JournalEntryId,
            entry_on: Day,
        }
        opt {
            /// Default: made from the entry's description.
            description: Option<Text<1, 500, LINE>>,
        }
    }
}
