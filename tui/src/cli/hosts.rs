//! `hosts`: where they are, and how.

use frontdesk::plain;
use frontdesk_client::CallError;
use frontdesk_protocol::Host;

use super::options::Options;
use super::{Failure, say};

/// Asks all hosts at once, and prints a line for each.
pub(super) async fn list(options: &Options) -> Result<(), Failure> {
    let client = options.client(options.store()?)?;
    let answers = futures::future::join_all(Host::ALL.map(|host| client.health(host))).await;
    for (host, answer) in Host::ALL.into_iter().zip(answers) {
        let state = match answer {
            Ok(health) => health.status,
            Err(CallError::Unreachable { .. }) => "not reachable".to_owned(),
            Err(CallError::OutcomeUnknown(_)) => "no answer".to_owned(),
            Err(CallError::Host { status, .. }) => format!("HTTP {status}"),
            Err(_) => "not a host".to_owned(),
        };
        let line = format!(
            "{:<18} {state:<14} {}",
            host.title(),
            client.addresses().base(host)
        );
        say(&plain(&line))?;
    }
    Ok(())
}
