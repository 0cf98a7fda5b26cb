//! The state that all screens share.

use super::service::Service;
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use frontdesk_client::{Account, ToolInfo};
use frontdesk_protocol::Host;
use frontdesk_protocol::id::UserId;
use http::Extensions;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use ratatui::layout::Size;

use super::command::Registry;
use super::effect::RequestId;
use super::history::Calls;
use super::keys::Keymap;
use super::layer::Layer;
use super::log::Log;
use super::mode::Mode;
use super::names::Names;
use super::peer::Peer;
use super::screen::Screen;
use super::theme::Theme;
use super::toast::Toasts;

/// Who is signed in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Session {
    /// Not known yet: the first answer is under way.
    Unknown,
    /// Nobody.
    Out,
    /// This account.
    In(Account),
}

/// The state that all screens share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The time of the message that is being handled.
    pub(crate) now: Timestamp,
    /// How far the hosts' clock is ahead of this machine's.
    pub(crate) clock_ahead: SignedDuration,
    pub(crate) zone: TimeZone,
    pub(crate) size: Size,
    pub(crate) session: Session,
    /// A random number: desks of one account use it to call at different times.
    desk: u64,
    /// When hosts that were called too often accept the next call.
    limits: BTreeMap<Host, Timestamp>,
    /// Who was signed in last in this sitting.
    pub(crate) last_account: Option<UserId>,
    /// The base address of the service, for people to read.
    pub(crate) address: String,
    /// The state of services, by its type.
    pub(crate) services: Extensions,
    /// The servers of the configuration, by their names.
    pub(crate) servers: Vec<String>,
    /// The tools of the hosts and servers that were asked for them.
    pub(crate) tools: BTreeMap<Peer, Vec<ToolInfo>>,
    /// Whom the palette has asked for them in this sitting.
    pub(crate) asked: BTreeSet<Peer>,
    /// The calls of tools that are under way.
    pub(crate) calls: Calls,
    /// What records are called that others refer to.
    pub(crate) names: Names,
    /// What servers wrote into their logs.
    pub(crate) log: Log,
    pub(crate) toasts: Toasts,
    /// What the machine is made up with.
    pub(crate) parts: Parts,
    pub(crate) keymap: Keymap,
    pub(crate) theme: Theme,
    /// Whether anything may be changed.
    pub(crate) mode: Mode,
    /// Whether colours are to be left out (`NO_COLOR`).
    pub(crate) is_plain: bool,
    /// Whether the terminal's bell may ring.
    pub(crate) rings: bool,
    /// Whether names of fields and tools say what an id refers to, where nothing is declared.
    pub(crate) picks_by_name: bool,
    /// Whether the environment names an editor.
    pub(crate) has_editor: bool,
    /// What is wrong with the configuration, until it is told.
    pub(crate) warning: Option<String>,
    /// Counts the pictures of the spinner.
    pub(crate) spin: usize,
    last_id: u64,
}

impl Shared {
    /// The state at the start.
    pub(crate) fn new(setup: Setup) -> Self {
        Shared {
            now: setup.now,
            clock_ahead: SignedDuration::ZERO,
            zone: setup.zone,
            size: setup.size,
            session: Session::Unknown,
            desk: setup.desk,
            limits: BTreeMap::new(),
            last_account: None,
            address: setup.address,
            services: Extensions::new(),
            servers: setup.servers,
            tools: BTreeMap::new(),
            asked: BTreeSet::new(),
            calls: Calls::default(),
            names: Names::default(),
            log: Log::default(),
            toasts: Toasts::default(),
            parts: setup.parts,
            keymap: setup.keymap,
            theme: setup.theme,
            mode: setup.mode,
            is_plain: setup.is_plain,
            rings: setup.rings,
            picks_by_name: setup.picks_by_name,
            has_editor: setup.has_editor,
            warning: setup.warning,
            spin: 0,
            last_id: 0,
        }
    }

    /// A number that was not given out before.
    pub(crate) fn next_id(&mut self) -> RequestId {
        self.last_id += 1;
        RequestId(self.last_id)
    }

    /// The number that would be given out next: everything asked from now on is not below it.
    pub(crate) fn coming_id(&self) -> RequestId {
        RequestId(self.last_id + 1)
    }

    /// The account that is signed in.
    pub(crate) fn account(&self) -> Option<&Account> {
        match &self.session {
            Session::In(account) => Some(account),
            Session::Unknown | Session::Out => None,
        }
    }

    /// Whom tools can be called at: the hosts, then the servers.
    pub(crate) fn peers(&self) -> impl Iterator<Item = Peer> {
        let servers = self.servers.iter().cloned().map(Peer::Server);
        Host::ALL.into_iter().map(Peer::Host).chain(servers)
    }

    /// A host was called too often, and accepts the next call after this time.
    pub(super) fn limited(&mut self, host: Host, retry_after: Duration) {
        let wait = SignedDuration::try_from(retry_after).unwrap_or(SignedDuration::MAX);
        let until = self.now.saturating_add(wait).unwrap_or(Timestamp::MAX);
        self.limits.insert(host, until);
    }

    /// When a host that was called too often accepts, or accepted, the next call.
    pub(crate) fn limited_until(&self, host: Host) -> Option<Timestamp> {
        self.limits.get(&host).copied()
    }

    /// The part of a time after which this desk calls, if all desks of an account spread over that time.
    pub(crate) fn spread(&self, over: SignedDuration) -> SignedDuration {
        let share = i32::try_from(self.desk % 1024).unwrap_or(0);
        over / 1024 * share
    }

    /// How much waits to reach a host.
    pub(crate) fn waiting(&self) -> usize {
        let services = self.parts.services.iter();
        services.map(|service| (service.waiting)(self)).sum()
    }

    /// How many rows a page of a list moves on.
    pub(crate) fn page(&self) -> isize {
        isize::try_from(self.size.height.saturating_sub(12).max(1)).unwrap_or(1)
    }
}

/// What the machine is told of the screens and layers, none of which it knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parts {
    pub(crate) commands: Registry,
    pub(crate) services: &'static [Service],
    /// The first screen.
    pub(crate) home: fn() -> Box<dyn Screen>,
    /// The layer that asks who is here: of this e-mail address, for this reason.
    pub(crate) sign_in: fn(&str, Option<String>) -> Box<dyn Layer>,
    /// Values by which areas refine what a general screen shows; each is looked up by its type.
    pub(crate) refinements: &'static [&'static (dyn Any + Send + Sync)],
}

/// What the app is started with.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) now: Timestamp,
    /// A random number for each start.
    pub(crate) desk: u64,
    pub(crate) zone: TimeZone,
    pub(crate) size: Size,
    pub(crate) address: String,
    pub(crate) parts: Parts,
    pub(crate) keymap: Keymap,
    pub(crate) theme: Theme,
    pub(crate) is_plain: bool,
    /// Whether the terminal's bell may ring.
    pub(crate) rings: bool,
    pub(crate) mode: Mode,
    pub(crate) servers: Vec<String>,
    pub(crate) picks_by_name: bool,
    pub(crate) has_editor: bool,
    /// What is wrong with the configuration, although the app can do without it.
    pub(crate) warning: Option<String>,
}
