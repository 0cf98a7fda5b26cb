//! Signing in and out from the command line.

use std::io::Write;

use clap::Args;
use frontdesk_client::{Account, CallError};
use frontdesk_protocol::ErrorCode;

use super::{CliError, Options, password};

/// What `login` takes.
#[derive(Debug, Args)]
pub(super) struct Login {
    /// The account's e-mail address
    #[arg(long, value_name = "E")]
    email: String,
    /// Read the password from stdin, one line, instead of asking for it
    #[arg(long)]
    password_stdin: bool,
}

/// Signs in, and remembers it.
pub(super) async fn login(
    login: Login,
    options: &Options,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let client = options.client()?;
    let asked = match login.password_stdin {
        true => password::from_stdin(),
        false => password::ask(&format!("Password of {}: ", login.email)),
    };
    let password = asked.map_err(CliError::io("the password cannot be read"))?;
    let account = client
        .sign_in(&options.api_key, &login.email, password.expose())
        .await
        .map_err(|error| match error {
            CallError::Tool(refusal) if refusal.code == ErrorCode::Unauthorized => {
                CliError::WrongPassword
            }
            error => CliError::Call(error),
        })?;
    say(out, &format!("Signed in as {}", describe(&account)))
}

/// Signs out, and forgets it.
pub(super) async fn logout(options: &Options, out: &mut impl Write) -> Result<(), CliError> {
    let client = options.client()?;
    if !client.is_signed_in() {
        return say(out, "Nobody was signed in.");
    }
    client.sign_out().await?;
    say(out, "Signed out.")
}

/// Says who is signed in.
pub(super) async fn whoami(options: &Options, out: &mut impl Write) -> Result<(), CliError> {
    let account = options.client()?.account().await?;
    say(out, &describe(&account))
}

fn describe(account: &Account) -> String {
    let role = account.role.map_or("no role", |role| role.name());
    match &account.organization {
        Some(organization) => format!("{}, {role} at {organization}", account.email),
        None => format!("{}, {role}, in no organisation", account.email),
    }
}

/// Prints a line, safe for the terminal.
pub(super) fn say(out: &mut impl Write, line: &str) -> Result<(), CliError> {
    writeln!(out, "{}", crate::ui::text::clean(line)).map_err(CliError::io("stdout"))
}
