//! The app without a terminal, for tests and tapes that press keys and read the screen.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use frontdesk_client::{Client, Config, Journal, Trace};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Size};
use ratatui::{Frame, Terminal};
use ratatui_image::picker::Picker;

use super::first::FirstStart;
use super::linear::{self, Meaning, Reader};
use super::parts;
use super::settings::SettingsError;
use super::view::view;
use crate::app::effects::browser::Browser;
use crate::app::effects::editor::{Draft, edit};
use crate::app::effects::job::Outcome;
use crate::app::effects::platform::Platform;
use crate::app::effects::servers::Servers;
use crate::app::effects::worker::Worker;
use crate::app::engine::{Engine, Request};
use crate::app::input::chord::Chord;
use crate::app::input::mode::Mode;
use crate::app::input::scan::Rhythm;
use crate::app::msg::What;
use crate::app::owner::{Owner, RequestId};
use crate::app::settings::Settings;
use crate::app::shared::Setup;
use crate::app::state::State;
use crate::look::text::cells;

/// Number of messages kept for [`Driver::log`].
const LOG: usize = 200;

/// The options of a driver.
#[derive(Debug)]
pub struct Options {
    /// Size of the terminal: columns and rows.
    pub size: (u16, u16),
    /// The time at the start. Only [`Driver::advance`] changes it.
    pub now: Timestamp,
    /// The random number of the desk.
    pub desk: u64,
    /// The time zone for display.
    pub zone: TimeZone,
    /// Keys and theme.
    pub config: Config,
    /// Whether colours are disabled.
    pub no_color: bool,
    /// The public key of the project, for the identity provider.
    pub api_key: String,
    /// The directories for exports; the first that accepts a file is used.
    pub exports: Vec<PathBuf>,
    /// The command of the editor, as in `$EDITOR`.
    pub editor: Option<String>,
    /// The data directory; without it, nothing is stored.
    pub data: Option<PathBuf>,
    /// Whether writes are forbidden while it runs.
    pub read_only: bool,
    /// Whether a service is configured; otherwise there are only third-party servers.
    pub has_service: bool,
    /// Whether hosts are asked to tell of changes.
    pub listens: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            size: (80, 24),
            now: Timestamp::now(),
            desk: 0,
            zone: TimeZone::UTC,
            config: Config::default(),
            no_color: false,
            api_key: "demo".to_owned(),
            exports: Vec::new(),
            editor: None,
            data: None,
            read_only: false,
            has_service: true,
            listens: false,
        }
    }
}

/// The app without a terminal. It runs the same machine and the same work as the real app; time
/// only changes when it is advanced.
pub struct Driver {
    engine: Engine,
    terminal: Terminal<TestBackend>,
    now: Timestamp,
    is_over: bool,
    has_suspended: bool,
    editor: Option<String>,
    /// Editor requests, executed when the driver settles.
    drafts: VecDeque<(RequestId, Owner, Draft)>,
    log: VecDeque<String>,
    toasts: Vec<String>,
    copied: Vec<String>,
    opened: Vec<String>,
    /// How often the bell rang.
    rings: usize,
    /// What was read line by line.
    reader: Reader,
}

/// Why a driver cannot execute an instruction.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// The configuration is invalid.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The notation of a key is invalid.
    #[error(transparent)]
    Key(#[from] crate::app::input::chord::ChordError),
    /// The command does not exist.
    #[error("there is no command `{0}`")]
    NoCommand(String),
    /// The command is unavailable now.
    #[error("`{id}` cannot be run: {reason}")]
    Obstacle {
        /// The command.
        id: String,
        /// The reason shown by the app.
        reason: String,
    },
}

/// The key that a terminal reports for a character.
fn key_of(char: char) -> KeyEvent {
    match char {
        '\r' => KeyCode::Enter.into(),
        '\t' => KeyCode::Tab.into(),
        '\x01'..='\x1a' => ctrl(char as u8 - 1 + b'a'),
        '\x1c'..='\x1f' => ctrl(char as u8 - 0x1c + b'4'),
        char => KeyCode::Char(char).into(),
    }
}

fn ctrl(letter: u8) -> KeyEvent {
    KeyEvent::new(KeyCode::Char(letter.into()), KeyModifiers::CONTROL)
}

impl Driver {
    /// Starts the app with this client and journal. Must be called and used within a tokio runtime.
    ///
    /// # Errors
    /// The keys or the theme in the options are invalid.
    pub fn start(client: Client, journal: Journal, options: Options) -> Result<Self, DriverError> {
        let address = client.addresses().url().to_owned();
        let account = client.last_account();
        let is_signed_in = client.is_signed_in();
        let servers = options.config.servers.clone();
        let servers = Servers::new(servers, options.data.clone(), Trace::default());
        let names = servers.names();
        let platform = Platform {
            client,
            servers,
            journal,
            data: options.data.clone(),
            program: None,
            config: options.data.as_deref().map(|data| data.join("config.toml")),
            keep: options.config.history.keep,
            api_key: options.api_key.clone(),
            exports: options.exports.clone(),
            badge_command: options.config.badge_command.clone(),
            // The test acts as the browser.
            browser: Browser::new(|_| true),
            picker: Picker::halfblocks(),
        };
        let settings = Settings::new(&options.config, options.no_color)?;
        let setup = setup(settings, &options, address, names);
        let mut state = State::new(setup, account, is_signed_in);
        if options.config.linear {
            linear::prepare(&mut state);
        }
        let mut driver = Driver::over(state, Arc::new(platform), options.size);
        driver.editor = options.editor;
        Ok(driver)
    }

    /// Shows the start screen. Must be called and used within a tokio runtime.
    ///
    /// # Errors
    /// The keys or the theme in the options are invalid.
    pub fn first_start(first: &FirstStart, options: &Options) -> Result<Self, DriverError> {
        let settings = Settings::new(&options.config, options.no_color)?;
        let setup = Setup {
            has_service: false,
            parts: parts::FIRST,
            ..setup(settings, options, String::new(), Vec::new())
        };
        let state = State::new(setup, None, false);
        Ok(Driver::over(state, Arc::new(first.clone()), options.size))
    }

    /// Starts the app with any worker.
    pub(crate) fn over(state: State, worker: Arc<dyn Worker>, size: (u16, u16)) -> Self {
        let now = state.shared.now;
        // A buffer in memory cannot fail.
        let Ok(terminal) = Terminal::new(TestBackend::new(size.0, size.1));
        let mut driver = Driver {
            engine: Engine::new(state, worker),
            terminal,
            now,
            is_over: false,
            has_suspended: false,
            editor: None,
            drafts: VecDeque::new(),
            log: VecDeque::new(),
            toasts: Vec::new(),
            copied: Vec::new(),
            opened: Vec::new(),
            rings: 0,
            reader: Reader::new(),
        };
        driver.apply(What::Started);
        driver
    }

    fn apply(&mut self, what: What) {
        if self.log.len() == LOG {
            self.log.pop_front();
        }
        self.log.push_back(format!("{} {what:?}", self.now));
        self.engine.apply(self.now, what);
        for request in self.engine.take_requests() {
            match request {
                Request::Copy(text) => self.copied.push(text),
                Request::Quit => self.is_over = true,
                Request::Suspend => self.has_suspended = true,
                Request::Ring => self.rings += 1,
                Request::Open(address) => self.opened.push(address),
                // A terminal in memory is always up to date.
                Request::Redraw => {}
                Request::Edit {
                    request,
                    owner,
                    draft,
                } => self.drafts.push_back((request, owner, draft)),
            }
        }
        let shown = self.engine.state.shared.toasts.shown();
        let new = shown - self.toasts.len();
        let on_screen = self.toasts();
        let first = on_screen.len().saturating_sub(new);
        self.toasts.extend_from_slice(&on_screen[first..]);
    }

    /// Clicks on the first place on screen with this text. Returns whether it is there.
    pub fn click(&mut self, text: &str) -> bool {
        let screen = self.screen();
        let mut lines = screen.lines().zip(0u16..);
        let found = lines.find_map(|(line, row)| {
            let (before, _) = line.split_once(text)?;
            Some((cells(before) as u16, row))
        });
        if let Some(place) = found {
            self.mouse(MouseEventKind::Down(MouseButton::Left), place);
        }
        found.is_some()
    }

    /// Turns the wheel of the mouse.
    pub fn wheel(&mut self, is_down: bool) {
        let kind = match is_down {
            true => MouseEventKind::ScrollDown,
            false => MouseEventKind::ScrollUp,
        };
        self.mouse(kind, (0, 0));
    }

    fn mouse(&mut self, kind: MouseEventKind, (column, row): (u16, u16)) {
        let modifiers = KeyModifiers::NONE;
        self.apply(What::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers,
        }));
    }

    /// Presses a key. The resulting work is only started; [`Driver::settle`] waits for it.
    pub fn press(&mut self, key: KeyEvent) {
        self.apply(What::Key(key, Rhythm::default()));
    }

    /// Presses a key by its name: `enter`, `ctrl-n`, `?`.
    ///
    /// # Errors
    /// The key does not exist.
    pub fn key(&mut self, name: &str) -> Result<(), DriverError> {
        let chord: Chord = name.parse()?;
        self.press(chord.into());
        Ok(())
    }

    /// Types a text letter by letter.
    pub fn type_text(&mut self, text: &str) {
        for char in text.chars() {
            self.press(KeyEvent::from(KeyCode::Char(char)));
        }
    }

    /// Types what a scanner sends, with its control characters, and nothing before or after it.
    pub fn scan(&mut self, bytes: &str) {
        let last = bytes.chars().count().saturating_sub(1);
        for (at, char) in bytes.chars().enumerate() {
            let rhythm = Rhythm {
                follows: at > 0,
                is_followed: at < last,
            };
            self.apply(What::Key(key_of(char), rhythm));
        }
    }

    /// Pastes a text like a terminal with bracketed paste, or some scanners.
    pub fn paste(&mut self, text: &str) {
        self.apply(What::Paste(text.to_owned()));
    }

    /// Runs a command by its id: `guest.check_in`.
    ///
    /// # Errors
    /// The command does not exist or is unavailable now.
    pub fn run(&mut self, id: &str) -> Result<(), DriverError> {
        let command = self.engine.state.shared.parts.commands.by_id(id);
        let command = command.ok_or_else(|| DriverError::NoCommand(id.to_owned()))?;
        if let Some(reason) = command.obstacle(&self.engine.state) {
            return Err(DriverError::Obstacle {
                id: id.to_owned(),
                reason,
            });
        }
        self.apply(What::Command(command.id));
        Ok(())
    }

    /// Changes the size of the terminal.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.terminal.backend_mut().resize(columns, rows);
        self.apply(What::Resize(Size::new(columns, rows)));
    }

    /// Enters a line as in the app line by line, and returns what it says when everything has ended.
    pub async fn line(&mut self, line: &str) -> Vec<String> {
        let events = match self.reader.meaning(&self.engine.state, line) {
            Meaning::Events(events) => events,
            Meaning::Again => return self.reader.read(&self.engine.state, true),
            Meaning::Said(lines) => return lines,
        };
        for what in events {
            self.apply(what);
            self.rest(linear::PAUSE).await;
        }
        self.reader.read(&self.engine.state, false)
    }

    /// Waits until no work is in progress. Timers that are not due are ignored.
    pub async fn settle(&mut self) {
        self.settle_but(0).await;
    }

    /// Waits until at most this much work is in progress: what a test holds back.
    pub async fn settle_but(&mut self, held: usize) {
        loop {
            if let Some((request, owner, draft)) = self.drafts.pop_front() {
                let text = edit(self.editor.as_deref(), &draft).await;
                self.apply(What::Done {
                    request,
                    owner,
                    outcome: Outcome::Edited(text),
                });
            } else if let Some(what) = self.engine.due(self.now) {
                self.apply(what);
            } else if let Some(what) = self.engine.try_notice() {
                self.apply(what);
            } else if self.in_flight() <= held {
                self.engine.drawn();
                return;
            } else if let Some(what) = self.engine.next_outcome().await {
                self.apply(what);
            }
        }
    }

    /// Handles a timer that is due, or waits for the next outcome of work or notice of a server.
    pub async fn hear(&mut self) {
        if let Some(what) = self.engine.due(self.now) {
            self.apply(what);
        } else if let Some(what) = self.engine.next_outcome().await {
            self.apply(what);
        }
    }

    /// Waits until hosts tell of all that is shown.
    pub async fn listen(&mut self) {
        while !self.engine.state.shared.listening.is_open() {
            self.hear().await;
        }
    }

    /// Waits until no work is in progress, at most this long. Returns whether it settled.
    pub async fn settle_within(&mut self, limit: Duration) -> bool {
        tokio::time::timeout(limit, self.settle()).await.is_ok()
    }

    /// Advances the clock timer by timer, and settles after each.
    pub async fn advance(&mut self, by: SignedDuration) {
        let to = self.now + by;
        self.rest(by).await;
        self.now = to;
        self.settle().await;
    }

    /// Waits until the app is idle: no work is in progress, and no timer is due within this time.
    /// Earlier timers fire, and the clock only moves to them.
    pub async fn rest(&mut self, pause: SignedDuration) {
        let until = self.now + pause;
        self.settle().await;
        while let Some(at) = self.engine.next_timer().filter(|at| *at <= until) {
            self.now = self.now.max(at);
            self.settle().await;
        }
    }

    /// The time of the next timer.
    pub(crate) fn next_timer(&self) -> Option<Timestamp> {
        self.engine.next_timer()
    }

    /// The work in progress, by the names of tools where it is a call.
    pub(crate) fn in_progress(&self) -> Vec<String> {
        self.engine.in_progress()
    }

    /// Advances the clock without waiting for the resulting work.
    pub fn advance_unsettled(&mut self, by: SignedDuration) {
        let to = self.now + by;
        while let Some(at) = self.engine.next_timer().filter(|at| *at <= to) {
            self.now = self.now.max(at);
            while let Some(what) = self.engine.due(self.now) {
                self.apply(what);
            }
        }
        self.now = to;
    }

    /// The current time of the app.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The amount of work in progress.
    pub fn in_flight(&self) -> usize {
        self.engine.in_flight() + self.drafts.len()
    }

    /// The screen as text, one line per row, without trailing spaces.
    pub fn screen(&mut self) -> String {
        text(self.buffer())
    }

    /// The lines of the screen that say something, without the path and the keys.
    pub fn said(&mut self) -> String {
        let screen = self.screen();
        let lines: Vec<&str> = screen.lines().collect();
        let inner = lines.get(1..lines.len().saturating_sub(1)).unwrap_or(&[]);
        let says = |line: &&&str| line.chars().any(|char| !" │╭╮╰╯─".contains(char));
        let said = inner.iter().filter(says);
        said.map(|line| format!("{line}\n")).collect()
    }

    /// The screen with its styles.
    pub fn buffer(&mut self) -> &Buffer {
        self.draw();
        self.terminal.backend().buffer()
    }

    /// The position of the cursor, if it is visible.
    pub fn cursor(&mut self) -> Option<Position> {
        self.draw();
        self.terminal
            .backend()
            .cursor_visible()
            .then(|| self.terminal.backend().cursor_position())
    }

    /// Draws the current state into a frame of another terminal.
    pub fn view(&self, frame: &mut Frame) {
        view(&self.engine.state, frame);
    }

    fn draw(&mut self) {
        let state = &self.engine.state;
        let Ok(_) = self.terminal.draw(|frame| view(state, frame));
        self.engine.drawn();
    }

    /// The selected rows, without the mark.
    pub fn selected(&mut self) -> Vec<String> {
        let screen = self.screen();
        screen
            .lines()
            .filter_map(|line| line.split_once("▸ "))
            .map(|(_, row)| row.split('│').next().unwrap_or(row).trim().to_owned())
            .collect()
    }

    /// The visible messages, each with its glyph.
    pub fn toasts(&self) -> Vec<String> {
        let toasts = self.engine.state.shared.toasts.list().iter();
        toasts
            .map(|toast| format!("{} {}", toast.mark.glyph(), toast.text))
            .collect()
    }

    /// All messages since the start, including hidden ones.
    pub fn all_toasts(&self) -> &[String] {
        &self.toasts
    }

    /// Removes all messages.
    pub fn dismiss_toasts(&mut self) {
        while self.engine.state.shared.toasts.dismiss() {}
    }

    /// The number of undelivered check-ins.
    pub fn waiting(&self) -> usize {
        self.engine.state.shared.waiting()
    }

    /// Whether the app has requested its end.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether the app has requested to be suspended.
    pub fn has_suspended(&self) -> bool {
        self.has_suspended
    }

    /// How often the terminal's bell rang.
    pub fn rings(&self) -> usize {
        self.rings
    }

    /// The copied texts, the newest last.
    pub fn copied(&self) -> &[String] {
        &self.copied
    }

    /// The addresses opened in the browser, the newest last.
    pub fn opened(&self) -> &[String] {
        &self.opened
    }

    /// The command of the editor.
    #[cfg(test)]
    pub(crate) fn set_editor(&mut self, command: &str) {
        self.editor = Some(command.to_owned());
    }

    /// The state, for tests to modify.
    #[cfg(test)]
    pub(crate) fn state_mut(&mut self) -> &mut State {
        &mut self.engine.state
    }

    /// The last messages, for failed tests.
    pub fn log(&self) -> impl Iterator<Item = &str> {
        self.log.iter().map(String::as_str)
    }

    /// The whole state, for failed tests.
    pub fn state(&self) -> String {
        format!("{:#?}", self.engine.state)
    }
}

/// The screen as text, one line per row, without trailing spaces.
pub(crate) fn text(screen: &Buffer) -> String {
    let mut text = String::new();
    for y in screen.area.top()..screen.area.bottom() {
        let line: String = symbols(screen, y).map(|(_, cell)| cell.symbol()).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The cells of a row with a symbol of their own, each with its column: the cell after a wide
/// letter has none.
pub(crate) fn symbols(screen: &Buffer, y: u16) -> impl Iterator<Item = (u16, &Cell)> {
    let mut next = screen.area.left();
    (screen.area.left()..screen.area.right()).filter_map(move |x| {
        let cell = &screen[(x, y)];
        (x >= next).then(|| {
            next = x + u16::try_from(cells(cell.symbol()).max(1)).unwrap_or(1);
            (x, cell)
        })
    })
}

fn setup(settings: Settings, options: &Options, address: String, servers: Vec<String>) -> Setup {
    Setup {
        now: options.now,
        desk: options.desk,
        zone: options.zone.clone(),
        size: Size::new(options.size.0, options.size.1),
        address,
        has_service: options.has_service,
        listens: options.listens,
        parts: parts::PARTS,
        settings,
        mode: Mode::of(options.read_only),
        servers,
        has_editor: options.editor.is_some(),
    }
}
