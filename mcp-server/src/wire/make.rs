//! Making a call of a request: counted against the limits, and recorded.

use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use axum::http::header::USER_AGENT;
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::staff::organization::UpdateOrganization;
use frontdesk_protocol::{Tool, ToolError};

use super::asked::Asked;
use super::limit::Kind;
use super::refusal::Refusal;
use crate::call::{self, Effect, Inputs, Route};
use crate::telemetry;

/// The header with the idempotency key of a call that has none in its `_meta`.
const KEY: &str = "idempotency-key";
/// How Frontdesk's own programs name themselves.
const OWN: &str = "frontdesk/";
/// The maximum length of a client's name in characters.
const MOST_OF_A_NAME: usize = 200;

/// A call that counts as several also counts as one for each of these times that it took.
const TIME_PER_CHARGE: Duration = Duration::from_millis(250);

/// Makes a call, counted and recorded. With `inputs` its handler can ask the client.
pub(super) async fn make(
    asked: &Asked<'_>,
    route: &'static Route,
    mut meta: CallMeta,
    inputs: Option<Inputs>,
    arguments: &str,
) -> Result<(Result<String, ToolError>, Effect), Refusal> {
    if meta.idempotency_key.is_none() {
        let key = asked.headers.get(KEY).and_then(|key| key.to_str().ok());
        meta.idempotency_key = key.map(str::to_owned);
    }
    let service = asked.service;
    let limit = &service.inner.limit;
    let charge = route.charge(arguments);
    let charge = charge.map(|(host, calls)| ((asked.caller.user, host, Kind::Call), calls));
    if let Some((counted, calls)) = charge {
        limit.check_several(counted, calls).await?;
    }
    let server = call::Server {
        hosts: asked.hosts.clone(),
        accounts_at: service.inner.identity.accounts_at(asked.headers),
        client: client(asked.headers),
        trial: service.inner.limit_of_trial,
        progress: asked.progress.clone(),
        stop: asked.stop.clone(),
        reads: asked.reads.clone(),
        inputs,
    };
    let (started, counted_from) = (Instant::now(), limit.elapsed());
    let database = &service.inner.database;
    let (outcome, effect) = route
        .call(database, asked.caller, meta, server, arguments)
        .await;
    let took = started.elapsed();
    if let Some((counted, _)) = charge {
        let counted_time = limit.elapsed().saturating_sub(counted_from);
        let calls = counted_time.as_millis() / TIME_PER_CHARGE.as_millis();
        limit.charge(counted, u32::try_from(calls).unwrap_or(u32::MAX));
    }
    if route.tool.name == UpdateOrganization::NAME {
        service.inner.required.forget();
    }
    telemetry::record_call(
        route.tool.host,
        route.tool.name,
        asked.caller.user,
        &outcome,
        took,
    );
    Ok((outcome, effect))
}

/// Whether the calling program is one of Frontdesk's own.
pub(super) fn is_own(headers: &HeaderMap) -> bool {
    client(headers).is_some_and(|client| client.starts_with(OWN))
}

/// The calling program, as it names itself.
pub(super) fn client(headers: &HeaderMap) -> Option<String> {
    let named = headers.get(USER_AGENT)?.to_str().ok()?;
    Some(named.chars().take(MOST_OF_A_NAME).collect())
}
