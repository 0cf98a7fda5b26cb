//! `frontdesk`: the terminal app and the command line.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
