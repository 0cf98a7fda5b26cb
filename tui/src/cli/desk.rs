//! `frontdesk desk`: the app at the check-in desk of an event.

use clap::Args;
use frontdesk_client::config::DeskConfig;

/// The desk that opens with the app.
#[derive(Debug, Args)]
pub(super) struct Desk {
    /// Name or id of the event.
    event: String,
    /// The gate where the desk is.
    #[arg(long, env = "FRONTDESK_GATE", value_name = "NAME")]
    gate: Option<String>,
    /// The place of the event at whose entrance the desk is.
    #[arg(long, env = "FRONTDESK_PLACE", value_name = "NAME")]
    place: Option<String>,
    /// Only the desk works: names appear after three letters, and leaving takes the account's password.
    #[arg(long)]
    locked: bool,
}

impl Desk {
    /// Puts what is given into the configuration.
    pub(super) fn fill(self, config: &mut DeskConfig) {
        config.event = Some(self.event);
        config.gate = self.gate.or(config.gate.take());
        config.place = self.place.or(config.place.take());
        config.locked |= self.locked;
    }
}
