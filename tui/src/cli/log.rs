//! The log: written to a file or not at all, because the screen is in use.

use std::fs::OpenOptions;
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::EnvFilter;

/// Starts logging to this file, with the levels in `RUST_LOG`.
pub(super) fn start(path: &Path) -> std::io::Result<()> {
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    let levels = std::env::var("RUST_LOG").unwrap_or_else(|_| "info".to_owned());
    // The MCP library logs whole messages at lower levels.
    let filter = EnvFilter::builder().parse_lossy(format!("{levels},rmcp=warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(Mutex::new(file))
        .init();
    Ok(())
}
