//! The tools of the Platform host that do a whole office job.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Caller, Organization};
use serde_json::{Value, json};

/// Calls the tool as a dry run, which must write nothing and return the same as the call after it.
fn twice(ops: &mut Caller, tool: &str, arguments: &Value) -> Value {
    let mut dry = arguments.clone();
    dry["dry_run"] = json!(true);
    let tried = ops.output(tool, dry);
    let done = ops.output(tool, arguments.clone());
    assert_eq!(
        (&tried["dry_run"], &done["dry_run"]),
        (&json!(true), &json!(false))
    );
    for count in ["added", "updated", "skipped", "already_checked_in"] {
        assert_eq!(tried.get(count), done.get(count), "{count}");
    }
    done
}

fn names(list: &Value) -> Vec<&str> {
    let list = list.as_array().expect("a list");
    list.iter().filter_map(|one| one["name"].as_str()).collect()
}

#[test]
fn guests_are_checked_in_by_role_tag_or_id() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    organization.guest_with(event, "Ana", "speaker", "ana@example.org");
    organization.guest_with(event, "Bia", "speaker", "bia@example.org");
    let caio = organization.guest(event, "Caio");
    let mut teacher = organization.caller(Role::Teacher, Host::Ops);
    let speakers = json!({ "event_id": event, "role": "speaker" });
    let mut finance = organization.caller(Role::Finance, Host::Ops);
    assert_eq!(
        finance.call("check_in_guests", speakers.clone()).status,
        403
    );
    let done = twice(&mut teacher, "check_in_guests", &speakers);
    assert_eq!(names(&done["checked_in"]), ["Ana", "Bia"]);
    let again = twice(&mut teacher, "check_in_guests", &speakers);
    assert_eq!(
        (&again["checked_in"], &again["already_checked_in"]),
        (&json!([]), &json!(2))
    );

    let mut staff = organization.caller(Role::Staff, Host::Events);
    staff.output(
        "update_event_guest",
        json!({ "id": caio, "tags": { "vip": true } }),
    );
    let tagged = json!({ "event_id": event, "tag": "vip" });
    assert_eq!(
        names(&twice(&mut teacher, "check_in_guests", &tagged)["checked_in"]),
        ["Caio"]
    );
    let by_id = json!({ "event_id": event, "ids": [caio] });
    assert_eq!(
        twice(&mut teacher, "check_in_guests", &by_id)["already_checked_in"],
        1
    );

    let nobody = json!({ "event_id": event, "role": "speakers" });
    assert_eq!(
        teacher.output("check_in_guests", nobody)["note"],
        "no guest has all of these; roles: “speaker”; tags: “vip”"
    );
    let unknown = json!({ "event_id": event, "ids": [organization.member] });
    teacher
        .call("check_in_guests", unknown)
        .refuses("not_found", "ids");
    teacher
        .call("check_in_guests", json!({ "event_id": event }))
        .refuses("invalid_argument", "ids");
}

#[test]
fn guests_are_added_once() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    organization.guest_with(event, "Ana", "speaker", "ana@example.org");
    let mut ops = organization.caller(Role::Staff, Host::Ops);
    let guests = json!([
        { "name": "Ana Souza", "email": "ANA@example.org", "role": "host" },
        { "name": "Bia", "email": "bia@example.org" },
        { "name": "bia" },
    ]);
    let add = |way: &str| json!({ "event_id": event, "guests": guests, "on_duplicate": way });
    let outcomes = |done: &Value| {
        let guests = done["guests"].as_array().expect("a list").iter();
        guests
            .map(|one| one["outcome"].as_str().expect("a word").to_owned())
            .collect::<Vec<_>>()
    };
    ops.call("add_guests", add("refuse"))
        .refuses("conflict", "guests[0]");
    let done = twice(&mut ops, "add_guests", &add("skip"));
    assert_eq!(outcomes(&done), ["skipped", "added", "skipped"]);
    let done = twice(&mut ops, "add_guests", &add("update"));
    assert_eq!(outcomes(&done), ["updated", "updated", "updated"]);
    let mut events = organization.caller(Role::Staff, Host::Events);
    let hosts = events.output(
        "list_event_guests",
        json!({ "event_id": event, "role": "host" }),
    );
    assert_eq!(names(&hosts["guests"]), ["Ana Souza"]);
    let done = twice(&mut ops, "add_guests", &add("add"));
    assert_eq!(outcomes(&done), ["added", "added", "added"]);

    let again = json!({ "event_id": event, "guests": [{ "name": "Fellow" }, { "name": "ana souza", "email": "as@example.org" }] });
    let added = ops.output("add_guests", again);
    let warnings: Vec<_> = added["warnings"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    assert!(
        warnings[0].contains("“Fellow” has the name of a member"),
        "{added}"
    );
    assert!(
        warnings[1]
            .contains("“ana souza” has the name of another guest, “host”, “ANA@example.org”"),
        "{added}"
    );

    // All or none.
    let wrong = json!({ "event_id": event, "guests": [
        { "name": "Davi" }, { "name": "Eva", "member_id": uuid::Uuid::now_v7() },
    ] });
    ops.call("add_guests", wrong)
        .refuses("not_found", "guests[1].member_id");
    let all = events.output("list_event_guests", json!({ "event_id": event }));
    assert_eq!(all["total"], 7);
    let mut teacher = organization.caller(Role::Teacher, Host::Ops);
    assert_eq!(teacher.call("add_guests", add("add")).status, 403);
}

#[test]
fn a_guest_is_removed_by_the_desk() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    let guest = organization.guest(event, "Ana");
    let remove = json!({ "id": guest });
    for role in [Role::Teacher, Role::Finance] {
        let refused = organization
            .caller(role, Host::Ops)
            .call("remove_guest", remove.clone());
        assert_eq!(refused.status, 403, "{role:?}: {}", refused.body);
    }
    let mut ops = organization.caller(Role::Staff, Host::Ops);
    let done = twice(&mut ops, "remove_guest", &remove);
    assert_eq!(done["guest"]["name"], "Ana");
    ops.call("remove_guest", remove).refuses("not_found", "id");
}

#[test]
fn two_guests_who_are_one_person_are_merged() {
    let organization = Organization::create();
    organization
        .caller(Role::Owner, Host::Staff)
        .output("update_organization", json!({ "ticket_tags": ["pass"] }));
    let mut events = organization.caller(Role::Staff, Host::Events);
    let event = json!(organization.event("Launch"));
    let guest = |events: &mut Caller, fields: Value| {
        let mut fields = fields;
        fields["event_id"] = event.clone();
        events.make("create_event_guest", fields)
    };
    let keep = guest(
        &mut events,
        json!({ "name": "Ana", "role": "speaker", "tags": { "seat": "A1", "ticket_code": "T-1", "pass": ["P-1", "P-2"] } }),
    );
    let tags = json!({ "seat": "B2", "meal": "vegan", "ticket_code": "T-2", "pass": "P-2" });
    let other = json!({
        "name": "Ana Sá", "email": "ana@example.org", "role": "guest", "member_id": organization.fellow,
        "chat_id": "chat-ana", "tags": tags,
    });
    let other = guest(&mut events, other);
    events.output("check_in_guest", json!({ "id": other }));
    let talk = json!({ "event_id": event, "title": "Talk", "guest_ids": [other] });
    let talk = events.make("create_event_session", talk);
    let mut quiz = organization.caller(Role::Staff, Host::Quiz);
    let form = json!({ "title": "Interview", "fields": [{ "label": "Why?", "kind": "text" }] });
    let form = quiz.make("create_form", form);
    quiz.output(
        "dispatch_interview",
        json!({ "form_id": form, "event_id": event }),
    );

    let mut ops = organization.caller(Role::Staff, Host::Ops);
    let merge = json!({ "keep_id": keep, "remove_id": other });
    let same = json!({ "keep_id": keep, "remove_id": keep });
    ops.call("merge_guests", same)
        .refuses("invalid_argument", "remove_id");
    let teacher = organization
        .caller(Role::Teacher, Host::Ops)
        .call("merge_guests", merge.clone());
    assert_eq!(teacher.status, 403, "{}", teacher.body);
    let done = twice(&mut ops, "merge_guests", &merge);
    assert_eq!(
        done["taken"],
        json!(["email", "chat_id", "member_id", "check_in_at", "tags"])
    );
    assert_eq!(done["differing"], json!(["role", "name", "tags.seat"]));
    assert_eq!((&done["sessions"], &done["forms"]), (&json!(1), &json!(1)));
    let all = events.output("list_event_guests", json!({ "event_id": event }));
    assert_eq!(names(&all["guests"]), ["Ana"]);
    let found = &all["guests"][0];
    assert_eq!(
        (&found["email"], &found["role"]),
        (&json!("ana@example.org"), &json!("speaker"))
    );
    // The tickets of both stay valid.
    let tags = json!({ "seat": "A1", "meal": "vegan", "ticket_code": ["T-1", "T-2"], "pass": ["P-1", "P-2"] });
    assert_eq!(found["tags"], tags);
    assert!(!found["check_in_at"].is_null());
    let sessions = events.output("list_event_sessions", json!({ "event_id": event }));
    assert_eq!(sessions["sessions"][0]["id"], talk);
    assert_eq!(sessions["sessions"][0]["guest_ids"], json!([keep]));
    let sent = quiz.output("list_dispatches", json!({ "guest_id": keep }));
    assert_eq!(sent["dispatches"][0]["guest_name"], "Ana");

    // Two members are two people, and the guests of two events are not merged.
    let member = organization
        .caller(Role::Owner, Host::Learn)
        .make("create_member", json!({ "name": "Bia" }));
    let bia = guest(&mut events, json!({ "name": "Bia", "member_id": member }));
    ops.call("merge_guests", json!({ "keep_id": keep, "remove_id": bia }))
        .refuses("conflict", "remove_id");
    let elsewhere = organization.guest(organization.event("Dinner"), "Ana");
    let foreign = json!({ "keep_id": keep, "remove_id": elsewhere });
    ops.call("merge_guests", foreign)
        .refuses("invalid_argument", "remove_id");
}

#[test]
fn an_event_moves_with_its_sessions_and_tasks_on_the_clock_of_the_organisation() {
    let organization = Organization::create();
    let zone = json!({ "time_zone": "Europe/Berlin" });
    organization
        .caller(Role::Owner, Host::Staff)
        .output("update_organization", zone);
    let mut events = organization.caller(Role::Staff, Host::Events);
    let mut event = |name: &str, start: &str, end: &str| {
        let fields = json!({
            "name": name, "start_at": start, "end_at": end,
            "strategy_business_unit_id": organization.business_unit,
        });
        events.make("create_event", fields)
    };
    let launch = event("Launch", "2027-03-20T17:00:00Z", "2027-03-20T20:00:00Z");
    let dinner = event("Dinner", "2027-04-03T16:00:00Z", "2027-04-03T20:00:00Z");
    let mut session = |event: &Value, title: &str, start: &str, end: &str| {
        let fields = json!({
            "event_id": event, "title": title, "location": "Hall", "start_time": start, "end_time": end,
        });
        events.make("create_event_session", fields)
    };
    session(
        &launch,
        "Talk",
        "2027-03-20T18:00:00Z",
        "2027-03-20T19:00:00Z",
    );
    session(
        &dinner,
        "Toast",
        "2027-04-03T17:30:00Z",
        "2027-04-03T18:00:00Z",
    );
    let task = json!({ "event_id": launch, "title": "Flowers", "due_date": "2027-03-18" });
    events.make("create_event_task", task);
    let hall = json!({ "event_id": launch, "name": "Hall", "opens_at": "2027-03-20T16:30:00Z" });
    events.make("create_event_place", hall);
    organization.guest(
        serde_json::from_value(launch.clone()).expect("an id"),
        "Ana",
    );

    // Two weeks later the clock is an hour ahead: 18:00 in Berlin is 16:00 in UTC.
    let mut ops = organization.caller(Role::Staff, Host::Ops);
    let to = json!({ "event_id": launch, "start_at": "2027-04-03T16:00:00Z" });
    let done = twice(&mut ops, "move_event", &to);
    assert_eq!(done["event"]["end_at"], "2027-04-03T19:00:00+00:00");
    assert_eq!(
        done["sessions"][0]["start_time"],
        "2027-04-03T17:00:00+00:00"
    );
    assert_eq!(done["tasks"], json!(["Flowers"]));
    assert_eq!(
        done["conflicts"],
        json!(["“Talk” and “Toast” of “Dinner”, in “Hall”"])
    );
    assert_eq!(done["guests"], 1);
    let tasks = events.output("list_event_tasks", json!({ "event_id": launch }));
    assert_eq!(tasks["tasks"][0]["due_date"], "2027-04-01");
    assert_eq!(done["places"], json!(["Hall"]));
    let places = events.output("list_event_places", json!({ "event_id": launch }));
    assert_eq!(places["places"][0]["opens_at"], "2027-04-03T15:30:00+00:00");
    let later = json!({ "id": launch, "start_at": "2027-04-03T17:00:00Z" });
    let later = events.output("update_event", later);
    assert!(
        later["warnings"]
            .to_string()
            .contains("the place “Hall” opens and closes as before"),
        "{later}"
    );
    let undated =
        json!({ "event_id": organization.event("Some day"), "start_at": "2027-04-03T16:00:00Z" });
    ops.call("move_event", undated)
        .refuses("invalid_argument", "event_id");
    let teacher = organization
        .caller(Role::Teacher, Host::Ops)
        .call("move_event", to);
    assert_eq!(teacher.status, 403, "{}", teacher.body);
}

#[test]
fn a_report_shows_roles_arrivals_namesakes_and_collisions() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    let ana = organization.guest_with(event, "Ana", "speaker", "ana@example.org");
    organization.guest_with(event, "ana", "guest", "other@example.org");
    let mut events = organization.caller(Role::Staff, Host::Events);
    events.output("check_in_guest", json!({ "id": ana }));
    for (title, location) in [("Talk", "Hall"), ("Panel", "hall"), ("Walk", "Garden")] {
        let session = json!({
            "event_id": event, "title": title, "location": location, "guest_ids": [ana],
            "start_time": "2026-03-12T18:00:00Z", "end_time": "2026-03-12T19:00:00Z",
        });
        events.output("create_event_session", session);
    }
    let mut ops = organization.caller(Role::Finance, Host::Ops);
    let report = ops.output("event_report", json!({ "event_id": event }));
    assert_eq!(report["event"]["name"], "Launch");
    assert_eq!(
        report["roles"],
        json!([
            { "role": "guest", "guest_count": 1, "checked_in_count": 0 },
            { "role": "speaker", "guest_count": 1, "checked_in_count": 1 },
        ])
    );
    assert_eq!(report["arrivals"][0]["arrivals"], 1);
    assert_eq!(report["gates"], json!([{ "gate": null, "arrivals": 1 }]));
    assert_eq!(
        report["namesakes"][0]["guest_ids"].as_array().map(Vec::len),
        Some(2)
    );
    let collisions = report["collisions"].as_array().expect("a list");
    assert_eq!(collisions.len(), 3, "{report}");
    assert!(
        collisions.iter().all(|one| one["guests"] == json!(["Ana"])),
        "{report}"
    );
    assert_eq!(
        collisions
            .iter()
            .filter(|one| !one["location"].is_null())
            .count(),
        1
    );
    let unknown = json!({ "event_id": organization.member });
    ops.call("event_report", unknown)
        .refuses("not_found", "event_id");
}

#[test]
fn members_behind_their_cohort_are_listed() {
    let organization = Organization::create();
    organization.level(Role::Owner, 90);
    let mut learn = organization.caller(Role::Owner, Host::Learn);
    let cohort = learn.record("create_cohort", json!({ "name": "Robotics" }));
    let program = json!({ "name": "Robotics", "kind": "instance", "cohort_id": cohort["id"] });
    let program = learn.record("create_program", program);
    let stage = json!({ "program_id": program["id"], "title": "Start" });
    let stage = learn.record("create_stage", stage);
    let milestone = json!({ "stage_id": stage["id"], "title": "Build" });
    let milestone = learn.record("create_milestone", milestone);
    organization.join_cohort(&cohort["id"], organization.fellow);
    organization.join_cohort(&cohort["id"], organization.member);
    let mut ops = organization.caller(Role::Staff, Host::Ops);
    let of = json!({ "cohort_id": cohort["id"] });
    let report = ops.output("cohort_milestones", of.clone());
    assert_eq!(
        (&report["member_count"], &report["behind"]),
        (&json!(2), &json!([]))
    );

    let owner = frontdesk_tests::blocking::world().owner();
    let id: uuid::Uuid = milestone["id"]
        .as_str()
        .and_then(|id| id.parse().ok())
        .expect("an id");
    owner
        .execute(
            "insert into learn.milestone_completions (milestone_id, member_id, organization_id) values ($1, $2, $3)",
            &[&id, &organization.fellow.0, &organization.id.0],
        )
        .expect("a completion");
    // The embedded database has one session.
    drop(owner);
    let report = ops.output("cohort_milestones", of);
    let behind = &report["behind"][0];
    assert_eq!(behind["member_id"], json!(organization.member));
    assert_eq!(
        (
            &behind["open"][0]["title"],
            &behind["open"][0]["completed_by"]
        ),
        (&json!("Build"), &json!(1))
    );
}

#[test]
fn a_tree_of_work_is_created_whole() {
    let organization = Organization::create();
    let mut ops = organization.caller(Role::Owner, Host::Ops);
    let task = |name: &str| {
        json!({
            "name": name, "stage_id": "spec", "context": { "why": "Launch" }, "owner_id": organization.fellow,
        })
    };
    let tree = json!({
        "name": "Launch",
        "deliveries": [{ "name": "Site", "tasks": [task("Text"), task("Pictures")] }],
        "tasks": [task("Party")],
    });
    let done = twice(&mut ops, "create_work_tree", &tree);
    assert_eq!(names(&done["tasks"]), ["Text", "Pictures", "Party"]);
    let mut work = organization.caller(Role::Owner, Host::Work);
    let epics = work.output("list_epics", json!({}));
    assert_eq!(
        (&epics["total"], &epics["epics"][0]["number_of_tasks"]),
        (&json!(1), &json!(3))
    );

    let mut wrong = tree;
    wrong["deliveries"][0]["tasks"][1]["owner_id"] = json!(organization.business_unit);
    let refused = ops.call("create_work_tree", wrong);
    refused.refuses("not_found", "deliveries[0].tasks[1].owner_id");
    assert_eq!(work.output("list_epics", json!({}))["total"], 1);
}

#[test]
fn statement_lines_are_matched_with_entries() {
    let organization = Organization::create();
    let mut ledger = organization.caller(Role::Finance, Host::Financing);
    let mut account = |code: &str, kind: &str| {
        let account = json!({ "code": code, "name": code, "kind": kind });
        ledger.record("create_account", account)["id"].clone()
    };
    let (bank, rent) = (account("bank", "asset"), account("rent", "expense"));
    let mut post = |day: &str, amount: f64| {
        let line = |account: &Value, side: &str| json!({ "account_id": account, "side": side, "amount": amount });
        let lines = [line(&rent, "debit"), line(&bank, "credit")];
        let entry = json!({ "entry_on": day, "description": "Rent", "lines": lines });
        ledger.record("post_journal_entry", entry)["id"].clone()
    };
    let (far, near) = (post("2026-03-20", 12.5), post("2026-03-04", 12.5));
    post("2026-03-05", 99.0);
    let content = "date,description,amount\n2026-03-05,Rent,-12.50\n";
    ledger.output(
        "ingest_statement",
        json!({ "account_id": bank, "content": content }),
    );
    let mut ops = organization.caller(Role::Finance, Host::Ops);
    let found = ops.output("suggest_matches", json!({ "account_id": bank }));
    let suggestions = found["matches"][0]["suggestions"]
        .as_array()
        .expect("a list");
    let ids: Vec<_> = suggestions
        .iter()
        .map(|one| &one["journal_entry_id"])
        .collect();
    assert_eq!(ids, [&near, &far]);
    assert_eq!(suggestions[0]["days_apart"], 1);
}
