//! `frontdesk-server check`: tests what a server needs, and says what to change.

mod clock;
mod database;
mod nodes;
mod outside;

use std::fmt;

use url::Url;

use crate::database::Location;
use crate::listen::Listen;

/// What to check: a server's settings.
#[derive(Debug)]
pub struct Settings {
    #[allow(missing_docs)]
    pub database: Location,
    /// The number of connections to a PostgreSQL server.
    pub connections: u16,
    #[allow(missing_docs)]
    pub listen: Listen,
    /// The address for clients, if it is another one.
    pub public_url: Option<Url>,
    /// The number of proxies whose X-Forwarded-For is trusted.
    pub proxies: u8,
    /// The keys of an external identity provider.
    pub jwks_url: Option<Url>,
}

/// The result of one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    #[allow(missing_docs)]
    pub kind: Kind,
    /// The tested part: `database`, `proxy`.
    pub part: &'static str,
    #[allow(missing_docs)]
    pub text: String,
    /// What to change; empty if there is nothing to change.
    pub change: String,
}

/// Whether a part works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It works.
    Good,
    /// It works, but perhaps not as intended.
    Doubt,
    /// It does not work.
    Bad,
}

impl Finding {
    fn good(part: &'static str, text: impl Into<String>) -> Finding {
        Finding::new(Kind::Good, part, text, "")
    }

    fn doubt(part: &'static str, text: impl Into<String>, change: impl Into<String>) -> Finding {
        Finding::new(Kind::Doubt, part, text, change)
    }

    fn bad(part: &'static str, text: impl Into<String>, change: impl Into<String>) -> Finding {
        Finding::new(Kind::Bad, part, text, change)
    }

    fn new(
        kind: Kind,
        part: &'static str,
        text: impl Into<String>,
        change: impl Into<String>,
    ) -> Finding {
        Finding {
            kind,
            part,
            text: text.into(),
            change: change.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Good => "ok",
            Kind::Doubt => "note",
            Kind::Bad => "FAIL",
        };
        write!(f, "{kind:<5} {:<9} {}", self.part, self.text)?;
        match self.change.is_empty() {
            true => Ok(()),
            false => write!(f, "\n{:<16}→ {}", "", self.change),
        }
    }
}

/// Tests everything.
pub async fn check(settings: &Settings) -> Vec<Finding> {
    let mut findings = database::check(settings).await;
    findings.extend(outside::check(settings).await);
    findings
}
