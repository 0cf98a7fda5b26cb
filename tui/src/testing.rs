//! Shared code of this crate's tests: a host in memory, and the app using it.

mod belongings;
mod host;
mod meetings;
mod people;
#[path = "../../tests/src/regions.rs"]
mod regions;
mod seen;
mod tools;

pub(crate) use belongings::{expenses, photos, sessions, tasks};
pub(crate) use host::{FakeHost, is_read};
pub(crate) use meetings::{all_series, series, series_id, weekly, with};
pub(crate) use people::{account, event, guest, guest_id, guests};
pub(crate) use tools::tools;

use std::sync::Arc;

use frontdesk_client::{Account, Config};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::layout::Size;

use crate::app::cx::{Cx, Out};
use crate::app::input::mode::Mode;
use crate::app::owner::Owner;
use crate::app::settings::Settings;
use crate::app::shared::{Setup, Shared};
use crate::app::state::State;
use crate::shell::{Driver, parts};

/// The time at the start of tests: a quarter to ten in the morning.
pub(crate) fn now() -> Timestamp {
    "2026-03-12T09:45:00Z".parse().expect("is a timestamp")
}

/// The app with this host and this account.
pub(crate) fn app(host: &FakeHost, account: Option<Account>, size: (u16, u16)) -> Driver {
    let state = State::new(setup(size), account.clone(), account.is_some());
    Driver::over(state, Arc::new(host.clone()), size)
}

/// The initial shared state.
pub(crate) fn shared() -> Shared {
    Shared::new(setup((80, 24)))
}

/// The initial state of the app, with an account.
pub(crate) fn state() -> State {
    State::new(setup((80, 24)), Some(account()), true)
}

/// Runs a handler on its own with a context.
pub(crate) fn with_cx<T>(act: impl FnOnce(&mut Cx) -> T) -> T {
    act(&mut Cx {
        shared: &mut shared(),
        out: &mut Out::default(),
        owner: Owner::App,
    })
}

fn setup(size: (u16, u16)) -> Setup {
    Setup {
        now: now(),
        desk: 0,
        zone: TimeZone::UTC,
        size: Size::new(size.0, size.1),
        address: "http://127.0.0.1:8080".to_owned(),
        has_service: true,
        listens: false,
        parts: parts::PARTS,
        settings: Settings {
            themes: Vec::new(),
            ..Settings::new(&Config::default(), false).expect("is fine")
        },
        mode: Mode::ReadWrite,
        servers: Vec::new(),
        has_editor: true,
    }
}

/// The check-in desk with this host, loaded.
pub(crate) async fn desk(host: &FakeHost, size: (u16, u16)) -> Driver {
    let mut app = app(host, Some(account()), size);
    app.settle().await;
    app.run("home.check_in").expect("an event is selected");
    app.settle().await;
    app
}
