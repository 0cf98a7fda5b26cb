//! MCP messages between hosts and clients, and the protocol's revisions.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::id::{ChangeId, UserId};
use crate::words::words;

words! {
    /// A protocol revision with a handshake, oldest first. The session-less revision has no
    /// `initialize`; see [`Revision`].
    Version {
        V2024_11_05 = "2024-11-05",
        V2025_03_26 = "2025-03-26",
        /// Structured results, output schemas, titles.
        V2025_06_18 = "2025-06-18",
        V2025_11_25 = "2025-11-25",
    }
}

impl Version {
    /// The newest revision, offered to a client that requests an unknown one.
    pub const NEWEST: Version = Version::V2025_11_25;

    /// The revision to answer with: `requested` if it is known, or the newest.
    pub fn negotiate(requested: &str) -> Version {
        Version::from_name(requested).unwrap_or(Version::NEWEST)
    }

    /// Whether results have `structuredContent`, tools an `outputSchema` and servers a title.
    pub fn has_structured_content(self) -> bool {
        self >= Version::V2025_06_18
    }

    /// Whether tools have annotations.
    pub fn has_annotations(self) -> bool {
        self >= Version::V2025_03_26
    }
}

/// The revision without a handshake: every request contains the caller and the revision.
pub const SESSIONLESS: &str = "2026-07-28";

/// The revision of a request: with a handshake and a session, or without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revision {
    /// A session opened by `initialize`.
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

    /// Whether the choices of a form have titles.
    pub fn has_titled_choices(self) -> bool {
        self != Revision::Session(Version::V2025_06_18)
    }

    /// Whether results have `structuredContent`, tools an `outputSchema` and servers a title.
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
    /// Name for programs.
    pub name: String,
    /// The program's version.
    pub version: String,
    /// Name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// Parameters of `initialize`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InitializeParams {
    /// The requested revision.
    pub protocol_version: String,
    /// The client's capabilities.
    #[serde(default)]
    pub capabilities: Map<String, Value>,
    /// The client's name and version.
    #[serde(deserialize_with = "crate::rpc::fields")]
    pub client_info: Implementation,
}

/// Parameters of `tools/list`.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct ListParams {
    /// The page; absent for the first one.
    #[serde(default)]
    pub cursor: Option<String>,
    /// Options of the list.
    #[serde(
        rename = "_meta",
        default,
        deserialize_with = "crate::rpc::fields_or_null"
    )]
    pub meta: ListMeta,
}

/// Options of a list of tools (MCP `_meta`).
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct ListMeta {
    /// Each tool is listed with its `outputSchema`. Agents do not need it, and would pay for it in every conversation;
    /// validators and generators of code do.
    #[serde(rename = "frontdesk/outputSchemas", default)]
    pub output_schemas: bool,
}

/// Parameters of `tools/call`; the arguments are not parsed.
#[derive(Debug, Clone, Deserialize)]
pub struct CallParams<'a> {
    /// The tool.
    #[serde(borrow)]
    pub name: std::borrow::Cow<'a, str>,
    /// Its arguments; absent means no arguments.
    #[serde(borrow, default)]
    pub arguments: Option<&'a RawValue>,
    /// Options of the call in addition to its arguments.
    #[serde(
        rename = "_meta",
        default,
        deserialize_with = "crate::rpc::fields_or_null"
    )]
    pub meta: CallMeta,
    /// In 2026-07-28: the client's answers to what an earlier result asked.
    #[serde(borrow, rename = "inputResponses", default)]
    pub input_responses: Option<&'a RawValue>,
    /// In 2026-07-28: the state of that result.
    #[serde(borrow, rename = "requestState", default)]
    pub request_state: Option<std::borrow::Cow<'a, str>>,
}

/// Options of a call in addition to its arguments (MCP `_meta`).
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct CallMeta {
    /// The time of the reported fact, for a call that could not be delivered at that time.
    /// `check_in_guest` uses it: the time of arrival is the earlier of this and the stored time. A
    /// time in the future counts as now. For `update_event_guest` that clears `check_in_at`: when the check-in was made
    /// that is taken back. If another check-in of the guest counts, too, the call is refused with the code `conflict`.
    #[serde(
        rename = "frontdesk/occurredAt",
        default,
        deserialize_with = "crate::wire::deserialize",
        skip_serializing_if = "Option::is_none"
    )]
    pub occurred_at: Option<jiff::Timestamp>,
    /// The account that made the call, if the caller delivers it from the journal of a desk. The history has both. An
    /// account that is not one of the organisation is ignored.
    #[serde(
        rename = "frontdesk/madeBy",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub made_by: Option<UserId>,
    /// Identifies this write for a day: repeating the call with the same key returns the first result
    /// without writing; a different call with it is refused with the code `conflict`. 1 to 200 characters.
    #[serde(
        rename = "idempotencyKey",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub idempotency_key: Option<String>,
    /// The digest of a preview, or of a dry run's plan. The call does exactly this, or is refused with the code
    /// `conflict` and writes nothing.
    #[serde(
        rename = "frontdesk/expectedPlan",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub expected_plan: Option<String>,
    /// The call is made and rolled back; its result contains the [`Changes`](crate::changes::Changes).
    #[serde(
        rename = "frontdesk/preview",
        default,
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub preview: bool,
    /// The number of records of a list, in its `total`. Without it a list counts only on its last page, where the number
    /// is known.
    #[serde(
        rename = "frontdesk/total",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub total: Option<Total>,
    /// For `list_event_guests`: the guests that were added or changed since an earlier result, whose [`META_NEXT`] this
    /// is; if `has_more`, ask again at once. Empty for the first page of the whole list. After a backup was restored, the
    /// result has no [`META_NEXT`]: list the guests again.
    #[serde(
        rename = "frontdesk/guestsSince",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub guests_since: Option<String>,
    /// For `list_event_guests`: the guests come with their last passage, at the place with this id or,
    /// if it is empty, at the event itself.
    #[serde(
        rename = "frontdesk/place",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub place: Option<String>,
    /// Arguments in which a record that the call adds must differ from all others, such as `event_id` and `email`;
    /// capitals matter, but in e-mail addresses. Otherwise it is refused with the code `conflict`. In `run_batch`, for each call that adds a
    /// record. So an import adds nothing twice, also if another one adds the same at the same time.
    #[serde(
        rename = "frontdesk/unique",
        default,
        skip_serializing_if = "Vec::is_empty"
    )]
    pub unique: Vec<String>,
    /// The values that a call which changes a record replaces, by argument. If the record has other ones by now, the call
    /// is refused with the code `conflict`; the error's `details.current` has those.
    #[serde(
        rename = "frontdesk/was",
        default,
        skip_serializing_if = "serde_json::Map::is_empty"
    )]
    pub was: serde_json::Map<String, serde_json::Value>,
    /// The link of the result is a content block, too. Without this it stands in `_meta` only ([`META_LINK`]): clients are in use
    /// that take a second block for an error, and make the call again.
    #[serde(
        rename = "frontdesk/links",
        default,
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub links: bool,
    /// The action to which the call belongs: the history lists its calls as one change, which is undone as a whole.
    #[serde(
        rename = "frontdesk/action",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub action: Option<Action>,
}

/// An action of several calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// The call is the first of a new action; its result has the id
    /// ([`META_ACTION`](crate::changes::META_ACTION)).
    New,
    /// The action with this id, which is the caller's own, and not a day old.
    #[serde(untagged)]
    Of(ChangeId),
}

/// How a list counts its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Total {
    /// Counts them. The time grows with the list.
    Exact,
    /// Counts up to [`COUNTED`] of them. If there are more, that is the total, and the list has `total_is_estimate`.
    Estimate,
}

/// The most records that [`Total::Estimate`] counts.
pub const COUNTED: i64 = 10_000;

/// In `_meta` of a result: the `resource_link` of the record that it returns.
pub const META_LINK: &str = "frontdesk/link";
/// In `_meta` of a result: the next value of `frontdesk/guestsSince`.
pub const META_NEXT: &str = "frontdesk/next";
/// The header with the session id, in requests and responses.
pub const SESSION_HEADER: &str = "mcp-session-id";
/// The header with the number of calls that the host still accepts from the caller at once, or [`UNLIMITED`].
pub const ALLOWANCE_HEADER: &str = "x-ratelimit-remaining";
/// The header that narrows a connection to some tools: `read-only`, areas and `area.tool`, separated by commas.
pub const TOOLS_HEADER: &str = "x-frontdesk-tools";
/// The header of a request for tokens by a program whose person agrees to what it does, with any value.
pub const PERSON_HEADER: &str = "x-frontdesk-person";
/// The allowance of a host without a rate limit.
pub const UNLIMITED: &str = "unlimited";
/// The header with the negotiated revision, since 2025-06-18.
pub const VERSION_HEADER: &str = "mcp-protocol-version";
/// The header that repeats the method of a session-less request.
pub const METHOD_HEADER: &str = "mcp-method";
/// The header that repeats the tool name of a session-less request.
pub const NAME_HEADER: &str = "mcp-name";
/// How a header begins that repeats an argument of a session-less request; see [`Mark::Header`](crate::wire::Mark::Header).
pub const PARAMETER_HEADER: &str = "mcp-param-";
/// In `_meta` of a session-less request: its revision.
pub const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// In `_meta` of a session-less request: the client's capabilities.
pub const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// In `_meta` of the answer to `server/discover`: the host's name and version.
pub const META_SERVER: &str = "io.modelcontextprotocol/serverInfo";
