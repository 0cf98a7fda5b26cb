//! Effects as data, and the work behind them: calls, jobs, files, the browser and the editor.

pub(crate) mod browser;
pub(crate) mod call;
pub(crate) mod configure;
pub(crate) mod curl;
pub(crate) mod disk;
pub(crate) mod editor;
pub(crate) mod effect;
pub(crate) mod export;
pub(crate) mod job;
pub(crate) mod listen;
pub(crate) mod platform;
pub(crate) mod program;
pub(crate) mod server_jobs;
pub(crate) mod servers;
pub(crate) mod session;
mod watching;
pub(crate) mod worker;
