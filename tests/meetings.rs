//! The meeting tools of the Work host: every rule of the specification's section 4.5, and the
//! invariants.

mod failure;
mod list;
mod merge;
mod plan;
mod promote;
mod property;
mod remove;
mod set;
