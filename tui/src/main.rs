//! `frontdesk`: the terminal app and command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    frontdesk::cli::main()
}
