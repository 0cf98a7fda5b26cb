//! Accounts without a role in an organisation.

use frontdesk_protocol::id::UserId;
use frontdesk_protocol::{Host, Role};
use serde_json::json;
use uuid::Uuid;

use crate::builder::{HASH, Organization, PASSWORD};
use crate::code_host::{Browser, Page};
use crate::http::Http;
use crate::world::world;

/// An account without a staff row and without a profile.
#[derive(Debug, Clone)]
pub struct Account {
    /// The token's subject.
    pub id: UserId,
    /// Its e-mail address.
    pub email: String,
}

impl Account {
    /// Creates an account.
    pub async fn create() -> Account {
        let id = Uuid::now_v7();
        let account = Account {
            id: UserId(id),
            email: format!("{id}@nobody.test"),
        };
        world()
            .as_owner(
                "insert into auth.users (id, email, password_hash) values ($1, $2, $3)",
                &[&id, &account.email, &HASH],
            )
            .await;
        account
    }

    /// Signs the account in.
    pub async fn sign_in(&self) -> Http {
        Http::sign_in(&world().url(), &self.email, PASSWORD).await
    }
}

/// Invites an address as this owner; returns the invitation's link.
pub async fn invite(owner: &mut Http, email: &str, role: Role) -> String {
    let invite = json!({ "email": email, "name": "Ana Souza", "role": role });
    let invited = owner.call(Host::Staff, "invite_staff", invite).await;
    let link = invited.output()["link"].as_str();
    link.expect("a link").to_owned()
}

/// Opens the link and submits its form with this password.
pub async fn join(browser: &mut Browser, link: &str, password: &str) -> Page {
    let page = browser.get(link).await;
    assert!(page.status.is_success(), "{}", page.text);
    let (token, ticket) = (page.field("token"), page.field("ticket"));
    let fields = [
        ("token", &*token),
        ("ticket", &*ticket),
        ("password", password),
    ];
    browser.post(&page.form_address(), &fields).await
}

/// Invites the address as a teacher and joins with this password.
pub async fn invited(organization: &Organization, email: &str, password: &str) {
    let mut owner = organization.sign_in(Role::Owner).await;
    let link = invite(&mut owner, email, Role::Teacher).await;
    let joined = join(&mut Browser::default(), &link, password).await;
    assert!(joined.status.is_success(), "{}", joined.text);
}
