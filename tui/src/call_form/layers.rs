//! Layers over the form.

pub(crate) mod earlier;
