//! Accounts added from the command line.

use frontdesk_protocol::{Host, Role};
use frontdesk_server::accounts::{
    AccountError, NewAccount, add, list, organizations, set_password,
};
use frontdesk_tests::blocking::{Http, Organization, answer_to, world};
use frontdesk_tests::run;
use reqwest::{Method, StatusCode};
use serde_json::json;

#[test]
fn an_added_owner_signs_in_to_an_organisation_of_their_own() {
    let unique = uuid::Uuid::now_v7();
    let mut account = NewAccount {
        email: format!("Boss@{unique}.test"),
        password: "a long password".to_owned(),
        name: "Beatriz Boss".to_owned(),
        organization: format!("Added {unique}"),
        is_new_organization: true,
        role: Role::Owner,
    };
    let mut owner = world().owner();
    let added = run(add(&mut owner, &account)).expect("an account");
    assert!(added.has_new_organization && added.has_new_member == Some(true));
    account.is_new_organization = false;
    let again = run(add(&mut owner, &account));
    drop(owner);
    assert!(
        matches!(again, Err(AccountError::Exists { .. })),
        "{again:?}"
    );

    let http = Http::sign_in(&world().url(), &account.email, &account.password);
    let request = http
        .request(Method::GET, "/auth/v1/user")
        .bearer_auth(&http.token);
    let user = answer_to(request).body;
    assert_eq!(
        user["app_metadata"]["organization"],
        account.organization.as_str()
    );
    assert_eq!(user["app_metadata"]["role"], "owner");
    assert_eq!(user["app_metadata"]["level"], 100);
}

/// An account at an organisation that exists.
fn account(email: &str, organization: &str) -> NewAccount {
    NewAccount {
        email: email.to_owned(),
        name: "Ana Lima".to_owned(),
        password: "a long password".to_owned(),
        organization: organization.to_owned(),
        is_new_organization: false,
        role: Role::Staff,
    }
}

/// An account at a new organisation.
fn first_account(email: &str, organization: &str) -> NewAccount {
    NewAccount {
        is_new_organization: true,
        ..account(email, organization)
    }
}

#[test]
fn an_unknown_organisation_is_named_with_the_nearest_and_not_created() {
    let unique = uuid::Uuid::now_v7();
    let mut owner = world().owner();
    let school = format!("River School {unique}");
    let first = first_account(&format!("a@{unique}.test"), &school);
    run(add(&mut owner, &first)).expect("an account");
    let typo = account(
        &format!("b@{unique}.test"),
        &format!("Rivre School {unique}"),
    );
    let refused = run(add(&mut owner, &typo)).expect_err("it does not exist");
    let told = refused.to_string();
    assert!(told.contains(&format!("(the nearest: {school}")), "{told}");
    assert!(told.contains("--new-organization creates it"), "{told}");
    let all = run(organizations(&owner)).expect("organisations");
    assert!(all.iter().all(|one| one.name != typo.organization));
}

#[test]
fn an_added_account_is_linked_to_the_member_with_its_address_and_creates_tasks() {
    let organization = Organization::create();
    let email = format!("ana@{}.test", organization.id);
    let mut owner = world().owner();
    let name = "select name from app.organizations where id = $1";
    let name: String = owner
        .query_one(name, &[&organization.id.0])
        .expect("an organisation")
        .get(0);
    let member =
        "insert into learn.members (organization_id, name, personal_email) values ($1, 'Ana', $2)";
    let address = email.to_uppercase();
    owner
        .execute(member, &[&organization.id.0, &address])
        .expect("a member");
    let unique = format!("{name} {}", organization.id);
    let renamed = "update app.organizations set name = $2 where id = $1";
    owner
        .execute(renamed, &[&organization.id.0, &unique])
        .expect("a name");
    let added = run(add(&mut owner, &account(&email, &unique)));
    let added = added.expect("an account");
    drop(owner);
    assert!(!added.has_new_organization && added.has_new_member == Some(false));

    let mut ana = Http::sign_in(&world().url(), &email, "a long password");
    let task = json!({ "name": "Call", "stage_id": "spec", "context": { "why": "now" } });
    let task = ana.call(Host::Work, "create_task", task);
    assert!(task.output()["task"]["owner_id"].is_string(), "{task:?}");
}

#[test]
fn a_nearly_equal_organisation_and_an_invalid_address_are_refused() {
    let unique = uuid::Uuid::now_v7();
    let mut owner = world().owner();
    let first = first_account(
        &format!("a@{unique}.test"),
        &format!("River School {unique}"),
    );
    run(add(&mut owner, &first)).expect("an account");
    let mut second = account(
        &format!("b@{unique}.test"),
        &format!("river  school {unique}"),
    );
    let refused = run(add(&mut owner, &second));
    let Err(AccountError::Similar(name)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(name, first.organization);
    second.is_new_organization = true;
    let added = run(add(&mut owner, &second)).expect("an account");
    assert!(added.has_new_organization);
    let all = run(organizations(&owner)).expect("organisations");
    for wrong in ["ana", "ana@example", "@example.org", "a b@example.org"] {
        let refused = run(add(&mut owner, &account(wrong, "Nowhere")));
        assert!(
            matches!(refused, Err(AccountError::Address(_))),
            "{refused:?}"
        );
    }
    let ours = all
        .iter()
        .filter(|one| one.name.contains(&unique.to_string()));
    assert_eq!(ours.map(|one| one.accounts).sum::<i64>(), 2);
}

#[test]
fn a_password_that_is_set_ends_the_sign_ins_before_it() {
    let unique = uuid::Uuid::now_v7();
    let mut owner = world().owner();
    let ana = first_account(&format!("ana@{unique}.test"), &format!("School {unique}"));
    run(add(&mut owner, &ana)).expect("an account");
    drop(owner);
    let before = Http::sign_in(&world().url(), &ana.email, &ana.password);
    let mut owner = world().owner();
    let set = run(set_password(
        &mut owner,
        &ana.email,
        None,
        "another password",
    ));
    set.expect("a password");
    let unknown = run(set_password(
        &mut owner,
        "nobody@example.org",
        None,
        "another",
    ));
    assert!(
        matches!(unknown, Err(AccountError::NotFound(_))),
        "{unknown:?}"
    );
    let listed = run(list(&owner, Some(&ana.organization))).expect("accounts");
    drop(owner);
    assert_eq!(listed.len(), 1);
    assert_eq!(
        (listed[0].email.as_str(), listed[0].role.as_str()),
        (&*ana.email, "staff")
    );
    assert!(listed[0].is_active && listed[0].signed_in_at.is_some());

    Http::sign_in(&world().url(), &ana.email, "another password");
    let refreshed = before.refresh(None, &before.refresh_token);
    assert_ne!(refreshed.status, StatusCode::OK, "{refreshed:?}");
}
