//! Quizzes.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::AUTHORS;
use crate::id::QuizId;
use crate::record::{List, Maybe, One, record};
use crate::role::{Role, Roles};
use crate::tool::{tool, tools};
use crate::value::{Limit, Line, Name, Offset, Prose, Text, UpTo, Whole};

/// Who reads quizzes: their authors, those who attempt them, and finance.
const READERS: Roles = AUTHORS.and(&[Role::Finance, Role::Fellow]);

/// The number of an option, from 1.
pub type OptionNumber = Whole<1, 10>;

/// A question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// What is asked.
    pub prompt: String,
    /// What to choose from, the first of them number 1.
    pub options: Vec<String>,
}

/// A question with its right option.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyedQuestion {
    /// What is asked.
    pub prompt: Text<1, 500>,
    /// What to choose from.
    pub options: UpTo<Name, 10>,
    /// The number of the right option, from 1.
    pub right: OptionNumber,
}

/// A quiz.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Quiz {
    /// Identifies the quiz.
    pub id: QuizId,
    /// Title.
    pub title: String,
    /// What it is about.
    pub description: Option<String>,
    /// What it asks, in order.
    pub questions: Vec<Question>,
    /// Of each question the number of the right option; null for those who may attempt it.
    pub right_options: Option<Vec<u32>>,
    /// How many right answers in a hundred pass.
    pub pass_percentage: u32,
    /// How often a member may attempt it.
    pub max_attempts: u32,
    /// When it was made.
    pub created_at: Timestamp,
}
record!(Quiz, "quiz", "quizzes");

tool! {
    /// Lists quizzes by title.
    ListQuizzes = "list_quizzes" on Quiz, READ, for READERS => List<Quiz> {
        opt {
            /// Part of the title.
            search: Option<Line>,
            /// Most quizzes to return.
            limit: Limit,
            /// Quizzes to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a quiz.
    GetQuiz = "get_quiz" on Quiz, READ, for READERS => Maybe<Quiz> {
        req {
            /// The quiz.
            id: QuizId,
        }
    }
}

tool! {
    /// Adds a quiz.
    CreateQuiz = "create_quiz" on Quiz, CREATE, for AUTHORS => One<Quiz> {
        req {
            /// Title.
            title: Name,
            /// What it asks, in order.
            questions: UpTo<KeyedQuestion, 100>,
        }
        opt {
            /// What it is about.
            description: Option<Prose>,
            /// How many right answers in a hundred pass; 70 where left out.
            pass_percentage: Option<Whole<0, 100>>,
            /// How often a member may attempt it; 3 where left out.
            max_attempts: Option<Whole<1, 10>>,
        }
    }
}

tools![ListQuizzes, GetQuiz, CreateQuiz];
