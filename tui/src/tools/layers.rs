//! Layers over the screens of tools.

pub(crate) mod export;
pub(crate) mod picker;
pub(crate) mod presets;
pub(crate) mod recall;
