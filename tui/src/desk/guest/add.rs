//! The form for a walk-in, who is added and checked in at once.

use std::collections::HashSet;
use std::sync::Arc;

use frontdesk_client::{CallError, WalkIn};
use frontdesk_protocol::door::{
    Decision, Extent, GUEST_OF, Pace, Person, Spelled, Visitor, admit, decide, read, tickets,
};
use frontdesk_protocol::events::guest::{CreateEventGuest, Guest};
use frontdesk_protocol::events::passage::{Direction, Verdict};
use frontdesk_protocol::events::place::Place;
use frontdesk_protocol::id::{EventId, GuestId};
use frontdesk_protocol::value::{Line, Mail, Phone, Text};
use frontdesk_protocol::{Declaration, Host, ToolError};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::app::cx::Cx;
use crate::app::owner::RequestId;
use crate::app::shared::Shared;
use crate::call_form::{CallScreen, Prepared, Purpose, declared};
use crate::desk::door;
use crate::look::mark::Mark;
use crate::look::text::{clean, fold};

/// The fields of the form.
const ASKED: [&str; 5] = ["name", "email", "phone_number", "role", GUEST_OF];
/// Maximum number of guests that a message names.
const NAMED: usize = 3;

/// What the desk knows of the list.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) guests: Vec<Arc<Guest>>,
    /// The tags with tickets, in addition to `ticket_code`.
    pub(crate) ticket_tags: Vec<String>,
    /// Those who are not at the host yet.
    pub(crate) waiting: HashSet<GuestId>,
    /// Why others may be on the list.
    pub(crate) doubt: Option<String>,
    /// The place at whose entrance the desk is, or the verdict about everybody.
    pub(crate) place: Result<Option<Place>, Verdict>,
    /// The host did not answer the desk.
    pub(crate) is_away: bool,
}

/// The form for a walk-in. `host` is the guest whom they accompany, if one is chosen.
pub(crate) fn form(
    event: EventId,
    name: &str,
    host: Option<&Guest>,
    known: Known,
    at: Timestamp,
) -> CallScreen {
    let name = Some(name).filter(|name| !name.is_empty());
    let name = name.map(|name| ("name".to_owned(), name.into()));
    let mut filled = Map::from_iter(name);
    filled.extend(host.map(|host| (GUEST_OF.to_owned(), host.name.clone().into())));
    let purpose = AddGuest {
        event,
        known,
        host: host.map(|host| (host.name.clone(), host.id)),
    };
    let prepared = Prepared::for_purpose("Add a guest and check in", purpose);
    let is_asked = |name: &str| ASKED.contains(&name);
    let mut tool = declared(&Declaration::of::<CreateEventGuest>());
    if let Some(Value::Object(fields)) = tool.input_schema.get_mut("properties") {
        let description =
            "For a plus-one: the guest who brings them, by name, e-mail address or ticket.";
        let field = json!({ "type": "string", "maxLength": 200, "description": description });
        fields.insert(GUEST_OF.to_owned(), field);
    }
    let form = CallScreen::asking(Host::Events.into(), tool, is_asked, prepared, at);
    form.filled(&filled)
}

/// The words of a name in any order, without case, accents and commas.
fn key(name: &str) -> Vec<String> {
    let words = name.split(|char: char| char.is_whitespace() || char == ',');
    let words = words.filter(|word| !word.is_empty());
    let mut words: Vec<String> = words.map(fold).collect();
    words.sort_unstable();
    words
}

/// A guest in a few words that distinguish it.
fn described(guest: &Guest) -> String {
    let details = [&guest.role, &guest.email, &guest.phone_number];
    let details: Vec<&str> = details.into_iter().flatten().map(String::as_str).collect();
    let state = match guest.check_in_at {
        Some(_) => "is in",
        None => "is not in yet",
    };
    let text = match details.is_empty() {
        true => format!("{} {state}", guest.name),
        false => format!("{} ({}) {state}", guest.name, details.join(", ")),
    };
    clean(&text).into_owned()
}

/// The purpose of the form: a walk-in at this event.
#[derive(Debug)]
struct AddGuest {
    event: EventId,
    known: Known,
    /// The chosen guest whom they accompany, by the name that is filled in.
    host: Option<(String, GuestId)>,
}

impl AddGuest {
    /// The known guest of the same name.
    fn namesake(&self, guest: &WalkIn) -> Option<&Guest> {
        let key_of_guest = key(guest.name.as_str());
        let mut known = self.known.guests.iter();
        let namesake = known.find(|known| key(&known.name) == key_of_guest);
        namesake.map(Arc::as_ref)
    }

    /// The desk's verdict about a walk-in at its place.
    fn verdict(&self, guest: &WalkIn, at: Timestamp) -> Option<Verdict> {
        let visitor = Visitor {
            role: guest.role.as_ref().map(Line::as_str),
            tags: &guest.tags(),
            is_of_session: false,
            before: None,
            after: None,
        };
        match &self.known.place {
            Ok(place) => {
                let place = place.as_ref()?;
                Some(admit(Direction::In, &visitor, Some(place), at))
            }
            Err(verdict) => Some(*verdict),
        }
    }

    /// The walk-in from the filled-in form.
    ///
    /// # Errors
    /// The errors of the fields.
    fn walk_in(&self, filled: &Map<String, Value>) -> Result<WalkIn, Vec<ToolError>> {
        let host = filled.get(GUEST_OF).and_then(Value::as_str);
        let host = host.map(str::trim).filter(|host| !host.is_empty());
        let host = host.map(|host| {
            let found = self.host(host);
            found.map_err(|message| ToolError::invalid(GUEST_OF, message))
        });
        match (walk_in(filled), host.transpose()) {
            (Ok(walk_in), Ok(guest_of)) => Ok(WalkIn {
                guest_of,
                ..walk_in
            }),
            (walk_in, host) => {
                let wrong = walk_in.err().into_iter().flatten();
                Err(wrong.chain(host.err()).collect())
            }
        }
    }

    /// The guest who is meant by a name or a ticket, as the desk decides.
    ///
    /// # Errors
    /// What is wrong with the text, and what would be right.
    fn host(&self, text: &str) -> Result<GuestId, String> {
        let chosen = self.host.as_ref().filter(|(name, _)| name == text);
        let id = chosen.map_or_else(|| self.found(text), |(_, id)| Ok(*id))?;
        match self.known.waiting.contains(&id) {
            true => Err("must be at the host already; this guest still waits here".to_owned()),
            false => Ok(id),
        }
    }

    fn found(&self, text: &str) -> Result<GuestId, String> {
        let known: Vec<_> = self
            .known
            .guests
            .iter()
            .map(|guest| {
                let tickets: Vec<String> = tickets(&guest.tags, &self.known.ticket_tags).collect();
                (guest, Spelled::new(&guest.name), fold(&guest.name), tickets)
            })
            .collect();
        let people = known.iter().map(|(guest, name, key, tickets)| Person {
            id: guest.id,
            name,
            key,
            email: guest.email.as_deref(),
            tickets,
            is_in: guest.check_in_at.is_some(),
            is_similar: false,
        });
        let arrived = read(text, Pace::Typed);
        let decision = arrived
            .first()
            .map(|one| decide(one, people, Extent::Whole));
        match decision {
            Some(Decision::In(id) | Decision::Already(id)) => Ok(id),
            Some(Decision::Which { guests, .. }) => {
                let found = self
                    .known
                    .guests
                    .iter()
                    .filter(|guest| guests.contains(&guest.id));
                let names: Vec<String> = found.take(NAMED).map(|guest| described(guest)).collect();
                let more = if guests.len() > NAMED { ", …" } else { "" };
                Err(format!(
                    "can mean {}{more}: write the e-mail address or the ticket of one",
                    names.join(", ")
                ))
            }
            _ => Err("must be a guest on the list, or empty".to_owned()),
        }
    }
}

impl Purpose for AddGuest {
    fn check(
        &self,
        filled: &Map<String, Value>,
    ) -> Result<Option<(String, String)>, Vec<ToolError>> {
        let guest = self.walk_in(filled)?;
        let is_known = self.namesake(&guest).map(|known| {
            let known = described(known);
            (
                "A guest of this name is on the list".to_owned(),
                format!("{known}. Add another guest of the same name?"),
            )
        });
        let may_be_known = || {
            let doubt = self.known.doubt.as_ref()?;
            Some((
                "This guest may be on the list".to_owned(),
                format!(
                    "{}: {doubt}. Add another guest?",
                    clean(guest.name.as_str())
                ),
            ))
        };
        Ok(is_known.or_else(may_be_known))
    }

    fn head(&self, shared: &Shared) -> Vec<ratatui::text::Line<'static>> {
        let waits = self.known.is_away || shared.door().lags(&shared.session);
        let words = "This guest waits here, and is added once the host answers.";
        let line = waits.then(|| Mark::Waiting.span(&shared.settings.theme, words).into());
        line.into_iter().collect()
    }

    fn is_quick(&self) -> bool {
        true
    }

    fn carry_out(&self, cx: &mut Cx, filled: Map<String, Value>) -> Option<RequestId> {
        let guest = self.walk_in(&filled).ok()?;
        let is_confirmed = self.namesake(&guest).is_some();
        let verdict = self.verdict(&guest, cx.host_now());
        Some(door::add(cx, self.event, guest, !is_confirmed, verdict))
    }

    fn ended(&self, cx: &mut Cx, request: RequestId) -> Option<Result<(), CallError>> {
        let attempt = cx.shared.door().attempt(request)?;
        if attempt.is_fresh() {
            return None;
        }
        if let Some(refusal) = attempt.refusal() {
            return Some(Err(refusal.clone()));
        }
        door::announce(cx, request);
        Some(Ok(()))
    }
}

/// The walk-in without the guest whom they accompany.
fn walk_in(filled: &Map<String, Value>) -> Result<WalkIn, Vec<ToolError>> {
    let mut wrong = Vec::new();
    let mut read = |field: &'static str, as_written: fn(&str) -> Result<Line, String>| {
        let text = filled.get(field).and_then(Value::as_str);
        let text = text.map(str::trim).filter(|text| !text.is_empty())?;
        let read = as_written(text).map_err(|message| ToolError::invalid(field, message));
        read.map_err(|error| wrong.push(error)).ok()
    };
    let email = read("email", email);
    let phone_number = read("phone_number", phone_number);
    let role = read("role", |text| Text::new(text));
    let name = filled.get("name").and_then(Value::as_str);
    let name = Text::new(name.unwrap_or_default().trim());
    let name = name.map_err(|message| wrong.push(ToolError::invalid("name", message)));
    match name {
        Ok(name) if wrong.is_empty() => Ok(WalkIn {
            name,
            email,
            phone_number,
            role,
            guest_of: None,
        }),
        _ => Err(wrong),
    }
}

/// An e-mail address as the host takes it, with a domain of two labels: a slip at the door is not noticed later.
fn email(text: &str) -> Result<Line, String> {
    let domain = text.rsplit_once('@').map_or("", |(_, domain)| domain);
    match domain.contains('.') && Mail::new(text).is_ok() {
        true => Text::new(text),
        false => Err("must look like name@example.org".to_owned()),
    }
}

/// A telephone number in the form of messaging services, without separators.
fn phone_number(text: &str) -> Result<Line, String> {
    let is_between = |char: char| char.is_whitespace() || "-./()".contains(char);
    let digits = text.replace(is_between, "");
    Phone::new(&*digits).and_then(|_| Text::new(digits))
}
