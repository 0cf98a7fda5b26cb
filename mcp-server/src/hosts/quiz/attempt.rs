//! Attempts at quizzes: the database scores them.

use frontdesk_protocol::quiz::attempt::{Attempt, ListAttempts, SubmitAttempt};

use crate::call::{SqlByName, Stored, named};
use crate::hosts::routes;

impl Stored for Attempt {
    const TABLE: &'static str = "quiz.attempts";
    const ORDER: &'static str = "t.created_at desc, t.id";
    const COMPUTED: SqlByName = &[named!("member_name": member "member_id")];
}

routes![SubmitAttempt, ListAttempts];
