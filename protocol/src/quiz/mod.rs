//! The quiz host: forms, quizzes and attempts, interviews dispatched to guests.

pub mod attempt;
pub mod dispatch;
pub mod form;
pub mod questions;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[
    form::TOOLS,
    questions::TOOLS,
    attempt::TOOLS,
    dispatch::TOOLS,
];

/// Roles that write forms and quizzes and see the right answers.
const AUTHORS: Roles = Roles::DESK.and(&[Role::Teacher]);
