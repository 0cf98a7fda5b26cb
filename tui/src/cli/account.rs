//! `login`, `logout`, `whoami`.

use std::io::BufRead;

use clap::Args;
use frontdesk::plain;
use frontdesk_client::{Account, CallError};
use frontdesk_protocol::ErrorCode;

use super::options::Options;
use super::{Failure, say};

/// Signs in.
#[derive(Debug, Args)]
pub(super) struct Login {
    /// The account's e-mail address.
    #[arg(long, value_name = "E")]
    email: String,
    /// Read the password from stdin, one line, instead of asking for it.
    #[arg(long)]
    password_stdin: bool,
}

impl Login {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let client = options.client(options.store()?)?;
        let password = self
            .password()
            .map_err(|error| Failure::File("the password", error))?;
        let account = client
            .sign_in(&options.public_key(), &self.email, &password)
            .await
            .map_err(|error| match error {
                CallError::Tool(refusal) if refusal.code == ErrorCode::Unauthorized => {
                    Failure::WrongPassword
                }
                error => Failure::from(error),
            })?;
        say(&format!("Signed in as {}", describe(&account)))
    }

    fn password(&self) -> std::io::Result<String> {
        if !self.password_stdin {
            return rpassword::prompt_password(format!("Password of {}: ", self.email));
        }
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line)?;
        Ok(line.trim_end_matches(['\r', '\n']).to_owned())
    }
}

/// Signs out, and forgets the token.
pub(super) async fn logout(options: &Options) -> Result<(), Failure> {
    let client = options.client(options.store()?)?;
    if !client.is_signed_in() {
        return say("Nobody was signed in.");
    }
    match client.sign_out().await {
        Ok(()) => say("Signed out."),
        // Here it is forgotten all the same; only the host was not told.
        Err(error) => say(&format!("Signed out here. The host was not told: {error}")),
    }
}

/// Says who is signed in.
pub(super) async fn whoami(options: &Options) -> Result<(), Failure> {
    let client = options.client(options.store()?)?;
    say(&describe(&client.account().await?))
}

fn describe(account: &Account) -> String {
    let role = account.role.map_or("no role", |role| role.name());
    let organization = match &account.organization {
        Some(name) => format!("{role} at {name}"),
        None => format!("{role}, in no organisation"),
    };
    plain(&format!("{}, {organization}", account.email)).into_owned()
}
