//! The command line: what to run, with which configuration.
//!
//! Results go to stdout and nothing else does; messages go to stderr. Exit codes: 0 done, 1 failed,
//! 2 wrong usage, 3 not signed in.

mod account;
#[cfg(feature = "demo")]
mod demo;
mod hosts;
mod log;
mod options;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use frontdesk::{Launch, RunError};
use frontdesk_client::{CallError, Client, CredentialStore, Journal, paths};

use options::Options;

/// Work with MCP hosts from a terminal: events, guests, check-in.
#[derive(Debug, Parser)]
#[command(name = "frontdesk", version)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Try it: a database, the hosts and the app, signed in, all in this process.
    #[cfg(feature = "demo")]
    Demo(demo::Demo),
    /// Sign in and keep the token for later.
    Login(account::Login),
    /// Sign out and forget the token.
    Logout,
    /// Say who is signed in.
    Whoami,
    /// List the hosts with their addresses and health.
    Hosts,
}

/// Why a command did not do its work.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{0}")]
    Usage(String),
    #[error("not signed in; `frontdesk login --url BASE --email E` does that")]
    SignedOut,
    #[error("address or password is wrong")]
    WrongPassword,
    #[error(transparent)]
    Call(CallError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("{0}: {1}")]
    File(&'static str, #[source] std::io::Error),
    #[cfg(feature = "demo")]
    #[error("the demo cannot start: {0}")]
    Demo(#[from] frontdesk_server::server::StartError),
    #[cfg(feature = "demo")]
    #[error("the demo's database did not close cleanly: {0}")]
    DemoEnd(#[from] frontdesk_server::database::OpenError),
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        match error {
            CallError::SignedOut(_) => Failure::SignedOut,
            error => Failure::Call(error),
        }
    }
}

impl Failure {
    fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Usage(_) => 2,
            Failure::SignedOut => 3,
            _ => 1,
        })
    }
}

/// Runs the command that was asked for, or the app.
pub(crate) fn run() -> ExitCode {
    let Cli { options, command } = Cli::parse();
    if let Some(path) = options.log()
        && let Err(error) = log::start(path)
    {
        return tell(&Failure::File("the log", error));
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return tell(&Failure::File("the runtime cannot start", error)),
    };
    let outcome = runtime.block_on(async {
        match command {
            None => app(&options).await,
            #[cfg(feature = "demo")]
            Some(Command::Demo(demo)) => demo.run(&options).await,
            Some(Command::Login(login)) => login.run(&options).await,
            Some(Command::Logout) => account::logout(&options).await,
            Some(Command::Whoami) => account::whoami(&options).await,
            Some(Command::Hosts) => hosts::list(&options).await,
        }
    });
    // A call that still runs has nobody left to hear of it.
    runtime.shutdown_background();
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => tell(&failure),
    }
}

fn tell(failure: &Failure) -> ExitCode {
    // Where stderr is gone, there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "frontdesk: {failure}");
    failure.code()
}

/// Writes a line of the result.
fn say(line: &str) -> Result<(), Failure> {
    writeln!(std::io::stdout(), "{line}").map_err(|error| Failure::File("stdout", error))
}

/// The app, on the hosts that are configured.
async fn app(options: &Options) -> Result<(), Failure> {
    let data = options.data_directory()?;
    let store = CredentialStore::file(paths::credentials_file(&data));
    let journal = paths::journal_file(&data);
    let client = options.client(store)?;
    let api_key = options.public_key();
    start(options, client, &journal, api_key).await
}

/// Where files are exported to: here, or where the app keeps its data.
fn exports() -> Vec<std::path::PathBuf> {
    let here = std::env::current_dir().ok();
    here.into_iter().chain(paths::data_directory()).collect()
}

async fn start(
    options: &Options,
    client: Client,
    journal: &std::path::Path,
    api_key: String,
) -> Result<(), Failure> {
    let journal =
        Journal::open(journal).map_err(|error| Failure::File("the check-in journal", error))?;
    let launch = Launch {
        client,
        journal,
        config: options.config()?,
        api_key,
        exports: exports(),
        no_color: options.no_color(),
    };
    Ok(frontdesk::run(launch).await?)
}
