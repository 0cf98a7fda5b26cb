//! Keys and the commands that they run.

pub(crate) mod ahead;
pub(crate) mod chord;
pub(crate) mod command;
pub(crate) mod context;
pub(crate) mod keys;
pub(crate) mod mode;
pub(crate) mod press;
pub(crate) mod scan;
pub(crate) mod scanner;
pub(crate) mod stray;
