//! Types of presets for `update`, and their access on disk.

use std::fmt::Display;

use frontdesk_client::presets::Kept;
use frontdesk_client::{Preset, Presets};

/// A change of a tool's presets.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PresetChange {
    /// Only reads them.
    Nothing,
    /// Saves a preset, replacing one with the same name.
    Save(Preset),
    /// Deletes the preset with this name.
    Remove(String),
}

/// Presets cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct PresetError(pub(crate) String);

/// Changes the presets of a tool, and reads them.
///
/// # Errors
/// There is no data directory, or the disk refused.
pub(crate) async fn change(
    presets: Option<Presets>,
    peer: String,
    tool: String,
    change: PresetChange,
) -> Result<Kept, PresetError> {
    let is_read = change == PresetChange::Nothing;
    on_disk(presets, is_read, move |presets| match change {
        PresetChange::Nothing => presets.of(&peer, &tool),
        PresetChange::Save(preset) => presets.save(&preset),
        PresetChange::Remove(name) => presets.remove(&peer, &tool, &name),
    })
    .await
}

/// Does this with what is kept on disk. Without a directory for it, nothing is kept, and only a read succeeds.
pub(super) async fn on_disk<S: Send + 'static, E: Display + Send + 'static>(
    kept: Option<S>,
    is_read: bool,
    work: impl FnOnce(S) -> Result<Kept, E> + Send + 'static,
) -> Result<Kept, PresetError> {
    let Some(kept) = kept else {
        return match is_read {
            true => Ok(Kept::default()),
            false => Err(PresetError("there is no directory for them".to_owned())),
        };
    };
    match tokio::task::spawn_blocking(move || work(kept)).await {
        Ok(result) => result.map_err(|error| PresetError(error.to_string())),
        Err(error) => Err(PresetError(error.to_string())),
    }
}
