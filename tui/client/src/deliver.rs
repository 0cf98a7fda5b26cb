//! Delivering what waits in the journal.

use frontdesk_protocol::Host;
use frontdesk_protocol::events::guest::{CheckInGuest, UpdateEventGuest};
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::value::{Change, Patch};

use crate::client::Client;
use crate::error::CallError;
use crate::journal::{Action, Entry, Outcome};

/// Delivers one entry, with the time at which it really happened. Where another desk was earlier,
/// the earlier time stands. Delivering an entry twice does no more than delivering it once.
///
/// # Errors
/// The entry stays waiting: the host cannot be reached or fails, or
/// ([`CallError::SignedOut`]) the one who made the entry is not signed in.
pub async fn deliver(client: &Client, entry: &Entry) -> Result<Outcome, CallError> {
    let host = client.addresses().base(Host::Events);
    if host != entry.host_url {
        return Err(CallError::Unreachable {
            host: entry.host_url.clone(),
            reason: format!("this desk is connected to {host}"),
        });
    }
    // Another account may be in another organisation, where the guest is not to be found: that
    // would settle the entry as refused and lose it.
    if client
        .last_account()
        .is_none_or(|account| account.id != entry.account)
    {
        return Err(CallError::SignedOut(
            "the check-in was made with another account".to_owned(),
        ));
    }
    match attempt(client, entry).await {
        Err(CallError::Tool(error) | CallError::Forbidden(error)) => Ok(Outcome::Refused {
            message: error.message,
        }),
        other => other,
    }
}

async fn attempt(client: &Client, entry: &Entry) -> Result<Outcome, CallError> {
    match entry.action {
        Action::CheckIn => {
            let arguments = CheckInGuest { id: entry.guest_id };
            let meta = CallMeta {
                occurred_at: Some(entry.at),
                ..CallMeta::default()
            };
            let done = client.call_with(&arguments, meta).await?;
            Ok(match done.guest.check_in_at {
                // With our own time it is our own delivery, whose answer got lost.
                Some(at) if done.already_checked_in && at != entry.at => Outcome::Already { at },
                _ => Outcome::Delivered,
            })
        }
        Action::Undo => {
            let arguments = UpdateEventGuest {
                id: entry.guest_id,
                name: Change::Keep,
                email: Patch::Keep,
                phone_number: Patch::Keep,
                role: Patch::Keep,
                member_id: Patch::Keep,
                chat_id: Patch::Keep,
                check_in_at: Patch::Clear,
                tags: Change::Keep,
            };
            client.call(&arguments).await?;
            Ok(Outcome::Delivered)
        }
    }
}
