//! Adding a guest at the door: added and checked in at once.

use frontdesk_client::CallError;
use frontdesk_protocol::events::guest::{CreateEventGuest, Guest};
use frontdesk_protocol::id::EventId;
use frontdesk_protocol::value::{Line, Name, Text};

use crate::app::cx::Cx;
use crate::app::effect::{Answer, ToolCall};
use crate::app::shared::Shared;
use crate::screens::form::{Field, Filled, Form, Purpose, Wrong};

/// The form for a guest who is on no list.
pub(crate) fn form(event: EventId, name: &str) -> Form {
    let fields = vec![
        Field::line("name", "Name", name),
        Field::line("email", "E-mail address", ""),
        Field::line("phone_number", "Telephone number", ""),
        Field::line("role", "Role at the event", ""),
    ];
    Form::new("Add a guest and check in", fields, AddGuest(event))
}

/// A guest was added at the door, and is to be checked in.
#[derive(Debug)]
pub(crate) struct Added(pub(crate) Guest);

/// To a guest of this event.
#[derive(Debug)]
struct AddGuest(EventId);

impl Purpose for AddGuest {
    fn call(&self, form: &Filled, _: &Shared) -> Result<Option<ToolCall>, Vec<Wrong>> {
        let mut wrong = Vec::new();
        let mut optional = |field: &'static str| -> Option<Line> {
            match form.text(field).trim() {
                "" => None,
                text => checked(field, text, &mut wrong),
            }
        };
        let email = optional("email");
        let phone_number = optional("phone_number");
        let role = optional("role");
        let name: Option<Name> = checked("name", form.text("name").trim(), &mut wrong);
        match name {
            Some(name) if wrong.is_empty() => Ok(Some(ToolCall::of(&CreateEventGuest {
                event_id: self.0,
                name,
                email,
                phone_number,
                role,
                member_id: None,
                chat_id: None,
                tags: None,
            }))),
            _ => Err(wrong),
        }
    }

    fn done(&self, cx: &mut Cx, answer: Answer) -> Result<(), CallError> {
        if let Some(result) = answer.of::<CreateEventGuest>() {
            cx.tell_own(Added(result?.0));
        }
        Ok(())
    }
}

fn checked<const MIN: usize, const MAX: usize>(
    field: &'static str,
    text: &str,
    wrong: &mut Vec<Wrong>,
) -> Option<Text<MIN, MAX>> {
    match Text::new(text) {
        Ok(text) => Some(text),
        Err(message) => {
            wrong.push(Wrong { field, message });
            None
        }
    }
}
