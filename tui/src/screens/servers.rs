//! What other servers have beside their tools.

pub(crate) mod offers;
pub(crate) mod page;
pub(crate) mod question;
pub(crate) mod sign_in;
