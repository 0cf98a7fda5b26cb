//! Attempts at quizzes: the database scores them.

use frontdesk_protocol::quiz::attempt::{Attempt, ListAttempts, SubmitAttempt};

use crate::call::Stored;
use crate::hosts::routes;

impl Stored for Attempt {
    const TABLE: &'static str = "quiz.attempts";
    const ORDER: &'static str = "t.created_at desc, t.id";
}

routes![SubmitAttempt, ListAttempts];
