//! Quizzes.

use jiff::Timestamp;

use super::AUTHORS;
use crate::id::QuizId;
use crate::record::{List, Maybe, One};
use crate::resource::resource;
use crate::role::{Role, Roles};
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Offset, Prose, Text, UpTo, Whole};
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

/// A quiz.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Quiz {
    pub id: QuizId,
    pub title: String,
    pub description: Option<String>,
    /// The questions, in order.
    pub questions: Vec<Question>,
    /// The number of the right option for each question; null for callers who can attempt the quiz.
    pub right_options: Option<Vec<u32>>,
    /// Percentage of right answers needed to pass.
    pub pass_percentage: u32,
    /// Maximum number of attempts per member.
    pub max_attempts: u32,
    /// When it was created.
    pub created_at: Timestamp,
}

resource! {
    Quiz = "quiz", "quizzes" (name: title) {
        list: ListQuizzes,
        get: GetQuiz,
        create: CreateQuiz,
    }
}

tool! {
    /// Lists quizzes by title.
    ListQuizzes = "list_quizzes" on Quiz, READ, for READERS => List<Quiz> {
        opt {
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a quiz.
    GetQuiz = "get_quiz" on Quiz, READ, for READERS => Maybe<Quiz> {
        req {
            id: QuizId,
        }
    }
}

tool! {
    /// Adds a quiz.
    CreateQuiz = "create_quiz" on Quiz, CREATE, for AUTHORS => One<Quiz> {
        req {
            title: Name,
            /// In order.
            questions: UpTo<KeyedQuestion, 100>,
        }
        opt {
            description: Option<Prose>,
            pass_percentage: Option<Whole<0, 100>> = 70,
            /// Per member.
            max_attempts: Option<Whole<1, 10>> = 3,
        }
    }
}
