//! How a client begins: `initialize` opens a session, `server/discover` describes the host to a client without one.

use axum::http::StatusCode;
use frontdesk_protocol::mcp::{InitializeParams, META_SERVER, Version};
use serde_json::{Value, json};

use super::address::Addressed;
use super::agents;
use super::asked::Asked;
use super::envelope::Envelope;
use super::listing;
use super::refusal::Refusal;
use super::session::Session;
use super::sessionless;
use crate::call::Capabilities;

/// Opens a session. Returns the result as JSON text.
pub(super) async fn initialize(
    asked: &Asked<'_>,
    envelope: &Envelope<'_>,
    capabilities: impl Fn(Version) -> Value,
) -> Result<(String, Session), Refusal> {
    let instructions = instructions(asked).await?;
    let params: InitializeParams = envelope
        .params()
        .map_err(|error| Refusal::rpc(StatusCode::BAD_REQUEST, error))?;
    let version = Version::negotiate(&params.protocol_version);
    let result = json!({
        "protocolVersion": version.name(),
        "capabilities": capabilities(version),
        "serverInfo": server(asked.addressed, version.has_structured_content()),
        "instructions": instructions,
    });
    let client = match version >= Version::V2025_06_18 {
        true => Capabilities::of(&params.capabilities),
        false => Capabilities::default(),
    };
    Ok((result.to_string(), Session { version, client }))
}

/// The server's name and version. Older revisions have no title.
fn server(addressed: Addressed, has_title: bool) -> Value {
    let (name, title) = match addressed.is_for_agents {
        true => (agents::NAME, "for agents"),
        false => (addressed.host.area(), addressed.host.title()),
    };
    let mut server = json!({
        "name": format!("frontdesk-{name}"),
        "version": env!("CARGO_PKG_VERSION"),
    });
    if has_title {
        server["title"] = format!("Frontdesk {title}").into();
    }
    server
}

/// A session-less client's first request: returns the host's revisions and capabilities.
pub(super) async fn discover(asked: &Asked<'_>, capabilities: Value) -> Result<String, Refusal> {
    let instructions = instructions(asked).await?;
    let said = json!({
        "supportedVersions": sessionless::versions(),
        "capabilities": capabilities,
        "instructions": instructions,
        "_meta": { META_SERVER: server(asked.addressed, true) },
    });
    let said = said.to_string();
    // Joins the two objects into one.
    Ok(format!("{{{},{}", listing::CACHED, &said[1..]))
}

/// The instructions of the host for the caller.
async fn instructions(asked: &Asked<'_>) -> Result<String, Refusal> {
    let caller = asked.who().await?;
    Ok(asked.service.inner.guides.of(asked.addressed.host, &caller))
}
