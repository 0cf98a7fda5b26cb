//! Types of saved filters for `update`, and their access on disk.

use frontdesk_client::presets::Kept;
use frontdesk_client::{Preset, SavedFilters};
use frontdesk_protocol::id::UserId;

use super::presets::{PresetError, on_disk};

/// A change of the saved filters of an account.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FilterChange {
    /// Only reads them.
    Nothing,
    /// Saves a filter: the list tool, and the arguments of the list.
    Save(Preset),
    /// Removes this filter.
    Remove(Preset),
}

impl FilterChange {
    /// The message after it was made.
    pub(crate) fn words(&self) -> Option<String> {
        match self {
            FilterChange::Nothing => None,
            FilterChange::Save(filter) => {
                Some(format!("Saved “{}”: it is a section of Home", filter.name))
            }
            FilterChange::Remove(filter) => Some(format!("Removed “{}” from Home", filter.name)),
        }
    }
}

/// Changes the filters of an account, and reads them all.
///
/// # Errors
/// There is no data directory, or the disk refused.
pub(crate) async fn change(
    filters: Option<SavedFilters>,
    account: UserId,
    change: FilterChange,
) -> Result<Kept, PresetError> {
    let is_read = change == FilterChange::Nothing;
    on_disk(filters, is_read, move |filters| match &change {
        FilterChange::Nothing => filters.of(account),
        FilterChange::Save(filter) => filters.save(account, filter),
        FilterChange::Remove(filter) => filters.remove(account, filter),
    })
    .await
}
