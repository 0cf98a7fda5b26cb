//! `tools/list`: the tools of a host for the caller's role, in pages, in the format of the request's revision.

use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_protocol::mcp::{Revision, Version};
use frontdesk_protocol::{Host, Role, Roles};
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
    audience: Roles,
    json: [String; Version::ALL.len()],
}

/// The lists of all hosts, each serialized when first requested.
#[derive(Debug)]
pub(super) struct Listings {
    hosts: Hosts,
    per_page: usize,
    written: [OnceLock<Vec<Listed>>; Host::ALL.len()],
    /// The list of the alias.
    alias: OnceLock<Vec<Listed>>,
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
            written: [const { OnceLock::new() }; Host::ALL.len()],
            alias: OnceLock::new(),
        }
    }

    fn of(&self, addressed: Addressed) -> &[Listed] {
        let lists = match addressed.is_alias {
            true => &self.alias,
            false => &self.written[addressed.host as usize],
        };
        lists.get_or_init(|| {
            let routes = self.hosts.routes(addressed.host);
            let served = routes.filter(|route| addressed.serves(route.tool.name));
            let listed = served.map(|route| {
                let mut tool = route.tool.to_listing();
                if addressed.is_alias {
                    let says = format!("{} {}", route.tool.description(), alias::NOTE);
                    tool["description"] = says.into();
                }
                Listed {
                    name: route.tool.name,
                    audience: route.tool.audience,
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
        let tools = self.of(addressed);
        let tools = match cursor {
            Some(cursor) => after(tools, cursor)?,
            None => tools,
        };
        let (version, hints) = match revision {
            Revision::Session(version) => (version, String::new()),
            // The tools have the format of the newest session revision.
            Revision::Sessionless => (Version::NEWEST, format!("{CACHED},")),
        };
        let mut offered = tools
            .iter()
            .filter(|tool| role.is_some_and(|role| tool.audience.contains(role)));
        let page: Vec<_> = offered.by_ref().take(self.per_page).collect();
        let next = match (page.last(), offered.next()) {
            (Some(last), Some(_)) => format!(r#","nextCursor":"{}""#, cursor_after(last)),
            _ => String::new(),
        };
        let page: Vec<_> = page
            .iter()
            .map(|tool| tool.json[version as usize].as_str())
            .collect();
        Ok(format!(r#"{{{hints}"tools":[{}]{next}}}"#, page.join(",")))
    }
}

/// The cursor to the tools after this one. It contains the tool's name, not a number, so it stays valid if the caller's
/// role or the list changes.
fn cursor_after(tool: &Listed) -> String {
    let mut cursor = vec![KIND];
    cursor.extend(tool.name.as_bytes());
    URL_SAFE_NO_PAD.encode(cursor)
}

/// The tools after the one in the cursor.
fn after<'a>(tools: &'a [Listed], cursor: &str) -> Result<&'a [Listed], NoSuchCursor> {
    let cursor = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| NoSuchCursor)?;
    let Some((&KIND, name)) = cursor.split_first() else {
        return Err(NoSuchCursor);
    };
    let at = tools.iter().position(|tool| tool.name.as_bytes() == name);
    at.and_then(|at| tools.get(at + 1..)).ok_or(NoSuchCursor)
}

/// The tool without the fields that the revision lacks.
fn written(mut tool: Value, version: Version) -> String {
    if let Value::Object(tool) = &mut tool {
        if !version.has_structured_content() {
            tool.shift_remove("outputSchema");
        }
        if !version.has_annotations() {
            tool.shift_remove("annotations");
        }
    }
    tool.to_string()
}
