//! `play`: tapes, played on the app without a terminal.

use std::path::{Path, PathBuf};

use clap::Args;
use frontdesk::play::{Played, Stage, Tape, TapeError, play, report};
use frontdesk_client::Client;
use jiff::Zoned;

use super::options::Options;
use super::{Failure, say};

/// The app's clock in the demo, unless the tape sets it: screens must not depend on the day.
#[cfg(feature = "demo")]
const DEMO_CLOCK: &str = "2026-03-05T09:45:00-03:00[America/Sao_Paulo]";

/// Plays flows of the app without a terminal, and compares its screens with stored ones.
#[derive(Debug, Args)]
pub(super) struct Play {
    /// Tapes, in the syntax of VHS.
    #[arg(value_name = "FILE.tape", required = true)]
    tapes: Vec<PathBuf>,
    /// Play at the service with this base address, with the credentials of `frontdesk login`
    /// [default: the configured one]
    #[arg(long, value_name = "BASE")]
    server: Option<String>,
    /// Play at a new demo for each tape.
    #[cfg(feature = "demo")]
    #[arg(long, conflicts_with = "server")]
    demo: bool,
    /// Account of the demo, unless the tape sets one.
    #[cfg(feature = "demo")]
    #[arg(
        long = "as",
        value_name = "ACCOUNT",
        default_value = "staff",
        requires = "demo"
    )]
    account: String,
    /// Store the screens that differ.
    #[arg(long)]
    update: bool,
    /// Write the results as JUnit XML.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

impl Play {
    /// Whether it calls the configured hosts, which may be those of this machine.
    pub(super) fn calls_hosts(&self) -> bool {
        #[cfg(feature = "demo")]
        if self.demo {
            return false;
        }
        self.server.is_none()
    }

    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        // All are read first, so that a mistake in one is reported before another has changed
        // anything.
        let tapes = self.tapes.iter().map(|path| Tape::read(path));
        let tapes = tapes.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
        let mut results = Vec::new();
        for tape in &tapes {
            let played = self.play(tape, options).await?;
            say(&report::summary(&played))?;
            results.push(played);
        }
        if let Some(path) = &self.junit {
            write(path, &results)?;
        }
        let failed = results.iter().filter(|played| !played.has_passed()).count();
        match failed {
            0 => Ok(()),
            failed => Err(Failure::Tapes(failed, results.len())),
        }
    }

    async fn play(&self, tape: &Tape, options: &Options) -> Result<Played, Failure> {
        let scratch =
            tempfile::tempdir().map_err(|error| Failure::file("a temporary directory", error))?;
        #[cfg(feature = "demo")]
        if self.demo {
            return self.at_demo(tape, options, scratch.path()).await;
        }
        if let Some(account) = &tape.setup().account {
            return Err(Failure::Usage(format!(
                "{}: `Set Account {account}` needs --demo; at a service, sign in with `frontdesk \
                 login`",
                tape.path().display()
            )));
        }
        let client = options.client_at(options.store()?, self.server.as_deref())?;
        let clock = tape.setup().clock.clone().unwrap_or_else(Zoned::now);
        let stage = self.stage(options, client, clock, scratch.path())?;
        finish(play(tape, stage).await)
    }

    #[cfg(feature = "demo")]
    async fn at_demo(
        &self,
        tape: &Tape,
        options: &Options,
        scratch: &Path,
    ) -> Result<Played, Failure> {
        use frontdesk_server::database::Location;
        use frontdesk_server::server::{DEMO_PUBLIC_KEY, Server, Settings};

        let clock = match &tape.setup().clock {
            Some(clock) => clock.clone(),
            None => DEMO_CLOCK
                .parse()
                .map_err(|error: jiff::Error| Failure::Usage(error.to_string()))?,
        };
        let server = Server::start(Settings {
            demo_at: Some(clock.timestamp()),
            // A tape types faster than a person.
            calls_per_minute: 0,
            ..super::demo::settings(Location::Memory)
        })
        .await?;
        let account = tape.setup().account.as_ref().unwrap_or(&self.account);
        let played = async {
            let client = super::demo::signed_in(&server, account).await?;
            let stage = Stage {
                api_key: DEMO_PUBLIC_KEY.to_owned(),
                varying: vec![server.address().to_string()],
                ..self.stage(options, client, clock, scratch)?
            };
            finish(play(tape, stage).await)
        };
        let played = played.await;
        server.stop().await?;
        played
    }

    fn stage(
        &self,
        options: &Options,
        client: Client,
        clock: Zoned,
        scratch: &Path,
    ) -> Result<Stage, Failure> {
        Ok(Stage {
            client,
            config: options.config()?,
            clock,
            api_key: options.public_key(),
            read_only: options.read_only(),
            no_color: options.no_color(),
            directory: scratch.to_owned(),
            varying: Vec::new(),
            updates: self.update,
        })
    }
}

fn finish(played: Result<Played, frontdesk::play::PlayError>) -> Result<Played, Failure> {
    played.map_err(|error| Failure::Usage(error.to_string()))
}

fn wrong(error: TapeError) -> Failure {
    match error {
        TapeError::Unreadable(path, error) => Failure::at(&path, error),
        mistake @ TapeError::Mistake { .. } => Failure::Usage(mistake.to_string()),
    }
}

fn write(path: &Path, results: &[Played]) -> Result<(), Failure> {
    let report = report::junit(results).map_err(std::io::Error::other);
    let written = report.and_then(|report| std::fs::write(path, report));
    written.map_err(|error| Failure::at(path, error))
}
