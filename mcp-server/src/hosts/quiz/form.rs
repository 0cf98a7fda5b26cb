//! Forms.

use frontdesk_protocol::quiz::form::{CreateForm, Form, GetForm, ListForms};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Form {
    const TABLE: &'static str = "quiz.forms";
    const ORDER: &'static str = "t.title_key, t.id";
    const FILTERS: SqlByName = &[("search", "t.title_key like (select app.search_pattern($))")];
}

routes![ListForms, GetForm, CreateForm];
