//! Delivery of journal entries.

use frontdesk_protocol::events::guest::{
    CheckInGuest, CreateEventGuest, GetEventGuest, Guest, ListEventGuests, Matched,
    UpdateEventGuest,
};
use frontdesk_protocol::id::GuestId;
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::record::One;
use frontdesk_protocol::value::{Change, Contact, Limit, Line, Object, Offset, Patch};
use frontdesk_protocol::{ErrorCode, Host, Maybe, ToolError};
use jiff::{SignedDuration, Timestamp, Unit};
use serde_json::{Map, Value};

use crate::client::Client;
use crate::error::CallError;
use crate::journal::{Action, DeliveryOutcome, Entry, WalkIn};

/// The role of a guest added by mistake. Guests cannot be deleted; every desk shows this role.
pub const ADDED_BY_MISTAKE: &str = "added by mistake";

/// The tag that stores the previous role of a guest. The next check-in restores it.
const ROLE_BEFORE: &str = "role before";

/// The precision of the clock difference.
const ABOUT: SignedDuration = SignedDuration::from_secs(5);

/// The result of delivering an entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    /// The outcome to record.
    pub outcome: DeliveryOutcome,
    /// The guest returned by the host; `None` if the host refused.
    pub guest: Option<Guest>,
    /// The refusal by the host.
    pub refusal: Option<CallError>,
}

/// Delivers one entry with its original time. If another desk checked the guest in earlier, the
/// earlier time is kept. Repeating a delivery has no further effect; for an added guest this holds
/// for a day, the lifetime of an idempotency key.
///
/// # Errors
/// The entry stays in the journal: the host cannot be reached or fails, or
/// ([`CallError::SignedOut`]) the account of the entry is not signed in.
pub async fn deliver(client: &Client, entry: &Entry) -> Result<Delivery, CallError> {
    let host = client.addresses().base(Host::Events);
    if host != entry.host_url {
        return Err(CallError::Unreachable {
            host: entry.host_url.clone(),
            reason: format!("this desk is connected to {host}"),
        });
    }
    // Another account can belong to another organisation, where the guest does not exist: the entry
    // would be settled as refused and lost.
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
                outcome: DeliveryOutcome::Refused {
                    message: refused.message.clone(),
                },
                guest: None,
                refusal: Some(refusal.clone()),
            })
        }
        Err(error) => Err(error),
    }
}

async fn attempt(client: &Client, entry: &Entry) -> Result<(DeliveryOutcome, Guest), CallError> {
    let id = match &entry.walk_in {
        Some(walk_in) => add(client, entry, walk_in).await?.id,
        None if entry.scanned => scanned(client, entry).await?.id,
        None => entry.guest_id,
    };
    match entry.action {
        Action::CheckIn | Action::Add => {
            let at = happened(client, entry).await?;
            let meta = CallMeta {
                occurred_at: Some(at),
                ..CallMeta::default()
            };
            let done = client.call_with(&CheckInGuest { id }, meta).await?;
            // A check-in with our time is our own earlier delivery, whose answer was lost.
            let is_own = |came: Timestamp| match entry.by_own_clock {
                true => came.duration_since(at).abs() < ABOUT,
                false => came == at,
            };
            let outcome = match done.guest.check_in_at {
                Some(at) if done.already_checked_in && !is_own(at) => {
                    DeliveryOutcome::Already { at }
                }
                _ => DeliveryOutcome::Delivered,
            };
            Ok((outcome, no_mistake(client, done.guest).await?))
        }
        Action::Undo => {
            let One(guest) = client.call_with(&undone(id), undoing(entry)).await?;
            Ok((DeliveryOutcome::Delivered, guest))
        }
        Action::TakeBack => Ok((
            DeliveryOutcome::Delivered,
            mistake(client, id, entry).await?,
        )),
    }
}

/// Marks a guest as added by mistake and clears the check-in.
async fn mistake(client: &Client, id: GuestId, entry: &Entry) -> Result<Guest, CallError> {
    let Maybe(guest) = client.call(&GetEventGuest { id }).await?;
    let guest = guest.ok_or_else(|| CallError::Tool(ToolError::not_found("guest")))?;
    let mut call = undone(id);
    if guest.role.as_deref() != Some(ADDED_BY_MISTAKE) {
        call.role = Line::new(ADDED_BY_MISTAKE).map_or(Patch::Keep, Patch::To);
        let mut tags = guest.tags;
        if let Some(role) = guest.role {
            tags.insert(ROLE_BEFORE.to_owned(), role.into());
            call.tags = object(tags);
        }
    }
    let One(guest) = client.call_with(&call, undoing(entry)).await?;
    Ok(guest)
}

/// Binds an undo to the check-in that it is about.
fn undoing(entry: &Entry) -> CallMeta {
    CallMeta {
        occurred_at: entry.undoes,
        ..CallMeta::default()
    }
}

/// Restores the role of a guest who has arrived after being marked as added by mistake.
async fn no_mistake(client: &Client, guest: Guest) -> Result<Guest, CallError> {
    if guest.role.as_deref() != Some(ADDED_BY_MISTAKE) {
        return Ok(guest);
    }
    let mut tags = guest.tags.clone();
    let before = tags.remove(ROLE_BEFORE);
    let before = before.as_ref().and_then(Value::as_str).map(Line::new);
    let call = UpdateEventGuest {
        role: before.and_then(Result::ok).map_or(Patch::Clear, Patch::To),
        check_in_at: Patch::Keep,
        tags: object(tags),
        ..undone(guest.id)
    };
    match client.call(&call).await {
        Ok(One(guest)) => Ok(guest),
        // The check-in succeeded; the role is less important.
        Err(CallError::Tool(_) | CallError::Forbidden(_)) => Ok(guest),
        Err(error) => Err(error),
    }
}

fn object(tags: Map<String, Value>) -> Change<Object> {
    serde_json::from_value(tags.into()).map_or(Change::Keep, Change::To)
}

/// The time of an entry by the hosts' clock.
async fn happened(client: &Client, entry: &Entry) -> Result<Timestamp, CallError> {
    if !entry.by_own_clock {
        return Ok(entry.at);
    }
    if client.clock_ahead().is_none() {
        client.health(Host::Events).await?;
    }
    let ahead = client.clock_ahead().unwrap_or_default();
    let at = entry.at.saturating_add(ahead).unwrap_or(entry.at);
    Ok(at.round(Unit::Microsecond).unwrap_or(at))
}

/// The guest of this event with the scanned code.
async fn scanned(client: &Client, entry: &Entry) -> Result<Guest, CallError> {
    let id = entry.guest_id;
    let refused = |code, message: String| CallError::Tool(ToolError::new(code, message).on("id"));
    match client.call(&GetEventGuest { id }).await? {
        Maybe(Some(guest)) if guest.event_id == entry.event_id => Ok(guest),
        Maybe(Some(guest)) => Err(refused(
            ErrorCode::Refused,
            format!(
                "this is the code of {}, a guest of another event",
                guest.name
            ),
        )),
        Maybe(None) => holder(client, entry).await?.ok_or_else(|| {
            refused(
                ErrorCode::NotFound,
                "no guest you can see has this code".to_owned(),
            )
        }),
    }
}

/// The only guest of this event whose ticket the scanned code is: another seller's code can have the form of an id.
async fn holder(client: &Client, entry: &Entry) -> Result<Option<Guest>, CallError> {
    let search = ListEventGuests {
        event_id: entry.event_id,
        search: Line::new(entry.guest_id.to_string()).ok(),
        role: None,
        member_id: None,
        limit: Limit::default(),
        offset: Offset::default(),
    };
    let mut holders = client.call(&search).await?.items.into_iter();
    let is_holder = |guest: &Guest| guest.matched == Some(Matched::Ticket);
    let holder = holders.find(is_holder);
    Ok(holder.filter(|_| !holders.any(|other| is_holder(&other))))
}

/// Adds the guest of an entry. Repeating it adds no second guest.
async fn add(client: &Client, entry: &Entry, walk_in: &WalkIn) -> Result<Guest, CallError> {
    let email = walk_in.email.as_ref();
    let arguments = CreateEventGuest {
        event_id: entry.event_id,
        name: walk_in.name.clone(),
        email: email.and_then(|email| Contact::new(email.as_str()).ok()),
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

/// The call that clears a check-in.
fn undone(id: GuestId) -> UpdateEventGuest {
    UpdateEventGuest {
        id,
        name: Change::Keep,
        email: Patch::Keep,
        phone_number: Patch::Keep,
        role: Patch::Keep,
        member_id: Patch::Keep,
        chat_id: Patch::Keep,
        check_in_at: Patch::Clear,
        tags: Change::Keep,
    }
}
