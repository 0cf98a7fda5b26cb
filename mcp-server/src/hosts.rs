//! The handlers of the hosts: one folder per host, one file per resource, as in `protocol`.

mod campaigns;
mod engineering;
pub mod events;
mod financing;
mod learn;
mod offers;
mod ops;
mod payments;
mod plans;
mod proposals;
mod quiz;
mod skills;
mod staff;
mod strategy;
mod studio;
pub mod work;

use frontdesk_protocol::engineering::document::DocumentKind;
use frontdesk_protocol::{Host, ToolError};
use jiff::tz::TimeZone;

use crate::permits::Permit;

pub use crate::call::{Hosts, Routes};

/// The tools of one resource, in the order of their declarations. `=> own` marks a tool with a [`Handler`] in this file.
/// The others do what their verb says with the stored record: their route is data.
///
/// [`Handler`]: crate::call::Handler
macro_rules! routes {
    ($($tool:ident $(=> $own:ident)?),+ $(,)?) => {
        /// The routes of this resource.
        pub(super) const ROUTES: &[crate::call::Route] =
            &[$(crate::hosts::routes!(@route $tool $($own)?)),+];
    };
    (@route $tool:ident own) => { crate::call::Route::to::<$tool>() };
    (@route $tool:ident) => { crate::call::Route::by_verb::<$tool>() };
}
pub(crate) use routes;

/// Fails unless the arguments name a record once, by id or by slug.
fn one_name(has_id: bool, has_slug: bool) -> Result<(), ToolError> {
    match (has_id, has_slug) {
        (true, true) => Err(ToolError::invalid("slug", "cannot be combined with id")),
        (false, false) => Err(ToolError::invalid("id", "is required without slug")),
        _ => Ok(()),
    }
}

impl Default for Hosts {
    /// The tools declared in `protocol`.
    fn default() -> Self {
        Hosts::NONE
            .with(Host::Staff, staff::ROUTES)
            .with(Host::Studio, studio::ROUTES)
            .with(Host::Learn, learn::ROUTES)
            .with(Host::Events, events::ROUTES)
            .with(Host::Work, work::ROUTES)
            .with(Host::Plans, plans::ROUTES)
            .with(Host::Engineering, engineering::ROUTES)
            .with(Host::Payments, payments::ROUTES)
            .with(Host::Financing, financing::ROUTES)
            .with(Host::Campaigns, campaigns::ROUTES)
            .with(Host::Strategy, strategy::ROUTES)
            .with(Host::Proposals, proposals::ROUTES)
            .with(Host::Quiz, quiz::ROUTES)
            .with(Host::Ops, ops::ROUTES)
            .with(Host::Skills, skills::ROUTES)
            .offering(offers::OFFERS)
    }
}

/// Reads a foreign format, for `fuzz/`: the first byte selects it.
pub(crate) fn read_foreign(permit: &Permit, bytes: &[u8]) -> Option<()> {
    let (which, rest) = bytes.split_first()?;
    let text = std::str::from_utf8(rest).ok()?;
    match which % 6 {
        0 => drop(work::calendar::read(
            permit,
            text,
            (&TimeZone::UTC, jiff::civil::Date::constant(2027, 1, 1)),
        )),
        1 => drop(financing::told::read(permit, text)),
        2 => drop(engineering::content::check(
            permit,
            DocumentKind::Sheet,
            text,
        )),
        3 => drop(engineering::content::check(
            permit,
            DocumentKind::Diagram,
            text,
        )),
        4 => drop(crate::markdown::html(permit, text)),
        _ => drop(studio::draw::put_in(
            text,
            &mut studio::draw::canvas().ok()?,
        )),
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declared_tool_has_a_handler() {
        let hosts = Hosts::default();
        for host in Host::ALL {
            let declared: Vec<_> = host.tools().map(|tool| tool.name).collect();
            let handled: Vec<_> = hosts.routes(host).map(|route| route.tool.name).collect();
            assert_eq!(declared, handled, "the tools of {host} and their handlers");
        }
    }
}
