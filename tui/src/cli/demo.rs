//! `demo`: database, hosts and app in one process, signed in.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use frontdesk_client::{Addresses, Client, CredentialStore, paths};
use frontdesk_server::database::{Location, Scratch};
use frontdesk_server::identity::IdentitySettings;
use frontdesk_server::server::{DEMO_PASSWORD, DEMO_PUBLIC_KEY, Server, Settings};

use super::options::Options;
use super::{Failure, start};

/// Starts the demo.
#[derive(Debug, Args)]
pub(super) struct Demo {
    /// Account to sign in with: owner, admin, finance, staff, teacher, automation, fellow,
    /// outsider.
    #[arg(long = "as", value_name = "ACCOUNT", default_value = "staff")]
    account: String,
    /// Keep the database in this directory for the next time; default: nothing is kept.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

impl Default for Demo {
    fn default() -> Self {
        Demo {
            account: "staff".to_owned(),
            data: None,
        }
    }
}

impl Demo {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        // Printed before the app takes the screen: starting takes a second or two.
        let _ = writeln!(std::io::stderr(), "Starting PostgreSQL and the hosts …");
        let scratch =
            Scratch::of_process().map_err(|error| Failure::file("a temporary directory", error))?;
        let directory = self.data.as_deref().unwrap_or(scratch.path());
        std::fs::create_dir_all(directory)
            .map_err(|error| Failure::file("the demo's directory", error))?;
        let database = match &self.data {
            Some(directory) => Location::Directory(directory.join("postgres")),
            None => Location::Memory,
        };
        let server = Server::start(settings(database)).await?;
        let outcome = self.app(options, &server, directory).await;
        server.stop().await?;
        outcome
    }

    async fn app(
        &self,
        options: &Options,
        server: &Server,
        directory: &std::path::Path,
    ) -> Result<(), Failure> {
        let client = signed_in(server, &self.account).await?;
        let journal = paths::journal_file(directory);
        let public_key = DEMO_PUBLIC_KEY.to_owned();
        start(
            options,
            options.config()?,
            Some(client),
            false,
            &journal,
            directory.to_owned(),
            public_key,
        )
        .await
    }
}

/// The demo's hosts over this database.
pub(super) fn settings(database: Location) -> Settings {
    Settings {
        demo: true,
        identity: IdentitySettings {
            public_key: Some(DEMO_PUBLIC_KEY.to_owned()),
            ..IdentitySettings::default()
        },
        ..Settings::local(database)
    }
}

/// A client of the demo, signed in to one of its accounts.
pub(super) async fn signed_in(server: &Server, account: &str) -> Result<Client, Failure> {
    let addresses =
        Addresses::new(&server.url()).map_err(|error| Failure::Usage(error.to_string()))?;
    let client = Client::new(addresses, CredentialStore::memory())?;
    let email = match account.contains('@') {
        true => account.to_owned(),
        false => format!("{account}@demo.test"),
    };
    client
        .sign_in(DEMO_PUBLIC_KEY, &email, DEMO_PASSWORD)
        .await
        .map_err(|_| {
            Failure::Usage(format!(
                "the demo has no account {email}; it has owner, admin, finance, staff, teacher, \
                 automation, fellow and outsider"
            ))
        })?;
    Ok(client)
}
