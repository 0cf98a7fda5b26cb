//! Delivery of journal entries.

use frontdesk_protocol::door::{
    ADMITTED, Alert, Decision, Extent, Pace, Person, Spelled, alert, decide, read, tickets,
};
use frontdesk_protocol::events::event::GetEvent;
use frontdesk_protocol::events::guest::{
    CheckInGuest, CreateEventGuest, GetEventGuest, Guest, ListEventGuests, Matched,
    UpdateEventGuest,
};
use frontdesk_protocol::events::movement::RecordMovement;
use frontdesk_protocol::events::passage::{Direction, Verdict};
use frontdesk_protocol::id::{GuestId, RecordId};
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::ops::change::{ListChanges, UndoChange};
use frontdesk_protocol::record::One;
use frontdesk_protocol::value::{Change, Flag, Limit, Line, Mail, Object, Offset, Patch};
use frontdesk_protocol::{ErrorCode, Host, Maybe, Tool, ToolError};
use jiff::{Timestamp, Unit};
use serde_json::{Map, Value};

use crate::client::Client;
use crate::error::CallError;
use crate::journal::{Action, DeliveryOutcome, Entry, WalkIn};

/// The role of a guest added by mistake. Guests cannot be deleted; every desk shows this role.
pub const ADDED_BY_MISTAKE: &str = "added by mistake";

/// The tag that stores the previous role of a guest. The next check-in restores it.
const ROLE_BEFORE: &str = "role before";

/// The result of delivering an entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    /// The outcome to record.
    pub outcome: DeliveryOutcome,
    /// The guest returned by the host; `None` if the host refused.
    pub guest: Option<Guest>,
    /// The refusal by the host.
    pub refusal: Option<CallError>,
    /// Another desk has let the guest in, too, after this one.
    pub is_second: bool,
    /// What the host says about a guest at an entrance.
    pub verdict: Option<Verdict>,
    /// Why the arrival is recorded at the event, or for another guest: the place or the guest of the entry is gone.
    pub instead: Option<String>,
    /// A guest of the host who may be the walk-in: nothing was delivered, and the entry stays in the journal.
    pub listed: Option<Box<Guest>>,
}

impl Delivery {
    /// An outcome, and the guest as the host returned them.
    #[must_use]
    pub fn new(outcome: DeliveryOutcome, guest: Option<Guest>) -> Delivery {
        Delivery {
            outcome,
            guest,
            refusal: None,
            is_second: false,
            verdict: None,
            instead: None,
            listed: None,
        }
    }
}

/// Delivers one entry with its original time. If another desk checked the guest in earlier, the
/// earlier time is kept. Repeating a delivery has no further effect; for a check-in and an added guest this holds
/// for a day, the lifetime of an idempotency key. If `is_again`, an earlier answer may be lost: the guest is read as
/// they are by now.
///
/// # Errors
/// The entry stays in the journal: the host cannot be reached or fails, or
/// ([`CallError::SignedOut`]) the account that delivers the entry is not signed in.
pub async fn deliver(
    client: &Client,
    entry: &Entry,
    is_again: bool,
) -> Result<Delivery, CallError> {
    can_deliver(client, entry)?;
    let mut entry = entry.clone();
    let mut gone = Vec::new();
    let result = loop {
        let result = attempt(client, &entry, is_again).await;
        let instead = match &result {
            Err(CallError::Tool(refused)) => instead(client, &entry, refused).await,
            _ => Ok(None),
        };
        match instead {
            Ok(Some((other, why))) => {
                entry = other;
                gone.push(why);
            }
            Ok(None) => break result,
            Err(error) => break Err(error),
        }
    };
    match result {
        Ok(delivery) => Ok(Delivery {
            instead: (!gone.is_empty()).then(|| gone.join(" · ")),
            ..delivery
        }),
        Err(ref refusal @ (CallError::Tool(ref refused) | CallError::Forbidden(ref refused))) => {
            let outcome = DeliveryOutcome::Refused {
                message: refused.message.clone(),
            };
            Ok(Delivery {
                refusal: Some(refusal.clone()),
                ..Delivery::new(outcome, None)
            })
        }
        Err(error) => Err(error),
    }
}

/// The entry that is delivered in place of one whose place or guest is gone, and why: who has passed a place has come to
/// the event, and a guest who has the ticket now was merged with the one who came. Each replacement removes its reason.
async fn instead(
    client: &Client,
    entry: &Entry,
    refused: &ToolError,
) -> Result<Option<(Entry, String)>, CallError> {
    let entrance = &entry.entrance;
    let has_come = matches!(entry.action, Action::CheckIn | Action::Add | Action::Enter)
        && !(entrance.turns_away() && entry.reason.is_none());
    if refused.code != ErrorCode::NotFound || !has_come {
        return Ok(None);
    }
    let has_passed = entrance.verdict.is_some() || entry.reason.is_some();
    if refused.field.as_deref() == Some("place_id") && entrance.place_id.is_some() && has_passed {
        let mut at_event = entry.clone();
        at_event.entrance.place_id = None;
        return Ok(Some((
            at_event,
            "the place is gone: recorded at the event".to_owned(),
        )));
    }
    let Some(ticket) = entrance.ticket.as_deref() else {
        return Ok(None);
    };
    let holder = holder(client, entry, ticket).await;
    let Ok(Some(holder)) = holder else {
        return holder.map(|_| None);
    };
    let why = format!(
        "{} is gone: recorded for {}, who has the ticket now",
        entry.guest_name, holder.name
    );
    let mut other = entry.clone();
    other.guest_id = holder.id;
    other.entrance.ticket = None;
    Ok(Some((other, why)))
}

/// The guest of the host who may be the walk-in of an entry: by name, or by e-mail address.
///
/// # Errors
/// As for [`deliver`].
pub async fn listed(client: &Client, entry: &Entry) -> Result<Option<Guest>, CallError> {
    let Some(walk_in) = entry.walk_in.as_ref().filter(|_| entry.asks) else {
        return Ok(None);
    };
    can_deliver(client, entry)?;
    let address = walk_in
        .email
        .as_ref()
        .map(|email| email.as_str().to_lowercase());
    let has_address = |guest: &Guest| {
        let own = guest.email.as_ref().map(|email| email.to_lowercase());
        own.is_some() && own == address
    };
    for text in [Some(walk_in.name.as_str()), address.as_deref()] {
        let Some(text) = text else { continue };
        let found = client.call(&search(entry, text)).await?.items;
        let mut found = found.into_iter();
        let listed = found
            .find(|guest| guest.matched == Some(Matched::Name) || has_address(guest))
            .filter(|guest| guest.role.as_deref() != Some(ADDED_BY_MISTAKE));
        if listed.is_some() {
            return Ok(listed);
        }
    }
    Ok(None)
}

/// Whether an entry is for this client's host and account.
fn can_deliver(client: &Client, entry: &Entry) -> Result<(), CallError> {
    let host = client.addresses().base(Host::Events);
    if host != entry.host_url {
        return Err(CallError::Unreachable {
            host: entry.host_url.clone(),
            reason: format!("cannot be reached: this desk is connected to {host}"),
        });
    }
    // Another account can belong to another organisation, where the guest does not exist: the entry
    // would be settled as refused and lost.
    if client
        .last_account()
        .is_none_or(|account| account.id != entry.deliverer())
    {
        return Err(CallError::SignedOut(
            "the check-in was made with another account".to_owned(),
        ));
    }
    Ok(())
}

async fn attempt(client: &Client, entry: &Entry, is_again: bool) -> Result<Delivery, CallError> {
    let id = match (&entry.walk_in, &entry.code) {
        (Some(walk_in), _) => add(client, entry, walk_in).await?.id,
        (None, Some(code)) => {
            let holder = holder(client, entry, code).await?;
            let unknown = || no_guest("no guest has this ticket");
            holder.ok_or_else(unknown)?.id
        }
        (None, None) if entry.scanned => scanned(client, entry).await?.id,
        (None, None) => entry.guest_id,
    };
    match entry.action {
        Action::CheckIn | Action::Add
            if entry.entrance.is_known() || entry.entrance.turns_away() =>
        {
            passed(client, entry, id, Direction::In, is_again).await
        }
        Action::Enter => passed(client, entry, id, Direction::In, is_again).await,
        Action::Leave => passed(client, entry, id, Direction::Out, is_again).await,
        Action::CheckIn | Action::Add => {
            let at = happened(client, entry).await?;
            // A repeated call has the answer of the first one: a guest who is in already was let in at another desk.
            let meta = CallMeta {
                occurred_at: Some(at),
                idempotency_key: Some(format!("check-in-{}", entry.id)),
                ..made(entry)
            };
            let done = client.call_with(&CheckInGuest { id }, meta).await?;
            let outcome = match done.guest.check_in_at {
                Some(came) if done.already_checked_in && came < at => {
                    DeliveryOutcome::Already { at: came }
                }
                _ => DeliveryOutcome::Delivered,
            };
            // If another account has taken the entry over, an earlier delivery had another key.
            let is_first_key = entry.taken_by.is_none();
            let is_second = done.already_checked_in && outcome == DeliveryOutcome::Delivered;
            let is_second = is_second && is_first_key;
            let guest = by_now(client, done.guest, is_again).await?;
            let guest = admitted(client, guest, entry).await?;
            Ok(Delivery {
                is_second,
                ..Delivery::new(outcome, Some(guest))
            })
        }
        Action::Undo => {
            let One(guest) = client.call_with(&undone(id), undoing(entry)).await?;
            Ok(Delivery::new(DeliveryOutcome::Delivered, Some(guest)))
        }
        Action::TakeBack => {
            let guest = match is_removed(client, id).await? {
                true => None,
                false => mistake(client, id, entry).await?,
            };
            Ok(Delivery::new(DeliveryOutcome::Delivered, guest))
        }
    }
}

/// Records that a guest passed the entrance of an entry, or was turned away there. The host decides who enters, unless the
/// entry says that the desk has.
async fn passed(
    client: &Client,
    entry: &Entry,
    id: GuestId,
    direction: Direction,
    is_again: bool,
) -> Result<Delivery, CallError> {
    let at = happened(client, entry).await?;
    let line = |text: &Option<String>| text.as_deref().and_then(|text| Line::new(text).ok());
    let is_fact = direction == Direction::Out || entry.undoes.is_some();
    let decided = match entry.entrance.verdict {
        _ if is_fact => Some(Verdict::Passed),
        // With a reason, the rules do not matter.
        decided => decided.filter(|_| entry.reason.is_none()),
    };
    let call = RecordMovement {
        guest_id: id,
        direction,
        place_id: entry.entrance.place_id,
        gate: line(&entry.entrance.gate),
        desk: line(&entry.entrance.desk),
        source: entry.entrance.source,
        decided,
        reason: line(&entry.reason),
        takes_back: Flag(entry.undoes.is_some()),
    };
    let asks = if decided.is_none() { "-asks" } else { "" };
    let meta = CallMeta {
        occurred_at: Some(at),
        idempotency_key: Some(format!("movement-{}{asks}", entry.id)),
        ..made(entry)
    };
    let done = client.call_with(&call, meta).await?;
    let movement = done.movement;
    let has_passed = movement.verdict == Verdict::Passed;
    let last = done.last.as_ref().map(|last| last.at);
    let before = last.or(done.guest.check_in_at).filter(|_| !has_passed);
    let outcome = match (movement.verdict, before) {
        (Verdict::Already, Some(before)) if before < at => DeliveryOutcome::Already { at: before },
        (Verdict::Passed | Verdict::Already, _) => DeliveryOutcome::Delivered,
        (verdict, _) => DeliveryOutcome::Refused {
            message: refusal(verdict).to_owned(),
        },
    };
    let is_own = is_again && last == Some(at);
    let is_second = movement.verdict == Verdict::Already && outcome == DeliveryOutcome::Delivered;
    let guest = by_now(client, done.guest, is_again).await?;
    let mut guest = match direction {
        Direction::In => admitted(client, guest, entry).await?,
        Direction::Out => guest,
    };
    guest.passage = done.last;
    Ok(Delivery {
        is_second: is_second && !is_own && entry.taken_by.is_none(),
        verdict: Some(movement.verdict),
        ..Delivery::new(outcome, Some(guest))
    })
}

/// Why a guest did not pass.
fn refusal(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "passed",
        Verdict::Already => "is inside already",
        Verdict::NotInside => "is not inside",
        Verdict::Once => "has been inside, and enters only once",
        Verdict::WrongEntrance => "wrong entrance",
        Verdict::NotYet => "entry has not begun",
        Verdict::Closed => "entry has ended",
        Verdict::Full => "the place is full",
        Verdict::Blocked => "is blocked",
    }
}

/// Undoes the calls that added and checked in a guest, so that no trace is left. `false` if the host does not, or if
/// others have changed the guest.
async fn is_removed(client: &Client, id: GuestId) -> Result<bool, CallError> {
    let search = ListChanges {
        kind: None,
        record_id: Some(RecordId(id.0)),
        tool: None,
        account_id: None,
        from: None,
        to: None,
        limit: Limit::default(),
        offset: Offset::default(),
    };
    let changes = match client.call(&search).await {
        Ok(changes) => changes.items,
        Err(CallError::Tool(_) | CallError::Forbidden(_)) => return Ok(false),
        Err(error) => return Err(error),
    };
    let own = [
        CheckInGuest::NAME,
        CreateEventGuest::NAME,
        RecordMovement::NAME,
    ];
    let are_own = changes.iter().all(|change| {
        own.contains(&change.tool.as_str()) && change.can_undo && change.undone_by.is_none()
    });
    let is_added = changes
        .last()
        .is_some_and(|first| first.tool == CreateEventGuest::NAME);
    if !are_own || !is_added {
        return Ok(false);
    }
    for change in changes {
        match client
            .call(&UndoChange {
                change_id: change.id,
            })
            .await
        {
            Ok(_) => {}
            Err(CallError::Tool(_) | CallError::Forbidden(_)) => return Ok(false),
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

/// Marks a guest, who may be gone, as added by mistake and clears the check-in.
async fn mistake(client: &Client, id: GuestId, entry: &Entry) -> Result<Option<Guest>, CallError> {
    let Maybe(Some(guest)) = client.call(&GetEventGuest { id }).await? else {
        return Ok(None);
    };
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
    Ok(Some(guest))
}

/// Binds an undo to the check-in that it is about.
fn undoing(entry: &Entry) -> CallMeta {
    CallMeta {
        occurred_at: entry.undoes,
        ..made(entry)
    }
}

/// Who made an entry that another account delivers.
fn made(entry: &Entry) -> CallMeta {
    CallMeta {
        made_by: entry.taken_by.map(|_| entry.account),
        ..CallMeta::default()
    }
}

/// A guest who has arrived, as of an answer or, if that may be an earlier one, as of now.
async fn by_now(client: &Client, guest: Guest, is_again: bool) -> Result<Guest, CallError> {
    let now = match is_again {
        true => client.call(&GetEventGuest { id: guest.id }).await?.0,
        false => None,
    };
    no_mistake(client, now.unwrap_or(guest)).await
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

/// Keeps the reason for admitting a blocked guest. What other rules say is in the log of movements.
async fn admitted(client: &Client, guest: Guest, entry: &Entry) -> Result<Guest, CallError> {
    let is_blocked = matches!(alert(&guest.tags), Some(Alert::Blocked(_)));
    let Some(reason) = entry.reason.as_ref().filter(|_| is_blocked) else {
        return Ok(guest);
    };
    let mut tags = guest.tags.clone();
    tags.insert(ADMITTED.to_owned(), reason.as_str().into());
    let call = UpdateEventGuest {
        check_in_at: Patch::Keep,
        tags: object(tags),
        ..undone(guest.id)
    };
    let One(guest) = client.call(&call).await?;
    Ok(guest)
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

fn refused(code: ErrorCode, message: &str) -> CallError {
    CallError::Tool(ToolError::new(code, message).on("id"))
}

fn no_guest(message: &str) -> CallError {
    refused(ErrorCode::NotFound, message)
}

/// The guest of this event with the scanned id.
async fn scanned(client: &Client, entry: &Entry) -> Result<Guest, CallError> {
    let id = entry.guest_id;
    match client.call(&GetEventGuest { id }).await? {
        Maybe(Some(guest)) if guest.event_id == entry.event_id => Ok(guest),
        Maybe(Some(guest)) => {
            let name = guest.name;
            let message = format!("this is the code of {name}, a guest of another event");
            Err(refused(ErrorCode::Refused, &message))
        }
        // Another seller's code can have the form of an id.
        Maybe(None) => {
            let holder = holder(client, entry, &id.to_string()).await?;
            holder.ok_or_else(|| no_guest("no guest you can see has this code"))
        }
    }
}

/// The guest of this event whose ticket the code is, as the desk decides.
async fn holder(client: &Client, entry: &Entry, code: &str) -> Result<Option<Guest>, CallError> {
    let arrived = read(code, Pace::Scanned);
    let (Some(arrived), Ok(_)) = (arrived.first(), Line::new(code)) else {
        return Ok(None);
    };
    let mut found = client.call(&search(entry, code)).await?.items;
    if found.is_empty() {
        return Ok(None);
    }
    let id = entry.event_id;
    let Maybe(event) = client.call(&GetEvent { id }).await?;
    let named = event.map(|event| event.ticket_tags).unwrap_or_default();
    let known: Vec<_> = found
        .iter()
        .map(|guest| {
            (
                Spelled::new(&guest.name),
                tickets(&guest.tags, &named).collect::<Vec<_>>(),
            )
        })
        .collect();
    let people = found
        .iter()
        .zip(&known)
        .map(|(guest, (name, tickets))| Person {
            id: guest.id,
            name,
            key: "",
            email: None,
            tickets,
            is_in: guest.check_in_at.is_some(),
            is_similar: false,
        });
    match decide(arrived, people, Extent::Whole) {
        Decision::In(id) | Decision::Already(id) => {
            found.retain(|guest| guest.id == id);
            Ok(found.pop())
        }
        Decision::Which { guests, .. } => {
            let message = format!("{} guests have this ticket", guests.len());
            Err(refused(ErrorCode::Refused, &message))
        }
        _ => Ok(None),
    }
}

fn search(entry: &Entry, text: &str) -> ListEventGuests {
    ListEventGuests {
        event_id: entry.event_id,
        search: Line::new(text).ok(),
        role: None,
        member_id: None,
        limit: Limit::default(),
        offset: Offset::default(),
    }
}

/// Adds the guest of an entry. Repeating it adds no second guest.
async fn add(client: &Client, entry: &Entry, walk_in: &WalkIn) -> Result<Guest, CallError> {
    let email = walk_in.email.as_ref();
    let arguments = CreateEventGuest {
        event_id: entry.event_id,
        name: walk_in.name.clone(),
        email: email.and_then(|email| Mail::new(email.as_str()).ok()),
        phone_number: walk_in.phone_number.clone(),
        role: walk_in.role.clone(),
        member_id: None,
        chat_id: None,
        tags: match object(walk_in.tags()) {
            Change::To(tags) if walk_in.guest_of.is_some() => Some(tags),
            _ => None,
        },
    };
    let meta = CallMeta {
        idempotency_key: Some(entry.guest_id.to_string()),
        ..made(entry)
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
