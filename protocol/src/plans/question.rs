//! Questions, their answers, and the one that is accepted.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::EVERYBODY;
use crate::id::{AnswerId, PlanId, QuestionId, UserId};
use crate::record::{List, Missing, One, record};
use crate::tool::{tool, tools};
use crate::value::{Limit, Line, Name, Offset, Prose, Text};

/// An answer of a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// Identifies the answer.
    pub id: AnswerId,
    /// The answer.
    pub answer: String,
    /// Who gave it.
    pub answered_by: Option<UserId>,
    /// When.
    pub answered_at: Timestamp,
    /// Whether it is the accepted one.
    pub is_accepted: bool,
}
record!(Answer, "answer", "answers");

/// A question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// Identifies the question.
    pub id: QuestionId,
    /// The question.
    pub title: String,
    /// In full.
    pub body: Option<String>,
    /// The plan that it is about.
    pub plan_id: Option<PlanId>,
    /// Who asked.
    pub asked_by: Option<UserId>,
    /// When.
    pub asked_at: Timestamp,
    /// Its answers, the accepted one first.
    pub answers: Vec<Answer>,
    /// What is left out of this list for its size.
    pub missing: Vec<Missing>,
}
record!(Question, "question", "questions");

tool! {
    /// Lists questions with their answers, the newest first.
    ListQuestions = "list_questions" on Plans, READ, for EVERYBODY => List<Question> {
        opt {
            /// Only questions about this plan.
            plan_id: Option<PlanId>,
            /// Only those with an accepted answer, or those without.
            is_answered: Option<bool>,
            /// Part of the question.
            search: Option<Line>,
            /// Most questions to return.
            limit: Limit,
            /// Questions to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Lists a question's answers, the accepted one first.
    ListAnswers = "list_answers" on Plans, READ, for EVERYBODY => List<Answer> {
        req {
            /// The question.
            question_id: QuestionId,
        }
        opt {
            /// Most answers to return.
            limit: Limit,
            /// Answers to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Asks a question.
    AskQuestion = "ask_question" on Plans, CREATE, for EVERYBODY => One<Question> {
        req {
            /// The question.
            title: Name,
        }
        opt {
            /// In full.
            body: Option<Prose>,
            /// The plan that it is about.
            plan_id: Option<PlanId>,
        }
    }
}

tool! {
    /// Answers a question.
    AnswerQuestion = "answer_question" on Plans, CREATE, for EVERYBODY => One<Question> {
        req {
            /// The question.
            question_id: QuestionId,
            /// The answer.
            answer: Text<1, 10_000>,
        }
    }
}

tool! {
    /// Accepts an answer instead of the one before. For who asked, and owner, admin and staff.
    AcceptAnswer = "accept_answer" on Plans, UPDATE, for EVERYBODY => One<Question> {
        req {
            /// The answer.
            id: AnswerId,
        }
    }
}

tools![
    ListQuestions,
    ListAnswers,
    AskQuestion,
    AnswerQuestion,
    AcceptAnswer
];
