//! The presets of a tool, and the draft of a form, on disk.

use std::sync::Arc;

use frontdesk_client::presets::Kept;
use frontdesk_client::{Drafts, Preset, Presets, paths};
use frontdesk_protocol::id::UserId;

use crate::app::effects::disk::{DiskError, nothing, on_disk};
use crate::app::effects::job::Job;
use crate::app::effects::platform::Platform;
use crate::app::reporter::Reporter;

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

/// Changes the presets of a tool, and reads them. Without a data directory there are none.
#[derive(Debug)]
pub(crate) struct ChangePresets {
    pub(crate) peer: String,
    pub(crate) tool: String,
    pub(crate) change: PresetChange,
}

impl Job for ChangePresets {
    type Value = Kept;
    type Error = DiskError;
    const WRITES: bool = true;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<Kept, DiskError> {
        let presets = platform.stored(paths::presets_file, Presets::new);
        let Some(presets) = presets else {
            return nothing(self.change == PresetChange::Nothing);
        };
        on_disk(move || match &self.change {
            PresetChange::Nothing => presets.of(&self.peer, &self.tool),
            PresetChange::Save(preset) => presets.save(preset),
            PresetChange::Remove(name) => presets.remove(&self.peer, &self.tool, name),
        })
        .await
    }
}

/// What is done with the draft of a form. The name of a draft is the record that its form is for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DraftChange {
    /// Reads it.
    Read {
        peer: String,
        tool: String,
        name: String,
    },
    /// Keeps it in place of the last one.
    Keep(Preset),
    /// Removes it: the form was sent or discarded.
    Remove {
        peer: String,
        tool: String,
        name: String,
    },
}

/// Reads or changes the draft of a form, and returns what was read. Without a data directory there is none.
#[derive(Debug)]
pub(crate) struct ChangeDraft(pub(crate) Option<UserId>, pub(crate) DraftChange);

impl Job for ChangeDraft {
    type Value = Option<Preset>;
    type Error = DiskError;
    const WRITES: bool = true;

    async fn run(
        self: Arc<Self>,
        platform: Platform,
        _: Reporter,
    ) -> Result<Option<Preset>, DiskError> {
        let Some(drafts) = platform.stored(paths::drafts_directory, Drafts::new) else {
            return Ok(None);
        };
        let account = self.0;
        on_disk(move || match &self.1 {
            DraftChange::Read { peer, tool, name } => drafts.of(account, peer, tool, name),
            DraftChange::Keep(draft) => drafts.keep(account, draft).map(|()| None),
            DraftChange::Remove { peer, tool, name } => {
                drafts.remove(account, peer, tool, name).map(|()| None)
            }
        })
        .await
    }
}
