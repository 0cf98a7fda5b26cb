//! Check-ins that the host refuses, or whose guest or place is gone: each ends, and no arrival is lost without a word.

use std::time::Duration;

use frontdesk_client::{Action, Entry, Journal, paths};
use frontdesk_protocol::events::passage::Verdict;
use frontdesk_protocol::id::PlaceId;
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Desk, LAUNCH, Mode, NOW, School, Setup};
use serde_json::{Value, json};

const ACTIONS: [Action; 6] = [
    Action::CheckIn,
    Action::Undo,
    Action::Add,
    Action::TakeBack,
    Action::Enter,
    Action::Leave,
];

/// A school with a hall, and a desk that was signed in before.
struct Door {
    school: School,
    setup: Setup,
    hall: Value,
}

impl Door {
    fn new() -> Door {
        let school = School::launch();
        let place = json!({ "event_id": school.event_id(LAUNCH), "name": "Hall" });
        let mut staff = school.colleague(Role::Staff);
        let hall = staff.make(Host::Events, "create_event_place", place);
        let setup = school.desk(Role::Staff).over_a_network();
        let setup = setup.failover(Duration::from_millis(100));
        let setup = setup.at_home().crash();
        Door {
            school,
            setup,
            hall: hall["id"].clone(),
        }
    }

    /// Writes each action of the journal, at the event without and with a gate and at the hall, with each kind of
    /// verdict of the desk; and a code and an id that the desk did not know. Returns their number.
    fn everything_waits(&self, guest: &str) -> usize {
        let home = self.setup.clone().at_home();
        let account = home.client().last_account().expect("an account").id;
        let url = home.client().addresses().base(Host::Events).to_owned();
        drop(home.crash());
        let guest = self.school.guest(guest).id;
        let event = self.school.event_id(LAUNCH);
        let entry = |action| Entry::new(&url, account, event, guest, "Zoë Müller", NOW, action);
        let hall: PlaceId = serde_json::from_value(self.hall.clone()).expect("an id");
        let mut entries = Vec::new();
        for action in ACTIONS {
            for (gate, place_id, verdict) in [
                (None, None, None),
                (Some("North"), None, None),
                (Some("North"), None, Some(Verdict::Passed)),
                (None, Some(hall), None),
                (None, Some(hall), Some(Verdict::Passed)),
                (None, Some(hall), Some(Verdict::Full)),
            ] {
                let mut entry = entry(action);
                entry.entrance.gate = gate.map(str::to_owned);
                entry.entrance.place_id = place_id;
                entry.entrance.verdict = verdict;
                if matches!(action, Action::Add | Action::TakeBack) {
                    let walk_in = json!({ "name": "Quentin", "email": null, "phone_number": null, "role": null });
                    entry.walk_in = serde_json::from_value(walk_in).expect("a walk-in");
                }
                entries.push(entry);
            }
        }
        let mut scanned = entry(Action::CheckIn);
        scanned.scanned = true;
        let mut code = entry(Action::CheckIn);
        code.code = Some("TX-404".to_owned());
        entries.extend([scanned, code]);
        let file = paths::journal_file(self.setup.directory());
        let journal = Journal::open(file).expect("a journal");
        for entry in &entries {
            journal.append(entry).expect("is written");
        }
        entries.len()
    }

    /// The app starts, and a minute passes.
    fn delivers(&self) -> Desk {
        let mut t = self.setup.clone().at_home();
        t.seconds(60).read_messages();
        t
    }

    /// Who entered where, as the log says.
    fn log(&self) -> Vec<String> {
        let sql = "select concat_ws(' ', g.name, coalesce(p.name, 'event'), m.verdict) from events.movements m \
             join events.guests g on g.id = m.guest_id left join events.places p on p.id = m.place_id \
             where m.organization_id = $1 order by m.created_at";
        let log = self.school.texts(sql, &[&self.school.organization.id.0]);
        log.into_iter().flatten().collect()
    }
}

#[test]
fn every_action_ends_whatever_the_host_answers() {
    let refusal = |status, code| Mode::refusal(status, code, "no");
    let answers = [
        refusal(400, "invalid_argument"),
        refusal(404, "not_found"),
        refusal(409, "conflict"),
        refusal(403, "forbidden"),
        refusal(503, "unavailable"),
        refusal(500, "internal"),
        Mode::status(404, "no"),
        Mode::status(502, "no"),
        Mode::NotJson,
        Mode::CutAfterRequest,
        Mode::Unconfirmed,
    ];
    let door = Door::new();
    for answer in answers {
        let number = door.everything_waits("Zoë Müller");
        door.setup.network().set(answer.clone());
        let before = door.setup.network().count();
        let mut t = door.delivers();
        let calls = door.setup.network().count() - before;
        assert!(calls < 10 * number, "{calls} calls: {answer:?}");
        t.network().set(Mode::Pass);
        t.seconds(60).read_messages();
        assert_eq!(t.waiting(), 0, "{answer:?}");
        assert_eq!(t.on_disk(), [], "{answer:?}");
        drop(t.crash());
    }
}

#[test]
fn every_action_ends_if_its_guest_and_its_place_are_gone() {
    let door = Door::new();
    let number = door.everything_waits("Zoë Müller");
    door.school.remove_guest("Zoë Müller");
    let sql = "delete from events.places where organization_id = $1";
    door.school.change(sql, &[&door.school.organization.id.0]);
    let before = door.setup.network().count();
    let t = door.delivers();
    let calls = door.setup.network().count() - before;
    assert!(calls < 6 * number, "{calls} calls");
    assert_eq!((t.waiting(), t.on_disk()), (0, Vec::new()));
}

#[test]
fn an_arrival_at_a_place_that_is_gone_is_recorded_at_the_event() {
    let door = Door::new();
    let setup = door.setup.clone().place("Hall");
    let mut t = setup.at(LAUNCH);
    t.expect_title("on this desk ✓").network().go_down();
    t.type_text("zoe")
        .press("enter")
        .expect_banner(&["WAITING"]);
    let sql = "delete from events.places where organization_id = $1";
    door.school.change(sql, &[&door.school.organization.id.0]);
    t.network().come_back();
    t.seconds(40)
        .expect_toast("Zoë Müller: the place is gone: recorded at the event");
    t.read_messages();
    assert_eq!(door.log(), ["Zoë Müller event passed"]);
    door.school.guest("Zoë Müller").came_at(NOW);
    assert_eq!((t.waiting(), t.on_disk()), (0, Vec::new()));
}

#[test]
fn the_arrival_of_a_guest_who_was_merged_is_recorded_for_the_one_with_the_ticket() {
    let door = Door::new();
    let school = &door.school;
    school.give_ticket("Zoë Müller", "TX-9");
    school.give_ticket("Ulla Lindqvist", "TX-8");
    let mut t = door.setup.clone().gate("North").at(LAUNCH);
    t.expect_title("on this desk ✓").network().go_down();
    t.type_text("zoe")
        .press("enter")
        .expect_banner(&["WAITING"]);
    let merge = json!({ "keep_id": school.guest("Ulla Lindqvist").id, "remove_id": school.guest("Zoë Müller").id });
    let mut owner = school.colleague(Role::Owner);
    owner.make(Host::Ops, "merge_guests", merge);
    t.network().come_back();
    t.seconds(40)
        .expect_toast("Zoë Müller is gone: recorded for Ulla Lindqvist, who has the ticket now");
    t.read_messages();
    assert_eq!(door.log(), ["Ulla Lindqvist event passed"]);
    school.guest("Ulla Lindqvist").came_at(NOW);
    assert_eq!((t.waiting(), t.on_disk()), (0, Vec::new()));
}

#[test]
fn the_arrival_of_a_guest_who_is_gone_needs_attention() {
    let door = Door::new();
    let mut t = door.setup.clone().gate("North").at(LAUNCH);
    t.expect_title("on this desk ✓").network().go_down();
    t.type_text("zoe")
        .press("enter")
        .expect_banner(&["WAITING"]);
    door.school.remove_guest("Zoë Müller");
    t.network().come_back();
    t.seconds(40).expect_toast("Zoë Müller was not checked in");
    t.press("ctrl-t").expect("Zoë Müller");
    assert_eq!((t.waiting(), t.on_disk()), (0, Vec::new()));
}

/// Quentin comes, who is not on the list and has no role.
fn quentin_comes(t: &mut Desk) {
    t.type_text("Quentin Blake").press("ctrl-a ctrl-s");
}

#[test]
fn a_walk_in_asks_the_rules_of_the_place() {
    for is_online in [true, false] {
        let door = Door::new();
        let event = door.school.event_id(LAUNCH);
        let mut staff = door.school.colleague(Role::Staff);
        let place = json!({ "event_id": event, "name": "Stage", "roles": ["crew"] });
        staff.make(Host::Events, "create_event_place", place);
        let mut t = door.setup.clone().place("Stage").at(LAUNCH);
        t.expect_title("on this desk ✓");
        if !is_online {
            t.network().go_down();
        }
        quentin_comes(&mut t);
        t.expect_banner(&["WRONG ENTRANCE", "Quentin Blake", "ctrl-d"]);
        t.press("ctrl-d").type_text("sings").press("enter");
        t.read_messages();
        t.network().come_back();
        t.seconds(40).read_messages();
        let log = door.log();
        let last = log.last().map(String::as_str);
        assert_eq!(last, Some("Quentin Blake Stage passed"), "{log:?}");
        let turned_away = "Quentin Blake Stage wrong_entrance".to_owned();
        assert_eq!(log.contains(&turned_away), is_online, "{log:?}");
        assert_eq!(door.school.guests(), 13);
        door.school.guest("Quentin Blake").is_checked_in();
    }
}

#[test]
fn nobody_enters_a_place_that_is_missing_but_for_a_reason() {
    let door = Door::new();
    let mut t = door.setup.clone().place("Haal").at(LAUNCH);
    t.expect_toast("There is no place “Haal”: nobody enters");
    t.type_text("zoe").press("enter");
    t.expect_banner(&["NO SUCH PLACE", "Zoë Müller"]);
    quentin_comes(&mut t);
    t.expect_banner(&["NO SUCH PLACE", "Quentin Blake"]);
    door.school.guest("Zoë Müller").is_not_checked_in();
    t.type_text("zoe").press("enter ctrl-d");
    t.type_text("the host says so").press("enter");
    t.expect_banner(&["CHECKED IN", "Zoë Müller"]);
    door.school.guest("Zoë Müller").is_checked_in();
    door.school.guest("Quentin Blake").is_not_checked_in();
    drop(t);

    // The hall has another name, and is gone after that.
    let mut t = door.setup.clone().place("Hall").at(LAUNCH);
    let mut staff = door.school.colleague(Role::Staff);
    let other = json!({ "id": door.hall, "name": "Foyer", "roles": ["crew"] });
    staff.make(Host::Events, "update_event_place", other);
    t.seconds(40);
    t.type_text("ulla").press("enter");
    t.expect_banner(&["WRONG ENTRANCE", "Foyer is for crew"]);
    let sql = "delete from events.places where organization_id = $1";
    door.school.change(sql, &[&door.school.organization.id.0]);
    t.seconds(40).expect_toast("nobody enters");
    t.type_text("ulla").press("enter");
    t.expect_banner(&["NO SUCH PLACE", "Ulla Lindqvist"]);
    t.network().go_down();
    t.type_text("asa").press("enter");
    t.expect_banner(&["NO SUCH PLACE", "Åsa Öberg"]);
    door.school.guest("Ulla Lindqvist").is_not_checked_in();
}
