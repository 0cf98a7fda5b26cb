//! `second-factor`, and its questions at a sign-in.

use clap::{Args, Subcommand};
use frontdesk::{plain, qr_rows};
use frontdesk_client::{CODE, CallError, Enrolment, Secret};
use frontdesk_protocol::ToolError;

use super::options::Options;
use super::terminal::{self, is_talking, until_interrupted};
use super::{Failure, say, terminal_width, warn};

/// Turns the second factor of the signed-in account on or off.
#[derive(Debug, Args)]
pub(super) struct Factor {
    #[command(subcommand)]
    turn: Turn,
}

#[derive(Debug, Subcommand)]
enum Turn {
    /// Turn it on: sign-ins with the password then ask for a code of your authenticator. Other sign-ins end.
    On,
    /// Turn it off, with a code of your authenticator or a recovery code. Other sign-ins end.
    Off,
}

impl Factor {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        if !is_talking() {
            return Err(Failure::Usage("no terminal to ask for a code".to_owned()));
        }
        let client = options.client(options.store()?)?;
        match self.turn {
            Turn::On => {
                let email = client.email().unwrap_or_default();
                let password = terminal::password(format!("Password of {email}: ")).await?;
                let enrolment =
                    until_interrupted(async { Ok(client.begin_factor(&password).await?) });
                let enrolment = enrolment.await?;
                show(&enrolment, options)?;
                let mut codes = client.confirm_factor(&enrolment, &code().await?).await;
                while let Err(CallError::Tool(refusal)) = &codes
                    && refusal.field.as_deref() == Some(CODE)
                {
                    warn(&refusal.message);
                    codes = client.confirm_factor(&enrolment, &code().await?).await;
                }
                say("The second factor is on.")?;
                say_recovery(&codes?)
            }
            Turn::Off => {
                client.turn_off_factor(&code().await?).await?;
                say("The second factor is off.")
            }
        }
    }
}

async fn code() -> Result<String, Failure> {
    terminal::ask("Code: ").await
}

/// Asks for the code that a sign-in needs, after showing the key of an authenticator if it has to get one.
pub(super) async fn ask(refusal: &ToolError, options: &Options) -> Result<Secret, Failure> {
    match refusal.details::<Enrolment>() {
        Some(enrolment) => {
            warn("your organisation requires a second factor");
            show(&enrolment, options)?;
        }
        None => warn(&refusal.message),
    }
    Ok(Secret::new(code().await?))
}

/// Shows the key of an authenticator.
fn show(enrolment: &Enrolment, options: &Options) -> Result<(), Failure> {
    let rows = qr_rows(enrolment.uri.expose());
    let width = rows.first().map_or(0, |row| row.chars().count());
    let fits = terminal_width().is_some_and(|columns| columns >= width);
    if fits && !options.no_color() {
        // The background must be dark around the light modules.
        let rows = rows.iter().map(|row| format!("\x1b[97;40m{row}\x1b[0m"));
        say(&rows.collect::<Vec<_>>().join("\n"))?;
    }
    say("Add this key to an authenticator app, by its QR code or by hand:")?;
    say(&plain(enrolment.secret.expose()))
}

/// Shows recovery codes, if there are any.
pub(super) fn say_recovery(codes: &[String]) -> Result<(), Failure> {
    if codes.is_empty() {
        return Ok(());
    }
    say(
        "Recovery codes, each for one use in place of a code. They are not shown again:\nkeep them where you find them without your authenticator.",
    )?;
    codes
        .iter()
        .try_for_each(|code| say(&format!("  {}", plain(code))))
}
