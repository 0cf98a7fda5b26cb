//! The state shared by all screens.

use std::any::Any;
use std::collections::BTreeMap;
use std::time::Duration;

use frontdesk_client::server::About;
use frontdesk_client::{Account, Preset, ToolInfo};
use frontdesk_protocol::Host;
use frontdesk_protocol::id::UserId;
use http::Extensions;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use ratatui::layout::Size;

use super::calls::Calls;
use super::changed::ChangedTools;
use super::cx::{Out, Then};
use super::hits::Hits;
use super::layer::Layer;
use super::listening::Listening;
use super::log::Log;
use super::names::Names;
use super::once::Once;
use super::pace::Pace;
use super::peer::Peer;
use super::question::Asked;
use super::screen::Screen;
use super::service::Service;
use super::settings::Settings;
use super::state::State;
use super::toast::{LastChange, Toasts};
use super::undecided::Undecided;
use crate::app::effects::call::ToolCall;
use crate::app::input::chord::Chord;
use crate::app::input::command::Registry;
use crate::app::input::mode::Mode;
use crate::app::owner::{RequestId, ScreenId};
use crate::look::locale::Locale;

/// The sign-in state.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Session {
    /// Unknown until the first answer.
    Unknown,
    /// No service is configured, so there is nothing to sign in to.
    NoService,
    /// Signed out.
    Out,
    /// Signed in with this account.
    In(Account),
}

/// The state shared by all screens.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The time of the current message.
    pub(crate) now: Timestamp,
    /// How much the hosts' clock is ahead of this machine's.
    pub(crate) clock_ahead: SignedDuration,
    /// Only the commands of a locked desk work.
    pub(crate) is_locked: bool,
    pub(crate) locale: Locale,
    /// The zone of this machine.
    machine: TimeZone,
    pub(crate) size: Size,
    pub(crate) session: Session,
    /// A random number: desks of one account spread their calls over time with it.
    desk: u64,
    /// When rate-limited hosts accept the next call.
    limits: BTreeMap<Host, Timestamp>,
    /// The calls of hosts within the last minute.
    pub(super) pace: Pace,
    /// What hosts tell of changes.
    pub(crate) listening: Listening,
    /// The number of announced changes since the start.
    pub(super) writes: usize,
    /// The last signed-in account since the start.
    pub(crate) last_account: Option<Account>,
    /// The base address of the service, for display.
    pub(crate) address: String,
    /// The states of services, by type.
    pub(crate) services: Extensions,
    /// The names of the configured servers.
    pub(crate) servers: Vec<String>,
    /// The tools of hosts and servers, as far as loaded.
    pub(crate) tools: BTreeMap<Peer, Vec<ToolInfo>>,
    /// The tools of servers that are not what they were.
    pub(crate) changed: ChangedTools,
    /// What servers say of themselves, as far as seen.
    pub(crate) abouts: BTreeMap<String, About>,
    /// What the app does at the end of its jobs.
    pub(super) then: BTreeMap<RequestId, Then>,
    /// The tool calls in progress.
    pub(crate) calls: Calls,
    /// Writes whose outcome is unknown.
    pub(crate) undecided: Undecided,
    /// The questions of servers, the oldest first.
    pub(crate) asked: Vec<Asked>,
    /// The names of referenced records.
    pub(crate) names: Names,
    /// The log lines of servers.
    pub(crate) log: Log,
    pub(crate) toasts: Toasts,
    /// The last change that a call has made.
    pub(crate) last_change: Option<LastChange>,
    /// The parts of the app.
    pub(crate) parts: Parts,
    pub(crate) settings: Settings,
    /// The saved filters of the signed-in account, and whose they are.
    pub(crate) filters: Option<(UserId, Vec<Preset>)>,
    /// Whether lists have the room of the selected record's facts, too.
    pub(crate) hides_facts: bool,
    /// The steps by which the border between lists and facts was moved; the facts get more room below 0.
    pub(crate) facts_border: i16,
    /// What can be clicked in the last frame.
    pub(crate) hits: Hits,
    /// Whether writes are allowed.
    pub(crate) mode: Mode,
    /// Whether the environment names an editor.
    pub(crate) has_editor: bool,
    /// The screen that the user has reloaded last, and when.
    pub(crate) reloaded: Option<(ScreenId, Timestamp)>,
    /// The frame counter of the spinner.
    pub(crate) spin: usize,
    /// The last characters that came as fast as a scanner types.
    pub(crate) burst: String,
    last_id: u64,
}

impl Shared {
    /// The initial state.
    pub(crate) fn new(setup: Setup) -> Self {
        Shared {
            now: setup.now,
            clock_ahead: SignedDuration::ZERO,
            is_locked: false,
            machine: setup.zone.clone(),
            locale: Locale {
                zone: setup.zone,
                language: setup.settings.language,
            },
            size: setup.size,
            session: Session::Unknown,
            desk: setup.desk,
            limits: BTreeMap::new(),
            pace: Pace::default(),
            listening: Listening::new(setup.listens),
            writes: 0,
            last_account: None,
            address: setup.address,
            services: Extensions::new(),
            servers: setup.servers,
            tools: BTreeMap::new(),
            changed: ChangedTools::default(),
            abouts: BTreeMap::new(),
            then: BTreeMap::new(),
            calls: Calls::default(),
            undecided: Undecided::default(),
            asked: Vec::new(),
            names: Names::default(),
            log: Log::default(),
            toasts: Toasts::default(),
            last_change: None,
            parts: setup.parts,
            settings: setup.settings,
            filters: None,
            hides_facts: false,
            facts_border: 0,
            hits: Hits::default(),
            mode: setup.mode,
            has_editor: setup.has_editor,
            reloaded: None,
            spin: 0,
            burst: String::new(),
            last_id: 0,
        }
    }

    /// A new id.
    pub(crate) fn next_id(&mut self) -> RequestId {
        self.last_id += 1;
        RequestId(self.last_id)
    }

    /// Shows and reads times as the account's organisation does, wherever this machine is.
    pub(super) fn take_zone(&mut self, account: &Account) {
        let zone = account.time_zone.as_deref();
        let zone = zone.and_then(|name| TimeZone::get(name).ok());
        self.locale.zone = zone.unwrap_or_else(|| self.machine.clone());
    }

    /// The name of the zone of all times, if clocks here show another time.
    pub(crate) fn foreign_zone(&self) -> Option<&str> {
        let offset = |zone: &TimeZone| zone.to_offset(self.now);
        let is_other = offset(&self.locale.zone) != offset(&self.machine);
        self.locale.zone.iana_name().filter(|_| is_other)
    }

    /// The idempotency key of a write: that of the same call if nobody knows whether it was made, else a new one, unique
    /// among all writes of the account for a day.
    pub(crate) fn key_of(&mut self, call: &ToolCall) -> String {
        if let Some(key) = self.undecided.key_of(call, self.now) {
            return key;
        }
        let RequestId(id) = self.next_id();
        format!("app-{:x}-{:x}-{id}", self.now.as_nanosecond(), self.desk)
    }

    /// The next id: later requests are not below it.
    pub(crate) fn coming_id(&self) -> RequestId {
        RequestId(self.last_id + 1)
    }

    /// The signed-in account.
    pub(crate) fn account(&self) -> Option<&Account> {
        match &self.session {
            Session::In(account) => Some(account),
            Session::Unknown | Session::NoService | Session::Out => None,
        }
    }

    /// All hosts, then all servers.
    pub(crate) fn peers(&self) -> impl Iterator<Item = Peer> {
        let servers = self.servers.iter().cloned().map(Peer::Server);
        let hosts = match self.session {
            Session::NoService => [].iter(),
            _ => Host::ALL.iter(),
        };
        hosts.copied().map(Peer::Host).chain(servers)
    }

    /// A rate-limited host accepts the next call after this time.
    pub(crate) fn limited(&mut self, host: Host, retry_after: Duration) {
        let wait = SignedDuration::try_from(retry_after).unwrap_or(SignedDuration::MAX);
        let until = self.now.saturating_add(wait).unwrap_or(Timestamp::MAX);
        self.limits.insert(host, until);
    }

    /// When a rate-limited host accepts the next call.
    pub(crate) fn limited_until(&self, host: Host) -> Option<Timestamp> {
        self.limits.get(&host).copied()
    }

    /// When each rate-limited host accepts the next call.
    pub(super) fn limits(&self) -> impl Iterator<Item = Timestamp> {
        self.limits.values().copied()
    }

    /// This desk's delay within the given time, over which all desks of an account spread.
    pub(crate) fn spread(&self, over: SignedDuration) -> SignedDuration {
        let share = i32::try_from(self.desk % 1024).unwrap_or(0);
        over / 1024 * share
    }

    /// The number of undelivered items.
    pub(crate) fn waiting(&self) -> usize {
        let services = self.parts.services.iter();
        services.map(|service| (service.waiting)(self)).sum()
    }

    /// The number of rows in a page of a list.
    pub(crate) fn page(&self) -> isize {
        isize::try_from(self.size.height.saturating_sub(12).max(1)).unwrap_or(1)
    }
}

/// The screens and layers, which the machine does not know otherwise.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parts {
    pub(crate) commands: Registry,
    pub(crate) services: &'static [Service],
    /// The first screen.
    pub(crate) home: fn() -> Box<dyn Screen>,
    /// The first screen if only third-party servers are configured.
    pub(crate) servers: fn() -> Box<dyn Screen>,
    /// The sign-in layer, for this e-mail address and this reason.
    pub(crate) sign_in: fn(&str, Option<String>) -> Box<dyn Layer>,
    /// The layer that shows a value that a host returns once only.
    pub(crate) once: fn(Once) -> Box<dyn Layer>,
    /// The screen that answers a question of a server.
    pub(crate) question: fn(Asked) -> Box<dyn Screen>,
    /// The screen that reads a resource of a server.
    pub(crate) resource: fn(&str, &str) -> Box<dyn Screen>,
    /// Runs the command of the user's own with this key, if the screen has one.
    pub(crate) own_key: fn(&mut State, &mut Out, Chord) -> bool,
    /// Values by which areas refine general screens, looked up by type.
    pub(crate) refinements: &'static [&'static (dyn Any + Send + Sync)],
}

/// The parameters of the start.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) now: Timestamp,
    /// A random number, different for each start.
    pub(crate) desk: u64,
    pub(crate) zone: TimeZone,
    pub(crate) size: Size,
    pub(crate) address: String,
    /// Whether a service is configured.
    pub(crate) has_service: bool,
    /// Whether hosts are asked to tell of changes; otherwise what is shown is asked for at intervals.
    pub(crate) listens: bool,
    pub(crate) parts: Parts,
    pub(crate) settings: Settings,
    pub(crate) mode: Mode,
    pub(crate) servers: Vec<String>,
    pub(crate) has_editor: bool,
}
