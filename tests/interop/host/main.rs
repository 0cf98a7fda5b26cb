//! The server of `tests/interop/run`: the demo organisation on an embedded database, on its own port, with the
//! tools, resources and prompts of the conformance suite on its Skills host. Its address is the first line of its output. Each line of its
//! input is a number of seconds by which its clock is put forward, and is answered with `advanced`; it ends with its
//! input.
//!
//! Its one argument is how many calls a minute a caller has at a host; 0 is no limit. With `empty` it has no organisation,
//! and the second line of its output is the link that creates one.

/// A tool of the Skills host that everybody may call, and that answers with content.
macro_rules! shows {
    ($name:ident = $tool:literal) => {
        impl frontdesk_protocol::Tool for $name {
            type Output = frontdesk_protocol::content::Contents;
            const NAME: &'static str = $tool;
            const HOST: frontdesk_protocol::Host = frontdesk_protocol::Host::Skills;
            const EFFECT: frontdesk_protocol::Effect = frontdesk_protocol::Effect::READ;
            const AUDIENCE: frontdesk_protocol::Roles =
                frontdesk_protocol::Roles::of(&frontdesk_protocol::Role::ALL);
            const STRUCTURED: bool = false;
        }
    };
}

mod asks;
mod offers;
mod progress;
mod schema;
mod tools;

use std::error::Error;
use std::io::Write;
use std::time::Duration;

use frontdesk_protocol::Host;
use frontdesk_server::clock::Clock;
use frontdesk_server::database::Location;
use frontdesk_server::hosts::Hosts;
use frontdesk_server::identity::IdentitySettings;
use frontdesk_server::server::{DEMO_PUBLIC_KEY, Server, Settings};

/// Longer than the tests put the clock forward.
const ACCESS_LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let clock = Clock::with_manual_limits();
    let (demo, calls_per_minute) = match std::env::args().nth(1).as_deref() {
        Some("empty") => (false, 0),
        Some(calls) => (true, calls.parse()?),
        None => (true, 0),
    };
    let server = Server::start(Settings {
        demo,
        calls_per_minute,
        hosts: Hosts::default()
            .with(Host::Skills, tools::ROUTES)
            .offering(offers::OFFERS),
        identity: IdentitySettings {
            public_key: Some(DEMO_PUBLIC_KEY.to_owned()),
            access_lifetime: ACCESS_LIFETIME,
            ..IdentitySettings::default()
        },
        clock: clock.clone(),
        ..Settings::local(Location::Memory)
    })
    .await?;
    say(&format!("listening on {}", server.url()))?;
    if let Some((link, _)) = server.setup_link().await? {
        say(&link)?;
    }
    tokio::task::spawn_blocking(move || obey(&clock).map_err(|error| error.to_string())).await??;
    server.stop().await?;
    Ok(())
}

/// Puts the clock forward for each line of the input, until it ends.
fn obey(clock: &Clock) -> Result<(), Box<dyn Error>> {
    for line in std::io::stdin().lines() {
        clock.advance(Duration::from_secs(line?.trim().parse()?));
        say("advanced")?;
    }
    Ok(())
}

fn say(line: &str) -> std::io::Result<()> {
    let mut stdout = std::io::stdout();
    writeln!(stdout, "{line}")?;
    stdout.flush()
}
