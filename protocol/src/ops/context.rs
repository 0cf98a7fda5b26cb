//! The caller and the conventions of all hosts, as data.

use jiff::civil::Date;

use super::EVERYBODY;
use crate::guide::{IdSource, ToolName};
use crate::id::{MemberId, OrganizationId, UserId};
use crate::record::{One, keys};
use crate::role::Role;
use crate::tool::{tool, tools};
use crate::wire::Wire;

/// The caller, the organisation's day, and the conventions of all hosts.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Context {
    #[wire(flatten)]
    pub caller: Caller,
    /// The clock of the organisation, with its offset: `2026-03-12T18:30-03:00`.
    pub local_time: Option<String>,
    /// The default of `limit`.
    pub page_size: u32,
    /// The maximum of most `limit`s.
    pub max_page_size: u32,
    /// Tools that remove, overwrite or end something.
    pub irreversible: Vec<ToolName>,
    /// The tools that list ids for the arguments of other hosts.
    pub id_sources: Vec<IdSource>,
}
keys!(Context, "context", "contexts");

/// The caller, and the day at the caller's organisation.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Caller {
    pub account_id: UserId,
    pub name: Option<String>,
    /// Null without a role in an organisation.
    pub role: Option<Role>,
    /// Global level.
    pub level: u32,
    pub member_id: Option<MemberId>,
    pub organization_id: Option<OrganizationId>,
    pub organization_name: Option<String>,
    pub time_zone: Option<String>,
    pub today: Option<Date>,
    /// The currency of amounts for which none is given.
    pub currency: Option<String>,
}

tool! {
    /// Gets who you are, the organisation's time and currency, and the conventions of all hosts.
    GetContext = "get_context" on Ops, READ, for EVERYBODY => One<Context> {
    }
}

tools![GetContext];
