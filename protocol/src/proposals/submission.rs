//! Submissions: a tender's questions with the organisation's answers.

use jiff::Timestamp;

use super::answer::Words;
use super::{READERS, SIGNATORIES};
use crate::id::{LibraryAnswerId, SubmissionId, TenderId, UserId};
use crate::record::{List, Maybe, Missing, One, record};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Limit, Line, Offset, Prose, Whole};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// Status.
    SubmissionStatus {
        Draft = "draft",
        Submitted = "submitted",
    }
}

/// A question of the tender with its answer.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Answered {
    pub question: String,
    /// The answer; null: unanswered.
    pub answer: Option<String>,
    /// The library answer it was copied from.
    pub answer_id: Option<LibraryAnswerId>,
}

record! {
    /// A submission to a tender.
    Submission {
        id: SubmissionId,
        /// The tender's title; after the submission, its title at that time.
        title: String,
        tender_id: TenderId [create],
        status: SubmissionStatus,
        /// Number of unanswered questions.
        unanswered: u32,
        /// Internal note.
        note: Option<Prose> [create],
        /// When it was submitted.
        submitted_at: Option<Timestamp>,
        /// The account that submitted it.
        submitted_by: Option<UserId>,
        submitted_by_name: Option<String>,
    }
    /// Creates the submission to a tender. A tender has only one.
    create CreateSubmission = "create_submission" on Proposals for Roles::DESK;
}

/// A submission with its answers, in the order of the tender's questions.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct SubmissionAnswers {
    /// The submission.
    #[wire(flatten)]
    pub submission: Submission,
    /// The questions, numbered from 1.
    pub answers: Vec<Answered>,
    /// Lists that were cut for size, with the call that returns the rest.
    pub missing: Vec<Missing>,
}

resource! {
    Submission, SubmissionAnswers = "submission", "submissions" (parent: tender_id, name: title, state: status) {
        list: ListSubmissions,
        get: GetSubmission,
        create: CreateSubmission,
        other: SetSubmissionAnswer,
        other: SubmitSubmission,
        other: ExportSubmission,
    }
    Answered = "submission_answer", "submission_answers" (parent: submission_id, name: question) {
        list: ListSubmissionAnswers,
    }
}

tool! {
    /// Lists submissions, latest first.
    ListSubmissions = "list_submissions" on Proposals, READ, for READERS => List<Submission> {
        opt {
            tender_id: Option<TenderId>,
            status: Option<SubmissionStatus>,
            /// Part of the tender's title, issuer or reference.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a submission with questions and answers.
    GetSubmission = "get_submission" on Proposals, READ, for READERS => Maybe<SubmissionAnswers> {
        req {
            id: SubmissionId,
        }
    }
}

tool! {
    /// Lists a submission's questions with their answers.
    ListSubmissionAnswers = "list_submission_answers" on Proposals, READ, for READERS => List<Answered> {
        req {
            submission_id: SubmissionId,
        }
        opt {
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Answers a question of a draft with your own text or a library answer.
    SetSubmissionAnswer = "set_submission_answer" on Proposals, UPDATE, for Roles::DESK => One<SubmissionAnswers> {
        req {
            id: SubmissionId,
            /// The question's number, from 1.
            question: Whole<1, 100>,
        }
        opt {
            /// The answer. Use either this or answer_id.
            answer: Option<Words>,
            /// The library answer to copy.
            answer_id: Option<LibraryAnswerId>,
        }
    }
}

tool! {
    /// Submits a draft before the deadline. Every question must be answered; this is final. Owners and admins only.
    SubmitSubmission = "submit_submission" on Proposals, SEAL, for SIGNATORIES => One<Submission> {
        req {
            id: SubmissionId,
        }
    }
}

/// A submission as a text.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Exported {
    /// The tender, and each question with its answer.
    pub markdown: String,
}

tool! {
    /// Exports a submission as Markdown: what was submitted, or the draft.
    ExportSubmission = "export_submission" on Proposals, READ, for READERS => Exported {
        req {
            id: SubmissionId,
        }
    }
}
