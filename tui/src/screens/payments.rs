//! The screens of the Payments host.

pub(crate) mod fellow_payment;
pub(crate) mod transaction;
