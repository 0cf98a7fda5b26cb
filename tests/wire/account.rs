//! Accounts added from the command line.

use frontdesk_protocol::{Host, Role};
use frontdesk_server::accounts::{
    AccountError, NewAccount, add, list, organizations, set_password,
};
use frontdesk_tests::{Answer, Http, Organization, run, world};
use reqwest::{Method, StatusCode};
use serde_json::json;

#[test]
fn an_added_owner_signs_in_to_an_organisation_of_their_own() {
    run(async {
        let unique = uuid::Uuid::now_v7();
        let account = NewAccount {
            email: format!("Boss@{unique}.test"),
            password: "a long password".to_owned(),
            name: "Beatriz Boss".to_owned(),
            organization: format!("Added {unique}"),
            is_new_organization: false,
            role: Role::Owner,
        };
        let mut owner = world().owner().await;
        let added = add(&mut owner, &account).await.expect("an account");
        assert!(added.has_new_organization && added.has_new_member);
        let again = add(&mut owner, &account).await;
        drop(owner);
        assert!(
            matches!(again, Err(AccountError::Exists { .. })),
            "{again:?}"
        );

        let http = Http::sign_in(&world().url(), &account.email, &account.password).await;
        let request = http
            .request(Method::GET, "/auth/v1/user")
            .bearer_auth(&http.token);
        let user = Answer::to(request).await.body;
        assert_eq!(
            user["app_metadata"]["organization"],
            account.organization.as_str()
        );
        assert_eq!(user["app_metadata"]["role"], "owner");
        assert_eq!(user["app_metadata"]["level"], 100);
    });
}

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

#[test]
fn an_added_account_is_linked_to_the_member_with_its_address_and_creates_tasks() {
    run(async {
        let organization = Organization::create().await;
        let email = format!("ana@{}.test", organization.id);
        let mut owner = world().owner().await;
        let name = "select name from app.organizations where id = $1";
        let name: String = owner
            .query_one(name, &[&organization.id.0])
            .await
            .expect("an organisation")
            .get(0);
        let member = "insert into learn.members (organization_id, name, personal_email) values ($1, 'Ana', $2)";
        let address = email.to_uppercase();
        owner
            .execute(member, &[&organization.id.0, &address])
            .await
            .expect("a member");
        let unique = format!("{name} {}", organization.id);
        let renamed = "update app.organizations set name = $2 where id = $1";
        owner
            .execute(renamed, &[&organization.id.0, &unique])
            .await
            .expect("a name");
        let added = add(&mut owner, &account(&email, &unique)).await;
        let added = added.expect("an account");
        drop(owner);
        assert!(!added.has_new_organization && !added.has_new_member);

        let mut ana = Http::sign_in(&world().url(), &email, "a long password").await;
        let task = json!({ "name": "Call", "stage_id": "spec", "context": { "why": "now" } });
        let task = ana.call(Host::Work, "create_task", task).await;
        assert!(task.output()["task"]["owner_id"].is_string(), "{task:?}");
    });
}

#[test]
fn an_organisation_that_is_nearly_there_and_an_address_that_is_none_are_refused() {
    run(async {
        let unique = uuid::Uuid::now_v7();
        let mut owner = world().owner().await;
        let first = account(
            &format!("a@{unique}.test"),
            &format!("River School {unique}"),
        );
        add(&mut owner, &first).await.expect("an account");
        let mut second = account(
            &format!("b@{unique}.test"),
            &format!("river  school {unique}"),
        );
        let refused = add(&mut owner, &second).await;
        let Err(AccountError::Similar(name)) = refused else {
            panic!("{refused:?}");
        };
        assert_eq!(name, first.organization);
        second.is_new_organization = true;
        let added = add(&mut owner, &second).await.expect("an account");
        assert!(added.has_new_organization);
        let all = organizations(&owner).await.expect("organisations");
        for wrong in ["ana", "ana@example", "@example.org", "a b@example.org"] {
            let refused = add(&mut owner, &account(wrong, "Nowhere")).await;
            assert!(
                matches!(refused, Err(AccountError::Address(_))),
                "{refused:?}"
            );
        }
        let ours = all
            .iter()
            .filter(|(name, _)| name.contains(&unique.to_string()));
        assert_eq!(ours.map(|(_, accounts)| accounts).sum::<i64>(), 2);
    });
}

#[test]
fn a_password_that_is_set_ends_the_sign_ins_before_it() {
    run(async {
        let unique = uuid::Uuid::now_v7();
        let mut owner = world().owner().await;
        let ana = account(&format!("ana@{unique}.test"), &format!("School {unique}"));
        add(&mut owner, &ana).await.expect("an account");
        drop(owner);
        let before = Http::sign_in(&world().url(), &ana.email, &ana.password).await;
        let mut owner = world().owner().await;
        let set = set_password(&mut owner, &ana.email, None, "another password").await;
        set.expect("a password");
        let unknown = set_password(&mut owner, "nobody@example.org", None, "another").await;
        assert!(
            matches!(unknown, Err(AccountError::NotFound(_))),
            "{unknown:?}"
        );
        let listed = list(&owner, Some(&ana.organization))
            .await
            .expect("accounts");
        drop(owner);
        assert_eq!(listed.len(), 1);
        assert_eq!(
            (listed[0].email.as_str(), listed[0].role.as_str()),
            (&*ana.email, "staff")
        );
        assert!(listed[0].is_active && listed[0].signed_in_at.is_some());

        Http::sign_in(&world().url(), &ana.email, "another password").await;
        let refreshed = before.refresh(None, &before.refresh_token).await;
        assert_ne!(refreshed.status, StatusCode::OK, "{refreshed:?}");
    });
}
