//! Attempts at quizzes.

use jiff::Timestamp;

use super::AUTHORS;
use super::questions::OptionNumber;
use crate::id::{AttemptId, MemberId, QuizId};
use crate::record::{One, record};
use crate::role::{Role, Roles};
use crate::tool::tool;
use crate::value::UpTo;

record! {
    /// An attempt at a quiz.
    Attempt = "attempt", "attempts" (parent: quiz_id, name: member_name)
        lasting "an attempt at a quiz counts and cannot be undone" {
        id: AttemptId,
        quiz_id: QuizId,
        /// The member who attempted it.
        member_id: MemberId,
        member_name: Option<String>,
        /// Number of the member's attempt, from 1.
        number: u32,
        /// The chosen option of each question.
        answers: Vec<u32>,
        /// Number of right answers.
        right_count: u32,
        /// Number of questions.
        question_count: u32,
        /// Whether the pass percentage was reached.
        passed: bool,
        /// When it was submitted.
        created_at: Timestamp,
    }
    create SubmitAttempt;
    /// Lists attempts, latest first. Fellows see their own.
    list ListAttempts = "list_attempts" on Quiz for AUTHORS.and(&[Role::Fellow]) {
        opt {
            quiz_id: Option<QuizId>,
            member_id: Option<MemberId>,
            passed: Option<bool>,
        }
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
