//! `setup`: creates the first organisation and its owner, in a terminal.

use std::io::{IsTerminal, Write};

use clap::Args;
use frontdesk_server::accounts::{self, AccountError, Setup as New};
use frontdesk_server::control;

use super::accounts::{as_owner, as_owner_of, new_password};
use super::{CliResult, DatabaseArgs};

/// Prompts for missing values. The password is prompted for, or read from stdin, one line.
#[derive(Debug, Args)]
pub(super) struct Setup {
    #[command(flatten)]
    database: DatabaseArgs,
    /// The organisation's name.
    #[arg(long, value_name = "NAME")]
    organization: Option<String>,
    /// Its name in public addresses, such as /learn/wiki/~SLUG [default: made from the name]
    #[arg(long, value_name = "SLUG")]
    slug: Option<String>,
    /// The time zone of its days, such as Europe/Lisbon [default: this machine's]
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    /// The currency of its amounts, such as EUR [default: BRL]
    #[arg(long, value_name = "CODE")]
    currency: Option<String>,
    /// Your name.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// E-mail address to sign in with.
    #[arg(long, value_name = "E")]
    email: Option<String>,
}

/// The given value; otherwise the answer to a question. Without a terminal, `option` must be given.
fn ask(
    given: Option<String>,
    option: &str,
    question: &str,
    default: &str,
) -> Result<String, Box<dyn std::error::Error>> {
    if let Some(given) = given {
        return Ok(given);
    }
    if !std::io::stdin().is_terminal() {
        return match default {
            "" => Err(format!("give --{option}").into()),
            default => Ok(default.to_owned()),
        };
    }
    let mut out = std::io::stdout();
    match default {
        "" => write!(out, "{question}: ")?,
        default => write!(out, "{question} [{default}]: ")?,
    }
    out.flush()?;
    let mut line = String::new();
    if std::io::stdin().read_line(&mut line)? == 0 {
        return Err("nothing was created".into());
    }
    Ok(match line.trim() {
        "" => default.to_owned(),
        answer => answer.to_owned(),
    })
}

impl Setup {
    pub(super) async fn run(self) -> CliResult {
        let database = control::reach_or_create(&self.database.location()?).await?;
        as_owner_of(database, async |owner| {
            match accounts::has_organization(owner).await? {
                true => Err(AccountError::SetUp),
                false => Ok(()),
            }
        })
        .await?;
        let organization = ask(
            self.organization,
            "organization",
            "Name of the organisation",
            "",
        )?;
        let suggested = as_owner(&self.database, async |owner| {
            accounts::suggest_slug(owner, &organization).await
        })
        .await?;
        let slug = ask(self.slug, "slug", "Short name for addresses", &suggested)?;
        let zone = New::time_zone();
        let time_zone = ask(self.time_zone, "time-zone", "Time zone", &zone)?;
        let currency = ask(self.currency, "currency", "Currency", New::CURRENCY)?;
        let name = ask(self.name, "name", "Your name", "")?;
        let email = ask(
            self.email,
            "email",
            "Your e-mail address, to sign in with",
            "",
        )?;
        let setup = New {
            password: new_password(&email)?,
            organization,
            slug,
            time_zone,
            currency,
            name,
            email,
        };
        let slug = as_owner(&self.database, async |owner| {
            accounts::set_up(owner, &setup).await
        })
        .await?;
        writeln!(
            std::io::stdout(),
            "created {} ({slug}) with its owner {}\nserve it: frontdesk-server serve\n\
             sign in: frontdesk login --email {}",
            setup.organization,
            setup.email,
            setup.email
        )?;
        Ok(())
    }
}
