//! Attempts at quizzes.

use jiff::Timestamp;

use super::AUTHORS;
use super::questions::OptionNumber;
use crate::id::{AttemptId, MemberId, QuizId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::role::{Role, Roles};
use crate::tool::tool;
use crate::value::{Limit, Offset, UpTo};
use crate::wire::Wire;

/// An attempt at a quiz.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Attempt {
    pub id: AttemptId,
    pub quiz_id: QuizId,
    /// The member who attempted it.
    pub member_id: MemberId,
    pub member_name: Option<String>,
    /// Number of the member's attempt, from 1.
    pub number: u32,
    /// The chosen option of each question.
    pub answers: Vec<u32>,
    /// Number of right answers.
    pub right_count: u32,
    /// Number of questions.
    pub question_count: u32,
    /// Whether the pass percentage was reached.
    pub passed: bool,
    /// When it was submitted.
    pub created_at: Timestamp,
}

resource! {
    Attempt = "attempt", "attempts" (parent: quiz_id, name: member_name)
        lasting "an attempt at a quiz counts and cannot be undone"
    {
        create: SubmitAttempt,
        list: ListAttempts,
    }
}

tool! {
    /// Submits your attempt at a quiz and returns the number of right answers. Fellows only.
    SubmitAttempt = "submit_attempt" on Quiz, CREATE, for Roles::of(&[Role::Fellow]) => One<Attempt> {
        req {
            quiz_id: QuizId,
            /// For each question, the number of the chosen option, from 1.
            answers: UpTo<OptionNumber, 100>,
        }
    }
}

tool! {
    /// Lists attempts, latest first. Fellows see their own.
    ListAttempts = "list_attempts" on Quiz, READ, for AUTHORS.and(&[Role::Fellow]) => List<Attempt> {
        opt {
            quiz_id: Option<QuizId>,
            member_id: Option<MemberId>,
            passed: Option<bool>,
            limit: Limit,
            offset: Offset,
        }
    }
}
