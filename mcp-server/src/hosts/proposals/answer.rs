//! The library of answers.

use frontdesk_protocol::proposals::answer::{Answer, CreateAnswer, SearchAnswers, UpdateAnswer};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Answer {
    const TABLE: &'static str = "proposals.answers";
    const ORDER: &'static str = "t.question_key, t.id";
    const FILTERS: SqlByName = &[
        ("search", "t.found_by like (select app.search_pattern($))"),
        ("tag", "$ = any (t.tags)"),
    ];
}

routes![SearchAnswers, CreateAnswer, UpdateAnswer];
