//! Forms that were sent to guests: those that wait for the caller's response, and a form to respond with.

use frontdesk_protocol::quiz::response::SubmitResponse;
use frontdesk_protocol::{Declaration, Host, Tool};
use serde_json::{Map, Value, json};

use super::questions::ask_for;
use crate::app::cx::Cx;
use crate::app::input::command::{Context, commands};
use crate::app::peer::Reply;
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::call_form::{CallScreen, Prepared, declared};
use crate::fields::cell::Cell;
use crate::fields::key::Key;
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::record_screens::{self, ShowsRecords};
use crate::records::columns::Column;
use crate::records::contexts::RECORDS;
use crate::records::kind;
use crate::records::offered::not_offered;
use crate::records::record::Record;
use crate::records::view::View;

static DISPATCH: Context = Context::above("One form that was sent", &RECORDS);

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("form_title", "Form"),
        Column::field("guest_name", "Guest"),
        Column::field("created_at", "Sent"),
        Column::own("State", state, |dispatch, _| {
            Key::text(dispatch.text("responded_at"))
        }),
    ],
    is_past: Some(|dispatch, _| dispatch.text("responded_at").is_some()),
    record: &DISPATCH,
    ..View::new(Host::Quiz, "dispatches")
};

fn state(dispatch: &Record, _: &Shared) -> Cell {
    match dispatch.text("responded_at") {
        Some(_) => Cell::marked(Mark::Good, "answered"),
        None => Cell::new("open"),
    }
}

commands! {
    pub(crate) const COMMANDS;

    DISPATCH: "dispatch.respond", ["a"], "Respond to this form",
        run |state, out| record_screens::act(state, out, respond), over("record.add"), writes,
        hint("respond"), hinted_if(|state| no_response(state).is_none()), unless(no_response);
}

fn no_response(state: &State) -> Option<String> {
    let not_offered = not_offered(&Host::Quiz.into(), SubmitResponse::NAME, &state.shared);
    not_offered.or_else(|| {
        let (_, dispatch) = record_screens::shown(state)?.about()?;
        let is_answered = dispatch.text("responded_at").is_some();
        is_answered.then(|| "it was answered, and a response is final".to_owned())
    })
}

/// Opens a form with the fields of the dispatched one.
fn respond(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    let Some((_, dispatch)) = screen.about() else {
        return;
    };
    let asked = dispatch.get("fields").as_array();
    let asked = asked.map_or(&[][..], Vec::as_slice);
    // An answer that is left out has its place, too.
    let name = |place: usize| format!("{} of {}", place + 1, asked.len());
    let mut required = Vec::new();
    let mut fields = Map::new();
    for (place, field) in asked.iter().enumerate() {
        let label = field["label"].as_str().unwrap_or_default();
        let mut schema = match field["kind"].as_str() {
            Some("choice") => json!({ "type": "string", "enum": field["options"] }),
            Some("number") => json!({ "type": "number" }),
            Some("day") => json!({ "type": "string", "format": "date" }),
            Some("text") => json!({ "type": "string", "contentMediaType": "text/plain" }),
            _ => json!({ "type": "string" }),
        };
        schema["title"] = format!("{}. {label}", place + 1).into();
        schema["description"] = label.into();
        fields.insert(name(place), schema);
        if field["is_required"] == true {
            required.push(name(place));
        }
    }
    let mut tool = declared(&Declaration::of::<SubmitResponse>());
    ask_for(&mut tool, &["dispatch_id"], fields, required);
    let given = Map::from_iter([("dispatch_id".to_owned(), dispatch.id().into())]);
    let title = dispatch.text("form_title").unwrap_or_default();
    let prepared = Prepared::rewriting(&clean(title), given, arguments, show);
    let form = CallScreen::prepared(Host::Quiz.into(), tool, prepared, cx.now());
    cx.open(form);
}

/// The answers in the order of the fields; one that is left out is an empty text.
fn arguments(mut filled: Map<String, Value>) -> Map<String, Value> {
    let dispatch = filled.remove("dispatch_id").unwrap_or_default();
    let mut answers: Vec<String> = Vec::new();
    for (name, answer) in filled {
        let numbers: Vec<usize> = name
            .split(" of ")
            .filter_map(|one| one.parse().ok())
            .collect();
        if let [number, all] = numbers[..] {
            answers.resize(all, String::new());
            answers[number - 1] = match answer {
                Value::String(text) => text,
                other => other.to_string(),
            };
        }
    }
    Map::from_iter([
        ("dispatch_id".to_owned(), dispatch),
        ("answers".to_owned(), json!(answers)),
    ])
}

/// Shows the response.
fn show(cx: &mut Cx, reply: &Reply) {
    if let Some(kind) = kind::find(Host::Quiz, "response")
        && let Some(response) = Record::new(&reply.value["response"])
    {
        let at = cx.now();
        record_screens::open_record(cx, kind, &response, at);
    }
}
