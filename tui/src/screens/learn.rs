//! The screens of the Learn host.

pub(crate) mod cohort;
pub(crate) mod course;
pub(crate) mod dependency;
pub(crate) mod lesson;
pub(crate) mod member;
pub(crate) mod milestone;
pub(crate) mod program;
pub(crate) mod progress;
pub(crate) mod stage;
pub(crate) mod wiki;
