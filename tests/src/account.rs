//! Accounts beside those of an organisation's roles.

use frontdesk_protocol::id::UserId;
use uuid::Uuid;

use crate::builder::{HASH, PASSWORD};
use crate::http::Http;
use crate::world::world;

/// Somebody who can sign in: without a staff row and without a profile.
#[derive(Debug, Clone)]
pub struct Account {
    /// The token's subject.
    pub id: UserId,
    /// Its e-mail address.
    pub email: String,
}

impl Account {
    /// A new one.
    pub async fn create() -> Account {
        let id = Uuid::now_v7();
        let account = Account {
            id: UserId(id),
            email: format!("{id}@nobody.test"),
        };
        world()
            .owner()
            .await
            .execute(
                "insert into auth.users (id, email, password_hash) values ($1, $2, $3)",
                &[&id, &account.email, &*HASH],
            )
            .await
            .expect("an account");
        account
    }

    /// A client that is signed in.
    pub async fn sign_in(&self) -> Http {
        Http::sign_in(&world().url(), &self.email, PASSWORD).await
    }
}
