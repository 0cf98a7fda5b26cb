//! `add-account`, `set-password`, `remove-second-factor`, `list-accounts` and `remove-account`.

use std::io::{IsTerminal, Write};

use clap::Args;
use frontdesk_protocol::Role;
use frontdesk_server::accounts::{self, AccountError, NewAccount, Removal};
use frontdesk_server::control;
use frontdesk_server::database::Database;
use frontdesk_server::identity::weakness;
use tokio_postgres::Client;

use super::{CliResult, DatabaseArgs};

#[derive(Debug, Args)]
pub(super) struct AddAccount {
    #[command(flatten)]
    database: DatabaseArgs,
    /// E-mail address to sign in with. The password is asked for, or read from stdin, one line.
    #[arg(long, value_name = "E")]
    email: String,
    /// The person's name [default: the address before the @]
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    name: String,
    /// Name or slug of the organisation.
    #[arg(long, value_name = "NAME")]
    organization: String,
    /// Create the organisation, also if another one's name differs only in case or spaces.
    #[arg(long)]
    new_organization: bool,
    /// One of owner, admin, staff, teacher, finance, automation, fellow.
    #[arg(long, value_name = "ROLE", value_parser = role)]
    role: Role,
}

#[derive(Debug, Args)]
pub(super) struct SetPassword {
    #[command(flatten)]
    database: DatabaseArgs,
    /// E-mail address of the account. The password is asked for, or read from stdin, one line.
    #[arg(long, value_name = "E")]
    email: String,
    /// Name or slug of the organisation, if several have an account with the address.
    #[arg(long, value_name = "NAME")]
    organization: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct RemoveSecondFactor {
    #[command(flatten)]
    database: DatabaseArgs,
    /// E-mail address of the account.
    #[arg(long, value_name = "E")]
    email: String,
    /// Name or slug of the organisation, if several have an account with the address.
    #[arg(long, value_name = "NAME")]
    organization: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct RemoveAccount {
    #[command(flatten)]
    database: DatabaseArgs,
    /// E-mail address of the account.
    #[arg(long, value_name = "E")]
    email: String,
    /// Name or slug of the organisation, if several have an account with the address.
    #[arg(long, value_name = "NAME")]
    organization: Option<String>,
    /// Do not ask.
    #[arg(long)]
    yes: bool,
}

#[derive(Debug, Args)]
pub(super) struct ListAccounts {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Only accounts of the organisation with this name or slug.
    #[arg(long, value_name = "NAME")]
    organization: Option<String>,
}

/// Runs this on the owner's connection, also while a server has the database open. The server's calls wait meanwhile, so
/// it asks nobody anything.
pub(super) async fn as_owner<T>(
    database: &DatabaseArgs,
    work: impl AsyncFnOnce(&mut Client) -> Result<T, AccountError>,
) -> Result<T, Box<dyn std::error::Error>> {
    as_owner_of(control::reach(&database.location()?).await?, work).await
}

/// The same, for a database that is open.
pub(super) async fn as_owner_of<T>(
    database: Database,
    work: impl AsyncFnOnce(&mut Client) -> Result<T, AccountError>,
) -> Result<T, Box<dyn std::error::Error>> {
    let mut owner = database.owner().await.map_err(|error| {
        format!(
            "the login cannot act as the database's owner ({error}): give the owner's address, or grant the login the \
             role frontdesk_owner"
        )
    })?;
    let done = work(&mut owner).await;
    drop(owner);
    database.close().await?;
    Ok(done?)
}

/// Asks whether to remove this.
pub(super) fn confirm(removal: &Removal, yes: bool) -> CliResult {
    confirm_removal(&removal.what, "Its records stay, marked “(former)”.", yes)
}

/// Asks whether to remove this. `note` says what that means.
pub(super) fn confirm_removal(what: &str, note: &str, yes: bool) -> CliResult {
    if yes {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() {
        return Err(format!("this would remove {what}; confirm with --yes").into());
    }
    let mut out = std::io::stdout();
    write!(out, "Remove {what}? {note} Type yes: ")?;
    out.flush()?;
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    match line.trim().eq_ignore_ascii_case("yes") {
        true => Ok(()),
        false => Err("nothing was removed".into()),
    }
}

fn role(name: &str) -> Result<Role, String> {
    Role::from_name(name).ok_or_else(|| {
        let names = Role::ALL.map(Role::name).join(", ");
        format!("must be one of {names}")
    })
}

/// The password: asked for twice at a terminal, else a line of stdin.
pub(super) fn new_password(email: &str) -> Result<String, Box<dyn std::error::Error>> {
    let password = match std::io::stdin().is_terminal() {
        true => {
            let password = rpassword::prompt_password(format!("Password of {email}: "))?;
            if rpassword::prompt_password("Again: ")? != password {
                return Err("the two passwords differ".into());
            }
            password
        }
        false => {
            let mut line = String::new();
            std::io::stdin().read_line(&mut line)?;
            line.trim_end_matches(['\r', '\n']).to_owned()
        }
    };
    match weakness(&password, email) {
        Some(weakness) => Err(weakness.into()),
        None => Ok(password),
    }
}

/// Asks at a terminal whether to create an organisation that does not exist.
fn is_to_be_created(
    error: &(dyn std::error::Error + 'static),
) -> Result<bool, Box<dyn std::error::Error>> {
    let Some(AccountError::Unknown { name, nearest_ones }) = error.downcast_ref() else {
        return Ok(false);
    };
    if !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    let mut out = std::io::stdout();
    let nearest = match nearest_ones.is_empty() {
        true => String::new(),
        false => format!(" The nearest: {}.", nearest_ones.join(", ")),
    };
    write!(
        out,
        "There is no organisation `{name}`.{nearest} Create it? Type yes: "
    )?;
    out.flush()?;
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    match line.trim().eq_ignore_ascii_case("yes") {
        true => Ok(true),
        false => Err("nothing was added".into()),
    }
}

/// Says on stderr that there is nothing to list; stdout has the list alone.
pub(super) fn tell_none(what: &str) -> CliResult {
    let how = "`frontdesk-server setup` creates the organisation and its owner";
    Ok(writeln!(
        std::io::stderr(),
        "There is no {what} yet: {how}"
    )?)
}

impl AddAccount {
    pub(super) async fn run(self) -> CliResult {
        let mut account = NewAccount {
            password: new_password(&self.email)?,
            email: self.email,
            name: self.name,
            organization: self.organization,
            is_new_organization: self.new_organization,
            role: self.role,
        };
        let add = async |account: &NewAccount| {
            as_owner(&self.database, async |owner| {
                accounts::add(owner, account).await
            })
            .await
        };
        let added = match add(&account).await {
            Err(error) if is_to_be_created(&*error)? => {
                account.is_new_organization = true;
                add(&account).await?
            }
            added => added?,
        };
        let organization = match added.has_new_organization {
            true => "the new organisation",
            false => "the organisation",
        };
        let member = match added.has_new_member {
            Some(true) => ", linked to a new member",
            Some(false) => ", linked to the member with this address",
            None => "",
        };
        writeln!(
            std::io::stdout(),
            "added {} as {} of {organization} {}{member}",
            account.email,
            account.role.name(),
            account.organization
        )?;
        Ok(())
    }
}

impl SetPassword {
    pub(super) async fn run(self) -> CliResult {
        let password = new_password(&self.email)?;
        let organization = self.organization.as_deref();
        as_owner(&self.database, async |owner| {
            accounts::set_password(owner, &self.email, organization, &password).await
        })
        .await?;
        writeln!(
            std::io::stdout(),
            "changed the password of {}; all its sign-ins have ended",
            self.email
        )?;
        Ok(())
    }
}

impl RemoveSecondFactor {
    pub(super) async fn run(self) -> CliResult {
        let organization = self.organization.as_deref();
        as_owner(&self.database, async |owner| {
            accounts::remove_second_factor(owner, &self.email, organization).await
        })
        .await?;
        writeln!(
            std::io::stdout(),
            "removed the second factor of {}; all its sign-ins have ended",
            self.email
        )?;
        Ok(())
    }
}

impl ListAccounts {
    pub(super) async fn run(self) -> CliResult {
        let listed = as_owner(&self.database, async |owner| {
            accounts::list(owner, self.organization.as_deref()).await
        })
        .await?;
        match &self.organization {
            Some(name) if listed.is_empty() => {
                let shows = "`list-organizations` shows the organisations";
                return Err(format!("no account is at `{name}`; {shows}").into());
            }
            None if listed.is_empty() => return tell_none("account"),
            _ => {}
        }
        let mut out = std::io::stdout().lock();
        for account in listed {
            let state = if account.is_active {
                "active"
            } else {
                "inactive"
            };
            let signed_in = account.signed_in_at.map_or_else(
                || "never signed in".to_owned(),
                |at| format!("signed in {}", at.strftime("%Y-%m-%d %H:%M UTC")),
            );
            writeln!(
                out,
                "{}\t{}\t{}\t{state}\t{signed_in}",
                account.organization.as_deref().unwrap_or("no organisation"),
                account.email,
                account.role
            )?;
        }
        Ok(())
    }
}

impl RemoveAccount {
    pub(super) async fn run(self) -> CliResult {
        let organization = self.organization.as_deref();
        let removal = as_owner(&self.database, async |owner| {
            accounts::account_to_remove(owner, &self.email, organization).await
        })
        .await?;
        confirm(&removal, self.yes)?;
        as_owner(&self.database, async |owner| {
            accounts::remove_account(owner, &removal).await
        })
        .await?;
        writeln!(std::io::stdout(), "removed {}", removal.what)?;
        Ok(())
    }
}
