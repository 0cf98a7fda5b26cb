//! The command line. What it prints goes to stdout; what went wrong goes to stderr.

mod account;
mod connect;
mod hosts;
mod log;
mod password;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use frontdesk_client::addresses::AddressError;
use frontdesk_client::config::ConfigError;
use frontdesk_client::{CallError, Journal, paths};

use crate::app::runtime::{Launch, RunError, run};
use crate::settings::SettingsError;
use crate::ui::problem::Problem;

/// Frontdesk: check guests in at the door, from the terminal.
#[derive(Debug, Parser)]
#[command(name = "frontdesk", version)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Option<Command>,
}

/// What every command takes. All of it can also stand in `config.toml`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Base address of the service [config: url]
    #[arg(long, env = "FRONTDESK_URL", global = true, value_name = "BASE")]
    url: Option<String>,
    /// Address of one host that is not at BASE/AREA; may be given several times [config: hosts]
    #[arg(long = "host", global = true, value_name = "AREA=URL")]
    hosts: Vec<String>,
    /// Name of a theme, or path of a theme file [config: theme]
    #[arg(long, env = "FRONTDESK_THEME", global = true, value_name = "THEME")]
    theme: Option<String>,
    /// Keys of a command, separated by commas; may be given several times [config: keys]
    #[arg(long = "key", global = true, value_name = "COMMAND=KEYS")]
    keys: Vec<String>,
    /// Colour of one thing; may be given several times [config: theme_colors]
    #[arg(long = "color", global = true, value_name = "NAME=COLOR")]
    colors: Vec<String>,
    /// Public key of the project, for signing in
    #[arg(
        long,
        env = "FRONTDESK_API_KEY",
        global = true,
        value_name = "KEY",
        default_value = "demo"
    )]
    api_key: String,
    /// Configuration file [default: config.toml in the platform's directory]
    #[arg(long, env = "FRONTDESK_CONFIG", global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Directory of credentials and waiting check-ins [default: the platform's data directory]
    #[arg(long, env = "FRONTDESK_DATA", global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Leave colours out, as with NO_COLOR
    #[arg(long, global = true)]
    no_color: bool,
    /// Write a log to this file; RUST_LOG says of what
    #[arg(long, env = "FRONTDESK_LOG", global = true, value_name = "FILE")]
    log: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Try it: the hosts, a database and a demo organisation inside this process
    #[cfg(feature = "demo")]
    Demo(crate::demo::Demo),
    /// Sign in, and remember it
    Login(account::Login),
    /// Sign out, and forget it
    Logout,
    /// Say who is signed in
    Whoami,
    /// Say how the hosts are
    Hosts,
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// There is no directory to keep things in.
    #[error("there is no home directory; --data DIR and --config FILE say where things are")]
    NoHome,
    /// Nobody said where the service is.
    #[error(
        "the address of the service is not known: give --url BASE, or write `url = \"…\"` into \
         {config}"
    )]
    NoAddress {
        /// The configuration file.
        config: String,
    },
    /// A flag of the form NAME=VALUE is not.
    #[error("--{flag} {value}: write it as {form}")]
    Flag {
        /// The flag.
        flag: &'static str,
        /// What was given.
        value: String,
        /// What would be right.
        form: &'static str,
    },
    /// The configuration cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// An address is none.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// Keys or theme cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The identity provider does not know the address or the password.
    #[error("address or password is wrong")]
    WrongPassword,
    /// A call failed.
    #[error("{}", words(.0))]
    Call(#[from] CallError),
    /// The app had to stop.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Something on this machine cannot be read or written.
    #[error("{what}: {reason}")]
    Io {
        /// What was tried.
        what: String,
        /// Why, as the system said.
        reason: io::Error,
    },
    /// The demo cannot be started.
    #[cfg(feature = "demo")]
    #[error(transparent)]
    Demo(#[from] crate::demo::DemoError),
}

impl CliError {
    fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> CliError {
        let what = what.into();
        move |reason| CliError::Io { what, reason }
    }
}

fn words(error: &CallError) -> String {
    let problem = Problem::of(error);
    match problem.help.is_empty() {
        true => problem.line(),
        false => format!("{} {}", problem.line(), problem.help),
    }
}

/// Runs the command line of this process: 0 where it worked, 1 where it did not, 2 for a command
/// line that means nothing.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(CliError::io("the runtime cannot be started"))
        .and_then(|runtime| {
            let result = runtime.block_on(dispatch(cli));
            // A blocked reader of the terminal must not keep the process alive.
            runtime.shutdown_timeout(std::time::Duration::from_millis(500));
            result
        });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(CliError::Io { reason, .. }) if reason.kind() == io::ErrorKind::BrokenPipe => {
            // Whoever read our output has seen enough.
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "frontdesk: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn dispatch(cli: Cli) -> Result<(), CliError> {
    let options = cli.options;
    log::start(options.log.as_deref())?;
    let mut out = io::stdout();
    match cli.command {
        None => start(&options).await,
        #[cfg(feature = "demo")]
        Some(Command::Demo(demo)) => crate::demo::run_demo(demo, &options).await,
        Some(Command::Login(login)) => account::login(login, &options, &mut out).await,
        Some(Command::Logout) => account::logout(&options, &mut out).await,
        Some(Command::Whoami) => account::whoami(&options, &mut out).await,
        Some(Command::Hosts) => hosts::hosts(&options, &mut out).await,
    }
}

/// The terminal app.
async fn start(options: &Options) -> Result<(), CliError> {
    let client = options.client()?;
    let launch = options.launch(client)?;
    Ok(run(launch).await?)
}

impl Options {
    /// Everything that the app needs, around a client.
    pub(crate) fn launch(&self, client: frontdesk_client::Client) -> Result<Launch, CliError> {
        if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
            return Err(CliError::Io {
                what: "the app needs a terminal".to_owned(),
                reason: io::Error::other("stdin or stdout is something else"),
            });
        }
        let journal = self.data_directory()?;
        let journal = paths::journal_file(&journal);
        let journal = Journal::open(&journal)
            .map_err(CliError::io(format!("{} cannot be opened", journal.display())))?;
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Ok(Launch {
            client,
            journal,
            config: self.config()?,
            api_key: self.api_key.clone(),
            no_color: no_color || self.no_color,
        })
    }
}
