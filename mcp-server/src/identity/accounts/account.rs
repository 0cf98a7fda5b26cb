//! Adding, changing, listing and removing accounts.

use frontdesk_protocol::id::UserId;
use tokio_postgres::{Client, Transaction};
use uuid::Uuid;

use super::super::add_user;
use super::{AccountError, Added, Listed, NewAccount, Removal, is_address};

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
    let entered = transaction
        .query_one(
            "select auth.enter_organization($1, $2, $3, $4, $5, 100)",
            &[
                &id.0,
                &organization,
                &email.to_lowercase(),
                &name,
                &account.role.name(),
            ],
        )
        .await?;
    let has_new_member = entered.get(0);
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
    let similar = "select id, name, slug from app.organizations \
         where removed_at is null \
           and (lower(regexp_replace(btrim(name), '\\s+', ' ', 'g')) = lower($1) or slug = $1 and not $2) \
         order by name = $1 desc, slug = $1 desc, created_at limit 1";
    let known = transaction
        .query_opt(similar, &[&name, &account.is_new_organization])
        .await?;
    if let Some(row) = known {
        let (known, slug): (String, String) = (row.get(1), row.get(2));
        match (
            [&known, &slug].contains(&&name),
            account.is_new_organization,
        ) {
            (true, true) => return Err(AccountError::Taken(known)),
            (true, false) => return Ok((row.get(0), false)),
            (false, true) => {}
            (false, false) => return Err(AccountError::Similar(known)),
        }
    }
    if !account.is_new_organization {
        let nearest = "select o.name from app.organizations o where o.removed_at is null \
             order by extensions.similarity(lower(o.name), lower($1)) desc, o.created_at limit 3";
        let rows = transaction.query(nearest, &[&name]).await?;
        return Err(AccountError::Unknown {
            name,
            nearest_ones: rows.iter().map(|row| row.get(0)).collect(),
        });
    }
    let row = transaction
        .query_one(
            "insert into app.organizations (name) values ($1) returning id",
            &[&name],
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
    let id = find(&transaction, email, organization).await?;
    add_user(transaction.client(), id, email, password).await?;
    transaction
        .execute("select auth.end_sign_ins($1, null)", &[&id.0])
        .await?;
    transaction.commit().await?;
    Ok(id)
}

/// Removes the second factor of an account and ends its sign-ins. `organization` is needed if several have the address.
///
/// # Errors
/// [`AccountError`]; nothing is changed then.
pub async fn remove_second_factor(
    owner: &mut Client,
    email: &str,
    organization: Option<&str>,
) -> Result<(), AccountError> {
    let transaction = owner.transaction().await?;
    let id = find(&transaction, email, organization).await?;
    let remove = "select auth.turn_off_factor($1, null)";
    let row = transaction.query_one(remove, &[&id.0]).await?;
    if !row.get::<_, bool>(0) {
        return Err(AccountError::NoSecondFactor(email.to_owned()));
    }
    transaction.commit().await?;
    Ok(())
}

/// The account with this address; at the organisation with this name or slug, if it is given.
async fn find(
    transaction: &Transaction<'_>,
    email: &str,
    organization: Option<&str>,
) -> Result<UserId, AccountError> {
    let found = transaction
        .query(
            "select u.id, coalesce(o.name, 'no organisation') \
             from auth.users u left join app.organizations o on o.id = u.organization_id \
             where lower(u.email) = lower($1) and ($2::text is null or $2 in (o.name, o.slug)) order by 2",
            &[&email.trim(), &organization],
        )
        .await?;
    match found.as_slice() {
        [] => Err(AccountError::NotFound(email.to_owned())),
        [one] => Ok(UserId(one.get(0))),
        several => Err(AccountError::Several {
            email: email.to_owned(),
            organizations: several.iter().map(|row| row.get(1)).collect(),
        }),
    }
}

/// The account with this address, before it is removed.
///
/// # Errors
/// [`AccountError`].
pub async fn account_to_remove(
    owner: &mut Client,
    email: &str,
    organization: Option<&str>,
) -> Result<Removal, AccountError> {
    let transaction = owner.transaction().await?;
    let id = find(&transaction, email, organization).await?.0;
    let about = "select u.email, coalesce(o.name, 'no organisation'), coalesce(s.role, 'fellow'), \
                   s.role = 'owner' and not exists ( \
                     select from staff.users x where x.organization_id = s.organization_id and x.role = 'owner' \
                       and x.is_active and x.id <> s.id) \
                 from auth.users u left join app.organizations o on o.id = u.organization_id \
                 left join staff.users s on s.id = u.id where u.id = $1";
    let row = transaction.query_one(about, &[&id]).await?;
    let (email, organization, role): (String, String, String) =
        (row.get(0), row.get(1), row.get(2));
    let last = match row.get::<_, Option<bool>>(3) {
        Some(true) => ", its last owner",
        _ => "",
    };
    Ok(Removal {
        id,
        what: format!("the account {email}, {role} at {organization}{last}"),
    })
}

/// Removes the account. What it wrote stays, under a former name.
///
/// # Errors
/// [`AccountError::Database`]; nothing is removed then.
pub async fn remove_account(owner: &Client, account: &Removal) -> Result<(), AccountError> {
    let remove = "select auth.remove_account($1)";
    owner.execute(remove, &[&account.id]).await?;
    Ok(())
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
             where $1::text is null or $1 in (o.name, o.slug) \
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
