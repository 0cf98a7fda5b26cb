//! `GET /health`: whether the host can answer. Needs no authentication.

use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::sync::Mutex;

use super::Service;
use super::address::Addressed;
use crate::database::{Condition, Database};
use crate::identity::proxies;

/// The time an answer of the database is reused. Everyone can call this endpoint, and each check needs a connection.
const FRESH: Duration = Duration::from_secs(1);

/// Checks the database at most once per [`FRESH`].
#[derive(Debug, Default)]
pub(super) struct Probe {
    last: Mutex<Option<(Instant, Condition)>>,
}

impl Probe {
    async fn condition(&self, database: &Database) -> Condition {
        let mut last = self.last.lock().await;
        match *last {
            Some((at, condition)) if at.elapsed() < FRESH => condition,
            _ => {
                let condition = database.condition().await;
                *last = Some((Instant::now(), condition));
                condition
            }
        }
    }
}

/// `forwarded` is the number of proxies that have named their client, for `frontdesk-server check`.
pub(super) async fn health(
    State(service): State<Service>,
    addressed: Addressed,
    headers: HeaderMap,
) -> Response {
    let condition = service.inner.health.condition(&service.inner.database);
    // A host that can only read stays in use.
    let (status, word, told) = match condition.await {
        Condition::Ready => (StatusCode::OK, "ok", "ok".to_owned()),
        Condition::Unprotected(reason) => (
            StatusCode::OK,
            "degraded",
            format!("a failover would lose changes: {reason}"),
        ),
        Condition::Unwritable(reason) => (
            StatusCode::OK,
            "degraded",
            format!("cannot be written to: {reason}"),
        ),
        Condition::Unreachable => (
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable",
            "unreachable".to_owned(),
        ),
    };
    let tools = service.inner.hosts.routes(addressed.host);
    let tools = tools.filter(|route| addressed.serves(route.tool.name));
    let mut body = json!({
        "status": word,
        "host": addressed.host.area(),
        "version": env!("CARGO_PKG_VERSION"),
        "tools": tools.count(),
        "database": told,
        "forwarded": proxies(&headers),
    });
    if let Some(refusal) = service.inner.history.get() {
        body["history"] = refusal.into();
    }
    (status, Json(body)).into_response()
}
