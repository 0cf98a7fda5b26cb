//! The caller's organisation.

use super::{OWNERS, STAFF};
use crate::id::OrganizationId;
use crate::record::{One, keys};
use crate::tool::{tool, tools};
use crate::value::{Change, Name, OrganizationSlug};
use crate::wire::Wire;

/// An organisation.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Organization {
    pub id: OrganizationId,
    pub name: String,
    /// Its name in public addresses, such as /learn/wiki/~SLUG.
    pub slug: String,
    /// The time zone of its days.
    pub time_zone: String,
}
keys!(Organization, "organization", "organizations");

tool! {
    /// Gets the caller's organisation.
    GetOrganization = "get_organization" on Staff, READ, for STAFF => One<Organization> {
    }
}

tool! {
    /// Renames the caller's organisation. Owners only.
    UpdateOrganization = "update_organization" on Staff, UPDATE, for OWNERS => One<Organization> {
        opt {
            name: Change<Name>,
            /// Its name in public addresses. Links with the old one stop working.
            slug: Change<OrganizationSlug>,
        }
    }
}

tools![GetOrganization, UpdateOrganization];
