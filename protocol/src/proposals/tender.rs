//! Public tenders and their questions.

use jiff::Timestamp;

use super::READERS;
use crate::id::{SubmissionId, TenderId, UserId};
use crate::record::{List, Maybe, One};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Prose, Text, UpTo, WebUrl};
use crate::wire::Wire;
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

/// A public tender.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Tender {
    pub id: TenderId,
    pub title: String,
    pub issuer: String,
    /// The issuer's reference.
    pub reference: Option<String>,
    pub status: TenderStatus,
    /// Deadline for the submission.
    pub deadline_at: Timestamp,
    /// The previous deadline, if an owner moved it after it had passed.
    pub deadline_was: Option<Timestamp>,
    /// When the owner moved it.
    pub deadline_moved_at: Option<Timestamp>,
    /// The owner who moved it.
    pub deadline_moved_by: Option<UserId>,
    pub deadline_moved_by_name: Option<String>,
    pub summary: Option<String>,
    /// Address of the publication.
    pub url: Option<String>,
    /// The questions to answer.
    pub questions: Vec<String>,
    /// The organisation's submission.
    pub submission_id: Option<SubmissionId>,
}

resource! {
    Tender = "tender", "tenders" (name: title, state: status) {
        list: ListTenders,
        get: GetTender,
        create: CreateTender,
        change: UpdateTender,
    }
}

tool! {
    /// Lists tenders, latest deadline first.
    ListTenders = "list_tenders" on Proposals, READ, for READERS => List<Tender> {
        opt {
            status: Option<TenderStatus>,
            /// Part of the title, issuer or reference.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a tender.
    GetTender = "get_tender" on Proposals, READ, for READERS => Maybe<Tender> {
        req {
            id: TenderId,
        }
    }
}

tool! {
    /// Adds a tender.
    CreateTender = "create_tender" on Proposals, CREATE, for Roles::DESK => One<Tender> {
        req {
            title: Name,
            issuer: Name,
            deadline_at: Timestamp,
        }
        opt {
            /// Unique.
            reference: Option<Name>,
            summary: Option<Prose>,
            url: Option<WebUrl>,
            /// In order.
            questions: Option<UpTo<Asked, 100>>,
        }
    }
}

tool! {
    /// Changes a tender. Answers stay with questions whose text is unchanged.
    UpdateTender = "update_tender" on Proposals, UPDATE, for Roles::DESK => One<Tender> {
        req {
            id: TenderId,
        }
        opt {
            title: Change<Name>,
            issuer: Change<Name>,
            /// Deadline; once it has passed, only owners can move it.
            deadline_at: Change<Timestamp>,
            reference: Patch<Name>,
            /// Status; only open tenders accept submissions.
            status: Change<TenderStatus>,
            summary: Patch<Prose>,
            url: Patch<WebUrl>,
            /// Replaces all questions; refused after the submission.
            questions: Change<UpTo<Asked, 100>>,
        }
    }
}
