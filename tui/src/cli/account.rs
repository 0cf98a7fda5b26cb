//! `login`, `logout`, `whoami`, `token`.

use std::io::{BufRead, IsTerminal};

use clap::Args;
use frontdesk::plain;
use frontdesk_client::{Account, CODE, CallError, GuestLists, Secret, SignInDetails, paths};
use frontdesk_protocol::ErrorCode;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::callee::{self, of_server};
use super::options::Options;
use super::terminal::{self, until_interrupted};
use super::{Failure, completions, factor, say, say_json, sign_in, warn};

/// Signs in.
#[derive(Debug, Args)]
pub(super) struct Login {
    /// E-mail address of the account.
    #[arg(long, value_name = "E")]
    email: Option<String>,
    /// Sign in to this configured server instead, in a browser.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["email", "password_stdin"], add = completions::configured())]
    server: Option<String>,
    /// Sign in through this code-hosting provider instead, in a browser.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["email", "password_stdin", "server"])]
    provider: Option<String>,
    /// Name or id of the organisation, if the password fits several accounts.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["server", "provider"])]
    organization: Option<String>,
    /// Code of the second factor, if the account has one: of the authenticator, or a recovery code. It is asked for
    /// otherwise.
    #[arg(long, value_name = "CODE", conflicts_with_all = ["server", "provider"])]
    code: Option<String>,
    /// Link the signed-in account to the provider: afterwards, signing in through it opens this
    /// account.
    #[arg(long, requires = "provider")]
    link: bool,
    /// Read the password from stdin (one line) instead of prompting.
    #[arg(long)]
    password_stdin: bool,
}

impl Login {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        if let Some(name) = &self.server {
            return until_interrupted(sign_in::to_server(options, name)).await;
        }
        if let Some(provider) = &self.provider {
            let signing_in = sign_in::through_provider(options, provider, self.link);
            let account = until_interrupted(signing_in).await?;
            return say(&format!("Signed in as {}", describe(&account)));
        }
        // Checked here instead of by clap, whose error would not explain how to pipe a password.
        let email = self.email.as_deref().ok_or_else(|| {
            let missing = "give --email E, or --provider NAME to sign in in a browser";
            Failure::Usage(format!("{missing}{}", self.hint()))
        })?;
        if !self.password_stdin && !std::io::stdin().is_terminal() {
            let missing = "no terminal to ask for the password";
            return Err(Failure::Usage(format!("{missing}{}", self.hint())));
        }
        let client = options.client(options.store()?)?;
        if client.is_readable_by_others() {
            warn(
                "the address begins with http://, so others on the network can read the password; use https://",
            );
        }
        let password = self.password(email).await?;
        let api_key = options.public_key();
        let mut details = SignInDetails {
            organization: self.organization.clone(),
            code: self.code.as_deref().map(Secret::new),
            enrolment: None,
        };
        loop {
            let signed_in = async {
                Ok(client
                    .sign_in_with(&details, &api_key, email, &password)
                    .await)
            };
            let refusal = match until_interrupted(signed_in).await? {
                Ok((account, recovery)) => {
                    say(&format!("Signed in as {}", describe(&account)))?;
                    return factor::say_recovery(&recovery);
                }
                Err(CallError::Tool(refusal)) if refusal.field.as_deref() == Some(CODE) => refusal,
                Err(error) => return Err(refused(error)),
            };
            if self.password_stdin {
                let hint = "--code gives a code; a second factor is turned on at a terminal";
                return Err(Failure::Usage(format!("{refusal}; {hint}")));
            }
            details.code = Some(factor::ask(&refusal, options).await?);
            details.enrolment = refusal.details();
        }
    }

    /// How to give a password without a keyboard.
    fn hint(&self) -> &'static str {
        match self.password_stdin || std::io::stdin().is_terminal() {
            true => "",
            false => "; --password-stdin reads the password from stdin, one line",
        }
    }

    async fn password(&self, email: &str) -> Result<String, Failure> {
        if !self.password_stdin {
            return terminal::password(format!("Password of {email}: ")).await;
        }
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        read.map_err(|error| Failure::file("the password", error))?;
        Ok(line.trim_end_matches(['\r', '\n']).to_owned())
    }
}

/// The failure of a sign-in with a password.
fn refused(error: CallError) -> Failure {
    match error {
        CallError::Tool(refusal) if refusal.code == ErrorCode::Unauthorized => {
            Failure::WrongPassword
        }
        CallError::Tool(refusal) if refusal.field.as_deref() == Some("organization") => {
            Failure::Usage(format!("{refusal}, with --organization NAME"))
        }
        error => Failure::from(error),
    }
}

/// Signs out.
#[derive(Debug, Args)]
pub(super) struct Logout {
    /// Sign out of this configured server instead.
    #[arg(long, value_name = "NAME", add = completions::configured())]
    server: Option<String>,
}

impl Logout {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let Some(name) = &self.server else {
            return logout(options).await;
        };
        let forgotten = callee::server(options, name, None)?.sign_out().await;
        match forgotten.map_err(|error| of_server(name, error))? {
            true => say(&format!("Signed out of {name}.")),
            false => say(&format!("Nobody was signed in to {name}.")),
        }
    }
}

/// Signs out, and deletes the token.
async fn logout(options: &Options) -> Result<(), Failure> {
    let client = options.client(options.store()?)?;
    if !client.is_signed_in() {
        return say("Nobody was signed in.");
    }
    if let Some(account) = client.last_account() {
        let directory = paths::guest_lists_directory(&options.data_directory()?);
        GuestLists::new(directory)
            .forget(account.id)
            .map_err(|error| Failure::file("the guest lists of this machine", error))?;
    }
    match client.sign_out().await {
        Ok(()) => say("Signed out."),
        // The token is deleted locally; only the host was not informed.
        Err(error) => say(&format!("Signed out here. The host was not told: {error}")),
    }
}

/// Prints the signed-in account.
pub(super) async fn whoami(options: &Options) -> Result<(), Failure> {
    let client = options.client(options.store()?)?;
    let account = client.account().await?;
    if options.json() {
        let mut account = serde_json::to_value(&account).unwrap_or_default();
        account["server"] = client.addresses().url().into();
        return say_json(&account);
    }
    say(&describe(&account))?;
    let organization = account.organization_slug.as_ref();
    let facts = [
        ("name", account.name.clone()),
        ("organisation", organization.map(|slug| format!("~{slug}"))),
        ("member", account.member.clone()),
        (
            "global level",
            (account.level > 0).then(|| account.level.to_string()),
        ),
        ("server", Some(client.addresses().url().to_owned())),
    ];
    for (label, fact) in facts {
        if let Some(fact) = fact {
            say(&plain(&format!("  {label:<14}{fact}")))?;
        }
    }
    Ok(())
}

/// Prints an access token, with `--read-only` one that only reads; stderr says how long it is valid.
pub(super) async fn token(options: &Options) -> Result<(), Failure> {
    let client = options.client(options.store()?)?;
    let (token, expires_at) = client.other_token(options.read_only()).await?;
    let acts = match options.read_only() {
        true => "reads",
        false => "acts",
    };
    say(token.expose())?;
    let left = expires_at.duration_since(Timestamp::now());
    let until = expires_at.to_zoned(TimeZone::system());
    warn(&format!(
        "valid for {} min, until {}; a program with this token {acts} as {} at {}",
        left.as_mins(),
        until.strftime("%H:%M"),
        client.email().unwrap_or_default(),
        client.addresses().url()
    ));
    Ok(())
}

fn describe(account: &Account) -> String {
    let role = account.role.map_or("no role", |role| role.name());
    let organization = match &account.organization {
        Some(name) => format!("{role} at {name}"),
        None => format!("{role}, in no organisation"),
    };
    plain(&format!("{}, {organization}", account.email)).into_owned()
}
