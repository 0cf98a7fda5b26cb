//! Who is signed in.

use frontdesk_protocol::Role;
use frontdesk_protocol::id::UserId;
use serde::{Deserialize, Serialize};

/// The caller, as `GET /auth/v1/user` tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The token's subject.
    pub id: UserId,
    /// The address that was signed in with.
    pub email: String,
    /// The organisation's name; none for a caller without one.
    pub organization: Option<String>,
    /// What the caller is there.
    pub role: Option<Role>,
    /// Global level, 0 to 100; admins have 80 and above.
    #[serde(default)]
    pub level: i32,
}
