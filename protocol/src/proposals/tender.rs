//! Public tenders, and what they ask.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::READERS;
use crate::id::{SubmissionId, TenderId, UserId};
use crate::record::{List, Maybe, One, record};
use crate::role::Roles;
use crate::tool::{tool, tools};
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Prose, Text, UpTo, WebUrl, our_era};
use crate::words::words;

words! {
    /// How far a tender is.
    TenderStatus {
        Open = "open",
        Won = "won",
        Lost = "lost",
        Withdrawn = "withdrawn",
    }
}

/// What a tender asks.
pub type Asked = Text<1, 500>;

/// A public tender.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tender {
    /// Identifies the tender.
    pub id: TenderId,
    /// Title.
    pub title: String,
    /// Who issued it.
    pub issuer: String,
    /// The issuer's reference.
    pub reference: Option<String>,
    /// How far it is.
    pub status: TenderStatus,
    /// Until when it can be submitted to.
    pub deadline_at: Timestamp,
    /// The deadline that had passed when an owner moved it.
    pub deadline_was: Option<Timestamp>,
    /// When it was moved then.
    pub deadline_moved_at: Option<Timestamp>,
    /// The owner who moved it.
    pub deadline_moved_by: Option<UserId>,
    /// What it is about.
    pub summary: Option<String>,
    /// Where it is published.
    pub url: Option<String>,
    /// What has to be answered.
    pub questions: Vec<String>,
    /// The organisation's submission.
    pub submission_id: Option<SubmissionId>,
}
record!(Tender, "tender", "tenders");

tool! {
    /// Lists tenders, the latest deadline first.
    ListTenders = "list_tenders" on Proposals, READ, for READERS => List<Tender> {
        opt {
            /// Only tenders of this status.
            status: Option<TenderStatus>,
            /// Part of title, issuer or reference.
            search: Option<Line>,
            /// Most tenders to return.
            limit: Limit,
            /// Tenders to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a tender.
    GetTender = "get_tender" on Proposals, READ, for READERS => Maybe<Tender> {
        req {
            /// The tender.
            id: TenderId,
        }
    }
}

tool! {
    /// Adds a tender.
    CreateTender = "create_tender" on Proposals, CREATE, for Roles::DESK => One<Tender> {
        req {
            /// Title.
            title: Name,
            /// Who issued it.
            issuer: Name,
            /// Until when it can be submitted to.
            #[serde(deserialize_with = "our_era")]
            deadline_at: Timestamp,
        }
        opt {
            /// The issuer's reference; unique.
            reference: Option<Name>,
            /// What it is about.
            summary: Option<Prose>,
            /// Where it is published.
            url: Option<WebUrl>,
            /// What has to be answered, in order.
            questions: Option<UpTo<Asked, 100>>,
        }
    }
}

tool! {
    /// Changes a tender; null clears. An answer stays with the words of its question.
    UpdateTender = "update_tender" on Proposals, UPDATE, for Roles::DESK => One<Tender> {
        req {
            /// The tender.
            id: TenderId,
        }
        opt {
            /// Title.
            title: Change<Name>,
            /// Issuer.
            issuer: Change<Name>,
            /// Deadline; once it has passed, only owners move it.
            #[serde(deserialize_with = "our_era")]
            deadline_at: Change<Timestamp>,
            /// Reference.
            reference: Patch<Name>,
            /// Only open ones take submissions.
            status: Change<TenderStatus>,
            /// Summary.
            summary: Patch<Prose>,
            /// Address.
            url: Patch<WebUrl>,
            /// Replaces all; not once submitted to.
            questions: Change<UpTo<Asked, 100>>,
        }
    }
}

tools![ListTenders, GetTender, CreateTender, UpdateTender];
