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
        ["Team, weekly", "Team, weekly", "Open Day"]
    );
    assert_eq!(
        each(imported, "skipped", "reason"),
        ["the time zone Nowhere is unknown"]
    );
    let listed = owner.call(
        "list_meeting_series",
        json!({ "include_occurrences": true }),
    );
    let team = &listed.output()["series"][0];
    // The 11th is excluded, and the 18th has moved to the 19th at noon: a meeting of its own.
    assert_eq!(
        each(team, "occurrences", "occurrence_date"),
        ["2027-01-04", "2027-01-25"]
    );
    assert_eq!(
        each(imported, "added", "meeting_date")[1],
        "2027-01-19T12:00:00Z"
    );
    // Nine in Lisbon is six in São Paulo.
    assert_eq!(
        (&team["recurrence_start_time"], &team["recurrence_zone"]),
        (&json!("06:00:00"), &json!("Europe/Lisbon"))
    );
    let again = owner.call("import_calendar", json!({ "calendar": CALENDAR }));
    assert_eq!(
        (&again.output()["added"], &again.output()["known"]),
        (&json!([]), &json!(3))
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

/// A calendar of these entries, each with a UID and its lines.
fn calendar(entries: &[&str]) -> String {
    let entry = |(number, lines): (usize, &&str)| {
        format!("BEGIN:VEVENT\nUID:{number}@example.org\n{lines}\nEND:VEVENT\n")
    };
    let entries: String = entries.iter().enumerate().map(entry).collect();
    format!("BEGIN:VCALENDAR\nVERSION:2.0\n{entries}END:VCALENDAR\n")
}

#[test]
fn a_rule_is_counted_in_the_zone_of_its_entry() {
    let (_, mut owner) = stage();
    for (entry, expected) in [
        // Tuesday at 8 in Tokyo is Monday at 20 in São Paulo.
        (
            "DTSTART;TZID=Asia/Tokyo:20270105T080000\nRRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=4",
            "2027-01-04 20:00|2027-01-11 20:00|2027-01-18 20:00|2027-01-25 20:00",
        ),
        (
            "DTSTART;TZID=Asia/Tokyo:20270101T080000\nRRULE:FREQ=MONTHLY;BYMONTHDAY=1;COUNT=3",
            "2026-12-31 20:00|2027-01-31 20:00|2027-02-28 20:00",
        ),
        (
            "DTSTART:20270105T010000Z\nRRULE:FREQ=WEEKLY;BYDAY=TU,TH;COUNT=3",
            "2027-01-04 22:00|2027-01-06 22:00|2027-01-11 22:00",
        ),
        // Its clock keeps to Berlin's.
        (
            "DTSTART;TZID=Europe/Berlin:20270315T180000\nRRULE:FREQ=WEEKLY;COUNT=4",
            "2027-03-15 14:00|2027-03-22 14:00|2027-03-29 13:00|2027-04-05 13:00",
        ),
        // Days without, beside and in place of those of the rule are days of its zone, too.
        (
            "DTSTART;TZID=Asia/Tokyo:20270105T080000\nRRULE:FREQ=WEEKLY;COUNT=3\n\
             EXDATE;TZID=Asia/Tokyo:20270112T080000\nRDATE:20270127T230000Z",
            "2027-01-04 20:00|2027-01-18 20:00|2027-01-27 20:00",
        ),
        (
            "DTSTART;TZID=Asia/Tokyo:20270105T080000\nRRULE:FREQ=WEEKLY;COUNT=3\nEXDATE;VALUE=DATE:20270112",
            "2027-01-04 20:00|2027-01-18 20:00",
        ),
        (
            "DTSTART;TZID=Asia/Tokyo:20270105T080000\nRRULE:FREQ=WEEKLY;COUNT=3\nEND:VEVENT\nBEGIN:VEVENT\n\
             UID:0@example.org\nRECURRENCE-ID:20270111T230000Z\nSTATUS:CANCELLED",
            "2027-01-04 20:00|2027-01-18 20:00",
        ),
        // The last start is at UNTIL, or before.
        (
            "DTSTART;TZID=Asia/Tokyo:20270105T080000\nRRULE:FREQ=WEEKLY;UNTIL=20270118T230000Z",
            "2027-01-04 20:00|2027-01-11 20:00|2027-01-18 20:00",
        ),
        (
            "DTSTART;TZID=Asia/Tokyo:20270105T080000\nRRULE:FREQ=WEEKLY;UNTIL=20270118T225959Z",
            "2027-01-04 20:00|2027-01-11 20:00",
        ),
        (
            "DTSTART;TZID=Asia/Tokyo:20270105T080000\nRRULE:FREQ=WEEKLY;UNTIL=20270119",
            "2027-01-04 20:00|2027-01-11 20:00|2027-01-18 20:00",
        ),
        // Days alone.
        (
            "DTSTART;TZID=Europe/Berlin:20270105T140000\nRDATE;TZID=Europe/Berlin:20270112T140000,20270119T140000",
            "2027-01-05 10:00|2027-01-12 10:00|2027-01-19 10:00",
        ),
        (
            "DTSTART;VALUE=DATE:20270105\nRRULE:FREQ=DAILY;COUNT=2\nRDATE;VALUE=DATE:20270110",
            "2027-01-05|2027-01-06|2027-01-10",
        ),
    ] {
        let file = json!({ "calendar": calendar(&[entry]), "dry_run": true });
        let shown = owner.call("import_calendar", file);
        let series = &shown.output()["series"][0];
        let starts: Vec<_> = expected.split('|').collect();
        assert_eq!(series["starts"], json!(starts), "{entry}");
        assert_eq!(shown.output()["skipped"], json!([]), "{entry}");
    }
}

#[test]
fn the_zones_of_programs_are_read() {
    let (_, mut owner) = stage();
    const CUSTOM: &str = "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Customized Time Zone\n\
        BEGIN:STANDARD\nDTSTART:16010101T030000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\n\
        RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\nEND:STANDARD\n\
        BEGIN:DAYLIGHT\nDTSTART:16010101T020000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\n\
        RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\nEND:DAYLIGHT\nEND:VTIMEZONE\n";
    for (zone, expected) in [
        ("W. Europe Standard Time", "2027-07-05T12:00:00Z"),
        ("E. South America Standard Time", "2027-07-05T17:00:00Z"),
        (
            "/freeassociation.sourceforge.net/Europe/Berlin",
            "2027-07-05T12:00:00Z",
        ),
        ("/Europe/Vienna", "2027-07-05T12:00:00Z"),
        ("\"Europe/Berlin\"", "2027-07-05T12:00:00Z"),
        ("europe/berlin", "2027-07-05T12:00:00Z"),
        ("Customized Time Zone", "2027-07-05T12:00:00Z"),
    ] {
        let entry = format!("DTSTART;TZID={zone}:20270705T140000");
        let file = calendar(&[&entry]).replace("BEGIN:VCALENDAR\n", CUSTOM);
        let shown = owner.call(
            "import_calendar",
            json!({ "calendar": file, "dry_run": true }),
        );
        assert_eq!(
            each(shown.output(), "added", "meeting_date"),
            [expected],
            "{zone}"
        );
    }
    let file = calendar(&["DTSTART:20270105T140000-0300"]);
    let shown = owner.call(
        "import_calendar",
        json!({ "calendar": file, "dry_run": true }),
    );
    assert_eq!(
        each(shown.output(), "added", "meeting_date"),
        ["2027-01-05T17:00:00Z"]
    );
}

#[test]
fn a_bad_entry_costs_only_itself() {
    let (_, mut owner) = stage();
    const GOOD: &str =
        "BEGIN:VEVENT\nUID:good\nSUMMARY:Good\nDTSTART:20270105T140000Z\nEND:VEVENT\n";
    let file = |bad: &str| format!("BEGIN:VCALENDAR\n{bad}{GOOD}END:VCALENDAR\n");
    for (bad, title, reason) in [
        (
            "BEGIN:VEVENT\nSUMMARY:Long ago\nDTSTART:00000101T090000Z\nEND:VEVENT\n",
            "Long ago",
            "DTSTART must be in the years 1900 to 2200: 00000101T090000Z",
        ),
        (
            "BEGIN:VEVENT\nSUMMARY:Open\nDTSTART:20270105T140000Z\n",
            "Open",
            "it has no END:VEVENT",
        ),
        (
            "BEGIN:VEVENT\nSUMMARY:Never\nDTSTART:20270401T090000Z\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30\nEND:VEVENT\n",
            "Never",
            "must be a rule with a day within 10 years",
        ),
        (
            "BEGIN:VEVENT\nUID:good\nSUMMARY:First\nDTSTART:20270105T140000Z\nEND:VEVENT\n",
            "Good",
            "an entry above has the same UID",
        ),
        (
            "BEGIN:VTODO\nSUMMARY:Buy chairs\nEND:VTODO\n",
            "Buy chairs",
            "it is no meeting, but a VTODO",
        ),
        (
            "BEGIN:VEVENT\nSUMMARY:Twice\nDTSTART:20270105T140000Z\nRRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY\nEND:VEVENT\n",
            "Twice",
            "a series has one RRULE and no other rule, but it has RRULE",
        ),
        (
            "BEGIN:VEVENT\nUID:none\nSUMMARY:Change\nRECURRENCE-ID:20270105T140000Z\nDTSTART:20270106T140000Z\nEND:VEVENT\n",
            "Change",
            "it changes one occurrence of a series that is not in the file",
        ),
    ] {
        let import = json!({ "calendar": file(bad), "dry_run": true });
        let shown = owner.call("import_calendar", import);
        let (added, skipped) = (&shown.output()["added"], &shown.output()["skipped"]);
        assert_eq!(added.as_array().map(Vec::len), Some(1), "{bad}");
        let line = if title == "Good" { 7 } else { 2 };
        let expected = json!([{ "line": line, "title": title, "reason": reason }]);
        assert_eq!(skipped, &expected, "{bad}");
    }
    let two = format!("{}{}", file(""), file("").replace("good", "better"));
    for (text, expected) in [
        (file("").replace('\n', "\r"), 1),
        (file("").replace('\n', "\r\n").to_lowercase(), 1),
        (file("").replace("Good", "Goo\r\n d"), 1),
        (two, 2),
        // The last entry of a file that was cut.
        (file("").replace("END:VEVENT\nEND:VCALENDAR\n", ""), 0),
    ] {
        let shown = owner.call(
            "import_calendar",
            json!({ "calendar": text, "dry_run": true }),
        );
        let added = shown.output()["added"].as_array().map(Vec::len);
        assert_eq!(added, Some(expected), "{text}");
    }
}

#[test]
fn a_series_goes_on_in_its_own_zone() {
    let (_, mut owner) = stage();
    let entry = "SUMMARY:Berlin\nDTSTART;TZID=Europe/Berlin:20270118T180000\nRRULE:FREQ=WEEKLY\n\
                 EXDATE;TZID=Europe/Berlin:20270412T180000\nRDATE;TZID=Europe/Berlin:20270415T180000";
    let import = owner.call("import_calendar", json!({ "calendar": calendar(&[entry]) }));
    let id = &import.output()["added"][0]["id"];
    let more = json!({ "series_meeting_id": id, "occurrences": 2 });
    // The first twelve end on 5 April.
    let added = owner.call("add_meeting_occurrences", more);
    assert_eq!(added.output()["dates"], json!(["2027-04-15", "2027-04-19"]));
    let listed = owner.call(
        "list_meeting_series",
        json!({ "include_occurrences": true }),
    );
    let days = listed.output()["series"][0]["occurrences"].clone();
    let mut promoted = |day: &str| {
        let days = days.as_array().expect("a list");
        let found = days.iter().find(|one| one["occurrence_date"] == day);
        let id = &found.expect(day)["id"];
        let promotion = owner.call(
            "promote_occurrence_to_standalone",
            json!({ "occurrence_id": id }),
        );
        promotion.output()["meeting"]["meeting_date"].clone()
    };
    // Eighteen in Berlin, before and after its clocks change.
    assert_eq!(promoted("2027-03-22"), "2027-03-22T17:00:00Z");
    assert_eq!(promoted("2027-03-29"), "2027-03-29T16:00:00Z");
    // Another time here is another time there, on the same day.
    let mut set = |start: &str, end: &str| {
        let times =
            json!({ "meeting_id": id, "recurrence_start_time": start, "recurrence_end_time": end });
        owner.call("set_meeting_recurrence_time", times)
    };
    let changed = set("15:00", "16:00");
    assert_eq!(
        changed.output()["meeting"]["meeting_date"],
        "2027-01-18T18:00:00+00:00"
    );
    set("20:00", "21:00").refuses("refused", "recurrence_start_time");
}

/// Entries, and what becomes of them in São Paulo: the starts of series, the moments of meetings, the reasons of others.
const KINDS: [(&str, &str); 11] = [
    (
        // Midnight of another zone stands for its day.
        "BEGIN:VEVENT\nUID:a\nSUMMARY:Day\nDTSTART;VALUE=DATE:20270104\nRRULE:FREQ=WEEKLY;COUNT=3\n\
         EXDATE;TZID=Europe/Berlin:20270111T000000\nEND:VEVENT",
        "Day 2027-01-04 2027-01-18",
    ),
    (
        "BEGIN:VEVENT\nUID:a\nSUMMARY:Day\nDTSTART;VALUE=DATE:20270104\nRRULE:FREQ=WEEKLY;COUNT=3\n\
         EXDATE:20270111T000000Z\nEND:VEVENT",
        "Day 2027-01-04 2027-01-18",
    ),
    (
        "BEGIN:VEVENT\nUID:a\nSUMMARY:Day\nDTSTART;VALUE=DATE:20270104\nRRULE:FREQ=WEEKLY;COUNT=2\nEND:VEVENT\n\
         BEGIN:VEVENT\nUID:a\nSUMMARY:Day\nRECURRENCE-ID:20270111T000000Z\nDTSTART:20270112T000000Z\nEND:VEVENT",
        "Day 2027-01-04; Day 2027-01-12T03:00:00Z",
    ),
    (
        // By dates.
        "BEGIN:VTIMEZONE\nTZID:Own\nBEGIN:STANDARD\nDTSTART:20261025T030000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\n\
         RDATE:20261025T030000\nRDATE:20271031T030000\nEND:STANDARD\nBEGIN:DAYLIGHT\nDTSTART:20260329T020000\n\
         TZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nRDATE:20270328T020000\nEND:DAYLIGHT\nEND:VTIMEZONE\n\
         BEGIN:VEVENT\nUID:a\nSUMMARY:Summer\nDTSTART;TZID=Own:20270705T090000\nEND:VEVENT\n\
         BEGIN:VEVENT\nUID:b\nSUMMARY:Winter\nDTSTART;TZID=Own:20270111T090000\nEND:VEVENT",
        "Summer 2027-07-05T07:00:00Z; Winter 2027-01-11T08:00:00Z",
    ),
    (
        // By hours and minutes, as Notes writes it.
        "BEGIN:VTIMEZONE\nTZID:Eastern\nBEGIN:STANDARD\nDTSTART:19501105T020000\nTZOFFSETFROM:-0400\nTZOFFSETTO:-0500\n\
         RRULE:FREQ=YEARLY;BYMINUTE=0;BYHOUR=2;BYDAY=1SU;BYMONTH=11\nEND:STANDARD\nBEGIN:DAYLIGHT\n\
         DTSTART:19500312T020000\nTZOFFSETFROM:-0500\nTZOFFSETTO:-0400\n\
         RRULE:FREQ=YEARLY;BYMINUTE=0;BYHOUR=2;BYDAY=2SU;BYMONTH=3\nEND:DAYLIGHT\nEND:VTIMEZONE\n\
         BEGIN:VEVENT\nUID:a\nSUMMARY:Call\nDTSTART;TZID=Eastern:20270705T090000\nEND:VEVENT",
        "Call 2027-07-05T13:00:00Z",
    ),
    (
        // By days of the month, under a name of a fixed offset.
        "BEGIN:VTIMEZONE\nTZID:EST\nBEGIN:STANDARD\nDTSTART:20071104T020000\nTZOFFSETFROM:-0400\nTZOFFSETTO:-0500\n\
         RRULE:FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=1,2,3,4,5,6,7;BYDAY=SU\nEND:STANDARD\nBEGIN:DAYLIGHT\n\
         DTSTART:20070311T020000\nTZOFFSETFROM:-0500\nTZOFFSETTO:-0400\n\
         RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=8,9,10,11,12,13,14;BYDAY=SU\nEND:DAYLIGHT\nEND:VTIMEZONE\n\
         BEGIN:VEVENT\nUID:a\nSUMMARY:Call\nDTSTART;TZID=EST:20270705T090000\nEND:VEVENT",
        "Call 2027-07-05T13:00:00Z",
    ),
    (
        "BEGIN:VEVENT\nUID:a\nSUMMARY:Call\nDTSTART;TZID=EST:20270705T090000\nEND:VEVENT",
        "Call 2027-07-05T14:00:00Z",
    ),
    (
        "BEGIN:VEVENT\nUID:a\nSUMMARY:Call\n\
         DTSTART;TZID=\"(UTC-05:00) Eastern Time (US & Canada)\":20270705T090000\nEND:VEVENT",
        "Call 2027-07-05T13:00:00Z",
    ),
    (
        // The highest number counts.
        "BEGIN:VEVENT\nUID:a\nSUMMARY:Daily\nDTSTART:20270104T120000Z\nRRULE:FREQ=DAILY;COUNT=2\nEND:VEVENT\n\
         BEGIN:VEVENT\nUID:a\nSUMMARY:Newer\nRECURRENCE-ID:20270105T120000Z\nDTSTART:20270105T180000Z\nSEQUENCE:5\n\
         END:VEVENT\nBEGIN:VEVENT\nUID:a\nSUMMARY:First\nRECURRENCE-ID:20270105T120000Z\nDTSTART:20270105T140000Z\n\
         SEQUENCE:2\nEND:VEVENT",
        "Daily 2027-01-04 09:00; Newer 2027-01-05T18:00:00Z",
    ),
    (
        "METHOD:REPLY\nBEGIN:VEVENT\nUID:a\nSUMMARY:Yes\nDTSTART:20270104T120000Z\nEND:VEVENT",
        "Yes: it answers an invitation (METHOD:REPLY), and is no meeting",
    ),
    (
        // Two series of one title.
        "BEGIN:VEVENT\nUID:a\nSUMMARY:Duty\nDTSTART;TZID=America/Sao_Paulo:20270104T090000\nRRULE:FREQ=WEEKLY;COUNT=1\n\
         END:VEVENT\nBEGIN:VEVENT\nUID:b\nSUMMARY:Duty\nDTSTART;TZID=America/Sao_Paulo:20270107T180000\n\
         RRULE:FREQ=WEEKLY;COUNT=1\nEND:VEVENT",
        "Duty 2027-01-04 09:00; Duty 2027-01-07 18:00",
    ),
];

#[test]
fn days_zones_and_changes_are_as_the_file_means_them() {
    let (_, mut owner) = stage();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for (entries, expected) in KINDS {
        let calendar = format!("BEGIN:VCALENDAR\n{entries}\nEND:VCALENDAR\n");
        let shown = owner.call(
            "import_calendar",
            json!({ "calendar": calendar, "dry_run": true }),
        );
        let shown = shown.output();
        let list = |name: &str| shown[name].as_array().cloned().unwrap_or_default();
        let series = list("series").into_iter().map(|one| {
            let starts: Vec<_> = one["starts"]
                .as_array()
                .into_iter()
                .flatten()
                .map(text)
                .collect();
            format!("{} {}", text(&one["title"]), starts.join(" "))
        });
        let single = list("added")
            .into_iter()
            .filter(|one| one["is_recurring"] == false);
        let single =
            single.map(|one| format!("{} {}", text(&one["title"]), text(&one["meeting_date"])));
        let skipped = list("skipped").into_iter();
        let skipped =
            skipped.map(|one| format!("{}: {}", text(&one["title"]), text(&one["reason"])));
        let found: Vec<_> = series.chain(single).chain(skipped).collect();
        assert_eq!(found.join("; "), expected, "{entries}");
    }
}
