//! Layers over the form.

pub(crate) mod presets;
pub(crate) mod recall;
