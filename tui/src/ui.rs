//! What screens are made of.

pub(crate) mod fields;
pub(crate) mod frame;
pub(crate) mod gauge;
pub(crate) mod input;
pub(crate) mod markdown;
pub(crate) mod panel;
pub(crate) mod problem;
pub(crate) mod table;
pub(crate) mod time;

pub(crate) use crate::app::{mark, text, theme};
