//! People and their accounts: roles, members, leaving, and cohorts.

use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_server::server::Server;
use frontdesk_tests::blocking::{
    Answer, Browser, Http, Organization, answer_to, invite, join, world,
};
use frontdesk_tests::builder::PASSWORD;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

fn call(http: &mut Http, tool: &str, arguments: Value) -> Answer {
    http.call(Host::Staff, tool, arguments)
}

/// An organisation, and its owner, who has level 100.
fn school() -> (Organization, Http) {
    let organization = Organization::create();
    organization.level(Role::Owner, 100);
    let owner = organization.sign_in(Role::Owner);
    (organization, owner)
}

/// The account as `GET /auth/v1/user` describes it.
fn who_am_i(http: &Http) -> Value {
    let request = http
        .request(Method::GET, "/auth/v1/user")
        .bearer_auth(&http.token);
    let answer = answer_to(request);
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    answer.body["app_metadata"].clone()
}

#[test]
fn an_accepted_invitation_links_the_member_with_the_address_or_creates_one() {
    let (organization, mut owner) = school();
    let email = format!("ana@{}.test", organization.id);
    let member = json!({ "name": "Ana S.", "personal_email": email.to_uppercase() });
    let member = owner.call(Host::Learn, "create_member", member).output()["member"].clone();
    for (email, expected) in [
        (email, Some(&member["id"])),
        (format!("bia@{}.test", organization.id), None),
    ] {
        let link = invite(&mut owner, &email, Role::Staff);
        let joined = join(&mut Browser::default(), &link, "a good password");
        assert!(joined.status.is_success(), "{}", joined.text);
        let mut joined = Http::sign_in(&world().url(), &email, "a good password");
        let about = who_am_i(&joined);
        if let Some(expected) = expected {
            assert_eq!(about["member"]["id"], *expected);
        }
        let task = json!({ "name": "Call", "stage_id": "spec", "context": { "why": "now" } });
        let task = joined.call(Host::Work, "create_task", task);
        assert_eq!(task.output()["task"]["owner_id"], about["member"]["id"]);
    }
}

#[test]
fn an_invited_student_signs_in_as_a_fellow_and_is_the_member() {
    let (organization, mut owner) = school();
    let email = format!("ana@{}.test", organization.id);
    let mut learn = |tool: &str, arguments: Value| {
        let made = owner.call(Host::Learn, tool, arguments);
        made.output()["member"]["id"].clone()
    };
    // Two members have the address: the invitation is the second one's.
    learn(
        "create_member",
        json!({ "name": "Ada", "personal_email": email }),
    );
    let ana = json!({ "name": "Ana", "personal_email": email.to_uppercase() });
    let ana = learn("create_member", ana);
    let cohort = json!({ "name": "2026" });
    let cohort = owner.call(Host::Learn, "create_cohort", cohort).output()["cohort"]["id"].clone();
    let enroll = json!({ "member_id": ana, "cohort_id": cohort });
    call(&mut owner, "enroll_student", enroll).output();

    let invite = json!({ "member_id": ana });
    for role in [Role::Admin, Role::Staff, Role::Teacher] {
        let mut other = organization.sign_in(role);
        let refused = call(&mut other, "invite_student", invite.clone());
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{role:?}");
    }
    let first = call(&mut owner, "invite_student", invite.clone());
    let first = first.output();
    let invitation = &first["invitation"];
    assert_eq!(
        (&invitation["role"], &invitation["member_id"]),
        (&json!("fellow"), &ana)
    );
    assert_eq!(
        (&invitation["name"], &invitation["email"]),
        (&json!("Ana"), &json!(email))
    );
    let again = call(&mut owner, "invite_student", invite.clone());
    let link = again.output()["link"].clone();
    let [first, link] = [&first["link"], &link].map(|link| link.as_str().expect("a link"));
    let gone = Browser::default().get(first);
    assert_eq!(gone.status, StatusCode::NOT_FOUND, "{}", gone.text);
    let joined = join(&mut Browser::default(), link, "a good password");
    assert!(joined.text.contains("as fellow"), "{}", joined.text);

    let mut fellow = Http::sign_in(&world().url(), &email, "a good password");
    let about = who_am_i(&fellow);
    assert_eq!(
        (&about["role"], &about["member"]["id"]),
        (&json!("fellow"), &ana)
    );
    let seen = fellow.call(Host::Learn, "list_members", json!({}));
    assert_eq!(seen.output()["members"][0]["id"], ana);
    let again = call(&mut owner, "invite_student", invite);
    let reason = "this student already has an account";
    again.refuses_with("invalid_argument", "member_id", reason);
}

#[test]
fn a_student_without_an_address_or_with_that_of_an_account_is_not_invited() {
    let (organization, mut owner) = school();
    let taken = organization.email(Role::Teacher);
    let other = format!(
        "another account has the address {taken}: change the e-mail address of the member first"
    );
    for (member, reason) in [
        (
            json!({ "name": "Ana" }),
            "this student has no e-mail address: add one to the member first",
        ),
        (json!({ "name": "Ana", "personal_email": taken }), &other),
    ] {
        let member = owner.call(Host::Learn, "create_member", member);
        let invite = json!({ "member_id": member.output()["member"]["id"] });
        let refused = call(&mut owner, "invite_student", invite);
        refused.refuses_with("invalid_argument", "member_id", reason);
    }
    let (_, mut stranger) = school();
    let elsewhere = json!({ "member_id": organization.member });
    let refused = call(&mut stranger, "invite_student", elsewhere);
    refused.refuses("not_found", "member_id");
}

#[test]
fn the_invitation_of_a_student_ends_when_the_member_leaves() {
    let (organization, mut owner) = school();
    let email = format!("ana@{}.test", organization.id);
    let ana = json!({ "name": "Ana", "personal_email": email });
    let ana = owner.call(Host::Learn, "create_member", ana).output()["member"]["id"].clone();
    let invited = call(&mut owner, "invite_student", json!({ "member_id": ana }));
    let link = invited.output()["link"].clone();
    let link = link.as_str().expect("a link");
    for (hard, status) in [(false, StatusCode::GONE), (true, StatusCode::NOT_FOUND)] {
        let delete = json!({ "id": ana, "hard_delete": hard });
        owner.call(Host::Learn, "delete_member", delete).output();
        let page = Browser::default().get(link);
        assert_eq!(page.status, status, "{}", page.text);
        let again = call(&mut owner, "invite_student", json!({ "member_id": ana }));
        again.refuses(
            if hard {
                "not_found"
            } else {
                "invalid_argument"
            },
            "member_id",
        );
    }
}

#[test]
fn an_account_is_changed_by_owners_and_admins() {
    let (organization, mut owner) = school();
    let teacher = organization.user(Role::Teacher);
    let change = json!({
        "id": teacher, "name": "Tea Lima", "member_id": organization.member, "chat_user_id": "tea",
        "code_host_login": "Tea-L",
    });
    let changed = call(&mut owner, "update_staff_user", change);
    let changed = &changed.output()["staff_user"];
    assert_eq!(
        (&changed["name"], &changed["role"]),
        (&json!("Tea Lima"), &json!("teacher"))
    );
    assert_eq!(changed["member_id"], json!(organization.member));
    assert_eq!(
        (&changed["chat_user_id"], &changed["code_host_login"]),
        (&json!("tea"), &json!("Tea-L"))
    );
    // What is omitted stays, and null clears.
    let mut admin = organization.sign_in(Role::Admin);
    let cleared = json!({ "id": teacher, "chat_user_id": null });
    let cleared = call(&mut admin, "update_staff_user", cleared);
    let cleared = &cleared.output()["staff_user"];
    assert_eq!(
        (&cleared["chat_user_id"], &cleared["code_host_login"]),
        (&json!(null), &json!("Tea-L"))
    );

    let staff = organization.user(Role::Staff);
    for (field, value, code) in [
        ("member_id", json!(organization.member), "conflict"),
        ("code_host_login", json!("tea-l"), "conflict"),
        (
            "member_id",
            json!(Organization::create().member),
            "not_found",
        ),
    ] {
        let wrong = json!({ "id": staff, field: value });
        call(&mut owner, "update_staff_user", wrong).refuses(code, field);
    }
    let theirs = json!({ "id": Organization::create().user(Role::Staff), "name": "X" });
    call(&mut owner, "update_staff_user", theirs).refuses("not_found", "id");
}

#[test]
fn a_role_brings_its_level_and_takes_it_away() {
    let (organization, mut owner) = school();
    let teacher = organization.user(Role::Teacher);
    for (role, level) in [("admin", 80), ("owner", 100), ("teacher", 0)] {
        let set = json!({ "id": teacher, "role": role });
        call(&mut owner, "update_staff_user", set).output();
        let about = who_am_i(&organization.sign_in(Role::Teacher));
        assert_eq!(
            (&about["role"], &about["level"]),
            (&json!(role), &json!(level))
        );
    }
    // Nobody grants more than they have, and admins leave owners alone.
    let mut admin = organization.sign_in(Role::Admin);
    for (id, role) in [
        (teacher, "owner"),
        (organization.user(Role::Owner), "staff"),
    ] {
        let refused = call(
            &mut admin,
            "update_staff_user",
            json!({ "id": id, "role": role }),
        );
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    }
    let set = json!({ "id": teacher, "role": "admin" });
    call(&mut admin, "update_staff_user", set).output();
    assert_eq!(who_am_i(&organization.sign_in(Role::Teacher))["level"], 0);
}

#[test]
fn an_owner_who_never_signed_in_does_not_stay_alone() {
    let (organization, mut owner) = school();
    let own = organization.user(Role::Owner);
    let second = organization.user(Role::Admin);
    let promote = json!({ "id": second, "role": "owner" });
    call(&mut owner, "update_staff_user", promote).output();
    let leave = [
        (
            "set_staff_active",
            json!({ "id": own, "is_active": false }),
            "is_active",
        ),
        (
            "update_staff_user",
            json!({ "id": own, "role": "staff" }),
            "role",
        ),
        ("remove_staff_user", json!({ "id": own }), "id"),
    ];
    for (tool, arguments, field) in &leave {
        let refused = call(&mut owner, tool, arguments.clone());
        refused.refuses("invalid_argument", field);
        let message = refused.tool_error()["message"].to_string();
        assert!(message.contains("signed in"), "{message}");
    }
    organization.sign_in(Role::Admin);
    let (tool, arguments, _) = &leave[1];
    call(&mut owner, tool, arguments.clone()).output();
}

/// Asserts that the tokens of this sign-in are refused here and by the other process.
#[track_caller]
fn is_signed_out(http: &mut Http, other: &Server) {
    for http in [http.clone(), http.at(&other.url())] {
        let refused = http.initialize(Host::Events, "2025-11-25");
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{}", refused.body);
        let message = &refused.body["error"]["message"];
        assert_eq!(message, "the sign-in of this access token has ended");
        assert!(refused.header("www-authenticate").contains("has ended"));
        let request = http.request(Method::GET, "/auth/v1/user");
        let refused = answer_to(request.bearer_auth(&http.token));
        assert_eq!(refused.body["error_code"], "session_not_found");
        let body = json!({ "current_password": PASSWORD, "password": "another good password" });
        let request = http.request(Method::PUT, "/auth/v1/user");
        let refused = answer_to(request.bearer_auth(&http.token).json(&body));
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{}", refused.body);
        let refused = http.refresh(None, &http.refresh_token);
        assert_eq!(refused.body["error_code"], "refresh_token_not_found");
    }
}

#[test]
fn a_sign_in_that_ends_at_one_process_has_ended_at_all() {
    let other = world().server(Clock::system(), 0);
    let (organization, mut owner) = school();
    let of = |role| organization.sign_in(role);
    // An undo of the deactivation gives no sign-in back.
    let mut teacher = of(Role::Teacher);
    let off = json!({ "id": organization.user(Role::Teacher), "is_active": false });
    call(&mut owner, "set_staff_active", off).output();
    let changes = owner.call(Host::Ops, "list_changes", json!({ "limit": 1 }));
    let last = &changes.output()["changes"][0]["id"];
    (owner.call(Host::Ops, "undo_change", json!({ "change_id": last }))).output();
    is_signed_out(&mut teacher, &other);
    of(Role::Teacher)
        .call(Host::Events, "list_events", json!({}))
        .output();

    let mut staff = of(Role::Staff);
    let request = staff.request(Method::POST, "/auth/v1/logout");
    let ended = answer_to(request.bearer_auth(&staff.token));
    assert_eq!(ended.status, StatusCode::NO_CONTENT, "{}", ended.body);
    is_signed_out(&mut staff, &other);

    let (kept, mut ended) = (of(Role::Finance), of(Role::Finance));
    let body = json!({ "current_password": PASSWORD, "password": "a password of her own" });
    let request = kept.request(Method::PUT, "/auth/v1/user");
    let changed = answer_to(request.bearer_auth(&kept.token).json(&body));
    assert_eq!(changed.status, StatusCode::NO_CONTENT, "{}", changed.body);
    is_signed_out(&mut ended, &other);
    let here = kept.initialize(Host::Events, "2025-11-25");
    let there = kept.at(&other.url()).initialize(Host::Events, "2025-11-25");
    assert_eq!(
        (here.status, there.status),
        (StatusCode::OK, StatusCode::OK)
    );
}

#[test]
fn who_is_deactivated_is_signed_out_at_once_and_told_why() {
    let (organization, mut owner) = school();
    let mut teacher = organization.sign_in(Role::Teacher);
    teacher
        .call(Host::Events, "list_events", json!({}))
        .output();
    let set =
        |is_active: bool| json!({ "id": organization.user(Role::Teacher), "is_active": is_active });
    call(&mut owner, "set_staff_active", set(false)).output();
    let used = teacher.rpc(Host::Events, "tools/call", json!({ "name": "list_events" }));
    for refused in [used, teacher.initialize(Host::Staff, "2025-06-18")] {
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{}", refused.body);
        assert_eq!(
            refused.body["error"]["message"],
            "the account was deactivated"
        );
        assert!(refused.header("www-authenticate").contains("deactivated"));
    }
    let request = teacher
        .request(Method::GET, "/auth/v1/user")
        .bearer_auth(&teacher.token);
    let refused = answer_to(request);
    assert_eq!(
        (refused.status, &refused.body["error_code"]),
        (StatusCode::UNAUTHORIZED, &json!("user_banned"))
    );
    let refused = teacher.refresh(None, &teacher.refresh_token);
    assert_eq!(
        refused.body["error_code"], "user_banned",
        "{}",
        refused.body
    );
    let email = organization.email(Role::Teacher);
    let refused = teacher.password_grant(&email, PASSWORD);
    assert_eq!(refused.body["error_code"], "user_banned");
    // Sign-ins from before stay ended, at every process.
    call(&mut owner, "set_staff_active", set(true)).output();
    let other = world().server(Clock::system(), 0);
    is_signed_out(&mut teacher, &other);
    organization
        .sign_in(Role::Teacher)
        .call(Host::Events, "list_events", json!({}))
        .output();
}

/// Whether a fellow's tokens work, and whether the password does.
fn is_locked_out(organization: &Organization, fellow: &Http) -> bool {
    let used = fellow.initialize(Host::Learn, "2025-06-18").status;
    let email = organization.email(Role::Fellow);
    let signed_in = fellow.password_grant(&email, PASSWORD).status;
    match (used, signed_in) {
        (StatusCode::UNAUTHORIZED, StatusCode::BAD_REQUEST) => true,
        (_, StatusCode::OK) => false,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_owner_locks_a_fellow_out_and_in_again() {
    let (organization, mut owner) = school();
    let fellow = organization.sign_in(Role::Fellow);
    let user = organization.user(Role::Fellow);
    let mut set = |is_active: bool| {
        let set = json!({ "id": user, "is_active": is_active });
        owner.call(Host::Ops, "set_account_active", set)
    };
    assert_eq!(set(false).output()["account"]["is_active"], false);
    assert!(is_locked_out(&organization, &fellow));
    assert_eq!(set(true).output()["account"]["is_active"], true);
    assert!(!is_locked_out(&organization, &fellow));
    let link = owner.call(
        Host::Ops,
        "issue_account_password_link",
        json!({ "id": user }),
    );
    assert_eq!(link.output()["email"], organization.email(Role::Fellow));
    let removed = owner.call(Host::Ops, "remove_account", json!({ "id": user }));
    assert_eq!(removed.output()["account"]["role"], "fellow");
    let used = fellow.initialize(Host::Learn, "2025-06-18");
    assert_eq!(used.body["error"]["message"], "the account was removed");
}

#[test]
fn a_member_who_was_deactivated_cannot_sign_in() {
    let (organization, mut owner) = school();
    let fellow = organization.sign_in(Role::Fellow);
    let mut set = |tool: &str, more: Value| {
        let mut set = json!({ "id": organization.fellow });
        set.as_object_mut()
            .expect("an object")
            .extend(more.as_object().cloned().unwrap_or_default());
        owner.call(Host::Learn, tool, set)
    };
    let told = json!(["their account can no longer sign in"]);
    for (tool, more) in [
        ("update_member", json!({ "is_active": false })),
        ("delete_member", json!({})),
    ] {
        assert_eq!(set(tool, more).output()["warnings"], told);
        assert!(is_locked_out(&organization, &fellow), "{tool}");
        set("update_member", json!({ "is_active": true })).output();
        assert!(!is_locked_out(&organization, &fellow), "{tool}");
    }
    // The account's own state stays.
    let user = organization.user(Role::Fellow);
    let off = json!({ "id": user, "is_active": false });
    owner.call(Host::Ops, "set_account_active", off).output();
    for is_active in [false, true] {
        let member = json!({ "id": organization.fellow, "is_active": is_active });
        owner.call(Host::Learn, "update_member", member).output();
    }
    assert!(is_locked_out(&organization, &fellow));
}

#[test]
fn the_member_of_an_account_on_the_staff_locks_nobody_out() {
    let (organization, mut owner) = school();
    let user = organization.user(Role::Teacher);
    let link = json!({ "id": user, "member_id": organization.member });
    call(&mut owner, "update_staff_user", link).output();
    let off = json!({ "id": organization.member });
    let warned = owner.call(Host::Learn, "delete_member", off);
    let warning = warned.output()["warnings"][0].to_string();
    assert!(warning.contains("can still sign in"), "{warning}");
    (organization
        .sign_in(Role::Teacher)
        .call(Host::Events, "list_events", json!({})))
    .output();
}

#[test]
fn only_owners_activate_an_account_whichever_way() {
    let (organization, mut owner) = school();
    organization.level(Role::Admin, 100);
    let mut admin = organization.sign_in(Role::Admin);
    let user = organization.user(Role::Fellow);
    let set = |is_active: bool| json!({ "id": user, "is_active": is_active });
    let refused = admin.call(Host::Ops, "set_account_active", set(false));
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    owner
        .call(Host::Ops, "set_account_active", set(false))
        .output();
    let changes = owner.call(Host::Ops, "list_changes", json!({ "limit": 1 }));
    let last = json!({ "change_id": changes.output()["changes"][0]["id"] });
    let refused = admin.call(Host::Ops, "undo_change", last.clone());
    assert_ne!(refused.body["result"]["isError"], false, "{}", refused.body);
    owner.call(Host::Ops, "undo_change", last).output();
    assert!(!is_locked_out(
        &organization,
        &organization.sign_in(Role::Fellow)
    ));
}

#[test]
fn an_owner_chooses_time_zone_and_currency() {
    let (_, mut owner) = school();
    let series = json!({
        "title": "Review", "first_on": "2027-01-04", "recurrence_start_time": "09:00", "recurrence_end_time": "09:30",
    });
    owner
        .call(Host::Work, "create_meeting_series", series)
        .output();
    let place = json!({ "time_zone": "Europe/Lisbon", "currency": "EUR" });
    let set = call(&mut owner, "update_organization", place);
    assert_eq!(
        set.output()["warnings"],
        json!([
            "1 series will meet at another moment, since the time of day stays: “Review” on 2027-01-04 at 09:00 instead of \
             12:00 UTC"
        ])
    );
    let set = &set.output()["organization"];
    assert_eq!(
        (&set["time_zone"], &set["currency"]),
        (&json!("Europe/Lisbon"), &json!("EUR"))
    );
    let context = owner.call(Host::Ops, "get_context", json!({}));
    assert_eq!(context.output()["context"]["time_zone"], "Europe/Lisbon");
    let wrong = json!({ "time_zone": "Lisbon" });
    call(&mut owner, "update_organization", wrong).refuses("invalid_argument", "time_zone");
}

#[test]
fn tickets_are_found_in_the_tags_that_the_owner_names() {
    let (organization, mut owner) = school();
    let event = organization.event("Open day");
    let tags = [
        ("Ana", json!({ "barcode": "B-1" })),
        ("Bia", json!({ "barcode_old": "B-1", "seat": ["A 7", 12] })),
        ("Caio", json!({ "ticket_code": "B-1" })),
    ];
    for (name, tags) in tags {
        let guest = json!({ "event_id": event, "name": name, "tags": tags });
        owner.events("create_event_guest", guest).output();
    }
    let found = |owner: &mut Http, search: &str| -> Vec<String> {
        let search = json!({ "event_id": event, "search": search });
        let found = owner.events("list_event_guests", search);
        let found = found.output()["guests"].as_array().expect("a list").clone();
        let found = found.iter().filter(|guest| guest["matched"] == "ticket");
        found
            .map(|guest| guest["name"].as_str().expect("a name").to_owned())
            .collect()
    };
    assert_eq!(found(&mut owner, "b-1"), ["Caio"]);
    let names = json!({ "ticket_tags": ["barcode", "seat"] });
    let named = call(&mut owner, "update_organization", names);
    assert_eq!(
        named.output()["organization"]["ticket_tags"],
        json!(["barcode", "seat"])
    );
    assert_eq!(found(&mut owner, "b-1"), ["Ana", "Caio"]);
    assert_eq!(found(&mut owner, "12"), ["Bia"]);
    assert_eq!(
        found(&mut owner, r#"{"t":"a 7","b":"b-1"}"#),
        ["Ana", "Caio"]
    );
    let desk = owner.events("get_event", json!({ "id": event }));
    assert_eq!(
        desk.output()["event"]["ticket_tags"],
        json!(["barcode", "seat"])
    );
    let wrong = json!({ "ticket_tags": [""] });
    call(&mut owner, "update_organization", wrong).refuses("invalid_argument", "ticket_tags[0]");
}

#[test]
fn what_a_removed_account_wrote_stays_under_a_former_name() {
    let (organization, mut owner) = school();
    let user = organization.user(Role::Staff);
    let name = json!({ "id": user, "name": "Sam", "member_id": organization.member });
    call(&mut owner, "update_staff_user", name).output();
    let mut sam = organization.sign_in(Role::Staff);
    let article = json!({ "title": "Keys", "content": "Two." });
    let article = sam.call(Host::Learn, "create_wiki_article", article);
    assert_eq!(article.output()["wiki_article"]["author_id"], json!(user));

    let removed = call(&mut owner, "remove_staff_user", json!({ "id": user }));
    assert_eq!(removed.output()["staff_user"]["name"], "Sam");
    let refused = sam.rpc(Host::Learn, "tools/call", json!({ "name": "list_members" }));
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{}", refused.body);
    assert_eq!(refused.body["error"]["message"], "the account was removed");
    let profile = owner.call(Host::Learn, "get_profile", json!({ "id": user }));
    assert_eq!(profile.output()["profile"]["name"], "Sam (former)");
    let read = owner.call(Host::Learn, "get_wiki_article", json!({ "slug": "keys" }));
    assert_eq!(read.output()["wiki_article"]["author_id"], json!(user));
    let member = owner.call(
        Host::Learn,
        "get_member",
        json!({ "id": organization.member }),
    );
    assert_eq!(member.output()["member"]["name"], "Member");
    let accounts = owner.call(Host::Ops, "list_accounts", json!({ "search": "sam" }));
    assert_eq!(accounts.output()["accounts"], json!([]));
    // The address is free.
    let link = invite(&mut owner, &organization.email(Role::Staff), Role::Staff);
    let joined = join(&mut Browser::default(), &link, "a good password");
    assert!(joined.status.is_success(), "{}", joined.text);
}

#[test]
fn an_organisation_is_renamed_by_its_owners() {
    let (organization, mut owner) = school();
    let slug = format!("school-{}", &organization.id.to_string()[24..]);
    let rename = json!({ "name": "River School", "slug": slug });
    let renamed = call(&mut owner, "update_organization", rename);
    let renamed = &renamed.output()["organization"];
    assert_eq!(
        (&renamed["name"], &renamed["slug"]),
        (&json!("River School"), &json!(slug))
    );
    let about = who_am_i(&owner);
    assert_eq!(
        (&about["organization"], &about["organization_slug"]),
        (&json!("River School"), &json!(slug))
    );
    assert_eq!(about["organization_id"], json!(organization.id));
    let other = school()
        .1
        .call(Host::Staff, "update_organization", json!({ "slug": slug }));
    other.refuses("conflict", "slug");
}

#[test]
fn a_member_is_enrolled_and_withdrawn_and_keeps_what_they_completed() {
    let (organization, mut owner) = school();
    let mut learn = |tool: &str, arguments: Value| {
        let made = owner.call(Host::Learn, tool, arguments);
        let made = made
            .output()
            .as_object()
            .and_then(|made| made.values().next().cloned());
        made.expect("a record")
    };
    let template = learn("create_program", json!({ "name": "Fellowship" }))["id"].clone();
    let stage = learn(
        "create_stage",
        json!({ "program_id": template, "title": "A" }),
    )["id"]
        .clone();
    let course = learn("create_course", json!({ "title": "Rust" }))["id"].clone();
    let lesson = json!({ "course_id": course, "title": "A", "status": "published" });
    let lesson = learn("create_lesson", lesson)["id"].clone();
    learn(
        "create_milestone",
        json!({ "stage_id": stage, "title": "Demo", "linked_material_id": lesson }),
    );
    let cohort = learn("create_cohort", json!({ "name": "Turma 1" }))["id"].clone();
    learn(
        "instantiate_program",
        json!({ "template_id": template, "cohort_id": cohort }),
    );
    let place = json!({ "member_id": organization.fellow, "cohort_id": cohort });

    let mut staff = organization.sign_in(Role::Staff);
    for _ in 0..2 {
        let enrolled = call(&mut staff, "enroll_student", place.clone());
        let student = &enrolled.output()["student"];
        assert_eq!(
            (&student["cohort_ids"], &student["total"]),
            (&json!([cohort]), &json!(1))
        );
    }
    let mut fellow = organization.sign_in(Role::Fellow);
    fellow
        .call(
            Host::Learn,
            "mark_lesson_complete",
            json!({ "lesson_id": lesson }),
        )
        .output();
    let listed = call(&mut staff, "list_students", json!({ "cohort_id": cohort }));
    assert_eq!(listed.output()["students"][0]["percentage"], 100.0);

    for _ in 0..2 {
        let withdrawn = call(&mut staff, "withdraw_student", place.clone());
        let student = &withdrawn.output()["student"];
        assert_eq!(
            (&student["cohort_ids"], &student["total"]),
            (&json!([]), &json!(0))
        );
    }
    assert_eq!(
        call(&mut staff, "list_students", json!({})).output()["students"],
        json!([])
    );
    let back = call(&mut staff, "enroll_student", place.clone());
    assert_eq!(back.output()["student"]["done"], 1);
    let progress = json!({ "cohort_id": cohort });
    let progress = owner.call(Host::Learn, "get_program_member_progress", progress);
    assert_eq!(progress.output()["progress"][0]["percentage"], 100.0);

    let theirs = Organization::create();
    for tool in ["enroll_student", "withdraw_student"] {
        let wrong = json!({ "member_id": theirs.member, "cohort_id": cohort });
        call(&mut staff, tool, wrong).refuses("not_found", "member_id");
        let wrong = json!({ "member_id": organization.fellow, "cohort_id": uuid::Uuid::new_v4() });
        call(&mut staff, tool, wrong).refuses("not_found", "cohort_id");
    }
}

#[test]
fn teachers_and_finance_do_not_enrol() {
    let (organization, mut owner) = school();
    let cohort = owner.call(Host::Learn, "create_cohort", json!({ "name": "Turma 1" }));
    let cohort = cohort.output()["cohort"]["id"].clone();
    let place = json!({ "member_id": organization.member, "cohort_id": cohort });
    for role in [Role::Teacher, Role::Finance, Role::Automation] {
        let mut caller = organization.sign_in(role);
        for tool in ["enroll_student", "withdraw_student"] {
            let refused = call(&mut caller, tool, place.clone());
            assert_eq!(
                refused.status,
                StatusCode::FORBIDDEN,
                "{role:?}: {}",
                refused.body
            );
        }
    }
    for role in [Role::Owner, Role::Admin] {
        let mut caller = organization.sign_in(role);
        call(&mut caller, "enroll_student", place.clone()).output();
    }
}

#[test]
fn spaces_around_an_address_are_not_kept() {
    let (organization, mut owner) = school();
    let member = json!({ "name": "Ana", "personal_email": " ana@example.org " });
    let member = owner.call(Host::Learn, "create_member", member);
    assert_eq!(
        member.output()["member"]["personal_email"],
        "ana@example.org"
    );
    let event = organization.event("Open Day");
    let guest = json!({ "event_id": event, "name": "Bia", "email": "bia@example.org " });
    let guest = owner.call(Host::Events, "create_event_guest", guest);
    assert_eq!(guest.output()["guest"]["email"], "bia@example.org");
}
