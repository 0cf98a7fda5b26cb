//! Applies events to the state. Pure: the same event on the same state yields the same state and
//! effects.

use crossterm::event::{KeyEvent, KeyEventKind};
use frontdesk_client::clock_warning;
use jiff::SignedDuration;

use super::cx::{Cx, Move, Out};
use super::msg::{Msg, What};
use super::shared::Session;
use super::state::State;
use super::{asked, listening, mouse, renewal, restarted};
use crate::app::account::ask_to_sign_in;
use crate::app::effects::effect::Effect;
use crate::app::effects::session::FetchAccount;
use crate::app::ending;
use crate::app::input::scan::Rhythm;
use crate::app::input::{press, scanner};
use crate::app::navigation::{each_service, follow, quit};
use crate::app::owner::Owner;
use crate::app::reporter::Report;
use crate::look::mark::Mark;
use crate::look::text::sentence;

/// The duration of a spinner frame.
const SPIN: SignedDuration = SignedDuration::from_millis(125);

/// Applies an event and returns its effects.
pub(crate) fn update(state: &mut State, msg: Msg) -> Vec<Effect> {
    state.shared.now = msg.at;
    let mut out = Out::default();
    let before = std::mem::replace(&mut state.shared.clock_ahead, msg.ahead);
    if clock_warning(before).is_none()
        && let Some(warning) = clock_warning(msg.ahead)
    {
        state.cx(&mut out).toast(Mark::Warn, sentence(&warning));
    }
    let is_input = !matches!(
        msg.what,
        What::Done { .. } | What::Report(_) | What::Background(_) | What::Fired { .. }
    );
    if is_input {
        state.renewal.used(msg.at);
    }
    let owner = match &msg.what {
        What::Done { owner, .. }
        | What::Report(Report::Progress { owner, .. })
        | What::Fired { owner, .. } => Some(*owner),
        _ => None,
    };
    let of_screen = is_input || matches!(owner, Some(Owner::Screen(_)));
    state.shared.toasts.begin(of_screen);
    match msg.what {
        What::Started => start(state, &mut out),
        What::Key(key, rhythm) => press(state, &mut out, key, rhythm),
        What::Mouse(event) => {
            scanner::break_off(state, &mut out);
            mouse::act(state, &mut out, event);
        }
        What::Select(hit) => {
            mouse::select(state, &mut out, hit);
        }
        What::Paste(text) => {
            scanner::break_off(state, &mut out);
            paste(state, &mut out, &text);
        }
        What::Resize(size) => {
            state.shared.size = size;
            state.on_screen(&mut out, |screen, cx| screen.resized(cx));
        }
        What::Background(color) => state.shared.settings.follow(color),
        What::Command(id) => {
            if let Some(command) = state.shared.parts.commands.by_id(id) {
                press::run(state, &mut out, command);
            }
        }
        What::Done {
            request,
            owner,
            outcome,
        } => ending::done(state, &mut out, request, owner, outcome),
        What::Report(report) => reported(state, &mut out, report),
        What::Fired { request, owner } => ending::fired(state, &mut out, request, owner),
        What::NotOpened => {
            let words = "No browser can be started here; the variable BROWSER names one";
            state.cx(&mut out).toast(Mark::Warn, words);
        }
        What::Terminated => quit(state, &mut out),
    }
    follow(state, &mut out);
    press::replay(state, &mut out);
    keep_time(state, &mut out);
    listening::keep(state, &mut out);
    renewal::keep_time(state, &mut out);
    out.effects
}

fn press(state: &mut State, out: &mut Out, key: KeyEvent, rhythm: Rhythm) {
    let is_taken = key.kind == KeyEventKind::Release || scanner::takes_key(state, out, key, rhythm);
    if !is_taken {
        press::press_key(state, out, key);
    }
}

fn paste(state: &mut State, out: &mut Out, text: &str) {
    if scanner::takes_paste(state, out, text) {
        return;
    }
    match state.layers.last_mut() {
        Some(layer) => {
            let mut cx = Cx {
                shared: &mut state.shared,
                out,
                owner: Owner::App,
            };
            layer.paste(&mut cx, text);
        }
        None => {
            state.on_screen(out, |screen, cx| screen.paste(cx, text));
        }
    }
}

fn reported(state: &mut State, out: &mut Out, report: Report) {
    match report {
        Report::Progress {
            request,
            owner,
            progress,
        } => ending::progressed(state, out, request, owner, progress),
        Report::Heard { request, heard } => listening::heard(state, out, request, heard),
        Report::Notice { server, notice } => ending::noticed(state, out, server, notice),
        Report::Changes { server, changes } => {
            state.shared.changed.compared(server, changes);
        }
        Report::Edited(server) => restarted::start_again(&mut state.cx(out), server),
        Report::Unwatched { server, changed } => {
            restarted::unwatched(&mut state.cx(out), &server, &changed);
        }
        Report::Asked(asked) => asked::came(state, out, asked),
        Report::Withdrawn(question) => asked::withdrawn(state, out, question),
    }
}

fn start(state: &mut State, out: &mut Out) {
    let first = match state.shared.session {
        Session::NoService => state.shared.parts.servers,
        _ => state.shared.parts.home,
    };
    out.moves.push(Move::Open(first()));
    each_service(state, out, |service| service.begin);
    if let Some(warning) = state.shared.settings.warning.take() {
        state.cx(out).toast(Mark::Warn, warning);
    }
    match state.shared.session {
        Session::NoService => {}
        Session::Out => ask_to_sign_in(state, out, String::new(), None),
        Session::Unknown | Session::In(_) => {
            state.cx(out).run(FetchAccount);
        }
    }
}

/// Sets exactly the timers that the visible elements need.
fn keep_time(state: &mut State, out: &mut Out) {
    match (state.is_busy(), state.spinner) {
        (true, None) => {
            let request = state.cx(out).after(SPIN);
            state.spinner = Some(request);
        }
        (false, Some(_)) => {
            let mut spinner = state.spinner.take();
            state.cx(out).cancel(&mut spinner);
            state.shared.spin = 0;
        }
        _ => {}
    }
    let next = state.shared.coming_id();
    let effects = state.shared.toasts.keep_time(next);
    if !effects.is_empty() {
        state.shared.next_id();
        out.effects.extend(effects);
    }
}
