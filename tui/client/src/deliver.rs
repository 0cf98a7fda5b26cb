//! Delivering what waits in the journal.

use frontdesk_protocol::Host;
use frontdesk_protocol::events::guest::{CheckInGuest, CreateEventGuest, Guest, UpdateEventGuest};
use frontdesk_protocol::id::GuestId;
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::record::One;
use frontdesk_protocol::value::{Change, Line, Patch};

use crate::client::Client;
use crate::error::CallError;
use crate::journal::{Action, Entry, Outcome, WalkIn};

/// The role of a guest who was added by mistake. No tool deletes a guest; this is what every desk shows.
pub const ADDED_BY_MISTAKE: &str = "added by mistake";

/// What became of an entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    /// How it is settled.
    pub outcome: Outcome,
    /// The guest, as the host has them now; none where it refused.
    pub guest: Option<Guest>,
    /// The host's refusal.
    pub refusal: Option<CallError>,
}

/// Delivers one entry, with the time at which it really happened. Where another desk was earlier,
/// the earlier time stands. Delivering an entry twice does no more than delivering it once; for a
/// guest who is added that holds for a day, as long as hosts remember an idempotency key.
///
/// # Errors
/// The entry stays waiting: the host cannot be reached or fails, or
/// ([`CallError::SignedOut`]) the one who made the entry is not signed in.
pub async fn deliver(client: &Client, entry: &Entry) -> Result<Delivery, CallError> {
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
        Ok((outcome, guest)) => Ok(Delivery {
            outcome,
            guest: Some(guest),
            refusal: None,
        }),
        Err(ref refusal @ (CallError::Tool(ref refused) | CallError::Forbidden(ref refused))) => {
            Ok(Delivery {
                outcome: Outcome::Refused {
                    message: refused.message.clone(),
                },
                guest: None,
                refusal: Some(refusal.clone()),
            })
        }
        Err(error) => Err(error),
    }
}

async fn attempt(client: &Client, entry: &Entry) -> Result<(Outcome, Guest), CallError> {
    let id = match &entry.walk_in {
        Some(walk_in) => add(client, entry, walk_in).await?.id,
        None => entry.guest_id,
    };
    match entry.action {
        Action::CheckIn | Action::Add => {
            let meta = CallMeta {
                occurred_at: Some(entry.at),
                ..CallMeta::default()
            };
            let done = client.call_with(&CheckInGuest { id }, meta).await?;
            let outcome = match done.guest.check_in_at {
                // With our own time it is our own delivery, whose answer got lost.
                Some(at) if done.already_checked_in && at != entry.at => Outcome::Already { at },
                _ => Outcome::Delivered,
            };
            Ok((outcome, done.guest))
        }
        Action::Undo | Action::TakeBack => {
            let One(guest) = client.call(&undone(id, entry.action)).await?;
            Ok((Outcome::Delivered, guest))
        }
    }
}

/// Adds the guest of an entry, once however often it is delivered.
async fn add(client: &Client, entry: &Entry, walk_in: &WalkIn) -> Result<Guest, CallError> {
    let arguments = CreateEventGuest {
        event_id: entry.event_id,
        name: walk_in.name.clone(),
        email: walk_in.email.clone(),
        phone_number: walk_in.phone_number.clone(),
        role: walk_in.role.clone(),
        member_id: None,
        chat_id: None,
        tags: None,
    };
    let meta = CallMeta {
        idempotency_key: Some(entry.guest_id.to_string()),
        ..CallMeta::default()
    };
    let One(guest) = client.call_with(&arguments, meta).await?;
    Ok(guest)
}

/// The call that clears a guest's arrival, and for [`Action::TakeBack`] marks the guest as added by
/// mistake.
pub fn undone(id: GuestId, action: Action) -> UpdateEventGuest {
    let role = match action {
        Action::TakeBack => Line::new(ADDED_BY_MISTAKE).map_or(Patch::Keep, Patch::To),
        Action::CheckIn | Action::Add | Action::Undo => Patch::Keep,
    };
    UpdateEventGuest {
        id,
        name: Change::Keep,
        email: Patch::Keep,
        phone_number: Patch::Keep,
        role,
        member_id: Patch::Keep,
        chat_id: Patch::Keep,
        check_in_at: Patch::Clear,
        tags: Change::Keep,
    }
}
