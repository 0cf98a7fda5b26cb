//! Today's events, then those to come.

use frontdesk_protocol::Host;
use frontdesk_protocol::events::event::{Event, ListEvents};
use frontdesk_protocol::value::{Limit, Offset};
use serde_json::Value;

use super::part::{Next, Part, next_page, records};
use crate::app::shared::Shared;
use crate::fields::cell::{Cell, Tone};
use crate::look::time;
use crate::records::record::Record;
use crate::screens::events::event::attendance;
use crate::ui::table::Column;

pub(super) static EVENTS: Part = Part {
    title: "Today and coming up",
    none: "no upcoming events",
    host: Host::Events,
    kind: "event",
    is_for: |_| true,
    next,
    ends: false,
    is_nothing: |_| false,
    note: |_, _| None,
    columns: |_| vec![Column::name(""), Column::whole(""), Column::whole("")],
    cells,
};

fn is_today(event: &Record, shared: &Shared) -> bool {
    let (start, end) = (event.time("start_at"), event.time("end_at"));
    time::is_today(start, end, shared.now, &shared.locale)
}

fn next(shared: &Shared, answers: &[Value]) -> Next {
    let mut events = records(answers, "events");
    let is_past = |event: &Record| event.time("start_at").is_none_or(|at| at < shared.now);
    // The latest come first.
    let is_over = |event: &Record| is_past(event) && !is_today(event, shared);
    let is_enough = events.last().is_some_and(is_over);
    if let Some(offset) = next_page(answers, "events").filter(|_| !is_enough) {
        return Next::ask(&ListEvents {
            search: None,
            strategy_business_unit_id: None,
            limit: Limit::new(100).unwrap_or_default(),
            offset: Offset::new(offset),
        });
    }
    events.retain(|event| !is_over(event));
    Next::Rows(in_order(events, shared))
}

/// Today's events first.
fn in_order(mut events: Vec<Record>, shared: &Shared) -> Vec<Record> {
    events.sort_by_key(|event| (!is_today(event, shared), event.time("start_at")));
    events
}

/// The rows of events that are known from elsewhere.
pub(super) fn rows(events: &[Event], shared: &Shared) -> Vec<Record> {
    let events = events
        .iter()
        .filter_map(|event| serde_json::to_value(event).ok());
    let events = events.filter_map(|event| Record::new(&event));
    in_order(events.collect(), shared)
}

fn cells(event: &Record, is_narrow: bool, shared: &Shared) -> Vec<Cell> {
    let (start, end) = (event.time("start_at"), event.time("end_at"));
    let texts = [
        event.text("name").unwrap_or_default().to_owned(),
        time::span(start, end, shared.now, &shared.locale),
        attendance(event, if is_narrow { 0 } else { 10 }, shared),
    ];
    let tone = match is_today(event, shared) {
        true => Tone::Plain,
        false => Tone::Dim,
    };
    let cells = texts.map(|text| Cell {
        tone,
        ..Cell::new(text)
    });
    cells.into()
}
