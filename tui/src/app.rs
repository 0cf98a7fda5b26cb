//! The app: a pure machine (`state`, `msg`, `update`, `effect`) and its execution (`engine`,
//! `worker`). It does not depend on screens and records, which it receives in [`shared::Parts`].

pub(crate) mod browser;
pub(crate) mod command;
pub(crate) mod curl;
pub(crate) mod cx;
pub(crate) mod editor;
pub(crate) mod effect;
pub(crate) mod engine;
pub(crate) mod export;
pub(crate) mod history;
pub(crate) mod journal;
pub(crate) mod keys;
pub(crate) mod layer;
pub(crate) mod log;
pub(crate) mod mark;
pub(crate) mod mode;
pub(crate) mod msg;
pub(crate) mod names;
pub(crate) mod peer;
pub(crate) mod picture;
pub(crate) mod presets;
pub(crate) mod remote;
pub(crate) mod safe;
pub(crate) mod scanner;
pub(crate) mod screen;
pub(crate) mod servers;
pub(crate) mod service;
pub(crate) mod shared;
pub(crate) mod state;
pub(crate) mod text;
pub(crate) mod theme;
pub(crate) mod toast;
pub(crate) mod update;
pub(crate) mod worker;
