//! The app on a real terminal: handles keys and outcomes, draws, and sleeps otherwise.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use frontdesk_client::{Addresses, Client, Config, CredentialStore, Journal, Trace};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::layout::Size;
use uuid::Uuid;

use super::browser::open_in_browser;
use super::first::FirstStart;
use super::keyboard::Keyboard;
use super::settings::SettingsError;
use super::signals::{Signal, Signals, stop_ourselves};
use super::terminal::{Screen, give_back};
use super::view::view;
use super::waiting::{LAST_WORDS, last_words, sleep_until};
use super::{linear, parts};
use crate::app::effects::browser::Browser;
use crate::app::effects::editor::edit;
use crate::app::effects::job::Outcome;
use crate::app::effects::platform::Platform;
use crate::app::effects::servers::Servers;
use crate::app::engine::{Engine, Request};
use crate::app::input::mode::Mode;
use crate::app::input::scanner::letters_wait;
use crate::app::msg::What;
use crate::app::settings::Settings;
use crate::app::shared::Setup;
use crate::app::state::State;
use crate::records::kind;
use crate::screens::start::job::Choice;
use crate::ui::drawing;

/// Maximum number of inputs between two frames, for pasted or repeated keys, and of outcomes.
const BATCH: usize = 256;

/// The time within which a terminal says what its background is.
const REPLY: Duration = Duration::from_millis(100);

/// The parameters of the app.
#[derive(Debug)]
pub struct Launch {
    /// The client of the hosts; `None` if only third-party servers are configured.
    pub client: Option<Client>,
    /// Undelivered check-ins.
    pub journal: Journal,
    /// Keys and theme.
    pub config: Config,
    /// The configuration file, which keeps what is chosen on the screen; it need not exist.
    pub config_file: Option<PathBuf>,
    /// The public key of the project, for the identity provider.
    pub api_key: String,
    /// The directories for exports; the first that accepts a file is used.
    pub exports: Vec<PathBuf>,
    /// The command of the user's editor, as in `$EDITOR`.
    pub editor: Option<String>,
    /// The data directory, e.g. for the tokens of servers.
    pub data: PathBuf,
    /// Where messages are traced beside memory.
    pub trace: Trace,
    /// Whether the servers are only tried: nothing of them is kept, such as which tools were accepted.
    pub is_trial: bool,
    /// Whether writes are forbidden while it runs.
    pub read_only: bool,
    /// Whether colours are disabled.
    pub no_color: bool,
}

/// Where the app is shown, and its keys come from.
enum Front {
    Drawn {
        screen: Box<Screen>,
        signals: Signals,
        esc: Duration,
    },
    Linear,
}

impl Front {
    /// Takes the terminal, unless the app is read line by line.
    fn take(settings: &Settings, is_linear: bool) -> io::Result<Front> {
        if is_linear {
            return Ok(Front::Linear);
        }
        Ok(Front::Drawn {
            signals: Signals::listen()?,
            screen: Box::new(Screen::take(settings.mouse)?),
            esc: settings.esc,
        })
    }

    /// Runs the app until it ends.
    async fn drive(self, engine: &mut Engine, editor: Option<&str>) -> io::Result<()> {
        match self {
            Front::Drawn {
                mut screen,
                mut signals,
                esc,
            } => drive(engine, &mut screen, &mut signals, esc, editor).await,
            Front::Linear => linear::drive(engine, editor).await,
        }
    }
}

/// Why the app could not start, or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The configuration is invalid.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Stdin or stdout is not a terminal.
    #[error(
        "the app needs a terminal, but stdin or stdout is something else; `frontdesk --linear` reads and writes lines"
    )]
    NoTerminal,
    /// The terminal draws no screens.
    #[error(
        "this terminal draws no screens, as TERM is “dumb”; `frontdesk --linear` is the app line by line"
    )]
    Dumb,
    /// The terminal has no rows or no columns.
    #[error("the terminal has no size; give it one: `stty rows 24 columns 80`")]
    NoSize,
    /// The terminal failed.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
}

/// The size of the frames: that of a terminal that can show the app, unless it is read line by line.
fn size(is_linear: bool) -> Result<Size, RunError> {
    if is_linear {
        return Ok(linear::SIZE);
    }
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(RunError::NoTerminal);
    }
    if std::env::var_os("TERM").is_some_and(|name| name == "dumb") {
        return Err(RunError::Dumb);
    }
    match crossterm::terminal::size() {
        Ok((columns, rows)) if columns > 0 && rows > 0 => Ok(Size::new(columns, rows)),
        _ => Err(RunError::NoSize),
    }
}

/// Shows the start screen until the user has chosen how to go on; `None` if they left.
///
/// # Errors
/// The configuration is invalid, or the terminal failed.
pub async fn first_start(
    first: &FirstStart,
    config: &Config,
    no_color: bool,
) -> Result<Option<Choice>, RunError> {
    let is_linear = config.linear;
    let size = size(is_linear)?;
    let settings = Settings::new(config, no_color)?;
    let setup = Setup {
        now: Timestamp::now(),
        desk: 0,
        zone: TimeZone::system(),
        size,
        address: String::new(),
        has_service: false,
        listens: false,
        parts: parts::FIRST,
        settings,
        mode: Mode::ReadWrite,
        servers: Vec::new(),
        has_editor: false,
    };
    let front = Front::take(&setup.settings, is_linear)?;
    let mut engine = Engine::new(State::new(setup, None, false), Arc::new(first.clone()));
    front.drive(&mut engine, None).await?;
    Ok(first.chosen())
}

/// Runs the app until the user quits.
///
/// # Errors
/// The configuration is invalid, or the terminal failed.
pub async fn run(launch: Launch) -> Result<(), RunError> {
    let is_linear = launch.config.linear;
    let size = size(is_linear)?;
    let settings = Settings::new(&launch.config, launch.no_color)?;
    let servers = Servers::new(
        launch.config.servers,
        (!launch.is_trial).then(|| launch.data.clone()),
        launch.trace,
    );
    let has_service = launch.client.is_some();
    let client = launch.client.map_or_else(client_of_nothing, Ok)?;
    let setup = Setup {
        now: Timestamp::now(),
        desk: Uuid::new_v4().as_u64_pair().1,
        zone: TimeZone::system(),
        size,
        address: client.addresses().url().to_owned(),
        has_service,
        listens: true,
        parts: parts::PARTS,
        settings,
        mode: Mode::of(launch.read_only),
        servers: servers.names(),
        has_editor: launch.editor.is_some(),
    };
    let account = client.last_account();
    let is_signed_in = client.is_signed_in();
    let front = Front::take(&setup.settings, is_linear)?;
    let platform = Platform {
        client,
        servers: servers.clone(),
        journal: launch.journal,
        data: Some(launch.data),
        program: std::env::current_exe().ok(),
        config: launch.config_file,
        keep: launch.config.history.keep,
        api_key: launch.api_key,
        exports: launch.exports,
        badge_command: launch.config.badge_command,
        browser: Browser::new(open_in_browser),
        picker: drawing::picker(|name| std::env::var_os(name).is_some()),
    };
    let state = State::new(setup, account, is_signed_in);
    // Deriving the kinds from two hundred schemas takes a while: do it before the first key needs
    // them.
    std::thread::spawn(kind::all);
    let mut engine = Engine::new(state, Arc::new(platform));
    let editor = launch.editor.as_deref();
    let driven = front.drive(&mut engine, editor).await;
    // Sessions and processes are closed properly, within a time limit.
    let _ = tokio::time::timeout(LAST_WORDS, servers.close()).await;
    Ok(driven?)
}

/// A client for [`Platform`] without a service. It is never called: nobody can sign in.
fn client_of_nothing() -> Result<Client, RunError> {
    let nowhere = Addresses::new("http://service.invalid").map_err(io::Error::other)?;
    let client = Client::new(nowhere, CredentialStore::memory());
    client.map_err(|error| RunError::Terminal(io::Error::other(error)))
}

async fn drive(
    engine: &mut Engine,
    screen: &mut Screen,
    signals: &mut Signals,
    esc: Duration,
    editor: Option<&str>,
) -> io::Result<()> {
    let mut keyboard = Keyboard::open(esc)?;
    let settings = &engine.state.shared.settings;
    let asked = (settings.is_auto && !settings.is_plain).then(Instant::now);
    if asked.is_some() {
        screen.ask_background()?;
    }
    engine.apply(Timestamp::now(), What::Started);
    loop {
        // Outcomes are handled before keys, so a key acts on the current state; a frame's worth of them, so that it does
        // not wait for a server that reports without end.
        for _ in 0..BATCH {
            let Some(what) = engine.try_outcome() else {
                break;
            };
            engine.apply(Timestamp::now(), what);
        }
        while let Some(what) = engine.due(Timestamp::now()) {
            engine.apply(Timestamp::now(), what);
        }
        // One by one: handling one can add the next.
        while let Some(request) = engine.next_request() {
            match request {
                Request::Copy(text) => screen.copy(&text)?,
                Request::Open(address) => {
                    if !open_in_browser(&address) {
                        engine.apply(Timestamp::now(), What::NotOpened);
                    }
                }
                Request::Ring => screen.ring()?,
                Request::Redraw => screen.redraw()?,
                Request::Suspend => {
                    // Keys are not for the app meanwhile.
                    drop(keyboard);
                    give_back();
                    stop_ourselves()?;
                    keyboard = Keyboard::open(esc)?;
                    come_back(engine, screen)?;
                }
                Request::Edit {
                    request,
                    owner,
                    draft,
                } => {
                    drop(keyboard);
                    give_back();
                    let text = edit(editor, &draft).await;
                    keyboard = Keyboard::open(esc)?;
                    come_back(engine, screen)?;
                    // From here on ctrl-c is a key. A request to end that arrived meanwhile is
                    // handled now, after pending writes.
                    let is_over = signals.catch_up().await?;
                    let done = What::Done {
                        request,
                        owner,
                        outcome: Outcome::Edited(text),
                    };
                    engine.apply(Timestamp::now(), done);
                    if is_over {
                        engine.apply(Timestamp::now(), What::Terminated);
                    }
                }
                Request::Quit => {
                    // The shell must not get the terminal's reply.
                    let left = asked.map(|at| REPLY.saturating_sub(at.elapsed()));
                    let reply = async {
                        while let Some(Ok(what)) = keyboard.next().await
                            && !matches!(what, What::Background(_))
                        {}
                    };
                    if let Some(left) = left.filter(|left| !left.is_zero()) {
                        let _ = tokio::time::timeout(left, reply).await;
                    }
                    return last_words(engine).await;
                }
            }
        }
        if engine.take_changed() {
            screen.draw(|frame| view(&engine.state, frame))?;
            engine.drawn();
        }
        keyboard.set_letters_wait(letters_wait(&engine.state));
        let timer = engine.next_timer();
        tokio::select! {
            biased;
            signal = signals.next() => match signal {
                Signal::Terminate | Signal::Interrupt => {
                    engine.apply(Timestamp::now(), What::Terminated);
                }
                Signal::Continue => come_back(engine, screen)?,
                Signal::Resized => resize(engine)?,
            },
            what = keyboard.next() => {
                match what {
                    Some(what) => engine.apply(Timestamp::now(), what?),
                    // The terminal was closed.
                    None => engine.apply(Timestamp::now(), What::Terminated),
                }
                for _ in 1..BATCH {
                    match keyboard.try_next() {
                        Some(what) => engine.apply(Timestamp::now(), what?),
                        None => break,
                    }
                }
            }
            what = engine.next_outcome() => {
                if let Some(what) = what {
                    engine.apply(Timestamp::now(), what);
                }
            }
            () = sleep_until(timer) => {}
        }
    }
}

/// Retakes the terminal, whose size may have changed.
fn come_back(engine: &mut Engine, screen: &mut Screen) -> io::Result<()> {
    screen.retake()?;
    resize(engine)
}

fn resize(engine: &mut Engine) -> io::Result<()> {
    let (columns, rows) = crossterm::terminal::size()?;
    engine.apply(Timestamp::now(), What::Resize(Size::new(columns, rows)));
    Ok(())
}
