//! Quizzes.

use jiff::Timestamp;

use super::AUTHORS;
use crate::id::QuizId;
use crate::record::record;
use crate::role::{Role, Roles};
use crate::value::{Line, Name, Prose, Text, UpTo, Whole};
use crate::wire::Wire;

/// Roles that read quizzes: authors, fellows and finance.
const READERS: Roles = AUTHORS.and(&[Role::Finance, Role::Fellow]);

/// The number of an option, from 1.
pub type OptionNumber = Whole<1, 10>;

/// A question.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Question {
    /// The question.
    pub prompt: String,
    /// The options, numbered from 1.
    pub options: Vec<String>,
}

/// A question with its right option.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(strict)]
pub struct KeyedQuestion {
    /// The question.
    pub prompt: Text<1, 500>,
    /// The options, numbered from 1.
    pub options: UpTo<Name, 10>,
    /// The number of the right option, from 1.
    pub right: OptionNumber,
}

record! {
    /// A quiz.
    Quiz = "quiz", "quizzes" (name: title) {
        id: QuizId,
        title: Name [create],
        description: Option<Prose> [create],
        /// The questions, in order.
        questions: Vec<Question>,
        /// The number of the right option for each question; null for callers who can attempt the quiz.
        right_options: Option<Vec<u32>>,
        pass_percentage: Whole<0, 100> [create = 70],
        /// Per member.
        max_attempts: Whole<1, 10> [create = 3],
        /// When it was created.
        created_at: Timestamp,
    }
    /// Lists quizzes by title.
    list ListQuizzes = "list_quizzes" on Quiz for READERS {
        opt {
            search: Option<Line>,
        }
    }
    /// Gets a quiz.
    get GetQuiz = "get_quiz" on Quiz for READERS;
    /// Adds a quiz.
    create CreateQuiz = "create_quiz" on Quiz for AUTHORS {
        req {
            /// In order.
            questions: UpTo<KeyedQuestion, 100>,
        }
    }
}
