//! Saved filters: sections of Home, kept on disk for each account.

use std::sync::Arc;

use frontdesk_client::presets::Kept;
use frontdesk_client::{Preset, SavedFilters, paths};
use frontdesk_protocol::id::UserId;

use crate::app::cx::{Cx, News};
use crate::app::effects::disk::{DiskError, nothing, on_disk};
use crate::app::effects::job::{Ended, Job};
use crate::app::effects::platform::Platform;
use crate::app::reporter::Reporter;
use crate::look::mark::Mark;
use crate::look::text::clean;

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
    fn words(&self) -> Option<String> {
        match self {
            FilterChange::Nothing => None,
            FilterChange::Save(filter) => {
                Some(format!("Saved “{}”: it is a section of Home", filter.name))
            }
            FilterChange::Remove(filter) => Some(format!("Removed “{}” from Home", filter.name)),
        }
    }
}

/// Changes the filters of an account, and reads them all. Without a data directory there are none.
#[derive(Debug)]
pub(crate) struct ChangeFilters(UserId, FilterChange);

impl Job for ChangeFilters {
    type Value = Kept;
    type Error = DiskError;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<Kept, DiskError> {
        let filters = platform.stored(paths::filters_directory, SavedFilters::new);
        let Some(filters) = filters else {
            return nothing(self.1 == FilterChange::Nothing);
        };
        on_disk(move || match &self.1 {
            FilterChange::Nothing => filters.of(self.0),
            FilterChange::Save(filter) => filters.save(self.0, filter),
            FilterChange::Remove(filter) => filters.remove(self.0, filter),
        })
        .await
    }
}

/// Changes or reads the saved filters of the signed-in account.
pub(crate) fn change_filters(cx: &mut Cx, change: FilterChange) {
    if let Some(account) = cx.caller() {
        cx.run_then(ChangeFilters(account, change), read);
    }
}

fn read(cx: &mut Cx, ended: Ended<ChangeFilters>) {
    let ChangeFilters(account, change) = &*ended.job;
    if cx.caller() != Some(*account) {
        return;
    }
    match ended.result {
        Ok(kept) => {
            if let Some(path) = &kept.aside {
                let path = path.display();
                let words = format!("The saved filters could not be read; they are in {path}");
                cx.toast(Mark::Warn, words);
            }
            cx.shared.filters = Some((*account, kept.presets));
            if let Some(words) = change.words() {
                cx.toast(Mark::Good, clean(&words));
            }
            cx.tell(News::Filters);
        }
        Err(error) => cx.toast(Mark::Bad, format!("Saved filters: {}", clean(&error.0))),
    }
}
