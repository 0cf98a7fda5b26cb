//! `frontdesk hosts`: how the hosts are.

use std::io::Write;

use frontdesk_protocol::Host;

use super::account::say;
use super::{CliError, Options};
use crate::ui::problem::Problem;

/// Asks all hosts at once, and prints a line for each.
pub(super) async fn hosts(options: &Options, out: &mut impl Write) -> Result<(), CliError> {
    let client = options.client()?;
    let answers = Host::ALL.map(|host| client.health(host));
    let answers = futures::future::join_all(answers).await;
    for (host, answer) in Host::ALL.into_iter().zip(answers) {
        let state = match answer {
            Ok(health) if health.is_ok() => "ok".to_owned(),
            Ok(health) => health.status,
            Err(error) => Problem::of(&error).title.to_lowercase(),
        };
        let address = client.addresses().base(host);
        say(out, &format!("{:<18} {state:<20} {address}", host.title()))?;
    }
    Ok(())
}
