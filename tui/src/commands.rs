//! Commands of the app and of all lists.

use frontdesk_protocol::Host;

use crate::app::account::ask_to_sign_in;
use crate::app::cx::{Cx, News, Out};
use crate::app::effects::effect::Effect;
use crate::app::effects::server_jobs::FetchTools;
use crate::app::effects::session::SignOut;
use crate::app::input::command::{ALWAYS, ANYWHERE, LIST, commands};
use crate::app::input::mode::Mode;
use crate::app::navigation::quit;
use crate::app::peer::Peer;
use crate::app::screen::Screen;
use crate::app::shared::Session;
use crate::app::state::State;
use crate::desk::door;
use crate::look::mark::Mark;
use crate::look::text::count;
use crate::record_screens::open_instead;
use crate::screens::palette::{Palette, before};
use crate::ui::confirm::Confirm;
use crate::ui::help::Help;

commands! {
    /// Commands available everywhere.
    pub(crate) const COMMANDS;

    ANYWHERE: "app.back", ["esc", "q"], "Go back", run back, hint("back"),
        hint_here(|state| {
            let stops = state.screens.last()?.screen.stops();
            stops.then(|| "stop".to_owned())
        }), unless(is_at_home);
    ANYWHERE: "app.before", ["-"], "Open the record that was open before",
        run |state, out| {
            let before = before(state).next().cloned();
            if let Some((kind, record)) = before {
                open_instead(state, out, kind, &record);
            }
        }, unless(|state| match before(state).next() {
            Some(_) => None,
            None => Some("no record was open before".to_owned()),
        });
    ANYWHERE: "app.home", ["alt-h"], "Go to Home", run go_home, unless(is_at_home);
    ANYWHERE: "app.refresh", ["r", "ctrl-r", "f5"], "Reload everything on screen",
        run |state, out| {
            door::resume(&mut state.cx(out));
            state.shared.names.renew();
            let opened = state.screens.last();
            state.shared.reloaded = opened.map(|opened| (opened.id, state.shared.now));
            state.on_screen(out, |screen, cx| screen.refresh(cx));
        };
    ANYWHERE: "app.palette", [":", "ctrl-k"], "Find a command, list or tool",
        run |state, out| {
            let awaited = ask_for_tools(&mut state.cx(out));
            let palette = Palette::new(state, awaited);
            state.layers.push(Box::new(palette));
        }, hint("commands");
    ANYWHERE: "app.help", ["?", "f1"], "Show the keys of this screen",
        run |state, _| {
            let help = Help::new(state.screen_context());
            state.layers.push(Box::new(help));
        }, hint("help");
    ANYWHERE: "session.sign_in", ["f2"], "Sign in",
        run |state, out| { ask_to_sign_in(state, out, String::new(), None); }, of_service;
    ANYWHERE: "session.sign_out", [], "Sign out", run ask_to_sign_out, danger, of_service,
        unless(|state| match state.shared.session {
            Session::Out => Some("nobody is signed in".to_owned()),
            _ => None,
        });
    ANYWHERE: "journal.deliver", [], "Deliver waiting check-ins now",
        run |state, out| { door::resume(&mut state.cx(out)); }, writes, of_service,
        unless(|state| match state.shared.waiting() {
            0 => Some("no check-in is waiting".to_owned()),
            _ => None,
        });
    ANYWHERE: "app.read_only", ["f8"], "Toggle read-only mode: hide commands that write",
        run turn_mode,
        unless(|state| match state.shared.mode {
            Mode::AlwaysReadOnly => Some("the app was started with --read-only".to_owned()),
            _ => None,
        });
    ANYWHERE: "app.dismiss", ["ctrl-x"], "Dismiss the newest message",
        run |state, _| { state.shared.toasts.dismiss(); },
        unless(|state| match state.shared.toasts.list() {
            [] => Some("no message".to_owned()),
            _ => None,
        });
    ALWAYS: "app.suspend", ["ctrl-z"], "Suspend the app (fg resumes it)",
        run |_, out| { out.effects.push(Effect::Suspend); };
    ALWAYS: "app.redraw", ["ctrl-l"], "Redraw the screen",
        run |_, out| { out.effects.push(Effect::Redraw); };
    ALWAYS: "app.quit_now", ["ctrl-c"], "Leave at once", run quit, danger;
}

commands! {
    /// Commands of all lists.
    pub(crate) const IN_LISTS;

    LIST: "list.search", ["/"], "Search the list",
        run |state, out| on_list(state, out, |page| page.search()), immediate, hint("search"),
        unless(cannot_search);
    LIST: "list.sort", ["s"], "Sort by the next column",
        run |state, out| {
            state
                .on_screen(out, |screen, cx| screen.sort(cx.shared))
                .unwrap_or_default()
        }, hint("sort"), unless(cannot_sort);
    LIST: "list.reverse", ["S"], "Reverse the order",
        run |state, out| {
            state
                .on_screen(out, |screen, cx| screen.reverse(cx.shared))
                .unwrap_or_default()
        }, unless(cannot_sort);
    LIST: "list.next", ["down", "j", "ctrl-n"], "Next row",
        run |state, out| { step(state, out, |_| 1); };
    LIST: "list.previous", ["up", "k", "ctrl-p"], "Previous row",
        run |state, out| { step(state, out, |_| -1); };
    LIST: "list.page_down", ["pgdn", "ctrl-f"], "Next page",
        run |state, out| { step(state, out, |page| page); };
    LIST: "list.page_up", ["pgup", "ctrl-b"], "Previous page",
        run |state, out| { step(state, out, |page| -page); };
    LIST: "list.first", ["home", "g"], "First row",
        run |state, out| { step(state, out, |_| -(isize::MAX / 2)); };
    LIST: "list.last", ["end", "G"], "Last row",
        run |state, out| { step(state, out, |_| isize::MAX / 2); };
}

/// Requests the tools of hosts that are not loaded yet. Those of a server are known once it was
/// opened. Returns the number of hosts.
fn ask_for_tools(cx: &mut Cx) -> usize {
    if !matches!(cx.shared.session, Session::In(_)) {
        return 0;
    }
    let peers = Host::ALL.map(Peer::Host).into_iter();
    let unknown: Vec<Peer> = peers
        .filter(|peer| !cx.shared.tools.contains_key(peer))
        .collect();
    let number = unknown.len();
    for peer in unknown {
        cx.run(FetchTools(peer));
    }
    number
}

/// Switches the read-only mode. Afterwards, waiting check-ins are delivered.
fn turn_mode(state: &mut State, out: &mut Out) {
    state.shared.mode = state.shared.mode.turned();
    let words = match state.shared.mode.is_read_only() {
        true => "Read-only: commands that write are hidden, and waiting check-ins are kept",
        false => "Writing is allowed again",
    };
    let mut cx = state.cx(out);
    cx.toast(Mark::Info, words);
    cx.tell(News::Mode);
    door::resume(&mut cx);
}

fn on_list(state: &mut State, out: &mut Out, act: impl FnOnce(&mut dyn Screen)) {
    state.on_screen(out, |screen, _| act(screen));
}

fn cannot_search(state: &State) -> Option<String> {
    let can = state.screen().is_some_and(|screen| screen.can_search());
    (!can).then(|| "this list cannot be searched".to_owned())
}

fn cannot_sort(state: &State) -> Option<String> {
    let can = state.screen().is_some_and(|screen| screen.can_sort());
    (!can).then(|| "this list cannot be sorted".to_owned())
}

/// Asks, because the next one at this machine starts without what is stored here.
fn ask_to_sign_out(state: &mut State, _: &mut Out) {
    let services = state.shared.parts.services.iter();
    let waiting: usize = services.map(|one| (one.waiting)(&state.shared)).sum();
    let mut body = "Lists of guests that are stored here for an outage are deleted.".to_owned();
    if waiting > 0 {
        let waiting = count(waiting, "check-in", "check-ins");
        body.push_str(&format!(
            " {waiting} still to be delivered: kept for the next account of the organisation."
        ));
    }
    state.layers.push(Box::new(Confirm {
        title: "Sign out?".to_owned(),
        body,
        then: |state, out| {
            state.cx(out).run(SignOut);
        },
    }));
}

fn step(state: &mut State, out: &mut Out, by: impl FnOnce(isize) -> isize) {
    let by = by(state.shared.page());
    state.on_screen(out, |screen, cx| screen.step(cx, by));
}

fn is_at_home(state: &State) -> Option<String> {
    (state.screens.len() < 2).then(String::new)
}

/// Goes back to the first screen, or to one that asks before it is left.
fn go_home(state: &mut State, out: &mut Out) {
    let is_taken = state.on_screen(out, |screen, cx| screen.leave(cx));
    if is_taken == Some(false) {
        state.cx(out).back();
    }
    state.cx(out).then(move |state, out| {
        if !state.layers.is_empty() {
            return;
        }
        if is_taken == Some(true) {
            state.cx(out).back();
        }
        state.cx(out).then(|state, out| {
            if is_at_home(state).is_none() {
                go_home(state, out);
            }
        });
    });
}

fn back(state: &mut State, out: &mut Out) {
    let is_taken = state.on_screen(out, |screen, cx| screen.escape(cx));
    if is_taken == Some(false) {
        state.cx(out).back();
    }
}
