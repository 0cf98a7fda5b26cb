//! A right that is revoked is gone at the very next call, with the same token and session.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Account, Http, world};
use reqwest::StatusCode;
use serde_json::json;

use crate::access::hosts::events::AREA;
use crate::access::hosts::offered;
use crate::access::stage::{Stage, write};
use crate::access::verdict::{Verdict, ids};

fn guests(http: &mut Http, stage: &Stage) -> Vec<String> {
    let arguments = json!({ "event_id": stage.rows.event });
    let answer = http.events("list_event_guests", arguments);
    ids(answer.output(), "guests")
}

fn rename(http: &mut Http, stage: &Stage, name: &str) -> Verdict {
    let arguments = json!({ "id": stage.rows.other_guest, "name": name });
    Verdict::of(&http.events("update_event_guest", arguments))
}

fn check_in(http: &mut Http, stage: &Stage) -> Verdict {
    let arguments = json!({ "id": stage.rows.other_guest });
    Verdict::of(&http.events("check_in_guest", arguments))
}

#[test]
fn a_staff_row_that_is_set_inactive_is_the_end_of_every_right() {
    let stage = Stage::set();
    let mut staff = stage.ours.sign_in(Role::Staff);
    let user = stage.ours.user(Role::Staff).0;
    assert_eq!(guests(&mut staff, &stage).len(), 2);
    assert_eq!(rename(&mut staff, &stage, "Before"), Verdict::Done);
    let session = staff.session(Host::Events);

    let set_active = "update staff.users set is_active = $2 where id = $1";
    write(set_active, &[&user, &false]);
    let not_found = Verdict::NotFound("id".to_owned());
    assert_eq!(rename(&mut staff, &stage, "After"), not_found);
    assert_eq!(check_in(&mut staff, &stage), not_found);
    assert!(guests(&mut staff, &stage).is_empty());
    assert!(offered(Host::Events, &mut staff).is_empty());
    assert_eq!(stage.ours.checked_in_at(stage.rows.other_guest), None);

    write(set_active, &[&user, &true]);
    assert_eq!(check_in(&mut staff, &stage), Verdict::Done);
    assert_eq!(guests(&mut staff, &stage).len(), 2);
    assert_eq!(staff.session(Host::Events), session);
}

#[test]
fn a_changed_role_is_the_role_of_the_next_call() {
    let stage = Stage::set();
    let mut http = stage.ours.sign_in(Role::Admin);
    let user = stage.ours.user(Role::Admin).0;
    let staff_roles = Role::ALL.into_iter().filter(|role| *role != Role::Fellow);
    for role in staff_roles {
        write(
            "update staff.users set role = $2 where id = $1",
            &[&user, &role.name()],
        );
        assert_eq!(
            offered(Host::Events, &mut http),
            AREA.useful(role),
            "{role:?}"
        );
        let name = format!("Renamed by {role:?}");
        let expected = match role {
            Role::Owner | Role::Admin | Role::Staff => Verdict::Done,
            Role::Teacher | Role::Finance | Role::Fellow => Verdict::Forbidden,
            Role::Automation => Verdict::NotFound("id".to_owned()),
        };
        assert_eq!(rename(&mut http, &stage, &name), expected, "{role:?}");
    }
}

#[test]
fn who_loses_the_staff_row_and_has_a_profile_is_a_fellow_from_then_on() {
    let stage = Stage::set();
    let account = Account::create();
    let (id, organization) = (account.id.0, stage.ours.id.0);
    write(
        "insert into staff.users (id, organization_id, role) values ($1, $2, 'staff')",
        &[&id, &organization],
    );
    write(
        "insert into learn.profiles (id, organization_id, name) values ($1, $2, 'Both')",
        &[&id, &organization],
    );
    let mut http = account.sign_in();
    assert_eq!(guests(&mut http, &stage).len(), 2);

    write("delete from staff.users where id = $1", &[&id]);
    assert!(guests(&mut http, &stage).is_empty());
    assert_eq!(offered(Host::Events, &mut http), AREA.useful(Role::Fellow));
    let event = http.events("get_event", json!({ "id": stage.rows.event }));
    assert_eq!(event.output()["event"]["guest_count"], 0);

    write("delete from learn.profiles where id = $1", &[&id]);
    let event = http.events("get_event", json!({ "id": stage.rows.event }));
    assert!(event.output()["event"].is_null());
}

#[test]
fn a_staff_row_and_a_profile_belong_to_one_organisation() {
    let stage = Stage::set();
    let (ours, theirs) = (stage.ours.id.0, stage.theirs.id.0);
    let staff = "insert into staff.users (id, organization_id, role) values ($1, $2, 'staff')";
    let profile = "insert into learn.profiles (id, organization_id, name) values ($1, $2, 'Both')";
    for (first, second, name) in [
        (staff, profile, "profiles_organization_id_check"),
        (profile, staff, "users_organization_id_check"),
    ] {
        let id = Account::create().id.0;
        let owner = world().owner();
        owner.execute(first, &[&id, &ours]).expect("the first");
        let refused = owner.execute(second, &[&id, &theirs]);
        let refused = refused.expect_err("the second is in another organisation");
        let constraint = refused.as_db_error().and_then(|error| error.constraint());
        assert_eq!(constraint, Some(name));
        owner.execute(second, &[&id, &ours]).expect("the second");
        // Who moves takes both rows along.
        let one = "update staff.users set organization_id = $2 where id = $1";
        owner
            .execute(one, &[&id, &theirs])
            .expect_err("the profile stays behind");
        let both = format!(
            "begin; set constraints all deferred; \
             update staff.users set organization_id = '{theirs}' where id = '{id}'; \
             update learn.profiles set organization_id = '{theirs}' where id = '{id}'; commit"
        );
        owner.batch_execute(&both).expect("both moved");
    }
}

#[test]
fn a_guest_who_is_no_longer_linked_is_no_longer_the_fellow_s() {
    let stage = Stage::set();
    let mut fellow = stage.ours.sign_in(Role::Fellow);
    assert_eq!(
        guests(&mut fellow, &stage),
        [stage.rows.own_guest.to_string()]
    );
    write(
        "update events.guests set member_id = null where id = $1",
        &[&stage.rows.own_guest.0],
    );
    assert!(guests(&mut fellow, &stage).is_empty());
}

#[test]
fn who_moves_to_another_organisation_leaves_the_first_one_s_rows_behind() {
    let stage = Stage::set();
    let mut staff = stage.ours.sign_in(Role::Staff);
    assert_eq!(guests(&mut staff, &stage).len(), 2);
    write(
        "update staff.users set organization_id = $2 where id = $1",
        &[&stage.ours.user(Role::Staff).0, &stage.theirs.id.0],
    );
    assert!(guests(&mut staff, &stage).is_empty());
    let answer = staff.events("list_events", json!({}));
    let events = ids(answer.output(), "events");
    assert_eq!(events, [stage.their_rows.event.to_string()]);
}

#[test]
fn the_staff_management_host_shows_the_door_to_who_is_staff_no_more() {
    let stage = Stage::set();
    let mut staff = stage.ours.sign_in(Role::Staff);
    staff.rpc(Host::Staff, "tools/list", json!({})).result();
    write(
        "update staff.users set is_active = false where id = $1",
        &[&stage.ours.user(Role::Staff).0],
    );
    let answer = staff.rpc(Host::Staff, "tools/list", json!({}));
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.body);
    let message = &answer.body["error"]["message"];
    assert_eq!(message, "Caller is not a registered staff user");
}

/// What a call knows of its caller is written by triggers. Whatever the other tests do at this moment, each row is what the
/// tables say: rows and triggers are of one transaction.
#[test]
fn the_row_of_each_caller_is_what_its_tables_say() {
    let stage = Stage::set();
    let wrong = "select k.id::text from (select id from auth.users union select id from staff.users \
           union select id from learn.profiles union select id from app.callers) c \
         left join app.callers k on k.id = c.id \
         left join auth.users a on a.id = c.id \
         left join staff.users s on s.id = c.id \
         left join learn.profiles p on p.id = c.id and (s.is_active is not false or p.member_id is not null) \
         where (k.organization, k.role, k.level, k.member_id, k.is_inactive, k.is_removed, k.rights_taken_at) \
           is distinct from (coalesce(case when s.is_active then s.organization_id end, p.organization_id), \
             case when s.is_active then s.role when p.id is not null then 'fellow' else '' end, \
             case when s.is_active is false then 0 else coalesce(p.level, 0) end, p.member_id, \
             not coalesce(a.is_active, true), p.removed_at is not null, s.rights_taken_at)";
    let user = stage.ours.user(Role::Staff).0;
    let changes = [
        "update staff.users set role = 'teacher' where id = $1",
        "update staff.users set is_active = false where id = $1",
        "update auth.users set is_active = false where id = $1",
        "update learn.profiles set level = 70 where id = $1",
        "update staff.users set is_active = true where id = $1",
        "update auth.users set is_active = true where id = $1",
        "update learn.profiles set removed_at = now() where id = $1",
        "delete from staff.users where id = $1",
        "delete from auth.users where id = $1",
        "delete from learn.profiles where id = $1",
    ];
    stage.ours.level(Role::Staff, 80);
    for change in changes {
        write(change, &[&user]);
        let wrong = world().owner().query(wrong, &[]).expect("the callers");
        let wrong: Vec<String> = wrong.iter().map(|row| row.get(0)).collect();
        assert_eq!(wrong, [""; 0], "{change}");
    }
}
