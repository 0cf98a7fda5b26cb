//! Colours, marks, and text that is safe to draw.

pub(crate) mod mark;
pub(crate) mod safe;
pub(crate) mod text;
pub(crate) mod theme;
