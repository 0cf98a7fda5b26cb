//! Records of any kind, derived from the declarations: kinds, lists, boards, trees, and the chooser.

pub(crate) mod addition;
pub(crate) mod allowed;
pub(crate) mod board;
pub(crate) mod cards;
pub(crate) mod chooser;
pub(crate) mod columns;
pub(crate) mod contexts;
pub(crate) mod facts;
pub(crate) mod filter;
pub(crate) mod found;
pub(crate) mod kind;
pub(crate) mod listing;
pub(crate) mod names;
pub(crate) mod offered;
pub(crate) mod pivot;
pub(crate) mod recent;
pub(crate) mod record;
pub(crate) mod references;
pub(crate) mod related;
pub(crate) mod saved;
pub(crate) mod tree;
pub(crate) mod view;
pub(crate) mod writes;
