//! The app: a pure machine (`state`, `msg`, `update`) whose effects are data, and its execution
//! (`engine`). It does not depend on screens and records, which it receives in [`shared::Parts`].

pub(crate) mod asked;
pub(crate) mod changed;
pub(crate) mod cx;
pub(crate) mod effects;
pub(crate) mod engine;
pub(crate) mod history;
pub(crate) mod hits;
pub(crate) mod input;
pub(crate) mod layer;
pub(crate) mod log;
pub(crate) mod mouse;
pub(crate) mod msg;
pub(crate) mod names;
pub(crate) mod once;
pub(crate) mod own;
pub(crate) mod peer;
pub(crate) mod remote;
pub(crate) mod renewal;
pub(crate) mod screen;
pub(crate) mod service;
pub(crate) mod settings;
pub(crate) mod shared;
pub(crate) mod state;
pub(crate) mod toast;
pub(crate) mod undecided;
pub(crate) mod update;
