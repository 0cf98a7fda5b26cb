//! The command line.
//!
//! Only results are written to stdout; messages go to stderr. The exit codes are those of
//! [`Failure::code`], documented in docs/command-line.md.

mod account;
mod badges;
mod call;
mod callee;
mod changes;
mod check;
mod completions;
mod connect;
#[cfg(feature = "demo")]
mod demo;
mod describe;
mod desk;
mod diff;
mod doctor;
mod expectation;
mod factor;
mod failure;
mod history;
mod hosts;
mod import;
mod log;
mod offers;
mod options;
mod own;
mod play;
mod reach;
mod replay;
mod setup;
mod sign_in;
mod suggest;
mod tasks;
mod terminal;
mod tools;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use frontdesk::import::{answer_as_reader, zone_warning};
use frontdesk::local::Local;
use frontdesk::{Choice, FirstStart, Launch, plain, safe_json};
use frontdesk_client::config::elsewhere;
use frontdesk_client::{CallError, Client, Config, Journal, paths};

use frontdesk_protocol::exact;
use serde_json::Value;

use failure::Failure;
use options::Options;

/// Work with MCP hosts from a terminal: events, guests, check-in.
#[derive(Debug, Parser)]
#[command(name = "frontdesk", version)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    own: own::Own,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start a demo: database, hosts and app in one process, signed in.
    #[cfg(feature = "demo")]
    Demo(demo::Demo),
    /// Start a server on this machine: an organisation and its first owner.
    Setup(setup::Setup),
    /// Sign in and store the token.
    Login(account::Login),
    /// Sign out and delete the token.
    Logout(account::Logout),
    /// Print the signed-in account.
    Whoami,
    /// Print an access token of the signed-in account, for another client of the hosts; with --read-only, one that only
    /// reads.
    Token,
    /// Turn the second factor of the signed-in account on or off.
    SecondFactor(factor::Factor),
    /// List the hosts with their addresses and health.
    Hosts,
    /// List the tools that the hosts offer.
    Tools(tools::Tools),
    /// Describe a tool and its arguments.
    Describe(describe::Describe),
    /// Call a tool.
    Call(call::Call),
    /// List the resources of a host or another server.
    Resources(offers::Resources),
    /// Read a resource of a host or another server.
    Read(offers::Read),
    /// List the prompts of a host or another server.
    Prompts(offers::Prompts),
    /// Fill in a prompt of a host or another server.
    Prompt(offers::Prompt),
    /// List suggestions for an argument of a prompt or an address.
    Complete(offers::Complete),
    /// List the tasks that were begun at other servers, or wait for one.
    Tasks(tasks::TaskList),
    /// Open the app at the check-in desk of an event.
    Desk(desk::Desk),
    /// Write badges for the guests of an event.
    Badges(badges::Badges),
    /// Import a spreadsheet.
    Import(import::Import),
    /// List the changes at the hosts, or show one.
    Changes(changes::Changes),
    /// List or clear the calls made in the app.
    History(history::Calls),
    /// Try an MCP server, and add it to the configuration.
    Connect(connect::Connect),
    /// Check whether an MCP server works, and what to do where it does not.
    Doctor(doctor::Doctor),
    /// Make the calls of a file, and compare their results with what it expects.
    Check(check::Check),
    /// Compare what two hosts or servers offer.
    Diff(diff::Diff),
    /// Answer as the server of a trace did.
    Replay(replay::Replay),
    /// Play flows of the app, and compare its screens with stored ones.
    Play(play::Play),
    /// Print the completion script of a shell.
    Completions(completions::Completions),
    /// Print a manual page, or write all of them.
    Man(completions::Manual),
}

impl Command {
    /// Whether it calls hosts, which may be those of this machine.
    fn calls_hosts(&self) -> bool {
        match self {
            #[cfg(feature = "demo")]
            Command::Demo(_) => false,
            Command::Setup(_)
            | Command::Desk(_)
            | Command::History(_)
            | Command::Connect(_)
            | Command::Doctor(_)
            | Command::Diff(_)
            | Command::Replay(_)
            | Command::Completions(_)
            | Command::Man(_) => false,
            Command::Play(play) => play.calls_hosts(),
            _ => true,
        }
    }
}

/// The first of this program's variables whose value is no text.
fn unreadable_variable(variables: impl Iterator<Item = (OsString, OsString)>) -> Option<String> {
    let mut unreadable = variables.filter(|(_, value)| value.to_str().is_none());
    unreadable.find_map(|(name, _)| {
        let name = name.into_string().ok()?;
        name.starts_with("FRONTDESK_").then_some(name)
    })
}

/// The failure if the wrong word stands where a command does.
fn unknown_command(error: &clap::Error, words: impl Iterator<Item = String>) -> Option<Failure> {
    let word = match error.get(ContextKind::InvalidArg)? {
        ContextValue::String(word) if error.kind() == ErrorKind::UnknownArgument => word,
        _ => return None,
    };
    let all = Cli::command();
    let mut before = words.take_while(|before| before != word);
    let is_first = !before.any(|before| all.find_subcommand(before).is_some());
    (is_first && !word.starts_with('-')).then(|| completions::no_command(word, &all))
}

/// Runs the command, or the app.
pub(crate) fn run() -> ExitCode {
    answer_as_reader();
    completions::answer();
    if let Some(name) = unreadable_variable(std::env::vars_os()) {
        let mut stderr = std::io::stderr();
        let _ = writeln!(stderr, "frontdesk: the variable {name} is not UTF-8");
        return ExitCode::from(2);
    }
    let Cli {
        options,
        command,
        own,
    } = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => match unknown_command(&error, std::env::args()) {
            Some(failure) => return tell(&failure),
            None => error.exit(),
        },
    };
    if let Some(path) = options.log()
        && let Err(error) = log::start(path)
    {
        return tell(&Failure::at(path, error));
    }
    if let Err(failure) = options.begin_trace() {
        return tell(&failure);
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return tell(&Failure::file("the runtime cannot start", error)),
    };
    let outcome = runtime.block_on(async {
        let local = match command.as_ref().is_some_and(Command::calls_hosts) {
            true => options.local().await?,
            false => None,
        };
        // An import says it beside its columns, the app in a message.
        let has_times = matches!(
            command,
            Some(Command::Call(_) | Command::Changes(_) | Command::History(_))
        );
        if let Some(warning) = zone_warning().filter(|_| has_times) {
            warn(&warning);
        }
        let done = match command {
            None if own.is_given() => own.run(&options).await,
            None => app(&options, None).await,
            Some(Command::Desk(desk)) => app(&options, Some(desk)).await,
            #[cfg(feature = "demo")]
            Some(Command::Demo(demo)) => demo.run(&options).await,
            Some(Command::Setup(setup)) => setup.run(&options).await,
            Some(Command::Login(login)) => login.run(&options).await,
            Some(Command::Logout(logout)) => logout.run(&options).await,
            Some(Command::Whoami) => account::whoami(&options).await,
            Some(Command::Token) => account::token(&options).await,
            Some(Command::SecondFactor(factor)) => factor.run(&options).await,
            Some(Command::Hosts) => hosts::list(&options).await,
            Some(Command::Tools(tools)) => tools.run(&options).await,
            Some(Command::Describe(describe)) => describe.run(&options).await,
            Some(Command::Call(call)) => call.or_json(options.json()).run(&options).await,
            Some(Command::Resources(resources)) => resources.run(&options).await,
            Some(Command::Read(read)) => read.run(&options).await,
            Some(Command::Prompts(prompts)) => prompts.run(&options).await,
            Some(Command::Prompt(prompt)) => prompt.run(&options).await,
            Some(Command::Complete(complete)) => complete.run(&options).await,
            Some(Command::Tasks(tasks)) => tasks.run(&options).await,
            Some(Command::Badges(badges)) => badges.run(&options).await,
            Some(Command::Import(import)) => import.run(&options).await,
            Some(Command::Changes(changes)) => changes.run(&options).await,
            Some(Command::History(calls)) => calls.run(&options),
            Some(Command::Connect(connect)) => connect.run(&options).await,
            Some(Command::Check(check)) => check.run(&options).await,
            Some(Command::Diff(diff)) => diff.run(&options).await,
            Some(Command::Replay(replay)) => replay.run().await,
            Some(Command::Doctor(doctor)) => doctor.run(&options).await,
            Some(Command::Play(play)) => play.run(&options).await,
            Some(Command::Completions(completions)) => completions.run(),
            Some(Command::Man(manual)) => manual.run(),
        };
        stop(local).await?;
        if let Some(warning) = options.clock_warning() {
            warn(&warning);
        }
        done
    });
    // The result of a running call is no longer needed.
    runtime.shutdown_background();
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed it.
        Err(Failure::File(_, error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(failure) => tell(&failure),
    }
}

fn tell(failure: &Failure) -> ExitCode {
    let mut lines = vec![format!("frontdesk: {failure}")];
    if let Failure::Call(CallError::Tool(error) | CallError::Forbidden(error)) = failure {
        lines.extend(error.field.iter().map(|field| format!("  field: {field}")));
        lines.extend(error.hint.iter().map(|hint| format!("  hint: {hint}")));
    }
    // The errors of other servers can have several lines.
    for line in lines.iter().flat_map(|line| line.lines()) {
        // Without stderr the message is dropped.
        let _ = writeln!(std::io::stderr(), "{}", plain(line));
    }
    ExitCode::from(failure.code())
}

fn warn(text: &str) {
    // If stderr is closed, the message cannot be shown.
    let _ = writeln!(std::io::stderr(), "frontdesk: {}", plain(text));
}

/// The width of the terminal that shows the result; `None` if a program reads it.
fn terminal_width() -> Option<usize> {
    if !std::io::stdout().is_terminal() {
        return None;
    }
    let size = crossterm::terminal::size().ok();
    let width = size.map(|(width, _)| usize::from(width));
    width.filter(|width| *width > 0)
}

/// Writes a line of the result.
fn say(line: &str) -> Result<(), Failure> {
    writeln!(std::io::stdout(), "{line}").map_err(|error| Failure::file("stdout", error))
}

/// Writes a value as JSON, indented at a terminal. Its escapes keep it complete and harmless.
fn say_json(value: &Value) -> Result<(), Failure> {
    let json = match std::io::stdout().is_terminal() {
        true => exact::pretty(value),
        false => exact::text(value),
    };
    say(&safe_json(&json))
}

/// Runs the app with the configured hosts and servers, after the start screen if there are none.
async fn app(options: &Options, desk: Option<desk::Desk>) -> Result<(), Failure> {
    let mut client = options.client_if_any(options.store()?)?;
    let mut local = None;
    if client.is_none() && options.config()?.servers.is_empty() {
        let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        if !is_terminal && !options.config()?.linear {
            client = Some(options.client(options.store()?)?);
        } else {
            let first = FirstStart::new(
                options.config_file()?,
                options.data_directory()?,
                options.public_key(),
                elsewhere::find(std::env::current_dir().ok().as_deref()),
            );
            let config = options.config()?;
            let chosen = frontdesk::first_start(&first, &config, options.no_color()).await?;
            local = first.take_local().await;
            match chosen {
                Some(Choice::Configured) => client = options.client_if_any(options.store()?)?,
                Some(Choice::Demo) => return demo(options).await,
                None => return stop(local).await,
            }
        }
    }
    if local.is_none() {
        local = options.local().await?;
    }
    let data = options.data_directory()?;
    let journal = paths::journal_file(&data);
    let mut config = options.config()?;
    if let Some(desk) = desk {
        desk.fill(&mut config.desk);
    }
    let ended = start(
        options,
        config,
        client,
        false,
        &journal,
        data,
        options.public_key(),
    )
    .await;
    stop(local).await?;
    ended
}

/// Ends the hosts that started with the app.
async fn stop(local: Option<Local>) -> Result<(), Failure> {
    match local {
        Some(local) => Ok(local.stop().await?),
        None => Ok(()),
    }
}

#[cfg(feature = "demo")]
async fn demo(options: &Options) -> Result<(), Failure> {
    demo::Demo::default().run(options).await
}

#[cfg(not(feature = "demo"))]
async fn demo(_: &Options) -> Result<(), Failure> {
    Err(Failure::Usage("this build has no demo".to_owned()))
}

/// Directories for exports: the current one, then the data directory.
fn exports() -> Vec<std::path::PathBuf> {
    let here = std::env::current_dir().ok();
    here.into_iter().chain(paths::data_directory()).collect()
}

async fn start(
    options: &Options,
    mut config: Config,
    client: Option<Client>,
    is_trial: bool,
    journal: &std::path::Path,
    data: std::path::PathBuf,
    api_key: String,
) -> Result<(), Failure> {
    let journal =
        Journal::open(journal).map_err(|error| Failure::file("the check-in journal", error))?;
    let of_environment = || frontdesk::language(|name| std::env::var(name).ok());
    config.language = config.language.or_else(of_environment);
    let launch = Launch {
        client,
        journal,
        config,
        config_file: options.config_file().ok(),
        api_key,
        exports: exports(),
        editor: frontdesk::editor(|name| std::env::var(name).ok()),
        data,
        trace: options.traced(),
        is_trial,
        read_only: options.read_only(),
        no_color: options.no_color(),
    };
    Ok(frontdesk::run(launch).await?)
}
