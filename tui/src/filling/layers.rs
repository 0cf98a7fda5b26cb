//! Layers over the form.

pub(crate) mod picker;
pub(crate) mod presets;
pub(crate) mod recall;
