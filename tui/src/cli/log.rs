//! The log: to a file, or nowhere, since the screen is taken.

use std::fs::OpenOptions;
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::EnvFilter;

use super::CliError;

/// Starts to log into this file.
pub(super) fn start(file: Option<&Path>) -> Result<(), CliError> {
    let Some(path) = file else { return Ok(()) };
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .map_err(CliError::io(format!("the log {} cannot be opened", path.display())))?;
    // The MCP library logs whole messages at its lower levels.
    let levels = std::env::var("RUST_LOG").unwrap_or_else(|_| "info".to_owned());
    let filter = EnvFilter::builder().parse_lossy(format!("{levels},rmcp=warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(Mutex::new(file))
        .init();
    Ok(())
}
