//! The command line of `frontdesk`, as scripts use it: exit codes, what stdout holds, and nothing else.

mod call;
mod codes;
mod completions;
mod history;
mod output;
mod provider;
mod servers;
mod stage;
mod tools;
