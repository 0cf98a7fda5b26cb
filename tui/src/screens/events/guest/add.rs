//! Adding a guest at the door: added and checked in at once.

use std::collections::HashMap;

use frontdesk_client::{CallError, WalkIn};
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::EventId;
use frontdesk_protocol::value::{Line, Name, Phone, Text};

use crate::app::cx::Cx;
use crate::app::effect::RequestId;
use crate::app::shared::Shared;
use crate::door;
use crate::screens::form::{Doubt, Field, Filled, Form, Purpose, Ready, Wrong};
use crate::ui::text::{clean, fold};

/// The form for a guest who is on no list. `known` are those who are on it.
pub(crate) fn form<'a>(event: EventId, name: &str, known: impl Iterator<Item = &'a Guest>) -> Form {
    let fields = vec![
        Field::line("name", "Name", name),
        Field::line("email", "E-mail address", ""),
        Field::line("phone_number", "Telephone number", ""),
        Field::line("role", "Role at the event", ""),
    ];
    let known = known.map(|guest| (key(&guest.name), described(guest)));
    let purpose = AddGuest {
        event,
        known: known.collect(),
    };
    Form::new("Add a guest and check in", fields, purpose)
}

/// A name as it is compared: without case, accents and spare spaces.
fn key(name: &str) -> String {
    let words: Vec<String> = name.split_whitespace().map(fold).collect();
    words.join(" ")
}

/// A guest in a few words, to tell one from another.
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

/// A guest was added at the door of an event; this is their check-in.
#[derive(Debug)]
pub(crate) struct Added {
    pub(crate) event: EventId,
    pub(crate) attempt: RequestId,
}

/// To a guest of this event.
#[derive(Debug)]
struct AddGuest {
    event: EventId,
    /// The guests that there are, by the key of their name.
    known: HashMap<String, String>,
}

impl Purpose for AddGuest {
    fn read(&self, form: &Filled, _: &Shared) -> Result<Option<Ready>, Vec<Wrong>> {
        let mut wrong = Vec::new();
        let mut optional =
            |field: &'static str, as_written: fn(&str) -> Result<Line, String>| match form
                .text(field)
                .trim()
            {
                "" => None,
                text => noted(field, as_written(text), &mut wrong),
            };
        let email = optional("email", email);
        let phone_number = optional("phone_number", phone_number);
        let role = optional("role", |text| Text::new(text));
        let name: Option<Name> = noted("name", Text::new(form.text("name").trim()), &mut wrong);
        match name {
            Some(name) if wrong.is_empty() => {
                let doubt = self.doubt(name.as_str());
                let walk_in = WalkIn {
                    name,
                    email,
                    phone_number,
                    role,
                };
                let event = self.event;
                Ok(Some(Ready {
                    doubt,
                    send: Box::new(move |cx| door::add(cx, event, walk_in)),
                }))
            }
            _ => Err(wrong),
        }
    }

    fn ended(&self, cx: &mut Cx, request: RequestId) -> Option<Result<(), CallError>> {
        let attempt = cx.shared.door().attempt(request)?;
        if attempt.is_fresh() {
            return None;
        }
        if let Some(refusal) = attempt.refusal() {
            return Some(Err(refusal.clone()));
        }
        cx.tell_own(Added {
            event: self.event,
            attempt: request,
        });
        Some(Ok(()))
    }
}

impl AddGuest {
    /// Whether somebody of this name is there already.
    fn doubt(&self, name: &str) -> Option<Doubt> {
        let known = self.known.get(&key(name))?;
        Some(Doubt {
            title: "Somebody of this name is on the list".to_owned(),
            body: format!("{known}. Add another guest of the same name?"),
        })
    }
}

/// An address as hosts and mail programs take it.
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
        true => Text::new(text),
        false => Err("must look like name@example.org".to_owned()),
    }
}

/// A number as the hosts that send messages take it, without what people write between the digits.
fn phone_number(text: &str) -> Result<Line, String> {
    let is_between = |char: char| char.is_whitespace() || "-./()".contains(char);
    let digits = text.replace(is_between, "");
    Phone::new(&*digits)
        .map_err(str::to_owned)
        .and_then(|_| Text::new(digits))
}

fn noted<T>(field: &'static str, value: Result<T, String>, wrong: &mut Vec<Wrong>) -> Option<T> {
    value
        .map_err(|message| wrong.push(Wrong { field, message }))
        .ok()
}
