//! Setting up the server, and renaming, listing and removing organisations.

use jiff::tz::TimeZone;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Transaction};
use uuid::Uuid;

use super::super::hash_password;
use super::{
    AccountError, ListedOrganization, Removal, Setup, check_currency, check_name, check_slug,
    is_address,
};

/// Creates the first organisation with its owner, and returns its slug. `owner` is the database owner's connection.
///
/// # Errors
/// [`AccountError`]; nothing is created then.
pub async fn set_up(owner: &mut Client, setup: &Setup) -> Result<String, AccountError> {
    let email = setup.email.trim();
    if !is_address(email) {
        return Err(AccountError::Address(setup.email.clone()));
    }
    let (organization, name) = (setup.organization.trim(), setup.name.trim());
    check_name("organisation's name", organization)?;
    check_name("owner's name", name)?;
    let slug = setup.slug.trim();
    if !slug.is_empty() {
        check_slug(slug)?;
    }
    let (zone, currency) = (setup.time_zone.trim(), setup.currency.trim());
    if TimeZone::get(zone).is_err() {
        return Err(AccountError::TimeZone(zone.to_owned()));
    }
    check_currency(currency)?;
    let hash = hash_password(&setup.password)?;
    let row = owner
        .query_one(
            "select auth.set_up($1, $2, $3, $4, $5, null, $6, $7)",
            &[&organization, &slug, &name, &email, &hash, &zone, &currency],
        )
        .await?;
    row.get::<_, Option<String>>(0).ok_or(AccountError::SetUp)
}

/// Whether the server has an organisation.
///
/// # Errors
/// [`AccountError::Database`].
pub async fn has_organization(owner: &Client) -> Result<bool, AccountError> {
    let row = owner
        .query_one("select auth.has_organization()", &[])
        .await?;
    Ok(row.get(0))
}

/// A free slug, made from an organisation's name.
///
/// # Errors
/// [`AccountError::Database`].
pub async fn suggest_slug(owner: &Client, name: &str) -> Result<String, AccountError> {
    let row = owner
        .query_one("select app.free_slug($1)", &[&name])
        .await?;
    Ok(row.get(0))
}

/// The organisation with this name or slug.
async fn find_organization(
    transaction: &Transaction<'_>,
    named: &str,
) -> Result<Uuid, AccountError> {
    let named = named.trim();
    let found = transaction
        .query(
            "select id from app.organizations where removed_at is null and $1 in (name, slug) \
             order by slug = $1 desc",
            &[&named],
        )
        .await?;
    match found.as_slice() {
        [] => Err(AccountError::NoOrganization(named.to_owned())),
        [one] => Ok(one.get(0)),
        _ => Err(AccountError::SeveralOrganizations(named.to_owned())),
    }
}

/// Renames an organisation, given by its name or slug: a new name, a new slug, a new currency, or several of them.
///
/// # Errors
/// [`AccountError`]; nothing is changed then.
pub async fn rename_organization(
    owner: &mut Client,
    organization: &str,
    name: Option<&str>,
    slug: Option<&str>,
    currency: Option<&str>,
) -> Result<(), AccountError> {
    let name = name.map(str::trim);
    if let Some(name) = name {
        check_name("organisation's name", name)?;
    }
    if let Some(slug) = slug {
        check_slug(slug)?;
    }
    currency.map_or(Ok(()), check_currency)?;
    let transaction = owner.transaction().await?;
    let id = find_organization(&transaction, organization).await?;
    let renamed = "update app.organizations set name = coalesce($2, name), slug = coalesce($3, slug), \
                   currency = coalesce($4, currency) where id = $1";
    let renamed = transaction
        .execute(renamed, &[&id, &name, &slug, &currency])
        .await;
    renamed.map_err(|error| match error.code() {
        Some(&SqlState::UNIQUE_VIOLATION) => {
            AccountError::SlugTaken(slug.unwrap_or_default().to_owned())
        }
        _ => error.into(),
    })?;
    transaction.commit().await?;
    Ok(())
}

/// The organisation with this name or slug, before it is removed.
///
/// # Errors
/// [`AccountError`].
pub async fn organization_to_remove(
    owner: &mut Client,
    organization: &str,
) -> Result<Removal, AccountError> {
    let transaction = owner.transaction().await?;
    let id = find_organization(&transaction, organization).await?;
    let about = "select o.name, (select count(*) from auth.users u where u.organization_id = o.id) \
                 from app.organizations o where o.id = $1";
    let row = transaction.query_one(about, &[&id]).await?;
    let (name, accounts): (String, i64) = (row.get(0), row.get(1));
    let plural = if accounts == 1 { "" } else { "s" };
    Ok(Removal {
        id,
        what: format!("the organisation {name} with {accounts} account{plural}"),
    })
}

/// Removes the organisation's accounts. Its records stay, under a former name.
///
/// # Errors
/// [`AccountError::Database`]; nothing is removed then.
pub async fn remove_organization(
    owner: &Client,
    organization: &Removal,
) -> Result<(), AccountError> {
    let remove = "select auth.remove_organization($1)";
    owner.execute(remove, &[&organization.id]).await?;
    Ok(())
}

/// The organisations by name.
///
/// # Errors
/// [`AccountError::Database`].
pub async fn organizations(owner: &Client) -> Result<Vec<ListedOrganization>, AccountError> {
    let rows = owner
        .query(
            "select o.name, o.slug, (select count(*) from auth.users u where u.organization_id = o.id) \
             from app.organizations o where o.removed_at is null order by lower(o.name), o.created_at",
            &[],
        )
        .await?;
    let listed = rows.iter().map(|row| ListedOrganization {
        name: row.get(0),
        slug: row.get(1),
        accounts: row.get(2),
    });
    Ok(listed.collect())
}
