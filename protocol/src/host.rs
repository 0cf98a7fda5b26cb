//! The fifteen hosts of the service (specification, section 1).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wire::{self, Reader, Schemas, Wire};

/// An MCP host. Every host has its own tools; all hosts accept the same token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Host {
    /// Students, staff invitations, finance and billing; for staff accounts only.
    Staff,
    /// Members, profiles, cohorts, courses, programs, wiki.
    Learn,
    /// Projects, tasks, placements, meetings, weekly updates.
    Work,
    /// Events, sessions, guests and check-in, tasks, expenses, photos.
    Events,
    /// Spec runs, diagrams, documents, UX maps.
    Engineering,
    /// Plans, ADRs, questions.
    Plans,
    /// Transactions and invoices.
    Payments,
    /// The accounting ledger.
    Financing,
    /// Video lessons, slides, thumbnails.
    Studio,
    /// Social posts and their review.
    Campaigns,
    /// Business models, personas, competitors.
    Strategy,
    /// Public tenders and submissions.
    Proposals,
    /// Forms, quizzes, interview dispatch.
    Quiz,
    /// Identity, apps, media, sandboxes.
    Ops,
    /// The skill catalogue.
    Skills,
}

impl Host {
    /// Every host, in the order of the specification.
    pub const ALL: [Host; 15] = [
        Host::Staff,
        Host::Learn,
        Host::Work,
        Host::Events,
        Host::Engineering,
        Host::Plans,
        Host::Payments,
        Host::Financing,
        Host::Studio,
        Host::Campaigns,
        Host::Strategy,
        Host::Proposals,
        Host::Quiz,
        Host::Ops,
        Host::Skills,
    ];

    /// The path segment and the subdomain of the host: `/{area}/mcp`.
    pub const fn area(self) -> &'static str {
        match self {
            Host::Staff => "staff",
            Host::Learn => "learn",
            Host::Work => "work",
            Host::Events => "events",
            Host::Engineering => "engineering",
            Host::Plans => "plans",
            Host::Payments => "payments",
            Host::Financing => "financing",
            Host::Studio => "studio",
            Host::Campaigns => "campaigns",
            Host::Strategy => "strategy",
            Host::Proposals => "proposals",
            Host::Quiz => "quiz",
            Host::Ops => "ops",
            Host::Skills => "skills",
        }
    }

    /// The name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Host::Staff => "Staff management",
            Host::Learn => "Learn",
            Host::Work => "Work",
            Host::Events => "Events",
            Host::Engineering => "Engineering",
            Host::Plans => "Plans",
            Host::Payments => "Payments",
            Host::Financing => "Accounting ledger",
            Host::Studio => "Lesson Studio",
            Host::Campaigns => "Campaigns",
            Host::Strategy => "Strategy",
            Host::Proposals => "Proposals",
            Host::Quiz => "Forms and quizzes",
            Host::Ops => "Platform",
            Host::Skills => "Skills",
        }
    }

    /// Whether only staff accounts can use the host (specification, section 1).
    pub const fn is_for_staff(self) -> bool {
        matches!(self, Host::Staff)
    }

    /// Whether its tools can change what callers have the right to.
    pub const fn changes_rights(self) -> bool {
        matches!(self, Host::Staff | Host::Learn | Host::Ops)
    }

    /// Whether the host answers 403 to a tool that it does not list for the caller's role. The other hosts leave this
    /// to the policies of the database.
    pub const fn checks_roles(self) -> bool {
        matches!(self, Host::Staff | Host::Studio)
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.area())
    }
}

impl Wire for Host {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let at = reader.word(value, &Host::ALL.map(Host::area))?;
        Host::ALL.get(at).copied()
    }

    fn write(&self) -> Value {
        self.area().into()
    }

    fn schema(_: &mut Schemas) -> Value {
        wire::of_words(&Host::ALL.map(Host::area))
    }
}

/// No host has this area.
#[derive(Debug, thiserror::Error)]
#[error("there is no host `{0}`")]
pub struct UnknownHost(String);

impl FromStr for Host {
    type Err = UnknownHost;

    fn from_str(area: &str) -> Result<Self, UnknownHost> {
        Host::ALL
            .into_iter()
            .find(|host| host.area() == area)
            .ok_or_else(|| UnknownHost(area.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_area_names_its_host() {
        for host in Host::ALL {
            assert_eq!(host.area().parse::<Host>().ok(), Some(host));
        }
    }
}
