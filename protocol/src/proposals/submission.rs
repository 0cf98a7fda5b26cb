//! Submissions: a tender's questions with the organisation's answers.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Words;
use super::{READERS, SIGNATORIES};
use crate::id::{LibraryAnswerId, SubmissionId, TenderId, UserId};
use crate::record::{List, Maybe, Missing, One, record};
use crate::role::Roles;
use crate::tool::{tool, tools};
use crate::value::{Limit, Line, Offset, Prose, Whole};
use crate::words::words;

words! {
    /// Whether it was submitted.
    SubmissionStatus {
        Draft = "draft",
        Submitted = "submitted",
    }
}

/// A question of the tender, and what is answered to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answered {
    /// The question.
    pub question: String,
    /// Null as long as there is none.
    pub answer: Option<String>,
    /// The answer of the library that it was taken from.
    pub answer_id: Option<LibraryAnswerId>,
}
record!(Answered, "submission_answer", "submission_answers");

/// A submission to a tender.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Submission {
    /// Identifies the submission.
    pub id: SubmissionId,
    /// The tender's title; once submitted, the title then.
    pub title: String,
    /// The tender.
    pub tender_id: TenderId,
    /// Whether it was submitted.
    pub status: SubmissionStatus,
    /// Questions that have no answer yet.
    pub unanswered: u32,
    /// For those who work on it.
    pub note: Option<String>,
    /// When it was submitted.
    pub submitted_at: Option<Timestamp>,
    /// Who submitted it.
    pub submitted_by: Option<UserId>,
}
record!(Submission, "submission", "submissions");

/// A submission with its answers, in the order of the tender's questions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SubmissionAnswers {
    /// The submission.
    #[serde(flatten)]
    pub submission: Submission,
    /// The questions, the first of them number 1.
    pub answers: Vec<Answered>,
    /// What is left out of this list for its size.
    pub missing: Vec<Missing>,
}
record!(SubmissionAnswers, "submission", "submissions");

tool! {
    /// Lists submissions, the latest first.
    ListSubmissions = "list_submissions" on Proposals, READ, for READERS => List<Submission> {
        opt {
            /// Only the submission to this tender.
            tender_id: Option<TenderId>,
            /// Only submissions of this status.
            status: Option<SubmissionStatus>,
            /// Part of the tender's title, issuer or reference.
            search: Option<Line>,
            /// Most submissions to return.
            limit: Limit,
            /// Submissions to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a submission with questions and answers.
    GetSubmission = "get_submission" on Proposals, READ, for READERS => Maybe<SubmissionAnswers> {
        req {
            /// The submission.
            id: SubmissionId,
        }
    }
}

tool! {
    /// Lists a submission's questions with their answers.
    ListSubmissionAnswers = "list_submission_answers" on Proposals, READ, for READERS => List<Answered> {
        req {
            /// The submission.
            submission_id: SubmissionId,
        }
        opt {
            /// Most questions to return.
            limit: Limit,
            /// Questions to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Begins the submission to a tender, which has one.
    CreateSubmission = "create_submission" on Proposals, CREATE, for Roles::DESK => One<Submission> {
        req {
            /// The tender.
            tender_id: TenderId,
        }
        opt {
            /// For those who work on it.
            note: Option<Prose>,
        }
    }
}

tool! {
    /// Answers a question of a draft: with words, or with an answer of the library.
    SetSubmissionAnswer = "set_submission_answer" on Proposals, UPDATE, for Roles::DESK => One<SubmissionAnswers> {
        req {
            /// The submission.
            id: SubmissionId,
            /// The question's number, from 1.
            question: Whole<1, 100>,
        }
        opt {
            /// The answer; or give answer_id.
            answer: Option<Words>,
            /// The answer of the library to take over.
            answer_id: Option<LibraryAnswerId>,
        }
    }
}

tool! {
    /// Submits: before the deadline, with every question answered, and for good. Owners and admins only.
    SubmitSubmission = "submit_submission" on Proposals, UPDATE, for SIGNATORIES => One<Submission> {
        req {
            /// The submission.
            id: SubmissionId,
        }
    }
}

tools![
    ListSubmissions,
    GetSubmission,
    ListSubmissionAnswers,
    CreateSubmission,
    SetSubmissionAnswer,
    SubmitSubmission
];
