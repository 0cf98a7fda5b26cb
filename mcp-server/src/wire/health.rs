//! `GET /health`: whether the host can answer. Needs no authentication.

use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::sync::Mutex;

use super::Service;
use super::address::Addressed;
use crate::database::Database;

/// The time an answer of the database is reused. Everyone can call this endpoint, and each check needs a connection.
const FRESH: Duration = Duration::from_secs(1);

/// Checks the database at most once per [`FRESH`].
#[derive(Debug, Default)]
pub(super) struct Probe {
    last: Mutex<Option<(Instant, bool)>>,
}

impl Probe {
    async fn is_up(&self, database: &Database) -> bool {
        let mut last = self.last.lock().await;
        match *last {
            Some((at, up)) if at.elapsed() < FRESH => up,
            _ => {
                let up = database.is_up().await;
                *last = Some((Instant::now(), up));
                up
            }
        }
    }
}

pub(super) async fn health(State(service): State<Service>, addressed: Addressed) -> Response {
    let up = service.inner.health.is_up(&service.inner.database).await;
    let (status, word) = if up {
        (StatusCode::OK, "ok")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "unavailable")
    };
    let tools = service.inner.hosts.routes(addressed.host);
    let tools = tools.filter(|route| addressed.serves(route.tool.name));
    let body = json!({
        "status": word,
        "host": addressed.host.area(),
        "version": env!("CARGO_PKG_VERSION"),
        "tools": tools.count(),
        "database": if up { "ok" } else { "unreachable" },
    });
    (status, Json(body)).into_response()
}
