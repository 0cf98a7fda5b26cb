//! What happens or is due between two days, over all hosts.

use jiff::Timestamp;
use jiff::civil::Date;

use super::EVERYBODY;
use crate::id::AgendaItemId;
use crate::record::record;
use crate::value::Day;
use crate::words::words;

words! {
    /// The kind of an agenda item's record.
    AgendaKind {
        Event = "event",
        Session = "session",
        Meeting = "meeting",
        Task = "task",
        Tender = "tender",
        Invoice = "invoice",
    }
}

words! {
    /// The status of a task or of an unpaid invoice.
    AgendaStatus {
        ToDo = "to_do",
        InProgress = "in_progress",
        DevCompleted = "dev_completed",
        Done = "done",
        Blocked = "blocked",
        Draft = "draft",
        Sent = "sent",
    }
}

record! {
    /// A record that takes place or is due on a day.
    AgendaItem = "agenda_item", "agenda_items" (name: title, state: kind) {
        /// The record's id.
        id: AgendaItemId,
        kind: AgendaKind,
        title: String,
        /// The session's event, the task's identifier, or the tender's issuer.
        context: Option<String>,
        /// The start or due day. An event that began earlier has the first requested one.
        day: Date,
        /// Empty for a day without a time.
        starts_at: Option<Timestamp>,
        ends_at: Option<Timestamp>,
        status: Option<AgendaStatus>,
    }
    /// Lists the events, sessions, meetings, due tasks, tender deadlines and unpaid invoices of some days that the
    /// caller can see, by time.
    list ListAgenda = "agenda" on Ops for EVERYBODY {
        opt {
            /// First day, in the organisation's time zone. Default: today.
            from: Option<Day>,
            /// Last day. Default: six days after the first.
            to: Option<Day>,
            kind: Option<AgendaKind>,
        }
    }
}
