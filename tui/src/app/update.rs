//! Applies events to the state. Pure: the same event on the same state yields the same state and
//! effects.

use super::service::Service;
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};
use frontdesk_client::presets::Kept;
use frontdesk_client::{Account, CallError, Notice, Progress, clock_warning};
use frontdesk_protocol::guide;
use frontdesk_protocol::id::UserId;
use jiff::SignedDuration;

use super::asked;
use super::cx::{Cx, Move, News, Out};
use super::history;
use super::log::LogLine;
use super::mouse;
use super::msg::{Msg, What};
use super::names;
use super::once;
use super::own;
use super::peer::Peer;
use super::renewal;
use super::shared::Session;
use super::state::{Opened, State, Typing};
use super::undecided::Undecided;
use crate::app::effects::effect::{Effect, Method, Outcome, Owner, RequestId, ScreenId, Work};
use crate::app::effects::filters::FilterChange;
use crate::app::effects::presets::PresetError;
use crate::app::input::ahead;
use crate::app::input::command::Command;
use crate::app::input::keys::Chord;
use crate::app::input::scanner::{self, Rhythm};
use crate::app::input::stray;
use crate::look::mark::Mark;
use crate::look::text::{clean, sentence};

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
        What::Done { .. }
            | What::Progress { .. }
            | What::Notice { .. }
            | What::Changes { .. }
            | What::Asked(_)
            | What::Withdrawn(_)
            | What::Background(_)
            | What::Fired { .. }
    );
    if is_input {
        state.renewal.used(msg.at);
    }
    let owner = match &msg.what {
        What::Done { owner, .. } | What::Progress { owner, .. } | What::Fired { owner, .. } => {
            Some(*owner)
        }
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
                run(state, &mut out, command);
            }
        }
        What::Done {
            request,
            owner,
            outcome,
        } => done(state, &mut out, request, owner, *outcome),
        What::Progress {
            request,
            owner,
            progress,
        } => progressed(state, &mut out, request, owner, progress),
        What::Notice { server, notice } => noticed(state, &mut out, server, notice),
        What::Changes { server, changes } => {
            state.shared.changed.compared(server, changes);
        }
        What::Asked(asked) => asked::came(state, &mut out, asked),
        What::Withdrawn(question) => asked::withdrawn(state, &mut out, question),
        What::Fired { request, owner } => fired(state, &mut out, request, owner),
        What::NotOpened => {
            let words = "No browser can be started here; the variable BROWSER names one";
            state.cx(&mut out).toast(Mark::Warn, words);
        }
        What::Terminated => quit(state, &mut out),
    }
    follow(state, &mut out);
    ahead::replay(state, &mut out);
    keep_time(state, &mut out);
    renewal::keep_time(state, &mut out);
    out.effects
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
            state.cx(out).run(Work::Account);
        }
    }
}

/// The service with this name.
fn service(state: &State, name: &str) -> Option<&'static Service> {
    let mut services = state.shared.parts.services.iter();
    services.find(|service| service.name == name)
}

/// Runs this for every service.
pub(crate) fn each_service(state: &mut State, out: &mut Out, act: fn(&Service) -> fn(&mut Cx)) {
    for service in state.shared.parts.services {
        act(service)(&mut state.cx(out));
    }
}

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
        state.cx(out).run(Work::SignInWays);
        out.moves.push(Move::Raise(sign_in));
    }
}

pub(super) fn press(state: &mut State, out: &mut Out, key: KeyEvent, rhythm: Rhythm) {
    let is_taken = key.kind == KeyEventKind::Release || scanner::takes_key(state, out, key, rhythm);
    if !is_taken {
        press_key(state, out, key);
    }
}

/// Handles a key of a person.
pub(super) fn press_key(state: &mut State, out: &mut Out, key: KeyEvent) {
    let is_taken = stray::goes_on(state, key.into()) || ahead::keeps(state, out, key);
    if !is_taken {
        press_now(state, out, key);
    }
}

/// Handles a key that does not have to wait.
pub(super) fn press_now(state: &mut State, out: &mut Out, key: KeyEvent) {
    let chord = Chord::from(key);
    let context = state.context();
    let command = state.shared.settings.keymap.command(chord, context);
    if let (None, Some(letter)) = (command, chord.behind_esc(key))
        && state.typing() != Typing::No
    {
        let layers = state.layers.len();
        press(state, out, KeyCode::Esc.into(), Rhythm::default());
        follow(state, out);
        // If esc opened a question, the letter was not meant as its answer.
        if state.layers.len() <= layers {
            press(state, out, letter, Rhythm::default());
        }
        return;
    }
    match command {
        Some(command) if !is_typed(state, key) => {
            if !ahead::is_unseen(state, out, command, key) {
                run(state, out, command);
            }
        }
        _ if ahead::chooses_unseen(state, out, key) => {}
        None if is_free(state, chord) && (state.shared.parts.own_key)(state, out, chord) => {}
        None if stray::begins(state, out, chord) => {}
        _ => type_key(state, out, key),
    }
}

/// Whether a key is typed into the field with the focus.
pub(super) fn is_typed(state: &State, key: KeyEvent) -> bool {
    let chord = Chord::from(key);
    let context = state.context();
    let command = state.shared.settings.keymap.command(chord, context);
    chord.is_text()
        && match state.typing() {
            Typing::No => false,
            Typing::Yes => true,
            Typing::Beginning => {
                let is_own = command.is_some_and(|command| command.context == context);
                !is_own && (command.is_none() || chord.is_letter())
            }
        }
}

/// Whether a key without a command can run one of the user's own.
fn is_free(state: &State, chord: Chord) -> bool {
    let is_typed = chord.is_text() && state.typing() != Typing::No;
    state.layers.is_empty() && !is_typed
}

/// Passes a key that is not a command to the layer or screen with the focus.
pub(super) fn type_key(state: &mut State, out: &mut Out, key: KeyEvent) {
    match state.layers.last_mut() {
        Some(layer) => {
            let mut cx = Cx {
                shared: &mut state.shared,
                out,
                owner: Owner::App,
            };
            layer.key(&mut cx, key);
        }
        None => {
            state.on_screen(out, |screen, cx| screen.key(cx, key));
        }
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

/// Runs a command, or reports why it is unavailable.
pub(crate) fn run(state: &mut State, out: &mut Out, command: &Command) {
    // The commands of a layer do not exist on the screen below it.
    let obstacle = match command.context.is_layer {
        true => command.why_not_now(state),
        false => command.obstacle(state),
    };
    match obstacle {
        Some(reason) => {
            // Keys typed after it were meant for its result.
            state.ahead.clear();
            if !reason.is_empty() {
                state.cx(out).toast(Mark::Warn, sentence(&reason));
            }
        }
        None => (command.run)(state, out),
    }
}

fn done(state: &mut State, out: &mut Out, request: RequestId, owner: Owner, mut outcome: Outcome) {
    if let Outcome::Visited(server, Ok(visit)) = &outcome {
        let about = visit.about.clone();
        state.shared.abouts.insert(server.clone(), about);
    }
    if let Outcome::Call(answer) = &mut outcome
        && let Some(once) = once::take(answer)
    {
        let layer = (state.shared.parts.once)(once);
        out.moves.push(Move::Raise(layer));
    }
    state.cx(out).ended(request, &outcome);
    if let (Some(CallError::RateLimited { retry_after }), Some(host)) =
        (outcome.error(), outcome.host())
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
        None if outcome.is_of_host() => {
            each_service(state, out, |service| service.host_answered);
            out.news.push(News::Reached);
        }
        None if matches!(outcome, Outcome::Delivered(_)) => out.news.push(News::Reached),
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
        Owner::App => app_done(state, out, request, &outcome),
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

fn app_done(state: &mut State, out: &mut Out, request: RequestId, outcome: &Outcome) {
    if let Outcome::Tools(peer, Ok(tools)) = outcome {
        state.shared.tools.insert(peer.clone(), tools.clone());
    }
    for layer in &mut state.layers {
        let mut cx = Cx {
            shared: &mut state.shared,
            out: &mut *out,
            owner: Owner::App,
        };
        layer.answered(&mut cx, request, outcome);
    }
    match outcome {
        Outcome::Account(Ok(account)) | Outcome::SignedIn(Ok(account)) => {
            signed_in(state, out, account.clone());
        }
        Outcome::TaskEnded(server, result) => {
            let (mark, words) = match result {
                Ok(()) => (Mark::Good, "Ended the task".to_owned()),
                Err(error) => (
                    Mark::Bad,
                    format!("Not ended: {}", clean(&error.to_string())),
                ),
            };
            state.cx(out).toast(mark, words);
            let list = News::ListChanged(server.clone(), Method::Tasks);
            out.news.push(list);
        }
        Outcome::Accepted(Err(reason)) => {
            let words = format!("Not accepted: {reason}");
            state.cx(out).toast(Mark::Bad, words);
        }
        Outcome::Configured(Err(reason)) => {
            let words = format!("Not kept: {reason}");
            state.cx(out).toast(Mark::Bad, words);
        }
        Outcome::Filters(account, change, result) => {
            filters_read(state, out, *account, change, result)
        }
        Outcome::Ran { name, result } => own::ended(&mut state.cx(out), name, result),
        Outcome::History(Ok(known)) => state.shared.undecided.recall(&known.entries),
        Outcome::Remembered(result) => history::written(&mut state.cx(out), result),
        Outcome::Call(answer) => names::answered(&mut state.cx(out), request, &answer.result),
        Outcome::SignedOut(_) => {
            state.shared.session = Session::Out;
            ask_to_sign_in(state, out, String::new(), None);
        }
        _ => {}
    }
}

/// The saved filters of an account were read, perhaps after a change.
fn filters_read(
    state: &mut State,
    out: &mut Out,
    account: UserId,
    change: &FilterChange,
    result: &Result<Kept, PresetError>,
) {
    if state.shared.account().is_none_or(|now| now.id != account) {
        return;
    }
    match result {
        Ok(kept) => {
            if let Some(path) = &kept.aside {
                let words = format!(
                    "The saved filters could not be read; they are in {}",
                    path.display()
                );
                state.cx(out).toast(Mark::Warn, words);
            }
            state.shared.filters = Some((account, kept.presets.clone()));
            if let Some(words) = change.words() {
                state.cx(out).toast(Mark::Good, clean(&words));
            }
            out.news.push(News::Filters);
        }
        Err(error) => {
            let words = format!("Saved filters: {}", clean(&error.0));
            state.cx(out).toast(Mark::Bad, words);
        }
    }
}

fn signed_in(state: &mut State, out: &mut Out, account: Account) {
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
    cx.run(Work::History(account));
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
        match keeps_desk && opened.screen.forget_account(&mut cx) {
            true => state.screens.push(opened),
            false => close(state, out, opened),
        }
    }
}

/// The account was deactivated or removed: nothing of what it has seen stays here.
fn account_closed(state: &mut State, out: &mut Out, reason: &str) {
    if matches!(state.shared.session, Session::In(_) | Session::Unknown) {
        state.shared.session = Session::Out;
        leave_account(state, out, true);
        state.cx(out).run(Work::SignOut);
        let reason = sentence(reason);
        let reason = format!("{reason}. What was stored here of its lists is removed.");
        ask_to_sign_in(state, out, String::new(), Some(reason));
    }
}

fn signed_out(state: &mut State, out: &mut Out, reason: &str) {
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

/// Reports progress of work to its screen.
fn progressed(
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
fn noticed(state: &mut State, out: &mut Out, server: String, notice: Notice) {
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

fn fired(state: &mut State, out: &mut Out, request: RequestId, owner: Owner) {
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

fn show(state: &mut State, out: &mut Out) {
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
