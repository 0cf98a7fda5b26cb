//! What other servers have beside their tools.

pub(crate) mod question;
