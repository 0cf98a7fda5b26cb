//! `frontdesk-server`: serves the hosts.

mod cli;

use std::process::ExitCode;

// An answer is put together from pieces of some kilobytes each, which the system's allocator keeps twice as
// much memory for and takes longer to find.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::run()
}
