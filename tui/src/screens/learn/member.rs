//! Members: their contact data, and a card with their records on all hosts.

use frontdesk_protocol::Host;
use ratatui::text::Line;
use serde_json::{Map, Value, json};

use super::progress::bar;
use crate::app::shared::Shared;
use crate::fields::cell::{self, Cell};
use crate::fields::key::Key;
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::look::time::moment;
use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::related::Related;
use crate::records::view::View;

/// Number of events searched for a member among the guests; the rate limit is about a hundred calls
/// a minute.
const EVENTS: usize = 10;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("name", "Name"),
        Column::own("State", state, |member, _| {
            Key::text(member.text("phase_id"))
        }),
        Column::own("E-mail", email, |member, shared| {
            Key::text(Some(&email(member, shared).text))
        })
        .text(),
        Column::field("phone", "Telephone"),
        Column::field("city", "City"),
        Column::field("tags", "Tags"),
    ],
    facts: &[("State", state)],
    covered: &["phase_id", "is_active"],
    related: &[
        Related {
            title: "Profile",
            host: Host::Learn,
            tool: "list_profiles",
            arguments: |member, _| {
                let name = member.text("name").unwrap_or_default();
                vec![Map::from_iter([("search".to_owned(), name.into())])]
            },
            keep: |member, result| {
                let mut profiles = rows(result, "profiles");
                profiles.retain(|profile| profile["member_id"] == *member.get("id"));
                profiles
            },
            names: &[],
            lines: profile,
        },
        Related {
            title: "Cohorts and progress",
            host: Host::Learn,
            tool: "get_program_member_progress",
            arguments: |_, known| {
                let user = known.first().and_then(|profiles| profiles.first());
                let user =
                    user.map(|user| Map::from_iter([("user_id".to_owned(), user["id"].clone())]));
                user.into_iter().collect()
            },
            keep: |_, result| rows(result, "progress"),
            names: &[("cohort_id", "cohort")],
            lines: |rows, shared| rows.iter().filter_map(|row| cohort(row, shared)).collect(),
        },
        Related {
            title: "",
            host: Host::Events,
            tool: "list_events",
            arguments: |_, _| vec![Map::from_iter([("limit".to_owned(), EVENTS.into())])],
            keep: |_, result| rows(result, "events"),
            names: &[],
            lines: |_, _| Vec::new(),
        },
        Related {
            title: "Guest at the last ten events",
            host: Host::Events,
            tool: "list_event_guests",
            arguments: |member, known| {
                let events = known.last().into_iter().flatten();
                let calls = events.map(|event| {
                    let call = json!({ "event_id": event["id"], "member_id": member.id() });
                    call.as_object().cloned().unwrap_or_default()
                });
                calls.collect()
            },
            keep: |_, result| rows(result, "guests"),
            names: &[("event_id", "event")],
            lines: |rows, shared| rows.iter().map(|row| guest(row, shared)).collect(),
        },
    ],
    is_past: Some(|member, _| member.get("is_active") == &Value::Bool(false)),
    ..View::new(Host::Learn, "members")
};

fn rows(result: &Value, key: &str) -> Vec<Value> {
    result[key].as_array().cloned().unwrap_or_default()
}

pub(crate) fn state(member: &Record, _: &Shared) -> Cell {
    let phase = cell::words(member.text("phase_id").unwrap_or_default());
    match (member.get("is_active"), phase.as_str()) {
        (Value::Bool(false), _) => Cell::dim(format!("× inactive {phase}").trim_end()),
        (_, "active") => Cell::marked(Mark::Good, "active"),
        (_, "") => Cell::new(""),
        (_, phase) => Cell::new(format!("○ {phase}")),
    }
}

/// The corporate address, otherwise the personal one.
fn email(member: &Record, _: &Shared) -> Cell {
    let email = member
        .text("corporate_email")
        .or(member.text("personal_email"));
    Cell::new(email.unwrap_or_default())
}

fn profile(profiles: &[Value], shared: &Shared) -> Vec<Line<'static>> {
    let Some(profile) = profiles.first() else {
        let words = "no account";
        return vec![Line::styled(words, shared.settings.theme.dim)];
    };
    let fact = |label: &str, field: &str| {
        let text = profile[field].as_str().filter(|text| !text.is_empty())?;
        Some(Line::raw(format!("{label} {}", clean(text))))
    };
    let facts = [
        fact("signs in as", "name"),
        fact("fellow slug", "fellow_slug"),
        fact("chat", "chat_user_id"),
    ];
    facts.into_iter().flatten().collect()
}

fn cohort(row: &Value, shared: &Shared) -> Option<Line<'static>> {
    let row = Record::of(
        crate::records::kind::find(Host::Learn, "member_progress")?,
        row,
    )?;
    let cohort = row.text("cohort_id").map(|id| cell::name(id, shared).text);
    let last = row.time("last_completed_at");
    let last = last.map(|at| format!(", last {}", moment(at, shared.now, &shared.locale)));
    let words = format!(
        "{}  {}{}",
        cohort.unwrap_or_default(),
        bar(&row),
        last.unwrap_or_default()
    );
    Some(Line::raw(words))
}

fn guest(row: &Value, shared: &Shared) -> Line<'static> {
    let event = row["event_id"]
        .as_str()
        .map(|id| cell::name(id, shared).text);
    let event = event.unwrap_or_default();
    let came = row["check_in_at"].as_str().and_then(|at| at.parse().ok());
    match came {
        Some(at) => {
            let at = moment(at, shared.now, &shared.locale);
            Line::raw(format!("{} {event}, in {at}", Mark::Good.glyph()))
        }
        None => Line::raw(format!("○ {event}, not in")),
    }
}
