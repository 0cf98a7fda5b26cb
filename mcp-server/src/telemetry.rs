//! The server's log and metrics: a log line and figures for every call. They never contain arguments, tokens or
//! personal data.

use std::time::Duration;

use frontdesk_protocol::id::UserId;
use frontdesk_protocol::{Host, ToolError};

/// Logs and counts a call.
pub fn record_call(
    host: Host,
    tool: &'static str,
    caller: UserId,
    outcome: &Result<String, ToolError>,
    took: Duration,
) {
    let outcome = match outcome {
        Ok(_) => "ok",
        Err(error) => error.code.name(),
    };
    // Rounded to microseconds.
    let milliseconds = (took.as_secs_f64() * 1e6).round() / 1e3;
    tracing::info!(target: "frontdesk::call", %host, tool, %caller, %outcome, milliseconds, "call");
    metrics::counter!("frontdesk_calls_total", "host" => host.area(), "tool" => tool, "outcome" => outcome)
        .increment(1);
    metrics::histogram!("frontdesk_call_seconds", "host" => host.area(), "tool" => tool)
        .record(took.as_secs_f64());
}

/// Logs and counts a request that is refused because of its header: `host` or `origin`.
pub(crate) fn record_refusal(header: &'static str, value: &str) {
    let value: String = value.chars().take(100).collect();
    tracing::warn!(target: "frontdesk::refused", header, value, "request refused; see --allow-host and --public-url");
    metrics::counter!("frontdesk_requests_refused_total", "header" => header).increment(1);
}

/// Logs to stderr; `RUST_LOG` sets the filter, `info` by default.
pub fn init_log(json: bool) {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info,wasmer_wasix=off"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    // If this process already has a logger, keep it.
    let _ = if json {
        log.json().try_init()
    } else {
        log.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()))
            .try_init()
    };
}

/// Serves `GET /metrics` on a separate address.
///
/// # Errors
/// If the address cannot be listened on, or a recorder is already installed.
pub async fn serve_metrics(
    address: std::net::SocketAddr,
) -> Result<(), Box<dyn std::error::Error>> {
    let recorder = metrics_exporter_prometheus::PrometheusBuilder::new()
        .set_buckets(&[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0])?
        .build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder)?;
    let listener = crate::server::listen(address).await?;
    tracing::info!(address = %listener.local_addr()?, "metrics are served");
    let render = move || std::future::ready(handle.render());
    let router = axum::Router::new().route("/metrics", axum::routing::get(render));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(())
}
