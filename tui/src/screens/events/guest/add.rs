//! The form for a walk-in, who is added and checked in at once.

use std::sync::Arc;

use frontdesk_client::{CallError, WalkIn};
use frontdesk_protocol::events::guest::{CreateEventGuest, Guest};
use frontdesk_protocol::id::EventId;
use frontdesk_protocol::value::{Contact, Line, Phone, Text};
use frontdesk_protocol::{Declaration, Host, ToolError};
use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::app::cx::Cx;
use crate::app::effects::effect::RequestId;
use crate::door;
use crate::filling::{CallScreen, Prepared, Purpose, declared};
use crate::ui::text::{clean, fold};

/// The fields of the form.
const ASKED: [&str; 4] = ["name", "email", "phone_number", "role"];

/// The form for a walk-in. `known` are the guests on the list; `doubt` says why others may be on it.
pub(crate) fn form(
    event: EventId,
    name: &str,
    known: Vec<Arc<Guest>>,
    doubt: Option<String>,
    at: Timestamp,
) -> CallScreen {
    let purpose = AddGuest {
        event,
        known,
        doubt,
    };
    let prepared = Prepared::for_purpose("Add a guest and check in", purpose);
    let is_asked = |name: &str| ASKED.contains(&name);
    let form = CallScreen::asking(
        Host::Events.into(),
        declared(&Declaration::of::<CreateEventGuest>()),
        is_asked,
        prepared,
        at,
    );
    form.filled(&Map::from_iter([("name".to_owned(), name.into())]))
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
    /// The known guests.
    known: Vec<Arc<Guest>>,
    /// Why the list may have the guest although this desk does not know.
    doubt: Option<String>,
}

impl AddGuest {
    /// The known guest of the same name.
    fn namesake(&self, guest: &WalkIn) -> Option<&Guest> {
        let key_of_guest = key(guest.name.as_str());
        let mut known = self.known.iter();
        let namesake = known.find(|known| key(&known.name) == key_of_guest);
        namesake.map(Arc::as_ref)
    }
}

impl Purpose for AddGuest {
    fn check(
        &self,
        filled: &Map<String, Value>,
    ) -> Result<Option<(String, String)>, Vec<ToolError>> {
        let guest = walk_in(filled)?;
        let is_known = self.namesake(&guest).map(|known| {
            let known = described(known);
            (
                "A guest of this name is on the list".to_owned(),
                format!("{known}. Add another guest of the same name?"),
            )
        });
        let may_be_known = || {
            let doubt = self.doubt.as_ref()?;
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

    fn is_quick(&self) -> bool {
        true
    }

    fn carry_out(&self, cx: &mut Cx, filled: Map<String, Value>) -> Option<RequestId> {
        let guest = walk_in(&filled).ok()?;
        let is_confirmed = self.namesake(&guest).is_some();
        Some(door::add(cx, self.event, guest, !is_confirmed))
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

/// The walk-in from the filled-in form.
///
/// # Errors
/// The errors of the fields.
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
        }),
        _ => Err(wrong),
    }
}

/// An e-mail address, checked as the host does.
fn email(text: &str) -> Result<Line, String> {
    let is_address = text.split_once('@').is_some_and(|(local, domain)| {
        let mut labels = domain.split('.');
        !local.is_empty()
            && domain.contains('.')
            && labels.all(|label| !label.is_empty())
            && !text.contains(char::is_whitespace)
            && !domain.contains('@')
    });
    match is_address {
        true => Contact::new(text).and_then(|_| Text::new(text)),
        false => Err("must look like name@example.org".to_owned()),
    }
}

/// A telephone number in the form of messaging services, without separators.
fn phone_number(text: &str) -> Result<Line, String> {
    let is_between = |char: char| char.is_whitespace() || "-./()".contains(char);
    let digits = text.replace(is_between, "");
    Phone::new(&*digits).and_then(|_| Text::new(digits))
}
