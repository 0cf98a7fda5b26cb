//! The session: what happens when somebody signs in or out, or loses the account.

use frontdesk_client::Account;

use crate::app::cx::{Cx, Move, News, Out};
use crate::app::effects::browser::SignedIn;
use crate::app::effects::job::Outcome;
use crate::app::effects::session::{
    FetchAccount, FetchWays, FinishInBrowser, SignInByPassword, SignOut,
};
use crate::app::history::ReadHistory;
use crate::app::navigation::{close, each_service, show};
use crate::app::owner::Owner;
use crate::app::shared::Session;
use crate::app::state::State;
use crate::app::undecided::Undecided;
use crate::look::text::sentence;

/// Opens the sign-in layer, unless it is open.
pub(crate) fn ask_to_sign_in(
    state: &mut State,
    out: &mut Out,
    email: String,
    reason: Option<String>,
) {
    let is_open = state.layers.iter().any(|layer| layer.is_sign_in());
    let is_coming = |next: &Move| matches!(next, Move::Raise(layer) if layer.is_sign_in());
    if !is_open && !out.moves.iter().any(is_coming) {
        let sign_in = (state.shared.parts.sign_in)(&email, reason);
        state.cx(out).run(FetchWays);
        out.moves.push(Move::Raise(sign_in));
    }
}

/// The account of a sign-in, or as it is now.
pub(super) fn account_of(outcome: &Outcome) -> Option<&Account> {
    if let Some(ended) = outcome.end::<FetchAccount>() {
        ended.result.as_ref().ok()
    } else if let Some(ended) = outcome.end::<SignInByPassword>() {
        ended.result.as_ref().ok()
    } else {
        match &outcome.end::<FinishInBrowser>()?.result {
            Ok(SignedIn::Service(account)) => Some(account),
            _ => None,
        }
    }
}

pub(super) fn signed_in(state: &mut State, out: &mut Out, account: Account) {
    let last = state.shared.last_account.replace(account.clone());
    let is_new = !matches!(&state.shared.session, Session::In(old) if *old == account);
    let is_other = last.is_some_and(|last| last.id != account.id);
    state.shared.take_zone(&account);
    state.shared.session = Session::In(account);
    state.layers.retain(|layer| !layer.is_sign_in());
    if is_other {
        leave_account(state, out, false);
    }
    let mut cx = state.cx(out);
    let account = cx.caller();
    cx.run_then(ReadHistory(account), |cx, ended| {
        if let Ok(known) = ended.result {
            cx.shared.undecided.recall(&known.entries);
        }
    });
    if is_new {
        out.news.push(News::SignedIn);
        show(state, out);
        each_service(state, out, |service| service.resume);
    }
}

/// Closes what belongs to the previous account: screens, layers, and what is known of its records. A desk may stay, without
/// what it knows, to keep what is scanned until somebody signs in.
fn leave_account(state: &mut State, out: &mut Out, keeps_desk: bool) {
    state.layers.clear();
    state.ahead.clear();
    for service in state.shared.parts.services {
        (service.forget)(&mut state.shared);
    }
    state.shared.tools.clear();
    state.shared.names.clear();
    state.shared.last_change = None;
    state.shared.undecided = Undecided::default();
    state.shared.filters = None;
    let mut screens = std::mem::take(&mut state.screens).into_iter();
    if let Some(mut opened) = screens.next() {
        opened.screen = (state.shared.parts.home)();
        state.screens.push(opened);
    }
    for mut opened in screens {
        let mut cx = Cx {
            shared: &mut state.shared,
            out: &mut *out,
            owner: Owner::Screen(opened.id),
        };
        let codes = opened.screen.codes_mut().filter(|_| keeps_desk);
        match codes.is_some_and(|codes| codes.forget_account(&mut cx)) {
            true => state.screens.push(opened),
            false => close(state, out, opened),
        }
    }
}

/// The account was deactivated or removed: nothing of what it has seen stays here.
pub(super) fn account_closed(state: &mut State, out: &mut Out, reason: &str) {
    if matches!(state.shared.session, Session::In(_) | Session::Unknown) {
        state.shared.session = Session::Out;
        leave_account(state, out, true);
        state.cx(out).run(SignOut);
        let reason = sentence(reason);
        let reason = format!("{reason}. What was stored here of its lists is removed.");
        ask_to_sign_in(state, out, String::new(), Some(reason));
    }
}

pub(super) fn signed_out(state: &mut State, out: &mut Out, reason: &str) {
    let email = match &state.shared.session {
        Session::In(account) => {
            state.shared.last_account = Some(account.clone());
            account.email.clone()
        }
        Session::Unknown => String::new(),
        Session::NoService | Session::Out => return,
    };
    state.shared.session = Session::Out;
    let reason = format!("Please sign in again ({reason}). Nothing that you typed is lost.");
    ask_to_sign_in(state, out, email, Some(reason));
}
