//! `tools/list`: the tools of a host for the caller's role, in pages, in the format of the request's revision.

use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_protocol::listing::Listing;
use frontdesk_protocol::mcp::{Revision, Version};
use frontdesk_protocol::{Host, Role};
use serde_json::Value;

use super::address::Addressed;
use super::alias;
use crate::hosts::Hosts;

/// Session-less clients can cache the list for a minute, for this caller only: it depends on the caller's role.
pub(super) const CACHED: &str = r#""resultType":"complete","ttlMs":60000,"cacheScope":"private""#;

/// The first byte of a cursor, which distinguishes kinds of cursors.
const KIND: u8 = 1;

/// A tool, serialized once for each revision.
#[derive(Debug)]
struct Listed {
    name: &'static str,
    /// Its place among all tools of the host.
    place: usize,
    json: [String; Version::ALL.len()],
}

/// The list of a host for each role, serialized when first requested.
type ByRole = [OnceLock<Vec<Listed>>; Role::ALL.len()];

/// The lists of all hosts.
#[derive(Debug)]
pub(super) struct Listings {
    hosts: Hosts,
    per_page: usize,
    written: [ByRole; Host::ALL.len()],
    /// The list of the alias.
    alias: ByRole,
}

/// The cursor is not valid for this host.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoSuchCursor;

impl Listings {
    /// The lists of these hosts, in pages of `per_page` tools.
    pub(super) fn new(hosts: Hosts, per_page: usize) -> Self {
        Listings {
            hosts,
            per_page: per_page.max(1),
            written: [const { [const { OnceLock::new() }; Role::ALL.len()] }; Host::ALL.len()],
            alias: [const { OnceLock::new() }; Role::ALL.len()],
        }
    }

    /// The tools that this role is offered.
    fn of(&self, addressed: Addressed, role: Role) -> &[Listed] {
        let lists = match addressed.is_alias {
            true => &self.alias,
            false => &self.written[addressed.host as usize],
        };
        lists[role as usize].get_or_init(|| {
            let mut listing = Listing::default();
            let routes = self.hosts.routes(addressed.host).enumerate();
            let offered = routes.filter(|(_, route)| {
                addressed.serves(route.tool.name) && route.tool.audience.contains(role)
            });
            let listed = offered.map(|(place, route)| {
                let mut tool = listing.entry(&route.tool);
                if addressed.is_alias {
                    let says = format!("{} {}", route.tool.description(), alias::NOTE);
                    tool["description"] = says.into();
                }
                Listed {
                    name: route.tool.name,
                    place,
                    json: Version::ALL.map(|version| written(tool.clone(), version)),
                }
            });
            listed.collect()
        })
    }

    /// The result of `tools/list` as JSON text: the first page, or the page at the cursor. A caller without a role gets
    /// an empty list.
    ///
    /// # Errors
    /// [`NoSuchCursor`] if the cursor is not valid for this host.
    pub(super) fn page(
        &self,
        addressed: Addressed,
        role: Option<Role>,
        revision: Revision,
        cursor: Option<&str>,
    ) -> Result<String, NoSuchCursor> {
        let tools = role.map_or(&[][..], |role| self.of(addressed, role));
        let tools = match cursor {
            Some(cursor) => {
                let after = self.place(addressed, cursor).ok_or(NoSuchCursor)?;
                &tools[tools.partition_point(|tool| tool.place <= after)..]
            }
            None => tools,
        };
        let (version, hints) = match revision {
            Revision::Session(version) => (version, String::new()),
            // The tools have the format of the newest session revision.
            Revision::Sessionless => (Version::NEWEST, format!("{CACHED},")),
        };
        let (page, more) = tools.split_at(tools.len().min(self.per_page));
        let next = match page.last().filter(|_| !more.is_empty()) {
            Some(last) => format!(r#","nextCursor":"{}""#, cursor_after(last)),
            None => String::new(),
        };
        let page: Vec<_> = page
            .iter()
            .map(|tool| tool.json[version as usize].as_str())
            .collect();
        Ok(format!(r#"{{{hints}"tools":[{}]{next}}}"#, page.join(",")))
    }

    /// The place of the tool in the cursor.
    fn place(&self, addressed: Addressed, cursor: &str) -> Option<usize> {
        let cursor = URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let (_, name) = cursor.split_first().filter(|(kind, _)| **kind == KIND)?;
        let mut routes = self.hosts.routes(addressed.host);
        routes.position(|route| {
            route.tool.name.as_bytes() == name && addressed.serves(route.tool.name)
        })
    }
}

/// The cursor to the tools after this one. It contains the tool's name, not a number, so it stays valid if the caller's
/// role or the list changes.
fn cursor_after(tool: &Listed) -> String {
    let mut cursor = vec![KIND];
    cursor.extend(tool.name.as_bytes());
    URL_SAFE_NO_PAD.encode(cursor)
}

/// The tool without the fields that the revision lacks.
fn written(mut tool: Value, version: Version) -> String {
    if let Value::Object(tool) = &mut tool {
        if !version.has_structured_content() {
            tool.shift_remove("outputSchema");
            tool.shift_remove("title");
        }
        if !version.has_annotations() {
            tool.shift_remove("annotations");
        }
    }
    tool.to_string()
}
