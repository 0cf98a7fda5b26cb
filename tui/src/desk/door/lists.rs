//! Guest lists on disk, for a desk that opens while its host cannot be reached. They are optional: a failure is logged.

use std::io;
use std::sync::Arc;

use frontdesk_client::{GuestList, GuestLists, paths};
use frontdesk_protocol::Host;
use frontdesk_protocol::events::event::Event;
use frontdesk_protocol::id::{EventId, UserId};
use jiff::Timestamp;

use crate::app::effects::disk::on_disk;
use crate::app::effects::job::{Job, Lost};
use crate::app::effects::platform::Platform;
use crate::app::reporter::Reporter;

/// Reads which events have guest lists, and the times of these, the newest first.
#[derive(Debug)]
pub(crate) struct FindLists;

impl Job for FindLists {
    type Value = Vec<(Event, Timestamp)>;
    type Error = Lost;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<Self::Value, Lost> {
        let found = with_lists(&platform, |lists, account, host| {
            lists.events(account, &host)
        });
        Ok(found.await.unwrap_or_default())
    }
}

/// Reads the guest list of an event; `None` if it does not exist or cannot be read.
#[derive(Debug)]
pub(crate) struct ReadList(pub(crate) EventId);

impl Job for ReadList {
    type Value = Option<Box<GuestList>>;
    type Error = Lost;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<Self::Value, Lost> {
        let list = with_lists(&platform, move |lists, account, host| {
            lists.of_event(account, &host, self.0)
        });
        Ok(list.await.flatten().map(Box::new))
    }
}

/// Saves a guest list.
#[derive(Debug)]
pub(crate) struct KeepList(pub(crate) Box<GuestList>);

impl Job for KeepList {
    type Value = ();
    type Error = Lost;
    const WRITES: bool = true;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<(), Lost> {
        let mut list = self.0.clone();
        let keep = move |lists: &GuestLists, account, host| {
            list.host_url = host;
            lists.keep(account, &list)
        };
        with_lists(&platform, keep).await;
        Ok(())
    }
}

/// Accesses the guest lists of the signed-in account at the host of events; `None` if there are none, or it fails.
pub(super) async fn with_lists<T: Send + 'static>(
    platform: &Platform,
    work: impl FnOnce(&GuestLists, UserId, String) -> io::Result<T> + Send + 'static,
) -> Option<T> {
    let lists = platform.stored(paths::guest_lists_directory, GuestLists::new)?;
    let account = platform.client.last_account()?;
    let host = platform.client.addresses().base(Host::Events).to_owned();
    match on_disk(move || work(&lists, account.id, host)).await {
        Ok(done) => Some(done),
        Err(error) => {
            tracing::warn!(%error, "the guest lists on disk");
            None
        }
    }
}
