//! Types of presets for `update`, and their access on disk.

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
    let Some(presets) = presets else {
        return match change {
            PresetChange::Nothing => Ok(Kept::default()),
            _ => Err(PresetError("there is no directory for them".to_owned())),
        };
    };
    let work = move || match change {
        PresetChange::Nothing => presets.of(&peer, &tool),
        PresetChange::Save(preset) => presets.save(&preset),
        PresetChange::Remove(name) => presets.remove(&peer, &tool, &name),
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result.map_err(|error| PresetError(error.to_string())),
        Err(error) => Err(PresetError(error.to_string())),
    }
}
