//! The journal: entries whose debits equal their credits. What is posted never changes.

use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{KEEPERS, OFFICE};
use crate::id::{JournalEntryId, LedgerAccountId, UserId};
use crate::record::{List, Maybe, One, record};
use crate::tool::{tool, tools};
use crate::value::{Amount, Day, Limit, Line, Offset, Text, UpTo};
use crate::words::words;

words! {
    /// A side of an account.
    Side {
        Debit = "debit",
        Credit = "credit",
    }
}

/// A line of an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JournalLine {
    /// The account.
    pub account_id: LedgerAccountId,
    /// Its side.
    pub side: Side,
    /// How much.
    pub amount: f64,
    /// Anything else.
    pub memo: Option<String>,
}

/// A line to post.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct NewLine {
    /// The account.
    pub account_id: LedgerAccountId,
    /// Its side.
    pub side: Side,
    /// More than 0.
    pub amount: Amount,
    /// Anything else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memo: Option<Line>,
}

/// An entry without its lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EntrySummary {
    /// Identifies the entry.
    pub id: JournalEntryId,
    /// The day that it counts for.
    pub entry_on: Date,
    /// What it is about.
    pub description: String,
    /// What it moves: its debits.
    pub amount: f64,
    /// The entry that it reverses.
    pub reverses_id: Option<JournalEntryId>,
    /// The entry that reverses it.
    pub reversed_by_id: Option<JournalEntryId>,
}
record!(EntrySummary, "journal_entry", "journal_entries");

/// An entry of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JournalEntry {
    /// Identifies the entry.
    pub id: JournalEntryId,
    /// The day that it counts for.
    pub entry_on: Date,
    /// What it is about.
    pub description: String,
    /// What it moves: its debits.
    pub amount: f64,
    /// The entry that it reverses.
    pub reverses_id: Option<JournalEntryId>,
    /// The entry that reverses it.
    pub reversed_by_id: Option<JournalEntryId>,
    /// Who posted it.
    pub posted_by: UserId,
    /// When.
    pub posted_at: Timestamp,
    /// Its lines.
    pub lines: Vec<JournalLine>,
}
record!(JournalEntry, "journal_entry", "journal_entries");

tool! {
    /// Lists journal entries without their lines, the latest first.
    ListJournalEntries = "list_journal_entries" on Financing, READ, for OFFICE => List<EntrySummary> {
        opt {
            /// Only entries with a line on this account.
            account_id: Option<LedgerAccountId>,
            /// On this day or later.
            since: Option<Day>,
            /// On this day or earlier.
            until: Option<Day>,
            /// Part of the description.
            search: Option<Line>,
            /// Most entries to return.
            limit: Limit,
            /// Entries to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a journal entry with its lines.
    GetJournalEntry = "get_journal_entry" on Financing, READ, for OFFICE => Maybe<JournalEntry> {
        req {
            /// The entry.
            id: JournalEntryId,
        }
    }
}

tool! {
    /// Posts a journal entry for good: debits equal credits.
    PostJournalEntry = "post_journal_entry" on Financing, CREATE, for KEEPERS => One<JournalEntry> {
        req {
            /// The day that it counts for.
            entry_on: Day,
            /// What it is about.
            description: Text<1, 500>,
            /// Two or more.
            lines: UpTo<NewLine, 100>,
        }
    }
}

tool! {
    /// Posts an entry with the sides of another one exchanged. An entry is reversed once.
    ReverseJournalEntry = "reverse_journal_entry" on Financing, CREATE, for KEEPERS => One<JournalEntry> {
        req {
            /// The entry to reverse.
            id: JournalEntryId,
            /// The day that the new one counts for.
            entry_on: Day,
        }
        opt {
            /// Made from the entry's where left out.
            description: Option<Text<1, 500>>,
        }
    }
}

tools![
    ListJournalEntries,
    GetJournalEntry,
    PostJournalEntry,
    ReverseJournalEntry
];
