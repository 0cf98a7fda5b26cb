//! What lies over screens on demand.

pub(crate) mod confirm;
pub(crate) mod export;
pub(crate) mod help;
pub(crate) mod palette;
pub(crate) mod picker;
pub(crate) mod presets;
pub(crate) mod prompt;
pub(crate) mod recall;
mod search_list;
pub(crate) mod typed;
