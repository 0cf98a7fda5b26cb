//! Events.

use frontdesk_protocol::Role;
use frontdesk_tests::blocking::{Organization, world};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Desk, Null, pluck};

/// A second business unit of the organisation.
fn another_unit(organization: &Organization) -> Uuid {
    let id = Uuid::now_v7();
    let statement = "insert into strategy.business_units (id, organization_id, name) values ($1, $2, 'Another')";
    let owner = world().owner();
    owner
        .execute(statement, &[&id, &organization.id.0])
        .expect("a business unit");
    id
}

/// The event as lists have it: `get_event` adds its latest arrivals, here an empty list.
fn without_arrivals(desk: &mut Desk, id: &Value) -> Value {
    let mut got = desk.get("get_event", json!({ "id": id }));
    let event = got["event"].as_object_mut().expect("an event");
    assert_eq!(event.remove("recent_arrivals"), Some(json!([])));
    assert_eq!(event.remove("ticket_tags"), Some(json!([])));
    got
}

#[test]
fn an_event_needs_a_name_and_a_business_unit_and_nothing_else() {
    let mut desk = Desk::open();
    let unit = desk.organization.business_unit;
    let created = desk.get(
        "create_event",
        json!({ "name": "Summer", "strategy_business_unit_id": unit }),
    );
    let event = &created["event"];
    assert_eq!(
        *event,
        json!({
            "id": event["id"], "name": "Summer", "description": null, "location": null,
            "latitude": null, "longitude": null, "start_at": null, "end_at": null,
            "strategy_business_unit_id": unit, "business_unit_name": "Unit",
            "updated_at": event["updated_at"], "guest_count": 0, "checked_in_count": 0,
        })
    );
    let got = without_arrivals(&mut desk, &event["id"]);
    assert_eq!(got["event"], *event);
}

#[test]
fn an_event_keeps_everything_that_it_is_created_with() {
    let mut desk = Desk::open();
    let given = json!({
        "name": "Summer", "strategy_business_unit_id": desk.organization.business_unit,
        "description": "A day\nby the sea", "location": "Santos", "latitude": -23.960833,
        "longitude": -46.333889, "start_at": "2026-03-12T10:00:00+00:00",
        "end_at": "2026-03-12T18:30:00.123456+00:00",
    });
    let event = desk.keeps("create_event", "event", given);
    let got = without_arrivals(&mut desk, &event["id"]);
    assert_eq!(got["event"], event);
    let listed = desk.get("list_events", json!({ "search": "Summer" }));
    assert_eq!(listed["events"], json!([event]));
}

#[test]
fn a_time_is_taken_in_any_zone_and_answered_in_utc() {
    let mut desk = Desk::open();
    let arguments = json!({ "id": desk.event, "start_at": "2026-03-12T07:00:00-03:00" });
    let updated = desk.get("update_event", arguments);
    assert_eq!(updated["event"]["start_at"], "2026-03-12T10:00:00+00:00");
}

#[test]
fn every_returned_event_carries_its_business_unit() {
    let mut desk = Desk::open();
    let unit = json!(desk.organization.business_unit);
    let id = json!(desk.event);
    let got = desk.get("get_event", json!({ "id": id }));
    let listed = desk.get("list_events", json!({}));
    let updated = desk.get("update_event", json!({ "id": id, "name": "Later" }));
    for event in [&got["event"], &listed["events"][0], &updated["event"]] {
        assert_eq!(event["strategy_business_unit_id"], unit);
    }
}

#[test]
fn an_update_changes_the_named_fields_only() {
    let mut desk = Desk::open();
    let unit = another_unit(&desk.organization);
    let id = json!(desk.event);
    desk.updates(
        "update_event",
        "event",
        &id,
        &[
            ("name", json!("Winter"), Null::Refused),
            ("description", json!("A day in the hills"), Null::Clears),
            ("location", json!("Petrópolis"), Null::Clears),
            ("latitude", json!(-22.5), Null::Clears),
            ("longitude", json!(-43.18), Null::Clears),
            ("start_at", json!("2026-07-01T09:00:00+00:00"), Null::Clears),
            ("end_at", json!("2026-07-01T17:00:00+00:00"), Null::Clears),
        ],
    );
    // The name of the business unit follows its id.
    let mut expected = desk.get("get_event", json!({ "id": id }))["event"].clone();
    expected["strategy_business_unit_id"] = json!(unit);
    expected["business_unit_name"] = json!("Another");
    let unit = json!({ "id": id, "strategy_business_unit_id": unit });
    desk.call("update_event", unit).output();
    let moved = desk.get("get_event", json!({ "id": id }));
    expected["updated_at"] = moved["event"]["updated_at"].clone();
    assert_eq!(moved["event"], expected);
    let nulled = json!({ "id": id, "strategy_business_unit_id": null });
    let refused = desk.call("update_event", nulled);
    refused.refuses("invalid_argument", "strategy_business_unit_id");
}

#[test]
fn an_update_changes_several_fields_at_once() {
    let mut desk = Desk::open();
    let arguments = json!({
        "id": desk.event, "name": "Winter", "description": "", "location": null, "latitude": 1.5,
    });
    let updated = desk.get("update_event", arguments);
    let event = &updated["event"];
    assert_eq!(
        (
            &event["name"],
            &event["description"],
            &event["location"],
            &event["latitude"]
        ),
        (&json!("Winter"), &Value::Null, &Value::Null, &json!(1.5))
    );
}

#[test]
fn an_event_does_not_end_before_it_starts() {
    let mut desk = Desk::open();
    let unit = desk.organization.business_unit;
    let (early, late) = ("2026-03-12T10:00:00+00:00", "2026-03-12T10:00:01+00:00");
    let answer = desk
        .call(
            "create_event",
            json!({
                "name": "Backwards", "strategy_business_unit_id": unit, "start_at": late, "end_at": early,
            }),
        );
    answer.refuses("invalid_argument", "end_at");
    assert_eq!(
        answer.tool_error()["message"],
        "must not be before start_at"
    );
    let listed = desk.get("list_events", json!({ "search": "Backwards" }));
    assert_eq!(listed["events"], json!([]));

    let id = desk.event;
    let event = desk.get(
        "update_event",
        json!({ "id": id, "start_at": late, "end_at": late }),
    );
    // Each of the two alone, against the stored other one.
    for change in [
        json!({ "end_at": early }),
        json!({ "start_at": "2026-03-12T10:00:02+00:00" }),
    ] {
        let mut arguments = change;
        arguments["id"] = json!(id);
        arguments["name"] = json!("Never");
        let answer = desk.call("update_event", arguments);
        answer.refuses("invalid_argument", "end_at");
        assert_eq!(without_arrivals(&mut desk, &json!(id)), event);
    }
    desk.get(
        "update_event",
        json!({ "id": id, "start_at": null, "end_at": early }),
    );
}

#[test]
fn a_place_is_on_the_globe() {
    let mut desk = Desk::open();
    let id = desk.event;
    for (field, inside, outside) in [
        ("latitude", [-90.0, 90.0], [-90.000_001, 91.0]),
        ("longitude", [-180.0, 180.0], [-181.0, 180.000_001]),
    ] {
        for value in inside {
            let updated = desk.get("update_event", json!({ "id": id, field: value }));
            assert_eq!(updated["event"][field].as_f64(), Some(value));
        }
        for value in outside {
            desk.call("update_event", json!({ "id": id, field: value }))
                .refuses("invalid_argument", field);
            let unit = desk.organization.business_unit;
            let arguments =
                json!({ "name": "Far", "strategy_business_unit_id": unit, field: value });
            desk.call("create_event", arguments)
                .refuses("invalid_argument", field);
        }
    }
}

#[test]
fn events_are_listed_latest_start_first() {
    let mut desk = Desk::open();
    for (name, month) in [("May", "05"), ("March", "03"), ("April", "04")] {
        let arguments = json!({
            "name": name, "strategy_business_unit_id": desk.organization.business_unit,
            "start_at": format!("2026-{month}-01T10:00:00Z"),
        });
        desk.get("create_event", arguments);
    }
    let listed = desk.get("list_events", json!({}));
    assert_eq!(
        pluck(&listed["events"], "name"),
        ["May", "April", "March", "Launch"]
    );
}

#[test]
fn events_are_listed_by_business_unit() {
    let mut desk = Desk::open();
    let unit = another_unit(&desk.organization);
    desk.get(
        "create_event",
        json!({ "name": "Moved", "strategy_business_unit_id": unit }),
    );
    for (unit, expected) in [
        (desk.organization.business_unit.0, "Launch"),
        (unit, "Moved"),
    ] {
        let listed = desk.get("list_events", json!({ "strategy_business_unit_id": unit }));
        assert_eq!(pluck(&listed["events"], "name"), [expected]);
    }
    let arguments = json!({ "strategy_business_unit_id": unit, "search": "Launch" });
    assert_eq!(desk.get("list_events", arguments)["events"], json!([]));
}

#[test]
fn an_event_counts_its_guests_and_those_who_are_in() {
    let mut desk = Desk::open();
    let guests = desk
        .organization
        .guests(desk.event, &["Ana", "Bia", "Caio"]);
    let other = desk.organization.event("Other");
    desk.organization.guest(other, "Davi");
    desk.get("check_in_guest", json!({ "id": guests[1] }));
    let got = desk.get("get_event", json!({ "id": desk.event }));
    let listed = desk.get("list_events", json!({ "search": "Launch" }));
    let updated = desk.get("update_event", json!({ "id": desk.event }));
    for event in [&got["event"], &listed["events"][0], &updated["event"]] {
        assert_eq!(
            (&event["guest_count"], &event["checked_in_count"]),
            (&json!(3), &json!(1))
        );
    }
}

#[test]
fn another_organisation_s_event_is_not_there() {
    let desk = Desk::open();
    let mut other = Organization::create().sign_in(Role::Owner);
    let got = other.events("get_event", json!({ "id": desk.event }));
    assert_eq!(got.output()["event"], Value::Null);
    let listed = other.events("list_events", json!({}));
    assert_eq!(listed.output()["events"], json!([]));
    let updated = other.events("update_event", json!({ "id": desk.event, "name": "Ours" }));
    updated.refuses("not_found", "id");
}

#[test]
fn an_event_is_deleted_with_all_that_belongs_to_it_and_comes_back_whole() {
    let mut desk = Desk::open();
    let organization = desk.organization;
    let event = organization.event("Launch");
    let guests = organization.guests(event, &["Ana", "Bia"]);
    let of = |more: Value| {
        let mut arguments = json!({ "event_id": event });
        for (name, value) in more.as_object().expect("an object") {
            arguments[name] = value.clone();
        }
        arguments
    };
    for (tool, more) in [
        (
            "create_event_session",
            json!({ "title": "Welcome", "guest_ids": guests }),
        ),
        ("create_event_task", json!({ "title": "Chairs" })),
        ("create_event_expense", json!({ "vendor_name": "Bakery" })),
        (
            "add_event_photo",
            json!({ "url": "https://example.org/1.jpg" }),
        ),
    ] {
        desk.get(tool, of(more));
    }
    let lists = [
        "list_event_guests",
        "list_event_sessions",
        "list_event_tasks",
        "list_event_expenses",
        "list_event_photos",
    ];
    let all = |desk: &mut Desk| lists.map(|list| desk.get(list, of(json!({}))));
    let before = all(&mut desk);
    let mut caller = organization.caller(Role::Staff, frontdesk_protocol::Host::Events);
    let deleted = caller.call("delete_event", json!({ "id": event }));
    deleted.output();
    let gone = desk.get("get_event", json!({ "id": event }));
    assert_eq!(gone["event"], Value::Null);
    let change = deleted.result()["_meta"]["frontdesk/change"].clone();
    let undo = json!({ "change_id": change });
    caller
        .at(frontdesk_protocol::Host::Ops)
        .call("undo_change", undo)
        .output();
    assert_eq!(all(&mut desk), before);
}
