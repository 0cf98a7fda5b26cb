//! The end of work, its progress, and timers: passed to who waits for them.

use frontdesk_client::{CallError, Notice, Progress};
use frontdesk_protocol::guide;

use crate::app::account::{account_closed, account_of, ask_to_sign_in, signed_in, signed_out};
use crate::app::cx::{Cx, Move, News, Out};
use crate::app::effects::call::Method;
use crate::app::effects::job::{Ended, Outcome};
use crate::app::effects::server_jobs::FetchTools;
use crate::app::effects::session::SignOut;
use crate::app::input::scanner;
use crate::app::log::LogLine;
use crate::app::navigation::{each_service, service};
use crate::app::owner::{Owner, RequestId};
use crate::app::peer::Peer;
use crate::app::shared::Session;
use crate::app::state::State;
use crate::app::{listening, naming, once, renewal};

pub(super) fn done(
    state: &mut State,
    out: &mut Out,
    request: RequestId,
    owner: Owner,
    mut outcome: Outcome,
) {
    if let Outcome::Call(answer) = &mut outcome
        && let Some(once) = once::take(answer)
    {
        let layer = (state.shared.parts.once)(once);
        out.moves.push(Move::Raise(layer));
    }
    state.cx(out).ended(request, &outcome);
    if let Outcome::Call(answer) = &outcome
        && let (Some(host), Err(CallError::RateLimited { retry_after })) =
            (answer.peer.host(), &answer.result)
    {
        state.shared.limited(host, *retry_after);
    }
    match outcome.error() {
        Some(CallError::SignedOut(reason)) => {
            let reason = reason.clone();
            signed_out(state, out, &reason);
        }
        Some(CallError::AccountClosed(reason)) => {
            let reason = reason.clone();
            account_closed(state, out, &reason);
        }
        None if outcome.reaches() => {
            each_service(state, out, |service| service.host_answered);
            out.news.push(News::Reached);
        }
        _ => {}
    }
    if let Outcome::Call(answer) = &outcome
        && let Some(host) = answer.written
        && answer.result.is_ok()
    {
        state.cx(out).tell_written(host, answer);
        let reply = answer.result.as_ref().ok();
        if let Some(change) = reply.and_then(|reply| reply.change.as_deref()) {
            match host.tool(&answer.tool).is_some_and(guide::is_lasting) {
                true => state.cx(out).changed_for_good(),
                false => state.cx(out).changed(change),
            }
        }
    }
    match owner {
        Owner::App => app_done(state, out, request, outcome),
        Owner::Service(name) => {
            if let Some(service) = service(state, name) {
                (service.answered)(&mut state.cx(out), request, outcome);
            }
        }
        Owner::Screen(id) => {
            let opened = state.screens.iter_mut().find(|opened| opened.id == id);
            if let Some(opened) = opened {
                let mut cx = Cx {
                    shared: &mut state.shared,
                    out,
                    owner,
                };
                opened.screen.answered(&mut cx, request, outcome);
            }
        }
    }
}

fn app_done(state: &mut State, out: &mut Out, request: RequestId, mut outcome: Outcome) {
    if let Some(Ended {
        job,
        result: Ok(tools),
    }) = outcome.end::<FetchTools>()
    {
        state.shared.tools.insert(job.0.clone(), tools.clone());
    }
    for layer in &mut state.layers {
        let mut cx = Cx {
            shared: &mut state.shared,
            out: &mut *out,
            owner: Owner::App,
        };
        layer.answered(&mut cx, request, &outcome);
    }
    if let Some(then) = state.shared.then.remove(&request) {
        return (then.0)(&mut state.cx(out), &mut outcome);
    }
    if let Outcome::Call(answer) = &outcome {
        naming::answered(&mut state.cx(out), request, &answer.result);
    } else if let Some(account) = account_of(&outcome) {
        signed_in(state, out, account.clone());
    } else if outcome.end::<SignOut>().is_some() {
        state.shared.session = Session::Out;
        ask_to_sign_in(state, out, String::new(), None);
    }
}

/// Reports progress of work to its screen.
pub(super) fn progressed(
    state: &mut State,
    out: &mut Out,
    request: RequestId,
    owner: Owner,
    progress: Progress,
) {
    let opened = state.screens.iter_mut();
    for opened in opened.filter(|opened| Owner::Screen(opened.id) == owner) {
        let mut cx = Cx {
            shared: &mut state.shared,
            out: &mut *out,
            owner,
        };
        opened.screen.progressed(&mut cx, request, &progress);
    }
}

/// Handles a notice of a server.
pub(super) fn noticed(state: &mut State, out: &mut Out, server: String, notice: Notice) {
    match notice {
        Notice::Log {
            level,
            logger,
            data,
        } => {
            let line = LogLine::new(state.shared.now, &server, &level, logger.as_deref(), &data);
            state.shared.log.push(line);
            out.news.push(News::Log);
        }
        Notice::ToolsChanged => out.news.push(News::ToolsChanged(Peer::Server(server))),
        Notice::ResourcesChanged => out.news.push(News::ListChanged(server, Method::Resources)),
        Notice::PromptsChanged => out.news.push(News::ListChanged(server, Method::Prompts)),
        Notice::ResourceUpdated(uri) => out.news.push(News::ResourceChanged { server, uri }),
        Notice::Progress(_) => {}
    }
}

pub(super) fn fired(state: &mut State, out: &mut Out, request: RequestId, owner: Owner) {
    match owner {
        Owner::App => {
            for layer in &mut state.layers {
                let mut cx = Cx {
                    shared: &mut state.shared,
                    out: &mut *out,
                    owner,
                };
                layer.fired(&mut cx, request);
            }
            scanner::fired(state, out, request);
            renewal::fired(state, out, request);
            listening::fired(state, out, request);
            state.shared.toasts.fired(request, state.shared.now);
            if state
                .spinner
                .take_if(|spinner| *spinner == request)
                .is_some()
            {
                state.shared.spin += 1;
            }
        }
        Owner::Service(name) => {
            if let Some(service) = service(state, name) {
                (service.fired)(&mut state.cx(out), request);
            }
        }
        Owner::Screen(_) => {
            let opened = state
                .screens
                .last_mut()
                .filter(|opened| Owner::Screen(opened.id) == owner);
            if let Some(opened) = opened {
                let mut cx = Cx {
                    shared: &mut state.shared,
                    out,
                    owner,
                };
                opened.screen.fired(&mut cx, request);
            }
        }
    }
}
