//! No write reaches another organisation or refers to its records.

use frontdesk_protocol::Role;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::access::stage::{Stage, changed, guest};
use crate::access::verdict::Verdict;

/// A write that refers to another organisation's record, and the field of the expected error.
type Write = (&'static str, &'static str, Value);

/// The targets of the references: another organisation's records, or unknown ids.
struct Reach {
    unit: Uuid,
    event: Uuid,
    session: Uuid,
    guest: Uuid,
    member: Uuid,
    task: Uuid,
    expense: Uuid,
    photo: Uuid,
}

impl Reach {
    fn foreign(stage: &Stage) -> Reach {
        let rows = &stage.their_rows;
        Reach {
            unit: stage.theirs.business_unit.0,
            event: rows.event.0,
            session: rows.session.0,
            guest: rows.other_guest.0,
            member: stage.theirs.member.0,
            task: rows.other_task.0,
            expense: rows.expense.0,
            photo: rows.photo.0,
        }
    }

    fn nowhere() -> Reach {
        Reach {
            unit: Uuid::new_v4(),
            event: Uuid::new_v4(),
            session: Uuid::new_v4(),
            guest: Uuid::new_v4(),
            member: Uuid::new_v4(),
            task: Uuid::new_v4(),
            expense: Uuid::new_v4(),
            photo: Uuid::new_v4(),
        }
    }
}

/// Every way in which a write can refer to another organisation's record.
fn writes(stage: &Stage, reach: &Reach) -> Vec<Write> {
    let (ours, rows) = (&stage.ours, &stage.rows);
    let Reach {
        unit,
        event,
        session,
        guest,
        member,
        task,
        expense,
        photo,
    } = reach;
    vec![
        (
            "create_event",
            "strategy_business_unit_id",
            json!({ "name": "New", "strategy_business_unit_id": unit }),
        ),
        (
            "update_event",
            "strategy_business_unit_id",
            json!({ "id": rows.event, "strategy_business_unit_id": unit, "name": "Moved" }),
        ),
        (
            "create_event_session",
            "event_id",
            json!({ "event_id": event, "title": "New" }),
        ),
        (
            "create_event_session",
            "event_id",
            json!({ "event_id": event, "title": "New", "guest_ids": [rows.own_guest] }),
        ),
        (
            "create_event_session",
            "guest_ids",
            json!({ "event_id": rows.event, "title": "New", "guest_ids": [guest] }),
        ),
        (
            "update_event_session",
            "guest_ids",
            json!({ "id": rows.session, "title": "Moved", "guest_ids": [rows.own_guest, guest] }),
        ),
        (
            "create_event_guest",
            "event_id",
            json!({ "event_id": event, "name": "New" }),
        ),
        (
            "create_event_guest",
            "member_id",
            json!({ "event_id": rows.event, "name": "New", "member_id": member }),
        ),
        (
            "update_event_guest",
            "member_id",
            json!({ "id": rows.other_guest, "name": "Moved", "member_id": member }),
        ),
        (
            "add_event_guest",
            "event_id",
            json!({ "event_id": event, "name": "New" }),
        ),
        (
            "add_event_guest",
            "event_id",
            json!({ "event_id": event, "name": "New", "member_id": ours.member }),
        ),
        (
            "add_event_guest",
            "member_id",
            json!({ "event_id": rows.event, "name": "New", "member_id": member }),
        ),
        (
            "create_event_task",
            "event_id",
            json!({ "event_id": event, "title": "New" }),
        ),
        (
            "create_event_task",
            "assignee_id",
            json!({ "event_id": rows.event, "title": "New", "assignee_id": member }),
        ),
        (
            "update_event_task",
            "assignee_id",
            json!({ "id": rows.own_task, "status": "done", "assignee_id": member }),
        ),
        (
            "create_event_expense",
            "event_id",
            json!({ "event_id": event, "vendor_name": "New" }),
        ),
        (
            "add_event_photo",
            "event_id",
            json!({ "event_id": event, "url": "https://example.org/2.jpg" }),
        ),
        (
            "add_event_photo",
            "event_id",
            json!({
                "event_id": event, "url": "https://example.org/2.jpg", "member_ids": [ours.member],
            }),
        ),
        (
            "add_event_photo",
            "member_ids",
            json!({
                "event_id": rows.event, "url": "https://example.org/2.jpg",
                "member_ids": [ours.fellow, member],
            }),
        ),
        (
            "update_event_photo",
            "member_ids",
            json!({ "id": rows.photo, "caption": "Moved", "member_ids": [ours.fellow, member] }),
        ),
        // Another organisation's records, with references to the caller's own.
        (
            "update_event",
            "id",
            json!({ "id": event, "strategy_business_unit_id": ours.business_unit }),
        ),
        (
            "update_event_session",
            "id",
            json!({ "id": session, "guest_ids": [rows.own_guest] }),
        ),
        (
            "update_event_session",
            "id",
            json!({ "id": session, "guest_ids": [] }),
        ),
        (
            "update_event_guest",
            "id",
            json!({ "id": guest, "member_id": ours.member }),
        ),
        ("check_in_guest", "id", json!({ "id": guest })),
        (
            "update_event_task",
            "id",
            json!({ "id": task, "assignee_id": ours.member }),
        ),
        (
            "update_event_expense",
            "id",
            json!({ "id": expense, "amount_paid": 1 }),
        ),
        (
            "update_event_photo",
            "id",
            json!({ "id": photo, "member_ids": [ours.member] }),
        ),
        (
            "update_event_photo",
            "id",
            json!({ "id": photo, "member_ids": [] }),
        ),
    ]
}

/// The writes with another organisation's records, each with the same write with unknown ids.
fn foreign_and_unknown(stage: &Stage) -> impl Iterator<Item = (Write, Write)> {
    let foreign = writes(stage, &Reach::foreign(stage));
    let unknown = writes(stage, &Reach::nowhere());
    foreign.into_iter().zip(unknown)
}

#[test]
fn nothing_of_another_organisation_can_be_written_to_or_referred_to() {
    let stage = Stage::set();
    for role in [Role::Owner, Role::Staff] {
        let mut http = stage.ours.sign_in(role);
        let before = stage.snapshot();
        for ((tool, field, arguments), _) in foreign_and_unknown(&stage) {
            let answer = http.events(tool, arguments.clone());
            let expected = Verdict::NotFound(field.to_owned());
            assert_eq!(Verdict::of(&answer), expected, "{tool} {arguments}");
        }
        assert_eq!(changed(&before, &stage.snapshot()), [""; 0], "{role:?}");
    }
}

#[test]
fn records_of_another_organisation_are_answered_like_unknown_ids() {
    let stage = Stage::set();
    let mut staff = stage.ours.sign_in(Role::Staff);
    for ((tool, _, foreign), (_, _, unknown)) in foreign_and_unknown(&stage) {
        let foreign = staff.events(tool, foreign).tool_error();
        let unknown = staff.events(tool, unknown).tool_error();
        assert_eq!(foreign, unknown, "{tool}");
    }
}

#[test]
fn a_guest_of_another_event_takes_part_in_no_session() {
    let stage = Stage::set();
    let second = stage.ours.event("Second day");
    let elsewhere = stage.ours.guest(second, "Elsewhere");
    let mut staff = stage.ours.sign_in(Role::Staff);
    let before = stage.snapshot();
    let guest_ids = json!([stage.rows.own_guest, elsewhere]);
    for (tool, arguments) in [
        (
            "create_event_session",
            json!({ "event_id": stage.rows.event, "title": "New", "guest_ids": guest_ids }),
        ),
        (
            "update_event_session",
            json!({ "id": stage.rows.session, "title": "Moved", "guest_ids": guest_ids }),
        ),
    ] {
        let answer = staff.events(tool, arguments);
        let expected = Verdict::NotFound("guest_ids".to_owned());
        assert_eq!(Verdict::of(&answer), expected, "{tool}");
    }
    assert_eq!(stage.snapshot(), before);
}

#[test]
fn linking_a_member_never_touches_another_organisation_s_guest() {
    let stage = Stage::set();
    // Their member is a guest of their event: the row that `add_event_guest` would link.
    guest(
        &stage.theirs,
        stage.their_rows.event,
        "Member",
        Some(stage.theirs.member),
    );
    let before = stage.snapshot();
    for role in Role::ALL {
        let mut http = stage.ours.sign_in(role);
        let arguments = json!({
            "event_id": stage.their_rows.event, "name": "Taken",
            "member_id": stage.theirs.member, "role": "speaker",
        });
        let answer = http.events("add_event_guest", arguments);
        let verdict = Verdict::of(&answer);
        let refused = [
            Verdict::Forbidden,
            Verdict::NotFound("event_id".to_owned()),
            Verdict::NotFound("member_id".to_owned()),
        ];
        assert!(refused.contains(&verdict), "{role:?}: {verdict:?}");
    }
    assert_eq!(stage.snapshot(), before);
}
