//! `frontdesk-server`: serves the hosts.

mod cli;

use std::process::ExitCode;

// Answers are assembled from pieces of a few kilobytes. For these, the system's allocator is slower and uses
// twice the memory.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::run()
}
