//! `hosts`: the addresses and health of the hosts, and the configured servers.

use frontdesk::plain;
use frontdesk_client::config::servers::ServerConfig;
use frontdesk_client::{CallError, Client};
use frontdesk_protocol::Host;
use serde::Serialize;

use super::options::Options;
use super::{Failure, say, say_json};

/// A host or server, as it is printed.
#[derive(Debug, Serialize)]
struct Line {
    name: String,
    state: String,
    url: String,
}

/// Queries all hosts at once, and prints a line for each; then a line for each server without
/// querying it, which could start a process.
///
/// # Errors
/// [`CallError::Unreachable`] if no host answers.
pub(super) async fn list(options: &Options) -> Result<(), Failure> {
    let servers = options.config()?.servers;
    let client = match servers.is_empty() {
        true => Some(options.client(options.store()?)?),
        false => options.client_if_any(options.store()?)?,
    };
    let (mut lines, mut away) = (Vec::new(), None);
    if let Some(client) = client {
        away = list_hosts(&client, &mut lines).await;
    }
    for (name, server) in servers {
        let state = match &server {
            ServerConfig::Http(_) => "server",
            ServerConfig::Command(_) => "process",
        };
        lines.push(Line {
            name,
            state: state.to_owned(),
            url: server.place(),
        });
    }
    match options.json() {
        true => say_json(&serde_json::to_value(&lines).unwrap_or_default())?,
        false => lines.iter().try_for_each(Line::say)?,
    }
    away.map_or(Ok(()), |error| Err(error.into()))
}

/// Adds a line for each host. Returns an error if none can be reached.
async fn list_hosts(client: &Client, lines: &mut Vec<Line>) -> Option<CallError> {
    let answers = futures::future::join_all(Host::ALL.map(|host| client.health(host))).await;
    let (mut away, mut is_away) = (None, true);
    for (host, answer) in Host::ALL.into_iter().zip(answers) {
        is_away &= matches!(answer, Err(CallError::Unreachable { .. }));
        let state = match answer {
            Ok(health) => health.status,
            Err(error @ CallError::Unreachable { .. }) => {
                away = Some(error);
                "not reachable".to_owned()
            }
            Err(CallError::OutcomeUnknown(_)) => "no answer".to_owned(),
            Err(CallError::Host { status, .. }) => format!("HTTP {status}"),
            Err(_) => "not a host".to_owned(),
        };
        lines.push(Line {
            name: host.title().to_owned(),
            state,
            url: client.addresses().base(host).to_owned(),
        });
    }
    away.filter(|_| is_away)
}

impl Line {
    fn say(&self) -> Result<(), Failure> {
        let Line { name, state, url } = self;
        say(&plain(&format!("{name:<18} {state:<14} {url}")))
    }
}
