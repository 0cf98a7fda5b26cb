//! The check-in desk: what is on its way to the host (`door`), the screen (`check_in`), a guest and the form of a walk-in (`guest`),
//! and badges.

pub mod badges;
pub(crate) mod check_in;
pub(crate) mod door;
pub(crate) mod guest;
