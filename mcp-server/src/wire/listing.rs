//! `tools/list`: the tools of a host for the caller's role, in pages, in the format of the request's revision.

use std::sync::OnceLock;

use frontdesk_protocol::mcp::{ListParams, Revision, Version};
use frontdesk_protocol::{Declaration, Host, Role, Roles};
use serde_json::Value;

use super::address::Addressed;
use super::agents::Own;
use super::alias;
use super::asked::Asked;
use super::envelope::Envelope;
use super::paging::{self, NoSuchCursor};
use super::refusal::Refusal;
use crate::hosts::Hosts;

/// Session-less clients can cache the list for a minute, for this caller only: it depends on the caller's role.
pub(super) const CACHED: &str = r#""resultType":"complete","ttlMs":60000,"cacheScope":"private""#;

/// The tools of the address for the caller's role.
pub(super) async fn list(
    asked: &Asked<'_>,
    revision: Revision,
    envelope: &Envelope<'_>,
) -> Result<String, Refusal> {
    let params: ListParams = envelope.params()?;
    let role = asked.role().await?;
    let listings = &asked.service.inner.listings;
    let page = listings.page(asked.addressed, &asked.hosts, role, revision, &params);
    page.map_err(Refusal::from)
}

/// A tool, serialized once for each format.
#[derive(Debug)]
struct Listed {
    name: &'static str,
    audience: Roles,
    is_read_only: bool,
    /// By revision, without the output schema.
    json: [String; Version::ALL.len()],
    /// With the output schema.
    complete: String,
}

impl Listed {
    /// A tool as it is listed.
    fn of(tool: &Declaration, listing: Value) -> Self {
        Listed::with(tool.name, tool.audience, tool.effect.read_only, listing)
    }

    fn with(name: &'static str, audience: Roles, is_read_only: bool, listing: Value) -> Self {
        let complete = listing.to_string();
        Listed {
            name,
            audience,
            is_read_only,
            json: Version::ALL.map(|version| written(listing.clone(), version)),
            complete,
        }
    }
}

/// The tools of an address, serialized when first requested.
type Written = OnceLock<Vec<Listed>>;

/// The lists of all hosts.
#[derive(Debug)]
pub(super) struct Listings {
    hosts: Hosts,
    per_page: usize,
    written: [Written; Host::ALL.len()],
    /// The list of the alias.
    alias: Written,
    /// The list of the address for agents.
    agents: Written,
}

impl Listings {
    /// The lists of these hosts, in pages of `per_page` tools.
    pub(super) fn new(hosts: Hosts, per_page: usize) -> Self {
        Listings {
            hosts,
            per_page: per_page.max(1),
            written: [const { OnceLock::new() }; Host::ALL.len()],
            alias: OnceLock::new(),
            agents: OnceLock::new(),
        }
    }

    /// The tools at this address, for all roles.
    fn of(&self, addressed: Addressed) -> &[Listed] {
        let written = match addressed {
            Addressed { is_alias: true, .. } => &self.alias,
            Addressed {
                is_for_agents: true,
                ..
            } => &self.agents,
            _ => &self.written[addressed.host as usize],
        };
        written.get_or_init(|| {
            let routes = self.hosts.routes(addressed.host);
            let served = routes.filter(|route| addressed.serves(route.tool.name));
            let listed = served.map(|route| {
                let mut tool = route.tool.to_listing();
                if addressed.is_alias {
                    let says = format!("{} {}", route.tool.description(), alias::NOTE);
                    tool["description"] = says.into();
                }
                Listed::of(&route.tool, tool)
            });
            let own = Own::ALL.into_iter().filter(|_| addressed.is_for_agents);
            let everybody = Roles::of(&Role::ALL);
            let own = own
                .map(|own| Listed::with(own.name(), everybody, own.is_read_only(), own.listing()));
            own.chain(listed).collect()
        })
    }

    /// The result of `tools/list` as JSON text: the first page, or the page at the cursor, of those tools that `hosts` has.
    /// A caller without a role gets an empty list.
    ///
    /// # Errors
    /// [`NoSuchCursor`] if the cursor is not valid for this host.
    pub(super) fn page(
        &self,
        addressed: Addressed,
        hosts: &Hosts,
        role: Option<Role>,
        revision: Revision,
        params: &ListParams,
    ) -> Result<String, NoSuchCursor> {
        let tools = self.of(addressed);
        let offered = |tool: &Listed| {
            role.is_some_and(|role| tool.audience.contains(role))
                && (addressed.is_for_agents && Own::of(tool.name).is_some()
                    || hosts.offers(addressed.host, tool.name, tool.is_read_only))
        };
        let cursor = params.cursor.as_deref();
        let name = |tool: &Listed| tool.name;
        let page = paging::page(
            paging::Listed::Tools,
            tools,
            cursor,
            self.per_page,
            name,
            offered,
        )?;
        let (version, hints) = match revision {
            Revision::Session(version) => (version, String::new()),
            // The tools have the format of the newest session revision.
            Revision::Sessionless => (Version::NEWEST, format!("{CACHED},")),
        };
        let is_complete = params.meta.output_schemas && version.has_structured_content();
        let json = page.entries.into_iter().map(|tool| match is_complete {
            true => tool.complete.as_str(),
            false => tool.json[version as usize].as_str(),
        });
        let json: Vec<_> = json.collect();
        Ok(format!(
            r#"{{{hints}"tools":[{}]{}}}"#,
            json.join(","),
            page.next
        ))
    }
}

/// The tool without its output schema and the fields that the revision lacks.
fn written(mut tool: Value, version: Version) -> String {
    if let Value::Object(tool) = &mut tool {
        tool.shift_remove("outputSchema");
        if !version.has_annotations() {
            tool.shift_remove("annotations");
        }
    }
    tool.to_string()
}
