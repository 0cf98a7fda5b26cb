//! Accounts that are added from the command line.

use frontdesk_protocol::Role;
use frontdesk_server::accounts::{NewAccount, add};
use frontdesk_tests::{Answer, Http, run, world};
use reqwest::Method;

#[test]
fn an_added_owner_signs_in_to_an_organisation_of_their_own() {
    run(async {
        let unique = uuid::Uuid::now_v7();
        let account = NewAccount {
            email: format!("Boss@{unique}.test"),
            password: "a long password".to_owned(),
            organization: format!("Added {unique}"),
            role: Role::Owner,
        };
        let mut owner = world().owner().await;
        add(&mut owner, &account).await.expect("an account");
        let again = add(&mut owner, &account).await;
        drop(owner);
        assert!(again.is_err(), "one address is one account");

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
