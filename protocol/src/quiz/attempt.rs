//! Attempts at quizzes.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::AUTHORS;
use super::questions::OptionNumber;
use crate::id::{AttemptId, MemberId, QuizId};
use crate::record::{List, One, record};
use crate::role::{Role, Roles};
use crate::tool::{tool, tools};
use crate::value::{Limit, Offset, UpTo};

/// An attempt at a quiz.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Attempt {
    /// Identifies the attempt.
    pub id: AttemptId,
    /// The quiz.
    pub quiz_id: QuizId,
    /// Who attempted it.
    pub member_id: MemberId,
    /// Which attempt of the member it is, from 1.
    pub number: u32,
    /// The option that was chosen for each question.
    pub answers: Vec<u32>,
    /// How many were right.
    pub right_count: u32,
    /// Of how many.
    pub question_count: u32,
    /// Whether that is enough.
    pub passed: bool,
    /// When.
    pub created_at: Timestamp,
}
record!(Attempt, "attempt", "attempts");

tool! {
    /// Attempts a quiz, for yourself, and says how many answers were right. Fellows only.
    SubmitAttempt = "submit_attempt" on Quiz, CREATE, for Roles::of(&[Role::Fellow]) => One<Attempt> {
        req {
            /// The quiz.
            quiz_id: QuizId,
            /// Of each question the number of the option chosen, from 1.
            answers: UpTo<OptionNumber, 100>,
        }
    }
}

tool! {
    /// Lists attempts, the latest first; a fellow sees the own.
    ListAttempts = "list_attempts" on Quiz, READ, for AUTHORS.and(&[Role::Fellow]) => List<Attempt> {
        opt {
            /// Only attempts at this quiz.
            quiz_id: Option<QuizId>,
            /// Only attempts of this member.
            member_id: Option<MemberId>,
            /// Only those that passed, or only those that did not.
            passed: Option<bool>,
            /// Most attempts to return.
            limit: Limit,
            /// Attempts to skip.
            offset: Offset,
        }
    }
}

tools![SubmitAttempt, ListAttempts];
