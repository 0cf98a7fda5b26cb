//! The check-in desk: what is on its way to the host (`door`), the screen (`check_in`), a guest and the form of a walk-in (`guest`),
//! badges, and the desk that opens with the app (`start`).

pub mod badges;
pub(crate) mod check_in;
pub(crate) mod door;
pub(crate) mod guest;
pub(crate) mod start;
