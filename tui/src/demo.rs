//! `frontdesk demo`: the hosts, their database and a demo organisation inside this process, and the
//! app over them, signed in.

use std::path::PathBuf;

use clap::Args;
use frontdesk_client::{Addresses, CallError, Client, CredentialStore};
use frontdesk_server::database::Location;
use frontdesk_server::server::{DEMO_PASSWORD, DEMO_PUBLIC_KEY, Server, Settings, StartError};

use crate::app::runtime::run;
use crate::cli::{CliError, Options};

/// What `demo` takes.
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Who signs in: owner, admin, finance, staff, teacher, automation, fellow, or outsider
    #[arg(long = "as", value_name = "ACCOUNT", default_value = "staff")]
    account: String,
}

/// Why the demo cannot be started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DemoError {
    /// The hosts do not start.
    #[error("the demo's hosts cannot be started: {0}")]
    Start(#[from] StartError),
    /// The account cannot sign in.
    #[error("`{account}` cannot sign in to the demo: {error}")]
    SignIn {
        /// The account.
        account: String,
        /// Why.
        error: CallError,
    },
    /// The database could not be closed.
    #[error("the demo's database was not closed cleanly: {0}")]
    Close(String),
}

/// Starts the hosts, signs in, and runs the app until the person leaves it.
pub(crate) async fn run_demo(demo: Demo, options: &Options) -> Result<(), CliError> {
    let directory: PathBuf = options.data_directory()?.join("demo");
    let mut settings = Settings::local(Location::Directory(directory));
    settings.demo = true;
    let server = Server::start(settings).await.map_err(DemoError::from)?;
    let result = over(&server, &demo.account, options).await;
    let closed = server.stop().await;
    result?;
    closed.map_err(|error| DemoError::Close(error.to_string()))?;
    Ok(())
}

async fn over(server: &Server, account: &str, options: &Options) -> Result<(), CliError> {
    // The tokens of a demo end with it.
    let client = Client::new(Addresses::new(&server.url())?, CredentialStore::memory())?;
    let email = match account.contains('@') {
        true => account.to_owned(),
        false => format!("{account}@demo.test"),
    };
    client
        .sign_in(DEMO_PUBLIC_KEY, &email, DEMO_PASSWORD)
        .await
        .map_err(|error| DemoError::SignIn {
            account: email,
            error,
        })?;
    Ok(run(options.launch(client)?).await?)
}
