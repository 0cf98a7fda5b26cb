//! Effects as data, and the work behind them: calls, files, pictures, the browser and the editor.

pub(crate) mod badge;
pub(crate) mod browser;
pub(crate) mod curl;
pub(crate) mod drafts;
pub(crate) mod editor;
pub(crate) mod effect;
pub(crate) mod export;
pub(crate) mod filters;
pub(crate) mod journal;
pub(crate) mod picture;
pub(crate) mod presets;
pub(crate) mod program;
pub(crate) mod servers;
pub(crate) mod sheets;
pub(crate) mod starting;
pub(crate) mod worker;
