//! Trials of servers that stop, are killed, restart and run beside each other. They run separate processes and clusters,
//! and report a trial as ignored if its requirements are missing.

mod durability;
mod server;

use std::process::ExitCode;

use frontdesk_tests::server::run_trials;

fn main() -> ExitCode {
    let mut trials = durability::trials();
    trials.extend(server::trials());
    run_trials(trials)
}
