//! Generic screens for records of any kind, derived from the declarations.

pub(crate) mod board;
pub(crate) mod cell;
pub(crate) mod columns;
pub(crate) mod facts;
pub(crate) mod filter;
pub(crate) mod kind;
pub(crate) mod listing;
pub(crate) mod names;
pub(crate) mod offer;
pub(crate) mod open;
pub(crate) mod record;
pub(crate) mod related;
pub(crate) mod screen;
pub(crate) mod tree;
pub(crate) mod view;
pub(crate) mod writes;
