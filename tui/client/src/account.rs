//! The signed-in account.

use frontdesk_protocol::Role;
use frontdesk_protocol::id::UserId;
use serde::{Deserialize, Serialize};

/// The signed-in account, as returned by `GET /auth/v1/user`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The token's subject.
    pub id: UserId,
    /// The e-mail address used to sign in.
    pub email: String,
    /// The name of the organisation, if the account has one.
    pub organization: Option<String>,
    /// The organisation's name in addresses.
    #[serde(default)]
    pub organization_slug: Option<String>,
    /// The organisation's time zone: `America/Sao_Paulo`.
    #[serde(default)]
    pub time_zone: Option<String>,
    /// The name in the account's profile.
    #[serde(default)]
    pub name: Option<String>,
    /// The name of the organisation's member that the account belongs to.
    #[serde(default)]
    pub member: Option<String>,
    /// The role in the organisation.
    pub role: Option<Role>,
    /// Global level, 0 to 100; admins have 80 and above.
    #[serde(default)]
    pub level: i32,
}
