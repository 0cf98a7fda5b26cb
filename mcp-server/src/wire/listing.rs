//! `tools/list`: the tools of a host that the caller's role is offered, as the request's revision
//! writes them, a page at a time.

use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_protocol::mcp::{Revision, Version};
use frontdesk_protocol::{Host, Role, Roles};
use serde_json::Value;

use super::address::Addressed;
use super::alias;
use crate::hosts::Hosts;

/// How a session-less client may keep what it was told: for a minute, and for this caller alone, whose
/// role decides.
pub(super) const CACHED: &str = r#""resultType":"complete","ttlMs":60000,"cacheScope":"private""#;

/// The first byte of a cursor: another kind of cursor has another.
const KIND: u8 = 1;

/// One tool, written for each revision once.
#[derive(Debug)]
struct Listed {
    name: &'static str,
    audience: Roles,
    json: [String; Version::ALL.len()],
}

/// What each host lists, written when it is first asked for.
#[derive(Debug)]
pub(super) struct Listings {
    hosts: Hosts,
    per_page: usize,
    written: [OnceLock<Vec<Listed>>; Host::ALL.len()],
    /// What the alias lists.
    alias: OnceLock<Vec<Listed>>,
}

/// There is no such cursor at this host.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoSuchCursor;

impl Listings {
    /// The lists of these hosts, in pages of so many tools.
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

    /// The result of `tools/list` as JSON text: the first page, or the one that the cursor leads to. A
    /// caller without a role is offered nothing.
    ///
    /// # Errors
    /// [`NoSuchCursor`] where the cursor is none of this host's.
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
            // A tool is written as in the newest of the others.
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

/// The cursor to what follows this tool. It names the tool and no number, so that it holds where the
/// caller's role, or the list itself, has changed in between.
fn cursor_after(tool: &Listed) -> String {
    let mut cursor = vec![KIND];
    cursor.extend(tool.name.as_bytes());
    URL_SAFE_NO_PAD.encode(cursor)
}

/// What follows the tool that the cursor names.
fn after<'a>(tools: &'a [Listed], cursor: &str) -> Result<&'a [Listed], NoSuchCursor> {
    let cursor = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| NoSuchCursor)?;
    let Some((&KIND, name)) = cursor.split_first() else {
        return Err(NoSuchCursor);
    };
    let at = tools.iter().position(|tool| tool.name.as_bytes() == name);
    at.and_then(|at| tools.get(at + 1..)).ok_or(NoSuchCursor)
}

/// The tool without what the revision does not know.
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
