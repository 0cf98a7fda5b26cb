//! The agenda: what takes place or is due over all hosts.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{School, selected};
use serde_json::json;

#[test]
fn an_item_of_the_agenda_opens_its_record_and_the_days_are_chosen() {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    let meeting = json!({ "title": "Kick-off", "meeting_date": "2026-03-10T12:00:00Z" });
    owner.make(Host::Work, "create_meeting", meeting);
    let tender =
        json!({ "title": "Rooms", "issuer": "City", "deadline_at": "2026-03-13T15:00:00Z" });
    owner.make(Host::Proposals, "create_tender", tender);
    let task = json!({
        "name": "Pay", "owner_id": school.organization.member, "estimated_date": "2026-03-14", "stage_id": "spec",
        "context": { "why": "Due" },
    });
    owner.make(Host::Work, "create_task", task);
    let mut t = school.desk(Role::Owner).at_home();
    t.go_to("agenda");
    t.expect_path("› Agenda").press("f f");
    t.type_text("2026-03-10").press("ctrl-s");
    t.expect_row(selected("Kick-off").with("meeting"));
    t.press("enter").expect_head("Kick-off  meeting");
    t.press("esc down enter").expect_head("Rooms  tender");
    t.press("esc down enter").expect_head("Pay  task");
}
