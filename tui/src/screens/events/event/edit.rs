//! The form that changes an event. Only what was changed is sent.

use frontdesk_client::CallError;
use frontdesk_protocol::events::event::{Event, UpdateEvent};
use frontdesk_protocol::value::{Change, Patch, Text};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::app::cx::Cx;
use crate::app::effect::Answer;
use crate::app::shared::Shared;
use crate::screens::form::{Field, Filled, Form, Purpose, Ready, Wrong};
use crate::ui::mark::Mark;
use crate::ui::text::clean;
use crate::ui::time::{field, parse_field};

/// The form for this event.
pub(crate) fn form(event: &Event, zone: &TimeZone) -> Form {
    let time = |at: Option<Timestamp>| at.map(|at| field(at, zone)).unwrap_or_default();
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let fields = vec![
        Field::line("name", "Name", &event.name),
        Field::line("location", "Where", &text(&event.location)),
        Field::line("start_at", "Begins (local time)", &time(event.start_at)),
        Field::line("end_at", "Ends", &time(event.end_at)),
        Field::prose("description", "What it is about", &text(&event.description)),
    ];
    Form::new("Edit event", fields, EditEvent(event.clone()))
}

/// To change this event.
#[derive(Debug)]
struct EditEvent(Event);

impl Purpose for EditEvent {
    fn read(&self, form: &Filled, shared: &Shared) -> Result<Option<Ready>, Vec<Wrong>> {
        let mut wrong = Vec::new();
        let name = match form.changed("name") {
            None => Change::Keep,
            Some(text) => {
                note("name", Text::new(text.trim()), &mut wrong).map_or(Change::Keep, Change::To)
            }
        };
        let location = patch("location", form, &mut wrong);
        let description = patch("description", form, &mut wrong);
        let mut time = |key| match form.changed(key) {
            None => Patch::Keep,
            Some(text) if text.trim().is_empty() => Patch::Clear,
            Some(text) => note(key, parse_field(&text, &shared.zone), &mut wrong)
                .map_or(Patch::Keep, Patch::To),
        };
        let (start_at, end_at) = (time("start_at"), time("end_at"));
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let is_unchanged = name.is_keep()
            && location.is_keep()
            && description.is_keep()
            && start_at.is_keep()
            && end_at.is_keep();
        if is_unchanged {
            return Ok(None);
        }
        let call = UpdateEvent {
            id: self.0.id,
            name,
            strategy_business_unit_id: Change::Keep,
            description,
            location,
            latitude: Patch::Keep,
            longitude: Patch::Keep,
            start_at,
            end_at,
        };
        Ok(Some(Ready {
            doubt: None,
            send: Box::new(move |cx| cx.call(call)),
        }))
    }

    fn done(&self, cx: &mut Cx, answer: Answer) -> Result<(), CallError> {
        if let Some(result) = answer.of::<UpdateEvent>() {
            let event = result?.0;
            cx.toast(Mark::Good, format!("Saved {}", clean(&event.name)));
            cx.tell_record("event", &event);
        }
        Ok(())
    }
}

/// A text that can be cleared.
fn patch<const MIN: usize, const MAX: usize>(
    key: &'static str,
    form: &Filled,
    wrong: &mut Vec<Wrong>,
) -> Patch<Text<MIN, MAX>> {
    match form.changed(key) {
        None => Patch::Keep,
        Some(text) if text.trim().is_empty() => Patch::Clear,
        Some(text) => note(key, Text::new(text), wrong).map_or(Patch::Keep, Patch::To),
    }
}

/// The value, or a note of what is wrong with it.
fn note<T>(field: &'static str, value: Result<T, String>, wrong: &mut Vec<Wrong>) -> Option<T> {
    match value {
        Ok(value) => Some(value),
        Err(message) => {
            wrong.push(Wrong { field, message });
            None
        }
    }
}
