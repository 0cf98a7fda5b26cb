//! The MCP messages that hosts and clients exchange, and the protocol's revisions.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::words::words;

words! {
    /// A revision of the protocol that is opened by a handshake, oldest first. The session-less revision
    /// has no `initialize`; see [`Revision`].
    Version {
        V2024_11_05 = "2024-11-05",
        V2025_03_26 = "2025-03-26",
        /// Structured results, output schemas, titles.
        V2025_06_18 = "2025-06-18",
        V2025_11_25 = "2025-11-25",
    }
}

impl Version {
    /// The newest, offered to a client that asks for one we do not know.
    pub const NEWEST: Version = Version::V2025_11_25;

    /// What to answer to a client that asks for `requested`: that, or the newest.
    pub fn negotiate(requested: &str) -> Version {
        Version::from_name(requested).unwrap_or(Version::NEWEST)
    }

    /// Whether results carry `structuredContent`, tools an `outputSchema` and servers a title.
    pub fn has_structured_content(self) -> bool {
        self >= Version::V2025_06_18
    }

    /// Whether tools carry annotations.
    pub fn has_annotations(self) -> bool {
        self >= Version::V2025_03_26
    }
}

/// The revision without a handshake: every request says by itself who asks, and in which revision.
pub const SESSIONLESS: &str = "2026-07-28";

/// How a request is spoken: in a session of a handshake revision, or without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revision {
    /// Opened by `initialize`.
    Session(Version),
    /// 2026-07-28.
    Sessionless,
}

impl Revision {
    /// The revision's date.
    pub const fn name(self) -> &'static str {
        match self {
            Revision::Session(version) => version.name(),
            Revision::Sessionless => SESSIONLESS,
        }
    }

    /// Whether results carry `structuredContent`, tools an `outputSchema` and servers a title.
    pub fn has_structured_content(self) -> bool {
        match self {
            Revision::Session(version) => version.has_structured_content(),
            Revision::Sessionless => true,
        }
    }
}

/// A program's name and version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Implementation {
    /// Name.
    pub name: String,
    /// Version.
    pub version: String,
    /// Name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// Parameters of `initialize`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InitializeParams {
    /// The revision that the client would like.
    pub protocol_version: String,
    /// What the client can do.
    #[serde(default)]
    pub capabilities: Map<String, Value>,
    /// Who the client is.
    #[serde(deserialize_with = "crate::rpc::fields")]
    pub client_info: Implementation,
}

/// Parameters of `tools/call`, the arguments unread.
#[derive(Debug, Clone, Deserialize)]
pub struct CallParams<'a> {
    /// The tool.
    #[serde(borrow)]
    pub name: std::borrow::Cow<'a, str>,
    /// Its arguments; absent means none.
    #[serde(borrow, default)]
    pub arguments: Option<&'a RawValue>,
    /// What belongs to the call but is no argument.
    #[serde(rename = "_meta", default, deserialize_with = "crate::rpc::fields")]
    pub meta: CallMeta,
}

/// What a call may carry beside its arguments (MCP `_meta`).
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct CallMeta {
    /// When the thing happened that the call reports, where the call could not be delivered then.
    /// `check_in_guest` takes it: the earlier of this and what stands is the time of arrival. A
    /// time in the future counts as now.
    #[serde(
        rename = "frontdesk/occurredAt",
        default,
        deserialize_with = "crate::value::our_era",
        skip_serializing_if = "Option::is_none"
    )]
    pub occurred_at: Option<jiff::Timestamp>,
    /// Names this write for a day: the same call with the same key returns what it returned first and
    /// does nothing more; another call with it is refused with the code `conflict`. 1 to 200 characters.
    #[serde(
        rename = "idempotencyKey",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub idempotency_key: Option<String>,
    /// The digest of the plan that a dry run showed. Tools with a plan do exactly that, or refuse with
    /// the code `conflict` and write nothing.
    #[serde(
        rename = "frontdesk/expectedPlan",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub expected_plan: Option<String>,
}

/// The header that carries the session, both ways.
pub const SESSION_HEADER: &str = "mcp-session-id";
/// The header that names the negotiated revision from 2025-06-18 on.
pub const VERSION_HEADER: &str = "mcp-protocol-version";
/// The header that repeats the method of a session-less request.
pub const METHOD_HEADER: &str = "mcp-method";
/// The header that repeats the name of the tool that a session-less request calls.
pub const NAME_HEADER: &str = "mcp-name";
/// In `_meta` of a session-less request: its revision.
pub const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// In `_meta` of a session-less request: what the client can do.
pub const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// In `_meta` of the answer to `server/discover`: who the host is.
pub const META_SERVER: &str = "io.modelcontextprotocol/serverInfo";
