//! Types of drafts for `update`, and their access on disk.

use frontdesk_client::{Drafts, Preset};
use frontdesk_protocol::id::UserId;

use super::presets::PresetError;

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

/// Does this with the draft of a form, and returns what was read. Without a directory, nothing is kept.
///
/// # Errors
/// The disk refused.
pub(crate) async fn change(
    drafts: Option<Drafts>,
    account: Option<UserId>,
    change: DraftChange,
) -> Result<Option<Preset>, PresetError> {
    let Some(drafts) = drafts else {
        return Ok(None);
    };
    let work = move || match &change {
        DraftChange::Read { peer, tool, name } => drafts.of(account, peer, tool, name),
        DraftChange::Keep(draft) => drafts.keep(account, draft).map(|()| None),
        DraftChange::Remove { peer, tool, name } => {
            drafts.remove(account, peer, tool, name).map(|()| None)
        }
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result.map_err(|error| PresetError(error.to_string())),
        Err(error) => Err(PresetError(error.to_string())),
    }
}
