//! The quiz host: forms, quizzes and attempts, interviews dispatched to guests and their responses.

pub mod attempt;
pub mod dispatch;
pub mod form;
pub mod questions;
pub mod response;

use crate::resource::Resource;
use crate::role::{Role, Roles};

/// The resources of the host, in listing order.
pub const RESOURCES: &[Resource] = &[
    form::RESOURCE,
    questions::RESOURCE,
    attempt::RESOURCE,
    dispatch::RESOURCE,
    response::RESOURCE,
];

/// Roles that write forms and quizzes and see the right answers.
const AUTHORS: Roles = Roles::DESK.and(&[Role::Teacher]);
