//! The quiz host: forms, quizzes and attempts at them, interviews that are dispatched to guests.

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

/// Who writes forms and quizzes, and knows the right answers.
const AUTHORS: Roles = Roles::DESK.and(&[Role::Teacher]);
