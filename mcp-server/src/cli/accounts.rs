//! `add-account`, `set-password`, `list-accounts` and `list-organizations`.

use std::io::{IsTerminal, Write};

use clap::Args;
use frontdesk_protocol::Role;
use frontdesk_server::accounts::{self, NewAccount};
use frontdesk_server::database::Database;

use super::{DatabaseArgs, Outcome};

/// Characters of a password, at least.
const LEAST: usize = 8;

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
    /// Name of the organisation; it is created if it does not exist.
    #[arg(long, value_name = "NAME")]
    organization: String,
    /// Create an organisation, although another one's name differs only in case or spaces.
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
    /// Name of the organisation, if several have an account with the address.
    #[arg(long, value_name = "NAME")]
    organization: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct ListAccounts {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Only accounts of this organisation.
    #[arg(long, value_name = "NAME")]
    organization: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct ListOrganizations {
    #[command(flatten)]
    database: DatabaseArgs,
}

fn role(name: &str) -> Result<Role, String> {
    Role::from_name(name).ok_or_else(|| {
        let names = Role::ALL.map(Role::name).join(", ");
        format!("must be one of {names}")
    })
}

/// The password: asked for twice at a terminal, else a line of stdin.
fn new_password(email: &str) -> Result<String, Box<dyn std::error::Error>> {
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
    match password.chars().count() < LEAST {
        true => Err(format!("the password must have at least {LEAST} characters").into()),
        false => Ok(password),
    }
}

impl AddAccount {
    pub(super) async fn run(self) -> Outcome {
        let account = NewAccount {
            password: new_password(&self.email)?,
            email: self.email,
            name: self.name,
            organization: self.organization,
            is_new_organization: self.new_organization,
            role: self.role,
        };
        let database = Database::open(&self.database.location()?, 1).await?;
        let mut owner = database.owner().await?;
        let added = accounts::add(&mut owner, &account).await;
        drop(owner);
        database.close().await?;
        let added = added?;
        let organization = match added.has_new_organization {
            true => "the new organisation",
            false => "the organisation",
        };
        let member = match added.has_new_member {
            true => "a new member",
            false => "the member with this address",
        };
        writeln!(
            std::io::stdout(),
            "added {} as {} of {organization} {}, linked to {member}",
            account.email,
            account.role.name(),
            account.organization
        )?;
        Ok(())
    }
}

impl SetPassword {
    pub(super) async fn run(self) -> Outcome {
        let password = new_password(&self.email)?;
        let database = Database::open(&self.database.location()?, 1).await?;
        let mut owner = database.owner().await?;
        let organization = self.organization.as_deref();
        let set = accounts::set_password(&mut owner, &self.email, organization, &password).await;
        drop(owner);
        database.close().await?;
        set?;
        writeln!(
            std::io::stdout(),
            "changed the password of {}; all its sign-ins have ended",
            self.email
        )?;
        Ok(())
    }
}

impl ListAccounts {
    pub(super) async fn run(self) -> Outcome {
        let database = Database::open(&self.database.location()?, 1).await?;
        let owner = database.owner().await?;
        let listed = accounts::list(&owner, self.organization.as_deref()).await;
        drop(owner);
        database.close().await?;
        let mut out = std::io::stdout().lock();
        for account in listed? {
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

impl ListOrganizations {
    pub(super) async fn run(self) -> Outcome {
        let database = Database::open(&self.database.location()?, 1).await?;
        let owner = database.owner().await?;
        let listed = accounts::organizations(&owner).await;
        drop(owner);
        database.close().await?;
        let mut out = std::io::stdout().lock();
        for (name, accounts) in listed? {
            let plural = if accounts == 1 { "" } else { "s" };
            writeln!(out, "{name}\t{accounts} account{plural}")?;
        }
        Ok(())
    }
}
