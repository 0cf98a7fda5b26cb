//! `setup`: an organisation and its owner, on a server that starts with the app.

use std::io::IsTerminal;

use clap::Args;
use frontdesk::local::Local;
use frontdesk::{FirstOwner, FirstStart};
use frontdesk_client::Secret;
use frontdesk_client::config::elsewhere::Found;

use super::options::Options;
use super::{Failure, say, stop, terminal};

/// Starts a server on this machine: creates its organisation and first owner, and signs in.
/// Prompts for missing values.
#[derive(Debug, Args)]
pub(super) struct Setup {
    /// The organisation's name.
    #[arg(long, value_name = "NAME")]
    organization: Option<String>,
    /// The time zone of its days, such as Europe/Lisbon [default: this machine's]
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    /// The currency of its amounts, such as EUR [default: BRL]
    #[arg(long, value_name = "CODE")]
    currency: Option<String>,
    /// Your name.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// E-mail address to sign in with. The password is asked for, or read from stdin, one line.
    #[arg(long, value_name = "E")]
    email: Option<String>,
}

impl Setup {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let file = options.config_file()?;
        if let Some(url) = options.config()?.url {
            return Err(Failure::Usage(format!(
                "{} already has url = \"{url}\"; remove it to set up a server here",
                file.display()
            )));
        }
        let email = given(self.email.as_deref(), "--email", "E-mail address").await?;
        let (zone, currency) = Local::place();
        let owner = FirstOwner {
            time_zone: self.time_zone.clone().unwrap_or(zone),
            currency: self.currency.clone().unwrap_or(currency.to_owned()),
            organization: given(
                self.organization.as_deref(),
                "--organization",
                "Organisation",
            )
            .await?,
            name: given(self.name.as_deref(), "--name", "Your name").await?,
            password: new_password(&email).await?,
            email,
        };
        let data = options.data_directory()?;
        let first = FirstStart::new(file.clone(), data, options.public_key(), Found::default());
        let set_up = async { first.set_up(owner).await.map_err(Failure::Usage) };
        let set_up = terminal::until_interrupted(set_up).await;
        stop(first.take_local().await).await?;
        set_up?;
        say(&format!(
            "Created the organisation and signed in. Wrote {}: the server starts with `frontdesk`.",
            file.display()
        ))
    }
}

async fn given(value: Option<&str>, option: &str, question: &str) -> Result<String, Failure> {
    let value = match value {
        Some(value) => value.trim().to_owned(),
        None if !std::io::stdin().is_terminal() => String::new(),
        None => terminal::ask(&format!("{question}: ")).await?,
    };
    match value.is_empty() {
        true => Err(Failure::Usage(format!(
            "{question} is missing; give {option}"
        ))),
        false => Ok(value),
    }
}

/// A password that is typed twice, or a line of stdin.
async fn new_password(email: &str) -> Result<Secret, Failure> {
    let password = match std::io::stdin().is_terminal() {
        true => {
            let password = terminal::password(format!("Password of {email}: ")).await?;
            if terminal::password("Again: ".to_owned()).await? != password {
                return Err(Failure::Usage("the two passwords differ".to_owned()));
            }
            password
        }
        false => {
            let mut line = String::new();
            let read = std::io::stdin().read_line(&mut line);
            read.map_err(|error| Failure::file("the password", error))?;
            line.trim_end_matches(['\r', '\n']).to_owned()
        }
    };
    match password.chars().count() < FirstOwner::SHORTEST {
        true => Err(Failure::Usage(format!(
            "the password needs at least {} characters",
            FirstOwner::SHORTEST
        ))),
        false => Ok(Secret::new(password)),
    }
}
