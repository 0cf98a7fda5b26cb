//! Accounts and organisations, as the command line manages them: nobody can invite the first owner.

use frontdesk_protocol::Role;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::value::{Currency, Email, Name};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Transaction};
use uuid::Uuid;

use crate::identity::{AddUserError, HashError, add_user, hash_password};

/// An account to add.
#[derive(Debug)]
pub struct NewAccount {
    /// The address to sign in with.
    pub email: String,
    /// The person's name; the part of the address before the @ if empty.
    pub name: String,
    /// The password to sign in with.
    pub password: String,
    /// The organisation's name or slug; a new organisation is created if none has this name.
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
    /// The linked member was created with it; `None` if it has no member.
    pub has_new_member: Option<bool>,
}

/// The first organisation and its owner.
#[derive(Debug)]
pub struct Setup {
    /// The organisation's name.
    pub organization: String,
    /// Its slug; made from the name if empty.
    pub slug: String,
    /// The time zone of its days, such as `Europe/Lisbon`.
    pub time_zone: String,
    /// The currency of its amounts, such as `EUR`.
    pub currency: String,
    /// The owner's name.
    pub name: String,
    /// The address that the owner signs in with.
    pub email: String,
    /// The owner's password.
    pub password: String,
}

impl Setup {
    /// The currency if no other is given.
    pub const CURRENCY: &str = "BRL";

    /// The time zone of this machine; UTC if it has no name.
    pub fn time_zone() -> String {
        let zone = TimeZone::system();
        zone.iana_name().unwrap_or("UTC").to_owned()
    }
}

/// An organisation as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedOrganization {
    #[allow(missing_docs)]
    pub name: String,
    /// Its name in public addresses.
    pub slug: String,
    /// The number of its accounts.
    pub accounts: i64,
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
        "organisation `{0}` already exists; leave out --new-organization to add the account to it"
    )]
    Taken(String),
    /// No account has the address.
    #[error("no account has the address {0}; `list-accounts` shows them")]
    NotFound(String),
    /// No organisation has the name.
    #[error("there is no organisation `{0}`; `list-organizations` shows them")]
    NoOrganization(String),
    /// Several organisations have the name.
    #[error(
        "there are several organisations `{0}`; name one by its slug, which `list-organizations` shows"
    )]
    SeveralOrganizations(String),
    /// An organisation has the slug.
    #[error("choose a different slug: `{0}` is in use")]
    SlugTaken(String),
    /// The text is no slug.
    #[error(
        "`{0}` is not a slug: it must be at most 60 lower-case letters and digits, joined by '-'"
    )]
    Slug(String),
    /// The text is no name of a time zone.
    #[error("`{0}` is not a time zone: use a name such as Europe/Lisbon")]
    TimeZone(String),
    /// The text is no currency code.
    #[error("`{0}` is not a currency: it must be a code of three capital letters, such as BRL")]
    Currency(String),
    /// The server is set up.
    #[error("an organisation already exists; `add-account` adds accounts")]
    SetUp,
    /// A name is empty or too long.
    #[error("the {0} must have 1 to 200 characters")]
    Name(&'static str),
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
    /// The password could not be hashed.
    #[error(transparent)]
    Hash(#[from] HashError),
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

fn check_name(what: &'static str, name: &str) -> Result<(), AccountError> {
    match Name::new(name) {
        Ok(_) => Ok(()),
        Err(_) => Err(AccountError::Name(what)),
    }
}

fn check_currency(currency: &str) -> Result<(), AccountError> {
    match Currency::new(currency) {
        Ok(_) => Ok(()),
        Err(_) => Err(AccountError::Currency(currency.to_owned())),
    }
}

fn check_slug(slug: &str) -> Result<(), AccountError> {
    let is_word = |word: &str| {
        !word.is_empty() && (word.bytes()).all(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
    };
    match slug.len() <= 60 && slug.split('-').all(is_word) {
        true => Ok(()),
        false => Err(AccountError::Slug(slug.to_owned())),
    }
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

/// What a removal would remove, for the question before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    id: Uuid,
    /// What is removed, for people.
    pub what: String,
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

/// Removes the account. What it wrote stays, under a former name.
///
/// # Errors
/// [`AccountError::Database`]; nothing is removed then.
pub async fn remove_account(owner: &Client, account: &Removal) -> Result<(), AccountError> {
    let remove = "select auth.remove_account($1)";
    owner.execute(remove, &[&account.id]).await?;
    Ok(())
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

/// Whether a text is an address that a provider of mail could have.
pub(crate) fn is_address(text: &str) -> bool {
    let has_dot = text
        .rsplit('@')
        .next()
        .is_some_and(|domain| domain.contains('.'));
    has_dot && Email::new(text).is_ok()
}
