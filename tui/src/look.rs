//! What is shown, before there is a screen: colours, marks, times, and text that is safe to draw.

pub(crate) mod locale;
pub(crate) mod mark;
pub(crate) mod safe;
pub(crate) mod text;
pub(crate) mod theme;
pub(crate) mod time;
