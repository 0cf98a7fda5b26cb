//! Adds accounts from the command line: nobody can invite the first owner of an organisation.

use frontdesk_protocol::Role;
use frontdesk_protocol::id::UserId;
use tokio_postgres::Client;
use uuid::Uuid;

use crate::identity::{AddUserError, add_user};

/// An account to add.
#[derive(Debug)]
pub struct NewAccount {
    /// The address to sign in with.
    pub email: String,
    /// The password to sign in with.
    pub password: String,
    /// The organisation's name; a new organisation is created if no organisation has this name.
    pub organization: String,
    /// The role in the organisation. Owners and admins also become global admins.
    pub role: Role,
}

/// Adds the account in one transaction.
///
/// # Errors
/// [`AddUserError`], for example if the address is in use.
pub async fn add(owner: &mut Client, account: &NewAccount) -> Result<UserId, AddUserError> {
    let id = Uuid::now_v7();
    let name = account.email.split('@').next().unwrap_or_default();
    let level = match account.role {
        Role::Owner => 100,
        Role::Admin => 80,
        _ => 0,
    };
    let transaction = owner.transaction().await?;
    add_user(
        transaction.client(),
        UserId(id),
        &account.email,
        &account.password,
    )
    .await?;
    let organization: Uuid = match transaction
        .query_opt(
            "select id from app.organizations where name = $1 order by created_at limit 1",
            &[&account.organization],
        )
        .await?
    {
        Some(row) => row.get(0),
        None => transaction
            .query_one(
                "insert into app.organizations (name) values ($1) returning id",
                &[&account.organization],
            )
            .await?
            .get(0),
    };
    transaction
        .execute(
            "insert into learn.profiles (id, organization_id, name, level) values ($1, $2, $3, $4)",
            &[&id, &organization, &name, &level],
        )
        .await?;
    if account.role != Role::Fellow {
        transaction
            .execute(
                "insert into staff.users (id, organization_id, role) values ($1, $2, $3)",
                &[&id, &organization, &account.role.name()],
            )
            .await?;
    }
    transaction.commit().await?;
    Ok(UserId(id))
}
