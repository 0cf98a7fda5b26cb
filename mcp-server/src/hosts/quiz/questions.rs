//! Quizzes.

use frontdesk_protocol::quiz::questions::{CreateQuiz, GetQuiz, ListQuizzes, Quiz};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Quiz {
    const TABLE: &'static str = "quiz.quizzes";
    const ORDER: &'static str = "t.title_key, t.id";
    const FILTERS: SqlByName = &[("search", "t.title_key like (select app.search_pattern($))")];
    const COMPUTED: SqlByName = &[("right_options", "quiz.right_options(t.id)")];
}

routes![ListQuizzes, GetQuiz, CreateQuiz];
