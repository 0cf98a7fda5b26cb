//! Public tenders and their questions.

use jiff::Timestamp;

use super::READERS;
use crate::id::{SubmissionId, TenderId, UserId};
use crate::record::record;
use crate::role::Roles;
use crate::value::{Change, Line, Name, Patch, Prose, Text, UpTo, WebUrl};
use crate::words::words;

words! {
    /// The status of a tender.
    TenderStatus {
        Open = "open",
        Won = "won",
        Lost = "lost",
        Withdrawn = "withdrawn",
    }
}

/// A question of a tender.
pub type Asked = Text<1, 500>;

record! {
    /// A public tender.
    Tender = "tender", "tenders" (name: title, state: status) {
        id: TenderId,
        title: Name [create, change],
        issuer: Name [create, change],
        /// Unique.
        reference: Option<Name> [create],
        /// Status; only open tenders accept submissions.
        status: TenderStatus [change],
        deadline_at: Timestamp [create],
        /// The previous deadline, if an owner moved it after it had passed.
        deadline_was: Option<Timestamp>,
        /// When the owner moved it.
        deadline_moved_at: Option<Timestamp>,
        /// The owner who moved it.
        deadline_moved_by: Option<UserId>,
        deadline_moved_by_name: Option<String>,
        summary: Option<Prose> [create, change],
        url: Option<WebUrl> [create, change],
        /// The questions to answer.
        questions: Vec<String>,
        /// The organisation's submission.
        submission_id: Option<SubmissionId>,
    }
    /// Lists tenders, latest deadline first.
    list ListTenders = "list_tenders" on Proposals for READERS {
        opt {
            status: Option<TenderStatus>,
            /// Part of the title, issuer or reference.
            search: Option<Line>,
        }
    }
    /// Gets a tender.
    get GetTender = "get_tender" on Proposals for READERS;
    /// Adds a tender.
    create CreateTender = "create_tender" on Proposals for Roles::DESK {
        opt {
            /// In order.
            questions: Option<UpTo<Asked, 100>>,
        }
    }
    /// Changes a tender. Answers stay with questions whose text is unchanged.
    change UpdateTender = "update_tender" on Proposals for Roles::DESK {
        opt {
            /// Deadline; once it has passed, only owners can move it.
            deadline_at: Change<Timestamp>,
            reference: Patch<Name>,
            /// Replaces all questions; refused after the submission.
            questions: Change<UpTo<Asked, 100>>,
        }
    }
    /// Deletes a tender without a submission.
    delete DeleteTender = "delete_tender" on Proposals for Roles::DESK;
}
