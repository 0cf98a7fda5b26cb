//! The server's log and metrics: a log line and figures for every call, sign-in and refusal. They never contain
//! arguments, passwords or tokens; the log names accounts by id and, where somebody signs in, by e-mail address.

use std::fmt::Display;
use std::net::IpAddr;
use std::time::Duration;

use frontdesk_protocol::id::UserId;
use frontdesk_protocol::{Host, ToolError};
use jiff::SignedDuration;

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

/// Counts a statement of a read that a replica could answer.
pub(crate) fn record_read(is_by_replica: bool) {
    let by = if is_by_replica { "replica" } else { "primary" };
    metrics::counter!("frontdesk_reads_total", "answered_by" => by).increment(1);
}

/// Counts itself in a gauge until it is dropped.
#[derive(Debug)]
pub(crate) struct Counted(&'static str);

impl Counted {
    pub(crate) fn by(gauge: &'static str) -> Counted {
        metrics::gauge!(gauge).increment(1.0);
        Counted(gauge)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        metrics::gauge!(self.0).decrement(1.0);
    }
}

/// Logs and counts a sign-in with a password; `outcome` is `ok` or the error's code.
pub(crate) fn record_sign_in(account: &str, client: IpAddr, outcome: &'static str) {
    let account: String = account.chars().take(320).collect();
    match outcome {
        "ok" => tracing::info!(target: "frontdesk::sign_in", account, %client, "signed in"),
        outcome => {
            tracing::warn!(target: "frontdesk::sign_in", account, %client, outcome, "sign-in refused");
        }
    }
    metrics::counter!("frontdesk_sign_ins_total", "outcome" => outcome).increment(1);
}

/// Logs a sign-in by a client whose clock differs by minutes.
pub(crate) fn record_wrong_clock(client: IpAddr, ahead: SignedDuration) {
    let minutes = ahead.as_mins().abs();
    let direction = if ahead.is_positive() { "fast" } else { "slow" };
    tracing::warn!(target: "frontdesk::sign_in", %client, "the client's clock is {minutes} min {direction}");
}

/// Logs and counts an accepted invitation.
pub(crate) fn record_joined(account: &str) {
    tracing::info!(target: "frontdesk::sign_in", account, "invitation accepted");
    metrics::counter!("frontdesk_invitations_accepted_total").increment(1);
}

/// Logs and counts a token that is refused because of a wrong setting or clock.
pub(crate) fn record_token_mistake(reason: &impl Display) {
    tracing::warn!(target: "frontdesk::refused", %reason, "token refused; see --jwt-issuer and the clocks");
    metrics::counter!("frontdesk_tokens_refused_total").increment(1);
}

/// Logs and counts a request that is refused because of its header: `host`, `origin` or `apikey`.
pub(crate) fn record_refusal(header: &'static str, value: &str) {
    let value: String = value.chars().take(100).collect();
    let option = match header {
        "apikey" => "--public-key",
        _ => "--allow-host and --public-url",
    };
    tracing::warn!(target: "frontdesk::refused", header, value, "request refused; see {option}");
    metrics::counter!("frontdesk_requests_refused_total", "header" => header).increment(1);
}

/// Logs to stderr; `RUST_LOG` sets the filter, `info` by default.
pub fn init_log(json: bool) {
    start_log(json, "info,wasmer_wasix=off");
}

/// As [`init_log`], with `warn` by default: for a command whose output is its own.
pub fn log_warnings() {
    start_log(false, "warn,wasmer_wasix=off");
}

fn start_log(json: bool, levels: &str) {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(levels));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .log_internal_errors(false)
        .with_writer(|| Log);
    // If this process already has a logger, keep it.
    let _ = if json {
        log.json().try_init()
    } else {
        log.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()))
            .try_init()
    };
}

/// Standard error. A line that cannot be written, on a full disk or because its reader is gone, is counted: the call that it
/// is about goes on.
struct Log;

impl std::io::Write for Log {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        if std::io::stderr().write_all(line).is_err() {
            metrics::counter!(LINES_LOST).increment(1);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Serves `GET /metrics` on a separate listener.
///
/// # Errors
/// If a recorder is already installed.
pub fn serve_metrics(listener: tokio::net::TcpListener) -> Result<(), Box<dyn std::error::Error>> {
    let recorder = metrics_exporter_prometheus::PrometheusBuilder::new()
        .set_buckets(&[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0])?
        .build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder)?;
    describe();
    tracing::info!(address = %listener.local_addr()?, "metrics are served");
    // What nobody reads is summed up all the same.
    let sums = handle.clone();
    tokio::spawn(async move {
        let mut pause = tokio::time::interval(SUM_UP);
        loop {
            pause.tick().await;
            sums.run_upkeep();
        }
    });
    let render = move || std::future::ready(handle.render());
    let router = axum::Router::new().route("/metrics", axum::routing::get(render));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(())
}

/// How often observations are added to their sums.
const SUM_UP: std::time::Duration = std::time::Duration::from_secs(5);
const LINES_LOST: &str = "frontdesk_log_lines_lost_total";

/// The metrics with what they mean.
const MEANINGS: [(&str, &str); 18] = [
    (
        "frontdesk_calls_total",
        "Calls by host, tool and outcome: ok or the code of the error.",
    ),
    ("frontdesk_call_seconds", "How long calls took."),
    (
        "frontdesk_calls_waiting",
        "Calls that wait for a database connection.",
    ),
    (
        "frontdesk_database_connections",
        "Database connections in use.",
    ),
    (
        "frontdesk_reads_total",
        "Statements of reads by what answered them: replica or primary.",
    ),
    ("frontdesk_client_connections", "Open client connections."),
    (
        "frontdesk_sign_ins_total",
        "Sign-ins with a password by outcome.",
    ),
    (
        "frontdesk_invitations_accepted_total",
        "Accepted invitations.",
    ),
    (
        "frontdesk_requests_refused_total",
        "Requests refused because of a header.",
    ),
    (
        "frontdesk_tokens_refused_total",
        "Tokens refused because of another issuer or a wrong clock.",
    ),
    (
        "frontdesk_webhook_deliveries_total",
        "Attempts to deliver a webhook by outcome.",
    ),
    (
        "frontdesk_webhook_delivery_seconds",
        "How long deliveries of webhooks took.",
    ),
    (
        "frontdesk_webhooks",
        "Webhooks that wait, and webhooks that were given up.",
    ),
    (
        "frontdesk_disk_free_bytes",
        "Free bytes of the disk with the embedded database.",
    ),
    (
        "frontdesk_backup_timestamp_seconds",
        "When the database was last backed up, since 1970; 0 if never.",
    ),
    (LINES_LOST, "Lines of the log that could not be written."),
    ("frontdesk_schema", "The schema of the database."),
    ("frontdesk_build_info", "The version of the program."),
];

/// Gives the metrics their meanings, and the counters that alerts look at their beginning: the rate of a counter that does
/// not exist is not 0.
fn describe() {
    for (name, meaning) in MEANINGS {
        if name.ends_with("_total") {
            metrics::describe_counter!(name, meaning);
        } else if name == "frontdesk_call_seconds" || name == "frontdesk_webhook_delivery_seconds" {
            metrics::describe_histogram!(name, metrics::Unit::Seconds, meaning);
        } else {
            metrics::describe_gauge!(name, meaning);
        }
    }
    for host in Host::ALL {
        for tool in host.tools() {
            metrics::counter!("frontdesk_calls_total", "host" => host.area(), "tool" => tool.name, "outcome" => "internal")
                .increment(0);
        }
    }
    for outcome in ["ok", "invalid_credentials"] {
        metrics::counter!("frontdesk_sign_ins_total", "outcome" => outcome).increment(0);
    }
    for header in ["host", "origin", "apikey"] {
        metrics::counter!("frontdesk_requests_refused_total", "header" => header).increment(0);
    }
    for outcome in ["delivered", "failed", "given_up", "unsettled"] {
        metrics::counter!("frontdesk_webhook_deliveries_total", "outcome" => outcome).increment(0);
    }
    for gauge in ["frontdesk_calls_waiting", "frontdesk_database_connections"] {
        metrics::gauge!(gauge).increment(0.0);
    }
    metrics::counter!("frontdesk_invitations_accepted_total").increment(0);
    metrics::counter!("frontdesk_tokens_refused_total").increment(0);
    metrics::counter!(LINES_LOST).increment(0);
}
