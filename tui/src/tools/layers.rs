//! What lies over a screen where tools are found, called and answered.

pub(crate) mod export;
pub(crate) mod picker;
pub(crate) mod presets;
pub(crate) mod recall;
