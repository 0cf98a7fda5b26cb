//! Meetings and series that are made by hand or come from a calendar.

use frontdesk_protocol::{Host, Role};
use serde_json::{Value, json};

use super::{each, stage};

fn series(title: &str, more: Value) -> Value {
    let mut series = json!({
        "title": title, "first_on": "2027-01-04", "recurrence_start_time": "09:00", "recurrence_end_time": "09:30",
    });
    let more = more.as_object().cloned().unwrap_or_default();
    series.as_object_mut().expect("an object").extend(more);
    series
}

#[test]
fn a_series_is_made_gets_a_transcript_and_is_removed_with_a_plan() {
    let (_, mut owner) = stage();
    let dry = owner.call(
        "create_meeting_series",
        series("Staff meeting", json!({ "dry_run": true })),
    );
    let dates = json!([
        "2027-01-04",
        "2027-01-11",
        "2027-01-18",
        "2027-01-25",
        "2027-02-01",
        "2027-02-08",
        "2027-02-15",
        "2027-02-22",
        "2027-03-01",
        "2027-03-08",
        "2027-03-15",
        "2027-03-22"
    ]);
    assert_eq!(
        (&dry.output()["dates"], &dry.output()["has_later"]),
        (&dates, &json!(true))
    );
    let listed = owner.call("list_meeting_series", json!({}));
    assert_eq!(listed.output()["series"], json!([]));

    let made = owner.call(
        "create_meeting_series",
        series("Staff meeting", json!({ "occurrences": 3 })),
    );
    let id = made.output()["meeting"]["id"].clone();
    let listed = owner.call(
        "list_meeting_series",
        json!({ "include_occurrences": true }),
    );
    let made = &listed.output()["series"][0];
    assert_eq!(made["recurrence_day_of_week"], "monday");
    // Nine o'clock in São Paulo.
    assert_eq!(made["meeting_date"], "2027-01-04T12:00:00+00:00");
    let occurrence = &made["occurrences"][1];
    assert_eq!(occurrence["occurrence_date"], "2027-01-11");

    let transcript = json!({ "occurrence_id": occurrence["id"], "transcript": "Hello.", "transcriber_transcript_id": "t-1" });
    let stored = owner.call("set_occurrence_transcript", transcript);
    assert_eq!(stored.output()["occurrence"]["has_transcript"], true);
    let removed = owner.call("remove_meeting_series", json!({ "series_meeting_id": id }));
    let actions = each(removed.output(), "occurrences", "action");
    assert_eq!(actions, ["discard_empty", "promote", "discard_empty"]);
    let listed = owner.call("list_meetings", json!({ "search": "staff" }));
    assert_eq!(
        each(listed.output(), "meetings", "meeting_date"),
        ["2027-01-11T12:00:00+00:00"]
    );
}

#[test]
fn the_next_occurrences_follow_the_rule() {
    let (organization, mut owner) = stage();
    let rule = json!({ "recurrence_rule": "FREQ=MONTHLY;BYDAY=1MO", "occurrences": 1 });
    let made = owner.call("create_meeting_series", series("Board", rule));
    let id = &made.output()["meeting"]["id"];
    let added = owner.call(
        "add_meeting_occurrences",
        json!({ "series_meeting_id": id, "occurrences": 2 }),
    );
    assert_eq!(added.output()["dates"], json!(["2027-02-01", "2027-03-01"]));
    // A series without a rule goes on each week.
    let other = organization.series("Daily");
    organization.occurrence(other, "2027-01-06", None, None);
    let added = owner.call(
        "add_meeting_occurrences",
        json!({ "series_meeting_id": other, "occurrences": 1 }),
    );
    assert_eq!(added.output()["dates"], json!(["2027-01-13"]));
}

#[test]
fn a_rule_or_a_day_that_does_not_fit_is_refused() {
    let (_, mut owner) = stage();
    let mut refused = |more: Value, field: &str| {
        (owner.call("create_meeting_series", series("Staff", more)))
            .refuses("invalid_argument", field);
    };
    refused(
        json!({ "recurrence_rule": "every monday" }),
        "recurrence_rule",
    );
    refused(
        json!({ "recurrence_rule": "FREQ=HOURLY" }),
        "recurrence_rule",
    );
    refused(
        json!({ "recurrence_rule": "FREQ=WEEKLY;BYDAY=TU" }),
        "first_on",
    );
    refused(
        json!({ "recurrence_end_time": "09:00" }),
        "recurrence_end_time",
    );
}

const CALENDAR: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\
    BEGIN:VEVENT\r\nUID:one@example.org\r\nSUMMARY:Team\\, weekly\r\n\
    DTSTART;TZID=Europe/Lisbon:20270104T090000\r\nDTEND;TZID=Europe/Lisbon:20270104T100000\r\n\
    RRULE:FREQ=WEEKLY;COUNT=4\r\nEXDATE;TZID=Europe/Lisbon:20270111T090000\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:two@example.org\r\nSUMMARY:Open\r\n  Day\r\nDTSTART:20270203T120000Z\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:three@example.org\r\nSUMMARY:Moved\r\nDTSTART;TZID=Nowhere:20270203T120000\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:one@example.org\r\nRECURRENCE-ID:20270118T090000Z\r\nDTSTART:20270119T120000Z\r\nEND:VEVENT\r\n\
    END:VCALENDAR\r\n";

#[test]
fn a_calendar_comes_in_once() {
    let (_, mut owner) = stage();
    let import = owner.call("import_calendar", json!({ "calendar": CALENDAR }));
    let imported = import.output();
    assert_eq!(
        each(imported, "added", "title"),
        ["Team, weekly", "Open Day"]
    );
    assert_eq!(
        each(imported, "skipped", "reason"),
        [
            "the time zone Nowhere is unknown",
            "it changes one occurrence of another entry"
        ]
    );
    let listed = owner.call(
        "list_meeting_series",
        json!({ "include_occurrences": true }),
    );
    let team = &listed.output()["series"][0];
    assert_eq!(
        each(team, "occurrences", "occurrence_date"),
        ["2027-01-04", "2027-01-18", "2027-01-25"]
    );
    // Nine in Lisbon is six in São Paulo.
    assert_eq!(team["recurrence_start_time"], "06:00:00");
    let again = owner.call("import_calendar", json!({ "calendar": CALENDAR }));
    assert_eq!(
        (&again.output()["added"], &again.output()["known"]),
        (&json!([]), &json!(2))
    );
    owner
        .call(
            "import_calendar",
            json!({ "calendar": "name,email\nAna,ana@example.org" }),
        )
        .refuses("invalid_argument", "calendar");
}

#[test]
fn a_new_meeting_tells_its_webhook_and_is_taken_back() {
    let (organization, mut owner) = stage();
    let meeting = json!({ "title": "Kick-off", "meeting_date": "2027-01-04T12:00:00Z" });
    let previewed = json!({ "host": "work", "tool": "create_meeting", "arguments": meeting });
    let mut platform = organization.sign_in(Role::Owner);
    let shown = platform.call(Host::Ops, "preview_call", previewed);
    assert_eq!(
        shown.output()["webhooks"],
        json!([{ "event": "meeting.created", "count": 1 }])
    );
    let made = owner.record("create_meeting", meeting);
    assert_eq!(
        (&made["title"], &made["is_recurring"]),
        (&json!("Kick-off"), &json!(false))
    );
}

#[test]
fn a_file_with_more_dates_of_new_series_than_a_call_may_write_is_refused() {
    let (_, mut owner) = stage();
    let weekly: String = (0..501)
        .map(|n| format!("BEGIN:VEVENT\r\nUID:{n}\r\nDTSTART:20270104T090000Z\r\nRRULE:FREQ=WEEKLY\r\nEND:VEVENT\r\n"))
        .collect();
    let file = format!("BEGIN:VCALENDAR\r\n{weekly}END:VCALENDAR\r\n");
    owner
        .call("import_calendar", json!({ "calendar": file }))
        .refuses_with(
            "invalid_argument",
            "calendar",
            "must have new series with at most 6000 dates, not 6012: import it in parts",
        );
}
