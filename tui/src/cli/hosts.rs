//! `hosts`: the addresses and health of the hosts, and the configured servers.

use frontdesk::plain;
use frontdesk_client::config::servers::ServerConfig;
use frontdesk_client::{CallError, Client};
use frontdesk_protocol::Host;

use super::options::Options;
use super::{Failure, say};

/// Queries all hosts at once, and prints a line for each; then a line for each server without
/// querying it, which could start a process.
pub(super) async fn list(options: &Options) -> Result<(), Failure> {
    let servers = options.config()?.servers;
    let client = match servers.is_empty() {
        true => Some(options.client(options.store()?)?),
        false => options.client_if_any(options.store()?)?,
    };
    if let Some(client) = client {
        list_hosts(&client).await?;
    }
    for (name, server) in servers {
        let kind = match &server {
            ServerConfig::Http(_) => "server",
            ServerConfig::Command(_) => "process",
        };
        say_line(&name, kind, &server.place())?;
    }
    Ok(())
}

async fn list_hosts(client: &Client) -> Result<(), Failure> {
    let answers = futures::future::join_all(Host::ALL.map(|host| client.health(host))).await;
    for (host, answer) in Host::ALL.into_iter().zip(answers) {
        let state = match answer {
            Ok(health) => health.status,
            Err(CallError::Unreachable { .. }) => "not reachable".to_owned(),
            Err(CallError::OutcomeUnknown(_)) => "no answer".to_owned(),
            Err(CallError::Host { status, .. }) => format!("HTTP {status}"),
            Err(_) => "not a host".to_owned(),
        };
        say_line(host.title(), &state, &client.addresses().base(host))?;
    }
    Ok(())
}

fn say_line(name: &str, state: &str, place: &str) -> Result<(), Failure> {
    say(&plain(&format!("{name:<18} {state:<14} {place}")))
}
