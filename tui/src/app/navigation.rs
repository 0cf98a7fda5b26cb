//! Navigation between screens and layers, and events for all screens.

use super::cx::{Cx, Move, Out};
use super::owner::{Owner, ScreenId};
use super::renewal;
use super::service::Service;
use super::state::{Opened, State};
use crate::app::effects::effect::Effect;

/// Quits after writing unsaved data to disk.
pub(crate) fn quit(state: &mut State, out: &mut Out) {
    if !state.is_leaving {
        state.is_leaving = true;
        each_service(state, out, |service| service.save);
        state.on_screen(out, |screen, cx| screen.hidden(cx));
        out.effects.push(Effect::Quit);
    }
}

/// Executes navigation and announces events, until there are no more.
pub(super) fn follow(state: &mut State, out: &mut Out) {
    loop {
        let moves = std::mem::take(&mut out.moves);
        let news = std::mem::take(&mut out.news);
        if moves.is_empty() && news.is_empty() {
            return;
        }
        for next in moves {
            go(state, out, next);
        }
        for news in news {
            for opened in &mut state.screens {
                let mut cx = Cx {
                    shared: &mut state.shared,
                    out: &mut *out,
                    owner: Owner::Screen(opened.id),
                };
                opened.screen.notified(&mut cx, &news);
            }
        }
    }
}

fn go(state: &mut State, out: &mut Out, next: Move) {
    match next {
        Move::Open(screen) => {
            state.shared.toasts.leave();
            state.on_screen(out, |screen, cx| screen.hidden(cx));
            let id = ScreenId(state.shared.next_id().0);
            let writes = state.shared.writes;
            if let Some(covered) = state.screens.last_mut() {
                covered.writes = writes;
            }
            state.screens.push(Opened { id, screen, writes });
            state.ahead.has_unseen = true;
            show(state, out);
        }
        Move::Replace(screen) => {
            while state.screens.len() > 1
                && let Some(opened) = state.screens.pop_if(|opened| opened.screen.gives_way())
            {
                close(state, out, opened);
            }
            go(state, out, Move::Open(screen));
        }
        Move::Back => {
            if state.screens.len() > 1
                && let Some(opened) = state.screens.pop()
            {
                state.shared.toasts.leave();
                close(state, out, opened);
                show(state, out);
                let covered = state.screens.last().map(|opened| opened.writes);
                if covered.is_some_and(|writes| writes != state.shared.writes) {
                    renewal::renew(state, out);
                }
            }
        }
        Move::Raise(layer) => {
            state.layers.push(layer);
            state.ahead.has_unseen = true;
        }
        Move::Drop => drop(state.layers.pop()),
        Move::Then(act) => (act.0)(state, out),
    }
}

pub(super) fn show(state: &mut State, out: &mut Out) {
    state.on_screen(out, |screen, cx| screen.shown(cx));
}

pub(super) fn close(state: &mut State, out: &mut Out, mut opened: Opened) {
    let mut cx = Cx {
        shared: &mut state.shared,
        out,
        owner: Owner::Screen(opened.id),
    };
    opened.screen.hidden(&mut cx);
}

/// The service with this name.
pub(super) fn service(state: &State, name: &str) -> Option<&'static Service> {
    let mut services = state.shared.parts.services.iter();
    services.find(|service| service.name == name)
}

/// Runs this for every service.
pub(crate) fn each_service(state: &mut State, out: &mut Out, act: fn(&Service) -> fn(&mut Cx)) {
    for service in state.shared.parts.services {
        act(service)(&mut state.cx(out));
    }
}
