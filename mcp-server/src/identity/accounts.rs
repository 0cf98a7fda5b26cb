//! Accounts and organisations, as the command line manages them: nobody can invite the first owner.

mod account;
mod organization;

pub use account::{
    account_to_remove, add, list, remove_account, remove_second_factor, set_password,
};
use frontdesk_protocol::Role;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::value::{Currency, Email, Name};
use jiff::Timestamp;
use jiff::tz::TimeZone;
pub use organization::{
    has_organization, organization_to_remove, organizations, remove_organization,
    rename_organization, set_up, suggest_slug,
};
use uuid::Uuid;

use super::{AddUserError, HashError};

/// An account to add.
#[derive(Debug)]
pub struct NewAccount {
    /// The address to sign in with.
    pub email: String,
    /// The person's name; the part of the address before the @ if empty.
    pub name: String,
    /// The password to sign in with.
    pub password: String,
    /// The organisation's name or slug.
    pub organization: String,
    /// Whether it is created, even if its name differs from another one only in case and spaces.
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
    /// No organisation has the name of an account that is added.
    #[error(
        "there is no organisation `{name}`{}; --new-organization creates it",
        nearest(nearest_ones)
    )]
    Unknown {
        /// The name.
        name: String,
        /// The names that are most like it, best first; empty if there is no organisation.
        nearest_ones: Vec<String>,
    },
    /// An organisation has this name already.
    #[error(
        "organisation `{0}` already exists; leave out --new-organization to add the account to it"
    )]
    Taken(String),
    /// No account has the address.
    #[error("no account has the address {0}; `list-accounts` shows them")]
    NotFound(String),
    /// The account has no second factor.
    #[error("{0} has no second factor")]
    NoSecondFactor(String),
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

/// What follows an unknown name: those that are like it.
fn nearest(names: &[String]) -> String {
    match names.is_empty() {
        true => String::new(),
        false => format!(" (the nearest: {})", names.join(", ")),
    }
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

/// What a removal would remove, for the question before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    id: Uuid,
    /// What is removed, for people.
    pub what: String,
}

/// Whether a text is an address that a provider of mail could have.
pub(crate) fn is_address(text: &str) -> bool {
    let has_dot = text
        .rsplit('@')
        .next()
        .is_some_and(|domain| domain.contains('.'));
    has_dot && Email::new(text).is_ok()
}
