//! The screens of the host of forms and quizzes.

pub(crate) mod attempt;
pub(crate) mod questions;
pub(crate) mod response;
