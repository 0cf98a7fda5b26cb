//! The caller's organisation.

use super::{OWNERS, STAFF};
use crate::id::OrganizationId;
use crate::record::{One, keys};
use crate::tool::{tool, tools};
use crate::value::{Change, Currency, LINE, Name, OrganizationSlug, Text, TimeZoneName, UpTo};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// Whether a call that cannot be undone, changes many rows or rights, or sends something needs a person's yes (`ask`), or
    /// agents are only told to ask for one (`tell`).
    Agents {
        Ask = "ask",
        Tell = "tell",
    }
}

words! {
    /// Whether owners, admins and accounts of level 80 or above need a second factor.
    SecondFactor {
        Optional = "optional",
        Required = "required",
    }
}

/// An organisation.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Organization {
    pub id: OrganizationId,
    pub name: String,
    /// Its name in public addresses, such as /learn/wiki/~SLUG.
    pub slug: String,
    /// The time zone of its days.
    pub time_zone: String,
    /// The currency of its amounts (ISO 4217).
    pub currency: String,
    /// Tags of guests that have the codes of tickets, in addition to `ticket_code`.
    pub ticket_tags: Vec<String>,
    pub agents: Agents,
    pub second_factor: SecondFactor,
}
keys!(Organization, "organization", "organizations");

tool! {
    /// Gets the caller's organisation.
    GetOrganization = "get_organization" on Staff, READ, for STAFF => One<Organization> {
    }
}

tool! {
    /// Changes the caller's organisation. Owners only.
    UpdateOrganization = "update_organization" on Staff, UPDATE, for OWNERS => One<Organization> {
        opt {
            name: Change<Name>,
            /// Its name in public addresses. Links with the old one stop working.
            slug: Change<OrganizationSlug>,
            /// IANA time zone of its days, such as Europe/Lisbon.
            time_zone: Change<TimeZoneName>,
            /// ISO 4217 code. Amounts stay as they are.
            currency: Change<Currency>,
            /// Tags of guests that have the codes of tickets, in addition to `ticket_code`.
            ticket_tags: Change<UpTo<Text<1, 60, LINE>, 8>>,
            /// `ask` refuses a call that a person should confirm if nobody was asked.
            agents: Change<Agents>,
            /// `required`: owners and admins without one turn it on at their next sign-in.
            second_factor: Change<SecondFactor>,
        }
    }
}

tools![GetOrganization, UpdateOrganization];
