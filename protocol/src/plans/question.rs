//! Questions and their answers, one of which can be accepted.

use jiff::Timestamp;

use super::EVERYBODY;
use crate::id::{AnswerId, PlanId, QuestionId, UserId};
use crate::record::{List, Missing, One, record};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Offset, Prose, Text};
use crate::wire::Wire;

/// An answer of a question.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Answer {
    pub id: AnswerId,
    pub answer: String,
    /// The author.
    pub answered_by: Option<UserId>,
    pub answered_by_name: Option<String>,
    /// When it was written.
    pub answered_at: Timestamp,
    /// Whether it is the accepted answer.
    pub is_accepted: bool,
}

record! {
    /// A question.
    Question {
        id: QuestionId,
        /// The question.
        title: Name [create],
        body: Option<Prose> [create],
        plan_id: Option<PlanId> [create],
        /// The asker.
        asked_by: Option<UserId>,
        asked_by_name: Option<String>,
        /// When it was written.
        asked_at: Timestamp,
        /// Its answers; the accepted one comes first.
        answers: Vec<Answer>,
        /// Lists that were cut for size, with the call that returns the rest.
        missing: Vec<Missing>,
    }
    /// Asks a question.
    create AskQuestion = "ask_question" on Plans for EVERYBODY;
}

resource! {
    Question = "question", "questions" (name: title) {
        list: ListQuestions,
        create: AskQuestion,
        other: AnswerQuestion,
        other: AcceptAnswer,
    }
    Answer = "answer", "answers" (parent: question_id) {
        list: ListAnswers,
    }
}

tool! {
    /// Lists questions with their answers, newest first.
    ListQuestions = "list_questions" on Plans, READ, for EVERYBODY => List<Question> {
        opt {
            plan_id: Option<PlanId>,
            /// Whether an answer is accepted.
            is_answered: Option<bool>,
            /// Part of the question.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Lists a question's answers. The accepted one comes first.
    ListAnswers = "list_answers" on Plans, READ, for EVERYBODY => List<Answer> {
        req {
            question_id: QuestionId,
        }
        opt {
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Answers a question.
    AnswerQuestion = "answer_question" on Plans, CREATE, for EVERYBODY => One<Question> {
        req {
            question_id: QuestionId,
            answer: Text<1, 10_000>,
        }
    }
}

tool! {
    /// Accepts an answer in place of the previous one. Only the asker, owners, admins and staff.
    AcceptAnswer = "accept_answer" on Plans, UPDATE, for EVERYBODY => One<Question> {
        req {
            id: AnswerId,
        }
    }
}
