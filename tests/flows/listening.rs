//! Hosts tell of changes, so that nobody asks at intervals.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Desk, LAUNCH, Mode, School, row, selected};
use serde_json::json;

/// The requests that a desk makes while this happens.
fn counted(t: &mut Desk, act: impl FnOnce(&mut Desk)) -> usize {
    let before = t.network().count();
    act(t);
    t.network().count() - before
}

#[test]
fn a_guest_of_the_other_desk_appears_without_a_poll() {
    let school = School::launch();
    let mut here = school
        .desk(Role::Staff)
        .listening()
        .over_a_network()
        .at(LAUNCH);
    let mut polls = school.desk(Role::Staff).over_a_network().at(LAUNCH);
    let mut there = school.desk(Role::Teacher).at(LAUNCH);
    here.listens().seconds(10);
    polls.seconds(12);
    there.enter("zoe").expect_banner(&["CHECKED IN"]);
    let told = counted(&mut here, |t| {
        t.hears("✓ Zoë Müller").settle().expect_head("3 of 12");
    });
    assert_eq!(told, 1, "the guests that changed");
    // A quiet minute: the event, as it may have changed with the guest, and the guests once more.
    let told = counted(&mut here, |t| {
        t.seconds(60);
    });
    let asked = counted(&mut polls, |t| {
        t.seconds(60);
    });
    assert_eq!((told, asked), (2, 14));
    here.seconds(5);
    there.press("ctrl-u").expect_banner(&["UNDONE"]);
    here.hears("2 of 12");
}

#[test]
fn a_guest_who_is_removed_elsewhere_leaves_the_list_without_a_poll() {
    let school = School::launch();
    let event = school.event_id(LAUNCH);
    let mut owner = school.colleague(Role::Owner);
    let guest = json!({ "event_id": event, "name": "Bia Costa" });
    let guest = owner.make(Host::Events, "create_event_guest", guest)["id"].clone();
    let mut here = school
        .desk(Role::Staff)
        .listening()
        .over_a_network()
        .at(LAUNCH);
    here.expect_head("2 of 13").listens().seconds(10);
    owner.make(Host::Ops, "remove_guest", json!({ "id": guest }));
    let told = counted(&mut here, |t| {
        t.hears_something().seconds(1).expect_head("2 of 12");
    });
    assert!(!here.screen().contains("Bia Costa"));
    assert_eq!(told, 2, "the event, and the guests who are left");
    let told = counted(&mut here, |t| {
        t.seconds(180);
    });
    assert_eq!(told, 6, "the event and the changes, once a minute");
}

#[test]
fn a_list_is_renewed_when_another_changes_it_and_not_before() {
    let school = School::launch();
    let event = school.event_id(LAUNCH);
    let mut owner = school.colleague(Role::Owner);
    let task = json!({ "event_id": event, "title": "Order coffee" });
    let task = owner.make(Host::Events, "create_event_task", task)["id"].clone();
    let open = |t: &mut Desk| {
        t.go_to("tasks (events").press("enter");
        t.expect_title(" 1 task ");
    };
    let setup = school.desk(Role::Staff).over_a_network();
    let mut polls = setup.clone().at_home();
    let mut here = school
        .desk(Role::Staff)
        .over_a_network()
        .listening()
        .at_home();
    open(&mut here);
    open(&mut polls);
    here.listens();
    // What changed before the stream was opened.
    here.seconds(28);
    polls.seconds(30);
    let told = counted(&mut here, |t| {
        t.seconds(240);
    });
    let asked = counted(&mut polls, |t| {
        t.seconds(240);
    });
    assert_eq!((told, asked), (0, 8));
    here.expect_title(" as of 09:45 ");
    let rename = json!({ "id": task, "title": "Order tea" });
    owner.make(Host::Events, "update_event_task", rename);
    here.hears("Order tea").expect_row(selected("Order tea"));
}

#[test]
fn a_desk_asks_at_intervals_while_the_host_does_not_tell() {
    let school = School::launch();
    let setup = school.desk(Role::Staff).listening().over_a_network();
    let refusal = Mode::refusal(404, "refused", "there is no method `subscriptions/listen`");
    setup.network().set_for("subscriptions/listen", refusal);
    let mut here = setup.at(LAUNCH);
    here.seconds(10);
    let mut there = school.desk(Role::Teacher).at(LAUNCH);
    there.enter("zoe").expect_banner(&["CHECKED IN"]);
    here.seconds(5).expect_row(row("✓ Zoë Müller"));
    assert_eq!(here.network().count_of("subscriptions/listen"), 1);
}
