//! Accounts and organisations, as the command line manages them: nobody can invite the first owner.

use frontdesk_protocol::Role;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::value::Email;
use jiff::Timestamp;
use tokio_postgres::{Client, Transaction};
use uuid::Uuid;

use crate::identity::{AddUserError, add_user};

/// An account to add.
#[derive(Debug)]
pub struct NewAccount {
    /// The address to sign in with.
    pub email: String,
    /// The person's name; the part of the address before the @ if empty.
    pub name: String,
    /// The password to sign in with.
    pub password: String,
    /// The organisation's name; a new organisation is created if none has this name.
    pub organization: String,
    /// Whether a new organisation may have a name that differs from another one only in case and spaces.
    pub is_new_organization: bool,
    /// The role in the organisation. Owners and admins also become global admins.
    pub role: Role,
}

/// An account that was added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    /// The account.
    pub id: UserId,
    /// The organisation was created with it.
    pub has_new_organization: bool,
    /// The linked member was created with it.
    pub has_new_member: bool,
}

/// An account as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    #[allow(missing_docs)]
    pub email: String,
    #[allow(missing_docs)]
    pub organization: Option<String>,
    /// `fellow` without a staff row.
    pub role: String,
    /// Whether its rights in the organisation are active.
    pub is_active: bool,
    /// The last sign-in that is still known.
    pub signed_in_at: Option<Timestamp>,
}

/// Why accounts could not be changed.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// The address is not an e-mail address.
    #[error("`{0}` is not an e-mail address; it must look like name@example.org")]
    Address(String),
    /// The address has an account in the organisation.
    #[error("{email} has an account at {organization}; `set-password` changes its password")]
    Exists {
        /// The address.
        email: String,
        /// The organisation's name.
        organization: String,
    },
    /// An organisation has nearly this name.
    #[error(
        "there is an organisation `{0}`: write its name like that, or create another one with --new-organization"
    )]
    Similar(String),
    /// An organisation has this name already.
    #[error(
        "there is an organisation `{0}` already; leave --new-organization out to add the account to it"
    )]
    Taken(String),
    /// No account has the address.
    #[error("no account has the address {0}; `list-accounts` shows them")]
    NotFound(String),
    /// Several organisations have an account with the address.
    #[error("{email} has accounts at {}; choose one with --organization", organizations.join(" and "))]
    Several {
        /// The address.
        email: String,
        /// The names of the organisations.
        organizations: Vec<String>,
    },
    /// The password could not be hashed, or the account not stored.
    #[error(transparent)]
    Account(#[from] AddUserError),
    /// The database refused.
    #[error("the database refused: {0}")]
    Database(#[from] tokio_postgres::Error),
}

/// Adds the account in one transaction, linked to the organisation's member with its address, who is created if there is
/// none. `owner` is the owner's connection.
///
/// # Errors
/// [`AccountError`]; nothing is added then.
pub async fn add(owner: &mut Client, account: &NewAccount) -> Result<Added, AccountError> {
    let email = account.email.trim();
    if !is_address(email) {
        return Err(AccountError::Address(account.email.clone()));
    }
    let id = UserId(Uuid::now_v7());
    let transaction = owner.transaction().await?;
    let (organization, has_new_organization) = organization(&transaction, account).await?;
    let other = "select from auth.users where organization_id = $1 and lower(email) = lower($2)";
    if transaction
        .query_opt(other, &[&organization, &email])
        .await?
        .is_some()
    {
        return Err(AccountError::Exists {
            email: email.to_owned(),
            organization: account.organization.trim().to_owned(),
        });
    }
    add_user(transaction.client(), id, email, &account.password).await?;
    let name = match account.name.trim() {
        "" => email.split('@').next().unwrap_or_default(),
        name => name,
    };
    let (member, has_new_member) = member(&transaction, organization, email, name).await?;
    let level = match account.role {
        Role::Owner => 100,
        Role::Admin => 80,
        _ => 0,
    };
    transaction
        .execute(
            "insert into learn.profiles (id, organization_id, member_id, name, level) \
             values ($1, $2, $3, $4, $5)",
            &[&id.0, &organization, &member, &name, &level],
        )
        .await?;
    if account.role != Role::Fellow {
        transaction
            .execute(
                "insert into staff.users (id, organization_id, role) values ($1, $2, $3)",
                &[&id.0, &organization, &account.role.name()],
            )
            .await?;
    }
    transaction.commit().await?;
    Ok(Added {
        id,
        has_new_organization,
        has_new_member,
    })
}

/// The organisation of a new account, and whether it was created.
async fn organization(
    transaction: &Transaction<'_>,
    account: &NewAccount,
) -> Result<(Uuid, bool), AccountError> {
    let name = account
        .organization
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let similar = "select id, name from app.organizations \
         where lower(regexp_replace(btrim(name), '\\s+', ' ', 'g')) = lower($1) \
         order by name = $1 desc, created_at limit 1";
    if let Some(row) = transaction.query_opt(similar, &[&name]).await? {
        let known: String = row.get(1);
        match (known == name, account.is_new_organization) {
            (true, true) => return Err(AccountError::Taken(known)),
            (true, false) => return Ok((row.get(0), false)),
            (false, true) => {}
            (false, false) => return Err(AccountError::Similar(known)),
        }
    }
    let row = transaction
        .query_one(
            "insert into app.organizations (name) values ($1) returning id",
            &[&name],
        )
        .await?;
    Ok((row.get(0), true))
}

/// The organisation's member with this address and without an account, and whether they were created.
async fn member(
    transaction: &Transaction<'_>,
    organization: Uuid,
    email: &str,
    name: &str,
) -> Result<(Uuid, bool), AccountError> {
    let known = "select id from learn.members m \
         where organization_id = $1 and lower($2) in (lower(corporate_email), lower(personal_email)) \
           and not exists (select from learn.profiles p where p.member_id = m.id) \
         order by is_active desc, created_at limit 1";
    if let Some(row) = transaction
        .query_opt(known, &[&organization, &email])
        .await?
    {
        return Ok((row.get(0), false));
    }
    let row = transaction
        .query_one(
            "insert into learn.members (organization_id, name, corporate_email) values ($1, $2, $3) returning id",
            &[&organization, &name, &email],
        )
        .await?;
    Ok((row.get(0), true))
}

/// Sets the password of an account and ends its sign-ins. `organization` is needed if several have the address.
///
/// # Errors
/// [`AccountError`]; nothing is changed then.
pub async fn set_password(
    owner: &mut Client,
    email: &str,
    organization: Option<&str>,
    password: &str,
) -> Result<UserId, AccountError> {
    let transaction = owner.transaction().await?;
    let found = transaction
        .query(
            "select u.id, coalesce(o.name, 'no organisation') \
             from auth.users u left join app.organizations o on o.id = u.organization_id \
             where lower(u.email) = lower($1) and ($2::text is null or o.name = $2) order by 2",
            &[&email.trim(), &organization],
        )
        .await?;
    let id = match found.as_slice() {
        [] => return Err(AccountError::NotFound(email.to_owned())),
        [one] => UserId(one.get(0)),
        several => {
            return Err(AccountError::Several {
                email: email.to_owned(),
                organizations: several.iter().map(|row| row.get(1)).collect(),
            });
        }
    };
    add_user(transaction.client(), id, email, password).await?;
    transaction
        .execute(
            "update auth.sessions set revoked_at = now() where user_id = $1 and revoked_at is null",
            &[&id.0],
        )
        .await?;
    transaction.commit().await?;
    Ok(id)
}

/// The accounts, by organisation and address; of one organisation, if its name is given.
///
/// # Errors
/// [`AccountError::Database`].
pub async fn list(owner: &Client, organization: Option<&str>) -> Result<Vec<Listed>, AccountError> {
    let rows = owner
        .query(
            "select u.email, o.name, coalesce(s.role, 'fellow'), u.is_active and coalesce(s.is_active, true), \
               (select max(created_at) from auth.sessions x where x.user_id = u.id) \
             from auth.users u \
             left join app.organizations o on o.id = u.organization_id \
             left join staff.users s on s.id = u.id \
             where $1::text is null or o.name = $1 \
             order by o.name, lower(u.email)",
            &[&organization],
        )
        .await?;
    let listed = rows.iter().map(|row| Listed {
        email: row.get(0),
        organization: row.get(1),
        role: row.get(2),
        is_active: row.get(3),
        signed_in_at: row.get(4),
    });
    Ok(listed.collect())
}

/// The organisations by name, each with the number of its accounts.
///
/// # Errors
/// [`AccountError::Database`].
pub async fn organizations(owner: &Client) -> Result<Vec<(String, i64)>, AccountError> {
    let rows = owner
        .query(
            "select o.name, (select count(*) from auth.users u where u.organization_id = o.id) \
             from app.organizations o order by lower(o.name), o.created_at",
            &[],
        )
        .await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// Whether a text is an address that a provider of mail could have.
fn is_address(text: &str) -> bool {
    let has_dot = text
        .rsplit('@')
        .next()
        .is_some_and(|domain| domain.contains('.'));
    has_dot && Email::new(text).is_ok()
}
