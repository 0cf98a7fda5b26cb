//! The meeting tools of the work host: every rule of the specification's section 4.5, and what must
//! hold whatever happens.

mod failure;
mod list;
mod merge;
mod plan;
mod promote;
mod property;
mod remove;
mod set;
