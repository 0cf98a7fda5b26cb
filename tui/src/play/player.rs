//! Plays a tape on the app without a terminal.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use frontdesk_client::{Client, Config, Journal, paths};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use regex::Regex;
use tokio::time::timeout;

use super::compare;
pub use super::compare::Outcome;
use super::region::Region;
use super::screen::{cut, mask};
use super::tape::{Action, Later, Place, Scope, Step, Tape};
use crate::app::effects::editor::from_environment;
use crate::shell::driver::{Driver, DriverError, Options, text};

/// The pause of a person between two actions, in which a search runs that waits for the end of
/// typing.
const PAUSE: SignedDuration = SignedDuration::from_millis(400);
/// After this time, work that does not end fails the tape.
const STUCK: Duration = Duration::from_secs(60);

/// What a tape is played with.
#[derive(Debug)]
pub struct Stage {
    /// The client of the hosts, signed in.
    pub client: Client,
    /// Keys, theme and servers.
    pub config: Config,
    /// The app's clock and time zone at the start.
    pub clock: Zoned,
    /// The public key of the project, for the identity provider.
    pub api_key: String,
    /// Whether writes are forbidden.
    pub read_only: bool,
    /// Whether colours are disabled.
    pub no_color: bool,
    /// An empty directory for the app's files.
    pub directory: PathBuf,
    /// Texts that differ from run to run, which are masked.
    pub varying: Vec<String>,
    /// Whether stored screens that differ are replaced.
    pub updates: bool,
}

/// Why a tape could not be played at all.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The app cannot start.
    #[error(transparent)]
    Start(#[from] DriverError),
    /// The app's directory cannot be used.
    #[error("the check-in journal: {0}")]
    Journal(#[source] io::Error),
}

/// A step that checks something, or failed.
#[derive(Debug, Clone)]
pub struct Check {
    /// Its place in the tape.
    pub place: Place,
    /// Its text.
    pub text: String,
    /// Its result.
    pub outcome: Outcome,
}

/// The result of a tape.
#[derive(Debug, Clone)]
pub struct Played {
    /// The tape.
    pub path: PathBuf,
    /// Its checks, up to the first step after which it could not go on.
    pub checks: Vec<Check>,
}

impl Played {
    /// Whether nothing failed.
    pub fn has_passed(&self) -> bool {
        let mut outcomes = self.checks.iter().map(|check| &check.outcome);
        !outcomes.any(|outcome| matches!(outcome, Outcome::Failed(_)))
    }
}

/// Plays a tape. Must be called within a tokio runtime.
///
/// # Errors
/// The app cannot start.
pub async fn play(tape: &Tape, stage: Stage) -> Result<Played, PlayError> {
    let mut player = Player::start(tape, stage)?;
    let mut checks = Vec::new();
    for step in &tape.steps {
        let done = player.step(step).await;
        let has_ended = done.is_err();
        if let Some(outcome) = done.unwrap_or_else(|message| Some(Outcome::Failed(message))) {
            checks.push(Check {
                place: step.place.clone(),
                text: step.text.clone(),
                outcome,
            });
        }
        if has_ended {
            break;
        }
    }
    Ok(Played {
        path: tape.path().to_owned(),
        checks,
    })
}

struct Player {
    driver: Driver,
    region: Region,
    masks: Vec<Regex>,
    /// The text of the last `Copy`, and how often the app had copied before.
    copied: Option<(String, usize)>,
    updates: bool,
}

impl Player {
    fn start(tape: &Tape, stage: Stage) -> Result<Player, PlayError> {
        let setup = tape.setup();
        let variable = |name: &str| setup.environment.get(name).cloned();
        let mut config = stage.config;
        config.theme = setup.theme.clone().or(config.theme);
        let zone = variable("TZ").and_then(|name| TimeZone::get(&name).ok());
        let path = paths::journal_file(&stage.directory);
        let journal = Journal::open(path).map_err(PlayError::Journal)?;
        let varying = stage
            .varying
            .into_iter()
            .chain([stage.directory.display().to_string()]);
        let masks = varying.filter_map(|text| Regex::new(&regex::escape(&text)).ok());
        let masks = masks.collect();
        let options = Options {
            size: setup.size,
            now: stage.clock.timestamp(),
            desk: 0,
            zone: zone.unwrap_or_else(|| stage.clock.time_zone().clone()),
            config,
            no_color: stage.no_color || variable("NO_COLOR").is_some_and(|value| !value.is_empty()),
            api_key: stage.api_key,
            exports: vec![stage.directory.clone()],
            editor: from_environment(variable),
            data: Some(stage.directory),
            read_only: stage.read_only,
            has_service: true,
            listens: false,
        };
        let driver = Driver::start(stage.client, journal, options)?;
        Ok(Player {
            driver,
            region: Region::Screen,
            masks,
            copied: None,
            updates: stage.updates,
        })
    }

    /// Does a step. Returns what it checked, if anything.
    ///
    /// # Errors
    /// Why the tape cannot go on.
    async fn step(&mut self, step: &Step) -> Result<Option<Outcome>, String> {
        self.idle().await?;
        match &step.action {
            Action::Type(text) => {
                for char in text.chars() {
                    self.is_running()?;
                    self.driver.type_text(char.encode_utf8(&mut [0; 4]));
                    self.settle().await?;
                }
            }
            Action::Press(key, times) => {
                for _ in 0..*times {
                    self.is_running()?;
                    self.driver.press(*key);
                    self.settle().await?;
                }
            }
            Action::Copy(text) => self.copied = Some((text.clone(), self.driver.copied().len())),
            Action::Paste => {
                self.is_running()?;
                let text = self.clipboard().ok_or("nothing was copied")?;
                self.driver.paste(&text);
            }
            Action::Resize(columns, rows) => {
                let size = self.driver.buffer().area.as_size();
                let (columns, rows) = (columns.unwrap_or(size.width), rows.unwrap_or(size.height));
                self.driver.resize(columns, rows);
            }
            Action::Clock(later) => self.pass(*later).await?,
            Action::Mask(pattern) => self.masks.push(pattern.clone()),
            Action::Region(region) => self.region = region.clone(),
            Action::Wait(scope, patience, pattern) => {
                let Some(pattern) = pattern else {
                    return Ok(None);
                };
                self.wait(*scope, *patience, pattern).await?;
                return Ok(Some(Outcome::Passed));
            }
            Action::Expect(scope, pattern) => {
                let seen = self.seen(*scope)?;
                // The tape goes on, so that it reports everything that is wrong.
                return Ok(Some(match pattern.is_match(&seen) {
                    true => Outcome::Passed,
                    false => Outcome::Failed(missing(pattern, "", &seen)),
                }));
            }
            Action::Keep(files) => {
                let mut screen = self.driver.buffer().clone();
                let area = self.region.find(&screen)?;
                mask(&mut screen, &self.masks);
                let kept = compare::keep(&cut(&screen, area), files, self.updates);
                return kept.map(Some).map_err(|error| error.to_string());
            }
        }
        self.idle().await?;
        Ok(None)
    }

    fn is_running(&self) -> Result<(), String> {
        match self.driver.is_over() {
            true => Err("the app has ended before this step".to_owned()),
            false => Ok(()),
        }
    }

    fn stuck(&self) -> String {
        format!(
            "the app is not idle after {} s; in progress: {}",
            STUCK.as_secs(),
            self.driver.in_progress().join(", ")
        )
    }

    async fn settle(&mut self) -> Result<(), String> {
        let settled = timeout(STUCK, self.driver.settle()).await;
        settled.map_err(|_| self.stuck())
    }

    async fn idle(&mut self) -> Result<(), String> {
        let rested = timeout(STUCK, self.driver.rest(PAUSE)).await;
        rested.map_err(|_| self.stuck())
    }

    /// The text that was copied last, by the tape or the app.
    fn clipboard(&self) -> Option<String> {
        let by_app = self.driver.copied();
        match &self.copied {
            Some((text, before)) if *before == by_app.len() => Some(text.clone()),
            _ => by_app.last().cloned(),
        }
    }

    async fn pass(&mut self, later: Later) -> Result<(), String> {
        let now = self.driver.now();
        let by = match later {
            Later::By(by) => by,
            Later::At(at) => at.duration_since(now),
        };
        if by.is_negative() {
            return Err(format!("the clock only goes forward: it is {now} already"));
        }
        let advanced = timeout(STUCK, self.driver.advance(by)).await;
        advanced.map_err(|_| self.stuck())
    }

    /// Waits until the pattern is seen: timer by timer, as long as the app's clock has not passed
    /// the patience.
    async fn wait(
        &mut self,
        scope: Scope,
        patience: Duration,
        pattern: &Regex,
    ) -> Result<(), String> {
        let span = SignedDuration::try_from(patience).unwrap_or(SignedDuration::MAX);
        let until = self
            .driver
            .now()
            .saturating_add(span)
            .unwrap_or(Timestamp::MAX);
        loop {
            let seen = self.seen(scope);
            if seen.as_ref().is_ok_and(|seen| pattern.is_match(seen)) {
                return Ok(());
            }
            let Some(at) = self.driver.next_timer().filter(|at| *at <= until) else {
                let after = format!(" within {} s of the app's clock", patience.as_secs_f64());
                return Err(missing(pattern, &after, &seen?));
            };
            self.pass(Later::At(at.max(self.driver.now()))).await?;
        }
    }

    /// The text that patterns are looked for in.
    fn seen(&mut self, scope: Scope) -> Result<String, String> {
        match scope {
            Scope::Screen => {
                let region = self.region.clone();
                let screen = self.driver.buffer();
                Ok(text(&cut(screen, region.find(screen)?)))
            }
            Scope::Line => {
                let cursor = self.driver.cursor();
                let cursor = cursor.ok_or("there is no cursor on the screen; leave out +Line")?;
                let screen: &Buffer = self.driver.buffer();
                let line = Rect::new(0, cursor.y, screen.area.width, 1);
                Ok(text(&cut(screen, line)))
            }
        }
    }
}

/// The pattern was not found in this text.
fn missing(pattern: &Regex, after: &str, seen: &str) -> String {
    let mut message = format!("not on the screen{after}: /{pattern}/");
    for line in seen.lines() {
        message.push_str(if line.is_empty() { "\n" } else { "\n  " });
        message.push_str(line);
    }
    message
}
